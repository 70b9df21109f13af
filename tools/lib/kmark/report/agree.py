# SPDX-License-Identifier: GPL-2.0-only
"""Tests whether two runs of the same build on the same machine agree: the share of the cells whose
intervals overlap.

A cell is a case that both reports have. The cell agrees when its intervals overlap, or are apart by no more
than the resolution of either run. Noisy cells count like the others, because an interval says how noisy a
cell is."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from kmark.analysis import notation
from kmark.analysis.cases import Case, Estimate
from kmark.analysis.stats import interval_name
from kmark.errors import Incomparable
from kmark.report import compare
from kmark.report.compare import EXACT, SAME
from kmark.report.model import Place, Report

NAME = "kmark-agreement/2"
WANTED_PCT = 95.0


@dataclass(frozen=True)
class Apart:
    """A cell whose intervals lie apart by more than `margin`, in `unit`."""

    name: str
    unit: str
    a: Estimate
    b: Estimate
    margin: float


@dataclass(frozen=True)
class Agreement:
    """Agreement of two runs. `lacking`: number of cases that one report alone has; `flips`: of cells whose
    status is not the same in both; `warnings`: what differs between the machines."""

    cells: int
    apart: list[Apart]
    lacking: int
    flips: int
    warnings: list[str]

    @property
    def percent(self) -> float:
        """Return the percentage of cells that agree."""
        return 100 * (self.cells - len(self.apart)) / self.cells


def margin(case: Case, bounds: tuple[dict[Place, float], ...]) -> float:
    """Return the distance by which the intervals of a case may be apart, in its unit."""
    if case.unit == "instructions":
        return EXACT
    return max(bound[case.env, case.shape, case.state] for bound in bounds)


def agreement(a: Report, b: Report) -> Agreement:
    """Incomparable if the reports have no case in common."""
    before, after = compare.cases_of(a), compare.cases_of(b)
    bounds = a.resolutions, b.resolutions
    both = [key for key in before if key in after and before[key].unit == after[key].unit]
    if not both:
        raise Incomparable("compare: the reports have no case in common")
    apart = []
    for key in both:
        one, other = before[key], after[key]
        reach = margin(one, bounds)
        if compare.judge(one.added, other.added, reach) != SAME:
            env, shape, variant, state = key
            name = f"{env} {shape} {state} {variant}"
            apart.append(Apart(name, one.unit, one.added, other.added, reach))
    lacking = len(before.keys() ^ after.keys())
    flips = sum(before[key].status != after[key].status for key in both)
    return Agreement(len(both), apart, lacking, flips, list(compare.differences(a, b)))


def lines(found: Agreement, wanted: float) -> Iterator[str]:
    """The agreement, as text. `wanted`: percent."""
    agreed = found.cells - len(found.apart)
    verdict = "enough" if found.percent >= wanted else "too few"
    yield f"{agreed} of {found.cells} cells agree: {found.percent:.1f} %, {verdict} (wanted {wanted:g} %)"
    yield from (notation.fact("warning", warning) for warning in found.warnings)
    yield f"{found.cells - found.flips} of {found.cells} cells have the same status in both"
    if found.lacking:
        yield f"{found.lacking} cases are in one of the reports only"
    for cell in found.apart:
        yield f"{cell.name}, {cell.unit}"
        bounds = f"A {notation.interval(cell.a)}  B {notation.interval(cell.b)}"
        yield f"  {bounds}  margin {notation.number(cell.margin)}"
    yield textwrap.fill(
        f"agree: the {interval_name()}s of what the variant adds overlap, or lie apart by no more than "
        f"none against none shows in A or B; instructions by no more than {EXACT}.", notation.WIDTH,
    )  # fmt: skip


def record(found: Agreement, a: Report, b: Report) -> dict[str, Any]:
    """The agreement, as JSON."""
    return {
        "schema": NAME,
        "a": a.created,
        "b": b.created,
        "cells": found.cells,
        "percent": found.percent,
        "lacking": found.lacking,
        "flips": found.flips,
        "warnings": found.warnings,
        "apart": [asdict(cell) for cell in found.apart],
    }
