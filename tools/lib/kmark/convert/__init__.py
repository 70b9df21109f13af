# SPDX-License-Identifier: GPL-2.0-only
"""Trace events of a kernel's source as markers: `headers` finds them, `fields` and `assign` read the
recorded fields, `marker` writes C."""
