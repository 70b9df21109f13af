# SPDX-License-Identifier: GPL-2.0-only
"""kmark report: a report.json as text, as a page, as plots."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from kmark.commands.common import Verbs, say


def draw(args: argparse.Namespace) -> int:
    """Writes the page and the plots; those of samples if raw.tsv lies beside the report."""
    from kmark import cache
    from kmark.report import compare, html, page, pages, report, samples

    path = compare.find(args.file)
    made = report.load(path)
    groups = samples.load(path.with_name("raw.tsv"))
    drawn = pages.draw(made, groups)
    if args.svg:
        for name, svg in pages.svgs(drawn).items():
            cache.write_whole(args.svg / name, svg.encode())
        say(f"{len(drawn)} plots in {args.svg}")
    if args.html:
        made_page = html.make(made, drawn)
        content = page.render(made_page)
        cache.write_whole(args.html, content.encode())
        say(f"page in {args.html}: {page.size_note(made_page, content)}")
    return 0


def execute(args: argparse.Namespace) -> int:
    from kmark.report import compare, report, text

    if args.html or args.svg:
        return draw(args)
    sys.stdout.write(text.render(report.load(compare.find(args.file))))
    return 0


def add(verbs: Verbs) -> None:
    report = verbs.add_parser(
        "report",
        help="print a report.json as text, or make the page and the plots",
        description="Checks a report.json and prints the report.txt that belongs to it, or makes "
        "report.html and the plots of it. Plots of samples need the raw.tsv beside it.",
        epilog="example: tools/kmark report results/latest --html /tmp/report.html --svg /tmp/plots",
    )
    report.add_argument("file", type=Path, metavar="FILE", help="report.json, or the folder with it")
    report.add_argument("--html", type=Path, metavar="FILE", help="write one page with everything in it")
    report.add_argument("--svg", type=Path, metavar="DIR", help="write the plots into a folder")
    report.set_defaults(run=execute)
