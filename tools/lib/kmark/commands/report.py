# SPDX-License-Identifier: GPL-2.0-only
"""kmark report: a report.json as text, as a page, as plots."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from kmark.commands.common import describe, json_option, write_page
from kmark.errors import Usage


def draw(args: argparse.Namespace) -> int:
    """Write the page and the plots; plots of samples only if raw.tsv is beside the report."""
    from kmark.report import html, report, samples

    made = report.load(args.file)
    drawn = html.draw(made, samples.load(samples.beside(args.file)))
    write_page(args, html.make(made, drawn), drawn)
    return 0


def execute(args: argparse.Namespace) -> int:
    from kmark.report import report, text

    if args.json and (args.html or args.svg):
        raise Usage("report: --json prints the report alone: leave --html and --svg out")
    if args.html or args.svg:
        return draw(args)
    made = report.load(args.file)
    sys.stdout.write(report.dump(made) if args.json else text.render(made))
    return 0


def add_show(report: argparse.ArgumentParser) -> None:
    describe(
        report,
        "Checks a report.json and prints the report.txt that belongs to it, or makes "
        "report.html and the plots of it. Plots of samples need the raw.tsv beside it.",
        "kmark report results/latest --html /tmp/report.html --svg /tmp/plots",
    )
    report.add_argument("file", type=Path, metavar="FILE", help="report.json, or the folder with it")
    report.add_argument("--html", type=Path, metavar="FILE", help="write one page with everything in it")
    report.add_argument("--svg", type=Path, metavar="DIR", help="write the plots into a folder")
    json_option(report, "print the report.json")
    report.set_defaults(run=execute)
