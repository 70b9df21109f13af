# SPDX-License-Identifier: GPL-2.0-only
"""All the arithmetic: from samples to what a variant adds to a loop.

Natively the TSC's ticks become core cycles through the chains of dependent adds around each
sample; under icount a tick is an instruction. Every figure is a median. What a variant adds
is taken from pairs with `none` of the same round and layout. Documentation/measuring.md
says why."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr

from kmark.analysis.raw import Raw, Sample
from kmark.analysis.shapes import TWICE
from kmark.errors import Failure

BASELINE, NULL = "none", "null"
CONFIDENCE = 0.95  # of every interval; texts say it by interval_name()
DRIFT_LIMIT = 0.01  # between the chains before and after a sample
CHAINS_LIMIT = 0.02  # between the add chain's and the imul chain's rate
DROPPED_LIMIT = 0.20  # of a case's samples; more makes it noisy
NOISE_OF_LOOP, NOISE_OF_ADDED = 0.02, 0.10  # above both shares a case is noisy
ENOUGH = math.ceil(1 - math.log2(1 - CONFIDENCE))  # pairs; with fewer the sign test has no interval
BOOTSTRAPS, SEED = 2000, 2006

Array = NDArray[np.float64]
Pair = tuple[int, int, int]  # layout, round, how often that pair was seen before


@dataclass(frozen=True)
class Estimate:
    """A median and the bounds of its interval, at the level CONFIDENCE."""

    median: float
    lo: float
    hi: float

    @property
    def bound(self) -> float:
        """The largest size that the interval allows."""
        return max(abs(self.lo), abs(self.hi))


@dataclass(frozen=True)
class Difference:
    """What a variant adds, and half the width of the sign test's interval once the layouts'
    own medians are subtracted: the noise alone."""

    added: Estimate
    noise: float


@dataclass(frozen=True)
class Case:
    """One variant in one shape and state. `per_loop`, `added` and `resolution` are in
    `unit` for one loop; `status` is ok, noisy or unresolved."""

    env: str
    shape: str
    variant: str
    state: str
    unit: str
    loops: int
    sites: int
    samples: int
    dropped: int
    per_loop: Estimate
    added: Estimate
    resolution: float
    status: str


@dataclass(frozen=True)
class SiteCost:
    """What one site costs, in `unit`, free of the loop around it: the loop of twice the
    sites less the loop, divided by the sites. `none` has no sites, so it shows noise."""

    env: str
    shape: str
    variant: str
    state: str
    unit: str
    sites: int
    cost: Estimate


@dataclass(frozen=True)
class Clock:
    """Converts the ticks of a document to its unit, cycles or instructions. `adds`,
    `imuls`: the cycles of the two chains."""

    unit: str
    adds: int = 0
    imuls: int = 0

    @classmethod
    def of(cls, raw: Raw) -> Clock:
        """Failure if a sample lacks its chains where others have them, or natively."""
        chained = [bool(s.add0 and s.add1 and s.imul0 and s.imul1) for s in raw.samples]
        if not any(chained):
            if raw.env in ("native", "uml"):
                raise Failure(f"raw data of {raw.env}: no chains, so ticks cannot become cycles")
            return cls("instructions")
        if not all(chained):
            raise Failure(f"raw data of {raw.env}: some samples have no chains")
        latency = raw.number("imul_latency")
        return cls("cycles", raw.number("chain_adds"), raw.number("chain_imuls") * latency)

    def per_loop(self, sample: Sample) -> float:
        """Cycles or instructions of one loop."""
        ticks = sample.ticks / sample.loops
        if self.unit == "instructions":
            return ticks
        return ticks * 2 * self.adds / (sample.add0 + sample.add1)

    def is_good(self, sample: Sample) -> bool:
        """Whether the chains around a sample agree: before with after (DRIFT_LIMIT), and
        adds with multiplications (CHAINS_LIMIT). Instructions always do."""
        if self.unit == "instructions":
            return True
        drift = max(
            relative_difference(sample.add0, sample.add1), relative_difference(sample.imul0, sample.imul1)
        )
        adds = (sample.add0 + sample.add1) / self.adds
        imuls = (sample.imul0 + sample.imul1) / self.imuls
        return drift <= DRIFT_LIMIT and relative_difference(adds, imuls) <= CHAINS_LIMIT


@dataclass(frozen=True)
class Timings:
    """The samples of one variant, in the unit of the clock for one loop, and which are good."""

    values: dict[Pair, float]
    good: set[Pair]

    @classmethod
    def of(cls, samples: list[Sample], clock: Clock) -> Timings:
        """Samples of the same round and layout are numbered in their order."""
        seen: dict[tuple[int, int], int] = defaultdict(int)
        timings = cls({}, set())
        for sample in samples:
            place = sample.layout, sample.round
            pair = (*place, seen[place])
            seen[place] += 1
            timings.values[pair] = clock.per_loop(sample)
            if clock.is_good(sample):
                timings.good.add(pair)
        return timings

    def per_loop(self) -> Estimate:
        """The median of the good samples; of all where fewer than ENOUGH are good."""
        pairs = self.good if len(self.good) >= ENOUGH else self.values
        return estimate(self.values[pair] for pair in pairs)

    def added_to(self, base: Timings) -> Difference:
        """What these samples add to `base`, from pairs of the same round and layout.
        Failure if there is no such pair."""
        pairs = self.good & base.good
        if len(pairs) < ENOUGH:  # a noisy figure, marked so, is better than none
            pairs = self.values.keys() & base.values.keys()
        if not pairs:
            raise Failure(f"raw data: a variant shares no round and layout with {BASELINE}")
        return estimate_by_layout({pair: self.values[pair] - base.values[pair] for pair in sorted(pairs)})


def interval_name() -> str:
    """What texts call the interval of an Estimate: with its level, in percent."""
    return f"{100 * CONFIDENCE:g} % interval"


def relative_difference(one: float, other: float) -> float:
    """How far two positive values differ, as a share of their mean."""
    return 2 * abs(one - other) / (one + other)


def sign_interval(values: Array) -> tuple[float, float]:
    """Distribution-free interval of the median: the order statistics that the sign test
    does not reject. With fewer than ENOUGH values, from the least to the largest."""
    ordered = np.sort(values)
    count = len(ordered)
    outside = (1 - CONFIDENCE) / 2
    rejected = int(np.sum(bdtr(np.arange(count), count, 0.5) <= outside))
    rank = max(rejected - 1, 0)
    return float(ordered[rank]), float(ordered[count - 1 - rank])


def bootstrap_interval(groups: list[Array]) -> tuple[float, float]:
    """Interval of the median of the groups' medians, from BOOTSTRAPS resamplings of the
    groups with a fixed seed."""
    medians = np.array([np.median(group) for group in groups])
    draws = np.random.default_rng(SEED).integers(len(medians), size=(BOOTSTRAPS, len(medians)))
    outside = 50 * (1 - CONFIDENCE)
    lo, hi = np.percentile(np.median(medians[draws], axis=1), [outside, 100 - outside])
    return float(lo), float(hi)


def estimate(values: Iterable[float]) -> Estimate:
    """The median, with the interval of the sign test."""
    array = np.fromiter(values, np.float64)
    return Estimate(float(np.median(array)), *sign_interval(array))


def estimate_by_layout(differences: dict[Pair, float]) -> Difference:
    """The median over layouts of the medians over rounds; its interval spans that of the
    sign test and that of the bootstrap."""
    groups: dict[int, list[float]] = defaultdict(list)
    for (layout, _, _), value in differences.items():
        groups[layout].append(value)
    layouts = [np.array(group) for group in groups.values()]
    bounds = [*sign_interval(np.concatenate(layouts)), *bootstrap_interval(layouts)]
    median = float(np.median([np.median(group) for group in layouts]))
    lo, hi = sign_interval(np.concatenate([group - np.median(group) for group in layouts]))
    return Difference(Estimate(median, min(bounds), max(bounds)), (hi - lo) / 2)


def status_of(found: Difference, base: float, resolution: float, dropped: float) -> str:
    """ok, noisy or unresolved. `base`: per loop of `none`; `resolution`: what `null` shows;
    `dropped`: share of the samples."""
    size = abs(found.added.median)
    if dropped > DROPPED_LIMIT:
        return "noisy"
    if size < resolution:
        return "unresolved"
    if found.noise > max(NOISE_OF_LOOP * base, NOISE_OF_ADDED * size):
        return "noisy"
    return "ok"


def analyse_group(env: str, group: dict[str, list[Sample]], clock: Clock) -> list[Case]:
    """The cases of one shape and state; `null` says what can be resolved. Failure without
    samples of `none` or of `null`."""
    first = next(iter(group.values()))[0]
    where = f"raw data of {env}: {first.shape}, {first.state}"
    for needed in (BASELINE, NULL):
        if needed not in group:
            raise Failure(f"{where}: no samples of {needed}")
    timings = {variant: Timings.of(samples, clock) for variant, samples in group.items()}
    base = timings[BASELINE].per_loop().median
    resolution = timings[NULL].added_to(timings[BASELINE]).added.bound
    cases = []
    for variant, samples in group.items():
        found = timings[variant].added_to(timings[BASELINE])
        dropped = len(samples) - len(timings[variant].good)
        status = status_of(found, base, resolution, dropped / len(samples))
        if variant in (BASELINE, NULL) and status == "unresolved":
            status = "ok"  # these two add nothing
        cases.append(
            Case(
                env=env,
                shape=first.shape,
                variant=variant,
                state=first.state,
                unit=clock.unit,
                loops=samples[0].loops,
                sites=samples[0].sites,
                samples=len(samples),
                dropped=dropped,
                per_loop=timings[variant].per_loop(),
                added=found.added,
                resolution=resolution,
                status=status,
            )
        )
    return cases


def grouped(raw: Raw) -> dict[tuple[str, str], dict[str, list[Sample]]]:
    """Samples by shape and state, then variant, in the order they came."""
    groups: dict[tuple[str, str], dict[str, list[Sample]]] = {}
    for sample in raw.samples:
        group = groups.setdefault((sample.shape, sample.state), {})
        group.setdefault(sample.variant, []).append(sample)
    return groups


def analyse(raw: Raw) -> list[Case]:
    """All cases of a document, `null` included, in the order they came."""
    clock = Clock.of(raw)
    return [case for group in grouped(raw).values() for case in analyse_group(raw.env, group, clock)]


def site_costs(raw: Raw) -> list[SiteCost]:
    """For every variant that was measured in a shape of TWICE and in its double."""
    clock, groups, found = Clock.of(raw), grouped(raw), []
    for (shape, state), group in groups.items():
        doubled = groups.get((TWICE.get(shape, ""), state), {})
        for variant, samples in group.items():
            if variant not in doubled:
                continue
            once, twice = Timings.of(samples, clock), Timings.of(doubled[variant], clock)
            sites, more = samples[0].sites, twice.added_to(once).added
            cost = Estimate(more.median / sites, more.lo / sites, more.hi / sites)
            found.append(SiteCost(raw.env, shape, variant, state, clock.unit, sites, cost))
    return found
