# SPDX-License-Identifier: GPL-2.0-only
"""The report of the methods of timing, as text and as JSON."""

from __future__ import annotations

import csv
import json
import textwrap
from collections.abc import Iterator
from typing import Any

from kmark import cache, foreign
from kmark.analysis.notation import fact
from kmark.analysis.raw import Raw
from kmark.errors import Failure
from kmark.timing import verdict
from kmark.timing.series import TRAP_TICKS
from kmark.timing.verdict import Verdict

PAPER = cache.TOP / "bench/data/paper.tsv"
NAME = "kmark-method/1"
NOISE = 1.3  # times the chain; a larger figure is noise
ERROR = 0.05  # average, of Paoloni's example
TITLES = {
    "native": "Native: user space on this machine",
    "uml": "User-Mode Linux: a module in a kernel that is a program",
    "vm": "Guest: a module in the distribution's kernel, under emulation",
    "host": "Host: a module in this machine's own kernel",
}
LEGEND = (
    "Ticks of the counter and their squares. offset: the least of all samples with nothing between the "
    "reads, to be subtracted. tot.var: mean of the ensembles' variances. max.dev: longest less shortest "
    "of an ensemble, disturbed ones included. var.var, var.min: variances of the variances and of the "
    "minima; ergodic: the minimum is constant, and the variances differ by no more than those of "
    "independent samples do. chain: how much of a chain of dependent multiplications between the reads "
    "is seen; what a fence does not wait for is missing. paper: Paoloni's figures, 1000 ensembles of "
    "100,000 samples on a Core i7 of 2010."
)
LEGEND_NO_TIME = "Under icount a tick is an instruction, and nothing is out of order: no fence is needed."


def paper() -> dict[str, dict[str, str]]:
    """The paper's figures, by fence."""
    lines = [line for line in foreign.lines(PAPER.read_text()) if not line.startswith("#")]
    return {row["fence"]: row for row in csv.DictReader(lines, delimiter="\t")}


def short(value: float) -> str:
    return f"{value:.0f}" if 100 <= abs(value) < 1e6 else f"{value:.3g}"


def row(cells: list[str]) -> str:
    widths = (13, 7, 9, 9, 9, 9, 8, 9)
    return "".join(f"{cell:<{w}}" if not i else f"{cell:>{w}}"
                   for i, (cell, w) in enumerate(zip(cells, widths, strict=True))).rstrip()  # fmt: skip


def verdict_row(one: Verdict) -> str:
    found = one.evaluation
    chain = "-" if one.inside is None else f"{one.inside:.0f}/{one.chain}"
    if one.inside is not None and abs(one.inside) > NOISE * one.chain:
        chain = "noise"
    return row([
        one.fence, str(one.offset.least), short(float(found.total_variance)), str(found.max_deviation),
        short(float(found.variance_of_variances)), short(float(found.variance_of_minima)),
        "yes" if found.ergodic else "NO", chain,
    ])  # fmt: skip


def paper_row(fence: str) -> Iterator[str]:
    if found := paper().get(fence):
        ergodic = "yes" if found["variance_of_minima"] == found["variance_of_variances"] == "0" else "NO"
        yield row([
            "  paper", found["least"], found["total_variance"], found["max_deviation"],
            found["variance_of_variances"], found["variance_of_minima"], ergodic, "",
        ])  # fmt: skip


def table(verdicts: list[Verdict]) -> Iterator[str]:
    yield row(["fence", "offset", "tot.var", "max.dev", "var.var", "var.min", "ergodic", "chain"])
    for one in verdicts:
        yield verdict_row(one)
        yield from paper_row(one.fence)


def resolutions(verdicts: list[Verdict]) -> Iterator[str]:
    figures = paper()
    for one in verdicts:
        text = one.sentence()
        if one.resolution:
            text += f"; {one.resolution.start} are the fewest that differ from none"
        text += f"; {ERROR:.0%} error from {one.evaluation.shortest(ERROR):.0f} ticks on"
        if (found := figures.get(one.fence, {}).get("resolution", "-")) != "-":
            text += f"; paper: {found} stores"
        yield from textwrap.wrap(text, 72, initial_indent="- ", subsequent_indent="  ")


