# SPDX-License-Identifier: GPL-2.0-only
"""The arithmetic of `kmark kernel-cost`: from the runs of several boots to a count for each
operation, and from two counts to a verdict.

The count of an operation is that of its shortest run, into which no interrupt fell. It is
exact if in each boot three runs were as short. Then a difference of one instruction is a
difference. For the others, whose path depends on which memory happens to be free, a
difference has to be larger than the third shortest run, of the boot where that is the longest,
is longer than the shortest of all."""

from __future__ import annotations

from dataclasses import dataclass

SHORT_RUNS = 3  # of each boot; a path that fewer runs take may be missed in another kernel's boots
# Instructions below which nothing is resolved. Where a kernel's memory lies decides how long the chains of
# dentries and the lists of free pages are; two images of one kernel differed by up to 24.
LEAST_RESOLVED = {"fork": 50, "exec": 50}
SAME, DIFFERS, NOT_RESOLVED, ONLY_ONE = "same", "differs", "not resolved", "only one"


@dataclass(frozen=True)
class Figure:
    """Instructions of one operation on one kernel. `resolves`: the smallest difference that
    counts as one."""

    count: int
    resolves: int

    @property
    def exact(self) -> bool:
        return self.resolves == 1


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


def figure(boots: list[list[int]], least_resolved: int = 1) -> Figure:
    """Return the figure of an operation. `boots`: the runs of each boot."""
    least = min(min(runs) for runs in boots)
    third = max(sorted(runs)[SHORT_RUNS - 1] for runs in boots)
    return Figure(least, max(third - least + 1, least_resolved))


def figures(boots: list[dict[str, list[int]]]) -> dict[str, Figure]:
    """Return the figures by operation, only of operations that every boot has."""
    names = [name for name in boots[0] if all(name in boot for boot in boots)]
    return {name: figure([boot[name] for boot in boots], LEAST_RESOLVED.get(name, 1)) for name in names}


def compare(old: dict[str, Figure], new: dict[str, Figure], order: list[str]) -> list[Row]:
    """A row for each operation that at least one of the kernels has, in that order."""
    found = [Row(name, old.get(name), new.get(name)) for name in order]
    return [row for row in found if row.old or row.new]
