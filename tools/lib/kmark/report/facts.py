# SPDX-License-Identifier: GPL-2.0-only
"""The sentences of the summary: where it was measured, further sites of a row, cold code, complete
events, toggling, one variant beside another, and doubts."""

from __future__ import annotations

from collections.abc import Iterator

from kmark.analysis.cases import Case, Estimate
from kmark.analysis.site import LOOPS, TWINS, VERSUS, Versus
from kmark.analysis.variants import NULL
from kmark.report.breakeven import THREAD_ENV
from kmark.report.figures import (
    ABSENT,
    CHOICE,
    SMALLEST,
    STATES,
    bound,
    cost,
    envs,
    figure,
    noise,
    rounded_up,
    timed_env,
)
from kmark.report.model import Report
from kmark.report.tables import Table

EVENTS, EVENTS_AMONG_WORK = "event", "eventfiller"
EVENTS_SHOWN = {
    "sink": "recorder", "counter": "a bare read of the counter", "trace-event": "trace event",
    "debug-site": "pr_debug() recorded", "pr-debug": "pr_debug() printed",
}  # fmt: skip
NAMES = CHOICE | EVENTS_SHOWN
STORED = {
    "sink": "MARK(), recorder", "trace-event": "TRACE_EVENT(), ftrace", "trace-printk": "trace_printk()",
    "debug-site": "pr_debug(), recorder", "pr-debug": "pr_debug(), the log",
    "relay": "a relay channel alone",
    "ring-buffer": "ftrace's buffer alone", "counter": "nothing: a bare read of the counter",
}  # fmt: skip
TOGGLES = {
    "together": "in one transaction", "key": "one static key of as many branches",
    "single": "one by one, each by a line of text", "calls": "each by a call",
    "keys": "static keys, each by a call",
}  # fmt: skip
# Shapes of code in the summary: in the first-level cache, beyond it, beyond the second level, in memory.
COLD_SHOWN = {
    "cold8k": "8 KB", "cold128k": "128 KB", "cold4m": "4 MB", "coldmem": "128 KB in memory",
}  # fmt: skip
CONDITIONS = "Conditions"
# How the kernel names mitigations by which functions return through a thunk, in lower case.
RETURN_THUNKS = ("return thunk", "safe ret", "ibpb on ret", "aligned branch/return")
STORED_LEGEND = (
    "Cost of one event with an integer and a pointer, from the site to the buffer. Cycles and "
    "nanoseconds are measured natively, instructions counted in the guest's kernel; -: not measured "
    "there. Nearly all cycles of an event of the recorder are those of reading the counter; in code "
    "that fills the core the other instructions take cycles, too."
)

Fact = tuple[str, str]  # subject and text


def cost_or_bound(found: Estimate, resolution: float) -> str:
    """Return a cost in cycles, or the bound of one that is not resolved."""
    if not found.is_resolved(resolution):
        return bound(found.limit(resolution))
    return figure(found.median, "cycles")


def beyond_facts(report: Report) -> Iterator[Fact]:
    """The cost of each further site in a row of more than 64, which no usual loop has."""
    timed, _ = envs(report)
    costs = {(e.variant, e.state): e.cost for e in report.site if e.env == timed}
    words = [
        f"{cost_or_bound(costs['mark', s], costs[NULL, s].bound if (NULL, s) in costs else 0.0)} cycles {s}"
        for s in STATES if ("mark", s) in costs
    ]  # fmt: skip
    if words:
        yield "Beyond 64 sites in a row", f"each further MARK() takes {' and '.join(words)}."


def cold_facts(report: Report) -> Iterator[Fact]:
    """The cost of a site in code that is in no cache but the second level, the third or memory, by the
    fastest processes."""
    timed, _ = envs(report)
    found = [entry for entry in report.cold if entry.env == timed and entry.variant in CHOICE]
    measured = {entry.shape for entry in found}
    sizes = [shape for shape in COLD_SHOWN if shape in measured] or ["cold"]
    words: dict[str, list[str]] = {}
    for entry in found:
        if entry.shape in sizes:
            words.setdefault(f"{CHOICE[entry.variant]} {entry.state}", []).append(
                cost_or_bound(entry.cost, entry.resolution)
            )
    if words:
        where = ", ".join(COLD_SHOWN.get(shape, "128 KB") for shape in sizes)
        caches = report.runs[str(timed)].get("caches")
        costs = "; ".join(f"{name} {', '.join(costs)}" for name, costs in sorted(words.items()))
        known = f"; caches: {caches}" if caches else ""
        yield (
            f"Cold, a site in code of {where}",
            f"{costs} {found[0].unit} ({timed}, the fastest process{known}).",
        )


