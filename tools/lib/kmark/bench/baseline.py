# SPDX-License-Identifier: GPL-2.0-only
"""bench/data/baseline.json: the instructions that each kind of site adds to a loop in the guest.
They are exact, so a difference is a change of the code."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kmark import cache
from kmark.analysis import raw, stats
from kmark.bench import runner
from kmark.errors import Failure
from kmark.report.compare import EXACT

FILE = cache.TOP / "bench/data/baseline.json"
NAME = "kmark-baseline/1"
# These execute code of the kernel, which changes with its version.
PEERS = (
    "tracepoint", "ftrace", "trace-event", "bpf", "kprobe-int3", "kprobe-opt", "kprobe-entry",
    "kprobe-site", "kprobe-site-jump", "imm-kprobe", "relay", "ring-buffer", "trace-printk", "sink",
)  # fmt: skip
ROUNDS, SCALE = "1", "0.001"  # a loop executes the same instructions every time
DIGITS = 3

Added = dict[str, float]  # by cell: shape, state, variant


@dataclass(frozen=True)
class Baseline:
    """Added instructions by cell, and the compiler that made the code."""

    compiler: str
    added: Added


@dataclass(frozen=True)
class Change:
    """A cell that differs; None: it is missing on that side."""

    cell: str
    before: float | None
    now: float | None


def of(document: raw.Raw) -> Baseline:
    """The baseline that a run in the guest shows. Failure if a case is not in instructions,
    or differs between layouts."""
    added = {}
    for case in stats.analyse(document):
        if case.variant in PEERS:
            continue
        cell = f"{case.shape} {case.state} {case.variant}"
        if case.unit != "instructions":
            raise Failure(f"{document.env}: {cell}: in {case.unit}, not in instructions")
        if case.added.hi - case.added.lo > EXACT:
            raise Failure(
                f"{document.env}: {cell}: added instructions are from {case.added.lo:g} to "
                f"{case.added.hi:g}, so more than the loop was counted"
            )
        if case.variant != stats.BASELINE:
            added[cell] = round(case.added.median, DIGITS)
    return Baseline(document.environment.get("compiler", "unknown"), dict(sorted(added.items())))


def measure() -> Baseline:
    """Runs the benchmark in a guest, with the fewest rounds."""
    (document,) = raw.parse(runner.run_guest([ROUNDS, SCALE]), "the guest's raw data")
    return of(document)


def load(path: Path) -> Baseline:
    """Failure if the file cannot be read or is not a baseline."""
    try:
        found: dict[str, Any] = json.loads(path.read_text())
        if found["schema"] != NAME:
            raise ValueError(f"schema {found['schema']}")
        return Baseline(found["compiler"], {cell: float(added) for cell, added in found["added"].items()})
    except OSError as problem:
        raise Failure(f"{path}: {problem.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError) as problem:
        raise Failure(f"{path}: not a {NAME}: {problem}") from None


def shortest(value: float) -> float | int:
    """As an integer if it is one, for a shorter file."""
    return int(value) if value == int(value) else value


def dump(baseline: Baseline) -> str:
    """The text of the file."""
    document = {
        "$comment": "SPDX-License-Identifier: GPL-2.0-only",
        "schema": NAME,
        "compiler": baseline.compiler,
        "added": {cell: shortest(added) for cell, added in baseline.added.items()},
    }
    return json.dumps(document, indent=1) + "\n"


def changes(before: Baseline, now: Baseline) -> list[Change]:
    """Cells that differ by more than EXACT, are new or are gone."""
    found = []
    for cell in dict.fromkeys([*before.added, *now.added]):
        one, other = before.added.get(cell), now.added.get(cell)
        if one is None or other is None or abs(one - other) > EXACT:
            found.append(Change(cell, one, other))
    return found


def shown(value: float | None) -> str:
    return "-" if value is None else f"{value:g}"


def lines(before: Baseline, now: Baseline, name: str) -> Iterator[str]:
    """What differs from the file NAME, as text."""
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
    if before.compiler != now.compiler:
        yield f"the compiler differs, too: {before.compiler}, now {now.compiler}"


def record(before: Baseline, now: Baseline) -> dict[str, Any]:
    """What differs, as JSON."""
    found = [
        {"cell": change.cell, "baseline": change.before, "now": change.now}
        for change in changes(before, now)
    ]
    return {"cells": len(now.added), "compiler": [before.compiler, now.compiler], "changes": found}
