# SPDX-License-Identifier: GPL-2.0-only
"""The answer of a report in one screen: a recommendation; the cost of one site in loops of 1, 8 and 64
sites, disabled and enabled, for the variants that a reader would choose among; an event; toggling; and
what this machine could not resolve. It is what `make bench` prints, and the head of report.txt,
report.html and the mail.

Every figure is one of report.json, divided by the sites of its loop, written by figure()."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

from kmark.analysis.cases import NOISY, SPLIT, Case
from kmark.analysis.notation import WIDTH
from kmark.analysis.site import LOOPS, TWINS, VERSUS, Versus
from kmark.reference import lkml_2006
from kmark.report.breakeven import THREAD_ENV
from kmark.report.model import Report
from kmark.report.tables import Table

MOST_LINES = 64
# Variants that a reader would choose among, and their names in the summary.
CHOICE = {
    "mark": "MARK()", "key": "static key", "generic": "load and test", "tracepoint": "tracepoint",
    "bpf": "with BPF", "kprobe-opt": "kprobe (jump)", "lttng": "LTTng-UST",
}  # fmt: skip
# The marker of 2006 by immediate value, and by a flag in memory; enabled, with an empty probe.
OF_2006 = {
    "2006 optimized": (("empty", "imm", "disabled"), ("empty", "imm-varargs", "enabled")),
    "2006 generic": (("empty", "generic", "disabled"), None),
}
STATES = ("disabled", "enabled")
EVENTS, EVENTS_AMONG_WORK = "event", "eventfiller"
EVENTS_SHOWN = {
    "sink": "recorder", "counter": "a bare read of the counter", "trace-event": "trace event",
    "debug-site": "pr_debug() recorded", "pr-debug": "pr_debug() printed",
}  # fmt: skip
NAMES = CHOICE | EVENTS_SHOWN
STORED = {
    "sink": "MARK(), recorder", "trace-event": "TRACE_EVENT(), ftrace", "trace-printk": "trace_printk()",
    "debug-site": "pr_debug(), recorder", "pr-debug": "pr_debug(), the log", "relay": "a relay channel alone",
    "ring-buffer": "ftrace's buffer alone", "counter": "nothing: a bare read of the counter",
}  # fmt: skip
TOGGLES = {"together": "in one transaction", "single": "one by one", "keys": "static keys one by one"}
ABSENT = "-"
CONDITIONS = "Conditions"
SMALLEST = 0.01  # the least that figure() shows
DISAGREE, DISAGREE_SHARE = 0.05, 0.1  # of a site; an interval wider than both is shown
BUSY_SAMPLES, BUSY_CELLS = 0.1, 0.2  # shares that are disturbed; beyond them the machine was busy
# How the kernel names mitigations by which functions return through a thunk, in lower case.
RETURN_THUNKS = ("return thunk", "safe ret", "ibpb on ret", "aligned branch/return")
LEGEND = (
    "Instructions are counted in the guest, cycles and nanoseconds natively. Enabled: with an empty probe; "
    "with BPF: a tracepoint with an empty program of BPF. a..b: the cost depends on the place of the loop. "
    "<: not resolved, smaller than that. 2006: Pentium 4, 3 GHz. The full report has all variants, with "
    "intervals."
)

STORED_LEGEND = (
    "Cost of one event with two integers, from the site to the buffer. Cycles and nanoseconds are measured "
    "natively, instructions counted in the guest's kernel; -: not measured there. Nearly all cycles of an event "
    "of the recorder are those of reading the counter; in code that fills the core the other instructions take "
    "cycles, too."
)

Fact = tuple[str, str]  # subject and text


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


def bound(value: float) -> str:
    """A figure that what is not resolved stays below: rounded up."""
    scale = 10 ** decimals(value)
    return "<" + figure(max(math.ceil(value * scale) / scale, SMALLEST), "cycles")


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
        return self.hides or self.dropped >= BUSY_SAMPLES * max(self.samples, 1)

    def sentence(self) -> str:
        found = (
            f"THE MACHINE WAS BUSY: {100 * self.dropped // max(self.samples, 1)} % of the samples were "
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


def thread_rows() -> Iterator[list[str]]:
    """One site of 2006, from the counts of the mails, natively only."""
    figures = lkml_2006.load()
    for name, keys in OF_2006.items():
        cells = [name]
        for key in keys:
            if key is None:
                cells += [ABSENT] * 3
                continue
            found = figures[key]
            instructions = ABSENT if found.instructions is None else str(found.instructions)
            cells += [
                figure(found.added, "cycles"),
                figure(found.added / lkml_2006.GHZ, "ns"),
                instructions,
            ]
        yield cells


def cost_rows(report: Report, shape: str) -> Iterator[list[str]]:
    """Yield, for each variant of CHOICE that was measured in a loop, its name, and for a disabled and an
    enabled site the cycles, the nanoseconds and the instructions."""
    cases = {(c.env, c.variant, c.state): c for c in report.cases if c.shape == shape}
    rates = {one.env: one.mhz / 1000 for one in report.rate}
    timed, counted = envs(report)
    for variant, name in CHOICE.items():
        cells = [name]
        for state in STATES:
            native, guest = (cases.get((str(env), variant, state)) for env in (timed, counted))
            first = native or guest
            sites = first.sites if first else 0
            cells += [
                cost(native, sites), cost(native, sites * rates.get(str(timed), 0.0)), cost(guest, sites),
            ]  # fmt: skip
        if set(cells[1:]) != {ABSENT}:
            yield cells


def cost_words(cells: list[str]) -> str:
    """The cost of a site in one state, from its cells in cycles, nanoseconds and instructions."""
    units = "cycles", "ns", "instruction" if cells[2] == "1" else "instructions"
    found = [f"{cell} {unit}" for cell, unit in zip(cells, units, strict=True) if cell not in (ABSENT, NOISY)]
    return f"{found[0]} ({', '.join(found[1:])})" if found[1:] else "".join(found)


def longest_loop(report: Report) -> str:
    """The loop of most sites, of LOOPS, that has a MARK(); "" if there is none."""
    measured = {case.shape for case in report.cases if case.variant == "mark"}
    return next((shape for shape in reversed(LOOPS) if shape in measured), "")


def cheaper(report: Report, shape: str) -> list[str]:
    """Names of the variants of CHOICE that cost less than MARK() while disabled, in any environment
    of envs(). A difference that the run cannot resolve is none."""
    names = []
    for env in filter(None, envs(report)):
        cases = {
            case.variant: case for case in report.cases
            if (case.env, case.shape, case.state) == (env, shape, "disabled") and case.status != NOISY
        }  # fmt: skip
        if (mark := cases.get("mark")) is not None:
            least = span(mark)[0] - mark.resolution
            names += [CHOICE[v] for v in CHOICE if v in cases and span(cases[v])[1] < least]
    return list(dict.fromkeys(names))


def recommendation(report: Report) -> str:
    """One sentence: whether to leave MARK() in code, and its cost there; "" if it is not known."""
    shape = longest_loop(report)
    row = next((row for row in cost_rows(report, shape) if row[0] == CHOICE["mark"]), None)
    if row is None or not cost_words(row[1:4]):
        return ""
    sites = next(case.sites for case in report.cases if case.shape == shape)
    where = f"among {sites} in a row" if sites > 1 else "in a loop"
    less = cheaper(report, shape)
    advice = f"Consider {' or '.join(less)}, which costs less while disabled" if less else (
        "Leave MARK() in the code, since no other kind of site costs less while disabled"
    )  # fmt: skip
    sentence = f"{advice}: one MARK() {where} costs {cost_words(row[1:4])}"
    if enabled := cost_words(row[4:7]):
        sentence += f", and {enabled} while an empty probe is connected"
    return sentence + "."


def cost_tables(report: Report) -> Iterator[Table]:
    """The costs of one site in the loops of 1, 8 and 64."""
    sites = {case.shape: case.sites for case in report.cases}
    columns = ["one site", *(f"{unit}, {state}" for state in STATES for unit in ("cycles", "ns", "instr."))]
    for shape in LOOPS:
        rows = list(cost_rows(report, shape))
        if not rows:
            continue
        rows += thread_rows() if shape == LOOPS[0] else ()
        count = sites[shape]
        title = f"{count} sites in a row" if count > 1 else "One site in a loop"
        yield Table(title, columns, rows, "{0:<14}{1:>11}{2:>11} {3:>6}{4:>11}{5:>11} {6:>6}")


def cost_lines(report: Report) -> Iterator[str]:
    """The tables as text, below one head."""
    found = list(cost_tables(report))
    if found:
        yield f"{'Cost of a site':<14}{'disabled':>18}{'enabled':>29}"
        yield found[0].line(["", *(("cycles", "ns", "instr.") * 2)])
    for table in found:
        yield from (f"{table.title}:", *table.body())


def beyond_facts(report: Report) -> Iterator[Fact]:
    """The cost of each further site in a row of more than 64, which no usual loop has."""
    timed, _ = envs(report)
    found = {e.state: e for e in report.site if (e.env, e.variant) == (timed, "mark")}
    words = [f"{figure(found[s].cost.median, found[s].unit)} cycles {s}" for s in STATES if s in found]
    if words:
        yield "Beyond 64 sites in a row", f"each further MARK() takes {' and '.join(words)}."


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
            found.setdefault(TOGGLES.get(entry.what, entry.what), []).append(f"{opened} {value}")
        if found:
            words = "; ".join(f"{what} {', '.join(values)}" for what, values in found.items())
            yield f"Toggling {entries[0].sites:,} sites", f"{words} {entries[0].unit} a site ({env})"


def difference(entry: Versus, other: str) -> str:
    """Return the difference in cost of one variant to another, as the rest of a sentence."""
    found, unit = entry.difference, entry.unit
    if not entry.resolved or abs(found.median) < SMALLEST / 2:
        limit = max(entry.limit, abs(found.median))
        if limit < SMALLEST / 2:
            return f"equals {other}"
        return f"equals {other} within {figure(limit, unit)}"
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
    """True if a case is, be it noisy or not."""
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
        f"{shape} {bound(null[shape])[1:]}" for shape in ("empty", "memcpy4096", "cold") if shape in null
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
            words.append(f"not measured, because this kernel could not enable it: {', '.join(missing.split())}")
    if words:
        yield CONDITIONS, "; ".join(words)


def facts(report: Report) -> Iterator[Fact]:
    """Yield the facts that are printed below the tables."""
    yield from condition_facts(report)
    yield from beyond_facts(report)
    yield from event_facts(report)
    yield from toggle_facts(report)
    yield from verdict_facts(report)
    yield from doubt_facts(report)


def warnings(report: Report) -> list[str]:
    """Warnings that stand before any figure; empty on a quiet machine."""
    found = noise(report)
    return [found.sentence()] if found and found.busy else []


def lines(report: Report, where: str = "below") -> Iterator[str]:
    """The page, of WIDTH columns. `where`: the full report."""
    for warning in warnings(report):
        yield from textwrap.wrap(warning, WIDTH)
    cpu = (report.cpu or "unknown CPU").partition(" (")[0]
    yield textwrap.shorten(f"Cost of markers, {report.created[:10]}: {cpu}", WIDTH, placeholder=" ...")
    yield from textwrap.wrap(recommendation(report), WIDTH)
    yield from cost_lines(report)
    yield from (*textwrap.wrap(LEGEND, WIDTH), "")
    for head, words in (*facts(report), ("Full report", where)):
        yield from textwrap.wrap(f"{head}: {words}", WIDTH, subsequent_indent="  ", break_on_hyphens=False)
