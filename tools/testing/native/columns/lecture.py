# SPDX-License-Identifier: GPL-2.0-only
"""The columns of bench/timing/kbest."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from claims import NEAR, ROUGH, Run, claim, near
from kmark.analysis import raw


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


PROGRAMS: dict[str, Callable[[float], None]] = {
    "kbest counter": counter,
    "kbest scheme": scheme,
    "kbest interval": interval,
    "kbest cache": cache,
    "kbest validate": validate,
    "kbest command": command,
}
