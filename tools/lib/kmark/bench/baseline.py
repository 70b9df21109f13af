# SPDX-License-Identifier: GPL-2.0-only
"""bench/data/baseline.json: the instructions that each kind of site adds to a loop in the guest.
They are exact, so a difference is a change of the code."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kmark import cache
from kmark.analysis import raw, stats, variants
from kmark.analysis.cases import Case
from kmark.analysis.notation import WIDTH
from kmark.bench import runner
from kmark.errors import Failure
from kmark.guest import vm
from kmark.report.compare import EXACT

FILE = cache.TOP / "bench/data/baseline.json"
NAME = "kmark-baseline/1"
# The kernel's peers execute its code, which changes with its version; but these are a call alone.
CALLS = ("static-call", "static-call-ret0")
SITES_OF_KPROBES = (
    "kprobe-site",
    "kprobe-site-jump",
)  # ours while disabled; enabled, by the kernel's kprobes
# Ours, with a slow path between packets: the least figure of its places is without it.
LEAST = ("sink",)
ROUNDS, SCALE = "1", "0.001"  # a loop executes the same instructions every time
DIGITS = 3
# Tolerance for cases whose loops are executed less often than those of none, so that a part of the
# cost of calling the function remains.
COARSE, COARSE_DIGITS = 0.1, 1

Added = dict[str, float]  # by cell: shape, state, variant


@dataclass(frozen=True)
class Baseline:
    """Added instructions by cell, the compiler that made the code, the guest's model of CPU, and
    what its kernel does about the vulnerabilities of that, which adds instructions."""

    compiler: str
    added: Added
    cpu: str = vm.COUNTED_CPU
    mitigations: str = "unknown"


@dataclass(frozen=True)
class Change:
    """A cell that differs; None: it is missing on that side."""

    cell: str
    before: float | None
    now: float | None


def is_own(case: Case) -> bool:
    """True if all that the case executes is this project's."""
    if case.variant in SITES_OF_KPROBES:
        return case.state == "disabled"
    return case.variant in CALLS or case.variant not in variants.of_kernel()


def of(document: raw.Raw) -> Baseline:
    """The baseline that a run in the guest shows. Failure if a case is not in instructions,
    or differs between layouts but for those of LEAST."""
    added = {}
    cases = stats.analyse(document)
    loops = {(case.shape, case.state): case.loops for case in cases if case.variant == variants.BASELINE}
    for case in filter(is_own, cases):
        equal = case.loops == loops[case.shape, case.state]
        exact, digits = (EXACT, DIGITS) if equal else (COARSE, COARSE_DIGITS)
        cell = f"{case.shape} {case.state} {case.variant}"
        if case.unit != "instructions":
            raise Failure(f"{document.env}: {cell}: in {case.unit}, not in instructions")
        if case.variant in LEAST and case.places:
            added[cell] = round(case.places.best, DIGITS)
            continue
        if case.added.hi - case.added.lo > exact:
            raise Failure(
                f"{document.env}: {cell}: added instructions are from {case.added.lo:g} to "
                f"{case.added.hi:g}, so more than the loop was counted"
            )
        if case.variant != variants.BASELINE:
            added[cell] = round(case.added.median, digits)
    facts = document.environment
    cpu = facts.get("guest_cpu", vm.COUNTED_CPU)
    mitigations = facts.get("mitigations", "unknown")
    return Baseline(facts.get("compiler", "unknown"), dict(sorted(added.items())), cpu, mitigations)


def measure(cpu: str) -> Baseline:
    """Runs the benchmark in a guest with that model of CPU, with the fewest rounds."""
    (document,) = raw.parse(runner.run_cases([ROUNDS, SCALE], cpu), "the guest's raw data")
    return of(document)


def load(path: Path) -> Baseline:
    """Read a baseline. Failure if the file cannot be read or is not a baseline."""
    try:
        found: dict[str, Any] = json.loads(path.read_text())
        if found["schema"] != NAME:
            raise ValueError(f"schema {found['schema']}")
        added = {cell: float(value) for cell, value in found["added"].items()}
        return Baseline(found["compiler"], added, found["cpu"], found["mitigations"])
    except OSError as problem:
        raise Failure(f"{path}: {problem.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError) as problem:
        raise Failure(f"{path}: not a {NAME}: {problem}") from None


def shortest(value: float) -> float | int:
    """Return an integral value as an integer, for a shorter file."""
    return int(value) if value == int(value) else value


def dump(baseline: Baseline) -> str:
    """The text of the file."""
    document = {
        "$comment": "SPDX-License-Identifier: GPL-2.0-only",
        "schema": NAME,
        "compiler": baseline.compiler,
        "cpu": baseline.cpu,
        "mitigations": baseline.mitigations,
        "added": {cell: shortest(added) for cell, added in baseline.added.items()},
    }
    return json.dumps(document, indent=1) + "\n"


def changes(before: Baseline, now: Baseline) -> list[Change]:
    """Cells that differ by more than EXACT, are new or are gone."""
    found = []
    for cell in dict.fromkeys([*before.added, *now.added]):
        one, other = before.added.get(cell), now.added.get(cell)
        if one is None or other is None or round(abs(one - other), DIGITS) > EXACT:
            found.append(Change(cell, one, other))
    return found


def shown(value: float | None) -> str:
    return "-" if value is None else f"{value:g}"


def lines(before: Baseline, now: Baseline, name: str) -> Iterator[str]:
    """Yield the differences from the baseline in the file NAME, as text."""
    found = changes(before, now)
    if not found:
        yield f"{len(now.added)} cells, each as in {name}"
        return
    yield f"instructions added to a loop that are not as in {name}"
    yield ""
    yield f"{'shape, state, variant':<44}{'baseline':>10}{'now':>10}"
    for change in found:
        yield f"{change.cell[:43]:<44}{shown(change.before):>10}{shown(change.now):>10}"
    yield ""
    yield f"{len(found)} of {len(before.added.keys() | now.added.keys())} cells differ"
    for what in ("compiler", "mitigations"):
        one, other = getattr(before, what), getattr(now, what)
        if one != other:
            yield from textwrap.wrap(f"{what}: was {one}, now {other}", WIDTH)


def record(before: Baseline, now: Baseline) -> dict[str, Any]:
    """Return the differences from the baseline, as JSON."""
    found = [
        {"cell": change.cell, "baseline": change.before, "now": change.now}
        for change in changes(before, now)
    ]
    return {
        "cells": len(now.added),
        "compiler": [before.compiler, now.compiler],
        "mitigations": [before.mitigations, now.mitigations],
        "changes": found,
    }
