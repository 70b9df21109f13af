# SPDX-License-Identifier: GPL-2.0-only
"""The figures that the 2006 mails print, compared with those that follow from their own counts."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kmark.cache import TOP
from kmark.reference.lkml_2006 import TABLE

MACRO = TOP / "bench/data/lkml-2006-macro.tsv"
NAME = "kmark-thread/1"
# Figures are printed with two decimals, and differences are taken of such figures.
ROUNDING = {"cycles per loop": 0.0051, "cycles added": 0.0101, "percent less time": 0.0051}
PER_LOOP, ADDED, LESS_TIME = ROUNDING


@dataclass(frozen=True)
class Figure:
    """One printed figure; `over`: the row that a difference is taken to; `slip`: rounding
    does not explain it."""

    row: str
    what: str
    unit: str
    over: str | None
    printed: float
    recomputed: float
    slip: bool


@dataclass(frozen=True, slots=True)
class Slip:
    """A printed figure that does not follow from the counts."""

    row: str
    what: str
    unit: str
    printed: float
    recomputed: float


def only(figures: list[Figure]) -> list[Slip]:
    """The slips among the figures."""
    return [
        Slip(one.row, one.what.partition("; ")[0], one.unit, one.printed, one.recomputed)
        for one in figures
        if one.slip
    ]


def figure(row: dict[str, str], unit: str, over: str | None, printed: str, recomputed: float) -> Figure:
    slip = abs(float(printed) - recomputed) > ROUNDING[unit]
    return Figure(row["row"], row["what"], unit, over, float(printed), round(recomputed, 4), slip)


def read(path: Path) -> list[dict[str, str]]:
    with path.open() as table:
        return list(csv.DictReader((line for line in table if not line.startswith("#")), delimiter="\t"))


def load(micro: Path = TABLE, macro: Path = MACRO) -> list[Figure]:
    """All printed figures, in the order of the mails."""
    rows = read(micro)
    cycles = {row["row"]: int(row["delta"]) / int(row["loops"]) for row in rows}
    found = []
    for row in rows:
        found.append(figure(row, PER_LOOP, None, row["printed"], cycles[row["row"]]))
        if row["over"] != "-":
            added = cycles[row["row"]] - cycles[row["over"]]
            found.append(figure(row, ADDED, row["over"], row["printed_added"], added))
    for row in read(macro):
        less = 100 * (1 - int(row["with"]) / int(row["without"]))
        found.append(figure(row, LESS_TIME, None, row["printed"], less))
    return found


def lines(figures: list[Figure]) -> Iterator[str]:
    """A table, as text."""
    yield "Figures of the 2006 mails (Pentium 4, 3 GHz), as printed and as they"
    yield "follow from the cycles and times that the mails print beside them."
    for unit in ROUNDING:
        yield from ("", f"{unit:<19}{'printed':>11}{'recomputed':>14}  over")
        for one in figures:
            if one.unit == unit:
                sign = "+" if unit == ADDED else ""
                row = f"{one.row:<19}{one.printed:>{sign}11.2f}{one.recomputed:>{sign}14.4f}"
                yield f"{row}  {one.over or '':<12}{'slip' if one.slip else ''}".rstrip()
    yield ""
    yield "slip: further from the recomputed figure than rounding explains."


def record(figures: list[Figure]) -> dict[str, Any]:
    """Return the figures as JSON."""
    return {"schema": NAME, "figures": [asdict(one) for one in figures]}
