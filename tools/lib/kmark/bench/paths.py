# SPDX-License-Identifier: GPL-2.0-only
"""Instructions of one event by the way in which it is recorded against those in bench/data/paths.tsv."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kmark import cache, foreign
from kmark.bench import lttng_modules, runner
from kmark.errors import Failure
from kmark.make import make

SCRIPT = cache.TOOLS / "vm/paths.sh"
MODULES = ("probes/probe_count.ko", "probes/probe_event.ko")  # besides those of all guests
PEER = "TRACE_EVENT()"
PROGRAM = cache.TOP / "build/native/attach_perf"  # besides those of all guests, as MODULES
OWN = ("recorder", "trace event")  # ways that execute this project's code begin so
# A way through ftrace executes the kernel's code, too, which TRACE_EVENT() executes as well.
OF_FTRACE = "trace event"

COSTS = cache.TOOLS / "vm/costs.sh"
TICKS = cache.TOP / "build/native/ticks"
COSTS_MODULES = ("markers/selftest/marker_thousand.ko", "probes/probe_event.ko")
COSTS_MIB = 2048  # 100,000 sites
TOLERANCE = 0.05  # of costs, which depend on how the kernel's memory lies
STARTS = 20

HEAD = """# SPDX-License-Identifier: GPL-2.0-only
# Instructions of one event, by way; with a third column, the unit, other costs. `kmark bench paths
# --write` writes it.
"""

Figures = dict[str, int]  # instructions of one event, by the way


@dataclass(frozen=True)
class Change:
    """A way of the project that does not have its stored figure. None: not stored, or gone."""

    way: str
    before: float | None
    now: float | None


@dataclass(frozen=True)
class Cost:
    """A cost that is not of a way of recording one event. `gated`: the guest counts it, so that it is the
    same each time."""

    name: str
    figure: float
    unit: str
    gated: bool = True


def read(text: str, name: str) -> Figures:
    """Read lines of a way, a tab and its instructions. Failure, which names NAME, at any line but those of
    costs."""
    found: Figures = {}
    for number, line in enumerate(foreign.lines(text), 1):
        way, *words = line.split("\t")
        if line.startswith("#") or len(words) == 2:
            continue
        if len(words) != 1 or not words[0].isdecimal():
            raise Failure(f"{name}: line {number}: want a way, a tab and a number of instructions")
        found[way] = int(words[0])
    return found


def read_costs(text: str, name: str) -> list[Cost]:
    """Read the lines of three columns. Failure, which names NAME, if a figure is none."""
    rows = [line.split("\t") for line in foreign.lines(text) if not line.startswith("#")]
    try:
        return [Cost(row[0], float(row[1]), row[2]) for row in rows if len(row) == 3]
    except ValueError as problem:
        raise Failure(f"{name}: {problem}") from None


def parse(text: str, name: str) -> Figures:
    """The same of a table that has PEER. Failure if it has not."""
    found = read(text, name)
    if PEER not in found:
        raise Failure(f"{name}: there is no figure of {PEER}")
    return found


def load(path: Path) -> tuple[Figures, list[Cost]]:
    """Read stored figures. Failure if they cannot be read."""
    try:
        text = path.read_text()
        return parse(text, str(path)), read_costs(text, str(path))
    except (OSError, UnicodeDecodeError) as problem:
        raise Failure(f"{path}: {getattr(problem, 'strerror', None) or problem}") from None


def dump(figures: Figures, costs: list[Cost]) -> str:
    """Return the text of the file."""
    rows = [f"{way}\t{instructions}\n" for way, instructions in figures.items()]
    rows += [f"{one.name}\t{one.figure:g}\t{one.unit}\n" for one in costs if one.gated]
    return HEAD + "".join(rows)


def measure(kernel: Path | None = None) -> Figures:
    """Return the figures of the kernel in a folder, or the distribution's, in a guest that counts
    instructions. Failure if it cannot be run."""
    make(str(PROGRAM.relative_to(cache.TOP)))
    (output,) = runner.run_guests(
        [[str(SCRIPT)]], ((PROGRAM, f"/{PROGRAM.name}"),), kernel=kernel, modules=MODULES
    )
    return parse(output, SCRIPT.name)


def measure_lttng() -> Figures:
    """Return the figures of LTTng-modules in the distribution's kernel. Failure if they cannot be built or
    the guest cannot be run."""
    job = [str(SCRIPT), str(lttng_modules.build())]
    (output,) = runner.run_guests([job], modules=MODULES, host_root=True)
    return read(output, SCRIPT.name)


def shortest(command: list[str]) -> float:
    """Return the shortest time of STARTS runs, in seconds. Failure if the command cannot be run."""
    times = []
    for _ in range(STARTS):
        start = time.perf_counter()
        if subprocess.run(command, capture_output=True, check=False).returncode:
            raise Failure(f"{command[0]} failed")
        times.append(time.perf_counter() - start)
    return min(times)


def measure_costs(kernel: Path | None = None) -> list[Cost]:
    """Return the other costs, in the same kernel as measure(), and the start of kmark on this machine.
    Failure if a guest cannot be run."""
    make(str(TICKS.relative_to(cache.TOP)))
    files = ((TICKS, f"/{TICKS.name}"),)
    jobs = [[str(COSTS)], [str(COSTS), "memory"]]
    texts = runner.run_guests(jobs, files, kernel=kernel, modules=COSTS_MODULES, memory_mib=COSTS_MIB)
    texts += runner.run_guests([[str(COSTS), "kept"]], files, kernel=kernel, modules=COSTS_MODULES, cpus=4)
    kmark = shortest([str(cache.TOOLS / "kmark"), "--help"])
    python = shortest(["/usr/bin/python3", "-c", ""])
    start = Cost("start of kmark, of that of python3", round(kmark / python, 2), "times", gated=False)
    return [*(one for text in texts for one in read_costs(text, COSTS.name)), start]


def changed_costs(before: list[Cost], now: list[Cost]) -> list[Change]:
    """Return the costs that are not within TOLERANCE of those stored, are new or are gone."""
    one, other = ({cost.name: cost.figure for cost in costs if cost.gated} for costs in (before, now))
    return [
        Change(name, one.get(name), other.get(name))
        for name in dict.fromkeys([*one, *other])
        if name not in one or name not in other
        or abs(other[name] - one[name]) > TOLERANCE * other[name]
    ]  # fmt: skip


def own(figures: Figures) -> Figures:
    """Return the figures of the project's ways, those of ftrace less what TRACE_EVENT() takes that way."""
    found = {way: value for way, value in figures.items() if way.startswith(OWN)}
    for way in found:
        if way.startswith(OF_FTRACE):
            found[way] -= figures.get(PEER + way.removeprefix(OF_FTRACE), 0)
    return found


def changes(before: Figures, now: Figures) -> list[Change]:
    """Return the project's ways that are not as before."""
    one, other = own(before), own(now)
    return [
        Change(way, one.get(way), other.get(way))
        for way in dict.fromkeys([*one, *other])
        if one.get(way) != other.get(way)
    ]


def lines(now: Figures) -> Iterator[str]:
    """Yield a table."""
    yield "instructions that one event of an int and a pointer adds to a loop, in a guest"
    yield ""
    yield f"{'way':<44}{'instructions':>14}{'of ' + PEER:>20}"
    for way, value in now.items():
        yield f"{way:<44}{value:>14}{value / now[PEER]:>20.2f}"


def cost_lines(costs: list[Cost]) -> Iterator[str]:
    """Yield a table."""
    yield ""
    for one in costs:
        yield f"{one.name:<54}{one.figure:>14.5g} {one.unit}"


def change_lines(found: list[Change], name: str) -> Iterator[str]:
    """Yield the ways that are not as in the file NAME; those of ftrace are less TRACE_EVENT()."""
    for change in found:
        yield f"{change.way}: {change.before} in {name}, {change.now} now"
