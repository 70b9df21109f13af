# SPDX-License-Identifier: GPL-2.0-only
"""kmark thread: the figures of 2006."""

from __future__ import annotations

import argparse
import json

from kmark.commands.common import Verbs


def execute(args: argparse.Namespace) -> int:
    from kmark.reference import slips

    found = slips.load()
    text = json.dumps(slips.record(found), indent=1) if args.json else "\n".join(slips.lines(found))
    print(text)
    return 0


def add(verbs: Verbs) -> None:
    thread = verbs.add_parser(
        "thread",
        help="show the figures of the 2006 mails, as printed and recomputed",
        description="Recomputes every figure of the mails' micro-benchmarks from the cycle counts "
        "that they print, and marks those that do not follow from them.",
        epilog="example: tools/kmark thread --json",
    )
    thread.add_argument("--json", action="store_true", help="as an object for programs")
    thread.set_defaults(run=execute)
