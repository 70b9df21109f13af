# SPDX-License-Identifier: GPL-2.0-only
"""When is a static marker cheaper than a probe that is put in by rewriting code
(row A19)? The model is in Documentation/reports.md; its terms, of one place in
the code on one CPU, in the unit of the report:

        d	what a marker takes each time it is passed while disabled
        m	the same, enabled, with an empty probe
        k	what a dynamic probe takes each time, while it is there; else nothing
        c	what storing one event takes, the same for both
        s	the share of the time in which events are wanted

A marker takes (1 - s) d + s m for each pass, a dynamic probe s k. So the marker
is cheaper when s is over d / (k - m + d)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kmark.analysis import variants
from kmark.analysis.cases import NEGATIVE, UNRESOLVED, Case
from kmark.analysis.site import LOOPS
from kmark.reference import lkml_2006

MARKERS = ("mark", "imm", "key", "tracepoint")
DYNAMIC = ("kprobe", "kretprobe", "fprobe", "ftrace", "uprobe", "int3")
SHAPE, EVENTS = "empty", "event"
PASSES = 1e6  # a second, for figures that need a rate
HIGH = 500.0  # events a second on a CPU; the 2006 thread calls that a high rate
STORED_2006 = 278.0  # cycles of a complete LTTng event, by the thread
THREAD_ENV = "2006"


@dataclass(frozen=True, slots=True)
class Term:
    """A cost. Not `resolved`: it is no more than that."""

    value: float
    resolved: bool = True
    shape: str = SHAPE


@dataclass(frozen=True, slots=True)
class Breakeven:
    """`share`: of the time, beyond which the marker is cheaper; None: never.
    `events`: the same as events a second, at PASSES passes a second. `most`:
    passes a second beyond which the marker is dearer although HIGH events a
    second are wanted; None: never. `ratio`, `ratio_stored`: dynamic probe to
    marker, for one event, without and with storing it."""

    env: str
    unit: str
    marker: str
    dynamic: str
    disabled: Term
    enabled: float
    probe: float
    stored: float | None
    stored_by: str
    share: float | None
    events: float | None
    most: float | None
    ratio: float | None
    ratio_stored: float | None


def compute(
    env: str, unit: str, names: tuple[str, str], disabled: Term, enabled: float, probe: float,
    stored: tuple[float, str] | None,
) -> Breakeven:  # fmt: skip
    """Computes one pair; `names`: marker and dynamic probe; `stored`: cost of storing an
    event, and by what."""
    idle = max(disabled.value, 0.0)
    saved = probe - enabled + idle
    share = idle / saved if probe > enabled else None
    most = HIGH / share if share else None
    with_event = None if stored is None else (probe + stored[0]) / (enabled + stored[0])
    return Breakeven(
        env=env,
        unit=unit,
        marker=names[0],
        dynamic=names[1],
        disabled=disabled,
        enabled=enabled,
        probe=probe,
        stored=None if stored is None else stored[0],
        stored_by="" if stored is None else stored[1],
        share=share,
        events=None if share is None else share * PASSES,
        most=most,
        ratio=probe / enabled if enabled > 0 else None,
        ratio_stored=with_event,
    )


def find(cases: list[Case], shape: str, variant: str, state: str) -> Case | None:
    return next((case for case in cases if case.name == (shape, variant, state)), None)


def disabled_cost(cases: list[Case], variant: str) -> Term | None:
    """Return the largest cost of one site in the loops of 1, 8 and 64, which the summary shows, because
    the loop's own branch can hide the cost of a single site; the least bound if none is resolved. A
    negative cost is no gain of the site, so it is a bound, too."""
    mine = [c for c in cases if c.variant == variant and c.state == "disabled" and c.shape in LOOPS]
    unknown = (UNRESOLVED, NEGATIVE)
    resolved = [Term(c.added.median / c.sites, True, c.shape) for c in mine if c.status not in unknown]
    if resolved:
        return max(resolved, key=lambda term: term.value)
    limits = [Term(c.limit / c.sites, False, c.shape) for c in mine]
    return min(limits, key=lambda term: term.value, default=None)


def probe_cost(cases: list[Case], variant: str) -> float | None:
    """Return the cost that a dynamic probe adds at its place; None if not resolved."""
    there, gone = (find(cases, SHAPE, variant, state) for state in ("enabled", "disabled"))
    if there is None or there.status == UNRESOLVED:
        return None
    return there.added.median - (gone.added.median if gone else 0.0)


def stored_cost(cases: list[Case]) -> tuple[float, str] | None:
    """The least that storing an event costs, and by what; None if not measured."""
    found = [
        (c.added.median, c.variant)
        for c in cases
        if c.shape == EVENTS and c.state == "enabled" and c.status != UNRESOLVED and c.added.median > 0
    ]  # fmt: skip
    return min(found, default=None)


def of_env(env: str, cases: list[Case]) -> Iterator[Breakeven]:
    """All pairs of a marker and a dynamic probe that were measured."""
    probes = (c.variant for c in cases if c.variant.startswith(DYNAMIC))
    dynamic = dict.fromkeys(name for name in probes if variants.kind(name) == variants.PEER)
    costs = {name: cost for name in dynamic if (cost := probe_cost(cases, name)) is not None}
    for marker in MARKERS:
        idle, enabled = disabled_cost(cases, marker), find(cases, SHAPE, marker, "enabled")
        if idle is None or enabled is None:
            continue
        for name, cost in costs.items():
            yield compute(
                env, enabled.unit, (marker, name), idle, enabled.added.median, cost, stored_cost(cases)
            )


def of_thread() -> list[Breakeven]:
    """The mails' own figures: optimized, the probe that copies (A9), the kprobe (A11 less
    A9), disabled in either loop; with the cost of LTTng's event."""
    rows = {figure.row: figure for figure in lkml_2006.load().values()}
    bare = rows["A1.none"].per_loop
    copied = rows["A9"].per_loop - bare
    kprobe = rows["A11"].per_loop - rows["A9"].per_loop
    idle = [
        Term(rows[f"{row}.imm"].added, True, shape) for row, shape in (("A1", SHAPE), ("A2", "memcpy4096"))
    ]
    names, stored = ("imm", "kprobe"), (STORED_2006, "LTTng")
    return [compute(THREAD_ENV, "cycles", names, term, copied, kprobe, stored) for term in idle]


def load(cases: list[Case]) -> list[Breakeven]:
    """Return the break-even points of the cases, behind those of the 2006 mails."""
    found = of_thread()
    for env in dict.fromkeys(case.env for case in cases):
        found += of_env(env, [case for case in cases if case.env == env])
    return found