def event_table(report: Report) -> Table:
    """A complete event by way of storing, the cheapest first. LTTng-UST stores in another mode, by
    another clock and with another process, and is left out."""
    timed, counted = envs(report)
    cases = {
        (c.env, c.shape, c.variant): c for c in report.cases
        if c.shape in (EVENTS, EVENTS_AMONG_WORK) and c.state == "enabled" and c.variant != "none"
    }  # fmt: skip
    rates = {one.env: one.mhz / 1000 for one in report.rate}
    rows: dict[str, tuple[float, list[str]]] = {}
    for env in (timed, counted):  # sorted by instructions where they are known
        for case in report.cases:
            if (case.env, case.shape) != (env, EVENTS) or case.variant not in STORED:
                continue
            native, guest, among = (
                cases.get((str(env), shape, case.variant))
                for env, shape in ((timed, EVENTS), (counted, EVENTS), (timed, EVENTS_AMONG_WORK))
            )
            rows[case.variant] = case.added.median, [
                STORED[case.variant], cost(native, 1), cost(native, rates.get(str(timed), 0.0)),
                cost(guest, 1), cost(among, 1),
            ]  # fmt: skip
    columns = ["way to store", "cycles", "ns", "instructions", "cycles in code that fills the core"]
    found = [row for _, row in sorted(rows.values())]
    kept = [at for at in range(len(columns)) if {row[at] for row in found} != {ABSENT}]
    return Table("", [columns[at] for at in kept], [[row[at] for at in kept] for row in found])


def event_words(report: Report, env: str, shape: str) -> str:
    """The costs of events in one loop; "" if there are none."""
    cases = {c.variant: c for c in report.cases if (c.env, c.shape) == (env, shape)}
    found = [
        f"{name} {cost(cases[variant], cases[variant].sites)}"
        for variant, name in EVENTS_SHOWN.items()
        if variant in cases
    ]
    return ", ".join(found)


def event_facts(report: Report) -> Iterator[Fact]:
    """The cost of a complete event: alone, among other work, and in the mails of 2006."""
    words = []
    for env in filter(None, envs(report)):
        if alone := event_words(report, env, EVENTS):
            words.append(f"{alone} {report.units[env]} ({env})")
        if report.units[env] == "cycles" and (among := event_words(report, env, EVENTS_AMONG_WORK)):
            words.append(f"in code that fills the core: {among} cycles")
    thread = next((one for one in report.breakeven if one.env == THREAD_ENV), None)
    if words and thread and thread.stored is not None:
        words.append(
            f"{thread.stored_by} in {THREAD_ENV} {figure(thread.stored, thread.unit)} {thread.unit}"
        )
    if words:
        yield "Complete event", "; ".join(words)


def toggle_facts(report: Report) -> Iterator[Fact]:
    """Yield the cost of opening and closing many sites."""
    for env in filter(None, envs(report)):
        entries = [entry for entry in report.toggle if entry.env == env]
        found: dict[str, list[str]] = {}
        for entry in entries:
            opened = "open" if entry.state == "open" else "close"
            value = figure(entry.per_site.median, entry.unit)
            if entry.interrupts is not None:
                value += f" ({entry.interrupts:,} interrupts)"
            found.setdefault(TOGGLES.get(entry.what, entry.what), []).append(f"{opened} {value}")
        if found:
            order = dict.fromkeys([*TOGGLES.values(), *found])
            words = "; ".join(f"{what} {', '.join(found[what])}" for what in order if what in found)
            yield f"Toggling {entries[0].sites:,} sites", f"{words} {entries[0].unit} a site ({env})"


def difference(entry: Versus, other: str) -> str:
    """Return the difference in cost of one variant to another, as the rest of a sentence."""
    found, unit = entry.difference, entry.unit
    if not entry.resolved or abs(found.median) < SMALLEST / 2:
        limit = max(entry.limit, abs(found.median))
        if limit < SMALLEST / 2:
            return f"equals {other}"
        return f"equals {other} within {rounded_up(limit)}"
    more = "more" if found.median > 0 else "less"
    size = figure(abs(found.median), unit)
    interval = "" if found.lo == found.hi else f" [{figure(found.lo, unit)}, {figure(found.hi, unit)}]"
    return f"costs {size} {more} than {other}{interval}"


