# SPDX-License-Identifier: GPL-2.0-only
"""Plots of a history: the cost of a site, report by report."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle

from matplotlib.axes import Axes

from kmark.analysis.stats import interval_name
from kmark.report import draw, plots
from kmark.report.draw import Plot
from kmark.report.history import STATES, Series

COLOURS = (draw.BLUE, draw.ORANGE, draw.GREEN, draw.PURPLE, draw.RED, draw.GREY)
FORMS = "oDsv^X"
LEAST_SPAN = 0.05  # cycles or instructions; the least width of an axis
SPREAD = 0.2  # share of a row, either way, for the marks of several variants


def draw_state(axes: Axes, one: Series, state: str, variants: list[str]) -> None:
    """A row for each report, the oldest above."""
    step = 2 * SPREAD / max(len(variants) - 1, 1)
    looks = list(zip(variants, cycle(FORMS), cycle(COLOURS), strict=False))
    for number, (variant, form, colour) in enumerate(looks):
        for row, point in enumerate(one.points):
            if entry := point.cost[variant][state]:
                draw.range_and_mark(axes, row - SPREAD + number * step, entry, colour, form)
    low, high = axes.get_xlim()
    middle, half = (low + high) / 2, max(high - low, LEAST_SPAN) / 2
    axes.set_xlim(middle - half, middle + half)
    axes.locator_params(axis="x", nbins=5)
    plots.name_rows(axes, [f"{p.created[:16].replace('T', ' ')}, {p.kernel[:24]}" for p in one.points])
    axes.set_xlabel(f"one site {state}, {plots.UNITS[one.unit]}")
    draw.legend(axes, looks)


def draw_all(found: list[Series], variants: list[str]) -> Iterator[Plot]:
    """Yield a plot for each series that has a figure."""
    with draw.style():
        for number, one in enumerate(found):
            if not any(cost for point in one.points for by in point.cost.values() for cost in by.values()):
                continue
            made, places = draw.figure(len(STATES), [len(one.points)] * len(STATES))
            for axes, state in zip(places, STATES, strict=True):
                axes.set_title(f"sites {state}")
                draw_state(axes, one, state, variants)
            yield Plot(
                f"history-{number}", one.env, f"{one.env}, {one.machine}: in the course of time",
                f"Marks are medians, lines {interval_name()}s.", draw.finish(made),
            )  # fmt: skip
