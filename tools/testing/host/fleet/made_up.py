# SPDX-License-Identifier: GPL-2.0-only
"""Reports of machines that do not exist, made of a stored one: the raw data that a machine whose
loops take so many cycles would leave, and the report of it.

    made_up.py REPORT FOLDER COUNT

Hosts of one CPU differ in the rate of their counter only, so their figures are those of one run, and
are computed once; their raw data is not the same."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
from kmark.analysis import raw
from kmark.analysis.cases import Case
from kmark.analysis.site import TWINS
from kmark.report import report
from kmark.report.model import Environment, Report

SHAPES = ("unrolled64", "unrolled128")  # of which the ready questions have the figures
CPUS, KERNELS = 20, 4
ROUNDS, LAYOUTS = 1, 4
ADDS, IMULS, LATENCY = 65536, 32768, 3
NOISE = 0.002  # cycles of a loop
RATE = 20  # ticks of the slowest counter per cycle, so that scaling is exact
COLUMNS = "case\tround\tshape\tvariant\tstate\tlayout\tloops\tsites\tticks\tadd0\timul0\tadd1\timul1"
LAST = datetime(2026, 11, 30, tzinfo=UTC)  # when the newest reports were made
DEARER = 2.0  # cycles that MARK() enabled has more than a static key on every fourth CPU


def added(case: Case, cpu: int, month: int) -> float:
    """Return the cost that a case adds to a loop on a CPU: as in the stored report, but MARK() as much as a
    static key, on every fourth CPU more while enabled, and this month everything that is enabled costs a
    tenth more."""
    found = case.added.median * (1 + cpu / 100)
    if case.variant in ("none", "null"):
        return 0.0
    if case.state == "enabled":
        if case.variant in TWINS and not cpu % 4:
            found += DEARER * case.sites
        found *= 1 + 0.1 * month
    return found


def cycles(cases: list[Case], cpu: int, month: int) -> Iterator[tuple[list[str], list[int]]]:
    """Yield, for each sample, the cells before its ticks, and the cycles of its loops."""
    random = np.random.default_rng(100 * cpu + month)
    bases = {(c.shape, c.state): c.per_loop.median for c in cases if c.variant == "none"}
    nulls = [replace(c, variant="null") for c in cases if c.variant == "none"]
    for case in (*cases, *nulls):
        value = bases[case.shape, case.state] + added(case, cpu, month)
        taken = value + random.normal(0, NOISE, ROUNDS * LAYOUTS)
        for number, one in enumerate(taken):
            name = [case.shape, case.variant, case.state, str(number % LAYOUTS)]
            yield (
                ["case", str(number // LAYOUTS), *name],
                [case.loops, case.sites, round(one * case.loops)],
            )


def raw_text(samples: list[tuple[list[str], list[int]]], cpu: int, kernel: int, rate: int) -> str:
    """raw.tsv of a host whose counter has `rate` ticks per cycle."""
    facts = {
        "env": "native", "cpu": f"Model {cpu}", "arch": "x86_64", "kernel": f"Linux 6.{kernel}.0",
        "tsc_step": str(rate), "fence": "lfence", "chain_adds": str(ADDS), "chain_imuls": str(IMULS),
        "imul_latency": str(LATENCY), "layouts": str(LAYOUTS), "compiler": "gcc 12.2.0",
    }  # fmt: skip
    chains = "\t".join([str(ADDS * rate), str(IMULS * LATENCY * rate)] * 2)
    lines = ["#kmark-raw/1", *(f"#{key}\t{value}" for key, value in facts.items()), COLUMNS]
    for names, (loops, sites, taken) in samples:
        lines.append("\t".join([*names, str(loops), str(sites), str(taken * rate), chains]))
    return "\n".join(lines) + "\n"


def write(stored: Report, folder: Path, count: int) -> None:
    """`count` folders of results: half of the hosts' reports are of last month but one."""
    cases = [case for case in stored.cases if case.shape in SHAPES]
    keys = {(c.shape, c.state): c.added for c in cases if c.variant == "key"}
    cases = [replace(c, added=keys[c.shape, c.state]) if c.variant in TWINS else c for c in cases]
    made: dict[tuple[int, int], tuple[list[Any], Report]] = {}
    for number in range(count):
        host, month = divmod(number, 2)
        cpu, kernel = host % CPUS, host // CPUS % KERNELS
        if (cpu, month) not in made:
            samples = list(cycles(cases, cpu, month))
            documents = raw.parse(raw_text(samples, cpu, kernel, RATE), "made up")
            made[cpu, month] = samples, report.build(documents, {}, "2026-01-01T00:00:00")
        samples, one = made[cpu, month]
        rate = RATE + host // CPUS
        text = raw_text(samples, cpu, kernel, rate)
        created = LAST - timedelta(days=0 if month else 45, seconds=host)
        run = one.environment.runs[0] | raw.parse(text, "made up")[0].environment
        machine = {"name": f"host{host:04}", "cpu": f"Model {cpu}"}
        document = replace(one, created=created.isoformat(), environment=Environment(machine, [run]))
        place = folder / f"host{host:04}" / f"{created:%Y%m%d}"
        place.mkdir(parents=True)
        (place / "raw.tsv").write_text(text)
        (place / "report.json").write_text(report.dump(document))


if __name__ == "__main__":
    write(report.load(Path(sys.argv[1])), Path(sys.argv[2]), int(sys.argv[3]))
