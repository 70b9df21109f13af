# SPDX-License-Identifier: GPL-2.0-only
"""The tables of report.html, each of entries of report.json."""

from __future__ import annotations

from typing import Any

from kmark.analysis import notation
from kmark.analysis.stats import Estimate, interval_name
from kmark.report import sections, text
from kmark.report.page import Table

SITE_NOTE = "none and null have no sites: what they show is noise."

Entry = dict[str, Any]


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


def of_cases(cases: list[Entry], resolution: float) -> Table:
    """One shape in one state."""
    first = cases[0]
    last = "a site" if any(case["sites"] > 1 for case in cases) else "2006"
    columns = [
        "variant", text.PER_LOOP[first["unit"]], "added", interval_name(), "mean", "worst", "status", last,
    ]  # fmt: skip
    title = f"sites {first['state']}: {first['loops']:,} loops, {first['samples']} samples of each variant"
    return Table(title, columns, [case_row(case, resolution) for case in cases])


def of_site(entries: list[Entry]) -> Table:
    """The cost of one site, without the loop around it."""
    bounds = interval_name()
    columns = ["variant", "disabled", bounds, "enabled", bounds, "linear"]
    found: dict[str, dict[str, Entry]] = {}
    for entry in entries:
        found.setdefault(entry["variant"], {})[entry["state"]] = entry
    rows = []
    for variant, by_state in found.items():
        cells = [variant]
        for state in ("disabled", "enabled"):
            cost = by_state[state]["cost"] if state in by_state else None
            cells += [notation.number(cost["median"], "+"), notation.interval(cost)] if cost else ["", ""]
        bent = [state for state, entry in by_state.items() if entry.get("linear") is False]
        rows.append([*cells, f"not {' and '.join(bent)}" if bent else ""])
    return Table(f"{text.PER_SITE[entries[0]['unit']]}", columns, rows)


def of_versus(entries: list[Entry]) -> Table:
    """What a site of one variant costs more than one of another."""
    rows = []
    for entry in entries:
        limit = Estimate(**entry["difference"]).limit(entry["resolution"])
        rows.append([
            f"{entry['variant']} less {entry['against']}",
            entry["shape"] if entry["twice"] is None else f"one of {2 * entry['sites']}", entry["state"],
            notation.number(entry["difference"]["median"], "+"), notation.interval(entry["difference"]),
            "differs" if entry["resolved"] else f"equal < {notation.number(limit)}",
        ])  # fmt: skip
    return Table(
        entries[0]["unit"], ["variants", "shape", "state", "more", interval_name(), "verdict"], rows
    )


def toggle_row(entry: Entry) -> list[str]:
    rounds, traps = ("-" if entry[key] is None else str(entry[key]) for key in ("rounds", "traps"))
    ratio = "" if entry["ratio"] is None else f"{entry['ratio']['median']:.2f}"
    cost = entry["per_site"]
    return [
        f"{text.TOGGLES.get(entry['what'], entry['what'])}, {entry['state']}", f"{entry['transactions']:,}",
        rounds, traps, notation.number(cost["median"]), text.spread(cost), ratio,
    ]  # fmt: skip


def of_toggle(entries: list[Entry]) -> Table:
    unit = text.PER_SITE[entries[0]["unit"]]
    columns = ["how", "transactions", "rounds", "int3", unit, interval_name(), "to together"]
    return Table("", columns, [toggle_row(entry) for entry in entries])


def of_scale(entries: list[Entry]) -> Table:
    rows = [
        [e["what"], f"{e['sites']:,}", notation.number(e["per_site"]["median"]), text.spread(e["per_site"])]
        for e in entries
    ]
    return Table("", ["what", "sites", text.PER_SITE["ns"], interval_name()], rows)


def of_memory(entries: list[Entry]) -> Table:
    rows = [[str(text.MEMORY.get(entry["name"], entry["name"])), str(entry["bytes"])] for entry in entries]
    return Table("", ["what", "bytes"], rows)


def of_null(entries: list[Entry]) -> Table:
    rows = [
        [
            entry["env"], entry["shape"], entry["state"], entry["unit"],
            notation.number(entry["added"]["median"], "+"), notation.interval(entry["added"]),
            notation.number(entry["resolution"]),
        ]
        for entry in entries
    ]  # fmt: skip
    return Table("", ["env", "shape", "state", "unit", "median", interval_name(), "bound"], rows)


def of_slips(entries: list[Entry]) -> Table:
    rows = [
        [e["row"], f"{e['printed']:.2f}", f"{e['recomputed']:+.4f}", e["unit"], e["what"]] for e in entries
    ]
    return Table("", ["row", "printed", "recomputed", "unit", "what"], rows)


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


def of_breakeven(entries: list[Entry]) -> Table:
    columns = [
        "marker", "dynamic", "d", "of loop", "m", "k", "share, %", "events/s of 1,000,000",
        "passes/s at 500 events/s", "k/m", "stored", "by",
    ]  # fmt: skip
    return Table("", columns, [breakeven_row(entry) for entry in entries])


def of_rows(entries: list[Entry]) -> Table:
    """The rows of the 2006 thread."""
    rows = []
    for entry in entries:
        about = [entry["row"], entry["what"], entry["printed"]]
        for one in entry["today"]:
            rows.append([*about, one["where"], one["text"]])
            about = ["", "", ""]  # only in the row's first line
    return Table("", ["row", "what", "2006", "where", "today"], rows, prose=True)
