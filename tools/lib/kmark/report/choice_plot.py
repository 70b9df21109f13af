# SPDX-License-Identifier: GPL-2.0-only
"""The picture of a report's first screen: the cost of one site for the variants that a reader would
choose among, a panel while they are disabled and one while they are enabled. Each panel is as wide
as a telephone."""

from __future__ import annotations

from collections.abc import Iterator

from matplotlib.axes import Axes

from kmark.analysis.cases import NOISY, Case
from kmark.report import draw, figures, summary
from kmark.report.draw import Plot
from kmark.report.model import Report

PICTURED = ("mark", "key", "tracepoint", "generic", "lttng")  # of figures.CHOICE
SECTION = "summary"
WIDTH_IN = 3.9
TITLES = {"disabled": "Disabled, nothing is connected", "enabled": "Enabled, an empty probe is connected"}
CAPTION = "Bar: {unit} for one site {where}; line: its interval."
LEGEND = (
    "The words give the cost of one site in cycles, in nanoseconds and in instructions, as far as they "
    "were measured. Cycles are measured natively, instructions are counted in the guest; a kind without a "
    "bar was measured in the guest only, or not at all. load and test: a flag in memory, as the markers of "
    "2006 had it."
)


def draw_kinds(axes: Axes, rows: list[tuple[str, Case | None, str]]) -> None:
    """`rows`: the name of each kind, its case in the unit of the axis, and its cost in words."""
    end = max((figures.span(case)[1] / case.sites for _, case, _ in rows if case), default=0.0) or 1.0
    for row, (_, case, text) in enumerate(rows):
        colour = draw.BLUE if row == 0 else draw.ORANGE
        if case is not None:
            lo, hi = (max(bound / case.sites, 0.0) for bound in figures.span(case))
            axes.barh(row, max(case.added.median / case.sites, 0.0), height=0.34, color=colour, alpha=0.6)
            axes.plot([lo, hi], [row, row], color=draw.FOREGROUND, linewidth=1.4)
        axes.annotate(text, (0, row), xytext=(2, 11), textcoords="offset points", va="center", fontsize=8)
    axes.set_yticks(range(len(rows)), [name for name, _, _ in rows])
    axes.set_ylim(len(rows) - 0.5, -0.85)
    axes.tick_params(axis="y", length=0)
    axes.set_xlim(0, 1.05 * end)
    axes.locator_params(axis="x", nbins=5)


def draw_all(report: Report) -> Iterator[Plot]:
    """A picture for each state that was measured, of the longest loop that has a MARK()."""
    shape, (timed, counted) = summary.longest_loop(report), figures.envs(report)
    env = timed or counted
    if not shape or env is None:
        return
    cells = {row[0]: row[1:] for row in summary.cost_rows(report, shape)}
    names = {variant: figures.CHOICE[variant] for variant in PICTURED if figures.CHOICE[variant] in cells}
    sites = next(case.sites for case in report.cases if case.shape == shape)
    unit = report.units[env]
    for place, state in enumerate(figures.STATES):
        cases = {c.variant: c for c in report.cases if (c.env, c.shape, c.state) == (env, shape, state)}
        rows = [
            (name, case if (case := cases.get(variant)) and case.status != NOISY else None,
             summary.cost_words(cells[name][3 * place : 3 * place + 3]) or "not measured")
            for variant, name in names.items()
        ]  # fmt: skip
        if not any(case for _, case, _ in rows):
            continue
        made, (axes,) = draw.figure(1, [2 * len(rows)], width_in=WIDTH_IN)
        draw_kinds(axes, rows)
        axes.set_xlabel(unit)
        where = f"among {sites} in a row" if sites > 1 else "in a loop"
        caption = CAPTION.format(unit=unit, where=where)
        yield Plot(f"choice-{state}", SECTION, TITLES[state], caption, draw.finish(made))


def count(report: Report) -> int:
    """How many plots draw_all() yields."""
    shape, (timed, counted) = summary.longest_loop(report), figures.envs(report)
    return len(
        {
            case.state for case in report.cases
            if (case.env, case.shape) == (timed or counted, shape)
            and case.variant in PICTURED and case.status != NOISY
        }
    )  # fmt: skip
