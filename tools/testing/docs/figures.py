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


def of_workloads() -> list[str]:
    """The table of macro.md: each number is one of the run's, as rounded as it is shown."""
    figures = {figure["workload"]: figure for figure in stored("macro.json.xz")["figures"]}
    problems = []
    table = rows("macro.md", "| workload | vanilla | marked, nothing connected | counted | events |")
    for cells in table:
        name = cells[0].strip("`")
        numbers = [n for n in re.findall(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", json.dumps(figures[name])) if n]
        for text in re.findall(r"[-+]?\d[\d,]*(?:\.\d+)?", " ".join(cells[1:])):
            digits = len(text.partition(".")[2])
            value = float(text.replace(",", ""))
            if all(round(float(number), digits) != value for number in numbers):
                problems.append(f"macro.md: {name}: {text} is not in the stored run")
    return problems if table else ["macro.md: no table"]
