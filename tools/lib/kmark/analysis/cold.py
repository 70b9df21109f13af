# SPDX-License-Identifier: GPL-2.0-only
"""The cost of a site in code that is not in the first-level caches, by the K-best scheme: of the
processes that shared the rounds the fastest one counts, since whatever a process has in common with
no other, such as the colours of its pages, can only make it slower. The shapes are code of several
sizes, and code that was flushed to memory."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kmark.analysis.cases import Estimate
from kmark.analysis.places import Array, median
from kmark.analysis.raw import Raw
from kmark.analysis.shapes import SHARED_CODE
from kmark.analysis.stats import Clock, Scheme, Timings, grouped, grouped_by
from kmark.analysis.variants import BASELINE, is_null

K = 3


@dataclass(frozen=True, slots=True)
class ColdSite:
    """The cost of one site of `shape`, in `unit`: the fastest process of the variant less the fastest
    one of `none`, by the sites. The interval spans what the K fastest of both allow. `resolution`: the
    same for `null`, which has no site. `step`: the cost of a step without a site, of the fastest process
    of `none`; 0 in older reports."""

    env: str
    shape: str
    variant: str
    state: str
    unit: str
    sites: int
    cost: Estimate
    resolution: float
    step: float = 0.0


def fastest(medians: Array) -> tuple[float, float]:
    """The least of the processes' medians, and the K-th."""
    ordered = np.sort(medians)
    return float(ordered[0]), float(ordered[min(K, len(ordered)) - 1])


def by_process(timings: Timings, scheme: Scheme) -> Array:
    """The median of each process' good samples; of all samples where a variant has none."""
    pairs = timings.good or timings.values.keys()
    of = grouped_by((scheme.process(pair[0]), timings.values[pair]) for pair in pairs)
    return np.array([median(values) for values in of.values()])


def sites(raw: Raw) -> list[ColdSite]:
    """For every variant of the shapes SHARED_CODE, where several processes shared the rounds."""
    clock, found = Clock.of(raw), list[ColdSite]()
    for (shape, state), group in grouped(raw).items():
        scheme = Scheme.of(raw, shape)
        if shape not in SHARED_CODE or not scheme.shared:
            continue
        best = {
            name: fastest(by_process(Timings.of(samples, clock), scheme)) for name, samples in group.items()
        }
        count = group[BASELINE][0].sites
        costs = {
            name: Estimate(
                (least - best[BASELINE][0]) / count, (least - best[BASELINE][1]) / count,
                (kth - best[BASELINE][0]) / count,
            )
            for name, (least, kth) in best.items()
        }  # fmt: skip
        resolution = max(cost.bound for name, cost in costs.items() if is_null(name))
        step = best[BASELINE][0] / count
        found += [
            ColdSite(raw.env, shape, name, state, clock.unit, count, cost, resolution, step)
            for name, cost in costs.items() if name != BASELINE and not is_null(name)
        ]  # fmt: skip
    return found
