# SPDX-License-Identifier: GPL-2.0-only
"""Plots and pages as text, to compare what they show, and not the bytes of their files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO
from unittest import mock

import numpy as np
from kmark.report import draw, svg
from kmark.report.draw import Plot
from kmark.report.page import Page
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle
from matplotlib.text import Annotation
from matplotlib.typing import ColorType

MOST_POINTS = 6  # of a line; of more, the ends are shown
COLOURS = {
    value: name.lower() for name, value in vars(draw).items() if isinstance(value, str) and value[:1] == "#"
}


def point(x: float, y: float) -> str:
    return f"{x:.3g},{y:.3g}"


def colour(found: ColorType) -> str:
    return COLOURS.get(to_hex(found), to_hex(found))


def line(found: Line2D) -> tuple[str, str]:
    """The look of a line or of marks, and their points."""
    look = f"line {found.get_linewidth():g} {found.get_linestyle()}"
    if (marker := found.get_marker()) != "None":
        look = f"mark {marker}{found.get_markersize():g} {found.get_fillstyle()}"
        look += " hollow" * (found.get_markerfacecolor() == "none")
    places = np.asarray(found.get_xydata(), dtype=float)
    points = [(x, y) for x, y in places.tolist() if not np.isnan(x)]
    shown = " ".join(point(*one) for one in points)
    if len(points) > MOST_POINTS:
        shown = f"{len(points)} points from {point(*min(points))} to {point(*max(points))}"
    look += f", {colour(found.get_color())} {found.get_alpha() or 1:g}, over {found.get_zorder():g}"
    return look, shown


def patch(found: Patch) -> tuple[str, str]:
    assert isinstance(found, Rectangle)
    x, y = found.get_xy()
    ends = f"{point(x, y)} to {point(x + found.get_width(), y + found.get_height())}"
    return f"bar, {colour(found.get_facecolor())} {found.get_alpha() or 1:g}", ends


def of_axes(axes: Axes) -> Iterator[str]:
    lo, hi = axes.get_xlim()
    yield f"- {axes.get_title(loc='left')}{axes.get_title()}"
    yield f"  x {axes.get_xscale()} {lo:.3g} to {hi:.3g}: {axes.get_xlabel()!r}"
    lo, hi = axes.get_ylim()
    names = ", ".join(label.get_text() for label in axes.get_yticklabels())
    yield f"  y {axes.get_yscale()} {lo:.3g} to {hi:.3g}: {axes.get_ylabel()!r} {names}".rstrip()
    if legend := axes.get_legend():
        handles = [one for one in legend.legend_handles if isinstance(one, Line2D)]
        looks = [f"{one.get_marker()} {colour(one.get_color())}" for one in handles]
        words = [f"{text.get_text()} {look}" for text, look in zip(legend.get_texts(), looks, strict=True)]
        yield f"  legend {', '.join(words)}"
    parts: dict[str, list[str]] = {}
    for look, place in (*map(patch, axes.patches), *map(line, axes.lines)):
        if place:
            parts.setdefault(look, []).append(place)
    yield from (f"  {look}: {' | '.join(places)}" for look, places in parts.items())
    for text in axes.texts:
        assert isinstance(text, Annotation)
        yield f"  text at {point(*text.xy)}: {text.get_text()}"


def of_figure(figure: Figure, out: TextIO, **_: Any) -> None:
    """Write a figure as text, as savefig() writes it as SVG."""
    width, height = figure.get_size_inches()
    lines = [f"{width:g} x {height:.2f} inches"]
    lines += [line for axes in figure.axes for line in of_axes(axes)]
    out.write("\n".join(lines))


@contextmanager
def as_text() -> Iterator[None]:
    """While this context lasts, plots are text."""
    with mock.patch.object(Figure, "savefig", of_figure), mock.patch.object(svg, "compact", str):
        yield


def of_plots(plots: Iterable[Plot]) -> str:
    return "".join(
        f"{plot.name} ({plot.section}): {plot.title}\n{plot.caption}\n{plot.svg}\n" for plot in plots
    )


def of_page(page: Page) -> Iterator[str]:
    """Yield the structure of a page, and the first row of each table."""
    yield f"{page.title}; {page.subtitle}; {page.warnings}"
    for section in page.sections:
        yield f"section {section.id}{' folded' * section.folded}: {section.title}"
        yield from (f"  {key}: {value}" for key, value in section.facts)
        for part in section.parts:
            plots = [[plot.name for plot in some] for some in (part.plots, part.more_plots)]
            yield f"  part {part.title}; plots {plots}; legend {part.legend[:20]}"
            yield from (f"    {note[:60]}" for note in part.notes)
            yield from (f"    {key}: {value[:60]}" for key, value in part.facts)
            for table in part.tables:
                yield f"    table {table.title}: {', '.join(table.columns)}; {len(table.rows)} rows"
                yield from (f"      {', '.join(row[:9])}" for row in table.rows[:1])
