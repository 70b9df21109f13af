# SPDX-License-Identifier: GPL-2.0-only
"""What it costs to open and to close many sites: together, one by one, and
the kernel's static keys beside them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from kmark.analysis.raw import Raw, Toggle
from kmark.analysis.stats import Clock, Estimate, estimate

TOGETHER = "together"  # what the others are compared with
UNITS = {"cycles": "ns", "instructions": "instructions"}  # by that of the cases


@dataclass(frozen=True)
class Cost:
    """One way to change all sites to one state. `peer`: the share of the time
    that another thread ran the sites; `ratio`: to the sites changed together."""

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


def middle(values: Iterable[int | None]) -> float | None:
    """The median, if all are known."""
    known = [value for value in values if value is not None]
    return float(np.median(known)) if known else None


def whole(value: float | None) -> int | None:
    return None if value is None else round(value)


def ratio_of(samples: list[Toggle], base: list[Toggle]) -> Estimate | None:
    """Paired by round."""
    amounts = {sample.round: sample.amount for sample in base}
    ratios = [sample.amount / amounts[sample.round] for sample in samples if sample.round in amounts]
    return estimate(ratios) if ratios else None


def analyse(raw: Raw) -> list[Cost]:
    """In the order they came, open before closed."""
    if not raw.toggles:
        return []
    unit = UNITS[Clock.of(raw).unit]
    groups: dict[tuple[str, str], list[Toggle]] = {}
    for toggle in raw.toggles:
        groups.setdefault((toggle.state, toggle.what), []).append(toggle)
    costs = []
    for (state, what), samples in sorted(groups.items(), key=lambda group: group[0][0] != "open"):
        peer = middle(sample.peer for sample in samples)
        costs.append(
            Cost(
                env=raw.env,
                what=what,
                state=state,
                unit=unit,
                sites=samples[0].sites,
                transactions=samples[0].transactions,
                rounds=whole(middle(sample.rounds for sample in samples)),
                traps=whole(middle(sample.traps for sample in samples)),
                peer=None if peer is None else peer / 100,
                samples=len(samples),
                per_site=estimate(sample.amount / sample.sites for sample in samples),
                ratio=None if what == TOGETHER else ratio_of(samples, groups.get((state, TOGETHER), [])),
            )
        )
    return costs
