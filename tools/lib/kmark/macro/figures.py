# SPDX-License-Identifier: GPL-2.0-only
"""The arithmetic of macro-benchmarks: from the lines of several boots of two kernels to
what the markers add to an operation of each workload.

Four conditions: the kernel without the patches (vanilla), and that kernel with the tracepoints
enabled that stand beside the markers (traced); the kernel with the patches and nothing enabled
(marked), and with every marker enabled (enabled). In a round a kernel runs every workload closed
and open. So does vanilla, where the two runs differ by chance alone, which says what this run can
resolve, and it has a third run, traced."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from kmark.analysis import stats
from kmark.analysis.cases import Estimate
from kmark.analysis.raw import Raw
from kmark.analysis.stats import Pair
from kmark.errors import Failure

VANILLA, MARKED, TRACED, ENABLED = "vanilla", "marked", "traced", "enabled"
CLOSED, OPEN = "closed", "open"
# The runs of a round.
STATES = {VANILLA: (CLOSED, OPEN, TRACED), MARKED: (CLOSED, OPEN)}
KERNELS = (VANILLA, MARKED)
UNITS = {"vm": "instructions", "uml": "ns"}
TARGET_PERCENT = 0.1  # at most, of instructions, with nothing enabled
MET, MISSED, UNDECIDED = "met", "missed", "undecided"

Key = tuple[str, str, str]  # workload, kernel, state


@dataclass(frozen=True)
class Run:
    """One run of a workload."""

    ops: int
    amount: float  # amount in the unit, for one operation
    idle: float  # idle time in the unit, for one operation; not in the amount
    events: int  # stored in the ring buffer of ftrace


@dataclass(frozen=True)
class Added:
    """The cost that a condition adds to one operation, in the unit and in percent of vanilla's cost in the
    same round; `resolved`: whether it is more than chance."""

    added: Estimate
    percent: Estimate
    resolved: bool


@dataclass(frozen=True)
class Figure:
    """One workload in one environment."""

    env: str
    workload: str
    unit: str
    ops: int  # in one run
    runs: int  # runs of each condition
    vanilla: Estimate
    idle: float  # per operation of vanilla, left out of the amounts
    null: Estimate  # vanilla less vanilla
    null_percent: Estimate
    marked: Added
    traced: Added
    enabled: Added
    events: dict[str, Estimate]  # per operation, of TRACED and of ENABLED

    @property
    def target(self) -> str:
        """MET or MISSED if the whole interval of what `marked` adds lies on one side of
        TARGET_PERCENT and vanilla differs from itself by less, else UNDECIDED: a run that cannot
        see the target, or has fewer than ENOUGH runs, does not meet it."""
        if self.runs < stats.ENOUGH:
            return UNDECIDED
        null = self.null_percent.bound
        if self.marked.percent.hi <= TARGET_PERCENT and null <= TARGET_PERCENT:
            return MET
        return MISSED if self.marked.percent.lo > max(TARGET_PERCENT, null) else UNDECIDED


def amount(env: str, row: dict[str, str]) -> Run:
    """Return one line, for one operation. Under icount a tick is an instruction, except for idle time,
    which the emulator skips: idle time is known in ns, and is converted at the rate that the counter had.
    Failure for impossible counts."""
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


def percents(one: dict[Pair, Run], base: dict[Pair, Run]) -> dict[Pair, float]:
    """Return the differences as shares of the runs of `base`."""
    return {pair: 100 * value / base[pair].amount for pair, value in differences(one, base).items()}


def added(one: dict[Pair, Run], base: dict[Pair, Run], null: Estimate) -> Added:
    """Return the difference between `one` and `base`; boots are used as the layouts of a loop are.
    Resolved: there are ENOUGH pairs, the interval does not contain 0, and the median is larger than the
    bound of the difference between vanilla's two runs."""
    pairs = differences(one, base)
    found = stats.estimate_by_layout(pairs).added
    percent = stats.estimate_by_layout(percents(one, base)).added
    apart = len(pairs) >= stats.ENOUGH and (found.lo > 0 or found.hi < 0)
    return Added(found, percent, apart and abs(found.median) > null.bound)


def figure(env: str, workload: str, found: dict[Key, dict[Pair, Run]]) -> Figure:
    """Return the figure of a workload. Failure if no round has every condition."""
    runs = {
        (kernel, state): found.get((workload, kernel, state), {})
        for kernel, states in STATES.items()
        for state in states
    }
    together = set.intersection(*(set(one) for one in runs.values()))
    if not together:
        raise Failure(f"raw data of {env}: {workload}: no round that every condition has")
    kept = {key: {pair: one[pair] for pair in together} for key, one in runs.items()}
    base, again = kept[VANILLA, CLOSED], kept[VANILLA, OPEN]
    null = stats.estimate_by_layout(differences(again, base)).added
    stored = {TRACED: kept[VANILLA, TRACED], ENABLED: kept[MARKED, OPEN]}
    return Figure(
        env=env,
        workload=workload,
        unit=UNITS[env],
        ops=next(iter(base.values())).ops,
        runs=len(together),
        vanilla=stats.estimate(run.amount for run in base.values()),
        idle=stats.estimate(run.idle for run in base.values()).median,
        null=null,
        null_percent=stats.estimate_by_layout(percents(again, base)).added,
        marked=added(kept[MARKED, CLOSED], base, null),
        traced=added(stored[TRACED], again, null),
        enabled=added(stored[ENABLED], again, null),
        events={
            name: stats.estimate(run.events / run.ops for run in runs.values())
            for name, runs in stored.items()
        },
    )


def analyse(documents: list[Raw]) -> list[Figure]:
    """All workloads, in the order they came, one environment after the other."""
    figures = []
    for env in dict.fromkeys(raw.env for raw in documents):
        found = collect([raw for raw in documents if raw.env == env])
        for workload in dict.fromkeys(key[0] for key in found):
            figures.append(figure(env, workload, found))
    return figures
