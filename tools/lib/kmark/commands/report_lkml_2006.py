# SPDX-License-Identifier: GPL-2.0-only
"""kmark report lkml-2006: the figures of 2006."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from kmark.commands.common import describe, json_option
from kmark.errors import Usage


def execute(args: argparse.Namespace) -> None:
    from kmark.reference import slips
    from kmark.report import report, thread_tables

    found = slips.load()
    if args.json and args.results:
        raise Usage("report lkml-2006: --json prints the figures of 2006 alone, so name no RESULTS")
    if args.json:
        print(json.dumps(slips.record(found), indent=1))
        return
    print("\n".join(slips.lines(found)))
    for table in thread_tables.of(report.load(args.results) if args.results else None):
        print("\n".join(["", f"{table.title}, in cycles", *table.lines()]))


def add_lkml_2006(thread: argparse.ArgumentParser) -> None:
    describe(
        thread,
        "Recomputes every figure of the mails' micro-benchmarks from the cycle counts "
        "that they print, and marks those that do not follow from them. Then prints the two tables of "
        "disabled sites, with today's figures beside if results are named.",
        "kmark report lkml-2006 results/latest",
    )
    thread.add_argument(
        "results", nargs="?", type=Path, metavar="RESULTS", help="folder of results, or a report.json"
    )
    json_option(thread)
    thread.set_defaults(run=execute)
