# SPDX-License-Identifier: GPL-2.0-only
"""Raw data with known answers, for the tests of everything downstream."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from kmark.analysis.cases import Case, Estimate
from kmark.report.model import Report

ADDS, IMULS, LATENCY = 6000, 2000, 3
COLUMNS = "case\tround\tshape\tvariant\tstate\tlayout\tloops\tsites\tticks\tadd0\timul0\tadd1\timul1"


@dataclass
class Plan:
    """Costs to plant: cycles per loop of `none`, and the cycles that each variant adds to it."""

    shifts: Mapping[str, float] = field(default_factory=lambda: {"generic": 3.0, "flip": 0.5})
    base: float = 10.0
    noise: float = 0.001
    rounds: int = 20
    layouts: int = 4
    loops: int = 1_000_000
    rate: float = 0.65  # ticks per cycle
    shape: str = "empty"
    state: str = "disabled"
    layout_effect: Callable[[str, int], float] = lambda _variant, layout: 0.01 * layout


def header(env: str, **more: str) -> str:
    facts = {
        "env": env, "cpu": "Synthetic 9000", "tsc_khz": "2600000", "tsc_step": "26", "fence": "lfence",
        "chain_adds": str(ADDS), "chain_imuls": str(IMULS), "imul_latency": str(LATENCY),
        "kernel": "6.1.0-test", "compiler": "gcc 12.2.0", "layouts": "4",
    } | more  # fmt: skip
    lines = ["#kmark-raw/1", *(f"#{key}\t{value}" for key, value in facts.items())]
    return "\n".join([*lines, COLUMNS]) + "\n"


def native_rows(plan: Plan, seed: int = 1) -> list[list[str]]:
    """Samples in ticks, at a tick rate that wanders between samples."""
    random = np.random.default_rng(seed)
    variants = {"none": 0.0, "null": 0.0, **plan.shifts}
    rows = []
    for round_ in range(plan.rounds):
        for layout in range(plan.layouts):
            for variant, shift in variants.items():
                rate = plan.rate * random.uniform(0.9, 1.1)
                cycles = plan.base + shift + plan.layout_effect(variant, layout)
                cycles += random.normal(0, plan.noise)
                ticks = round(cycles * plan.loops * rate)
                chains = [ADDS * rate * 1000, IMULS * LATENCY * rate * 1000] * 2
                row = ["case", round_, plan.shape, variant, plan.state, layout, plan.loops, 1, ticks]
                rows.append([str(cell) for cell in [*row, *(round(chain) for chain in chains)]])
    return rows


def native(plan: Plan, seed: int = 1) -> str:
    text = header("native", chain_adds=str(ADDS * 1000), chain_imuls=str(IMULS * 1000))
    return text + join(native_rows(plan, seed))


def join(rows: list[list[str]]) -> str:
    return "".join("\t".join(row) + "\n" for row in rows)


TOGGLE_COLUMNS = "toggle\tround\twhat\tstate\tsites\ttransactions\trounds\ttraps\tseen\tpeer\tamount\n"
MEMORY = "memory\tname\tbytes\nmemory\tsite.bytes\t40\nmemory\tmarker.runtime.bytes\t48\n"


def toggle_row(what: str, state: str, amount: int, round_: int = 0, **more: str) -> str:
    """10,000 sites; `more` overrides columns."""
    single = what != "together"
    row = {
        "round": str(round_), "what": what, "state": state, "sites": "10000",
        "transactions": "10000" if single else "1", "rounds": "20000" if single else "2",
        "traps": "3", "seen": "10000" if state == "open" else "0", "peer": "99", "amount": str(amount),
    } | more  # fmt: skip
    return "\t".join(["toggle", *(row[name] for name in TOGGLE_COLUMNS.split()[1:])]) + "\n"


def toggles(rounds: int = 7) -> str:
    """One by one takes 100 to 106 times together."""
    text = TOGGLE_COLUMNS
    for round_ in range(rounds):
        text += toggle_row("together", "open", 1_000_000, round_)
        text += toggle_row("together", "closed", 500_000, round_)
        text += toggle_row("single", "open", (100 + round_) * 1_000_000, round_)
    return text


def guest_toggles() -> str:
    unknown = {"rounds": "-", "traps": "-", "peer": "-"}
    text = TOGGLE_COLUMNS + toggle_row("together", "open", 14_000_000, peer="-")
    text += toggle_row("keys", "open", 42_000_000, 0, **unknown)
    text += toggle_row("keys", "closed", 43_000_000, 0, **unknown)
    return text + "interrupts\twhat\tstate\tsites\tcount\ninterrupts\tkeys\topen\t10000\t30000\n"


def vm(shifts: Mapping[str, int], base: int = 2, loops: int = 10_000_000, rounds: int = 2) -> str:
    """Under icount: exact, no chains, a constant overhead around each loop."""
    rows = []
    for state in ("disabled", "enabled"):
        for shape in ("empty", "memcpy4096", "unrolled8"):
            for round_ in range(rounds):
                for variant, shift in {"none": 0, "null": 0, **shifts}.items():
                    ticks = (base + shift) * loops + 7
                    sites = 8 if shape == "unrolled8" else 1
                    row = ["case", round_, shape, variant, state, 0, loops, sites, ticks, 0, 0, 0, 0]
                    rows.append([str(cell) for cell in row])
    return header("vm") + join(rows)


def case(**more: Any) -> Case:
    """A case of a report; `more`: its fields that are others."""
    known = Case(
        env="native", shape="empty", variant="imm", state="disabled", unit="cycles", loops=1000, sites=8,
        samples=10, dropped=0, per_loop=Estimate(12.5, 12.0, 13.0), added=Estimate(2.5, 1.25, 3.75),
        resolution=0.5, status="ok", thread=None,
    )  # fmt: skip
    return replace(known, **more)


def changed(made: Report, wanted: Callable[[Case], bool], **more: Any) -> Report:
    """The report with other fields in the cases that are wanted."""
    return replace(made, cases=[replace(one, **more) if wanted(one) else one for one in made.cases])
