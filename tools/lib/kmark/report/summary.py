# SPDX-License-Identifier: GPL-2.0-only
"""The answer of a report in one screen: what a site costs disabled and enabled, an event,
toggling, in comparison with a static key; and what this machine could not resolve. It is what
`make bench` prints, and the head of report.txt, report.html and the mail.

Every figure is one of report.json, written by figure()."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from kmark.analysis.cases import Case
from kmark.analysis.notation import WIDTH, number
from kmark.analysis.shapes import TWICE
from kmark.analysis.site import TWINS, SiteCost, Versus
from kmark.report.breakeven import THREAD_ENV
from kmark.report.model import Report
from kmark.report.tables import Table

MOST_LINES = 45
ROUNDING = 1e-6  # of a difference in instructions that is none
VARIANTS = (
    "mark", "key", "generic", "imm", "nop5", "flip", "pun", "nop14", "nop23", "jcc", "xor", "call",
    "direct", "tracepoint", "static-call", "lttng",
)  # fmt: skip
NAMES = {"mark": "MARK()", "key": "the static key", "tracepoint": "the tracepoint", "sink": "the probe ctf"}
STATES = ("disabled", "enabled")
EVENTS, EVENTS_SHOWN = "event", ("sink", "ring", "relay", "lttng", "ring-buffer", "trace-event")
TOGGLES = {"together": "in one transaction", "single": "one by one", "keys": "static keys one by one"}
BENT, BOUND, ABSENT = "~", "<", "-"
LEGEND = (
    f"{BENT}: another cost in loops of 1, 8 or 64 sites. {BOUND}: not resolved, below that. 2006: the "
    "mails' Pentium 4, disabled. bytes: passed while disabled, and out of line."
)

Fact = tuple[str, str]  # what it is about, and what is to be said


def figure(value: float, unit: str, sign: str = "+") -> str:
    """A figure as this page writes it; instructions are whole numbers, nearly always."""
    return f"{value:{sign}.5g}" if unit == "instructions" else number(value, sign)


def envs(report: Report) -> tuple[str | None, str | None]:
    """The environments in cycles and in instructions; None: not measured."""
    units = dict(reversed(report.units.items()))
    found = [
        next((env for env in units if units[env] == unit), None) for unit in ("cycles", "instructions")
    ]
    if "native" in units:
        found[0] = "native"
    return found[0], found[1]


def cost(entry: SiteCost | None) -> str:
    """A site's cost in a column."""
    if entry is None:
        return ABSENT
    value = entry.cost
    if value.lo <= 0 <= value.hi and value.lo != value.hi:
        return BOUND + figure(value.bound, entry.unit, "")
    return figure(value.median, entry.unit) + (BENT if entry.linear is False else "")


def site_rows(report: Report) -> Iterator[list[str]]:
    """Of each variant that was measured: its name, a site disabled and enabled in cycles and in
    instructions, its bytes, and the figure of 2006."""
    sites = {(e.env, e.variant, e.state): e for e in report.site}
    sizes = {e.variant: f"{e.hot}+{e.cold}" for e in reversed(report.size)}
    thread = {
        case.variant: f"{case.thread.added:+.2f}"
        for case in report.cases
        if (case.shape, case.state, case.unit) == ("empty", "disabled", "cycles") and case.thread
    }
    timed, counted = envs(report)
    for variant in VARIANTS:
        cells = [
            cost(sites.get((str(env), variant, state))) for env in (timed, counted) for state in STATES
        ]
        if set(cells) == {ABSENT}:
            continue
        yield [variant, *cells, sizes.get(variant, ABSENT), thread.get(variant, "")]


def site_table(report: Report) -> Table:
    """The table of the variants that were measured."""
    columns = [
        "one site of 128", "cycles, disabled", "cycles, enabled", "instr., disabled", "instr., enabled",
        "bytes", "2006, cycles",
    ]  # fmt: skip
    layout = "{0:<15}{1:>9} {2:>9}{3:>10} {4:>9}{5:>10}{6:>8}"
    return Table("", columns, list(site_rows(report)), layout)


def site_lines(report: Report) -> Iterator[str]:
    """The same as text, with a head of two lines."""
    yield f"{'one site of 128':<16}{'cycles':>18}{'instructions':>20}{'bytes':>10}{'2006':>8}"
    yield f"{'':<15}{'disabled':>9} {'enabled':>9}{'disabled':>10} {'enabled':>9}{'':>10}{'cycles':>8}"
    yield from site_table(report).body()


def event_facts(report: Report) -> Iterator[Fact]:
    """What a complete event costs, and what it did in the mails."""
    words = []
    for env in filter(None, envs(report)):
        unit = report.units[env]
        cases = {c.variant: c.added.median for c in report.cases if c.env == env and c.shape == EVENTS}
        found = [f"{name} {figure(cases[name], unit)}" for name in EVENTS_SHOWN if name in cases]
        if found:
            words.append(f"{', '.join(found)} {unit} ({env})")
    thread = next((one for one in report.breakeven if one.env == THREAD_ENV), None)
    if words and thread and thread.stored is not None:
        stored = figure(thread.stored, thread.unit)
        words.append(f"{thread.stored_by} in {THREAD_ENV} {stored} {thread.unit}")
    if words:
        yield "complete event", "; ".join(words)


