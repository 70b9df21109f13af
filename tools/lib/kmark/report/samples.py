# SPDX-License-Identifier: GPL-2.0-only
"""The samples of each case, as plots need them: the good ones, in the unit of the report,
with their place in a cache line."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from kmark.analysis import raw
from kmark.analysis.places import Array
from kmark.analysis.raw import Raw
from kmark.analysis.stats import ENOUGH, Clock
from kmark.report import schema
from kmark.report.model import Report

LINE = 64  # bytes


@dataclass(frozen=True)
class Group:
    """One variant in one shape and state. `values`: in `unit` for one loop; `places`: bytes
    from the start of a cache line."""

    shape: str
    variant: str
    state: str
    unit: str
    values: Array
    places: Array

    @property
    def median(self) -> float:
        return float(np.median(self.values))

    def by_place(self) -> dict[int, float]:
        """Medians by place."""
        found = np.unique(self.places)
        return {int(place): float(np.median(self.values[self.places == place])) for place in found}


def group(document: Raw) -> list[Group]:
    """Groups in the order they came; with all samples of a case of which few are good, as
    in the report."""
    clock = Clock.of(document)
    layouts = document.number_or("layouts", 1)
    found: dict[tuple[str, str, str], list[raw.Sample]] = {}
    for sample in document.samples:
        found.setdefault((sample.shape, sample.variant, sample.state), []).append(sample)
    groups = []
    for name, taken in found.items():
        good = [sample for sample in taken if clock.is_good(sample)]
        kept = good if len(good) >= ENOUGH else taken
        values = np.array([clock.per_loop(sample) for sample in kept])
        places = np.array([sample.layout % layouts * LINE / layouts for sample in kept])
        groups.append(Group(*name, clock.unit, values, places))
    return groups


def in_order(groups: list[Group], report: Report, env: str) -> list[Group]:
    """In the order of the report's cases, without `null`."""
    cases = [case for case in report.cases if case.env == env]
    order = {case.name: number for number, case in enumerate(cases)}
    kept = [g for g in groups if (g.shape, g.variant, g.state) in order]
    return sorted(kept, key=lambda g: order[g.shape, g.variant, g.state])


def of(documents: list[Raw]) -> dict[str, list[Group]]:
    """Groups by environment."""
    found = {}
    for document in documents:
        with document.named():
            found[document.env] = group(document)
    return found


def beside(path: Path) -> Path:
    """The raw.tsv of a report, or of a folder of results."""
    return path / "raw.tsv" if path.is_dir() else path.with_name("raw.tsv")


def load(path: Path) -> dict[str, list[Group]]:
    """Groups of a raw.tsv; empty if there is none."""
    return of(raw.parse(schema.read(path), str(path))) if path.exists() else {}
