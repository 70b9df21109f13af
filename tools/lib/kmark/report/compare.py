# SPDX-License-Identifier: GPL-2.0-only
"""Two reports, case by case: what became faster, what slower, and the evidence.

A case is slower when B's interval lies above A's by more than the margin, and the difference
is still significant when it is one of as many as the reports have. The margin is a share of
A's loop, at most MOST_CYCLES, but never less than what either run can resolve. A noisy case is
judged like the others, by intervals that are as wide as it is noisy, and is marked. Cases of two
architectures stand side by side, without a verdict. many.py compares more than two."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby

from kmark.analysis import notation
from kmark.analysis.cases import Case, Estimate
from kmark.analysis.stats import interval_name
from kmark.errors import Incomparable
from kmark.foreign import shown
from kmark.report import significance
from kmark.report.model import Report

MARGIN_PCT = 1.0
MOST_CYCLES = 0.25  # largest margin: a percent of a long loop is many cycles
EXACT = 0.001  # instructions; whole numbers, divided by the number of loops
FASTER, SLOWER, SAME, UNKNOWN = VERDICTS = ("faster", "slower", "no difference", "not comparable")
HOST_FACTS = ("cpu", "microcode", "mitigations")  # change cycles, not instructions
RUN_FACTS = ("cpu", "kernel", "fence", "compiler", "memcpy", "layouts", "addresses")
OLDER_ARCH = "x86_64"  # machine of runs that do not name theirs
OTHER_ARCH = "other architecture"
NOISY = "~"  # behind the verdict of a noisy case

Key = tuple[str, str, str, str]  # env, shape, variant, state
LEGEND = (
    "slower: B's interval lies above A's by more than the margin; faster: below. "
    f"margin: {{margin:g}} % of A's loop, {MOST_CYCLES} cycles at most, or what none against none shows in "
    f"A or B, if that is more; of instructions {EXACT}. p: of a difference beyond the margin by chance, "
    "in cycles, corrected for their number (Benjamini and Hochberg); {alpha:g} at most counts. "
    f"{NOISY}: noisy in A or B, so that only large differences show."
)


@dataclass(frozen=True)
class Verdict:
    """One case. `difference`: B's median less A's, in `unit`; `margin`: in `unit`; `p`: of a
    difference beyond the margin, corrected; None for instructions, which are exact; `noisy`: in
    which reports."""

    env: str
    shape: str
    variant: str
    state: str
    verdict: str
    reason: str = ""
    unit: str | None = None
    a: Estimate | None = None
    b: Estimate | None = None
    difference: float | None = None
    margin: float | None = None
    p: float | None = None
    noisy: tuple[str, ...] = ()

    @property
    def key(self) -> Key:
        return self.env, self.shape, self.variant, self.state

    @property
    def words(self) -> str:
        """The verdict, for people."""
        return (self.reason or self.verdict) + (NOISY if self.noisy else "")

    @property
    def name(self) -> str:
        return f"{self.env} {self.shape} {self.state} {self.variant}"


@dataclass(frozen=True)
class Comparison:
    """All cases of both reports, in A's order, and warnings that make them doubtful."""

    margin_pct: float
    warnings: list[str]
    cases: list[Verdict]

    def with_verdict(self, verdict: str) -> list[Verdict]:
        return [case for case in self.cases if case.verdict == verdict]


def cases_of(made: Report) -> dict[Key, Case]:
    """All but `none`, which is the baseline of its own run."""
    return {(case.env, *case.name): case for case in made.cases if case.variant != "none"}


def obstacle(a: Case | None, b: Case | None) -> str:
    """Return the reason why two cases cannot be compared; "" if they can."""
    if a is None or b is None:
        return "only in B" if a is None else "only in A"
    if a.unit != b.unit:
        return f"A in {a.unit}, B in {b.unit}"
    if a.sites != b.sites:
        return f"A has {a.sites} sites per loop, B {b.sites}"
    return ""


def judge(a: Estimate, b: Estimate, margin: float) -> str:
    """SLOWER, FASTER or SAME; `margin` is in the unit of the intervals."""
    if b.lo > a.hi + margin:
        return SLOWER
    return FASTER if b.hi < a.lo - margin else SAME


def margin_of(case: Case, bounds: Iterable[float], margin_pct: float, most: float) -> float:
    """Return the allowed difference of a case, in its unit. `bounds`: resolution of each run."""
    if case.unit == "instructions":
        return EXACT
    return max(min(margin_pct / 100 * case.per_loop.median, most), *bounds)


def with_chance(verdicts: list[Verdict], a: Report, b: Report) -> list[Verdict]:
    """Return the verdicts in cycles with their p; a verdict that chance makes is SAME."""
    timed = [n for n, found in enumerate(verdicts) if found.unit == "cycles" and found.verdict != UNKNOWN]
    values = []
    for number in timed:
        found = verdicts[number]
        assert found.a is not None and found.b is not None and found.margin is not None
        freedom = significance.freedom(a, b, found.env)
        values.append(significance.p_value(found.a, found.b, found.margin, freedom))
    made = list(verdicts)
    for number, p in zip(timed, significance.corrected(values), strict=True):
        kept = made[number].verdict if p <= significance.alpha() else SAME
        made[number] = replace(made[number], p=p, verdict=kept)
    return made


