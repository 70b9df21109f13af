# SPDX-License-Identifier: GPL-2.0-only
"""Break-even as a plot: for each dynamic probe the rate of events on which a marker becomes the
cheaper way, on one axis. Left of a mark the probe is cheaper, right of it that marker."""

from __future__ import annotations

from collections.abc import Iterator

from matplotlib.axes import Axes
from matplotlib.ticker import EngFormatter

from kmark.report import breakeven, draw
from kmark.report.breakeven import Breakeven
from kmark.report.draw import Plot
from kmark.report.model import Report

LOOKS = {
    "mark": ("o", draw.BLUE),
    "imm": ("v", draw.PURPLE),
    "key": ("D", draw.ORANGE),
    "tracepoint": ("s", draw.GREEN),
}  # fmt: skip
OTHER_LOOK = ("X", draw.GREY)
SPREAD = 0.36  # of a row, either way, for the marks of several markers
LEAST = 1.0  # event a second, at the left end of the axis


def row_name(entry: Breakeven) -> str:
    """With the loop where one marker has two costs, as in the mails."""
    loop = f" ({entry.disabled.shape})" if entry.env == breakeven.THREAD_ENV else ""
    return entry.dynamic + loop


def draw_mark(axes: Axes, place: float, entry: Breakeven, events: float) -> None:
    """A bound is hollow, with a line to all that it may be."""
    form, colour = LOOKS.get(entry.marker, OTHER_LOOK)
    events = max(events, LEAST)
    solid = entry.disabled.resolved
    if not solid:
        axes.plot([LEAST, events], [place, place], color=colour, linewidth=1.4, linestyle=(0, (3, 2)))
    axes.plot(
        [events], [place], form, color=colour, markersize=6.5, markeredgecolor=draw.FOREGROUND,
        markeredgewidth=0.7, fillstyle="full" if solid else "none",
    )  # fmt: skip


def draw_rows(axes: Axes, entries: list[Breakeven]) -> None:
    markers = list(dict.fromkeys(entry.marker for entry in entries))
    rows = list(dict.fromkeys(row_name(entry) for entry in entries))
    step = 2 * SPREAD / max(len(markers) - 1, 1)
    for entry in entries:
        place = rows.index(row_name(entry)) + markers.index(entry.marker) * step
        if len(markers) > 1:
            place -= SPREAD
        if entry.events is not None:
            draw_mark(axes, place, entry, entry.events)
    for row, name in enumerate(rows):
        never = [e.marker for e in entries if e.events is None and row_name(e) == name]
        if never:
            axes.annotate(
                f"{', '.join(never)}: never", (1.01, row), xycoords=axes.get_yaxis_transform(), fontsize=7,
                va="center", annotation_clip=False,
            )  # fmt: skip
        if row:
            axes.axhline(row - 0.5, color=draw.FAINT, linewidth=0.5, alpha=0.5)
    axes.set_yticks(range(len(rows)), rows)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    draw.legend(axes, [(name, *LOOKS.get(name, OTHER_LOOK)) for name in markers])


def draw_axis(axes: Axes, unit: str) -> None:
    axes.set_xscale("log")
    axes.set_xlim(LEAST, breakeven.PASSES)
    axes.xaxis.set_major_formatter(EngFormatter(sep=""))
    axes.minorticks_off()
    axes.axvline(breakeven.HIGH, color=draw.FOREGROUND, linestyle=":", linewidth=1.2)
    axes.set_xlabel(
        f"\N{LEFTWARDS ARROW} the probe takes fewer {unit}; the marker does \N{RIGHTWARDS ARROW}\n"
        "events a second of 1,000,000 passes, logarithmic"
    )


def draw_all(report: Report, env: str) -> Iterator[Plot]:
    """The plot of an environment, if break-even was measured there."""
    entries = [entry for entry in report.breakeven if entry.env == env]
    if not entries:
        return
    made, (axes,) = draw.figure(1, [2 * len({row_name(entry) for entry in entries})])
    draw_rows(axes, entries)
    draw_axis(axes, entries[0].unit)
    where = "the 2006 mails" if env == breakeven.THREAD_ENV else env
    yield Plot(
        f"{env}-breakeven", env, f"Break-even, {where}: marker or dynamic probe",
        "With fewer events than at a mark a probe that is put in by rewriting code is cheaper, with more "
        "the marker, which costs a little while it is disabled. A hollow mark is a bound. Dotted: 500 a "
        "second, which was called a high rate in 2006. never: at no rate is the marker cheaper.",
        draw.finish(made),
    )  # fmt: skip
