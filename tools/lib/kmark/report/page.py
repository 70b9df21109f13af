# SPDX-License-Identifier: GPL-2.0-only
"""A page with tables and plots that needs no network: what it is made of, and the HTML of it.
page.html.j2 is its text, page.css its looks, page.js sorts its tables."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import jinja2

from kmark.report.tables import Table

if TYPE_CHECKING:
    from kmark.report.draw import Plot

HERE = Path(__file__).parent

Facts = list[tuple[str, str]]


@dataclass(frozen=True)
class Part:
    """Tables, what is to be said of them, and plots. `more_plots`: those that are shown when they
    are asked for; `legend`: what the columns mean."""

    title: str
    tables: list[Table] = field(default_factory=list)
    facts: Facts = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    plots: list[Plot] = field(default_factory=list)
    more_plots: list[Plot] = field(default_factory=list)
    legend: str = ""


@dataclass(frozen=True)
class Section:
    """`facts`: above its parts; `folded`: shown when it is asked for, and printed only then."""

    id: str
    title: str
    parts: list[Part] = field(default_factory=list)
    facts: Facts = field(default_factory=list)
    folded: bool = True


@dataclass(frozen=True)
class Page:
    title: str
    subtitle: str
    sections: list[Section]
    warnings: list[str] = field(default_factory=list)

    def plots(self) -> list[Plot]:
        parts = [part for section in self.sections for part in section.parts]
        return [plot for part in parts for plot in (*part.plots, *part.more_plots)]


def without_comment(text: str) -> str:
    """A file without its first line, which names the licence."""
    return text.partition("\n")[2]


def render(page: Page) -> str:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE), autoescape=True, undefined=jinja2.StrictUndefined
    )
    style, script = (without_comment((HERE / name).read_text()) for name in ("page.css", "page.js"))
    rules = dict.fromkeys(rule for plot in page.plots() for rule in plot.rules())
    pictures = {plot.name: plot.inside(f"p{number}") for number, plot in enumerate(page.plots())}
    template = environment.get_template("page.html.j2")
    made = template.render(
        title=page.title, subtitle=page.subtitle, warnings=page.warnings, sections=page.sections,
        style=style + "".join(rules), script=script,
        pictures=pictures,
    )  # fmt: skip
    return made + "\n"


def size_note(made: str) -> str:
    """How large a page is, and what makes it so."""
    plots = re.findall(r"<svg.*?</svg>", made, re.DOTALL)
    tables = re.findall(r"<table.*?</table>", made, re.DOTALL)
    sizes = [
        f"{sum(map(len, found)) / 1e6:.2f} {len(found)} {what}"
        for found, what in ((plots, "plots"), (tables, "tables"))
    ]
    return f"{len(made.encode()) / 1e6:.2f} MB, of which {' and '.join(sizes)}"
