# SPDX-License-Identifier: GPL-2.0-only
"""kmark man: the manual page."""

from __future__ import annotations

import argparse
import sys

from kmark.commands.common import Verbs


def execute(args: argparse.Namespace) -> int:
    from kmark.commands import manual

    sys.stdout.write(manual.page(args.whole()))
    return 0


def add(verbs: Verbs) -> None:
    man = verbs.add_parser(
        "man", help="print the manual page", epilog="example: tools/kmark man | man -l -"
    )
    man.set_defaults(run=execute)
