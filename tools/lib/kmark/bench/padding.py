# SPDX-License-Identifier: GPL-2.0-only
"""Checks that the padding of cold blocks works: the call of an open gate is within a cache line for each
place of the loop (MARKER_GATE_FAR in markers/arch/x86/gates.h). Instructions do not show it, so the ratio
of loops of the same run is measured natively: with padding the slowest place of a loop in its line costs
nearly as much as the fastest. On some CPUs this holds for some gates without padding, too;
tools/testing/native/disassembly.t checks the call in the program on any CPU."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from kmark import lock
from kmark.analysis import raw, stats
from kmark.analysis.raw import Raw
from kmark.bench import native
from kmark.errors import Failure
from kmark.make import make, run_program
from kmark.progress import Progress

NAME = "kmark-padding/1"
SHAPE, STATE = "empty", "enabled"
PADDED = ("nop5", "flip", "pun", "nop14", "nop23")
WITHOUT = ("generic", "imm", "direct")  # sites and calls whose place is left to the compiler
# Seen: 1.00 with padding and 1.14 without, 8 cycles for 7, on a Zen 3 for all of PADDED, on a Zen 4
# for pun alone.
LIMIT = 1.07
FASTEST = 0.1  # quantile of a place's samples: what shares the machine makes them longer
PROCESSES, ROUNDS = 6, 3
ATTEMPTS = 3  # other load can make one look lost; a lost padding is lost in each


@dataclass(frozen=True)
class Padding:
    """Dearest place to cheapest, by variant; a place has the quantile FASTEST of its samples."""

    ratios: dict[str, float]

    def median(self, variants: tuple[str, ...]) -> float:
        return float(np.median([self.ratios[variant] for variant in variants]))

    @property
    def dearest(self) -> float:
        """Return the largest ratio of the padded gates, because one lost padding is enough to fail."""
        return max(self.ratios[variant] for variant in PADDED)

    @property
    def visible(self) -> bool:
        """True if the place matters on this CPU where nothing is padded."""
        return self.median(WITHOUT) > LIMIT

    @property
    def lost(self) -> bool:
        return self.dearest > LIMIT


def of(document: Raw) -> Padding:
    """Return the ratios of a document. Failure if it lacks one of the loops at two places, with good
    samples."""
    clock, layouts = stats.Clock.of(document), document.number("layouts")
    times: dict[str, dict[int, list[float]]] = {}
    for sample in document.samples:
        if (sample.shape, sample.state) == (SHAPE, STATE) and clock.is_good(sample):
            places = times.setdefault(sample.variant, {})
            places.setdefault(sample.layout % layouts, []).append(clock.per_loop(sample))
    ratios = {}
    for variant in (*PADDED, *WITHOUT):
        fastest = [float(np.quantile(values, FASTEST)) for values in times.get(variant, {}).values()]
        if len(fastest) < 2:
            raise Failure(f"raw data of {document.env}: {SHAPE}, {STATE}: {variant} is not at two places")
        ratios[variant] = max(fastest) / min(fastest)
    return Padding(ratios)


def measure_once(first_seed: int) -> Padding:
    with Progress("padding") as progress:
        outputs = [
            run_program(
                [
                    str(native.BENCH), "--progress", "--shape", SHAPE, "--state", STATE,
                    "--rounds", str(ROUNDS), "--seed", str(first_seed + part),
                ],
                progress, part, PROCESSES,
            )
            for part in range(PROCESSES)
        ]  # fmt: skip
    (document,) = raw.parse(raw.join_runs(outputs), "the native raw data")
    return of(document)


def measure() -> Padding:
    """Runs the loops natively, which takes seconds, and again while the padding looks lost."""
    make("native")
    with lock.measuring("native"):
        for attempt in range(ATTEMPTS):
            found = measure_once(1 + attempt * PROCESSES)
            if not found.lost:
                break
    return found


def lines(found: Padding) -> Iterator[str]:
    """The ratios and the verdict, as text."""
    yield "empty loop, enabled: the dearest place in a cache line to the cheapest"
    yield ""
    for name, variants in (("padded", PADDED), ("not padded", WITHOUT)):
        for variant in variants:
            yield f"{name:<12}{variant:<12}{found.ratios[variant]:>8.3f}"
    yield ""
    if found.lost:
        yield f"a padding is lost: the dearest of the padded is {found.dearest:.3f}, more than {LIMIT}"
    elif not found.visible:
        yield f"not resolved: where nothing is padded the place matters by less than {LIMIT}, too"
    else:
        yield f"no padding is lost: the dearest of the padded is {found.dearest:.3f}, at most {LIMIT}"


def record(found: Padding) -> dict[str, Any]:
    """The ratios, as JSON."""
    return {
        "schema": NAME, "limit": LIMIT, "ratios": found.ratios, "padded": found.dearest,
        "without": found.median(WITHOUT), "visible": found.visible, "lost": found.lost,
    }  # fmt: skip
