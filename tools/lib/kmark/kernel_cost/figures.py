# SPDX-License-Identifier: GPL-2.0-only
"""The arithmetic of `kmark kernel-cost`: from the runs of several boots to a count for each
operation, and from two counts to a verdict.

The count of an operation is that of its shortest run, into which no interrupt fell. It is
exact if more than half of the runs of each boot took just as many instructions. Then a
difference of one instruction is a difference. For the others, whose path depends on which
memory happens to be free, a difference has to be larger than the median run is longer than
the shortest."""

from __future__ import annotations

import statistics
from dataclasses import dataclass

SAME, DIFFERS, NOT_RESOLVED, ONLY_ONE = "same", "differs", "not resolved", "only one"


@dataclass(frozen=True)
class Figure:
    """Instructions of one operation on one kernel. `resolves`: the smallest difference that
    counts as one."""

    count: int
    exact: bool
    resolves: int


@dataclass(frozen=True)
class Row:
    """One operation on both kernels; None where a kernel lacks it."""

    name: str
    old: Figure | None
    new: Figure | None

    @property
    def difference(self) -> int | None:
        return self.new.count - self.old.count if self.old and self.new else None

    @property
    def verdict(self) -> str:
        if not self.old or not self.new:
            return ONLY_ONE
        difference = abs(self.new.count - self.old.count)
        if difference == 0:
            return SAME
        return DIFFERS if difference >= max(self.old.resolves, self.new.resolves) else NOT_RESOLVED


def figure(boots: list[list[int]]) -> Figure:
    """Return the figure of an operation. `boots`: the runs of each boot."""
    least = min(min(runs) for runs in boots)
    if all(2 * runs.count(least) > len(runs) for runs in boots):
        return Figure(least, True, 1)
    median = statistics.median_high(run for runs in boots for run in runs)
    return Figure(least, False, median - least + 1)


def figures(boots: list[dict[str, list[int]]]) -> dict[str, Figure]:
    """Return the figures by operation, only of operations that every boot has."""
    names = [name for name in boots[0] if all(name in boot for boot in boots)]
    return {name: figure([boot[name] for boot in boots]) for name in names}


def compare(old: dict[str, Figure], new: dict[str, Figure], order: list[str]) -> list[Row]:
    """A row for each operation that at least one of the kernels has, in that order."""
    found = [Row(name, old.get(name), new.get(name)) for name in order]
    return [row for row in found if row.old or row.new]
