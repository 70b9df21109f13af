# SPDX-License-Identifier: GPL-2.0-only
"""report.html: the tables of report.txt and the plots; and the plots as files of their own."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from kmark.analysis import shapes
from kmark.progress import Progress
from kmark.report import choice_plot, facts, page, plots, summary, tables, text
from kmark.report.breakeven import THREAD_ENV
from kmark.report.draw import Plot
from kmark.report.model import Report
from kmark.report.page import Page, Part, Section
from kmark.report.samples import Group

FILE = "report.html"
TITLE = "Cost of markers, disabled and enabled"
SHORT = {"native": "Native", "vm": "Guest", "uml": "User-Mode Linux"}


def draw(report: Report, groups: dict[str, list[Group]]) -> list[Plot]:
    """All plots, a second or two for each."""
    total = plots.count(report, groups)
    drawn = []
    with Progress("plots") as progress:
        for plot in plots.make(report, groups):
            drawn.append(plot)
            progress.show(len(drawn), total)
    return drawn


def summary_section(report: Report, drawn: list[Plot]) -> Section:
    """The first screen: what to do, its cost, and where it was measured."""
    sites = [plot for plot in drawn if plot.section == choice_plot.SECTION]
    events = facts.event_table(report)
    parts = [
        Part("", notes=[summary.recommendation(report)]),
        Part("Cost of one site", plots=sites, legend=choice_plot.LEGEND),
    ]
    if events.rows:
        parts.append(Part("Cost of one complete event", [events], legend=facts.STORED_LEGEND))
    parts.append(Part("", facts=list(facts.condition_facts(report))))
    return Section("summary", "Summary", parts, folded=False)


def costs_section(report: Report) -> Section:
    """The rest of the summary of summary.py."""
    costs = Part("", list(summary.cost_tables(report)), legend=summary.LEGEND)
    others = [fact for fact in facts.of(report) if fact[0] != facts.CONDITIONS]
    return Section(
        "costs", "One site in loops of 1, 8 and 64; toggling; doubts", [costs, Part("", facts=others)]
    )


def shape_parts(report: Report, env: str, drawn: list[Plot]) -> Iterator[Part]:
    for shape, in_shape in groupby(report.cases, lambda case: case.shape):
        states = groupby(in_shape, lambda case: case.state)
        mine = [plot for plot in drawn if plot.name.startswith(f"{env}-{shape}-")]
        yield Part(
            shapes.title(shape),
            [tables.of_cases(list(cases)) for _, cases in states],
            plots=[plot for plot in mine if plot.name.endswith("-added")],
            more_plots=[plot for plot in mine if not plot.name.endswith("-added")],
            legend=text.COLUMNS,
        )


def other_parts(report: Report, env: str, drawn: list[Plot]) -> Iterator[Part]:
    """Yield the parts that are no loop of their own, of those that the report has."""
    if site := report.site:
        title = f"One site of {2 * site[0].sites}"
        notes = [f"{site[0].twice} less {site[0].shape}, by {site[0].sites}. {text.SITE_NOTE}"]
        yield Part(title, [tables.of_site(site)], notes=notes)
    if versus := report.versus:
        yield Part("Side by side: what one site costs more", [tables.of_versus(versus)])
    if report.cold and (table := tables.of_cold(report.cold)).rows:
        yield Part("Cold: one site in code of each size", [table], notes=[text.COLD_NOTE])
    if toggle := report.toggle:
        yield Part(
            f"Toggle cost: open and close {toggle[0].sites:,} sites",
            [tables.of_toggle(toggle)],
            notes=[text.TOGGLE_LEGEND + text.TOGGLE_NOTES[toggle[0].unit]],
            plots=[plot for plot in drawn if plot.name == f"{env}-toggle"],
        )
    if scale := report.scale:
        yield Part("Scale: one write with a rule for each site", [tables.of_scale(scale)])
    if memory := report.memory:
        yield Part("Memory", [tables.of_memory(memory)])


def env_section(report: Report, env: str, drawn: list[Plot]) -> Section:
    """`report`: what it has of that environment."""
    mine = [plot for plot in drawn if plot.section == env]
    notes = [text.LEGEND, text.THREAD[report.units[env]]]
    legend = Part("How to read the tables", notes=notes)
    parts = [legend, *shape_parts(report, env, mine), *other_parts(report, env, mine)]
    about = [(key, value) for key, value in report.runs[env].items() if key != "env"]
    return Section(env, text.ENVIRONMENTS.get(env, env), parts, about)


def breakeven_parts(report: Report, drawn: list[Plot]) -> Iterator[Part]:
    for env, entries in groupby(report.breakeven, lambda entry: entry.env):
        mine = list(entries)
        where = "the 2006 mails (Pentium 4)" if env == THREAD_ENV else SHORT.get(env, env)
        yield Part(
            f"{where}, in {mine[0].unit}",
            [tables.of_breakeven(mine)],
            plots=[plot for plot in drawn if plot.name == f"{env}-breakeven"],
        )


def null_part(report: Report) -> Part:
    note = "bound is what a difference must exceed to count, in that shape and state."
    return Part("None against none, per loop", [tables.of_null(report.null)], notes=[note])


def all_sections(report: Report, drawn: list[Plot]) -> Iterator[Section]:
    yield summary_section(report, drawn)
    yield costs_section(report)
    yield Section("machine", "Machine", facts=list(report.environment.host.items()))
    if report.rows:
        part = Part("Its experiments, as printed and today", [tables.of_rows(report.rows)])
        yield Section("rows", "The 2006 thread, row by row", [part])
    for env in report.units:
        yield env_section(report.of_env(env), env, drawn)
    if report.breakeven:
        parts = [*breakeven_parts(report, drawn), Part("The model", notes=[text.BREAKEVEN_NOTE])]
        yield Section("breakeven", "Break-even: a marker, or a probe put in by rewriting code", parts)
    if report.slips:
        part = Part("Figures of the 2006 mails that do not follow from their counts",
                    [tables.of_slips(report.slips)])  # fmt: skip
        yield Section("slips", "Printed and recomputed", [part])
    yield Section("null", "Null experiment", [null_part(report)])


def make(report: Report, drawn: list[Plot]) -> Page:
    """The page. `drawn`: the plots to include."""
    subtitle = f"{report.cpu or 'unknown CPU'}, {report.created}"
    warnings = [*text.warnings(report), *summary.warnings(report)]
    return Page(TITLE, subtitle, list(all_sections(report, drawn)), warnings)


def render(report: Report, drawn: list[Plot]) -> str:
    return page.render(make(report, drawn))
