# SPDX-License-Identifier: GPL-2.0-only
"""Runs the benchmark's programs on this machine. A machine without the repository has only this file
(pack.py), so it needs no package: run as a program it leaves raw.tsv and host.json."""

from __future__ import annotations

import argparse
import json
import platform
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from kmark import cache, foreign
from kmark import host as machine
from kmark.analysis import raw
from kmark.errors import Failure
from kmark.make import run_program
from kmark.progress import Progress

FOLDER = cache.TOP / "build/native"
PROCESSES = 10  # share the rounds; in each, code has other addresses and data lie in other pages
# Copies of one program, linked at other addresses; one for each process.
BENCHES = tuple(FOLDER / (f"bench-{place}" if place else "bench") for place in range(PROCESSES))
BENCH, COLD, METHOD, BULK = BENCHES[0], FOLDER / "cold", FOLDER / "method", FOLDER / "bulk"
PROGRAMS = (*BENCHES, COLD, METHOD, BULK)
HOST_SCHEMA = "kmark-host/1"
ROUNDS = 30
SCALE = "0.25"  # of the loops: what a longer sample resolves more is lost to interruptions
MOST_TOGGLES = 5  # rounds; each is over 20,000 transactions
SHORT = (("offset", 100), ("stores", 200))  # test, ensembles
SHORT_SAMPLES, SHORT_SAMPLES_VM = (1000, 200), (20, 2)  # under icount all samples are the same

Recording = Callable[[], AbstractContextManager[dict[str, str] | None]]


def short_method(env: str, fence: str) -> list[str]:
    """The series, as arguments, that judge the fence before each bench: a second, or less."""
    chosen = f"fence={fence} " if fence else ""
    samples = SHORT_SAMPLES_VM if env == "vm" else SHORT_SAMPLES
    return [
        f"{chosen}test={test} ensembles={ensembles} samples={count} tolerance={0 if env == 'vm' else 4}"
        for (test, ensembles), count in zip(SHORT, samples, strict=True)
    ]


def with_samples(output: str, more: str) -> str:
    """The document `output`, and the samples of another program after its own."""
    return output + "".join(f"{line}\n" for line in foreign.lines(more) if line.startswith("case\t"))


def measure(rounds: int, fence: str = "", recording: Recording = nullcontext) -> str:
    """Returns raw text of the programs, which have to be built. `recording`: a context with the
    environment of the programs, for the peer lttng. Raises Failure if a program fails."""
    parts = min(PROCESSES, rounds)
    runs = []
    judgement = [str(METHOD), "--records", *short_method("native", fence)]
    options = ["--fence", fence] if fence else []
    with Progress("native") as progress:
        judged = run_program(judgement, progress)
        with recording() as environment:
            for part in range(parts):
                share = (rounds + part) // parts
                words = [*options, "--rounds", str(share), "--seed", str(part + 1), "--scale", SCALE]
                command = [str(BENCHES[part]), "--progress", *words]
                output = run_program(command, progress, part, parts, environment)
                runs.append(with_samples(output, run_program([str(COLD), *words], progress)))
        bulk = run_program([str(BULK), "--repeat", str(min(rounds, MOST_TOGGLES))], progress)
    facts = {
        "addresses": str(parts),
        "clocksources": machine.read(machine.CLOCKSOURCES),
        "caches": machine.caches(),
    }
    head = "".join(f"#{key}\t{value}\n" for key, value in facts.items())
    return raw.join_runs(runs) + judged + bulk + head


def description(name: str, created: str) -> dict[str, object]:
    """host.json: the machine, called `name`, when it measured."""
    return {"schema": HOST_SCHEMA, "created": created, "host": {"name": name, **machine.host()}}


def main() -> int:
    """Measures, and prints the folder with raw.tsv and host.json. Exit status 1 if that fails."""
    parser = argparse.ArgumentParser(
        prog="measure",
        description="Measures every case on this machine, without root, and writes raw.tsv and host.json "
        "into a new folder. `kmark fleet report` makes report.json of them elsewhere.",
        epilog="example: kmark-bench/measure --rounds 40 -o /tmp/results",
    )
    parser.add_argument("--rounds", type=int, default=ROUNDS, metavar="N", help=f"(default {ROUNDS})")
    parser.add_argument("-o", "--output", type=Path, default=Path("results"), metavar="DIR",
                        help="folder of the results (default results)")  # fmt: skip
    parser.add_argument("--name", default=platform.node(), metavar="NAME",
                        help="what reports call this machine (default: its host name)")  # fmt: skip
    args = parser.parse_args()
    if args.rounds < 1:
        parser.error("--rounds has to be 1 or more")
    now = time.localtime()
    try:
        text = raw.counted(measure(args.rounds))
        raw.parse(text, "the raw data")
        about = description(args.name, time.strftime("%Y-%m-%dT%H:%M:%S%z", now))
        files = {"raw.tsv": text, "host.json": json.dumps(about, indent=1) + "\n"}
        print(cache.write_results(files, args.output, time.strftime("%Y%m%d-%H%M%S", now)))
    except Failure as failure:
        print(f"measure: {foreign.shown(str(failure))}", file=sys.stderr)
        return failure.status
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
