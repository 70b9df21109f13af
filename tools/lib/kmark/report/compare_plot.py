# SPDX-License-Identifier: GPL-2.0-only
"""Plots of several reports: the cost of each variant in each of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle, groupby

from matplotlib.axes import Axes

from kmark.analysis import shapes
from kmark.analysis.stats import interval_name
from kmark.report import draw, plots
from kmark.report.compare import Verdict
from kmark.report.draw import Plot
from kmark.report.many import Comparisons

COLOURS = (draw.GREY, draw.BLUE, draw.ORANGE, draw.GREEN, draw.RED, draw.PURPLE)
FORMS = "osD^vP*X"
SPREAD = 0.32  # share of a row, either way, for the marks of several reports

Rows = list[tuple[str, list[Verdict | None]]]


def draw_rows(axes: Axes, rows: Rows, letters: list[str]) -> None:
    """A mark for each report, from above to below."""
    cases = [case for _, found in rows for case in found if case and case.a and case.b]
    medians = [entry.median for case in cases for entry in (case.a, case.b) if entry]
    scale = plots.scale_axis(axes, medians, 0.0)
    step = 2 * SPREAD / max(len(letters) - 1, 1)
    for row, (_, found) in enumerate(rows):
        known = next((case.a for case in found if case and case.a), None)
        for number, entry in enumerate([known, *(case.b if case else None for case in found)]):
            if entry is not None:
                place = row - SPREAD + number * step
                draw.range_and_mark(
                    axes, place, entry, COLOURS[number % len(COLOURS)], FORMS[number % len(FORMS)], size=4
                )
    draw.legend(axes, zip(letters, cycle(FORMS), cycle(COLOURS), strict=False))
    plots.name_rows(axes, [variant for variant, _ in rows])
    unit = next(case.unit for case in cases if case.unit)
    axes.set_xlabel(f"added to one loop, {plots.UNITS[unit]}{scale}")


def draw_all(found: Comparisons) -> Iterator[Plot]:
    """Yield a plot for each shape that can be compared."""
    letters = [one.letter for one in found.reports]
    known = ((place, [row for row in rows if any(case and case.a for case in row[1])])
             for place, rows in found.rows())  # fmt: skip
    with draw.style():
        for (env, shape), group in groupby(known, lambda row: row[0][:2]):
            states = [(place[2], rows) for place, rows in group if rows]
            if not states:
                continue
            high = [len(rows) * max(1, round(len(letters) / 3)) for _, rows in states]
            made, places = draw.figure(len(states), high)
            for axes, (state, rows) in zip(places, states, strict=True):
                axes.set_title(f"sites {state}")
                draw_rows(axes, rows, letters)
            yield Plot(
                f"{env}-{shape}-compared", env,
                f"{shapes.title(shape)}: what a variant adds in each report",
                f"Marks are medians, lines {interval_name()}s.", draw.finish(made),
            )  # fmt: skip
