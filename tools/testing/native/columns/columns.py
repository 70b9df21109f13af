# SPDX-License-Identifier: GPL-2.0-only
"""columns.py BUILD HZ: runs the programs of bench/timing, and computes each column that they print from the
others, or compares it with a clock of Python. Prints TAP, a test for each program.

A figure may be wrong by a factor and still look plausible. So each unit is checked against another one:
ns against ticks and the counter's rate, microseconds against the time that the program was asked for,
sums against their parts, and the ticks of a whole program against the time that it took. HZ is the rate
of the counter, which a program of this folder has measured."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

import lecture
import library
from claims import NEAR, ROUGH, TICKS_A_CYCLE, Run, Wrong, claim, near


def method(hz: float) -> None:
    ensembles, samples = 5, 3000
    for test in ("offset", "stores", "before", "inside"):
        run = Run(
            "native/method", f"fence=lfence test={test} ensembles={ensembles} samples={samples} tolerance=3"
        )
        found = run.raw()
        near("the rate in the head", float(found.environment["tsc_khz"]) * 1000, hz, NEAR)
        (series,) = found.tables["series"]
        claim(
            "the plan",
            (series["test"], series["samples"], series["tolerance"]) == (test, str(samples), "3"),
            series,
        )
        step, stride, took, kept, sums = int(series["step"]), int(series["stride"]), 0, 0, 0
        near(
            "the chains have their lengths",
            float(found.environment["chain_adds"]),
            2 * float(found.environment["chain_imuls"]),
            0,
        )
        for when in "01":
            adds = int(series[f"add{when}"]) / int(found.environment["chain_adds"])
            imuls = int(series[f"imul{when}"]) / int(found.environment["chain_imuls"])
            claim("an addition takes a cycle", TICKS_A_CYCLE[0] < adds < TICKS_A_CYCLE[1], series)
            near(
                "a multiplication takes three",
                imuls / adds,
                float(found.environment["imul_latency"]),
                ROUGH,
            )
        for number, row in enumerate(found.tables["ensemble"]):
            kept_, total, squares = int(row["kept"]), int(row["sum"], 16), int(row["squares"], 16)
            low, high, worst = int(row["min"]), int(row["max"]), int(row["worst"])
            claim("ensembles are numbered", int(row["number"]) == number, row)
            claim(
                "stores are the number times the stride",
                int(row["stores"]) == (number * stride if test == "stores" else 0),
                row,
            )
            claim(
                "no sample is lost", kept_ + int(row["backwards"]) + int(row["disturbed"]) == samples, row
            )
            claim("the mean is between the ends", low * kept_ <= total <= high * kept_, row)
            claim(
                "the squares are those of the sum", total**2 <= squares * kept_ <= high * total * kept_, row
            )
            claim("the counter's step", low % step == high % step == 0, row, step)
            claim("a disturbed one is longer", worst > high if int(row["disturbed"]) else worst == 0, row)
            claim("all samples are in the time taken", total < int(row["took"]), row)
            took, kept, sums = took + int(row["took"]), kept + kept_, sums + total
        claim("all ensembles", len(found.tables["ensemble"]) == ensembles, found.tables["ensemble"])
        claim("they are in the time of the program", took / hz < run.seconds, took, run.seconds)
        bins = found.tables.get("bin", [])
        if test == "offset":
            claim(
                "each kept sample is in a bin", sum(int(one["count"]) for one in bins) == kept, bins, kept
            )
            inner = sum(int(one["from"]) * int(one["count"]) for one in bins)
            claim("the bins hold the sum", inner <= sums, inner, sums)
            near("the bins hold nearly the sum", inner, sums, NEAR)
        claim("only offsets have bins", bool(bins) == (test == "offset"), test)
        for row in found.tables.get("skew", []):
            low, high = int(row["low"]), int(row["high"])
            claim("readings there are between readings here", low <= high and high - low < hz / 100, row)
            claim("at most 500 rounds", 0 < int(row["rounds"]) <= 500, row)


PROGRAMS: dict[str, Callable[[float], None]] = {
    **lecture.PROGRAMS,
    **library.PROGRAMS,
    "method": method,
}


def failures() -> Iterator[int]:
    hz = float(sys.argv[2])
    for number, (name, check) in enumerate(PROGRAMS.items(), 1):
        try:
            check(hz)
        except (Wrong, AssertionError, KeyError, ValueError, IndexError) as problem:
            print(f"not ok {number} - {name}\n# {problem!r}", flush=True)
            yield number
        else:
            print(f"ok {number} - {name}", flush=True)


if __name__ == "__main__":
    print(f"1..{len(PROGRAMS)}", flush=True)
    sys.exit(bool(list(failures())))
