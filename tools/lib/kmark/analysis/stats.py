# SPDX-License-Identifier: GPL-2.0-only
"""All the arithmetic: from samples to the cost that a variant adds to a loop.

Natively the TSC's ticks become core cycles through the chains of dependent adds around each sample; under
icount a tick is an instruction. Every figure is a median. The added cost is computed from pairs with `none`
of the same round and layout; Documentation/measuring.md has the reasons. Not here: the cost of one of
several sites (site.py)."""

from __future__ import annotations

import functools
import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr

from kmark.analysis.cases import NEGATIVE, NOISY, OK, SPLIT, UNRESOLVED, Case, Estimate
from kmark.analysis.places import Array, Places, median
from kmark.analysis.raw import Raw, Sample
from kmark.analysis.shapes import SHARED_CODE
from kmark.analysis.variants import BASELINE, NULL, is_moved, is_null
from kmark.errors import Failure

CONFIDENCE = 0.95  # level of every interval; texts use interval_name()
DRIFT_LIMIT = 0.01  # between the chains before and after a sample
CHAINS_LIMIT = 0.02  # between the add chain's and the imul chain's rate
DROPPED_LIMIT = 0.20  # share of a case's samples; more makes it noisy
NOISE_OF_LOOP, NOISE_OF_ADDED = 0.02, 0.10  # above both shares a case is noisy
ENOUGH = math.ceil(1 - math.log2(1 - CONFIDENCE))  # pairs; with fewer the sign test has no interval
BOOTSTRAPS, SEED = 2000, 2006

Pair = tuple[int, int, int]  # layout, round, how often that pair was seen before


@dataclass(frozen=True)
class Difference:
    """The cost that a variant adds, at each place (`medians`) and over all. `noise`: half the width of the
    sign test's interval once the places' own medians are subtracted."""

    added: Estimate
    medians: Array
    noise: float

    @property
    def noise_of_place(self) -> float:
        """Return `noise` of the median of one place, which has a part of the samples."""
        return self.noise * math.sqrt(len(self.medians))


