# SPDX-License-Identifier: GPL-2.0-only
"""The columns of the programs of bench/timing/tsc."""

from __future__ import annotations

import re
from collections.abc import Callable

from claims import NEAR, TICKS_A_CYCLE, Run, claim, near


def head(text: str, hz: float) -> float:
    """Check the first line of a program of the library; return the ticks of a core cycle."""
    said = re.match(r"counter: (\S+) MHz, two reads (\S+) ticks apart, (\S+) ticks a core cycle", text)
    claim("the head", bool(said), text[:100])
    assert said
    near("the rate in the head", float(said[1]) * 1e6, hz, NEAR)
    claim("two reads in a row take ticks", 1 < float(said[2]) < 10000, said[2])
    per_cycle = float(said[3])
    claim("ticks of a cycle", TICKS_A_CYCLE[0] < per_cycle < TICKS_A_CYCLE[1], per_cycle)
    return per_cycle


def row_of(line: str, name: str, per_cycle: float, hz: float) -> tuple[float, float | None, float | None]:
    """Check a line of a table; return its ticks and the ends of its interval in ticks."""
    cycles, low, high, ns, ticks, *paper = line.removeprefix(name).split()
    near(f"{name}: ns are ticks by the rate", float(ns), float(ticks) / hz * 1e9, NEAR, 0.01)
    near(f"{name}: cycles are ticks", float(cycles), float(ticks) / per_cycle, 2e-3, 0.01)
    claim(f"{name}: the paper's are two", len(paper) == 2, paper)
    ends = [None if end == "-" else float(end) * per_cycle for end in (low, high)]
    if ends[0] is not None and ends[1] is not None:
        claim(
            f"{name}: the median is in its interval",
            ends[0] * 0.998 <= float(ticks) <= ends[1] * 1.002,
            line,
        )
    return float(ticks), ends[0], ends[1]


def overhead(hz: float) -> None:
    run = Run("tsc/test_overhead")
    per_cycle, spent = head(run.text, hz), 0.0
    said = re.search(r"(\d+) batches of (\d+) calls", run.text)
    claim("batches", bool(said), run.text)
    assert said
    for line in run.text.splitlines():
        if line.startswith("tsc_"):
            ticks, low, _ = row_of(line, line.split()[0], per_cycle, hz)
            claim("so many batches have an interval", low is not None, line)
            claim("a read takes some ticks, and no microsecond", 1 < ticks < hz / 1e6, line)
            spent += ticks * int(said[1]) * int(said[2]) / hz
    claim("all calls are in the time of the program", 0 < spent < run.seconds, spent, run.seconds)


def syscall(hz: float) -> None:
    for name, rows in (("close", 1), ("gettimeofday", 2)):
        run = Run("tsc/test_syscall", name, "1", "9")
        per_cycle = head(run.text, hz)
        blocks = re.split(r"(?m)^1\t", run.text)[1:]
        claim(f"{name}: a table for each way", len(blocks) == rows, run.text)
        for block in blocks:
            lines = re.findall(r"(?m)^(?:(\d+)\t)?\S[^\t]*\t(\d+) ticks\t(\S+) ns$", block)
            claim(
                "all are numbered",
                [one for one, _, _ in lines[1:]] == [str(n) for n in range(2, 10)],
                lines,
            )
            ticks = sorted(float(one) for _, one, _ in lines)
            for _, one, ns in lines:
                near("ns are ticks by the rate", float(ns), float(one) / hz * 1e9, NEAR, 0.06)
            mean = re.search(r"average of 9: (\S+) ticks, (\S+) ns", block)
            claim("the average", bool(mean), block)
            assert mean
            near("it is that of the lines", float(mean[1]), sum(ticks) / 9, 0, 0.006)
            near("its ns are ticks by the rate", float(mean[2]), float(mean[1]) / hz * 1e9, NEAR, 0.006)
            line = block.splitlines()[-1]
            start = re.match(r".*?(?= {2,}\S)", line)
            assert start
            median, low, high = row_of(line, start[0], per_cycle, hz)
            near("the median is that of the lines", median, ticks[4], 0, 0.006)
            claim("nine have an interval", low is not None and high is not None, line)
            assert low is not None and high is not None
            near(
                "it is that of the sign test, or wider",
                low,
                min(ticks[:2], key=lambda one: abs(one - low)),
                2e-3,
            )
            near("at both ends", high, min(ticks[-2:], key=lambda one: abs(one - high)), 2e-3)


def cpuspeed(hz: float) -> None:
    run = Run("tsc/test_cpuspeed", "3")
    head(run.text, hz)
    rates = [float(one) for one in re.findall(r"(?m)^\d+\t(\S+) MHz$", run.text)]
    for rate in rates:
        near("the rate", rate * 1e6, hz, NEAR)
    said = re.search(r"average of 3: (\S+) MHz, lowest to highest: (\S+) ppm", run.text)
    claim("three and their average", len(rates) == 3 and bool(said), run.text)
    assert said
    near("the average is that of the lines", float(said[1]), sum(rates) / 3, 0, 2e-6)
    spread = (max(rates) - min(rates)) / (sum(rates) / 3) * 1e6
    near("the spread is that of the lines", float(said[2]), spread, 0, 0.002)
    claim("200 ms each", 0.6 < run.seconds < 6, run.seconds)


PROGRAMS: dict[str, Callable[[float], None]] = {
    "test_overhead": overhead,
    "test_syscall": syscall,
    "test_cpuspeed": cpuspeed,
}
