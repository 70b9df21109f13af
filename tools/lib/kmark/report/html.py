# SPDX-License-Identifier: GPL-2.0-only
"""report.html: the tables of report.txt and the plots."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from kmark.analysis import shapes
from kmark.report import page, sections, summary, tables, text
from kmark.report.draw import Plot
from kmark.report.page import Page, Part, Section, Table
from kmark.report.report import Report

TITLE = "Cost of markers, disabled and enabled"
SHORT = {"native": "Native", "vm": "Guest", "uml": "User-Mode Linux"}

Entry = dict[str, Any]


def summary_section(report: Report) -> Section:
    """What summary.py prints, as a table and facts."""
    columns = [
        "one site of 128", "cycles, disabled", "cycles, enabled", "instr., disabled", "instr., enabled",
        "bytes", "2006, cycles",
    ]  # fmt: skip
    table = Table("", columns, list(summary.site_rows(report)))
    part = Part("", tables=[table], facts=list(summary.facts(report)), notes=[summary.LEGEND])
    return Section("summary", "Summary", "Summary", [part])


def shape_parts(report: Report, env: str, drawn: list[Plot]) -> Iterator[Part]:
    bounds = {(e["shape"], e["state"]): e["resolution"] for e in report["null"] if e["env"] == env}
    in_env = [case for case in report["cases"] if case["env"] == env]
    for shape, in_shape in groupby(in_env, lambda case: case["shape"]):
        states = groupby(in_shape, lambda case: case["state"])
        mine = [plot for plot in drawn if plot.name.startswith(f"{env}-{shape}-")]
        yield Part(
            shapes.title(shape),
            f"{env}-{shape}",
            [tables.of_cases(list(cases), bounds[shape, state]) for state, cases in states],
            plots=[plot for plot in mine if plot.name.endswith("-added")],
            more_plots=[plot for plot in mine if not plot.name.endswith("-added")],
        )


def other_parts(report: Report, env: str, drawn: list[Plot]) -> Iterator[Part]:
    """What is no loop of its own; none of what the report lacks."""
    of = {key: [e for e in report.get(key, []) if e["env"] == env] for key in text.OTHER_TABLES}
    if site := of["site"]:
        title = f"One site of {2 * site[0]['sites']}"
        notes = [f"{site[0]['twice']} less {site[0]['shape']}, by {site[0]['sites']}. {tables.SITE_NOTE}"]
        yield Part(title, f"{env}-site", [tables.of_site(site)], notes=notes)
    if versus := of["versus"]:
        yield Part("Side by side: what one site costs more", f"{env}-versus", [tables.of_versus(versus)])
    if toggle := of["toggle"]:
        yield Part(
            f"Toggle cost: open and close {toggle[0]['sites']:,} sites",
            f"{env}-toggle",
            [tables.of_toggle(toggle)],
            notes=[text.TOGGLE_LEGEND + text.TOGGLE_NOTES[toggle[0]["unit"]]],
            plots=[plot for plot in drawn if plot.name == f"{env}-toggle"],
        )
    if scale := of["scale"]:
        yield Part("Scale: one write with a rule for each site", f"{env}-scale", [tables.of_scale(scale)])
    if memory := of["memory"]:
        yield Part("Memory", f"{env}-memory", [tables.of_memory(memory)])


def env_sections(report: Report, drawn: list[Plot]) -> Iterator[Section]:
    for env in dict.fromkeys(case["env"] for case in report["cases"]):
        mine = [plot for plot in drawn if plot.section == env]
        unit = next(case["unit"] for case in report["cases"] if case["env"] == env)
        legend = Part("How to read the tables", f"{env}-legend", notes=[text.LEGEND, text.THREAD[unit]])
        parts = [legend, *shape_parts(report, env, mine), *other_parts(report, env, mine)]
        runs = (run for run in report["environment"]["runs"] if run["env"] == env)
        facts = [(key, value) for run in runs for key, value in run.items() if key != "env"]
        yield Section(env, SHORT.get(env, env), text.ENVIRONMENTS.get(env, env), parts, facts)


def breakeven_parts(report: Report, drawn: list[Plot]) -> Iterator[Part]:
    for env, entries in groupby(report["breakeven"], lambda entry: entry["env"]):
        mine = list(entries)
        where = "the 2006 mails (Pentium 4)" if env == "2006" else SHORT.get(env, env)
        yield Part(
            f"{where}, in {mine[0]['unit']}",
            f"breakeven-{env}",
            [tables.of_breakeven(mine)],
            plots=[plot for plot in drawn if plot.name == f"{env}-breakeven"],
        )


def null_part(report: Report) -> Part:
    note = "bound is what a difference must exceed to count, in that shape and state."
    return Part("None against none, per loop", tables=[tables.of_null(report["null"])], notes=[note])


def all_sections(report: Report, drawn: list[Plot]) -> Iterator[Section]:
    yield summary_section(report)
    host = list(report["environment"]["host"].items())
    yield Section("machine", "Machine", "Machine", facts=host, facts_open=True)
    if rows := report.get("rows"):
        part = Part("Its experiments, as printed and today", tables=[tables.of_rows(rows)])
        yield Section("rows", "Rows", "The 2006 thread, row by row", [part])
    yield from env_sections(report, drawn)
    if report.get("breakeven"):
        parts = [*breakeven_parts(report, drawn), Part("The model", notes=[sections.BREAKEVEN_NOTE])]
        title = "Break-even: a marker, or a probe put in by rewriting code"
        yield Section("breakeven", "Break-even", title, parts)
    if found := report.get("slips"):
        part = Part("Figures of the 2006 mails that do not follow from their counts",
                    tables=[tables.of_slips(found)])  # fmt: skip
        yield Section("slips", "Slips", "Printed and recomputed", [part])
    yield Section("null", "Null experiment", "Null experiment", [null_part(report)])


def make(report: Report, drawn: list[Plot]) -> Page:
    """The page. `drawn`: the plots to include."""
    host = report["environment"]["host"].get("cpu", "unknown CPU")
    return Page(
        TITLE, f"{host}, {report['created']}", list(all_sections(report, drawn)), text.warnings(report)
    )


def render(report: Report, drawn: list[Plot]) -> str:
    return page.render(make(report, drawn))