def sentence(entries: list[Versus]) -> str:
    """One variant beside another, in one environment, disabled and enabled."""
    first = entries[0]
    name, other = (NAMES.get(variant, variant) for variant in (first.variant, first.against))
    if first.shape == EVENTS:
        return f"An event by the {name} {difference(first, other)}"
    words = [f"{name} {first.state} {difference(first, other)}"]
    words += [f"{entry.state} it {difference(entry, 'that')}" for entry in entries[1:]]
    return "; ".join(words)


def verdict_facts(report: Report) -> Iterator[Fact]:
    """Sentences: one variant beside another in cycles, in the longest loop of LOOPS. That two of the
    same code are equal is no news, and instructions can be subtracted."""
    timed, _ = envs(report)
    pairs: dict[tuple[str, str], list[Versus]] = {}
    for entry in sorted(report.versus, key=lambda entry: entry.state):
        pair = (entry.variant, entry.against)
        if entry.env != timed or pair not in VERSUS or pair == TWINS or entry.twice:
            continue
        if entry.shape in (LOOPS[-1], EVENTS):
            pairs.setdefault(pair, []).append(entry)
    if pairs:
        yield "Side by side", ". ".join(map(sentence, pairs.values())) + f" cycles ({timed})."


def is_resolved(case: Case) -> bool:
    """True if a case is resolved, whether noisy or not."""
    return case.added.is_resolved(case.resolution)


def doubt_facts(report: Report) -> Iterator[Fact]:
    """How many figures should not be used as they are, and what can be resolved at best. A noisy
    case also counts under its other status."""
    found = noise(report)
    if found is None:
        return
    cases = [case for case in report.cases if case.env == found.env and case.variant != "none"]
    counts = {
        "noisy": found.noisy,
        "not resolved": sum(not is_resolved(case) for case in cases),
        "split by place": sum(bool(case.groups) for case in cases),
        "negative": sum(is_resolved(case) and case.added.hi < 0 for case in cases),
    }
    yield f"Of {len(cases)} {found.env} cells", ", ".join(f"{n} {what}" for what, n in counts.items())
    null = {e.shape: e.resolution for e in report.null if e.env == found.env and e.state == "disabled"}
    least = ", ".join(
        f"{shape} {rounded_up(null[shape])}" for shape in ("empty", "memcpy4096", "cold") if shape in null
    )
    if least:
        yield "Not resolved", f"less than {least} cycles a loop, disabled"


def hardened(mitigations: str, ibt: str) -> str:
    """The protections that change calls and returns in a kernel, from the texts that it prints for each
    vulnerability. `ibt`: "yes", "no" or "unknown"."""
    known = mitigations.lower()
    retpolines = "yes" if "retpoline" in known else "no"
    thunks = "yes" if any(word in known for word in RETURN_THUNKS) else "no"
    return f"retpolines {retpolines}, return thunks {thunks}, IBT {ibt}"


def condition_facts(report: Report) -> Iterator[Fact]:
    """Where it was measured, as far as that decides what a call or a return costs."""
    host, runs = report.environment.host, report.runs
    timed, counted = timed_env(report), envs(report)[1]
    words = []
    if timed:
        machine = host.get("hypervisor", "unknown")
        where = {"none": "no virtual machine", "unknown": "virtual or not is unknown"}.get(
            machine, f"virtual machine ({machine})"
        )
        words.append(f"{timed}: {where}, user space without retpolines, return thunks or IBT")
    if counted:
        run = runs[counted]
        cpu = run.get("guest_cpu", run.get("cpu", "unknown")).partition(",")[0]
        known = run.get("mitigations")
        found = "mitigations unknown" if known is None else hardened(known, run.get("ibt", "unknown"))
        words.append(f"{counted}: {run.get('kernel', 'unknown kernel')} on {cpu}, {found}")
        if missing := run.get("missing_peers"):
            names = ", ".join(missing.split())
            words.append(f"not measured, because this kernel could not enable it: {names}")
    if words:
        yield CONDITIONS, "; ".join(words)


def of(report: Report) -> Iterator[Fact]:
    """Yield the facts that are printed below the tables."""
    yield from condition_facts(report)
    yield from beyond_facts(report)
    yield from cold_facts(report)
    yield from event_facts(report)
    yield from toggle_facts(report)
    yield from verdict_facts(report)
    yield from doubt_facts(report)
