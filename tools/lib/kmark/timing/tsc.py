# SPDX-License-Identifier: GPL-2.0-only
"""The programs of the TSC library (bench/timing/tsc), run for today's figures."""

from __future__ import annotations

import re
import subprocess

from kmark import cache
from kmark.errors import Failure
from kmark.make import make

PROGRAMS = cache.TOP / "build/tsc"
ROW = re.compile(r"^(tsc_\w+|[\w ]+(?: \([\w ]+\))?) +([\d.]+) +([\d.]+|-) +([\d.]+|-) +([\d.]+)", re.M)
CALLS = ("time", "gettimeofday", "dup2", "close")


def run(*words: str) -> str:
    """Return the output of a program of the library. Failure if the program fails."""
    done = subprocess.run(
        [str(PROGRAMS / words[0]), *words[1:]], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise Failure(f"{' '.join(words)} ended with {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def medians(output: str) -> dict[str, float]:
    """Cycles by name, from a table of the programs."""
    return {found[1].strip(): float(found[2]) for found in ROW.finditer(output)}


def listed(figures: dict[str, float]) -> str:
    return ", ".join(f"{name} {cycles:.5g}" for name, cycles in figures.items()) + " cycles"


def platforms() -> list[str]:
    names = [
        path.stem.removeprefix("asi_linux_")
        for path in (cache.TOP / "bench/timing/tsc").glob("asi_linux_*.h")
    ]
    return sorted(names)


def today() -> dict[str, str]:
    """Rows C1 to C7."""
    make("tsc")
    speed = run("test_cpuspeed", "5")
    average = re.search(r"average of .*", speed)
    overhead = medians(run("test_overhead"))
    reads = {name: ticks for name, ticks in overhead.items() if name.startswith("tsc_")}
    calls: dict[str, float] = {}
    for name in CALLS:
        calls |= medians(run("test_syscall", name, "1", "101"))
    return {
        "C1": "no figure; prove tools/testing/native/tsc.t",
        "C2": average[0] if average else "no average was printed",
        "C3": listed({name: ticks for name, ticks in reads.items() if "Cycles" in name}),
        "C4": "exact; prove tools/testing/native/tsc.t compares with integers of any size",
        "C5": f"Linux on {', '.join(platforms())}",
        "C6": "all three ran with the paper's arguments",
        "C7": listed(calls | reads),
    }
