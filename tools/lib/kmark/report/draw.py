# SPDX-License-Identifier: GPL-2.0-only
"""The look of plots: sizes, colours, and the SVG that results.

A plot is drawn once, in colours that are legible on a light and on a dark background;
inside a page its foreground is the page's. The colours are those of Okabe and Ito, which
colour-blind readers can distinguish; the shape of a mark repeats what its colour says."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from kmark.analysis import variants
from kmark.analysis.cases import Estimate
from kmark.report import svg

WIDTH_IN = 4.8  # so that the words are legible on a telephone
MARKS = 2.5  # matplotlib's zorder: after lines, so that marks are neighbours in the SVG
ROW_IN = 0.23  # inches for each variant
FOREGROUND, FAINT, GROUND = "#1b1c1d", "#8c8d8e", "#fefdfc"
BLUE, ORANGE, GREEN, RED, PURPLE, GREY = (
    "#3a8fc8", "#d98f00", "#00946b", "#d55e00", "#b8689a", "#808488",
)  # fmt: skip
KIND_COLOURS = {
    variants.OF_NO_SITE: GREY,
    variants.GATE: BLUE,
    variants.FORM: PURPLE,
    variants.PEER: ORANGE,
}
KIND_FORMS = {variants.OF_NO_SITE: "s", variants.GATE: "o", variants.FORM: "v", variants.PEER: "D"}
KIND_NAMES = {
    variants.OF_NO_SITE: "no site",
    variants.GATE: "ours",
    variants.FORM: "2006",
    variants.PEER: "peer",
}
SETTINGS: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "kmark",
    "path.simplify": False,  # would drop lines without length
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "axes.labelsize": 9,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": FOREGROUND,
    "axes.facecolor": "none",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.grid.axis": "x",
    "grid.color": FAINT,
    "grid.alpha": 0.35,
    "grid.linewidth": 0.5,
    "figure.facecolor": GROUND,
    "text.color": FOREGROUND,
    "xtick.color": FAINT,
    "ytick.color": FAINT,
    "xtick.labelcolor": FOREGROUND,
    "ytick.labelcolor": FOREGROUND,
    "legend.frameon": False,
    "legend.fontsize": 8,
}


@dataclass(frozen=True)
class Plot:
    """A plot. `name`: name of its file, without .svg; `section`: its environment; `caption`: what it
    shows."""

    name: str
    section: str
    title: str
    caption: str
    svg: str

    @property
    def short(self) -> str:
        """The title without what precedes its last colon."""
        return self.title.rpartition(": ")[2].capitalize()

    def inside(self, prefix: str) -> str:
        """Return the SVG for a page, without the rules() that plots share. Its ids begin with the prefix,
        which no other plot of the page has."""
        return re.sub(r'(\bid="|="#|url\(#)', rf"\g<1>{prefix}", svg.without_styles(self.svg))

    def rules(self) -> list[str]:
        """Return the rules of the plot's styles, with the page's foreground."""
        changed = self.svg.replace(GROUND, "none").replace(FOREGROUND, "currentColor")
        return svg.styles(changed)


def figure(
    axes: int, rows: list[int], extra_in: float = 0.0, width_in: float = WIDTH_IN
) -> tuple[Figure, list[Axes]]:
    """Axes one below the other, each as high as its rows need. `extra_in`: inches more."""
    heights = [ROW_IN * (count + 1) for count in rows]
    made = Figure(figsize=(width_in, sum(heights) + 0.75 * axes + extra_in), layout="constrained")
    FigureCanvasSVG(made)
    grid = made.subplots(axes, 1, squeeze=False, gridspec_kw={"height_ratios": heights})
    return made, [place for (place,) in grid]


def finish(made: Figure) -> str:
    """Return the SVG of a figure."""
    out = io.StringIO()
    made.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    return svg.compact(out.getvalue())


def range_and_mark(
    axes: Axes, row: float, entry: Estimate, colour: str, form: str, solid: bool = True,
    size: float = 5.5,
) -> None:  # fmt: skip
    """An estimate: its interval as a line, its median as a mark, hollow where it is not `solid`."""
    axes.plot([entry.lo, entry.hi], [row, row], color=colour, linewidth=2.2, alpha=0.7)
    axes.plot(
        [entry.median], [row], form, color=colour, markersize=size, markeredgecolor=FOREGROUND,
        markeredgewidth=0.7, fillstyle="full" if solid else "none", zorder=MARKS,
    )  # fmt: skip


def legend(axes: Axes, marks: Iterable[tuple[str, str, str]]) -> None:
    """Explain marks above the axes. `marks`: label, form and colour of each."""
    handles = [axes.plot([], [], form, color=colour, label=label)[0] for label, form, colour in marks]
    axes.legend(handles=handles, loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=min(len(handles), 9),
                handletextpad=0.1, columnspacing=0.9, borderaxespad=0.0)  # fmt: skip


@contextmanager
def style() -> Iterator[None]:
    """Figures have to be made and filled inside this context."""
    with mpl.rc_context(SETTINGS):
        yield


def shorten(value: float, sign: str = "") -> str:
    """Return a value with as many digits as fit into a label."""
    size = abs(value)
    digits = 0 if size >= 100 else 1 if size >= 10 else 2 if size >= 0.995 else 3 if size >= 0.00995 else 4
    return f"{value:{sign}z,.{digits}f}"
