# SPDX-License-Identifier: GPL-2.0-only
"""kmark-report/2: the machine-readable report, built, checked and read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from kmark.analysis import scale, shapes, site, stats, toggle, variants
from kmark.analysis.places import Places
from kmark.analysis.raw import Raw
from kmark.errors import Failure
from kmark.reference import slips, thread
from kmark.report import breakeven, schema, validity
from kmark.timing import verdict

SCHEMA = Path(__file__).with_name("report.schema.json")
NAME = "kmark-report/2"
VARIANTS = ("none", "generic", "imm", "nop5", "flip", "key")

Report = dict[str, Any]


def estimate_entry(value: stats.Estimate) -> dict[str, float]:
    return {"median": value.median, "lo": value.lo, "hi": value.hi}


def places_entry(places: Places) -> dict[str, Any]:
    groups = [{"places": group.places, "median": group.median} for group in places.groups]
    return {
        "count": places.count,
        "mean": places.mean,
        "best": places.best,
        "worst": places.worst,
        "groups": groups,
    }


def thread_entry(case: stats.Case, figures: dict[thread.Key, thread.Figure]) -> dict[str, Any] | None:
    figure = figures.get((case.shape, case.variant, case.state))
    if figure is None:
        return None
    entry: dict[str, Any] = {"row": figure.row}
    if case.unit == "instructions":
        return None if figure.instructions is None else entry | {"added": figure.instructions}
    return entry | {"per_loop": round(figure.per_loop, 4), "added": round(figure.added, 4)}


def case_entry(case: stats.Case, figures: dict[thread.Key, thread.Figure]) -> dict[str, Any]:
    return {
        "env": case.env,
        "shape": case.shape,
        "variant": case.variant,
        "state": case.state,
        "unit": case.unit,
        "loops": case.loops,
        "sites": case.sites,
        "samples": case.samples,
        "dropped": case.dropped,
        "per_loop": estimate_entry(case.per_loop),
        "added": estimate_entry(case.added),
        "places": places_entry(case.places),
        "resolution": case.resolution,
        "status": case.status,
        "thread": thread_entry(case, figures),
    }


def null_entry(case: stats.Case) -> dict[str, Any]:
    return {
        "env": case.env,
        "shape": case.shape,
        "state": case.state,
        "unit": case.unit,
        "samples": case.samples,
        "dropped": case.dropped,
        "added": estimate_entry(case.added),
        "resolution": case.resolution,
        "status": case.status,
    }


def toggle_entry(cost: toggle.Cost) -> dict[str, Any]:
    return {
        "env": cost.env,
        "what": cost.what,
        "state": cost.state,
        "unit": cost.unit,
        "sites": cost.sites,
        "transactions": cost.transactions,
        "rounds": cost.rounds,
        "traps": cost.traps,
        "peer": cost.peer,
        "samples": cost.samples,
        "per_site": estimate_entry(cost.per_site),
        "ratio": None if cost.ratio is None else estimate_entry(cost.ratio),
    }


def scale_entry(point: scale.Point) -> dict[str, Any]:
    return {
        "env": point.env,
        "what": point.what,
        "sites": point.sites,
        "samples": point.samples,
        "per_site": estimate_entry(point.per_site),
    }


def site_entry(cost: site.SiteCost) -> dict[str, Any]:
    return {
        "env": cost.env,
        "shape": cost.shape,
        "twice": shapes.TWICE[cost.shape],
        "variant": cost.variant,
        "state": cost.state,
        "unit": cost.unit,
        "sites": cost.sites,
        "cost": estimate_entry(cost.cost),
        "linear": cost.linear,
    }


def versus_entry(found: site.Versus) -> dict[str, Any]:
    return {
        "env": found.env,
        "shape": found.shape,
        "twice": found.twice,
        "variant": found.variant,
        "against": found.against,
        "state": found.state,
        "unit": found.unit,
        "sites": found.sites,
        "difference": estimate_entry(found.difference),
        "resolution": found.resolution,
        "resolved": found.resolved,
    }


def memory_entries(raw: Raw) -> list[dict[str, Any]]:
    return [{"env": raw.env, "name": name, "bytes": size} for name, size in raw.memory.items()]


def slip_entry(figure: slips.Figure) -> dict[str, Any]:
    return {
        "row": figure.row,
        "what": figure.what.partition("; ")[0],
        "unit": figure.unit,
        "printed": figure.printed,
        "recomputed": figure.recomputed,
    }


def in_order(cases: list[stats.Case]) -> list[stats.Case]:
    """By shape as measured, then state, then variant: the known ones first, then gates,
    forms and peers."""
    shapes = list(dict.fromkeys(case.shape for case in cases))

    def key(case: stats.Case) -> tuple[int, str, int, int, str]:
        known = VARIANTS.index(case.variant) if case.variant in VARIANTS else len(VARIANTS)
        kind = variants.KINDS.index(variants.kind(case.variant))
        return shapes.index(case.shape), case.state, known, kind, case.variant

    return sorted(cases, key=key)


def of_document(raw: Raw, figures: dict[thread.Key, thread.Figure]) -> Report:
    """What a report has of one environment."""
    cases = stats.analyse(raw)
    ordered = in_order(cases)
    return {
        "cases": [case_entry(case, figures) for case in ordered if case.variant != stats.NULL],
        "null": [null_entry(case) for case in ordered if case.variant == stats.NULL],
        "site": [site_entry(cost) for cost in site.costs(raw, cases)],
        "versus": [versus_entry(one) for one in site.versus(raw, cases)],
        "toggle": [toggle_entry(cost) for cost in toggle.analyse(raw)],
        "scale": [scale_entry(point) for point in scale.analyse(raw)],
        "memory": memory_entries(raw),
    }


def figures(documents: list[Raw]) -> Report:
    """All of a report that follows from raw data: its lists, and the facts of the runs. Failure if
    the raw data lacks what it needs, or an environment is there twice."""
    printed, found, runs = thread.load(), [], {}
    for raw in documents:
        with raw.named():
            if raw.env in runs:
                raise Failure(f"another document of {raw.env}")
            runs[raw.env] = raw.environment | verdict.facts(raw)
            found.append(of_document(raw, printed))
    lists: dict[str, list[Any]] = {key: [e for one in found for e in one[key]] for key in found[0]}
    return {
        "runs": list(runs.values()),
        **lists,
        "breakeven": breakeven.load(lists["cases"], lists["null"]),
        "slips": [slip_entry(figure) for figure in slips.load() if figure.slip],
    }


def build(documents: list[Raw], host: dict[str, str], created: str) -> Report:
    """The report. `host`: facts of the machine; `created`: ISO 8601. Failure as of figures()."""
    found = figures(documents)
    environment = {"host": host, "runs": found.pop("runs")}
    report = {"schema": NAME, "created": created, "environment": environment, **found}
    check(report, "the new report")
    return report


def check(report: Any, source: str, text: str = "") -> None:
    """Failure, naming the place, if it is not a kmark-report of this version, or of version 1.
    `text`: what it was read from, for the line."""
    schema.check(report, NAME, SCHEMA, source, text)
    for where, reason in validity.problems(report):
        schema.refuse(source, text, where, NAME, reason)


def parse(text: str, source: str) -> Report:
    """Failure if it is not JSON, or not a kmark-report of this version, or of version 1."""
    report: Report = schema.parse(text, source)
    check(report, source, text)
    for entry in (*report["cases"], *report.get("site", ())):
        entry["variant"] = variants.current_name(entry["variant"])
    return report


def load(path: Path) -> Report:
    """Reads a report.json; one whose name ends in .xz is unpacked. Failure, as of parse(), or if it
    cannot be read."""
    return parse(schema.read(path), str(path))


def dump(report: Report) -> str:
    """The text of report.json."""
    return json.dumps(report, indent=1) + "\n"
