# SPDX-License-Identifier: GPL-2.0-only
"""How the summary writes a cost: with three significant digits at most, as an interval where places
disagree, or as a bound; and whether the machine was too busy for any."""

from __future__ import annotations

import math
from dataclasses import dataclass

from kmark.analysis.cases import NOISY, SPLIT, Case
from kmark.report.model import Report

# Variants that a reader would choose among, and their names in the summary.
CHOICE = {
    "mark": "MARK()", "key": "static key", "generic": "load and test", "tracepoint": "tracepoint",
    "bpf": "with BPF", "kprobe-opt": "kprobe (jump)", "lttng": "LTTng-UST",
}  # fmt: skip
STATES = ("disabled", "enabled")
ABSENT = "-"
SMALLEST = 0.01  # the least that figure() shows
DISAGREE, DISAGREE_SHARE = 0.05, 0.1  # of a site; an interval wider than both is shown
BUSY_SAMPLES, BUSY_CELLS = 0.1, 0.2  # shares that are disturbed; beyond them the machine was busy


def decimals(value: float) -> int:
    """Digits behind the point, for three significant digits at most."""
    size = abs(value)
    return 2 if size < 9.995 else 1 if size < 99.95 else 0


def figure(value: float, unit: str) -> str:
    """A figure as this page writes it: at most three significant digits, at most two of them behind
    the point. A whole number of instructions is exact, and has all of its digits."""
    if unit == "instructions" and abs(value - round(value)) < SMALLEST / 2:
        return f"{round(value):,}"
    rounded = float(f"{value:.3g}")
    return f"{rounded:z,.{decimals(rounded)}f}"


def rounded_up(value: float) -> str:
    """Return a figure that what is not resolved stays below, to three significant digits at most."""
    least = max(value, SMALLEST)
    scale = 10.0 ** min(2 - math.floor(math.log10(least)), 2)
    return figure(math.ceil(least * scale) / scale, "cycles")


def bound(value: float) -> str:
    """Return the same as what stands in the place of a figure."""
    return f"<{rounded_up(value)}"


@dataclass(frozen=True, slots=True)
class Noise:
    """How much of the cases in cycles was disturbed."""

    env: str
    samples: int
    dropped: int
    cells: int
    noisy: int

    @property
    def hides(self) -> bool:
        """True if so many cells are noisy that the others are no figures either."""
        return self.noisy > BUSY_CELLS * self.cells

    @property
    def busy(self) -> bool:
        return self.hides or self.dropped >= BUSY_SAMPLES * self.samples

    def sentence(self) -> str:
        found = (
            f"THE MACHINE WAS BUSY: {100 * self.dropped // self.samples} % of the samples were "
            f"disturbed, {self.noisy} of {self.cells} {self.env} cells are noisy."
        )
        return found + (" No cycles are shown; measure again." if self.hides else "")


def timed_env(report: Report) -> str | None:
    """The environment in cycles, natively where there is one; None: not measured."""
    units = report.units
    if units.get("native") == "cycles":
        return "native"
    return next((env for env in units if units[env] == "cycles"), None)


def noise(report: Report) -> Noise | None:
    env = timed_env(report)
    cases = [case for case in report.cases if case.env == env and case.variant != "none"]
    if env is None or not cases:
        return None
    return Noise(
        env, sum(case.samples for case in cases), sum(case.dropped for case in cases), len(cases),
        sum(case.status == NOISY for case in cases),
    )  # fmt: skip


def envs(report: Report) -> tuple[str | None, str | None]:
    """The environments in cycles and in instructions; None: not measured, or not to be shown."""
    found = noise(report)
    timed = None if found is None or found.hides else found.env
    units = report.units
    return timed, next((env for env in units if units[env] == "instructions"), None)


def span(case: Case) -> tuple[float, float]:
    """Where the cost of a loop lies: its interval, and the groups of its places."""
    groups = [group.median for group in case.groups]
    return min([case.added.lo, *groups]), max([case.added.hi, *groups])


def cost(case: Case | None, per: float) -> str:
    """The cost of a site in a column. `per`: what the cost of the loop is divided by; 0: unknown."""
    if case is None or not per:
        return ABSENT
    if case.status == NOISY:
        return NOISY
    unit, added = case.unit, case.added
    lo, hi = (end / per for end in span(case))
    if hi - lo > max(DISAGREE * case.sites / per, DISAGREE_SHARE * abs(added.median) / per):
        return f"{figure(lo, unit)}..{figure(hi, unit)}"
    exact = added.lo == added.median == added.hi
    if not exact and case.status != SPLIT and not added.is_resolved(case.resolution):
        return bound(case.limit / per)
    return figure(added.median / per, unit)
