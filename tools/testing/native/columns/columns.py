# SPDX-License-Identifier: GPL-2.0-only
"""columns.py BUILD HZ: runs the programs of bench/timing, and computes each column that they print from the
others, or compares it with a clock of Python. Prints TAP, a test for each program.

A figure may be wrong by a factor and still look plausible. So each unit is checked against another one:
ns against ticks and the counter's rate, microseconds against the time that the program was asked for,
sums against their parts, and the ticks of a whole program against the time that it took. HZ is the rate
of the counter, which a program of this folder has measured."""

from __future__ import annotations

import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from kmark.analysis import raw

BUILD = Path(sys.argv[1])
NEAR = 0.01  # two clocks
ROUGH = 0.5  # work beside what else this machine does
TICKS_A_CYCLE = (0.2, 10)  # of any CPU: the counter runs at its nominal rate, the core from idle to turbo


class Wrong(Exception):
    """Two figures do not belong together."""


def claim(what: str, is_so: bool, *figures: object) -> None:
    if not is_so:
        raise Wrong(f"{what}: {', '.join(map(str, figures))}")


def near(what: str, one: float, other: float, by: float, least: float = 0.0) -> None:
    """Both are the same, but for a part BY of them, or LEAST."""
    claim(what, abs(one - other) <= max(by * max(abs(one), abs(other)), least), one, other)


class Run:
    """A program that has run: what it printed, and how long it took by the clock of Python."""

    def __init__(self, *words: str) -> None:
        start = time.perf_counter()
        self.text = subprocess.run(
            [str(BUILD / words[0]), *words[1:]], capture_output=True, text=True, check=True
        ).stdout
        self.seconds = time.perf_counter() - start

    def raw(self, text: str = "") -> raw.Raw:
        (found,) = raw.parse(text or self.text, "columns")
        return found


def counter(hz: float) -> None:
    run = Run("kbest/kbest", "counter", "--rounds", "3", "--sleep", "40")
    found = run.raw()
    near("the rate in the head", float(found.environment["tsc_hz"]), hz, NEAR)
    spent = 0.0
    for number, row in enumerate(found.tables["speed"]):
        claim("rounds are numbered", int(row["round"]) == number, row["round"])
        claim("the sleep is the one asked for", int(row["sleep_ms"]) == 40, row["sleep_ms"])
        near("the rate by the clock", float(row["by_clock_hz"]), hz, NEAR)
        by_sleep = float(row["by_sleep_hz"])
        claim("a sleep is not shorter than asked for", by_sleep >= hz * (1 - NEAR), by_sleep, hz)
        spent += by_sleep * 0.040 / hz
        empty = float(row["empty_cycles"])
        claim("two reads in a row take time, but no millisecond", 0 < empty < hz / 1000, empty)
    claim("all sleeps are in the time of the program", spent + 3 * 0.040 < run.seconds, spent, run.seconds)


def scheme(hz: float) -> None:
    times = (30, 700)
    run = Run(
        "kbest/kbest",
        "scheme",
        "-N",
        "6",
        "-K",
        "2",
        "--epsilon",
        "0.02",
        "--cmin",
        "40000",
        "--times",
        ",".join(map(str, times)),
    )
    found = run.raw()
    claim(
        "all of the scheme is printed",
        found.environment["scheme"] == "N 6, K 2, epsilon 0.02, CMIN 40000",
        found.environment["scheme"],
    )
    best = found.tables["best"]
    asked = [(clock, us) for us in times for clock in ("counter", "gettime")]
    claim("one line for each clock and time", [(r["clock"], int(r["us"])) for r in best] == asked, best)
    spent = 0.0
    for row in best:
        us, runs, calls = int(row["us"]), int(row["runs"]), int(row["calls"])
        expected, ns, spread = float(row["expected_ns"]), float(row["ns"]), float(row["spread"])
        mine = [one for one in found.tables["run"] if (one["clock"], int(one["us"])) == (row["clock"], us)]
        values = sorted(float(one["value"]) for one in mine)
        claim("runs are numbered", [int(one["number"]) for one in mine] == list(range(runs)), mine)
        near("the work is as long as asked for", expected, us * 1000, NEAR)
        least_ns = values[0] * (1e9 / hz if row["clock"] == "counter" else 1)
        near("ns is the least of the runs", ns, least_ns, NEAR)
        claim("a run takes what it should, or longer", ns > expected * (1 - ROUGH), ns, expected)
        kth = values[1]
        near("the spread is that of the K fastest", spread, (kth - values[0]) / values[0], NEAR, 3e-6)
        claim("it converged within epsilon", row["converged"] == str(int(spread <= 0.02)), row)
        claim("it ends when it has converged", runs == 6 or row["converged"] == "1", row)
        claim("calls are doubled", calls & (calls - 1) == 0, calls)
        shortest = 40000 / (hz / 1e9 if row["clock"] == "counter" else 1)  # ns of CMIN
        claim("enough calls are timed together", calls * values[-1] >= 40000, calls, values)
        claim("no more calls than needed", calls == 1 or calls / 2 * ns < 2 * shortest, calls, ns)
        spent += sum(one / (hz if row["clock"] == "counter" else 1e9) for one in values) * calls
    claim("all runs are in the time of the program", spent < run.seconds, spent, run.seconds)


