# SPDX-License-Identifier: GPL-2.0-only
"""The cost of one of several sites, free of the loop around it, whether that holds for other numbers of
sites, and how much more one variant costs than another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kmark.analysis.cases import Case, Estimate
from kmark.analysis.raw import Raw, Sample
from kmark.analysis.shapes import TWICE
from kmark.analysis.stats import Clock, Pair, Scheme, Timings, estimate_by_layout, grouped
from kmark.analysis.variants import BASELINE, NULL, is_moved, is_null
from kmark.errors import Failure

LOOPS = ("empty", "unrolled8", "unrolled64")  # loops of 1, 8 and 64 sites
APART = 0.05  # cycles or instructions a site; what shapes may differ by and count as linear
# Pairs of variants that are compared directly, in the same rounds.
VERSUS = (("mark", "key"), ("mark", "tracepoint"), ("mark", "nop5"), ("sink", "trace-event"))
# Equal code at two addresses, as tools/testing/native/disassembly.t checks: the difference is the effect of
# addresses alone.
TWINS = ("mark", "nop5")


@dataclass(frozen=True, slots=True)
class SiteCost:
    """The cost of one site, in `unit`, free of the loop around it: the loop of twice the sites less the
    loop, divided by the sites. `none` has no sites, so it shows noise. `twice`: the shape with twice the
    sites; `linear`: whether a site of the shapes LOOPS costs the same, within APART; None: they have no
    such case."""

    env: str
    shape: str
    twice: str
    variant: str
    state: str
    unit: str
    sites: int
    cost: Estimate
    linear: bool | None


@dataclass(frozen=True, slots=True)
class Versus:
    """Cost of `variant` less that of `against`, in `unit` for one site, measured in the same rounds and
    layouts. `twice`: the difference is of the slopes from `shape` to that shape; None: of the loops
    `shape`, divided by their sites. `resolution`: the difference that `null` shows there, or TWINS, if that
    is more; `resolved`: the two differ."""

    env: str
    shape: str
    twice: str | None
    variant: str
    against: str
    state: str
    unit: str
    sites: int
    difference: Estimate
    resolution: float
    resolved: bool

    @property
    def limit(self) -> float:
        """An upper bound of the size of a difference that is not resolved."""
        return self.difference.limit(self.resolution)

    @property
    def where(self) -> str:
        """The loop, or the site of how many."""
        return self.shape if self.twice is None else f"one of {2 * self.sites}"


def divided(value: Estimate, by: int) -> Estimate:
    return Estimate(value.median / by, value.lo / by, value.hi / by)


def is_linear(cost: Estimate, cases: list[Case]) -> bool | None:
    """True if the cases' costs of a site are that of the slope: their intervals overlap, or are at most
    APART apart."""
    if not cases:
        return None
    each = [divided(case.added, case.sites) for case in cases]
    return all(one.lo <= cost.hi + APART and one.hi >= cost.lo - APART for one in each)


class Slopes:
    """The samples of a shape and of the one with twice the sites, in one state."""

    def __init__(self, clock: Clock, scheme: Scheme, once: dict[str, list[Sample]],
                 twice: dict[str, list[Sample]]) -> None:  # fmt: skip
        self.scheme = scheme
        self.once = {variant: Timings.of(once[variant], clock) for variant in once if variant in twice}
        self.twice = {variant: Timings.of(twice[variant], clock) for variant in self.once}
        self.sites = next(iter(once.values()))[0].sites

    def pairs(self, variant: str) -> dict[Pair, float]:
        """Twice the sites less once, of each round and layout."""
        return self.twice[variant].less(self.once[variant])

    def cost(self, variant: str) -> Estimate:
        """Return the cost of one site."""
        return divided(estimate_by_layout(self.pairs(variant), self.scheme).added, self.sites)

    def versus(self, variant: str, against: str) -> Estimate:
        """Return the difference for one site. Failure if the two variants share no round and layout."""
        one, other = self.pairs(variant), self.pairs(against)
        both = one.keys() & other.keys()
        if not both:
            raise Failure(f"{variant} shares no round and layout with {against}")
        differences = {pair: one[pair] - other[pair] for pair in sorted(both)}
        return divided(estimate_by_layout(differences, self.scheme).added, self.sites)


def slopes(raw: Raw) -> Iterator[tuple[str, str, Slopes]]:
    """Shape, state and samples, of each shape that has a double."""
    clock, groups = Clock.of(raw), grouped(raw)
    for (shape, state), group in groups.items():
        doubled = groups.get((TWICE.get(shape, ""), state), {})
        if group.keys() & doubled.keys():
            yield shape, state, Slopes(clock, Scheme.of(raw, shape), group, doubled)


def costs(raw: Raw, cases: list[Case]) -> list[SiteCost]:
    """Yield the cost of every variant in a shape of TWICE and in its double. `cases`: cases of the
    same document."""
    unit, found = Clock.of(raw).unit, []
    for shape, state, pair in slopes(raw):
        for variant in pair.once:
            if is_moved(variant):
                continue
            cost = pair.cost(variant)
            name = (variant, state)
            others = [case for case in cases if case.shape in LOOPS and (case.variant, case.state) == name]
            linear = None if variant in (BASELINE, NULL) else is_linear(cost, others)
            found.append(
                SiteCost(raw.env, shape, TWICE[shape], variant, state, unit, pair.sites, cost, linear)
            )
    return found


Differences = dict[tuple[str, str], Estimate]  # differences of the pairs of VERSUS, for one site


def compared(
    raw: Raw, shape: str, twice: str | None, state: str, sites: int, differences: Differences, bound: float
) -> Iterator[Versus]:
    """Yield a Versus for each pair of `differences`. `bound`: what `null` shows, for one site."""
    twins, unit = differences.get(TWINS), Clock.of(raw).unit
    for pair, more in differences.items():
        resolution = bound if twins is None or pair == TWINS else max(bound, twins.bound)
        resolved = more.is_resolved(resolution)
        yield Versus(raw.env, shape, twice, *pair, state, unit, sites, more, resolution, resolved)


def versus(raw: Raw, cases: list[Case]) -> list[Versus]:
    """Yield every pair of VERSUS, in the shapes that have both. `cases`: cases of the same document."""
    clock, found = Clock.of(raw), list[Versus]()
    bounds = {(case.shape, case.state): case.resolution for case in cases if case.variant == NULL}
    for shape, state, slope in slopes(raw):
        differences = {pair: slope.versus(*pair) for pair in VERSUS if slope.once.keys() >= {*pair}}
        bound = max((slope.cost(copy).bound for copy in filter(is_null, slope.once)), default=0.0)
        found += compared(raw, shape, TWICE[shape], state, slope.sites, differences, bound)
    for (shape, state), group in grouped(raw).items():
        sites = next(iter(group.values()))[0].sites
        differences = {}
        for pair in VERSUS:
            if group.keys() >= {*pair}:
                one, other = (Timings.of(group[name], clock) for name in pair)
                differences[pair] = divided(one.added_to(other, Scheme.of(raw, shape)).added, sites)
        bound = bounds[shape, state] / sites
        found += compared(raw, shape, None, state, sites, differences, bound)
    return found
