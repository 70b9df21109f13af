# SPDX-License-Identifier: GPL-2.0-only
"""report.html of a report, and its plots as files of their own."""

from __future__ import annotations

from kmark.progress import Progress
from kmark.report import html, plots
from kmark.report.draw import Plot
from kmark.report.report import Report
from kmark.report.samples import Group

PAGE = "report.html"


def draw(report: Report, groups: dict[str, list[Group]]) -> list[Plot]:
    """All plots, a second or two for each."""
    total = plots.count(report, groups)
    drawn = []
    with Progress("plots") as progress:
        for plot in plots.make(report, groups):
            drawn.append(plot)
            progress.show(len(drawn), total)
    return drawn


def svgs(drawn: list[Plot]) -> dict[str, str]:
    """By name of file."""
    return {f"{plot.name}.svg": plot.svg for plot in drawn}


def files(report: Report, groups: dict[str, list[Group]]) -> dict[str, str]:
    """The page, by name of file."""
    return {PAGE: html.render(report, draw(report, groups))}
