# SPDX-License-Identifier: GPL-2.0-only
"""How the cost of a write grows with its rules and sites, of which each rule
picks one: a series of sizes, and whether a site costs the same in all."""

from __future__ import annotations

from dataclasses import dataclass

from kmark.analysis.cases import Estimate
from kmark.analysis.raw import Raw
from kmark.analysis.stats import estimate
from kmark.errors import Failure


@dataclass(frozen=True, slots=True)
class Point:
    """One size of the series."""

    env: str
    what: str
    sites: int
    samples: int
    per_site: Estimate


def analyse(raw: Raw) -> list[Point]:
    """Return the points, ordered by operation, then by size."""
    groups: dict[tuple[str, int], list[float]] = {}
    try:
        for row in raw.tables.get("scale", []):
            sites = int(row["sites"])
            groups.setdefault((row["what"], sites), []).append(int(row["amount"]) / sites)
    except (ValueError, ZeroDivisionError) as problem:
        raise Failure(f"{raw.env}: scale: {problem}") from None
    return [
        Point(raw.env, what, sites, len(amounts), estimate(amounts))
        for (what, sites), amounts in sorted(groups.items())
    ]
