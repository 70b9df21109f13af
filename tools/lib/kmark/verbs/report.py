# SPDX-License-Identifier: GPL-2.0-only
"""kmark report: a report.json as text."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from kmark.verbs.common import Verbs


def execute(args: argparse.Namespace) -> int:
    from kmark import report, text

    sys.stdout.write(text.render(report.load(args.file)))
    return 0


def add(verbs: Verbs) -> None:
    report = verbs.add_parser(
        "report",
        help="print a report.json as text",
        description="Checks a report.json and prints the report.txt that belongs to it.",
        epilog="example: tools/kmark report results/latest/report.json",
    )
    report.add_argument("file", type=Path, metavar="FILE")
    report.set_defaults(run=execute)
