# SPDX-License-Identifier: GPL-2.0-only
"""kmark report rows: every row of the four documents, with today's figure."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from kmark import cache
from kmark.commands.common import describe, json_option


def thread_today(results: Path | None) -> dict[str, str]:
    """Today's figures of the rows of the mails, as far as a report has them."""
    from kmark.bench import lkml_2006_rows
    from kmark.report import report

    if results is None:
        return {}
    made = report.load(results)
    found = made.rows or lkml_2006_rows.table(made, [], [], 0)
    return {row.row: "; ".join(f"{one.where}: {one.text}" for one in row.today) for row in found}


def execute(args: argparse.Namespace) -> None:
    from kmark.reference import rows
    from kmark.timing import today

    timing = {row["row"]: row for row in today.table(args.method)}
    thread = thread_today(args.results)
    table = [
        timing.get(row.row)
        or {
            "row": row.row, "what": row.what, "shown_by": row.shown_by, "document": row.printed,
            "today": thread.get(row.row, today.NOT_MEASURED), "repeats": row.repeats,
        }
        for row in rows.load()
    ]  # fmt: skip
    if args.json:
        print(json.dumps(table, indent=1))
        return
    print("\n".join(today.lines(table)))
    faithful = sum(row["repeats"] == rows.FAITHFUL for row in table)
    print(f"{faithful} of {len(table)} rows are repeated faithfully")


def add_rows(parser: argparse.ArgumentParser) -> None:
    describe(
        parser,
        "Prints every experiment, method and figure of the four documents that this project continues: "
        "the command that shows it, the document's figure, today's, and whether the command does what "
        "the document did. Figures of the mails of 2006 come from RESULTS, best of `kmark bench --all`; "
        "those of the others from `kmark lab method --all`.",
        "kmark report rows results/latest",
    )
    parser.add_argument(
        "results", nargs="?", type=Path, metavar="RESULTS", help="folder of results, or a report.json"
    )
    parser.add_argument(
        "--method", type=Path, default=cache.TOP / "results/method", metavar="DIR",
        help="folder of the results of kmark lab method (default results/method)",
    )  # fmt: skip
    json_option(parser)
    parser.set_defaults(run=execute)
