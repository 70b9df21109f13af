# SPDX-License-Identifier: GPL-2.0-only
"""kmark-kernel-cost/1: the result of `kmark kernel-cost`, as JSON and as text. It does not depend on the
host, so two runs print the same."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from kmark.errors import Failure
from kmark.kernel_cost.figures import DIFFERS, ONLY_ONE, Figure, Row
from kmark.kernel_cost.functions import Share

SCHEMA = Path(__file__).with_name("kernel_cost.schema.json")
NAME = "kmark-kernel-cost/1"
SHOWN = 8  # functions of an operation
OPERATIONS = {
    "null": "getppid()",
    "read": "a byte of /dev/zero",
    "write": "a byte to /dev/null",
    "open": "open() and close() of a file in memory",
    "name": "prctl(PR_SET_NAME), which has a tracepoint",
    "timer": "a POSIX timer armed and disarmed",
    "udp": "64 bytes by UDP on loopback, sent and received",
    "mmap": "a page mapped and unmapped, not touched",
    "fault": "the first write to a page",
    "fork": "fork(), exit and wait",
    "exec": "vfork(), execve() of a static program, exit and wait",
    "pipe": "a byte to another process and back",
    "switch": "to another process and back by sched_yield()",
    "futex": "a sleeping process is woken",
    "tracepoint": "name, with the trace event task_rename enabled",
    "key": "udp, with the static key of receive time stamps enabled",
    "marker": "pipe, with all markers of the kernel enabled",
    "events": "name, with all trace events of the kernel enabled",
}

Report = dict[str, Any]
Functions = dict[str, list[Share]]  # by operation


def figure_entry(figure: Figure | None) -> dict[str, Any] | None:
    return asdict(figure) if figure else None


def row_entry(row: Row, functions: Functions) -> dict[str, Any]:
    return {
        "name": row.name,
        "what": OPERATIONS[row.name],
        "old": figure_entry(row.old),
        "new": figure_entry(row.new),
        "difference": row.difference,
        "verdict": row.verdict,
        "functions": [
            {**asdict(share), "difference": share.difference} for share in functions.get(row.name, [])
        ],
    }


def build(rows: list[Row], functions: Functions, facts: dict[str, Any]) -> Report:
    """Return a report. Failure for an operation that OPERATIONS lacks."""
    if unknown := [row.name for row in rows if row.name not in OPERATIONS]:
        raise Failure(f"kernel-cost: no operation {' '.join(unknown)} is known")
    return {
        "schema": NAME,
        **facts,
        "same": not any(row.verdict == DIFFERS for row in rows),
        "operations": [row_entry(row, functions) for row in rows],
    }


def is_more(report: Report, most: int | None) -> bool:
    """Return whether an operation differs; with `most`, by more than so many instructions added."""
    differing = [one["difference"] for one in report["operations"] if one["verdict"] == DIFFERS]
    return bool(differing) if most is None else any(one > most for one in differing)


def dump(report: Report) -> str:
    return json.dumps(report, indent=1) + "\n"


def count(figure: dict[str, Any] | None) -> str:
    if figure is None:
        return "-"
    return f"{'' if figure['exact'] else '~'}{figure['count']:,}"


def function_lines(entry: dict[str, Any]) -> list[str]:
    shown = entry["functions"][:SHOWN]
    lines = [f"    {one['difference']:+7,}  {one['function']}" for one in shown]
    left = entry["functions"][SHOWN:]
    if left:
        lines.append(f"    {sum(one['difference'] for one in left):+7,}  in {len(left)} others")
    return lines


def row_lines(entry: dict[str, Any]) -> list[str]:
    difference = "" if entry["difference"] is None else f"{entry['difference']:+,}"
    verdict = entry["verdict"]
    if verdict == ONLY_ONE:
        verdict = f"only {'old' if entry['old'] else 'new'}"
    line = (
        f"{entry['name']:<11}{count(entry['old']):>11}{count(entry['new']):>11}{difference:>9}  {verdict}"
    )
    return [line, *function_lines(entry)]


def subject_line(which: str, subject: dict[str, Any]) -> str:
    return f"{which}: {subject['name']} (Linux {subject['release']})"


def render(report: Report) -> str:
    lines = [subject_line("old", report["old"]), subject_line("new", report["new"])]
    lines.append(f"{report['emulator']}, -cpu {report['cpu']}, {report['boots']} boots of each\n")
    lines.append(f"{'operation':<11}{'old':>11}{'new':>11}{'diff':>9}  instructions")
    for entry in report["operations"]:
        lines += row_lines(entry)
    loose = [
        one for one in report["operations"] if not all(f is None or f["exact"] for f in figures_of(one))
    ]
    for entry in loose:
        resolves = max(figure["resolves"] for figure in figures_of(entry) if figure)
        lines.append(f"~ {entry['name']} is not exact: differences below {resolves:,} are not resolved")
    differing = [one["name"] for one in report["operations"] if one["verdict"] == DIFFERS]
    lines.append("\n" + (f"differ: {' '.join(differing)}" if differing else "no operation differs"))
    return "\n".join(lines) + "\n"


def figures_of(entry: dict[str, Any]) -> list[dict[str, Any] | None]:
    return [entry["old"], entry["new"]]
