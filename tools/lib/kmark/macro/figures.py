# SPDX-License-Identifier: GPL-2.0-only
"""The arithmetic of macro-benchmarks: from the lines of several boots of two kernels to
what the markers add to an operation of each workload.

Three conditions: the kernel without the patches (vanilla), with them and nothing connected
(marked), and with a probe on every marker (counted). A kernel runs every workload twice in
a round, closed and open. So does vanilla, where the two runs differ by chance alone, which
says what this run can resolve."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from kmark.analysis import stats
from kmark.analysis.raw import Raw
from kmark.analysis.stats import Estimate, Pair
from kmark.errors import Failure

VANILLA, MARKED, COUNTED = "vanilla", "marked", "counted"
CLOSED, OPEN = "closed", "open"
KERNELS = (VANILLA, MARKED)
UNITS = {"vm": "instructions", "uml": "ns"}
TARGET_PERCENT = 0.1  # at most, of instructions, with nothing connected
MET, MISSED, UNDECIDED = "met", "missed", "undecided"

Key = tuple[str, str, str]  # workload, kernel, state


@dataclass(frozen=True)
class Run:
    """One run of a workload."""

    ops: int
    amount: float  # of the unit, for one operation
    idle: float  # of the unit, for one operation; not in the amount
    events: int  # that the probe saw


@dataclass(frozen=True)
class Added:
    """What a condition adds to one operation, in the unit and in percent of what vanilla took
    in the same round; `resolved`: whether it is more than chance."""

    added: Estimate
    percent: Estimate
    resolved: bool

    @property
    def target(self) -> str:
        """MET or MISSED if the whole interval lies on one side of TARGET_PERCENT, else
        UNDECIDED."""
        if self.percent.hi <= TARGET_PERCENT:
            return MET
        return MISSED if self.percent.lo > TARGET_PERCENT else UNDECIDED


@dataclass(frozen=True)
class Figure:
    """One workload in one environment."""

    env: str
    workload: str
    unit: str
    ops: int  # in one run
    runs: int  # of each condition
    vanilla: Estimate
    idle: float  # per operation of vanilla, left out of the amounts
    null: Estimate  # vanilla less vanilla
    marked: Added
    counted: Added
    events: Estimate  # per operation, counted


def amount(env: str, row: dict[str, str]) -> Run:
    """One line, for one operation. Under icount a tick is an instruction, except for idle
    time, which the emulator skips: that is known in ns, and is converted at the rate that
    the counter had. Failure for impossible counts."""
    ops, ticks, ns = int(row["ops"]), int(row["ticks"]), int(row["ns"])
    idle_ns = int(row["idle_ns"])
    if ops <= 0 or ticks <= 0 or ns <= 0 or not 0 <= idle_ns <= ns:
        raise Failure(
            f"raw data of {env}: {row['workload']}: no operations, no time, or more idle than time"
        )
    events = int(row["events"])
    if UNITS[env] == "ns":
        return Run(ops, ns / ops, 0.0, events)
    idle = idle_ns * ticks / ns
    return Run(ops, (ticks - idle) / ops, idle / ops, events)


def collect(documents: list[Raw]) -> dict[Key, dict[Pair, Run]]:
    """Runs by workload, kernel and state; each by boot and round. Failure for an unknown
    kernel, or a round that comes twice."""
    found: dict[Key, dict[Pair, Run]] = defaultdict(dict)
    for raw in documents:
        kernel, boot = raw.environment.get("condition", ""), raw.number("boot")
        if kernel not in KERNELS or raw.env not in UNITS:
            raise Failure(f"raw data of {raw.env}: no kernel {kernel!r}")
        for row in raw.tables.get("macro", []):
            runs = found[row["workload"], kernel, row["state"]]
            pair = boot, int(row["round"]), 0
            if pair in runs:
                raise Failure(f"raw data of {raw.env}: {row['workload']}: boot {boot} has a round twice")
            runs[pair] = amount(raw.env, row)
    return found


def differences(one: dict[Pair, Run], base: dict[Pair, Run]) -> dict[Pair, float]:
    return {pair: one[pair].amount - base[pair].amount for pair in sorted(one.keys() & base.keys())}


def added(one: dict[Pair, Run], base: dict[Pair, Run], null: Estimate) -> Added:
    """What `one` adds to `base`; boots are what layouts are to a loop. Resolved: there are
    ENOUGH pairs, the interval does not contain 0, and the median is larger than the bound
    of the difference between vanilla's two runs."""
    pairs = differences(one, base)
    found = stats.estimate_by_layout(pairs).added
    percents = {pair: 100 * value / base[pair].amount for pair, value in pairs.items()}
    percent = stats.estimate_by_layout(percents).added
    apart = len(pairs) >= stats.ENOUGH and (found.lo > 0 or found.hi < 0)
    return Added(found, percent, apart and abs(found.median) > null.bound)


def figure(env: str, workload: str, found: dict[Key, dict[Pair, Run]]) -> Figure:
    """Failure if no round has every condition."""
    runs = {
        (kernel, state): found.get((workload, kernel, state), {})
        for kernel in KERNELS
        for state in (CLOSED, OPEN)
    }
    together = set.intersection(*(set(one) for one in runs.values()))
    if not together:
        raise Failure(f"raw data of {env}: {workload}: no round that every condition has")
    kept = {key: {pair: one[pair] for pair in together} for key, one in runs.items()}
    base, again = kept[VANILLA, CLOSED], kept[VANILLA, OPEN]
    null = stats.estimate_by_layout(differences(again, base)).added
    counted = kept[MARKED, OPEN]
    return Figure(
        env=env,
        workload=workload,
        unit=UNITS[env],
        ops=next(iter(base.values())).ops,
        runs=len(together),
        vanilla=stats.estimate(run.amount for run in base.values()),
        idle=stats.estimate(run.idle for run in base.values()).median,
        null=null,
        marked=added(kept[MARKED, CLOSED], base, null),
        counted=added(counted, again, null),
        events=stats.estimate(run.events / run.ops for run in counted.values()),
    )


def analyse(documents: list[Raw]) -> list[Figure]:
    """All workloads, in the order they came, one environment after the other."""
    figures = []
    for env in dict.fromkeys(raw.env for raw in documents):
        found = collect([raw for raw in documents if raw.env == env])
        for workload in dict.fromkeys(key[0] for key in found):
            figures.append(figure(env, workload, found))
    return figures