def interval(hz: float) -> None:
    run = Run("kbest/kbest", "interval", "--rounds", "3", "--delta", "7000", "--times", "35000")
    found = run.raw()
    delta = 7000.0
    for number, row in enumerate(found.tables["interval"]):
        claim("rounds are numbered", int(row["round"]) == number, row["round"])
        claim("delta is the one asked for", float(row["delta_us"]) == delta, row)
        actual = float(row["actual_us"])
        claim("the segment is not shorter", actual >= 35000 * (1 - ROUGH), actual)
        ticks = int(row["ticks"])
        claim("ticks times delta are the time", abs(ticks * delta - actual) <= 1.5 * delta, ticks, actual)
    spent = sum(float(row["actual_us"]) for row in found.tables["interval"]) / 1e6
    claim("all segments are in the time of the program", spent < run.seconds, spent, run.seconds)
    interrupts(found, hz)


def interrupts(found: raw.Raw, hz: float) -> None:
    near(
        "a tick is that of the coarse clock",
        float(found.environment["tick_ns"]),
        time.clock_getres(5) * 1e9,
        NEAR,
    )
    longest = float(found.environment["interrupt_cycles"])
    claim(
        "an interrupt is longer than a read, shorter than 100 us",
        longest == 0 or 500 < longest < hz / 1e4,
        longest,
    )


def cache(hz: float) -> None:
    run = Run("kbest/kbest", "cache", "--rounds", "5")
    rows = run.raw().tables["order"]
    orders = [
        (str(number), first, str(place + 1), (first, other)[place])
        for number in range(5)
        for first, other in (("foo1", "foo2"), ("foo2", "foo1"))
        for place in (0, 1)
    ]
    claim(
        "each round has both orders",
        [(row["round"], row["first"], row["place"], row["function"]) for row in rows] == orders,
        rows,
    )
    cycles = [float(row["cycles"]) for row in rows]
    claim("384 KB are read in no less than 2 us", min(cycles) > 2e-6 * hz, min(cycles))
    first, second = (statistics.median(cycles[place::2]) for place in (0, 1))
    claim("what comes first pays for the cache", first > second, first, second)
    claim("all are in the time of the program", sum(cycles) / hz < run.seconds, cycles, run.seconds)


def validate(hz: float) -> None:
    run = Run("kbest/kbest", "validate", "--load", "1,2", "-N", "5", "-K", "2", "--times", "300,9000")
    found = run.raw()
    interrupts(found, hz)
    rows, spent = found.tables["validation"], 0.0
    asked = [(load, us) for load in (1, 2) for us in (300, 9000)]
    claim("one line for each load and time", [(int(r["load"]), int(r["us"])) for r in rows] == asked, rows)
    for row in rows:
        us, expected = int(row["us"]), float(row["expected"])
        measured, less = float(row["measured"]), float(row["compensated"])
        near("the work is as long as asked for", expected, us * hz / 1e6, NEAR)
        claim("it is measured no shorter", measured > expected * (1 - ROUGH), measured, expected)
        one = float(found.environment["interrupt_cycles"])
        if one:
            number = (measured - less) / one
            near("whole interrupts are taken off", number, round(number), 0, (2 + number) / one)
            most = measured / hz * 1e9 / float(found.environment["tick_ns"]) + 1.01
            claim("no more than there were", 0 <= round(number) <= most, number, most)
        runs = int(row["runs"])
        claim("K to N runs", 2 <= runs <= 5 and (runs == 5 or row["converged"] == "1"), row)
        spent += runs * measured / hz
    claim("all runs are in the time of the program", spent < run.seconds, spent, run.seconds)


def command(hz: float) -> None:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "out")
        spin = "i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done; sleep 0.05; exit 0"
        run = Run("kbest/kbest", "command", "-N", "3", "-K", "2", "--out", str(out), "--", "sh", "-c", spin)
        found = run.raw(out.read_text())
    rows = found.tables["command"]
    claim("the warm-up and K to N runs", 3 <= len(rows) <= 4, rows)
    for number, row in enumerate(rows):
        claim("runs are numbered", int(row["number"]) == number, row)
        ns = float(row["ns"])
        near("ns is cycles by the rate", ns, float(row["cycles"]) / hz * 1e9, NEAR)
        used = (int(row["user_us"]) + int(row["system_us"])) * 1000
        claim("the sleep uses no CPU", ns >= 50e6 and used <= ns - 45e6, row)
        claim("the loop uses it", used > 1e6 or found.environment["accounting"] == "ticks", row)
    spent = sum(float(row["ns"]) for row in rows) / 1e9
    claim("all runs are in the time of the program", spent < run.seconds < spent + 2, spent, run.seconds)
    values = sorted(float(row["cycles"]) for row in rows[1:])
    near(
        "the spread is that of the K fastest",
        float(found.environment["spread"]),
        (values[1] - values[0]) / values[0],
        NEAR,
        2e-6,
    )


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
    "kbest counter": counter,
    "kbest scheme": scheme,
    "kbest interval": interval,
    "kbest cache": cache,
    "kbest validate": validate,
    "kbest command": command,
    "test_overhead": overhead,
    "test_syscall": syscall,
    "test_cpuspeed": cpuspeed,
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