def counts(verdicts: list[Verdict]) -> Iterator[str]:
    for one in verdicts:
        text = f"{len(one.offset.ensembles)} ensembles of {one.offset.samples} samples"
        if one.stores:
            text += f"; stores: {len(one.stores.ensembles)} of {one.stores.samples}, "
            text += f"{one.stores.stride} more each"
        if one.offset.disturbed:
            text += f"; {one.offset.disturbed} were over {one.offset.tolerance} times the least, left out"
        if one.offset.backwards:
            text += f"; {one.offset.backwards} went backwards, left out"
        yield fact(one.fence, text)


def cpuid_line(raw: Raw, verdicts: list[Verdict]) -> Iterator[str]:
    ticks = verdict.cpuid_ticks(verdicts)
    if ticks is None or verdicts[0].unit.name == "instructions":
        return
    khz = int(raw.environment.get("tsc_khz", "0"))
    time = f" ({1e3 * ticks / khz:.2f} us)" if khz else ""
    text = f"takes {ticks:.0f} ticks{time}"
    if ticks > TRAP_TICKS:
        text += ": it traps to a hypervisor; --full takes all of the paper's samples nevertheless"
    yield fact("CPUID", text)


def naive(raw: Raw, verdicts: list[Verdict]) -> list[str]:
    """The three faults of a bare RDTSC in C, each with a wrong value that it gave; empty if they were
    not tried."""
    bare = next((one for one in verdicts if one.fence == "rdtsc"), None)
    words = raw.environment.get("naive_register", "").split()
    if bare is None or bare.inside is None or words[:1] == words[1:]:
        return []
    least, longest = bare.offset.least, bare.offset.longest
    return [
        f"registers that are not named: a variable with {words[0]} has {words[1]} behind the RDTSC",
        f"out of order: {bare.inside:.0f} of {bare.chain} {bare.unit.name} are seen",
        f"cost of the calls: nothing seems to take {least} to {longest} ticks",
    ]


def section(raw: Raw) -> Iterator[str]:
    verdicts = verdict.judge(raw)
    if not verdicts:
        raise Failure(f"{raw.env}: no series of samples")
    yield from ("", "* " + TITLES.get(raw.env, raw.env), "")
    yield from (fact(key, raw.environment.get(key, "?")) for key in ("cpu", "kernel"))
    yield fact("counter", verdict.counter_fact(raw))
    yield from cpuid_line(raw, verdicts)
    if found := naive(raw, verdicts):
        yield fact("naive", "; ".join(found))
    unit = verdicts[0].unit
    if unit.name == "ticks":
        yield fact("ticks", "the chains do not agree, so they are not given as cycles: a noisy machine")
    elif unit.name == "cycles":
        yield fact("a tick", f"is {unit.per_tick:.4f} core cycles, by chains of adds and multiplications")
    yield ""
    yield from table(verdicts)
    yield ""
    yield from resolutions(verdicts)
    yield ""
    yield from counts(verdicts)
    if unit.name == "instructions":
        yield from ("", *textwrap.wrap(LEGEND_NO_TIME, 72))


def lines(documents: list[Raw], created: str, host: dict[str, str]) -> Iterator[str]:
    yield "Methods of timing: what this machine can resolve"
    yield created
    for raw in documents:
        for text in verdict.warnings(raw):
            yield from textwrap.wrap(f"WARNING: {raw.env}: {text}", 72)
    yield from ("", "* Machine", "")
    yield from (fact(key, value) for key, value in host.items())
    for raw in documents:
        yield from section(raw)
    yield from ("", *textwrap.wrap(LEGEND, 72))


def render(documents: list[Raw], created: str, host: dict[str, str]) -> str:
    return "\n".join(lines(documents, created, host)) + "\n"


def record(documents: list[Raw], created: str, host: dict[str, str]) -> dict[str, Any]:
    """The report, as JSON."""
    return {
        "schema": NAME,
        "created": created,
        "host": host,
        "runs": [
            {
                "environment": raw.environment,
                "warnings": verdict.warnings(raw),
                "fences": [one.record() for one in verdict.judge(raw)],
            }
            for raw in documents
        ],
    }


def dump(documents: list[Raw], created: str, host: dict[str, str]) -> str:
    return json.dumps(record(documents, created, host), indent=1) + "\n"
