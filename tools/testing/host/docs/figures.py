# SPDX-License-Identifier: GPL-2.0-only
"""Figures of the pages against the stored runs in Documentation/results."""

from __future__ import annotations

import json
import lzma
import re
from typing import Any

from pages import TOP


def stored(name: str) -> Any:
    return json.loads(lzma.decompress((TOP / "Documentation/results" / name).read_bytes()))


def shown(added: dict[str, float]) -> str:
    """As measuring.md writes it: a rounded median, or a range where layouts differ."""
    least, most = (f"{added[end]:.0f}" for end in ("lo", "hi"))
    return f"{added['median']:.0f}" if added["hi"] - added["lo"] < 1 else f"{least} to {most}"


def rows(page: str, columns: str) -> list[list[str]]:
    """The cells of the table below the line `columns`."""
    text = (TOP / "Documentation" / page).read_text().partition(columns)[2]
    found = re.match(r"\n\|[-|]*\n((?:\|.*\n)*)", text)
    lines = found[1].splitlines() if found else []
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def of_peers() -> list[str]:
    """The tables of measuring.md."""
    cases = {(c["shape"], c["variant"], c["state"]): c["added"] for c in stored("vm.json.xz")["cases"]}
    problems = []
    tables = {
        "empty": rows("measuring.md", "| variant | what stands at the site | disabled | enabled |"),
        "event": rows("measuring.md", "| variant | | added |"),
    }
    for shape, table in tables.items():
        if not table:
            problems.append(f"measuring.md: no table of the shape {shape}")
        for cells in table:
            names = re.findall(r"`([a-z0-9-]+)`", cells[0])
            if len(names) == 2:
                names[1] = names[0] + names[1]
            states = ("disabled", "enabled") if shape == "empty" else ("enabled",)
            for state, cell in zip(states, cells[2:], strict=True):
                values = [shown(cases[key]) for name in names if (key := (shape, name, state)) in cases]
                if cell != ", ".join(values):
                    problems.append(
                        f"measuring.md: {cells[0]} {state}: {cell}, stored: {', '.join(values)}"
                    )
    return problems


# Rows of the table of README.md, and the cases that they show, disabled and enabled.
README = {
    "`MARK()`": (("empty", "mark"), ("event", "sink")),
    "`TRACE_EVENT()`": (("empty", "trace-event"), ("event", "trace-event")),
    "`trace_printk()`": (None, ("event", "trace-printk")),
    "`pr_debug()`": (("empty", "key"), None),
    "kprobe": (None, ("empty", "kprobe-opt"), ("empty", "kprobe-int3")),
    "LTTng": (("empty", "tracepoint"), None),
}


def of_readme() -> list[str]:
    """The costs in the table of README.md."""
    medians = {
        (c["shape"], c["variant"], c["state"]): c["added"]["median"] for c in stored("vm.json.xz")["cases"]
    }
    table = rows("../README.md", "| | lines to write | rebuild | local variables | off | on | read by |")
    costs = {cells[0]: cells[4:6] for cells in table}
    problems = [f"README.md: no row {name}" for name in README if name not in costs]
    for name, (off, *on) in README.items():
        for cell, state, keys in zip(
            costs.get(name, []), ("disabled", "enabled"), ([off], on), strict=False
        ):
            right = " to ".join(f"{medians[*key, state]:.0f}" for key in keys if key)
            if right and cell != right:
                problems.append(f"README.md: {name} {state}: {cell}, stored: {right}")
    return problems


def of_kernels() -> list[str]:
    """The table of measuring.md with the peers of several kernels."""
    names = ["vm", "peers-return-thunks", "peers-6.1", "peers-6.12", "peers-7.2"]
    runs = [
        {(c["shape"], c["variant"], c["state"]): c["added"] for c in stored(f"{name}.json.xz")["cases"]}
        for name in names
    ]
    problems = []
    table = rows("measuring.md", "| enabled | Debian 6.1 | EPYC-v1 | 6.1 | 6.12 | 7.2 |")
    for cells in table:
        key = ("empty", cells[0].strip("`"), "enabled")
        right = [shown(run[key]) if key in run else "-" for run in runs]
        if cells[1:] != right:
            problems.append(f"measuring.md: {cells[0]}: stored: {right}")
    return problems if table else ["measuring.md: no table of several kernels"]


WORKLOADS = {
    "macro.json.xz": "| workload | vanilla |",
    "macro-distribution.json.xz": "| workload, as distributed | vanilla |",
}


def of_workloads() -> list[str]:
    """The tables of macro.md: each number is one of the run's, as rounded as it is shown."""
    return [problem for file, head in WORKLOADS.items() for problem in of_conditions(file, head)]


def of_conditions(file: str, head: str) -> list[str]:
    """The table of macro.md whose first columns are `head`, against the stored run `file`."""
    figures = {figure["workload"]: figure for figure in stored(file)["figures"]}
    problems = []
    table = rows("macro.md", f"{head} marked, nothing enabled | null, % | traced | enabled | events |")
    for cells in table:
        name = cells[0].strip("`")
        numbers = [n for n in re.findall(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", json.dumps(figures[name])) if n]
        for text in re.findall(r"[-+]?\d[\d,]*(?:\.\d+)?", " ".join(cells[1:])):
            digits = len(text.partition(".")[2])
            value = float(text.replace(",", ""))
            if all(round(float(number), digits) != value for number in numbers):
                problems.append(f"macro.md: {name}: {text} is not in {file}")
    return problems if table else [f"macro.md: no table of {file}"]
