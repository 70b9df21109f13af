# SPDX-License-Identifier: GPL-2.0-only
"""The differences that a machine can resolve with a fence, in words: from series of samples to the verdict
in reports, and the warnings above them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kmark import host
from kmark.analysis.raw import Raw
from kmark.timing import series as of_samples
from kmark.timing.series import (
    BEFORE,
    CHAIN_IMULS,
    INSIDE,
    OFFSET,
    STORES,
    Evaluation,
    Resolution,
    Series,
    Unit,
)

IMUL_CYCLES = 3
NO_CPUID_BETWEEN = ("rdtscp", "lfence", "lfence_rdtsc", "rdtsc")


@dataclass(frozen=True)
class Verdict:
    """The verdict on one fence, from the series of one environment. `inside`: how much of a chain between
    the reads is seen; `before`: how much of one before them; both in `unit`, None if not tried."""

    env: str
    fence: str
    reads: str
    unit: Unit
    offset: Series
    evaluation: Evaluation
    stores: Series | None
    resolution: Resolution | None
    inside: float | None
    before: float | None

    @property
    def chain(self) -> int:
        """The part of the chain that is seen with a fence that holds, in `unit`."""
        return CHAIN_IMULS * (1 if self.unit.name == "instructions" else IMUL_CYCLES)

    def sentence(self) -> str:
        """This machine resolves N instructions / M cycles with this fence."""
        if self.stores is None:
            return f"{self.fence}: the resolution was not measured"
        if self.resolution is None:
            longest = self.stores.ensembles[-1].stores
            return f"{self.fence}: not resolved: {longest} stores more cannot be distinguished from none"
        count = self.resolution.stores * self.stores.insns
        stores = f"{self.resolution.stores} store{'s' if self.resolution.stores > 1 else ''} more"
        amount = self.resolution.ticks * self.unit.per_tick
        more = "" if self.unit.name == "instructions" else f" / {amount:.1f} {self.unit.name}"
        return f"this machine resolves {count} instructions{more} with {self.fence} ({stores})"

    def quality(self) -> str:
        found = self.evaluation
        judged = "ergodic" if found.ergodic else "not ergodic"
        expected = found.if_independent
        independent = "" if expected is None else f" ({float(expected):.3g} if independent)"
        words = [
            f"offset {self.offset.least} ticks",
            f"variance of minima {float(found.variance_of_minima):.3g}, of variances "
            f"{float(found.variance_of_variances):.3g}{independent}: {judged}",
        ]
        if self.offset.disturbed:
            words.append(f"{self.offset.disturbed} samples disturbed and left out")
        return "; ".join(words)

    def record(self) -> dict[str, Any]:
        """The verdict, as JSON."""
        found, more = self.evaluation, self.resolution
        return {
            "env": self.env, "fence": self.fence, "reads": self.reads, "unit": self.unit.name,
            "unit_per_tick": self.unit.per_tick, "step": self.offset.step,
            "ensembles": len(self.offset.ensembles), "samples": self.offset.samples,
            "disturbed": self.offset.disturbed, "backwards": self.offset.backwards,
            "offset_ticks": self.offset.least, "spurious": found.spurious,
            "total_variance": float(found.total_variance), "max_deviation": found.max_deviation,
            "variance_of_variances": float(found.variance_of_variances),
            "variance_of_minima": float(found.variance_of_minima), "ergodic": found.ergodic,
            "resolution": None if more is None or self.stores is None else {
                "stores": more.stores, "instructions": more.stores * self.stores.insns,
                "amount": more.ticks * self.unit.per_tick, "start_stores": more.start,
                "per_store": more.ticks_per_store * self.unit.per_tick, "spurious": more.spurious,
            },
            "chain": {"length": self.chain, "inside": self.inside, "before": self.before},
        }  # fmt: skip


def judge(raw: Raw) -> list[Verdict]:
    """A verdict for each fence that has the test "offset", in the order they came."""
    all_series = of_samples.load(raw)
    unit = Unit.of(raw, all_series)
    found = {(one.fence, one.test): one for one in all_series}
    verdicts = []
    for (fence, test), offset in found.items():
        if test != OFFSET:
            continue
        stores = found.get((fence, STORES))
        inside, before = (
            (found[fence, name].mean - offset.mean) * unit.per_tick if (fence, name) in found else None
            for name in (INSIDE, BEFORE)
        )
        verdicts.append(
            Verdict(
                env=raw.env,
                fence=fence,
                reads=offset.reads,
                unit=unit,
                offset=offset,
                evaluation=Evaluation.of(offset),
                stores=stores,
                resolution=Resolution.of(stores) if stores else None,
                inside=inside,
                before=before,
            )
        )
    return verdicts


def cpuid_ticks(verdicts: list[Verdict]) -> float | None:
    """Ticks of a CPUID: a pair of reads with one between them, less a pair without; None if
    not measured."""
    means = {verdict.fence: verdict.offset.mean for verdict in verdicts}
    without = next((means[name] for name in NO_CPUID_BETWEEN if name in means), None)
    return None if without is None or "cpuid" not in means else means["cpuid"] - without


def apart(row: dict[str, str]) -> int:
    """The least number of ticks by which two CPUs' counters differ."""
    return max(int(row["low"]), -int(row["high"]), 0)


def warnings(raw: Raw) -> list[str]:
    """Reasons not to trust the counter."""
    found: list[str] = []
    if counts_instructions(raw):
        return found
    if raw.environment.get("tsc_invariant") == "no":
        found.append(
            "the TSC is not invariant (CPUID 8000_0007): its rate may change, so ticks are not time"
        )
    for row in raw.tables.get("skew", []):
        if ticks := apart(row):
            found.append(
                f"the TSCs of CPUs {row['cpu']} and {row['other']} are {ticks} ticks apart or more"
            )
    if raw.env in ("native", "host") and not kernel_knows_tsc(raw):
        found.append(
            "the TSC is not synchronised or not stable: the kernel does not offer it as a clocksource"
        )
    return found


def kernel_knows_tsc(raw: Raw) -> bool:
    """True if the measured kernel offers the TSC as a clocksource, by the raw data or, if these are too old
    to say it, by the running kernel. True if neither says it."""
    offered = raw.environment.get("clocksources") or host.read(host.CLOCKSOURCES)
    return offered == host.UNKNOWN or "tsc" in offered.split()


def counts_instructions(raw: Raw) -> bool:
    rows = raw.tables.get("series", [])
    return bool(rows) and all(row["add0"] == "0" for row in rows)


def counter_fact(raw: Raw) -> str:
    """The counter, in one line."""
    if counts_instructions(raw):
        return "counts instructions here (icount), not time"
    invariant = raw.environment.get("tsc_invariant", "not known")
    rows = raw.tables.get("skew", [])
    widest = max((max(abs(int(row["low"])), abs(int(row["high"]))) for row in rows), default=0)
    synchronised = "one CPU only"
    if rows:
        state = "NOT synchronised" if any(map(apart, rows)) else "synchronised"
        synchronised = f"{len(rows) + 1} CPUs {state}, within {widest} ticks"
    step = raw.environment.get("tsc_step", "?")
    return f"invariant: {invariant}; {synchronised}; it goes up by {step}"


def facts(raw: Raw) -> dict[str, str]:
    """For the head of a report of other measurements in the same environment."""
    verdicts = judge(raw)
    if not verdicts:
        return {}
    found = {"counter": counter_fact(raw)}
    if wrong := warnings(raw):
        found["warning"] = "; ".join(wrong)
    for verdict in verdicts:
        found["resolution"] = f"{verdict.sentence()}; {verdict.quality()}"
    return found
