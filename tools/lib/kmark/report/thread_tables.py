# SPDX-License-Identifier: GPL-2.0-only
"""The two tables at the end of the 2006 mails (row A12): what a disabled site adds to the empty loop
and to the memcpy loop, by its instructions; and the same today."""

from __future__ import annotations

from collections.abc import Iterator

from kmark.reference import lkml_2006, slips
from kmark.report import figures
from kmark.report.model import Report
from kmark.report.tables import Table

# The columns of the mails, and the variant of each.
GATES = {
    "NOPs (5 NOPs)": "nop14", "JoC (load, test, jump over call)": "generic",
    "JoCo (optimized: immediate value)": "imm", "2NOP": "nop23", "1NOP": "nop5",
}  # fmt: skip
LOOPS = {"empty": "Empty loop", "memcpy4096": "Loop with a memcpy of 4096 bytes"}
COLUMNS = ["cycles added, disabled", "2006, printed", "recomputed", "today"]


def of(report: Report | None) -> Iterator[Table]:
    """Yield the tables of the thread. `report`: of today; None: the tables of 2006 alone."""
    rows = {key: figure.row for key, figure in lkml_2006.load().items()}
    printed = {figure.row: figure for figure in slips.load() if figure.unit == slips.ADDED}
    env = report and figures.timed_env(report)
    today = {c.name: c for c in report.cases if c.env == env} if report else {}
    for shape, title in LOOPS.items():
        cells = []
        for gate, variant in GATES.items():
            name = (shape, variant, "disabled")
            figure = printed[rows[name]]
            cells.append(
                [
                    gate, f"{figure.printed:.2f}", f"{figure.recomputed:.2f}",
                    figures.cost(today.get(name), 1),
                ]
            )  # fmt: skip
        yield Table(title, COLUMNS, cells, "{0:<34}{1:>13}{2:>11} {3:>13}")
