# SPDX-License-Identifier: GPL-2.0-only
"""Series of samples that judge a way to read the time stamp counter: from the sums made
while measuring to the statistics of Paoloni's paper.

Sums are exact integers of any size, and so is each variance until it is divided: nothing
overflows and nothing cancels. Documentation/methods.md explains each figure."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from statistics import median

from kmark.analysis.raw import Raw
from kmark.errors import Failure

OFFSET, STORES, BEFORE, INSIDE = "offset", "stores", "before", "inside"
CHAIN_IMULS = 64  # in the tests BEFORE and INSIDE
DISTINCT_SHARE = 0.95  # share of pairs of ensembles in which the longer loop has to take longer
CHAINS_LIMIT = 0.02  # between the rates that the two kinds of chain give
MOST_OF_INDEPENDENT = 2  # times the variance of variances that independent samples have
TRAP_TICKS = 1000  # a CPUID that takes longer traps to a hypervisor


@dataclass(frozen=True)
class Ensemble:
    """One inner loop of the evaluation: sums over its samples, in ticks."""

    number: int
    stores: int
    kept: int
    sum: int
    squares: int
    min: int
    max: int
    backwards: int
    disturbed: int
    worst: int
    took: int

    @property
    def mean(self) -> float:
        return self.sum / self.kept

    @property
    def variance(self) -> Fraction:
        return variance_of_sums(self.kept, self.sum, self.squares)

    @property
    def deviation(self) -> int:
        """The paper's: the largest less the least, of all samples, disturbed ones included."""
        return max(self.max, self.worst) - self.min


def variance_of_sums(count: int, total: int, squares: int) -> Fraction:
    """Return the variance of the whole population, as in the paper: divided by n, not n - 1."""
    return Fraction(count * squares - total * total, count * count)


def variance(values: list[int] | list[Fraction]) -> Fraction:
    total = sum(map(Fraction, values), Fraction())
    squares = sum((Fraction(value) * Fraction(value) for value in values), Fraction())
    return (squares * len(values) - total * total) / Fraction(len(values) ** 2)


def floored_variance(values: list[int]) -> int:
    """The paper's var_calc(), which divides integers."""
    return int(variance(values))


@dataclass(frozen=True)
class Series:
    """All ensembles of one fence and one test."""

    env: str
    fence: str
    reads: str
    test: str
    samples: int
    tolerance: int
    step: int
    stride: int
    insns: int
    chains: tuple[int, int, int, int]
    ensembles: list[Ensemble]
    bins: list[tuple[int, int, int]]  # from, width, count

    @property
    def minima(self) -> list[int]:
        return [ensemble.min for ensemble in self.ensembles]

    @property
    def mean(self) -> float:
        """Return the mean of all samples."""
        return sum(e.sum for e in self.ensembles) / sum(e.kept for e in self.ensembles)

    @property
    def least(self) -> int:
        return min(self.minima)

    @property
    def longest(self) -> int:
        """Return the longest sample that was not disturbed."""
        return max(ensemble.max for ensemble in self.ensembles)

    @property
    def disturbed(self) -> int:
        return sum(ensemble.disturbed for ensemble in self.ensembles)

    @property
    def backwards(self) -> int:
        return sum(ensemble.backwards for ensemble in self.ensembles)

    @property
    def variance_if_independent(self) -> Fraction | None:
        """The variance of the ensembles' variances if their samples were independent draws from the
        histogram of all samples: (fourth moment - squared variance) / samples; None without a histogram."""
        values = [(start if start else self.least, count) for start, _, count in self.bins]
        total = sum(count for _, count in values)
        if not total:
            return None
        mean = Fraction(sum(value * count for value, count in values), total)
        second, fourth = (
            sum(((v - mean) ** power * n for v, n in values), Fraction()) / total for power in (2, 4)
        )
        return (fourth - second**2) * len(self.ensembles) / sum(e.kept for e in self.ensembles)

    @property
    def spurious(self) -> int:
        """Number of ensembles whose minimum is below that of the one before."""
        return sum(now < before for before, now in zip(self.minima, self.minima[1:], strict=False))


@dataclass(frozen=True)
class Evaluation:
    """The paper's figures over all ensembles, in ticks and their squares."""

    spurious: int
    total_variance: Fraction
    max_deviation: int
    variance_of_variances: Fraction
    variance_of_minima: Fraction
    step: int
    if_independent: Fraction | None = None  # of variance_of_variances

    @classmethod
    def of(cls, series: Series) -> Evaluation:
        variances = [ensemble.variance for ensemble in series.ensembles]
        return cls(
            spurious=series.spurious,
            total_variance=sum(variances, Fraction()) / len(variances),
            max_deviation=max(ensemble.deviation for ensemble in series.ensembles),
            variance_of_variances=variance(variances),
            variance_of_minima=variance(series.minima),
            step=series.step,
            if_independent=series.variance_if_independent,
        )

    @property
    def constant(self) -> bool:
        """The minimum is the same in every ensemble, so it can be subtracted."""
        return self.variance_of_minima == 0

    def shortest(self, error: float) -> float:
        """How many ticks something must take to be measured with this average error (a share)."""
        return math.sqrt(self.total_variance) / error

    @property
    def ergodic(self) -> bool:
        """True if the minimum is constant and the variances of the ensembles differ by no more than those
        of independent samples do. Without a histogram, as of the paper, they have to go to 0: the paper's
        integers call 0 what is below 1; so does this, in units of the counter's step."""
        if self.if_independent is None:
            return self.constant and self.variance_of_variances / self.step**4 < 1
        return self.constant and self.variance_of_variances <= MOST_OF_INDEPENDENT * self.if_independent


