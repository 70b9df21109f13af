# SPDX-License-Identifier: GPL-2.0-only
"""kmark compare: reports, case by case."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from kmark.commands.common import (
    describe,
    json_option,
    not_negative,
    percentage,
    positive,
    show,
    write_page,
)
from kmark.errors import Usage, say


def agree(args: argparse.Namespace) -> int:
    from kmark.report import agree, report

    if len(args.others) != 1:
        raise Usage("compare: --agree is of two reports")
    a, b = (report.load(path) for path in (args.a, *args.others))
    found = agree.agreement(a, b)
    if args.json:
        print(json.dumps(agree.record(found, a, b), indent=1))
    else:
        show(agree.lines(found, args.agree))
    return 0 if found.percent >= args.agree else 1


def rates(args: argparse.Namespace) -> int:
    """Exit status 1 if chance makes a verdict in more reports than it may."""
    from kmark.report import rates

    if args.others:
        raise Usage("compare: --rates is of one run")
    found = rates.measure(args.a, args.rates)
    if args.json:
        print(json.dumps(rates.record(found), indent=1))
    else:
        show(rates.lines(found))
    return 0 if all(one.passes for one in found) else 1


def execute(args: argparse.Namespace) -> int:
    from kmark.report import compare, many

    if (args.html or args.svg) and (args.rates is not None or args.agree is not None):
        raise Usage("compare: --rates and --agree draw nothing: leave --html and --svg out")
    if args.rates is not None:
        return rates(args)
    if not args.others:
        raise Usage("compare: the second report is missing")
    if args.agree is not None:
        return agree(args)
    found = many.compare_all(many.load([args.a, *args.others]), args.margin, args.most)
    if args.html or args.svg:
        from kmark.report import compare_plot

        drawn = list(compare_plot.draw_all(found))
        write_page(args, many.page(found, drawn), drawn)
    if args.json:
        print(json.dumps(many.record(found), indent=1))
    elif len(found.made) == 1:
        sys.stdout.write(compare.render(found.made[0], *(one.report for one in found.reports)))
    else:
        show(many.lines(found))
    for one, made in zip(found.reports[1:], found.made, strict=True):
        if slower := made.with_verdict(compare.SLOWER):
            say(f"compare: {len(slower)} of {len(made.cases)} cases are slower in {one.path}")
    return 1 if found.count(compare.SLOWER) else 0


def add_compare(compare: argparse.ArgumentParser) -> None:
    describe(
        compare,
        "Compares what each variant adds to a loop in reports, or folders of results, of "
        "several machines, kernels or times; each with the first. "
        "A case is slower if its interval in B lies above that in A by more than the margin, and "
        "that is significant among so many cases. "
        "Exit status 0 if no case is slower, 1 if one is, 2 for wrong use or if a report cannot be "
        "read, 3 if none can be compared.",
        "kmark compare results/20260101-120000 results/latest --html /tmp/both.html",
    )
    compare.add_argument("a", type=Path, metavar="A", help="report.json, or the folder with it")
    compare.add_argument("others", type=Path, nargs="*", metavar="B", help="the same, of other runs")
    compare.add_argument(
        "--html", type=Path, metavar="FILE", help="also write a page with tables and plots"
    )
    compare.add_argument("--svg", type=Path, metavar="DIR", help="also write the plots into a folder")
    compare.add_argument(
        "--margin", type=percentage, default=1.0, metavar="PCT",
        help="percent of A's loop that do not matter (default 1); instructions are compared exactly",
    )  # fmt: skip
    compare.add_argument(
        "--most", type=not_negative, default=0.25, metavar="CYCLES",
        help="the most that the margin may be (default 0.25), unless a run resolves less",
    )  # fmt: skip
    instead = compare.add_mutually_exclusive_group()
    instead.add_argument(
        "--rates", type=positive, nargs="?", const=50, metavar="N",
        help="instead: how often chance makes a verdict, in N (50) pairs of runs made of the raw.tsv "
        "beside A: of halves of its processes, and simulated; exit status 1 if in more than it may",
    )  # fmt: skip
    instead.add_argument(
        "--agree", type=percentage, nargs="?", const=95.0, metavar="PCT",
        help="instead: check that two runs of the same agree within their intervals in at least PCT "
        "percent of the cells (95); exit status 1 if not",
    )  # fmt: skip
    json_option(compare)
    compare.set_defaults(run=execute, failed=2)  # 1 says that a case is slower
