# SPDX-License-Identifier: GPL-2.0-only
"""report.html: the tables of report.txt and the plots, in one page that needs
no network. The page itself is report.html.j2."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

import jinja2

from kmark.analysis import notation, shapes
from kmark.analysis.stats import interval_name
from kmark.report import sections, summary, text
from kmark.report.draw import Plot
from kmark.report.report import Report

TEMPLATE = "report.html.j2"
TITLE = "Cost of markers, disabled and enabled"
SHORT = {"native": "Native", "vm": "Guest", "uml": "User-Mode Linux"}

Entry = dict[str, Any]


@dataclass(frozen=True)
class Table:
    title: str
    columns: list[str]
    rows: list[list[str]]
    prose: bool = False


@dataclass(frozen=True)
class Part:
    """Tables, notes on them, and plots."""

    title: str
    tables: list[Table] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    plots: list[Plot] = field(default_factory=list)
    listing: str = ""


@dataclass(frozen=True)
class Section:
    id: str
    short: str
    title: str
    parts: list[Part]
    facts: list[tuple[str, str]] = field(default_factory=list)


def case_row(case: Entry, resolution: float) -> list[str]:
    per_loop, last = notation.number(case["per_loop"]["median"]), text.last_column(case)
    if case["variant"] == "none":
        return ["none", per_loop, "", "", "", "", case["status"], last]
    added = notation.number(case["added"]["median"], "+")
    status: str = case["status"]
    if status == "unresolved":
        status = f"not resolved (< {notation.number(text.bound(case, resolution))})"
        last = last if case["thread"] else ""
    places = case.get("places")
    over = [notation.number(places[key], "+") if places else "" for key in ("mean", "worst")]
    if places and len(places["groups"]) > 1:
        groups = [f"{one['places']} at {notation.number(one['median'], '+')}" for one in places["groups"]]
        status = f"{status}: {', '.join(groups)}"
    return [case["variant"], per_loop, added, notation.interval(case["added"]), *over, status, last]


def case_table(cases: list[Entry], resolution: float) -> Table:
    first = cases[0]
    last = "a site" if any(case["sites"] > 1 for case in cases) else "2006"
    return Table(
        f"sites {first['state']}: {first['loops']:,} loops, {first['samples']} samples of each variant",
        [
            "variant",
            text.PER_LOOP[first["unit"]],
            "added",
            interval_name(),
            "mean",
            "worst",
            "status",
            last,
        ],
        [case_row(case, resolution) for case in cases],
    )


def shape_parts(report: Report, env: str, drawn: list[Plot]) -> Iterator[Part]:
    bounds = {(e["shape"], e["state"]): e["resolution"] for e in report["null"] if e["env"] == env}
    in_env = [case for case in report["cases"] if case["env"] == env]
    for shape, in_shape in groupby(in_env, lambda case: case["shape"]):
        states = groupby(in_shape, lambda case: case["state"])
        yield Part(
            shapes.title(shape),
            [case_table(list(cases), bounds[shape, state]) for state, cases in states],
            plots=[plot for plot in drawn if plot.name.startswith(f"{env}-{shape}-")],
        )


def toggle_row(entry: Entry) -> list[str]:
    rounds, traps = ("-" if entry[key] is None else str(entry[key]) for key in ("rounds", "traps"))
    ratio = "" if entry["ratio"] is None else f"{entry['ratio']['median']:.2f}"
    cost = entry["per_site"]
    return [
        f"{text.TOGGLES.get(entry['what'], entry['what'])}, {entry['state']}", f"{entry['transactions']:,}",
        rounds, traps, notation.number(cost["median"]), text.spread(cost), ratio,
    ]  # fmt: skip


def toggle_parts(report: Report, env: str, drawn: list[Plot]) -> Iterator[Part]:
    entries = [entry for entry in report.get("toggle", []) if entry["env"] == env]
    if entries:
        unit = entries[0]["unit"]
        columns = [
            "how",
            "transactions",
            "rounds",
            "int3",
            text.PER_SITE[unit],
            interval_name(),
            "to together",
        ]
        yield Part(
            f"Toggle cost: open and close {entries[0]['sites']:,} sites",
            [Table("", columns, [toggle_row(entry) for entry in entries])],
            [text.TOGGLE_LEGEND + text.TOGGLE_NOTES[unit]],
            [plot for plot in drawn if plot.name == f"{env}-toggle"],
        )
    if memory := [entry for entry in report.get("memory", []) if entry["env"] == env]:
        rows = [[text.MEMORY.get(entry["name"], entry["name"]), str(entry["bytes"])] for entry in memory]
        yield Part("Memory", [Table("", ["what", "bytes"], rows)])


def env_sections(report: Report, drawn: list[Plot]) -> Iterator[Section]:
    for env in dict.fromkeys(case["env"] for case in report["cases"]):
        mine = [plot for plot in drawn if plot.section == env]
        unit = next(case["unit"] for case in report["cases"] if case["env"] == env)
        parts = [*shape_parts(report, env, mine), *toggle_parts(report, env, mine)]
        parts.insert(0, Part("How to read the tables", notes=[text.LEGEND, text.THREAD[unit]]))
        runs = (run for run in report["environment"]["runs"] if run["env"] == env)
        facts = [(key, value) for run in runs for key, value in run.items() if key != "env"]
        yield Section(env, SHORT.get(env, env), text.ENVIRONMENTS.get(env, env), parts, facts)


def null_part(report: Report) -> Part:
    columns = ["env", "shape", "state", "unit", "median", interval_name(), "bound"]
    rows = [
        [
            entry["env"], entry["shape"], entry["state"], entry["unit"],
            notation.number(entry["added"]["median"], "+"), notation.interval(entry["added"]),
            notation.number(entry["resolution"]),
        ]
        for entry in report["null"]
    ]  # fmt: skip
    note = "bound is what a difference must exceed to count, in that shape and state."
    return Part("None against none, per loop", [Table("", columns, rows)], [note])


def slip_part(report: Report) -> Part:
    columns = ["row", "printed", "recomputed", "unit", "what"]
    rows = [
        [e["row"], f"{e['printed']:.2f}", f"{e['recomputed']:+.4f}", e["unit"], e["what"]]
        for e in report["slips"]
    ]
    return Part(
        "Figures of the 2006 mails that do not follow from their counts", [Table("", columns, rows)]
    )


def breakeven_row(entry: Entry) -> list[str]:
    bound = "" if entry["disabled"]["resolved"] else "< "
    figures = [entry["enabled"], entry["probe"], entry["ratio"], entry["ratio_stored"]]
    enabled, probe, ratio, stored = ("-" if value is None else sections.plain(value) for value in figures)
    most = "-" if entry["most"] is None else f"{entry['most']:,.0f}"
    return [
        entry["marker"], entry["dynamic"], f"{bound}{sections.plain(entry['disabled']['value'])}",
        entry["disabled"]["shape"], enabled, probe,
        "never" if entry["share"] is None else bound + sections.percent(entry["share"]),
        "never" if entry["events"] is None else f"{bound}{entry['events']:,.1f}", most, ratio, stored,
        entry["stored_by"],
    ]  # fmt: skip


def breakeven_parts(report: Report, drawn: list[Plot]) -> Iterator[Part]:
    columns = [
        "marker", "dynamic", "d", "of loop", "m", "k", "share, %", "events/s of 1,000,000",
        "passes/s at 500 events/s", "k/m", "stored", "by",
    ]  # fmt: skip
    for env, entries in groupby(report["breakeven"], lambda entry: entry["env"]):
        mine = list(entries)
        where = "the 2006 mails (Pentium 4)" if env == "2006" else SHORT.get(env, env)
        yield Part(
            f"{where}, in {mine[0]['unit']}",
            [Table("", columns, [breakeven_row(entry) for entry in mine])],
            plots=[plot for plot in drawn if plot.name == f"{env}-breakeven"],
        )


def row_part(report: Report) -> Part:
    rows = []
    for entry in report["rows"]:
        about = [entry["row"], entry["what"], entry["printed"]]
        for one in entry["today"]:
            rows.append([*about, one["where"], one["text"]])
            about = ["", "", ""]  # only in the row's first line
    table = Table("", ["row", "what", "2006", "where", "today"], rows, prose=True)
    return Part("Its experiments, as printed and today", [table])


def all_sections(report: Report, drawn: list[Plot]) -> Iterator[Section]:
    if report.get("rows"):
        yield Section("rows", "Rows", "The 2006 thread, row by row", [row_part(report)])
    yield from env_sections(report, drawn)
    if report.get("breakeven"):
        parts = [Part("What is compared", notes=[sections.BREAKEVEN_NOTE]), *breakeven_parts(report, drawn)]
        yield Section(
            "breakeven", "Break-even", "Break-even: a marker, or a probe put in by rewriting code", parts
        )
    if report.get("slips"):
        yield Section("slips", "Slips", "Printed and recomputed", [slip_part(report)])
    yield Section("null", "Null experiment", "Null experiment", [null_part(report)])


def render(report: Report, drawn: list[Plot]) -> str:
    """The page. `drawn`: the plots to include."""
    loader = jinja2.FileSystemLoader(Path(__file__).parent)
    environment = jinja2.Environment(
        loader=loader, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=False
    )
    host = list(report["environment"]["host"].items())
    page = environment.get_template(TEMPLATE).render(
        title=TITLE,
        created=report["created"],
        warnings=text.warnings(report),
        summary="\n".join(summary.lines(report)),
        host=host,
        sections=list(all_sections(report, drawn)),
    )
    return page + "\n"
