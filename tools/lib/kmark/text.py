# SPDX-License-Identifier: GPL-2.0-only
"""report.txt: a report as plain text, laid out like the mail it replaces.

Made from the report alone, so the same text can be made again later."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from kmark.report import Report

WIDTH = 72
KEY_WIDTH = 14
ENVIRONMENTS = {
    "native": "Native: user space on this machine, in core cycles",
    "vm": "Guest: the distribution's kernel under emulation, in instructions",
}
SHAPES = {
    "empty": "Execute an empty loop",
    "memcpy4096": "Execute a loop of memcpy 4096 bytes",
    "unrolled4": "Execute a loop of 4 sites in a row",
    "unrolled8": "Execute a loop of 8 sites in a row",
}
PER_LOOP = {"cycles": "cycles/loop", "instructions": "instr./loop"}
THREAD = {
    "cycles": "thread: cycles added in the mails of 2006 (Pentium 4, 3 GHz), for none the cycles per loop.",
    "instructions": "thread: instructions of one disabled site in the listings of the mails of 2006.",
}
LEGEND = (
    "added: median of the differences to none in the same round and layout. "
    "not resolved (< x): below what none against none shows in this run, with its sign. "
    "noisy: over a fifth of the samples dropped, or the rest too far apart. "
    "A wide interval that is not noisy: it matters where the loop lies in its cache line."
)


def number(value: float, sign: str = "") -> str:
    size = abs(value)
    digits = 4 if size < 10 else 3 if size < 100 else 2 if size < 10000 else 0
    return f"{value:{sign}z.{digits}f}"


def interval(entry: dict[str, float]) -> str:
    return f"[{number(entry['lo'], '+')}, {number(entry['hi'], '+')}]"


def fact(key: str, value: str) -> str:
    return textwrap.fill(
        " ".join(value.split()),
        WIDTH,
        initial_indent=f"{key:<{KEY_WIDTH - 1}} ",
        subsequent_indent=" " * KEY_WIDTH,
        break_on_hyphens=False,
    )


def row(variant: str, per_loop: str, added: str, bounds: str, status: str, last: str) -> str:
    return f"{variant[:12]:<12}{per_loop:>11}{added:>9} {bounds:>20} {status:<10} {last:>7}".rstrip()


def last_column(case: dict[str, Any]) -> str:
    """The thread's figure; where it has none, several sites, the cost of one."""
    entry, variant = case["thread"], case["variant"]
    if variant == "none":
        return f"{entry['per_loop']:.2f}" if entry and "per_loop" in entry else ""
    if case["sites"] > 1:
        return number(case["added"]["median"] / case["sites"], "+")
    if entry is None:
        return ""
    return f"{entry['added']:+.2f}" if case["unit"] == "cycles" else f"{entry['added']:+d}"


def case_row(case: dict[str, Any], resolution: float) -> str:
    per_loop = number(case["per_loop"]["median"])
    if case["variant"] == "none":
        return row("none", per_loop, "", "", case["status"], last_column(case))
    if case["status"] == "unresolved":
        sign = "-" if case["added"]["median"] < 0 else "+"
        text = f"{sign} not resolved (< {number(resolution)})"
        thread = last_column(case) if case["thread"] else ""
        return f"{case['variant'][:12]:<12}{per_loop:>11}  {text:<39} {thread:>7}".rstrip()
    added = number(case["added"]["median"], "+")
    return row(case["variant"], per_loop, added, interval(case["added"]), case["status"], last_column(case))


def table(cases: list[dict[str, Any]], resolution: float) -> Iterator[str]:
    """One shape in one state."""
    first = cases[0]
    yield f"- {SHAPES.get(first['shape'], 'Execute the loop ' + first['shape'])}, sites {first['state']}"
    yield f"NR_LOOPS : {first['loops']}"
    yield f"samples  : {first['samples']} of each variant"
    dropped = [f"{case['variant']} {case['dropped']}" for case in cases if case["dropped"]]
    if dropped:
        yield fact("dropped  :", ", ".join(dropped) + " (their chains disagree)")
    yield ""
    last = "a site" if any(case["sites"] > 1 for case in cases) else "thread"
    yield row("variant", PER_LOOP[first["unit"]], "added", "95 % interval", "status", last)
    for case in cases:
        yield case_row(case, resolution)
    yield ""


def environment(report: Report, env: str) -> Iterator[str]:
    for run in report["environment"]["runs"]:
        if run["env"] == env:
            yield from (fact(key, value) for key, value in run.items() if key != "env")


def null_table(report: Report) -> Iterator[str]:
    yield "* Null experiment: none against none, per loop"
    yield ""
    yield f"{'env':<8}{'shape':<13}{'state':<10}{'median':>9} {'95 % interval':>20} {'bound':>9}"
    for entry in report["null"]:
        median, bound = number(entry["added"]["median"], "+"), number(entry["resolution"])
        place = f"{entry['env'][:7]:<8}{entry['shape'][:12]:<13}{entry['state']:<10}"
        yield f"{place}{median:>9} {interval(entry['added']):>20} {bound:>9}"
    yield ""
    units = {entry["env"]: entry["unit"] for entry in report["null"]}
    told = ", ".join(f"{env} in {unit}" for env, unit in units.items())
    yield fact("unit", f"{told}; bound is what a difference must exceed to count.")


def lines(report: Report) -> Iterator[str]:
    yield "Cost of markers, disabled and enabled"
    yield report["created"]
    yield ""
    yield "* Machine"
    yield ""
    yield from (fact(key, value) for key, value in report["environment"]["host"].items())
    resolution = {(e["env"], e["shape"], e["state"]): e["resolution"] for e in report["null"]}
    for env, in_env in groupby(report["cases"], lambda case: case["env"]):
        cases = list(in_env)
        yield from ("", "", "* " + ENVIRONMENTS.get(env, env), "")
        yield from environment(report, env)
        yield ""
        for (shape, state), group in groupby(cases, lambda case: (case["shape"], case["state"])):
            yield from table(list(group), resolution[env, shape, state])
        yield textwrap.fill(THREAD[cases[0]["unit"]], WIDTH)
    yield ""
    yield textwrap.fill(LEGEND, WIDTH)
    yield from ("", "")
    yield from null_table(report)


def render(report: Report) -> str:
    return "\n".join(lines(report)) + "\n"
