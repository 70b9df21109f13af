# SPDX-License-Identifier: GPL-2.0-only
"""The lecture's experiments (bench/timing/kbest): runs them, and evaluates their output."""

from __future__ import annotations

import io
import subprocess
import tempfile
import textwrap
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from kmark import cache, lock
from kmark.analysis import raw
from kmark.errors import Failure
from kmark.make import make

PROGRAM = cache.TOP / "build/kbest/kbest"
LOADS = (1, 2, 11)  # the lecture's
SHORT_US = (500, 2000, 5000)
FULL_US = (500, 1000, 2000, 4000, 6000, 8000, 10000, 15000, 20000, 30000, 40000, 50000)
CPU_TIME, ELAPSED = "CPU time", "elapsed time"  # quantities; a command that waits has more of the second
# Cycles of the lecture's Alpha, of the function that came first and of the other one.
ORDERS_PRINTED = {"foo1": (68829, 23337), "foo2": (70513, 23203)}
LEAST_ERROR = -0.01  # of a measurement that no calibration explains
TRIES = 3  # of a validation
EXPERIMENTS = ("counter", "interval", "cache", "scheme", "validate")
Table = list[dict[str, str]]


def run(*words: str) -> raw.Raw:
    """The document that the program prints. Failure if it fails."""
    make("kbest")
    with lock.measuring("native"):
        done = subprocess.run([str(PROGRAM), *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failure(f"kbest {' '.join(words)} ended with {done.returncode}: {done.stderr.strip()[-500:]}")
    (document,) = raw.parse(done.stdout, f"kbest {words[0]}")
    return document


@dataclass(frozen=True)
class Count:
    """Segments of about the same length, counted in ticks of a timer."""

    actual_us: float
    delta_us: int
    worst_us: float  # worst of all segments
    mean_us: float  # mean of all segments, with their signs

    @property
    def holds(self) -> bool:
        """True if each single segment is off by no more than a tick."""
        return abs(self.worst_us) <= self.delta_us


def counts(rows: Table) -> list[Count]:
    """In the order of the lengths; within one, lengths differ by less than a half."""
    groups: list[list[tuple[float, float]]] = []
    for row in rows:
        delta, actual = int(row["delta_us"]), float(row["actual_us"])
        error = int(row["ticks"]) * delta - actual
        if not groups or int(row["round"]) == 0:
            groups.append([])
        groups[-1].append((actual, error))
    delta = int(rows[0]["delta_us"])
    return [
        Count(
            actual_us=median(actual for actual, _ in group),
            delta_us=delta,
            worst_us=max((error for _, error in group), key=abs),
            mean_us=sum(error for _, error in group) / len(group),
        )
        for group in groups
    ]


def orders(rows: Table) -> dict[tuple[str, str], float]:
    """Median cycles by the function that came first, and function."""
    found: dict[tuple[str, str], list[float]] = defaultdict(list)
    for row in rows:
        found[row["first"], row["function"]].append(float(row["cycles"]))
    return {key: median(cycles) for key, cycles in found.items()}


@dataclass(frozen=True)
class Point:
    """Work of a known length `us`, in microseconds, as K-best measured it. The errors are measured /
    expected - 1: as measured, and of the same measurement with the timer's interrupts subtracted.
    `converged`: the K fastest measurements agree."""

    load: int
    us: int
    error: float
    compensated: float
    converged: bool


def points(rows: Table) -> list[Point]:
    """Failure if a measurement is shorter than the work can be: then the CPU was slower while the
    work was calibrated than later."""
    found = []
    for row in rows:
        expected = float(row["expected"])
        error, compensated = (float(row[name]) / expected - 1 for name in ("measured", "compensated"))
        if error < LEAST_ERROR:
            raise Failure(
                f"kbest validate: work of {row['us']} us at load {row['load']} took {-error:.2%} less than "
                "its calibration says: the machine was disturbed"
            )
        found.append(Point(int(row["load"]), int(row["us"]), error, compensated, row["converged"] == "1"))
    return found


def validate(times: tuple[int, ...], n: int) -> list[Point]:
    """K-best of work of these lengths, in microseconds, at every load, with one calibration: minutes
    for the lecture's lengths. `n`: measurements at most. Failure as of points(), TRIES times."""
    words = ["--load", ",".join(map(str, LOADS)), "-N", str(n), "-K", str(min(3, n)),
             "--times", ",".join(map(str, times))]  # fmt: skip
    for _ in range(TRIES - 1):
        with suppress(Failure):
            return points(run("validate", *words).tables["validation"])
    return points(run("validate", *words).tables["validation"])


def percent(value: float) -> str:
    return f"{100 * value:+.3g} %"


def validation_lines(found: list[Point]) -> Iterator[str]:
    yield "error of K-best, by length of the work: as measured / less the timer's interrupts in it;"
    yield "!: the K fastest measurements do not agree, so the figure is none"
    yield f"{'ms':>7}" + "".join(f"  {f'load {load}':>26}" for load in LOADS)
    by_place = {(point.us, point.load): point for point in found}
    for us in sorted({point.us for point in found}):
        cells = []
        for load in LOADS:
            one = by_place[us, load]
            mark = "" if one.converged else " !"
            cells.append(f"{percent(one.error)} / {percent(one.compensated)}{mark}")
        yield f"{us / 1000:>7g}" + "".join(f"  {cell:>26}" for cell in cells)


def validation_plot(found: list[Point]) -> str:
    """The lecture's plots, as SVG: the error against the length."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context({"svg.hashsalt": "kmark", "svg.fonttype": "none"}):
        figure = Figure(figsize=(9, 4), layout="constrained")
        for axes, name in zip(figure.subplots(1, 2, sharey=True), ("error", "compensated"), strict=True):
            for load in LOADS:
                line = sorted((one for one in found if one.load == load), key=lambda point: point.us)
                errors = [max(abs(getattr(point, name)), 1e-5) for point in line]
                (drawn,) = axes.plot([point.us / 1000 for point in line], errors, "-", label=f"load {load}")
                for point, error in zip(line, errors, strict=True):
                    face = drawn.get_color() if point.converged else "none"
                    axes.plot(
                        [point.us / 1000], [error], "o", color=drawn.get_color(), markerfacecolor=face
                    )
            axes.set_yscale("log")
            axes.set_xlabel("expected time, ms")
            axes.set_title("as measured" if name == "error" else "timer interrupts subtracted", fontsize=10)
            axes.grid(alpha=0.3)
        figure.axes[0].set_ylabel("measured to expected, error (a ratio)")
        figure.axes[0].legend(title="hollow: no agreement", title_fontsize=8)
        out = io.StringIO()
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": "kmark lab kbest"})
        return out.getvalue()


def counter_lines(document: raw.Raw) -> Iterator[str]:
    rows = document.tables["speed"]
    for key, what in (("by_sleep_hz", "by the sleep that was requested"), ("by_clock_hz", "by the clock")):
        rates = [float(row[key]) / 1e6 for row in rows]
        span = f"{min(rates):.3f} to {max(rates):.3f}"
        yield f"{median(rates):.3f} MHz {what}, over {rows[0]['sleep_ms']} ms; {span}"
    empty = sorted(float(row["empty_cycles"]) for row in rows)
    yield f"start_counter() and get_counter() with nothing in between: {empty[0]:.0f} cycles at least"


def interval_lines(document: raw.Raw) -> Iterator[str]:
    for one in counts(document.tables["interval"]):
        yield (
            f"{one.actual_us / 1000:8.2f} ms: worst {one.worst_us / 1000:+.2f} ms, mean "
            f"{one.mean_us / 1000:+.2f} ms ({percent(one.mean_us / one.actual_us)}); "
            f"{'within' if one.holds else 'NOT within'} the {one.delta_us / 1000:g} ms between two ticks"
        )
    tick_ns, cycles = document.number("tick_ns"), document.number("interrupt_cycles")
    share = cycles / document.number("tsc_hz") / (tick_ns / 1e9)
    yield (
        f"of each {tick_ns / 1e6:g} ms the kernel's timer interrupt takes {cycles} cycles, {share:.2%}, "
        "which interval counting gives to the program; in the lecture 250,000 cycles of 10 ms, 4 %"
    )


def cache_lines(document: raw.Raw) -> Iterator[str]:
    found = orders(document.tables["order"])
    for first, second in (("foo1", "foo2"), ("foo2", "foo1")):
        one, other = found[first, first], found[first, second]
        printed, after = ORDERS_PRINTED[first]
        yield (
            f"{first} {one:.0f} cycles, then {second} {other:.0f}: the first one {one / other:.2f} times; "
            f"in the lecture {printed:,} and {after:,}, {printed / after:.2f} times"
        )


def scheme_lines(document: raw.Raw) -> Iterator[str]:
    yield document.environment["scheme"]
    for row in document.tables["best"]:
        error = float(row["ns"]) / float(row["expected_ns"]) - 1
        yield (
            f"{int(row['us']):>6} us by {row['clock']:<8}{float(row['ns']):>14.1f} ns ({percent(error)}), "
            f"{row['calls']} calls in each of {row['runs']} measurements, "
            f"{'' if row['converged'] == '1' else 'NOT '}agreed: {percent(float(row['spread']))}"
        )


LINES = {"counter": counter_lines, "interval": interval_lines, "cache": cache_lines, "scheme": scheme_lines}


def experiment(name: str, words: list[str]) -> list[str]:
    """The result of one of EXPERIMENTS, as lines. `words`: more arguments of the program."""
    return list(LINES[name](run(name, *words)))


def file_validation(found: list[Point], out: Path) -> Path:
    """Writes text and plot into a new folder of `out`, and returns that."""
    text = "\n".join(validation_lines(found)) + "\n"
    files = {"validation.txt": text, "validation.svg": validation_plot(found)}
    return cache.write_results(files, out, time.strftime("%Y%m%d-%H%M%S"))


class NotStarted(Failure):
    """A command could not be started. The exit status is that of a shell."""

    status = 127


@dataclass(frozen=True)
class Timed:
    """A command, and how it was timed; times are in seconds. `quantity`: what `seconds` are."""

    quantity: str
    method: str
    seconds: float
    bound: str
    runs: int
    user: float
    system: float
    status: int
    why: str
    first: float  # by the counter


def time_command(words: list[str], options: list[str], limit_s: float) -> Timed:
    """Times a command: once if it takes `limit_s` seconds or more, else again until the K
    fastest agree."""
    make("kbest")
    with tempfile.NamedTemporaryFile(mode="r", prefix="kmark-time.") as out:
        command = [str(PROGRAM), "command", "--out", out.name, "--limit", str(round(limit_s * 1000))]
        subprocess.run([*command, *options, "--", *words], check=False)
        text = out.read()
    if not text:
        raise NotStarted(f"lab time: no time, as {words[0]} could not be started")
    (document,) = raw.parse(text, "time")
    return judge_command(document, limit_s)


def judge_command(document: raw.Raw, limit_s: float) -> Timed:
    """The lecture's rule: the kernel's accounting from `limit_s` seconds on, below it the cycle
    counter. Today's kernels account exactly; an older one counts the ticks of its timer."""
    rows = document.tables["command"]
    first = float(rows[0]["ns"]) / 1e9
    user, system = (float(rows[0][key]) / 1e6 for key in ("user_us", "system_us"))
    status = int(rows[0]["status"])
    if first >= limit_s:
        tick_s = document.number("tick_ns") / 1e9
        exact = document.environment["accounting"] == "exact"
        bound = (
            "below a tick: the kernel adds up the scheduler's clock, interrupts included; how it divides "
            "the sum into user and system may be by ticks" if exact else
            f"+-{tick_s * 1e3:g} ms for each time that it ran without a break; {tick_s / first:.2%} of one"
        )  # fmt: skip
        method = "the kernel's exact accounting" if exact else "interval counting"
        return Timed(CPU_TIME, method, user + system, bound, 1, user, system, status,
                     f"{first:.3f} s is {limit_s:g} s or more", first)  # fmt: skip
    best = min(float(row["ns"]) for row in rows[1:] or rows) / 1e9
    if len(rows) == 1:
        bound = "not known: one run only, and it is never below the truth"
    else:
        spread = float(document.environment["spread"])
        agreed = "agree" if document.environment["converged"] == "1" else "do NOT agree"
        bound = f"+0/-{spread:.2%} by the K fastest, which {agreed}; never below the truth"
    return Timed(ELAPSED, "cycle counter, K-best", best, bound, len(rows), user, system, status,
                 f"{first:.3f} s is below {limit_s:g} s", first)  # fmt: skip


def timed_lines(found: Timed) -> Iterator[str]:
    runs = f"{found.runs} run{'s' if found.runs > 1 else ''}"
    yield f"{found.seconds:.6f} s of {found.quantity}, by {found.method}, {runs}: {found.why}"
    yield from textwrap.wrap(f"error {found.bound}", 90, initial_indent="  ", subsequent_indent="  ")
    parts = {"real": found.first, "user": found.user, "system": found.system}
    yield "  of the first run: " + ", ".join(f"{name} {part:.6f} s" for name, part in parts.items())


def today(short: bool, out: Path) -> dict[str, str]:
    """Rows D1 to D7. `short`: few lengths, less than a minute."""
    scheme = experiment("scheme", [])
    counter = [line for line in scheme if " by counter" in line]
    gettime = [line for line in scheme if " by gettime" in line]
    found = validate(SHORT_US if short else FULL_US, 8 if short else 20)
    file_validation(found, out)
    light = [abs(point.error) for point in found if point.load == 1]
    better = [abs(point.compensated) for point in found if point.load == 1]
    return {
        "D1": "; ".join(experiment("counter", ["--rounds", "5"])),
        "D2": "; ".join(experiment("interval", ["--rounds", "10"])),
        "D3": "; ".join(experiment("cache", [])),
        "D4": f"doubled up to {scheme[0]}: {counter[0].strip()}",
        "D5": "; ".join(line.strip() for line in counter),
        "D6": f"light load, median error {median(light):.2%}, compensated {median(better):.2%}; "
        + "; ".join(
            f"{one.us / 1000:g} ms at load {one.load}: {percent(one.error)}"
            + ("" if one.converged else " (no agreement)")
            for one in found
        ),
        "D7": "; ".join(line.strip() for line in gettime),
    }