def compare(a: Report, b: Report, margin_pct: float = MARGIN_PCT, most: float = MOST_CYCLES) -> Comparison:
    """Compare two reports. `margin_pct`: percent of A's loop that do not matter, `most`: but no more cycles
    than that. Incomparable if no case can be compared."""
    before, after = cases_of(a), cases_of(b)
    bounds = a.resolutions, b.resolutions
    apart = {env: one != other for env, one, other in architectures(a, b)}
    verdicts = []
    for key in dict.fromkeys([*before, *after]):
        env, shape, _, state = key
        one, other = before.get(key), after.get(key)
        if reason := obstacle(one, other):
            verdicts.append(Verdict(*key, UNKNOWN, reason))
            continue
        assert one is not None and other is not None
        found = Verdict(
            *key,
            verdict=UNKNOWN,
            reason=OTHER_ARCH,
            unit=one.unit,
            a=one.added,
            b=other.added,
            difference=other.added.median - one.added.median,
            noisy=tuple(name for name, case in (("A", one), ("B", other)) if case.status == "noisy"),
        )
        if not apart[env]:
            margin = margin_of(one, (bound[env, shape, state] for bound in bounds), margin_pct, most)
            verdict = judge(one.added, other.added, margin)
            found = replace(found, verdict=verdict, reason="", margin=margin)
        verdicts.append(found)
    if all(verdict.a is None for verdict in verdicts):
        raise Incomparable(
            f"compare: no case can be compared; the first: {verdicts[0].name}: {verdicts[0].reason}"
        )
    return Comparison(margin_pct, list(differences(a, b)), with_chance(verdicts, a, b))


def architectures(a: Report, b: Report) -> Iterator[tuple[str, str, str]]:
    """Yield, for each environment of both reports, its name, A's architecture and B's."""
    before, after = a.runs, b.runs
    for env in before:
        if env in after:
            yield env, before[env].get("arch", OLDER_ARCH), after[env].get("arch", OLDER_ARCH)


def differences(a: Report, b: Report) -> Iterator[str]:
    """Yield differences between the machines that made the reports."""
    for env, one_arch, other_arch in architectures(a, b):
        if one_arch != other_arch:
            yield (
                f"{env}: A is of {one_arch}, B of {other_arch}: an instruction of the one is none of the "
                "other, so cases stand side by side, and none is faster or slower"
            )
    before, after = a.runs, b.runs
    places: list[tuple[str, dict[str, str], dict[str, str], tuple[str, ...]]] = [
        (env, before[env], after[env], RUN_FACTS) for env in before if env in after
    ]
    if "cycles" in a.units.values():
        places.append(("host", a.environment.host, b.environment.host, HOST_FACTS))
    for place, one, other, names in places:
        for name in names:
            if one.get(name) != other.get(name):
                yield f"{place}: {name}: A has {one.get(name, 'none')}, B has {other.get(name, 'none')}"


def rows(case: Verdict) -> Iterator[str]:
    if case.a is None or case.b is None or case.difference is None:
        yield f"{notation.named(case.variant, 12)}  {case.verdict}: {case.reason}"
        return
    for which, entry in (("A", case.a), ("B", case.b)):
        name = notation.named(case.variant if which == "A" else "", 12)
        row = f"{name}{which:>2}{notation.number(entry.median, '+'):>10} {notation.interval(entry):>20}"
        if which == "A":
            yield f"{row}  {case.words}" + ("" if case.p is None else f", p {case.p:.2g}")
        else:
            margin = "-" if case.margin is None else notation.number(case.margin)
            yield f"{row}{notation.number(case.difference, '+'):>12}{margin:>10}"


def lines(made: Comparison, a: Report, b: Report) -> Iterator[str]:
    yield "What markers add to a loop: B compared with A"
    for which, one in (("A", a), ("B", b)):
        yield f"{which}: {one.created}"
    for number, warning in enumerate(made.warnings):
        yield from (() if number else ("",))
        yield notation.fact("warning", warning)
    groups = groupby(made.cases, lambda case: (case.env, case.shape, case.state))
    for (env, shape, state), group in groups:
        cases = list(group)
        units = {case.unit for case in cases if case.unit}
        yield from (
            "",
            f"- {env}: {shape}, sites {state}" + "".join(f", {unit} per loop" for unit in units),
        )
        yield ""
        yield f"{'variant':<12}  {'added':>10} {interval_name():>20}{'B - A':>12}{'margin':>10}"
        for case in cases:
            yield from rows(case)
    yield from (
        "",
        textwrap.fill(LEGEND.format(margin=made.margin_pct, alpha=significance.alpha()), notation.WIDTH),
        "",
    )
    for verdict in VERDICTS:
        found = made.with_verdict(verdict)
        names = [f"{len(found):>5} {verdict}"]
        if found and verdict in (FASTER, SLOWER):
            names = [f"{names[0]}: {found[0].name}", *(case.name for case in found[1:])]
        yield textwrap.fill(", ".join(names), notation.WIDTH, subsequent_indent=" " * 6)


def render(made: Comparison, a: Report, b: Report) -> str:
    return "".join(f"{shown(part)}\n" for line in lines(made, a, b) for part in line.split("\n"))
