# SPDX-License-Identifier: GPL-2.0-only
"""Places: a layout of a loop in one process. The cost of a variant can depend on the place, and then a
median over all places is a figure that no loop has."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

GAP = 0.5  # cycles or instructions of one loop; places closer than that are one group
MOST_GROUPS = 4  # more are a spread
SMALLEST = 0.1  # share of the places; a smaller group shows only as the best or worst place

Array = NDArray[np.float64]


def median(values: Array) -> float:
    """Return the median. numpy.median() is slow for few values."""
    ordered = np.sort(values)
    count = len(ordered)
    return float((ordered[(count - 1) // 2] + ordered[count // 2]) / 2)


@dataclass(frozen=True, slots=True)
class Group:
    """Places that agree: their number and the median of their figures."""

    places: int
    median: float


@dataclass(frozen=True, slots=True)
class Places:
    """The figures of all places, in the unit of the case for one loop: `best` is the least,
    `worst` the largest. `groups`: one, or from 2 to MOST_GROUPS that are clearly apart."""

    count: int
    mean: float
    best: float
    worst: float
    groups: tuple[Group, ...]

    @property
    def split(self) -> bool:
        """True if the places fall into groups, so that the median is no loop's figure."""
        return len(self.groups) > 1

    @classmethod
    def of(cls, medians: Array, least: float) -> Places:
        """Return the places of a case. `medians`: medians of the places; `least`: a gap between groups must
        be larger, because the run cannot distinguish less, in the same unit."""
        groups = tuple(Group(len(part), median(part)) for part in divided(medians, least))
        return cls(
            len(medians), float(np.mean(medians)), float(np.min(medians)), float(np.max(medians)), groups
        )


def divided(medians: Array, least: float) -> list[Array]:
    """The fewest groups, each of SMALLEST of the places or more, and of several where there are
    more than MOST_GROUPS, between which every gap is wider than GAP, than `least`, and
    than each of the groups; one group if there are none such."""
    ordered = np.sort(medians)
    smallest = max(SMALLEST * len(ordered), 2 if len(ordered) > MOST_GROUPS else 1)
    gaps = np.diff(ordered)
    for count in range(2, min(MOST_GROUPS, len(ordered)) + 1):
        cuts = np.sort(np.argsort(gaps)[-(count - 1) :]) + 1
        parts = np.split(ordered, cuts)
        narrowest = float(gaps[cuts - 1].min())
        widest = max(float(part[-1] - part[0]) for part in parts)
        fewest = min(len(part) for part in parts)
        if narrowest > max(GAP, least, widest) and fewest >= smallest:
            return parts
    return [ordered]
