# SPDX-License-Identifier: GPL-2.0-only
"""The records of a report, and what they have to be beyond the schema of report.json: figures that
fit each other. Whoever reads reports asks that through report.load()."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, is_dataclass, replace
from datetime import datetime
from typing import Any

from kmark.analysis.cases import Case, Estimate, Null
from kmark.analysis.cold import ColdSite
from kmark.analysis.scale import Point
from kmark.analysis.site import SiteCost, Versus
from kmark.analysis.toggle import Cost
from kmark.reference.slips import Slip
from kmark.report.breakeven import THREAD_ENV, Breakeven
from kmark.report.schema import Where

# Lists that belong to environments; the bytes of a site are also those of the kernel.
LISTS = ("cases", "null", "site", "versus", "toggle", "scale", "memory", "breakeven", "rate", "cold")
UNITS = ("cases", "null", "site", "versus", "breakeven")  # lists with the unit of their environment
MISFIT_TIMES, MISFIT_SHARE = 10, 0.01  # measured reports have less than 1, of intervals and of the loop

Facts = dict[str, str]
Place = tuple[str, str, str]  # env, shape, state
Problem = tuple[Where, str]


@dataclass(frozen=True, slots=True)
class Environment:
    """Facts of the machine, and of the run in each environment."""

    host: Facts
    runs: list[Facts]


@dataclass(frozen=True, slots=True)
class CoreRate:
    """The rate of the core's clock while an environment was measured: its median, in MHz."""

    env: str
    mhz: float


@dataclass(frozen=True, slots=True)
class Memory:
    """Bytes that one site or marker has."""

    env: str
    name: str
    bytes: int


@dataclass(frozen=True, slots=True)
class SiteSize:
    """Bytes of the code of a site: passed while disabled, and out of line."""

    env: str
    variant: str
    hot: int
    cold: int


@dataclass(frozen=True, slots=True)
class Today:
    """The figure of one environment for a row of the mails."""

    where: str
    text: str


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the 2006 mails, as printed and today."""

    row: str
    what: str
    printed: str
    today: list[Today]


@dataclass(frozen=True, slots=True)
class Report:
    """A report; its fields are those of report.json, where their meaning stands in the schema."""

    schema: str
    created: str
    environment: Environment
    cases: list[Case]
    null: list[Null]
    site: list[SiteCost]
    versus: list[Versus]
    toggle: list[Cost]
    scale: list[Point]
    memory: list[Memory]
    breakeven: list[Breakeven]
    slips: list[Slip]
    size: list[SiteSize] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    rate: list[CoreRate] = field(default_factory=list)
    cold: list[ColdSite] = field(default_factory=list)

    @property
    def cpu(self) -> str | None:
        return self.environment.host.get("cpu")

    @property
    def runs(self) -> dict[str, Facts]:
        """The facts of the runs by environment."""
        return {run["env"]: run for run in self.environment.runs}

    @property
    def units(self) -> dict[str, str]:
        """The units of the environments that have cases, in their order."""
        return {case.env: case.unit for case in self.cases}

    @property
    def resolutions(self) -> dict[Place, float]:
        """The resolution by place: the difference of `none` to `none`."""
        return {(one.env, one.shape, one.state): one.resolution for one in self.null}

    def of_env(self, env: str) -> Report:
        """Return the report with the entries of one environment only."""
        lists = (*LISTS, "size")
        mine: dict[str, Any] = {key: [e for e in getattr(self, key) if e.env == env] for key in lists}
        return replace(self, **mine)


def entries(report: Report) -> Iterator[tuple[Where, Any]]:
    for key in LISTS:
        yield from (((key, number), one) for number, one in enumerate(getattr(report, key)))


def estimates(value: Any, where: Where) -> Iterator[Problem]:
    if isinstance(value, Estimate) and not value.lo <= value.median <= value.hi:
        yield where, f"the median {value.median:g} is not from {value.lo:g} to {value.hi:g}"
    elif isinstance(value, list):
        for number, one in enumerate(value):
            yield from estimates(one, (*where, number))
    elif is_dataclass(value):
        for field in fields(value):
            yield from estimates(getattr(value, field.name), (*where, field.name))


def environments(report: Report) -> Iterator[Problem]:
    """Yield environments that do not have one run and one unit."""
    runs = [run["env"] for run in report.environment.runs]
    for number, env in enumerate(runs):
        if env in runs[:number]:
            yield ("environment", "runs", number, "env"), f"there is another run of {env}"
    units: dict[str, str] = {}
    for where, one in entries(report):
        if one.env not in runs and not (where[0] == "breakeven" and one.env == THREAD_ENV):
            yield (*where, "env"), f"there is no run of {one.env}"
        elif where[0] in UNITS and units.setdefault(one.env, one.unit) != one.unit:
            yield (*where, "unit"), f"{one.unit}, where {one.env} has {units[one.env]}"


def cases(report: Report) -> Iterator[Problem]:
    """Yield cases that are there twice, or lack their null experiment."""
    known: set[tuple[str, ...]] = set()
    for number, null in enumerate(report.null):
        key = (null.env, null.shape, null.state)
        if key in known:
            yield ("null", number), f"{' '.join(key)} is there twice"
        known.add(key)
    seen: set[tuple[str, ...]] = set()
    for number, one in enumerate(report.cases):
        key = (one.env, one.shape, one.state)
        if key not in known:
            yield ("cases", number), f"no null experiment for {' '.join(key)}"
        if (*key, one.variant) in seen:
            yield ("cases", number), f"{' '.join((*key, one.variant))} is there twice"
        seen.add((*key, one.variant))
    for place in ("cases", "null"):
        for number, one in enumerate(getattr(report, place)):
            if one.dropped > one.samples:
                yield (place, number, "dropped"), f"{one.dropped} of {one.samples} samples are dropped"


def width(entry: Estimate) -> float:
    return entry.hi - entry.lo


def loops(report: Report) -> Iterator[Problem]:
    """Yield cases whose loop does not fit that without a site, by far more than their intervals allow, or
    has another number of sites than the others of its shape."""
    empty = {(one.env, one.shape, one.state): one.per_loop for one in report.cases if one.variant == "none"}
    known: dict[tuple[str, str], int] = {}
    for number, one in enumerate(report.cases):
        sites = known.setdefault((one.env, one.shape), one.sites)
        if sites != one.sites:
            yield ("cases", number, "sites"), f"{one.sites}, where {one.shape} has {sites}"
        base = empty.get((one.env, one.shape, one.state))
        if base is None:
            continue
        difference = one.per_loop.median - base.median
        least = width(one.added) + width(one.per_loop) + width(base) + MISFIT_SHARE * abs(base.median)
        if abs(one.added.median - difference) > MISFIT_TIMES * least:
            reason = f"{one.added.median:g}, where the loops differ by {difference:g}"
            yield ("cases", number, "added"), reason


def problems(report: Report) -> Iterator[Problem]:
    """Yield errors in a report that its schema allows, and their places."""
    try:
        datetime.fromisoformat(report.created)
    except ValueError as problem:
        yield ("created",), str(problem)
    yield from environments(report)
    yield from cases(report)
    yield from estimates(report, ())
    yield from loops(report)
