# SPDX-License-Identifier: GPL-2.0-only
"""The figures of the 2006 mails, computed from the counts that they print."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

from kmark.cache import TOP

TABLE = TOP / "bench/data/lkml-2006.tsv"
BASELINE = "none"

STATES = ("disabled", "enabled")
GHZ = 3.0  # clock of the Pentium 4

Key = tuple[str, str, str]  # shape, variant, state


@dataclass(frozen=True)
class Figure:
    """One row of the mails: cycles on a Pentium 4 for one loop; instructions of its
    listing, None without one."""

    row: str
    per_loop: float
    added: float
    instructions: int | None


def load(path: Path = TABLE) -> dict[Key, Figure]:
    """Return the figures by shape, variant and state; `none` stands for both states."""
    with path.open() as lines:
        rows = list(csv.DictReader((line for line in lines if not line.startswith("#")), delimiter="\t"))
    cycles = {row["row"]: int(row["delta"]) / int(row["loops"]) for row in rows}
    base = {row["shape"]: cycles[row["row"]] for row in rows if row["variant"] == BASELINE}
    figures: dict[Key, Figure] = {}
    for row in rows:
        per_loop = cycles[row["row"]]
        instructions = None if row["instructions"] == "-" else int(row["instructions"])
        figure = Figure(row["row"], per_loop, per_loop - base[row["shape"]], instructions)
        for state in STATES if row["variant"] == BASELINE else (row["state"],):
            figures[row["shape"], row["variant"], state] = figure
    return figures