def toggle_facts(report: Report) -> Iterator[Fact]:
    """What it costs to open and close many sites."""
    for env in filter(None, envs(report)):
        entries = [entry for entry in report.toggle if entry.env == env]
        found: dict[str, list[str]] = {}
        for entry in entries:
            opened = "open" if entry.state == "open" else "close"
            value = figure(entry.per_site.median, entry.unit, "")
            found.setdefault(TOGGLES.get(entry.what, entry.what), []).append(f"{opened} {value}")
        if found:
            words = "; ".join(f"{what} {', '.join(values)}" for what, values in found.items())
            yield f"toggling {entries[0].sites:,}", f"{words} {entries[0].unit} a site ({env})"


def difference(entry: Versus, other: str) -> str:
    """What one variant costs beside another, as the rest of a sentence."""
    found, unit = entry.difference, entry.unit
    if not entry.resolved:
        if entry.limit < ROUNDING:
            return f"equals {other}"
        return f"equals {other} within {figure(entry.limit, unit, '')}"
    more = "more" if found.median > 0 else "less"
    size, lo, hi = figure(abs(found.median), unit, ""), figure(found.lo, unit), figure(found.hi, unit)
    interval = "" if found.lo == found.hi else f" [{lo}, {hi}]"
    return f"costs {size} {more} than {other}{interval}"


def sentence(entries: list[Versus]) -> str:
    """One variant beside another, in one environment, disabled and enabled."""
    first = entries[0]
    name, other = (NAMES.get(variant, variant) for variant in (first.variant, first.against))
    if first.shape == EVENTS:
        return f"An event by {name} {difference(first, other)}"
    words = [f"{name} {first.state} {difference(first, other)}"]
    words += [f"{entry.state} it {difference(entry, 'that')}" for entry in entries[1:]]
    return "; ".join(words)


def verdict_facts(report: Report) -> Iterator[Fact]:
    """Sentences: one variant beside another. Those of a site are of one of 128 in a row, where the
    loop drops out without a second one; that two of the same code are equal is no news."""
    groups: dict[str, dict[tuple[str, str], list[Versus]]] = {}
    for entry in sorted(report.versus, key=lambda entry: entry.state):
        pair = (entry.variant, entry.against)
        if pair != TWINS and entry.twice is None and entry.shape in (*TWICE.values(), EVENTS):
            groups.setdefault(entry.env, {}).setdefault(pair, []).append(entry)
    for env in filter(None, envs(report)):
        if pairs := groups.get(env):
            yield f"{env}, {report.units[env]}", ". ".join(map(sentence, pairs.values())) + "."


def is_resolved(case: Case) -> bool:
    """Whether a case is, be it noisy or not."""
    return case.added.is_resolved(case.resolution)


def doubt_facts(report: Report) -> Iterator[Fact]:
    """How many figures should not be used as they are, and what can be resolved at best. A noisy
    case also counts under its other status."""
    timed, _ = envs(report)
    cases = [case for case in report.cases if case.env == timed and case.variant != "none"]
    if not cases:
        return
    counts = {
        "noisy": sum(case.status == "noisy" for case in cases),
        "not resolved": sum(not is_resolved(case) for case in cases),
        "split by place": sum(bool(case.groups) for case in cases),
        "negative": sum(is_resolved(case) and case.added.hi < 0 for case in cases),
    }
    found = ", ".join(f"{count} {what}" for what, count in counts.items())
    yield f"of {len(cases)} {timed} cells", found
    null = {e.shape: e.resolution for e in report.null if e.env == timed and e.state == "disabled"}
    least = ", ".join(
        f"{shape} {number(null[shape])}" for shape in ("empty", "memcpy4096", "cold") if shape in null
    )
    if least:
        yield "none against none, disabled", f"{least} cycles a loop; less is not resolved"


def facts(report: Report) -> Iterator[Fact]:
    """All that stands below the table."""
    yield from event_facts(report)
    yield from toggle_facts(report)
    yield from verdict_facts(report)
    yield from doubt_facts(report)


def lines(report: Report, where: str = "below") -> Iterator[str]:
    """The page, at most MOST_LINES of WIDTH columns, for which variants at the end of VARIANTS
    are left to the full report. `where`: that report."""
    cpu = (report.cpu or "unknown CPU").partition(" (")[0]
    yield textwrap.shorten(f"Cost of markers, {report.created[:10]}: {cpu}", WIDTH, placeholder=" ...")
    below = [*textwrap.wrap(LEGEND, WIDTH), ""]
    for head, words in (*facts(report), ("full report", where)):
        below += textwrap.wrap(f"{head}: {words}", WIDTH, subsequent_indent="  ", break_on_hyphens=False)
    yield from [*site_lines(report)][: MOST_LINES - 1 - len(below)]
    yield from below
