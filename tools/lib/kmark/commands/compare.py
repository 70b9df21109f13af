# SPDX-License-Identifier: GPL-2.0-only
"""kmark compare: two reports, case by case."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from kmark.commands.common import Verbs, not_negative, percentage, positive, say
from kmark.errors import Usage


def agree(args: argparse.Namespace) -> int:
    from kmark.report import agree, compare

    a, b = compare.load((args.a, args.b))
    found = agree.agreement(a, b)
    if args.json:
        print(json.dumps(agree.record(found, a, b), indent=1))
    else:
        print("\n".join(agree.lines(found, args.agree)))
    return 0 if found.percent >= args.agree else 1


def rates(args: argparse.Namespace) -> int:
    """Exit status 1 if chance makes a verdict in more reports than it may."""
    from kmark.report import rates

    if args.b is not None:
        raise Usage("compare: --rates is of one run")
    found = rates.measure(args.a, args.rates)
    if args.json:
        print(json.dumps(rates.record(found), indent=1))
    else:
        print("\n".join(rates.lines(found)))
    return 0 if all(one.passes for one in found) else 1


def execute(args: argparse.Namespace) -> int:
    from kmark.report import compare

    if args.rates is not None:
        return rates(args)
    if args.b is None:
        raise Usage("compare: the second report is missing")
    if args.agree is not None:
        return agree(args)
    a, b = compare.load((args.a, args.b))
    found = compare.compare(a, b, args.margin, args.most)
    if args.json:
        print(json.dumps(compare.record(found, a, b), indent=1))
    else:
        sys.stdout.write(compare.render(found, a, b))
    if slower := found.with_verdict(compare.SLOWER):
        say(f"compare: {len(slower)} of {len(found.cases)} cases are slower in {args.b}")
    return 1 if slower else 0


def add(verbs: Verbs) -> None:
    compare = verbs.add_parser(
        "compare",
        help="say for each case of two reports whether it is faster, slower or the same",
        description="Compares what each variant adds to a loop in two reports, or folders of results. "
        "A case is slower if its interval in B lies above that in A by more than the margin, and "
        "that is significant among so many cases. "
        "Exit status 1 if a case is slower.",
        epilog="example: tools/kmark compare results/20260101-120000 results/latest",
    )
    compare.add_argument("a", type=Path, metavar="A", help="report.json, or the folder with it")
    compare.add_argument("b", type=Path, nargs="?", metavar="B", help="the same, of the later run")
    compare.add_argument(
        "--margin", type=percentage, default=1.0, metavar="PCT",
        help="percent of A's loop that do not matter (default 1); instructions are compared exactly",
    )  # fmt: skip
    compare.add_argument(
        "--most", type=not_negative, default=0.25, metavar="CYCLES",
        help="the most that the margin may be (default 0.25), unless a run resolves less",
    )  # fmt: skip
    compare.add_argument(
        "--rates", type=positive, nargs="?", const=50, metavar="N",
        help="instead: how often chance makes a verdict, in N (50) pairs of runs made of the raw.tsv "
        "beside A: of halves of its processes, and simulated; exit status 1 if in more than it may",
    )  # fmt: skip
    compare.add_argument(
        "--agree", type=percentage, nargs="?", const=95.0, metavar="PCT",
        help="instead: check that two runs of the same agree within their intervals in at least PCT "
        "percent of the cells (95); exit status 1 if not",
    )  # fmt: skip
    compare.add_argument("--json", action="store_true", help="as an object for programs")
    compare.set_defaults(run=execute)
