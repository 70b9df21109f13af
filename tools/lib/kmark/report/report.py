# SPDX-License-Identifier: GPL-2.0-only
"""kmark-report/2: the machine-readable report, built, checked and read."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from kmark.analysis import cold, scale, site, stats, toggle, variants
from kmark.analysis.cases import Case, Printed, nulls
from kmark.analysis.raw import Raw
from kmark.errors import Failure
from kmark.reference import lkml_2006, slips
from kmark.report import breakeven, model, schema
from kmark.report.model import CoreRate, Environment, Facts, Memory, Report
from kmark.timing import verdict

SCHEMA = Path(__file__).with_name("report.schema.json")
NAME = "kmark-report/2"
VARIANTS = ("none", "generic", "imm", "nop5", "flip", "key")
LATER = ("site", "versus", "toggle", "scale", "memory", "breakeven", "slips")  # older reports lack them


def with_printed(case: Case, figures: dict[lkml_2006.Key, lkml_2006.Figure]) -> Case:
    """The case with the figure of 2006 in its unit, if there is one."""
    figure = figures.get(case.name)
    if figure is None:
        return case
    if case.unit == "instructions":
        counted = figure.instructions
        return case if counted is None else replace(case, thread=Printed(row=figure.row, added=counted))
    per_loop, added = round(figure.per_loop, 4), round(figure.added, 4)
    return replace(case, thread=Printed(row=figure.row, per_loop=per_loop, added=added))


def in_order(cases: list[Case]) -> list[Case]:
    """By shape as measured, then state, then variant: the known ones first, then gates,
    forms and peers."""
    shapes = list(dict.fromkeys(case.shape for case in cases))

    def key(case: Case) -> tuple[int, str, int, int, str]:
        known = VARIANTS.index(case.variant) if case.variant in VARIANTS else len(VARIANTS)
        kind = variants.KINDS.index(variants.kind(case.variant))
        return shapes.index(case.shape), case.state, known, kind, case.variant

    return sorted(cases, key=key)


def of(documents: list[Raw], host: Facts, created: str) -> Report:
    """A report that is not checked yet. Failure if the raw data lacks what a report needs, or an
    environment is there twice."""
    made = Report(NAME, created, Environment(host, []), *([] for _ in range(9)))
    printed = lkml_2006.load()
    for raw in documents:
        with raw.named():
            if raw.env in made.runs:
                raise Failure(f"another document of {raw.env}")
            made.environment.runs.append(raw.environment | verdict.facts(raw))
            cases = stats.analyse(raw)
            ordered = in_order(cases)
            made.cases.extend(
                with_printed(case, printed) for case in ordered if not variants.is_null(case.variant)
            )
            made.null.extend(nulls(ordered))
            if (mhz := stats.core_mhz(raw)) is not None:
                made.rate.append(CoreRate(raw.env, mhz))
            made.cold.extend(cold.sites(raw))
            made.site.extend(site.costs(raw, cases))
            made.versus.extend(site.versus(raw, cases))
            made.toggle.extend(toggle.analyse(raw))
            made.scale.extend(scale.analyse(raw))
            made.memory.extend(Memory(raw.env, *one) for one in raw.memory.items())
    made.breakeven.extend(breakeven.load(made.cases))
    made.slips.extend(slips.only(slips.load()))
    return made


def build(documents: list[Raw], host: Facts, created: str) -> Report:
    """The report. `host`: facts of the machine; `created`: ISO 8601. Failure as of of()."""
    return checked(schema.plain(of(documents, host, created)), "the new report")


def typed(document: dict[str, Any]) -> Report:
    """Return the report in a document that the schema allows, with the missing parts of older versions."""
    bounds = {(e["env"], e["shape"], e["state"]): e["resolution"] for e in document["null"]}
    filled: dict[str, Any] = {key: [] for key in LATER} | document
    filled["cases"] = [
        {"resolution": bounds.get((one["env"], one["shape"], one["state"]), 0.0)} | one
        for one in document["cases"]
    ]
    filled["site"] = [{"linear": None} | one for one in filled["site"]]
    for key in ("cases", "site"):
        filled[key] = [one | {"variant": variants.current_name(one["variant"])} for one in filled[key]]
    made: Report = schema.typed(Report, filled)
    return made


def fitting(made: Report, source: str, text: str = "") -> Report:
    """Return the report. Failure, naming the place, if its figures do not fit each other."""
    for where, reason in model.problems(made):
        schema.refuse(source, text, where, NAME, reason)
    return made


def checked(document: Any, source: str, text: str = "") -> Report:
    """The report in a document. Failure, naming the place, if it is not a kmark-report of this
    version, or of version 1. `text`: what it was read from, for the line."""
    schema.check(document, NAME, SCHEMA, source, text)
    return fitting(typed(document), source, text)


def parse(text: str, source: str) -> Report:
    """Return the report in a text. Failure if it is not JSON, or not a kmark-report of this version, or of
    version 1."""
    return checked(schema.parse(text, source), source, text)


def load(path: Path) -> Report:
    """Reads a report.json, or that of a folder of results; one whose name ends in .xz is unpacked.
    Failure, as of parse(), or if it cannot be read."""
    found = path / "report.json" if path.is_dir() else path
    return parse(schema.read(found), str(found))


def dump(report: Report) -> str:
    """The text of report.json."""
    return json.dumps(schema.plain(report), indent=1) + "\n"
