# SPDX-License-Identifier: GPL-2.0-only
"""Judges what measure.py has stored: prints how many of the planted errors `kmark compare` and `kmark bench
baseline --native` find, on a quiet and on a loaded machine, and how often chance alone makes a verdict.

        judge.py RESULTS

Exit status 1 if eight NOPs or a lost padding were missed on the quiet machine, or chance makes more
verdicts than it may. One NOP need not take any time."""

from __future__ import annotations

import json
import lzma
import os
import sys
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import measure
import numpy as np
from kmark.analysis import raw, stats
from kmark.bench import padding
from kmark.errors import Failure
from kmark.report import agree, compare, rates, report
from kmark.report.model import Report
from kmark.report.rates import Rate
from scipy.stats import binomtest


@dataclass(frozen=True)
class Stored:
    """A line of a file of measure.py."""

    run: measure.Run
    outputs: list[str]

    @property
    def documents(self) -> list[raw.Raw]:
        return raw.parse(raw.join_runs(self.outputs), str(self.run))

    def report(self) -> Report:
        return report.of(self.documents, {}, "")

    def is_lost(self) -> bool:
        """True if the padding looks lost in each of the attempts, as padding.measure() has it."""
        size = measure.PADDING_PROCESSES
        parts = [self.outputs[at : at + size] for at in range(0, len(self.outputs), size)]
        return all(padding.of(raw.parse(raw.join_runs(part), str(self.run))[0]).lost for part in parts)


def load(folder: Path) -> dict[tuple[str, str], list[Stored]]:
    """The runs by load and kind, in the order of their numbers."""
    found: dict[tuple[str, str], list[Stored]] = defaultdict(list)
    for path in folder.glob("*.jsonl.xz"):
        for line in lzma.decompress(path.read_bytes()).decode().splitlines():
            entry = json.loads(line)
            run = measure.Run(*(entry[key] for key in ("load", "kind", "programs", "number")))
            found[run.load, run.kind].append(Stored(run, entry["outputs"]))
    for runs in found.values():
        runs.sort(key=lambda stored: stored.run.number)
    return found


@dataclass(frozen=True)
class Compared:
    """A comparison: the variants with a verdict, the cells, the share of cells that agree in percent, and
    how many cycles more a loop takes while the sites are disabled, by variant."""

    slower: set[str]
    faster: set[str]
    verdicts: int
    cells: int
    agree: float
    differences: dict[str, float]


def compared(pair: tuple[Stored, Stored]) -> Compared:
    a, b = (stored.report() for stored in pair)
    made = compare.compare(a, b)
    slower, faster = made.with_verdict(compare.SLOWER), made.with_verdict(compare.FASTER)
    return Compared(
        {case.variant for case in slower}, {case.variant for case in faster}, len(slower) + len(faster),
        len(made.cases), agree.agreement(a, b).percent,
        {case.variant: case.difference or 0 for case in made.cases if case.state == "disabled"},
    )  # fmt: skip


def share(found: int, runs: int) -> str:
    """A number of runs with the exact interval of its share."""
    if not runs:
        return "not measured"
    bounds = binomtest(found, runs).proportion_ci(stats.CONFIDENCE, method="exact")
    return f"{found} of {runs} [{100 * bounds.low:.1f}, {100 * bounds.high:.1f}] %"


@dataclass(frozen=True)
class Planted:
    """The runs with NOPs of one load: `found` of them; `beside`: another variant had a verdict besides;
    `missed`: variants whose NOPs were not found, with the difference of cycles."""

    what: str
    runs: int
    found: int
    beside: int
    missed: list[str]

    def lines(self) -> Iterator[str]:
        yield f"{self.what} found in {share(self.found, self.runs)}"
        if self.missed:
            yield f"  missed: {', '.join(self.missed)}"
        yield f"{self.what}: another variant has a verdict besides in {share(self.beside, self.runs)}"


@dataclass(frozen=True)
class Found:
    """The runs of one load: those with NOPs; lost paddings that were found; paddings that were called lost
    and are not."""

    load: str
    planted: list[Planted]
    lost: int
    lost_found: int
    kept: int
    kept_lost: int

    def lines(self) -> Iterator[str]:
        for planted in self.planted:
            yield from planted.lines()
        yield f"{self.load}: lost padding found in {share(self.lost_found, self.lost)}"
        yield f"{self.load}: padding that is there called lost in {share(self.kept_lost, self.kept)}"


def judge(
    runs: dict[tuple[str, str], list[Stored]], load_of_machine: str, pool: ProcessPoolExecutor
) -> Found:
    """Judge the runs of one load."""
    kept, lost = (runs[load_of_machine, kind] for kind in (measure.KEPT, measure.LOST))
    planted = [judge_nops(runs, load_of_machine, kind, pool) for kind in measure.NOPS]
    return Found(
        load_of_machine, planted,
        len(lost), sum(pool.map(Stored.is_lost, lost)), len(kept), sum(pool.map(Stored.is_lost, kept)),
    )  # fmt: skip


def judge_nops(
    runs: dict[tuple[str, str], list[Stored]], load_of_machine: str, kind: str, pool: ProcessPoolExecutor
) -> Planted:
    # A run that was not carried out has no partner.
    numbers = {one.run.number: one for one in runs[load_of_machine, measure.SAME]}
    pairs = [
        (numbers[one.run.number], one) for one in runs[load_of_machine, kind] if one.run.number in numbers
    ]
    variants = [one.run.programs.partition("-")[0] for _, one in pairs]
    made = list(zip(variants, pool.map(compared, pairs), strict=True))
    missed = [
        f"{variant} ({got.differences[variant]:+.2f})" for variant, got in made if variant not in got.slower
    ]
    beside = [variant for variant, got in made if (got.slower | got.faster) - {variant}]
    what = f"{load_of_machine}: {measure.NOPS[kind]} NOP"
    return Planted(what, len(made), len(made) - len(missed), len(beside), missed)


def equal_pairs(runs: list[Stored], pool: ProcessPoolExecutor) -> Rate:
    """The rate of verdicts in pairs of equal runs, each run in one pair."""
    made = list(pool.map(compared, zip(runs[::2], runs[1::2], strict=False)))
    shares = [one.agree for one in made]
    return Rate(
        "equal runs", len(made), sum(bool(one.verdicts) for one in made), sum(one.verdicts for one in made),
        sum(one.cells for one in made), min(shares), float(np.median(shares)),
    )  # fmt: skip


def main() -> int:
    runs = load(Path(sys.argv[1]))
    if len(runs[measure.QUIET, measure.PAIR]) < 2:
        raise Failure(f"{sys.argv[1]}: no pair of equal runs was measured")
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        found = [judge(runs, load_of_machine, pool) for load_of_machine in measure.LOADS]
        rate = equal_pairs(runs[measure.QUIET, measure.PAIR], pool)
    for one in found:
        print("\n".join(one.lines()))
    print("\n".join(rates.lines([rate])))
    quiet = found[0]
    eight = quiet.planted[-1]
    return int(eight.found < max(eight.runs, 1) or quiet.lost_found < quiet.lost or not rate.passes)


if __name__ == "__main__":
    sys.exit(main())
