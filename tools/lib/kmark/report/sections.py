# SPDX-License-Identifier: GPL-2.0-only
"""The parts of report.txt that belong to no environment. Each is empty where the report
lacks what it shows, as older reports do."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any

from kmark.analysis.notation import WIDTH

Report = dict[str, Any]
Entry = dict[str, Any]

BREAKEVEN_NOTE = (
    "d, m: what a disabled and an enabled marker take each time they are passed; k: a dynamic probe, "
    "while it is there, else it takes nothing. share: of the time in which events are wanted; beyond it "
    "the marker is cheaper, below it the probe. It is the event rate as a part of the rate at which the "
    "place is passed: at 1,000,000 passes a second, 1 % is 10,000 events a second. stored: k/m with the "
    "cost of storing one event added to both. <: a disabled site is not resolved, so this is a bound."
)


def plain(value: float) -> str:
    """Few digits, for a narrow column."""
    size = abs(value)
    return f"{value:.{4 if size < 1 else 2 if size < 100 else 1 if size < 1000 else 0}f}"


def percent(share: float) -> str:
    """A share as percent, with few digits."""
    return f"{100 * share:.2g}" if share < 0.1 else f"{100 * share:.1f}"


def breakeven_row(entry: Entry) -> str:
    bound = "" if entry["disabled"]["resolved"] else "<"
    figures = [entry["ratio"], entry["ratio_stored"]]
    ratio, stored = ("-" if figure is None else f"{figure:.1f}" for figure in figures)
    share = "never" if entry["share"] is None else bound + percent(entry["share"])
    disabled = bound + plain(entry["disabled"]["value"])
    return (
        f"{entry['marker'][:10]:<11}{entry['dynamic'][:12]:<13}{disabled:>9}{plain(entry['enabled']):>8}"
        f"{plain(entry['probe']):>8}{share:>9}{ratio:>7}{stored:>7}"
    )


def breakeven(report: Report) -> Iterator[str]:
    entries = report.get("breakeven", [])
    if not entries:
        return
    yield "* Break-even: a marker, or a probe put in by rewriting code"
    for env, group in groupby(entries, lambda entry: entry["env"]):
        mine = list(group)
        yield from ("", f"- {'the 2006 mails, P4' if env == '2006' else env}, in {mine[0]['unit']}", "")
        yield f"{'marker':<11}{'dynamic':<13}{'d':>9}{'m':>8}{'k':>8}{'share %':>9}{'k/m':>7}{'stored':>7}"
        yield from map(breakeven_row, mine)
    yield ""
    absent = [env for env in environments(report) if env not in {entry["env"] for entry in entries}]
    if absent:
        yield f"not measured in: {', '.join(absent)} (no dynamic probe there)"
        yield ""
    yield textwrap.fill(BREAKEVEN_NOTE, WIDTH)


def environments(report: Report) -> list[str]:
    return list(dict.fromkeys(case["env"] for case in report["cases"]))


def slips(report: Report) -> Iterator[str]:
    entries = report.get("slips", [])
    if not entries:
        return
    yield "* Slips of the 2006 mails: figures that do not follow from their counts"
    yield ""
    yield f"{'row':<10}{'printed':>9}{'recomputed':>12}  unit"
    for entry in entries:
        figures = f"{entry['row'][:9]:<10}{entry['printed']:>9.2f}{entry['recomputed']:>+12.4f}"
        yield f"{figures}  {entry['unit']}"
        yield textwrap.fill(entry["what"], WIDTH, initial_indent="  ", subsequent_indent="  ")


def rows(report: Report) -> Iterator[str]:
    entries = report.get("rows", [])
    if not entries:
        return
    yield "* Rows of the 2006 thread: as printed, and today"
    for entry in entries:
        yield ""
        yield from indented(entry["row"], entry["what"], 5)
        yield from indented("     2006", entry["printed"], 13)
        for one in entry["today"]:
            yield from indented("     " + one["where"][:7], one["text"], 13)


def indented(head: str, text: str, width: int) -> list[str]:
    return textwrap.wrap(
        text, WIDTH, initial_indent=f"{head:<{width}}", subsequent_indent=" " * width,
        break_on_hyphens=False,
    )  # fmt: skip


ALL: tuple[Callable[[Report], Iterator[str]], ...] = (rows, breakeven, slips)
