# SPDX-License-Identifier: GPL-2.0-only
"""Entry point of tools/kmark."""

from kmark.cli import main

raise SystemExit(main())
