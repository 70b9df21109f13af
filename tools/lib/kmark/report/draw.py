# SPDX-License-Identifier: GPL-2.0-only
"""How plots look: sizes, colours, and the SVG that results.

A plot is drawn once, in colours that are legible on a light and on a dark background;
inside a page its foreground is the page's. The colours are those of Okabe and Ito, which
colour-blind readers can distinguish; the shape of a mark repeats what its colour says."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from kmark.analysis import variants

WIDTH_IN = 6.4
ROW_IN = 0.23  # inches for each variant
FOREGROUND, FAINT, GROUND = "#1b1c1d", "#8c8d8e", "#fefdfc"
BLUE, ORANGE, GREEN, RED, PURPLE, GREY = (
    "#3a8fc8", "#d98f00", "#00946b", "#d55e00", "#b8689a", "#808488",
)  # fmt: skip
KIND_COLOURS = {
    variants.BASELINE: GREY,
    variants.GATE: BLUE,
    variants.FORM: PURPLE,
    variants.PEER: ORANGE,
}
KIND_FORMS = {variants.BASELINE: "s", variants.GATE: "o", variants.FORM: "v", variants.PEER: "D"}
KIND_NAMES = {
    variants.BASELINE: "no site",
    variants.GATE: "gate of ours",
    variants.FORM: "form of 2006",
    variants.PEER: "peer",
}
SETTINGS: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "kmark",
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
    """`name`: of its file, without .svg; `section`: its environment; `caption`: what it shows."""

    name: str
    section: str
    title: str
    caption: str
    svg: str

    @property
    def short(self) -> str:
        """The title without what precedes its last colon."""
        return self.title.rpartition(": ")[2].capitalize()

    def inside(self) -> str:
        """The SVG for a page: without a head, with the page's foreground, and with ids that
        no other plot of the page has."""
        svg = self.svg[self.svg.index("<svg") :]
        svg = svg.replace(GROUND, "none").replace(FOREGROUND, "currentColor")
        svg = re.sub(r'\bid="', f'id="{self.name}-', svg)
        svg = re.sub(r'((?:xlink:)?href="#|url\(#)', rf"\g<1>{self.name}-", svg)
        svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
        return re.sub(
            r'(<svg[^>]*?) width="[^"]*"', r"\1", re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", svg)
        )


def figure(axes: int, rows: list[int], extra_in: float = 0.0) -> tuple[Figure, list[Axes]]:
    """Axes one below the other, each as high as its rows need. `extra_in`: inches more."""
    heights = [ROW_IN * (count + 1) for count in rows]
    made = Figure(figsize=(WIDTH_IN, sum(heights) + 0.75 * axes + extra_in), layout="constrained")
    FigureCanvasSVG(made)
    grid = made.subplots(axes, 1, squeeze=False, gridspec_kw={"height_ratios": heights})
    return made, [place for (place,) in grid]


def finish(made: Figure) -> str:
    """As SVG, with coordinates of two decimals."""
    out = io.StringIO()
    made.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    return re.sub(r"<[^>]*>", lambda tag: re.sub(r"(?<=\d\.\d\d)\d+", "", tag[0]), out.getvalue())


@contextmanager
def style() -> Iterator[None]:
    """Figures have to be made and filled inside this context."""
    with mpl.rc_context(SETTINGS):
        yield


def shorten(value: float, sign: str = "") -> str:
    """As many digits as fit into a label."""
    size = abs(value)
    digits = 0 if size >= 100 else 1 if size >= 10 else 2 if size >= 0.995 else 3 if size >= 0.00995 else 4
    return f"{value:{sign}z,.{digits}f}"
