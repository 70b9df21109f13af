# SPDX-License-Identifier: GPL-2.0-only
"""Decides whether differences between two reports are significant although there are many: of hundreds of
cells some are always outside their intervals."""

from __future__ import annotations

from scipy import stats as scipy_stats

from kmark.analysis import stats
from kmark.analysis.cases import Estimate
from kmark.report.model import Report


def alpha() -> float:
    """Return the limit that a corrected p must be below: the share of reports in which chance alone makes a
    verdict."""
    return 1 - stats.CONFIDENCE


def degrees(run: dict[str, str]) -> int:
    """Degrees of freedom of an interval: of the processes that shared the rounds, of which
    each has an effect of its own, or of the layouts where there was one process. 1 or more."""
    units = run.get("processes", run.get("layouts", ""))
    return max(int(units) - 1, 1) if units.isdecimal() else 1


def p_value(a: Estimate, b: Estimate, margin: float, freedom: tuple[int, int]) -> float:
    """Return the probability of a difference beyond `margin` in either direction if there is none, by
    Student's t. The standard errors are those of the intervals' halves that face each other, which a
    bootstrap of n processes makes too small by the root of (n - 1) / n. `freedom`: degrees of freedom of
    the intervals of A and of B, n - 1 each."""
    low, high = (a, b) if a.median <= b.median else (b, a)
    halves = low.hi - low.median, high.median - high.lo
    freedom = freedom if low is a else freedom[::-1]
    beyond = high.median - low.median - margin
    if beyond <= 0:
        return 1.0
    outside = 1 - (1 - stats.CONFIDENCE) / 2
    width = scipy_stats.norm.ppf(outside)
    error = sum((half / width) ** 2 * (df + 1) / df for half, df in zip(halves, freedom, strict=True))
    if not error:
        return 0.0
    return float(min(1.0, 2 * scipy_stats.t.sf(beyond / error**0.5, sum(freedom))))


def corrected(values: list[float]) -> list[float]:
    """The p of each of several tests, by Benjamini and Hochberg: where no difference is real,
    one of them is below alpha() in that share of reports."""
    return [float(p) for p in scipy_stats.false_discovery_control(values)] if values else []


def freedom(a: Report, b: Report, env: str) -> tuple[int, int]:
    """degrees() of the runs of two reports in one environment."""
    return degrees(a.runs[env]), degrees(b.runs[env])
