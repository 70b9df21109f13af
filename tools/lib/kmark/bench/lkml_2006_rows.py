# SPDX-License-Identifier: GPL-2.0-only
"""The rows of the 2006 thread with today's figures beside the printed ones: from
the cases of a report, from the objects, and from the break-even."""

from __future__ import annotations

from collections.abc import Iterator

from kmark.analysis.cases import Case
from kmark.analysis.notation import number
from kmark.binary import disassemble, size
from kmark.reference import rows
from kmark.reference.rows import Row
from kmark.report import model
from kmark.report.model import Report, Today

DOCUMENT = "thread"
GATES = ("imm", "generic", "mark")  # the thread's two, and the one of MARK()
ABSENT = "no case of this run shows it"


def figure(case: Case, resolution: float) -> str:
    """One case in a few words."""
    name, per_loop = case.variant, number(case.per_loop.median)
    if name == "none":
        return f"{name} {per_loop}"
    if case.status == "unresolved":
        sign = "-" if case.added.median < 0 else "+"
        return f"{name} {sign} not resolved (< {number(resolution)})"
    doubt = "" if case.status == "ok" else f", {case.status}"
    added = number(case.added.median, "+")
    return f"{name} {per_loop} ({added}{doubt})"


def of_cases(row: Row, report: Report) -> Iterator[tuple[str, str]]:
    """Environment and text for each shape and state of the row's cases."""
    bounds = report.resolutions
    groups: dict[tuple[str, str, str, str], list[str]] = {}
    for case in report.cases:
        if row.shows(case.name):
            place = case.env, case.shape, case.state
            groups.setdefault((*place, case.unit), []).append(figure(case, bounds[place]))
    for (env, shape, state, unit), found in groups.items():
        yield env, f"{shape}, {state}: {', '.join(found)} {unit} per loop"


def of_code(listings: list[disassemble.Listing]) -> Iterator[tuple[str, str]]:
    for one in listings:
        if one.gate in GATES:
            code = " ".join(instruction.code for instruction in one.hot_path)
            same = {True: ", as in 2006", False: ", not as in 2006", None: ""}[
                disassemble.same_as_2006(one)
            ]
            yield one.env, f"{one.gate} {code}{same}"
        elif one.function == disassemble.PROBE:
            yield one.env, f"{disassemble.PROBE}: {len(one.instructions)} instructions"


def of_sizes(sizes: list[size.Size]) -> Iterator[tuple[str, str]]:
    for one in sizes:
        if one.gate in GATES:
            code = f"hot {one.hot}, cold {one.cold}"
            data = f"written {one.written}, table {one.table}, text {one.text}"
            yield one.env, f"{one.gate}: {code}, {data} bytes"


def of_breakeven(report: Report) -> Iterator[tuple[str, str]]:
    for entry in report.breakeven:
        if entry.events is not None:
            bound = "" if entry.disabled.resolved else "under "
            rate = f"{bound}{entry.events:,.1f} events/s of 1,000,000 passes/s"
            yield entry.env, f"{entry.marker} beats {entry.dynamic} from {rate}"


def shown(row: Row, report: Report, sizes: list[size.Size], code: list[disassemble.Listing],
          plots: int) -> list[Today]:  # fmt: skip
    """Return the places where the row is shown, with the text there."""
    others = {
        "A13": lambda: of_code(code),
        "A14": lambda: of_sizes(sizes),
        "A19": lambda: of_breakeven(report),
        "A20": lambda: iter([("report", f"report.html with {plots} plots")]),
    }
    found = list(of_cases(row, report))
    if more := others.get(row.row):
        found += more()
    absent = ("-", ABSENT if row.selectors else f"shown by: {row.shown_by}")
    return [Today(*one) for one in found or [absent]]


def table(
    report: Report, sizes: list[size.Size], code: list[disassemble.Listing], plots: int
) -> list[model.Row]:
    """An entry of the report for each row of the thread. `plots`: their number."""
    return [
        model.Row(row.row, row.what, row.printed, shown(row, report, sizes, code, plots))
        for row in rows.load()
        if row.document == DOCUMENT
    ]
