# SPDX-License-Identifier: GPL-2.0-only
"""The plots of a report. Plots of samples need the raw data, the others the report alone. Every axis has
one unit; cycles and instructions never share one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import cycle, groupby

import numpy as np
from matplotlib.axes import Axes

from kmark.analysis import shapes, variants
from kmark.analysis.cases import Case
from kmark.analysis.places import Array
from kmark.analysis.stats import interval_name
from kmark.report import breakeven, breakeven_plot, choice_plot, draw, samples
from kmark.report.draw import Plot
from kmark.report.model import Report
from kmark.report.samples import Group
from kmark.report.tables import interval_of, toggle_name

LEAST_SPAN = 0.01  # of the loop; the least width of an axis
UNLABELLED = 1.5  # times the part around 0 of a logarithmic axis that is linear
WIDE = 30.0  # times the median; beyond it an axis is logarithmic
UNITS = {"cycles": "core cycles", "instructions": "instructions"}
PLACE_FORMS = "osD^vP*X"
PLACE_COLOURS = (draw.BLUE, draw.ORANGE, draw.GREEN, draw.PURPLE)
DOTS_ACROSS = 400  # a linear axis; those that are nearer to each other are one
TOGGLE_UNITS = {"ns": "nanoseconds", "instructions": "instructions"}


def scale_axis(axes: Axes, values: list[float], least: float) -> str:
    """Makes the axis logarithmic where a few values dwarf the others, and returns the words
    for its label."""
    sizes = [abs(value) for value in values if value]
    if not sizes or max(sizes) <= WIDE * float(np.median(sizes)):
        axes.locator_params(axis="x", nbins=6)
        return ""
    linear = max(least, float(np.median(sizes)) / 3, 1e-3)
    axes.set_xscale("symlog", linthresh=linear)
    shown = axes.xaxis.get_major_formatter()
    # Labels that near to 0 would lie on its own.
    axes.xaxis.set_major_formatter(lambda x, _: "" if 0 < abs(x) < UNLABELLED * linear else shown(x))
    return ", logarithmic scale"


def name_rows(axes: Axes, names: list[str]) -> None:
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)


def legend_kinds(axes: Axes, found: list[str]) -> None:
    kinds = [kind for kind in variants.KINDS if kind in found]
    looks = [(draw.KIND_NAMES[kind], draw.KIND_FORMS[kind], draw.KIND_COLOURS[kind]) for kind in kinds]
    draw.legend(axes, looks)


def draw_bars(axes: Axes, cases: list[Case], resolution: float) -> None:
    """Draw the cost that each variant adds, with its interval; hollow where not resolved. A bar from 0 has
    no meaning on a logarithmic axis, so there are none there."""
    unit = UNITS[cases[0].unit]
    medians = [case.added.median for case in cases]
    scale = scale_axis(axes, medians, resolution)
    for row, case in enumerate(cases):
        kind = variants.kind(case.variant)
        entry, colour = case.added, draw.KIND_COLOURS[kind]
        solid = case.status == "ok"
        if not scale:
            axes.barh(row, entry.median, height=0.5, color=colour, alpha=0.35 if solid else 0.15)
        draw.range_and_mark(axes, row, entry, colour, draw.KIND_FORMS[kind], solid)
        label = draw.shorten(entry.median, "+") if case.status != "unresolved" else "not resolved"
        label += f" ({case.status})" if case.status in ("noisy", "split", "negative") else ""
        axes.annotate(
            label, (max(entry.hi, entry.median, 0), row), xytext=(5, 0),
            textcoords="offset points", va="center", fontsize=8, annotation_clip=False,
        )  # fmt: skip
    axes.axvspan(-resolution, resolution, color=draw.GREY, alpha=0.18, linewidth=0)
    axes.axvline(0, color=draw.FOREGROUND, linewidth=0.8)
    name_rows(axes, [case.variant for case in cases])
    axes.set_xlabel(f"added to one loop, {unit}{scale}")
    if not scale:
        lo, hi = axes.get_xlim()
        axes.set_xlim(lo, hi + 0.14 * (hi - lo))


def bars(report: Report, env: str) -> Iterator[Plot]:
    bounds = {(e.shape, e.state): e.resolution for e in report.null if e.env == env}
    in_env = [c for c in report.cases if c.env == env and variants.kind(c.variant) != variants.OF_NO_SITE]
    for shape, in_shape in groupby(in_env, lambda case: case.shape):
        states = [(state, list(group)) for state, group in groupby(in_shape, lambda case: case.state)]
        made, places = draw.figure(len(states), [len(cases) for _, cases in states])
        for axes, (state, cases) in zip(places, states, strict=True):
            axes.set_title(f"sites {state}")
            draw_bars(axes, cases, bounds[shape, state])
            legend_kinds(axes, [variants.kind(case.variant) for case in cases])
        yield Plot(
            f"{env}-{shape}-added", env, f"{shapes.title(shape)}: what a variant adds",
            f"Marks are medians, hollow where not to be used as they are; lines {interval_name()}s. "
            "The grey band is what none against none shows; what ends inside it is not resolved.",
            draw.finish(made),
        )  # fmt: skip


def draw_places(axes: Axes, groups: list[Group]) -> None:
    """The median of each variant at each place in a cache line."""
    medians = [group.by_place() for group in groups]
    scale = scale_axis(axes, [group.median for group in groups], 0.0)
    for row, of_row in enumerate(medians):
        axes.plot([min(of_row.values()), max(of_row.values())], [row, row], color=draw.FAINT, linewidth=2.5,
                  solid_capstyle="round")  # fmt: skip
    places = sorted({place for of_row in medians for place in of_row})
    looks = list(zip(places, cycle(PLACE_FORMS), cycle(PLACE_COLOURS), strict=False))
    for place, form, colour in looks:
        rows = [row for row, of_row in enumerate(medians) if place in of_row]
        axes.plot(
            [medians[row][place] for row in rows], rows, form, color=colour, markersize=5, alpha=0.85,
            zorder=draw.MARKS,
        )  # fmt: skip
    name_rows(axes, [group.variant for group in groups])
    if not scale:
        lo, hi = axes.get_xlim()
        pad = max(0.0, LEAST_SPAN * hi - (hi - lo)) / 2
        axes.set_xlim(lo - pad, hi + pad)
    axes.set_xlabel(f"per loop, {UNITS[groups[0].unit]}{scale}")
    draw.legend(axes, [(f"+{place}", form, colour) for place, form, colour in looks])


def usual_range(group: Group) -> tuple[float, float]:
    """The range of nearly all samples: three interquartile ranges beyond the quartiles."""
    first, third = np.percentile(group.values, [25, 75])
    reach = max(3 * (third - first), LEAST_SPAN * group.median)
    return max(first - reach, group.values.min()), min(third + reach, group.values.max())


def draw_dots(axes: Axes, values: Array, row: int, colour: str, apart: float) -> None:
    """The values as dots, each of which is a line without length: as marks, thousands of them
    would be most of the page. Those that would cover each other are drawn once. `apart`: how far
    two have to be from each other; 0: where the axis is logarithmic."""
    nearby = values / apart if apart else 200 * np.log(values)
    kept = values[np.unique(np.round(nearby), return_index=True)[1]]
    ends = np.column_stack([kept, kept, np.full(len(kept), np.nan)]).ravel()
    axes.plot(ends, np.full(len(ends), row), color=colour, linewidth=2.2, alpha=0.6, solid_capstyle="round",
              zorder=2.2)  # fmt: skip


def draw_spread(axes: Axes, groups: list[Group]) -> None:
    """The middle half, 5 % to 95 % of the samples, and those beyond; how many lie outside
    the axis is printed at its end."""
    spans = [usual_range(group) for group in groups]
    least, most = min(low for low, _ in spans), max(high for _, high in spans)
    scale = scale_axis(axes, [group.median for group in groups], 0.0)
    if not scale:
        pad = max(0.03 * (most - least), LEAST_SPAN * most)
        least, most = least - pad, most + pad
        axes.set_xlim(least, most)
    for row, group in enumerate(groups):
        low, first, middle, third, high = np.percentile(group.values, [5, 25, 50, 75, 95])
        colour = draw.KIND_COLOURS[variants.kind(group.variant)]
        axes.plot([low, high], [row, row], color=colour, linewidth=1.2)
        axes.plot([first, third], [row, row], color=colour, linewidth=9, alpha=0.45, solid_capstyle="butt",
                  zorder=2.1)  # fmt: skip
        axes.plot([middle, middle], [row - 0.3, row + 0.3], color=draw.FOREGROUND, linewidth=1.3,
                  zorder=draw.MARKS)  # fmt: skip
        beyond = (group.values < low) | (group.values > high)
        inside = (group.values >= least) & (group.values <= most)
        apart = 0 if scale else (most - least) / DOTS_ACROSS
        draw_dots(axes, group.values[beyond if scale else beyond & inside], row, colour, apart)
        outside = int(np.sum(~inside))
        if outside and not scale:
            axes.annotate(
                f"{outside} outside", (1.01, row), xycoords=axes.get_yaxis_transform(), ha="left",
                va="center", fontsize=7, annotation_clip=False,
            )  # fmt: skip
    name_rows(axes, [group.variant for group in groups])
    axes.set_xlabel(f"per loop, {UNITS[groups[0].unit]}{scale}")
    legend_kinds(axes, [variants.kind(group.variant) for group in groups])


def of_samples(
    env: str,
    groups: list[Group],
    kind: str,
    title: str,
    caption: str,
    painter: Callable[[Axes, list[Group]], None],
) -> Iterator[Plot]:
    """A plot for each shape; `painter` fills the axes of one state. None for instructions: every
    sample is the same."""
    if not groups or groups[0].unit == "instructions":
        return
    for shape, in_shape in groupby(groups, lambda group: group.shape):
        states = [(state, list(found)) for state, found in groupby(in_shape, lambda group: group.state)]
        made, places = draw.figure(len(states), [len(found) for _, found in states])
        for axes, (state, found) in zip(places, states, strict=True):
            axes.set_title(f"sites {state}")
            painter(axes, found)
        yield Plot(
            f"{env}-{shape}-{kind}", env, f"{shapes.title(shape)}: {title}", caption, draw.finish(made)
        )


def places(env: str, groups: list[Group]) -> Iterator[Plot]:
    return of_samples(
        env, groups, "layout", "where it lies in a cache line",
        "Medians of the loop at each place in a line of 64 bytes. Marks apart: the place matters.",
        draw_places,
    )  # fmt: skip


def distributions(env: str, groups: list[Group]) -> Iterator[Plot]:
    return of_samples(
        env, groups, "distribution", "the samples",
        "Box: the middle half of the samples; line: 5 % to 95 %; dots: those beyond; vertical mark: the "
        "median. Samples whose chains disagree are left out.", draw_spread,
    )  # fmt: skip


def toggle(report: Report, env: str) -> Iterator[Plot]:
    entries = [entry for entry in report.toggle if entry.env == env]
    if not entries:
        return
    made, (axes,) = draw.figure(1, [len(entries)])
    for row, entry in enumerate(entries):
        cost = entry.per_site
        colour = draw.ORANGE if entry.what == "keys" else draw.BLUE
        draw.range_and_mark(axes, row, cost, colour, "D" if entry.what == "keys" else "o")
        axes.annotate(
            draw.shorten(cost.median), (cost.hi, row), xytext=(5, 0), textcoords="offset points",
            va="center", fontsize=8,
        )  # fmt: skip
    name_rows(axes, [f"{toggle_name(e)}, {e.state}" for e in entries])
    axes.set_xscale("log")
    least = min(entry.per_site.lo for entry in entries)
    axes.set_xlim(least / 4, max(entry.per_site.hi for entry in entries) * 3)
    axes.set_xlabel(
        f"for each of {entries[0].sites:,} sites, {TOGGLE_UNITS[entries[0].unit]}, logarithmic scale"
    )
    yield Plot(
        f"{env}-toggle", env, "Toggle cost: open and close many sites",
        f"Marks are medians, lines {interval_of(entries)}s. Blue: our gates; "
        "orange: the kernel's static keys.",
        draw.finish(made),
    )  # fmt: skip


def makers(report: Report, groups: dict[str, list[Group]]) -> list[Callable[[], Iterator[Plot]]]:
    """Return functions that draw the plots, in order; each part needs nothing of the others."""
    found: list[Callable[[], Iterator[Plot]]] = [partial(choice_plot.draw_all, report)]
    for env in report.units:
        of_env = samples.in_order(groups.get(env, []), report, env)
        by_shape = [list(part) for _, part in groupby(of_env, lambda group: group.shape)]
        cases = groupby((case for case in report.cases if case.env == env), lambda case: case.shape)
        found += [partial(bars, replace(report, cases=list(part)), env) for _, part in cases]
        found += [partial(painter, env, part) for painter in (places, distributions) for part in by_shape]
        found += [partial(toggle, report, env), partial(breakeven_plot.draw_all, report, env)]
    return [*found, partial(breakeven_plot.draw_all, report, breakeven.THREAD_ENV)]


def count(report: Report, groups: dict[str, list[Group]]) -> int:
    """How many plots make() yields."""
    total = choice_plot.count(report)
    for env in report.units:
        drawn = {case.shape for case in report.cases if case.env == env}
        sampled_shapes = {group.shape for group in groups.get(env, []) if group.unit != "instructions"}
        total += len(drawn) + 2 * len(sampled_shapes & drawn)
        total += any(entry.env == env for entry in report.toggle)
    return total + len({entry.env for entry in report.breakeven})


def run(maker: Callable[[], Iterator[Plot]]) -> list[Plot]:
    with draw.style():
        return list(maker())


def make(report: Report, groups: dict[str, list[Group]]) -> Iterator[Plot]:
    """All plots, by environment; drawn by one process for each CPU. `groups`: of samples.load()."""
    with ProcessPoolExecutor() as pool:
        for part in pool.map(run, makers(report, groups)):
            yield from part
