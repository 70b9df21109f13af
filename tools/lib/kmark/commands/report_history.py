# SPDX-License-Identifier: GPL-2.0-only
"""kmark report history: the reports of a folder, in the course of time."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from kmark import cache
from kmark.commands.common import describe, json_option, show, write_page
from kmark.errors import say

VARIANTS = ["mark", "key"]


def execute(args: argparse.Namespace) -> int:
    from kmark.report import history

    variants = args.variant or VARIANTS
    refused: list[str] = []
    reports = history.load(args.folder, refused)
    for problem in refused:
        say(f"left out: {problem}")
    history.check_variants(reports, args.variant or [])
    found = history.trace(reports, variants)
    if args.html or args.svg:
        from kmark.report import history_plot

        drawn = list(history_plot.draw_all(found, variants))
        write_page(args, history.page(found, variants, drawn), drawn)
    show([json.dumps(history.record(found), indent=1)] if args.json else history.lines(found, variants))
    return int(bool(refused))


def add_history(history: argparse.ArgumentParser) -> None:
    describe(
        history,
        "Reads all reports in a folder and below it, groups them by machine and prints for "
        "each what a site costs, and which cases became slower or faster since the report before. "
        "A report that is not valid is named and left out; exit status 1 then, and 3 if there is none.",
        "kmark report history results --variant mark --html /tmp/history.html",
    )
    history.add_argument(
        "folder", type=Path, nargs="?", default=cache.TOP / "results", metavar="DIR",
        help="folder of results (default results/)",
    )  # fmt: skip
    history.add_argument(
        "--variant", action="append", metavar="NAME", help="whose site (default: mark and key)"
    )
    history.add_argument(
        "--html", type=Path, metavar="FILE", help="also write a page with tables and plots"
    )
    history.add_argument("--svg", type=Path, metavar="DIR", help="also write the plots into a folder")
    json_option(history, "print kmark-history/1")
    history.set_defaults(run=execute)