@dataclass(frozen=True)
class Resolution:
    """How many stores more can be distinguished. `start`: the fewest that differ from none;
    shorter loops cannot be seen at all."""

    stores: int
    start: int
    ticks: float
    ticks_per_store: float
    spurious: int

    @classmethod
    def of(cls, series: Series) -> Resolution | None:
        """Return the resolution, or None if even the longest loops cannot be distinguished. Failure with
        fewer than three ensembles."""
        minima, stores = series.minima, [e.stores for e in series.ensembles]
        if len(minima) < 3 or stores[-1] == stores[0]:
            raise Failure(f"{series.env}: {series.fence}: too few ensembles for a resolution")
        slope = (minima[-1] - minima[0]) / (stores[-1] - stores[0])
        for apart in range(1, len(minima) // 2 + 1):
            pairs = list(zip(minima, minima[apart:], strict=False))
            if sum(longer > shorter for shorter, longer in pairs) >= DISTINCT_SHARE * len(pairs):
                start = next(i for i, least in enumerate(minima) if least > minima[0])
                added = apart * (stores[1] - stores[0])
                return cls(added, stores[start], added * slope, slope, series.spurious)
        return None


def load(raw: Raw) -> list[Series]:
    """Every series of a document, in its order. Failure if it is malformed."""
    ensembles: dict[str, list[Ensemble]] = defaultdict(list)
    bins: dict[str, list[tuple[int, int, int]]] = defaultdict(list)
    try:
        for row in raw.tables.get("ensemble", []):
            ensembles[row["series"]].append(parse_ensemble(row))
        for row in raw.tables.get("bin", []):
            bins[row["series"]].append((int(row["from"]), int(row["width"]), int(row["count"])))
        return [
            parse_series(raw.env, row, ensembles[row["number"]], bins[row["number"]])
            for row in raw.tables.get("series", [])
        ]
    except ValueError as problem:
        raise Failure(f"raw data of {raw.env}: {problem}") from None


def parse_ensemble(row: dict[str, str]) -> Ensemble:
    found = Ensemble(
        number=int(row["number"]),
        stores=int(row["stores"]),
        kept=int(row["kept"]),
        sum=int(row["sum"], 16),
        squares=int(row["squares"], 16),
        min=int(row["min"]),
        max=int(row["max"]),
        backwards=int(row["backwards"]),
        disturbed=int(row["disturbed"]),
        worst=int(row["worst"]),
        took=int(row["took"]),
    )
    if found.kept < 1:
        raise ValueError(f"ensemble {found.number} has no sample left")
    return found


def parse_series(
    env: str, row: dict[str, str], ensembles: list[Ensemble], bins: list[tuple[int, int, int]]
) -> Series:
    if not ensembles:
        raise ValueError(f"series {row['number']} has no ensembles")
    return Series(
        env=env,
        fence=row["fence"],
        reads=row["reads"],
        test=row["test"],
        samples=int(row["samples"]),
        tolerance=int(row["tolerance"]),
        step=int(row["step"]),
        stride=int(row["stride"]),
        insns=int(row["insns"]),
        chains=(int(row["add0"]), int(row["imul0"]), int(row["add1"]), int(row["imul1"])),
        ensembles=ensembles,
        bins=bins,
    )


@dataclass(frozen=True)
class Unit:
    """The unit of ticks: `name`, and the number of units in a tick."""

    name: str
    per_tick: float

    @classmethod
    def of(cls, raw: Raw, series: list[Series]) -> Unit:
        """From the chains of all series, less the time of the reads; ticks where the two kinds of chain do
        not agree."""
        reads = {one.fence: one.mean for one in series if one.test == OFFSET}
        adds, imuls = (
            [one.chains[at] - reads.get(one.fence, 0) for one in series for at in places if one.chains[at]]
            for places in ((0, 2), (1, 3))
        )
        if not adds:
            return cls("instructions", 1)
        by_adds = raw.number("chain_adds") / median(adds)
        by_imuls = raw.number("chain_imuls") * raw.number("imul_latency") / median(imuls)
        if abs(by_adds - by_imuls) > CHAINS_LIMIT * by_adds:
            return cls("ticks", 1)
        return cls("cycles", by_adds)


def intel_lines(series: Series) -> list[str]:
    """The log of the paper's module, line by line, in its integers."""
    variances = [int(ensemble.variance) for ensemble in series.ensembles]
    lines = ["Loading hello module..."]
    lines += [
        f"loop_size:{number} >>>> variance(cycles): {one}; max_deviation: {ensemble.deviation} ;"
        f"min time: {ensemble.min}"
        for number, (one, ensemble) in enumerate(zip(variances, series.ensembles, strict=True))
    ]
    totals = {
        "total number of spurious min values": series.spurious,
        "total variance": sum(variances) // len(variances),
        "absolute max deviation": max(ensemble.deviation for ensemble in series.ensembles),
        "variance of variances": floored_variance(variances),
        "variance of minimum values": floored_variance(series.minima),
    }
    for name, value in totals.items():
        lines += ["", f"{name} = {value}"]
    return lines
