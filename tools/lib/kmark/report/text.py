# SPDX-License-Identifier: GPL-2.0-only
"""report.txt: a report as plain text, laid out like the 2006 mail.

Made from the report alone, so the same text can be made again later."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from itertools import groupby

from kmark.analysis import shapes
from kmark.analysis.cases import Case
from kmark.analysis.cold import ColdSite
from kmark.analysis.notation import WIDTH, fact, fit
from kmark.analysis.scale import Point
from kmark.analysis.site import SiteCost, Versus
from kmark.analysis.toggle import Cost
from kmark.foreign import shown
from kmark.report import summary, tables
from kmark.report.breakeven import THREAD_ENV
from kmark.report.model import Memory, Report
from kmark.report.tables import toggle_name

ENVIRONMENTS = {
    "native": "Native: user space on this machine, in core cycles",
    "vm": "Guest: the distribution's kernel under emulation, in instructions",
    "uml": "User-Mode Linux: real modules in a kernel, in core cycles",
}
THREAD = {
    "cycles": "thread: cycles added in the mails of 2006 (Pentium 4, 3 GHz), for none the cycles per loop.",
    "instructions": "thread: instructions of one disabled site in the listings of the mails of 2006.",
}
COLUMNS = (
    "Per loop, and added to the loop without a site: medians with their interval; mean, worst: of the "
    "places; a site: added, divided by the sites of the loop; 2006: the mails."
)
LEGEND = (
    "added: median of the differences to none in the same round and layout. "
    "not resolved (< x): the interval contains 0, or it is below what none against none shows in this "
    "run; its size is below x, with its sign. "
    "noisy: over a fifth of the samples dropped, or the rest too far apart. "
    "split: places, each a layout in one process, fall into groups, which stand below: no loop "
    "has the median. negative: the loop is faster with the site, which where other code "
    "lies can do; it is no gain. mean, worst: over places, where one of them is outside the interval "
    "by more than this run resolves. "
    "A wide interval that is not noisy: it matters where the loop lies in its cache line."
)
SITE_NOTE = "none and null have no sites: what they show is noise."
TOGGLE_NOTES = {
    "ns": "ns: of whole commands on this machine, less the wait for probes to return after closing.",
    "instructions": "instructions: of whole commands on the guest's only CPU. What it costs to interrupt "
    "others is not in them, and that is what several CPUs pay for each round.",
}
TOGGLE_LEGEND = (
    "together: all sites in one transaction; one by one: each in its own, by a line of text; by calls: "
    "the same by marker_probe_connect(). static keys: one for each branch; one key: of as many branches. "
    "rounds: times that all CPUs were synchronised. "
    "int3: times that a CPU met a breakpoint of ours. -: not known. "
)
COLD_NOTE = (
    "a step: 128 bytes of code without a site, that jump to the next step; the caches that hold it show in "
    "its time. memory: 128 KB that were flushed before each walk. Added to it by a site: disabled, enabled "
    "with an empty probe. <: not resolved, smaller than that."
)
BREAKEVEN_NOTE = (
    "d, m: what a disabled and an enabled marker take each time they are passed; k: a dynamic probe, "
    "while it is there, else it takes nothing. share: of the time in which events are wanted; beyond it "
    "the marker is cheaper, below it the probe. It is the event rate as a part of the rate at which the "
    "place is passed: at 1,000,000 passes a second, 1 % is 10,000 events a second. stored: k/m with the "
    "cost of storing one event added to both. <: a disabled site is not resolved, so this is a bound."
)


def case_table(cases: list[Case]) -> Iterator[str]:
    """One shape in one state."""
    first = cases[0]
    title = f"- {shapes.title(first.shape)}, sites {first.state}"
    yield from textwrap.wrap(title, WIDTH, subsequent_indent="  ")
    yield f"NR_LOOPS : {first.loops}"
    yield f"samples  : {first.samples} of each variant"
    dropped = [f"{case.variant} {case.dropped}" for case in cases if case.dropped]
    if dropped:
        yield fact("dropped  :", ", ".join(dropped) + " (their chains disagree)")
    yield from ("", *tables.of_cases(cases).lines(), "")


def toggle_facts(entries: list[Cost]) -> Iterator[str]:
    for entry in entries:
        if ratio := entry.ratio:
            bounds = "" if ratio.lo == ratio.hi else f" [{ratio.lo:.2f}, {ratio.hi:.2f}]"
            how = f"{toggle_name(entry)}, {entry.state}"
            yield fact("ratio", f"{how}: {ratio.median:.2f} times together{bounds}")
    if counted := [entry for entry in entries if entry.interrupts is not None]:
        words = (f"{toggle_name(entry)}, {entry.state} {entry.interrupts:,}" for entry in counted)
        yield fact("interrupts", f"of each other CPU: {'; '.join(words)}")
    shares = sorted({round(100 * entry.peer) for entry in entries if entry.peer is not None})
    if shares:
        span = f"{shares[0]} to {shares[-1]}" if len(shares) > 1 else f"{shares[0]}"
        yield fact("other thread", f"ran {span} % of the time")


def toggle_table(entries: list[Cost]) -> Iterator[str]:
    """Yield the cost of changing many sites, in one environment."""
    first = entries[0]
    yield f"- Toggle cost: open and close {first.sites} sites"
    yield f"samples  : {first.samples} of each"
    yield from ("", *tables.of_toggle(entries).lines(), "", *toggle_facts(entries), "")
    yield textwrap.fill(TOGGLE_LEGEND + TOGGLE_NOTES[first.unit], WIDTH)


def scale_table(entries: list[Point]) -> Iterator[str]:
    """One write with a rule for each site, for more and more sites."""
    yield "- Scale: one write with a rule for each site"
    yield f"samples  : {entries[0].samples} of each"
    yield from ("", *tables.of_scale(entries).lines(), "")
    for what, group in groupby(entries, lambda entry: entry.what):
        least, *_, most = group
        ratio = most.per_site.median / least.per_site.median
        yield fact("growth", f"{what}: a site of {most.sites} takes {ratio:.2f} times one of {least.sites}")


def site_table(entries: list[SiteCost]) -> Iterator[str]:
    """The cost of one site, without the loop around it."""
    first = entries[0]
    ordered = sorted(entries, key=lambda entry: (entry.variant not in ("none", "null"), entry.variant))
    yield f"- One site of {2 * first.sites}: {first.twice} less {first.shape}, by {first.sites}"
    yield from ("", *tables.of_site(ordered).lines(), "", SITE_NOTE)
    bent = dict.fromkeys(f"{entry.variant} {entry.state}" for entry in entries if entry.linear is False)
    if bent:
        yield fact(
            "not linear", f"{', '.join(bent)}: a site costs another amount in the loops of 1, 8 or 64."
        )


def versus_table(entries: list[Versus]) -> Iterator[str]:
    """Yield the tables of how much more a site of one variant costs than a site of another."""
    yield f"- Side by side: what one site costs more, in {entries[0].unit}"
    pairs = dict.fromkeys((entry.variant, entry.against) for entry in entries)
    for variant, against in sorted(pairs):
        mine = [entry for entry in entries if (entry.variant, entry.against) == (variant, against)]
        yield from ("", f"{variant} less {against}", *tables.of_versus(mine).lines())


def cold_table(entries: list[ColdSite]) -> Iterator[str]:
    """One site in code of several sizes, and in code that was flushed to memory."""
    table = tables.of_cold(entries)
    if not table.rows:
        return
    states = [column.rpartition(", ") for column in table.columns[2:]]
    yield "- Cold: one site in code of each size, by the fastest process"
    yield ""
    yield table.line(["", "", *(variant for variant, _, _ in states)])
    yield table.line([*table.columns[:2], *(state for _, _, state in states)])
    yield from (*table.body(), "", textwrap.fill(COLD_NOTE, WIDTH))


def memory_table(entries: list[Memory]) -> Iterator[str]:
    yield from ("- Memory, in bytes", "", *tables.of_memory(entries).body())


def env_tables(report: Report) -> Iterator[str]:
    """Yield the measurements of one environment besides the loops."""
    if report.site:
        yield from ("", *site_table(report.site))
    if report.versus:
        yield from ("", *versus_table(report.versus))
    if report.cold:
        yield from ("", *cold_table(report.cold))
    if report.toggle:
        yield from ("", *toggle_table(report.toggle))
    if report.scale:
        yield from ("", *scale_table(report.scale))
    if report.memory:
        yield from ("", *memory_table(report.memory))


def env_lines(report: Report, env: str) -> Iterator[str]:
    """All of one environment. `report`: what it has of that."""
    yield from ("", "", "* " + ENVIRONMENTS.get(env, env), "")
    yield from (fact(key, value) for key, value in report.runs[env].items() if key != "env")
    yield ""
    for _, group in groupby(report.cases, lambda case: (case.shape, case.state)):
        yield from case_table(list(group))
    yield textwrap.fill(THREAD[report.cases[0].unit], WIDTH)
    yield from env_tables(report)


def row_lines(report: Report) -> Iterator[str]:
    if report.rows:
        yield "* Rows of the 2006 thread: as printed, and today"
        yield from tables.of_rows(report.rows).body()


def breakeven_lines(report: Report) -> Iterator[str]:
    if not report.breakeven:
        return
    yield "* Break-even: a marker, or a probe put in by rewriting code"
    for env, group in groupby(report.breakeven, lambda entry: entry.env):
        mine = list(group)
        yield from ("", f"- {'the 2006 mails, P4' if env == THREAD_ENV else env}, in {mine[0].unit}", "")
        yield from tables.of_breakeven(mine).lines()
    yield ""
    absent = [env for env in report.units if env not in {entry.env for entry in report.breakeven}]
    if absent:
        yield from (f"not measured in: {', '.join(absent)} (no dynamic probe there)", "")
    yield textwrap.fill(BREAKEVEN_NOTE, WIDTH)


def slip_lines(report: Report) -> Iterator[str]:
    if report.slips:
        yield from ("* Slips of the 2006 mails: figures that do not follow from their counts", "")
        yield from tables.of_slips(report.slips).lines()


SECTIONS: tuple[Callable[[Report], Iterator[str]], ...] = (row_lines, breakeven_lines, slip_lines)


def null_lines(report: Report) -> Iterator[str]:
    yield from ("* Null experiment: none against none, per loop", "")
    yield from (*tables.of_null(report.null).lines(), "")
    units = {entry.env: entry.unit for entry in report.null}
    places = ", ".join(f"{env} in {unit}" for env, unit in units.items())
    yield fact("unit", f"{places}; bound is what a difference must exceed to count.")


def warnings(report: Report) -> list[str]:
    """Reasons not to trust a clock; printed first."""
    runs = report.environment.runs
    return [f"WARNING: {run['env']}: {run['warning']}" for run in runs if "warning" in run]


def lines(report: Report) -> Iterator[str]:
    yield from ("Cost of markers, disabled and enabled", report.created)
    for warning in warnings(report):
        yield from textwrap.wrap(warning, WIDTH)
    yield from ("", *summary.lines(report), "", "", "* Machine", "")
    yield from (fact(key, value) for key, value in report.environment.host.items())
    for env in report.units:
        yield from env_lines(report.of_env(env), env)
    yield from ("", textwrap.fill(LEGEND, WIDTH), "", "")
    for lines_of in SECTIONS:
        if found := list(lines_of(report)):
            yield from (*found, "", "")
    yield from null_lines(report)


def render(report: Report) -> str:
    """The whole text, no line of which has over WIDTH columns, whatever the names and figures."""
    return "".join(
        f"{part}\n" for line in "\n".join(lines(report)).split("\n") for part in fit(shown(line))
    )
