# SPDX-License-Identifier: GPL-2.0-only
"""The answer of a report in one screen: a recommendation; the cost of one site in loops of 1, 8 and 64
sites, disabled and enabled, for the variants that a reader would choose among; an event; toggling; and
what this machine could not resolve. It is what `make bench` prints, and the head of report.txt,
report.html and the mail.

Every figure is one of report.json, divided by the sites of its loop (figures.py); facts.py has the
sentences."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from kmark.analysis.cases import NOISY
from kmark.analysis.notation import WIDTH
from kmark.analysis.site import LOOPS
from kmark.reference import lkml_2006
from kmark.report import facts
from kmark.report.figures import ABSENT, CHOICE, STATES, cost, envs, figure, noise, span
from kmark.report.model import Report
from kmark.report.tables import Table

MOST_LINES = 64
# The marker of 2006 by immediate value, and by a flag in memory; enabled, with an empty probe.
OF_2006 = {
    "2006 optimized": (("empty", "imm", "disabled"), ("empty", "imm-varargs", "enabled")),
    "2006 generic": (("empty", "generic", "disabled"), None),
}
LEGEND = (
    "Instructions are counted in the guest, cycles and nanoseconds natively. Enabled: with an empty probe; "
    "with BPF: a tracepoint with an empty program of BPF. a..b: the cost depends on the place of the loop. "
    "<: not resolved, smaller than that. 2006: Pentium 4, 3 GHz. The full report has all variants, with "
    "intervals."
)


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
    pairs = zip(cells, units, strict=True)
    found = [f"{cell} {unit}" for cell, unit in pairs if cell not in (ABSENT, NOISY)]
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
    if costs := list(cost_lines(report)):
        yield from (*costs, *textwrap.wrap(LEGEND, WIDTH))
    yield ""
    for head, words in (*facts.of(report), ("Full report", where)):
        yield from textwrap.wrap(f"{head}: {words}", WIDTH, subsequent_indent="  ", break_on_hyphens=False)
