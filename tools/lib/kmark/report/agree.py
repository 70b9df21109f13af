# SPDX-License-Identifier: GPL-2.0-only
"""Whether two runs of the same on the same machine agree: in which share of the
cells their intervals meet.

A cell is a case that both reports have. Its intervals meet when they overlap,
or lie apart by no more than what either run can resolve at all. Noisy cells
count like the others: an interval is to say how noisy they are."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from kmark.analysis import notation
from kmark.analysis.stats import interval_name
from kmark.errors import Failure
from kmark.report import compare
from kmark.report.compare import EXACT, SAME, Case
from kmark.report.report import Report

NAME = "kmark-agreement/1"
WANTED_PCT = 95.0


@dataclass(frozen=True)
class Apart:
    """A cell whose intervals do not meet."""

    name: str
    unit: str
    a: dict[str, float]
    b: dict[str, float]
    margin: float


@dataclass(frozen=True)
class Agreement:
    cells: int
    apart: list[Apart]
    lacking: int  # cases that one report alone has
    warnings: list[str]  # what differs between the machines

    @property
    def percent(self) -> float:
        return 100 * (self.cells - len(self.apart)) / self.cells


def margin(case: Case, bounds: tuple[dict[tuple[str, str, str], float], ...]) -> float:
    if case["unit"] == "instructions":
        return EXACT
    return max(bound[case["env"], case["shape"], case["state"]] for bound in bounds)


def agreement(a: Report, b: Report) -> Agreement:
    before, after = compare.cases_of(a), compare.cases_of(b)
    bounds = compare.resolutions(a), compare.resolutions(b)
    both = [key for key in before if key in after and before[key]["unit"] == after[key]["unit"]]
    if not both:
        raise Failure("compare: the reports have no case in common")
    apart = []
    for key in both:
        one, other = before[key], after[key]
        reach = margin(one, bounds)
        if compare.judge(one["added"], other["added"], reach) != SAME:
            env, shape, variant, state = key
            name = f"{env} {shape} {state} {variant}"
            apart.append(Apart(name, one["unit"], one["added"], other["added"], reach))
    lacking = len(before.keys() ^ after.keys())
    return Agreement(len(both), apart, lacking, list(compare.differences(a, b)))


def lines(found: Agreement, wanted: float) -> Iterator[str]:
    agreed = found.cells - len(found.apart)
    verdict = "enough" if found.percent >= wanted else "too few"
    yield f"{agreed} of {found.cells} cells agree: {found.percent:.1f} %, {verdict} (wanted {wanted:g} %)"
    yield from (notation.fact("warning", warning) for warning in found.warnings)
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
    """For programs."""
    return {
        "schema": NAME,
        "a": a["created"],
        "b": b["created"],
        "cells": found.cells,
        "percent": found.percent,
        "lacking": found.lacking,
        "warnings": found.warnings,
        "apart": [vars(cell) for cell in found.apart],
    }
