# SPDX-License-Identifier: GPL-2.0-only
"""The cost of opening and closing many sites: together, one by one, and the kernel's static keys for
comparison."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from kmark.analysis.cases import Estimate
from kmark.analysis.raw import Raw, Toggle
from kmark.analysis.stats import Clock, estimate
from kmark.errors import Failure

TOGETHER = "together"  # the baseline of the ratios
UNITS = {"cycles": "ns", "instructions": "instructions"}  # by that of the cases


@dataclass(frozen=True, slots=True)
class Cost:
    """One way to change all sites to one state. `per_site` is in `unit`; `peer`: share of
    the time that another thread ran the sites; `ratio`: to the sites changed together;
    `interrupts`: of each other CPU, counted in a guest with two; None: not counted."""

    env: str
    what: str
    state: str
    unit: str
    sites: int
    transactions: int
    rounds: int | None
    traps: int | None
    peer: float | None
    samples: int
    per_site: Estimate
    ratio: Estimate | None
    interrupts: int | None = None


def known_median(values: Iterable[int | None]) -> float | None:
    """The median of the values that are known; None if none is."""
    known = [value for value in values if value is not None]
    return float(np.median(known)) if known else None


def rounded(value: float | None) -> int | None:
    """Rounded; None stays None."""
    return None if value is None else round(value)


def ratio_of(samples: list[Toggle], base: list[Toggle]) -> Estimate | None:
    """The ratio of the amounts, paired by round; None if there is no pair."""
    amounts = {sample.round: sample.amount for sample in base}
    ratios = [sample.amount / amounts[sample.round] for sample in samples if sample.round in amounts]
    return estimate(ratios) if ratios else None


def interrupts_of(raw: Raw) -> dict[tuple[str, str], int]:
    """The interrupts of the other CPU, by state and way. Failure if one is no number."""
    try:
        return {(row["state"], row["what"]): int(row["count"]) for row in raw.tables.get("interrupts", [])}
    except ValueError as problem:
        raise Failure(f"{raw.env}: interrupts: {problem}") from None


def analyse(raw: Raw) -> list[Cost]:
    """The costs of a document, open before closed, each in the order they came."""
    if not raw.toggles:
        return []
    unit = UNITS[Clock.of(raw).unit]
    interrupts = interrupts_of(raw)
    groups: dict[tuple[str, str], list[Toggle]] = {}
    for toggle in raw.toggles:
        groups.setdefault((toggle.state, toggle.what), []).append(toggle)
    costs = []
    for (state, what), samples in sorted(groups.items(), key=lambda group: group[0][0] != "open"):
        peer = known_median(sample.peer for sample in samples)
        costs.append(
            Cost(
                env=raw.env,
                what=what,
                state=state,
                unit=unit,
                sites=samples[0].sites,
                transactions=samples[0].transactions,
                rounds=rounded(known_median(sample.rounds for sample in samples)),
                traps=rounded(known_median(sample.traps for sample in samples)),
                peer=None if peer is None else peer / 100,
                samples=len(samples),
                per_site=estimate(sample.amount / sample.sites for sample in samples),
                ratio=None if what == TOGETHER else ratio_of(samples, groups.get((state, TOGETHER), [])),
                interrupts=interrupts.get((state, what)),
            )
        )
    return costs
