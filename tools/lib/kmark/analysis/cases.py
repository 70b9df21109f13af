# SPDX-License-Identifier: GPL-2.0-only
"""A case: a measured loop with its estimates and its status."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields

from kmark.analysis import variants
from kmark.analysis.places import Group, Places

STATUSES = OK, NOISY, UNRESOLVED, SPLIT, NEGATIVE = "ok", "noisy", "unresolved", "split", "negative"


@dataclass(frozen=True, slots=True)
class Estimate:
    """A median and the bounds of its interval, at the level CONFIDENCE."""

    median: float
    lo: float
    hi: float

    @property
    def bound(self) -> float:
        """The largest size that the interval allows."""
        return max(abs(self.lo), abs(self.hi))

    def is_resolved(self, resolution: float) -> bool:
        """True if the figure differs from 0 by more than `resolution`."""
        return abs(self.median) > resolution and not self.lo <= 0 <= self.hi

    def limit(self, resolution: float) -> float:
        """Return the value that the size of an unresolved estimate is below."""
        return max(resolution, self.bound)


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """The figure of the 2006 mails for a case: cycles for one loop, and cycles or instructions added."""

    row: str
    per_loop: float | None = None
    added: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One variant in one shape and state. `per_loop`, `added`, `places` and `resolution` are in
    `unit` for one loop; `places`: None in older reports; `resolution`: what `added` must exceed to
    count; `status` is one of STATUSES; `thread`: the figure of 2006, which the report knows."""

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
    places: Places | None = None
    resolution: float
    status: str
    thread: Printed | None

    @property
    def name(self) -> tuple[str, str, str]:
        return self.shape, self.variant, self.state

    @property
    def limit(self) -> float:
        """An upper bound of the size of a case that is not resolved."""
        return self.added.limit(self.resolution)

    @property
    def groups(self) -> tuple[Group, ...]:
        """The groups of places; empty unless there are several."""
        return self.places.groups if self.places and self.places.split else ()


@dataclass(frozen=True, slots=True)
class Null:
    """The experiment none against none of one shape and state, in `unit` for one loop. `variant`: the copy
    of none that differs most from none."""

    env: str
    shape: str
    state: str
    unit: str
    samples: int
    dropped: int
    added: Estimate
    resolution: float
    status: str
    variant: str = variants.NULL

    @classmethod
    def of(cls, case: Case) -> Null:
        return cls(*(getattr(case, field.name) for field in fields(cls)))


def nulls(cases: Iterable[Case]) -> list[Null]:
    """The experiment of each shape and state, by the copy of none that differs most from it."""
    found: dict[tuple[str, str], Case] = {}
    for case in cases:
        place = case.shape, case.state
        if variants.is_null(case.variant) and (
            place not in found or case.added.bound > found[place].added.bound
        ):
            found[place] = case
    return [Null.of(case) for case in found.values()]
