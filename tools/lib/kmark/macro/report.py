# SPDX-License-Identifier: GPL-2.0-only
"""kmark-macro/2: the report of macro-benchmarks, as JSON and as text."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from kmark.analysis import notation
from kmark.analysis.raw import Raw
from kmark.analysis.stats import ENOUGH, interval_name
from kmark.errors import Failure
from kmark.macro import figures
from kmark.macro.figures import ENABLED, MARKED, TRACED, Added, Figure
from kmark.macro.workloads import WORKLOADS
from kmark.reference import rows
from kmark.report import schema

SCHEMA = Path(__file__).with_name("macro.schema.json")
NAME = "kmark-macro/2"
TITLE = "Macro-benchmarks: what markers add to whole workloads"
UNITS = {
    "vm": "instructions of the guest's one CPU (icount), kernel and program, idle time left out; "
    "exact, but which timer ticks and disk interrupts fall into a run varies",
    "uml": "ns of CLOCK_MONOTONIC in User-Mode Linux, on the CPU it is pinned to; there markers are "
    "generic gates, a load and a test each, and not the NOP of x86-64",
}
LEGEND = (
    "vanilla: without the patches. marked: with them, nothing enabled. traced: vanilla, the "
    "tracepoints enabled that stand beside the markers. enabled: marked, every marker enabled; both "
    "store their events in the ring buffer of ftrace. Medians with {interval}s, which span the rounds "
    "and the boots (with fewer than {enough} runs of each, ranges); what a kernel adds is taken from "
    "rounds of the same number. Not resolved: the interval holds 0, or vanilla differs as much from "
    "itself (null)."
)

Report = dict[str, Any]


def added_entry(one: Added) -> dict[str, Any]:
    return {"added": asdict(one.added), "percent": asdict(one.percent), "resolved": one.resolved}


def entry(one: Figure) -> dict[str, Any]:
    workload = next((known for known in WORKLOADS if known.name == one.workload), None)
    if workload is None:
        raise Failure(f"raw data of {one.env}: no workload {one.workload}")
    return {
        "env": one.env,
        "workload": one.workload,
        "what": workload.what,
        "operation": workload.operation,
        "unit": one.unit,
        "row": workload.row or None,
        "ops": one.ops,
        "runs": one.runs,
        "vanilla": asdict(one.vanilla),
        "idle": one.idle,
        "null": asdict(one.null),
        "null_percent": asdict(one.null_percent),
        "marked": added_entry(one.marked),
        "target": one.target if one.unit == "instructions" else None,
        "traced": added_entry(one.traced),
        "enabled": added_entry(one.enabled),
        "events": {name: asdict(found) for name, found in one.events.items()},
    }


def build(documents: list[Raw], facts: dict[str, str], created: str) -> Report:
    """The report. `facts`: the machine and the kernels; `created`: ISO 8601. Failure for an
    unknown workload."""
    found = figures.analyse(documents)
    report = {
        "schema": NAME,
        "created": created,
        "environment": facts,
        "runs": [raw.environment for raw in documents],
        "target_percent": figures.TARGET_PERCENT,
        "figures": [entry(one) for one in found],
        "rows": [
            {"row": row.row, "what": row.what, "printed": row.printed}
            for row in rows.load()
            if any(row.row == known.row for known in WORKLOADS)
        ],
    }
    check(report, "the new report")
    return report


def check(report: Any, source: str) -> None:
    """Check a report. Failure, naming the place, if it is not a kmark-macro/2."""
    schema.check(report, NAME, SCHEMA, source)


def dump(report: Report) -> str:
    return json.dumps(report, indent=1) + "\n"


def figure_text(value: float, sign: str = "") -> str:
    """Large figures without decimals, in groups of three digits."""
    digits = 0 if abs(value) >= 1000 else 1 if abs(value) >= 100 else 2
    return f"{value:{sign}z,.{digits}f}"


def span(one: dict[str, float], sign: str = "+") -> str:
    return f"[{figure_text(one['lo'], sign)}, {figure_text(one['hi'], sign)}]"


def percent_text(percent: dict[str, float]) -> str:
    return f"{percent['median']:+.3f} % [{percent['lo']:+.3f}, {percent['hi']:+.3f}]"


def verdict(one: dict[str, Any]) -> str:
    return percent_text(one["percent"]) + ("" if one["resolved"] else ", not resolved")


def figure_lines(one: dict[str, Any]) -> Iterator[str]:
    yield f"{one['workload']}: {one['ops']} x {one['operation']}, {one['runs']} runs of each"
    yield from textwrap.wrap(one["what"], notation.WIDTH, initial_indent="  ", subsequent_indent="  ")
    yield f"  vanilla  {figure_text(one['vanilla']['median']):>16} {span(one['vanilla'], '')} {one['unit']}"
    for name in (MARKED, TRACED, ENABLED):
        found = one[name]["added"]
        yield f"  {name:<8} {figure_text(found['median'], '+'):>16} {span(found)}"
        yield f"{'':<28}{verdict(one[name])}"
    yield f"  null     {figure_text(one['null']['median'], '+'):>16} {span(one['null'])}"
    yield f"{'':<28}{percent_text(one['null_percent'])}"
    for name in (TRACED, ENABLED):
        yield f"  events   {figure_text(one['events'][name]['median']):>16} per operation, {name}"
    if one["idle"]:
        yield f"  idle     {figure_text(one['idle']):>16} left out, mostly of waits for the disk"


def target_lines(report: Report) -> Iterator[str]:
    found = [one for one in report["figures"] if one["target"]]
    if not found:
        return
    yield f"Target: at most +{report['target_percent']} % instructions with nothing enabled."
    for word in (figures.MET, figures.MISSED, figures.UNDECIDED):
        names = [one["workload"] for one in found if one["target"] == word]
        if names:
            yield f"  {word}: {', '.join(names)}"
    yield ""


def row_lines(report: Report) -> Iterator[str]:
    """The thread's figures, and today's below them."""
    for row in report["rows"]:
        found = [one for one in report["figures"] if one["row"] == row["row"]]
        if not found:
            continue
        yield f"{row['row']}  {row['what']}"
        yield from textwrap.wrap(
            f"2006: {row['printed']}", notation.WIDTH, initial_indent="     ", subsequent_indent="     "
        )
        for one in found:
            yield f"     {one['workload']}, {one['env']}, {one['unit']}: {verdict(one[MARKED])}"
            if one["row"] == "A16" and one["unit"] == "ns":
                rates = (
                    1e9 / one["vanilla"]["median"],
                    1e9 / (one["vanilla"]["median"] + one["marked"]["added"]["median"]),
                )
                today = f"{rates[0]:.0f}, {rates[1]:.0f} packets/s"
                yield f"     {one['workload']}, {one['env']}, wall clock: {today}"
    yield ""


def lines(report: Report) -> Iterator[str]:
    yield from (TITLE, "")
    for key, value in {"created": report["created"], **report["environment"]}.items():
        yield notation.fact(key, value)
    yield ""
    for env in dict.fromkeys(one["env"] for one in report["figures"]):
        yield from (f"{env}", "")
        yield textwrap.fill(UNITS[env], notation.WIDTH)
        yield ""
        for one in report["figures"]:
            if one["env"] == env:
                yield from figure_lines(one)
                yield ""
    yield from target_lines(report)
    yield from row_lines(report)
    yield textwrap.fill(LEGEND.format(interval=interval_name(), enough=ENOUGH), notation.WIDTH)


def render(report: Report) -> str:
    return "\n".join(lines(report)) + "\n"
