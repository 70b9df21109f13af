# SPDX-License-Identifier: GPL-2.0-only
"""Runs the programs of build.py and stores what they print. It needs Python's standard library alone, so
that the programs can run on another machine.

        measure.py [--cpus N,N] [--runs N] [--pairs N] [--seconds S] PROGRAMS RESULTS

PROGRAMS: the archive of build.py. RESULTS: a folder, which gets files of JSON lines. Each run has a CPU of
its own, and runs on different CPUs are at the same time. While loaded, each of these CPUs has a second
program that never rests. After S seconds no further run begins. Each part (quiet, loaded, pairs) is stored
when it ends."""

from __future__ import annotations

import argparse
import json
import lzma
import os
import queue
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

PLANTED = ("generic", "imm", "nop5", "flip", "pun", "key", "mark", "jcc", "nop14", "nop23")
QUIET, LOADED = LOADS = ("quiet", "loaded")
SAME, NOP, NOP8, KEPT, LOST, PAIR = "same", "nop", "nop8", "kept", "lost", "pair"
# Planted behind each site. A CPU may execute one NOP in no time beside what limits the loop, not eight.
NOPS = {NOP: 1, NOP8: 8}
CLEAN, LOST_PROGRAMS = "clean", "padding"  # folders of programs besides those of PLANTED
RUNS, PAIRS = 20, 100  # runs of each kind and load; pairs of equal runs, while quiet
SHAPE_OF_NOP = "unrolled64"
PROCESSES, ROUNDS = 10, 4  # of a run, as of `kmark bench --env native`
PADDING_PROCESSES, PADDING_ROUNDS, ATTEMPTS = 6, 3, 3  # as `kmark bench baseline --native`
TOPOLOGY = "/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list"


@dataclass(frozen=True)
class Run:
    """A run to carry out. `programs`: the folder of its programs; `number`: of the runs of its kind."""

    load: str
    kind: str
    programs: str
    number: int

    @property
    def file(self) -> str:
        name = f"pairs-{self.number // PAIRS}" if self.kind == PAIR else self.load
        return f"{name}.jsonl.xz"

    def commands(self) -> Iterator[list[str]]:
        """Yield its commands, one for each process; the order of the cases differs in each."""
        if self.kind in (KEPT, LOST):
            for part in range(PADDING_PROCESSES * ATTEMPTS):
                seed = 1 + part + self.number * PADDING_PROCESSES * ATTEMPTS
                yield ["bench", "--shape", "empty", "--state", "enabled",
                       "--rounds", str(PADDING_ROUNDS), "--seed", str(seed)]  # fmt: skip
            return
        for place in range(PROCESSES):
            seed = 1 + place + PROCESSES * (4 * self.number + (SAME, NOP, NOP8, PAIR).index(self.kind))
            yield [f"bench-{place}" if place else "bench", "--shape", SHAPE_OF_NOP,
                   "--rounds", str(ROUNDS), "--seed", str(seed)]  # fmt: skip


def runs_of(load: str, runs: int) -> list[Run]:
    """Return the runs of a load but for the pairs, so many of each kind, the kinds in turn."""
    found = []
    for number in range(runs):
        found += [
            Run(load, SAME, CLEAN, number),
            *(Run(load, kind, f"{PLANTED[number % len(PLANTED)]}-{NOPS[kind]}", number) for kind in NOPS),
            Run(load, KEPT, CLEAN, number),
            Run(load, LOST, LOST_PROGRAMS, number),
        ]
    return found


def usual_cpus() -> list[int]:
    """Return one CPU of each core but the first. Where no core has two CPUs, every second one: a virtual
    machine may not know that two of its CPUs share a core."""
    allowed = sorted(os.sched_getaffinity(0))
    first: dict[str, int] = {}
    for cpu in allowed:
        try:
            siblings = Path(TOPOLOGY.format(cpu)).read_text()
        except OSError:
            siblings = str(cpu)
        first.setdefault(siblings, cpu)
    cores = list(first.values())
    return (cores[2::2] if len(cores) == len(allowed) else cores[1:]) or allowed[-1:]


@contextmanager
def busy(cpus: list[int]) -> Iterator[None]:
    """A context in which each of the CPUs has a program that never rests."""
    code = "import os, sys\nos.sched_setaffinity(0, {int(sys.argv[1])})\nwhile True: pass"
    with ExitStack() as stack:
        for cpu in cpus:
            made = subprocess.Popen([sys.executable, "-c", code, str(cpu)])
            stack.callback(made.wait)
            stack.callback(made.kill)
        yield


class Measuring:
    """Carries out runs on the free CPUs. `begin`: the time at its start, in seconds."""

    def __init__(self, programs: Path, results: Path, cpus: list[int]) -> None:
        self.programs, self.results = programs, results
        self.begin = time.monotonic()
        self.cpus = cpus
        self.free: queue.Queue[int] = queue.Queue()
        for cpu in cpus:
            self.free.put(cpu)
        self.done: dict[str, list[str]] = {}

    def carry_out(self, run: Run) -> None:
        cpu = self.free.get()
        begin = time.monotonic()
        try:
            outputs = [
                subprocess.run(
                    [str(self.programs / run.programs / program), "--cpu", str(cpu), *words],
                    capture_output=True, text=True, check=True,
                ).stdout
                for program, *words in run.commands()
            ]  # fmt: skip
        finally:
            self.free.put(cpu)
        record = asdict(run) | {
            "cpu": cpu,
            "seconds": round(time.monotonic() - begin, 2),
            "outputs": outputs,
        }
        self.done.setdefault(run.file, []).append(json.dumps(record))

    def carry_out_all(self, runs: list[Run], seconds: float | None = None) -> None:
        """Begin no run after `seconds`, if given."""

        def one(run: Run) -> None:
            if seconds is None or time.monotonic() - self.begin < seconds:
                self.carry_out(run)

        self.done.clear()
        with ThreadPoolExecutor(len(self.cpus)) as pool:
            list(pool.map(one, runs))
        self.store()
        print(f"{time.monotonic() - self.begin:.0f} s: {runs[0].load}, {len(runs)} runs", flush=True)

    def store(self) -> None:
        """Write what was measured, and name the files."""
        self.results.mkdir(parents=True, exist_ok=True)
        for name, lines in self.done.items():
            path = self.results / name
            path.write_bytes(lzma.compress("".join(line + "\n" for line in lines).encode(), preset=6))
            print(f"{path}: {len(lines)} runs, {path.stat().st_size} bytes", flush=True)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--cpus", type=lambda text: [int(cpu) for cpu in text.split(",")])
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--pairs", type=int, default=PAIRS)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("programs", type=Path)
    parser.add_argument("results", type=Path)
    return parser.parse_args()


def main() -> None:
    args = parse()
    cpus = args.cpus or usual_cpus()
    print(f"CPUs {' '.join(map(str, cpus))}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(args.programs) as archive:
            archive.extractall(folder)
        measuring = Measuring(Path(folder), args.results, cpus)
        measuring.carry_out_all(runs_of(QUIET, args.runs), args.seconds)
        with busy(cpus):
            measuring.carry_out_all(runs_of(LOADED, args.runs), args.seconds)
        pairs = [Run(QUIET, PAIR, CLEAN, number) for number in range(2 * args.pairs)]
        measuring.carry_out_all(pairs, args.seconds)


if __name__ == "__main__":
    main()