@dataclass(frozen=True)
class Clock:
    """Converts the ticks of a document to its unit, cycles or instructions. `adds`,
    `imuls`: the cycles of the two chains; `offset`: ticks that a pair of reads adds to what is
    between them; `slice_loops`: loops between two reads, 0: all; `step`: of the counter, in ticks."""

    unit: str
    adds: int = 0
    imuls: int = 0
    offset: int = 0
    slice_loops: int = 0
    step: int = 1

    @classmethod
    def of(cls, raw: Raw) -> Clock:
        """The offset is 0 where older raw data does not say it. Failure if samples lack their
        chains natively, or if they are no longer than what reading the counter adds."""
        reads = (
            raw.number_or("fence_ticks", 0),
            raw.number_or("slice_loops", 0),
            raw.number_or("tsc_step", 1),
        )
        if not any(sample.has_chains for sample in raw.samples):
            if raw.env in ("native", "uml"):
                raise Failure(f"{raw.env}: no chains, so ticks cannot become cycles")
            return cls("instructions", 0, 0, *reads[:2])
        if raw.shortest_chains <= 2 * reads[0]:
            raise Failure(f"{raw.env}: a chain takes no longer than reading the counter, {reads[0]} ticks")
        latency = raw.number("imul_latency")
        return cls("cycles", raw.number("chain_adds"), raw.number("chain_imuls") * latency, *reads)

    def per_tick(self, sample: Sample) -> float:
        """Cycles or instructions of one tick, from the chains around a sample."""
        if self.unit == "instructions":
            return 1.0
        return 2 * self.adds / (sample.add0 + sample.add1 - 2 * self.offset)

    def per_loop(self, sample: Sample) -> float:
        """Return the cycles or instructions of one loop."""
        reads = -(-sample.loops // self.slice_loops) if self.slice_loops else 1
        return (sample.ticks - reads * self.offset) * self.per_tick(sample) / sample.loops

    def step_per_loop(self, sample: Sample) -> float:
        """Return the step of the counter in cycles or instructions of one loop: the least difference that
        one sample can show."""
        return self.step * self.per_tick(sample) / sample.loops

    def is_good(self, sample: Sample) -> bool:
        """True if the chains around a sample agree: before with after (DRIFT_LIMIT), and
        adds with multiplications (CHAINS_LIMIT). Instructions always do."""
        if self.unit == "instructions":
            return True
        drift = max(
            relative_difference(sample.add0, sample.add1), relative_difference(sample.imul0, sample.imul1)
        )
        adds = (sample.add0 + sample.add1 - 2 * self.offset) / self.adds
        imuls = (sample.imul0 + sample.imul1 - 2 * self.offset) / self.imuls
        return drift <= DRIFT_LIMIT and relative_difference(adds, imuls) <= CHAINS_LIMIT


@dataclass(frozen=True)
class Scheme:
    """Arrangement of the samples of a shape: `layouts` in each process (0: there is one process), and
    whether these share their code, so that a process is one place. `bootstraps`: resamplings
    for an interval."""

    layouts: int = 0
    shared: bool = False
    bootstraps: int = BOOTSTRAPS

    @classmethod
    def of(cls, raw: Raw, shape: str) -> Scheme:
        several = raw.number_or("processes", 1) > 1
        return cls(raw.number("layouts") if several else 0, several and shape in SHARED_CODE)

    def process(self, layout: int) -> int:
        """Return the number of the process that measured a layout. join_runs() numbers the layouts of each
        process in a row."""
        return layout // self.layouts if self.layouts else 0

    def place(self, layout: int) -> int:
        return self.process(layout) if self.shared else layout


@dataclass(frozen=True)
class Timings:
    """Samples of one variant, in the unit of the clock for one loop, and the set of good samples."""

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
        """Return the median of the good samples, or of all samples if fewer than ENOUGH are good."""
        pairs = self.good if len(self.good) >= ENOUGH else self.values
        return estimate(self.values[pair] for pair in pairs)

    def less(self, base: Timings) -> dict[Pair, float]:
        """The differences of pairs of the same round and layout. Failure if there is no such
        pair."""
        pairs = self.good & base.good
        if len(pairs) < ENOUGH:  # a noisy figure, marked so, is better than none
            pairs = self.values.keys() & base.values.keys()
        if not pairs:
            raise Failure(f"a variant shares no round and layout with {BASELINE}")
        return {pair: self.values[pair] - base.values[pair] for pair in sorted(pairs)}

    def added_to(self, base: Timings, scheme: Scheme) -> Difference:
        """Return the difference between these samples and `base`. Failure as of less()."""
        return estimate_by_layout(self.less(base), scheme)


def interval_name(samples: int = ENOUGH) -> str:
    """Return the name of the interval of an Estimate in texts: with its level, in percent. `samples`: of
    estimate(); fewer than ENOUGH have a range, whose level is lower."""
    return f"{100 * CONFIDENCE:g} % interval" if samples >= ENOUGH else "range"


def relative_difference(one: float, other: float) -> float:
    """Return the difference of two positive values, as a share of their mean."""
    return 2 * abs(one - other) / (one + other)


@functools.cache
def sign_rank(count: int, confidence: float) -> int:
    """Return how many of `count` ordered values lie outside the interval of the sign test, at either
    end."""
    outside = (1 - confidence) / 2
    rejected = int(np.sum(bdtr(np.arange(count), count, 0.5) <= outside))
    return max(rejected - 1, 0)


def sign_interval(values: Array) -> tuple[float, float]:
    """Distribution-free interval of the median: the order statistics that the sign test
    does not reject. With fewer than ENOUGH values, from the least to the largest."""
    ordered = np.sort(values)
    count = len(ordered)
    rank = sign_rank(count, CONFIDENCE)
    return float(ordered[rank]), float(ordered[count - 1 - rank])


def row_medians(rows: Array) -> Array:
    """Return the median of each row, without NaN."""
    ordered = np.sort(rows, axis=1)  # NaN comes last
    count = np.sum(~np.isnan(rows), axis=1)
    middle = [
        np.take_along_axis(ordered, at[:, None], axis=1)[:, 0] for at in ((count - 1) // 2, count // 2)
    ]
    return np.asarray((middle[0] + middle[1]) / 2)


@functools.cache
def draws(count: int, bootstraps: int) -> NDArray[np.int64]:
    """The clusters, of so many, in each of the resamples: always the same."""
    return np.random.default_rng(SEED).integers(count, size=(bootstraps, count))


def bootstrap_interval(clusters: list[Array], bootstraps: int = BOOTSTRAPS) -> tuple[float, float]:
    """Interval of the median of all values, from resamplings of whole clusters with
    a fixed seed: what differs between clusters, such as processes, is in it however many values
    each of them has."""
    chosen = draws(len(clusters), bootstraps)
    if all(len(cluster) == 1 for cluster in clusters):
        ordered = np.sort(np.concatenate(clusters)[chosen], axis=1)
        count = len(clusters)
        medians = (ordered[:, (count - 1) // 2] + ordered[:, count // 2]) / 2
    else:
        table = np.full((len(clusters), max(len(cluster) for cluster in clusters)), np.nan)
        for row, cluster in zip(table, clusters, strict=True):
            row[: len(cluster)] = cluster
        medians = row_medians(table[chosen].reshape(bootstraps, -1))
    outside = 50 * (1 - CONFIDENCE)
    lo, hi = np.percentile(medians, [outside, 100 - outside])
    return float(lo), float(hi)


def estimate(values: Iterable[float]) -> Estimate:
    """The median, with the interval of the sign test."""
    array = np.fromiter(values, np.float64)
    return Estimate(median(array), *sign_interval(array))


def grouped_by(values: Iterable[tuple[int, float]]) -> dict[int, Array]:
    """Values by their numbers."""
    groups: dict[int, list[float]] = defaultdict(list)
    for number, value in values:
        groups[number].append(value)
    return {number: np.array(group) for number, group in groups.items()}


def estimate_by_layout(differences: dict[Pair, float], scheme: Scheme = Scheme()) -> Difference:
    """Return the median over places of the medians over rounds. Its interval spans that of the sign test,
    that of a bootstrap of places, and that of a bootstrap of whole processes; if a process is one place,
    the sign test is that of the processes' medians."""
    places = grouped_by((scheme.place(layout), value) for (layout, _, _), value in differences.items())
    medians = np.array([median(place) for place in places.values()])
    numbers = places if scheme.shared else map(scheme.process, places)
    processes = list(grouped_by(zip(numbers, medians, strict=True)).values())
    bounds = list(sign_interval(medians if scheme.shared else np.concatenate([*places.values()])))
    bounds += bootstrap_interval([medians[at : at + 1] for at in range(len(medians))], scheme.bootstraps)
    if len(processes) > 1 and not scheme.shared:
        bounds += bootstrap_interval(processes, scheme.bootstraps)
    lo, hi = sign_interval(np.concatenate([place - median(place) for place in places.values()]))
    return Difference(Estimate(median(medians), min(bounds), max(bounds)), medians, (hi - lo) / 2)


def status_of(found: Difference, places: Places, base: float, resolution: float, dropped: float) -> str:
    """Return one of STATUSES. `base`: per loop of `none`; `resolution`: the larger of what `null` shows and
    a step of the counter; `dropped`: share of the samples."""
    added = found.added
    size = abs(added.median)
    if dropped > DROPPED_LIMIT:
        return NOISY
    if added.lo == added.hi and places.best == places.worst and not found.noise:
        return OK  # the same in all samples, as instructions are; also if it is 0
    if places.split:
        return SPLIT
    if not added.is_resolved(resolution):
        return UNRESOLVED
    if found.noise > max(NOISE_OF_LOOP * base, NOISE_OF_ADDED * size):
        return NOISY
    return NEGATIVE if added.hi < 0 else OK


def analyse_group(env: str, group: dict[str, list[Sample]], clock: Clock, scheme: Scheme) -> list[Case]:
    """Return the cases of one shape and state; the copy of `none` that differs most from `none` gives the
    resolution. Failure without samples of `none` or of `null`."""
    first = next(iter(group.values()))[0]
    where = f"{env}: {first.shape}, {first.state}"
    for needed in (BASELINE, NULL):
        if needed not in group:
            raise Failure(f"{where}: no samples of {needed}")
    timings = {variant: Timings.of(samples, clock) for variant, samples in group.items()}
    base = timings[BASELINE].per_loop().median
    differences = {name: timing.added_to(timings[BASELINE], scheme) for name, timing in timings.items()}
    null_bound = max(found.added.bound for name, found in differences.items() if is_null(name))
    cases = []
    for variant, samples in group.items():
        found = differences[variant]
        dropped = len(samples) - len(timings[variant].good)
        resolution = max(null_bound, clock.step_per_loop(samples[0]))
        places = Places.of(found.medians, max(resolution, 2 * found.noise_of_place))
        status = status_of(found, places, base, resolution, dropped / len(samples))
        if (variant == BASELINE or is_null(variant)) and status != NOISY:
            status = OK  # these two add nothing
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
                places=places,
                resolution=resolution,
                status=status,
                thread=None,
            )
        )
    return cases


def grouped(raw: Raw) -> dict[tuple[str, str], dict[str, list[Sample]]]:
    """Samples by shape and state, then variant, in the order they came. Copies of none at other
    addresses are left out where instructions are counted, which do not depend on addresses."""
    groups: dict[tuple[str, str], dict[str, list[Sample]]] = {}
    for sample in raw.samples:
        if not sample.has_chains and is_moved(sample.variant):
            continue
        group = groups.setdefault((sample.shape, sample.state), {})
        group.setdefault(sample.variant, []).append(sample)
    return groups


def core_mhz(raw: Raw) -> float | None:
    """The median rate of the core's clock while samples were taken; None where instructions are
    counted, or where the rate of the counter is unknown."""
    clock, tsc_khz = Clock.of(raw), raw.number_or("tsc_khz", 0)
    if clock.unit == "instructions" or not tsc_khz:
        return None
    rates = [clock.per_tick(sample) for sample in raw.samples]
    return median(np.array(rates)) * tsc_khz / 1000


def analyse(raw: Raw) -> list[Case]:
    """All cases of a document, `null` included, in the order they came."""
    clock = Clock.of(raw)
    return [
        case
        for (shape, _), group in grouped(raw).items()
        for case in analyse_group(raw.env, group, clock, Scheme.of(raw, shape))
    ]
