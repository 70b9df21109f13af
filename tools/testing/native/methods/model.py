# SPDX-License-Identifier: GPL-2.0-only
"""model.py MODEL: each column that bench/timing/methods prints of a counter whose readings are known.
Prints nothing if all is well, else what is not."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass

from kmark.analysis import raw

# As in model.c.
STEP, BASE, PASS = 6, 6000, 1000
STORE = 1 / 100  # ticks
SLACK = 64 * STEP  # series.c: a sample so much longer than TOLERANCE times the least is not disturbed yet
HALF_STEP = int(STEP / 2 / STORE)  # stores


def ask(*words: str) -> raw.Raw:
    output = subprocess.run([sys.argv[1], *words], capture_output=True, text=True, check=True).stdout
    (found,) = raw.parse(output, "model")
    return found


def compare(name: str, found: object, expected: object) -> None:
    if found != expected:
        print(f"{name}: {found}, expected {expected}")


@dataclass(frozen=True)
class Expected:
    """A series: the numbers of its ensembles, and its plan."""

    numbers: tuple[int, ...]
    samples: int
    tolerance: int
    stride: int
    test: str = "stores"

    def samples_of(self, stores: int) -> tuple[list[int], int, int, int]:
        """Return the kept samples, and how many go backwards, how many are too long, and the longest."""
        ticks = BASE + int(stores * STORE)
        limit = self.tolerance * ticks + SLACK
        kept, backwards, disturbed = [], 0, 0
        for place in range(self.samples):
            if self.tolerance and place % 8 == 4:
                disturbed += 1
            elif self.tolerance and place % 8 == 5:
                backwards += 1
            else:
                longest = self.tolerance and place % 8 == 3
                kept.append(limit if longest else ticks + STEP * (place % 8 == 6))
        return kept, backwards, disturbed, limit + 1 if disturbed else 0

    def lines(self) -> list[dict[str, int]]:
        made = []
        for number in self.numbers:
            stores = number * self.stride if self.test == "stores" else 0
            kept, backwards, disturbed, worst = self.samples_of(stores)
            made.append({
                "number": number, "stores": stores, "kept": len(kept), "sum": sum(kept),
                "squares": sum(one * one for one in kept), "min": min(kept), "max": max(kept),
                "backwards": backwards, "disturbed": disturbed, "worst": worst,
            })  # fmt: skip
        return made


STORES = (
    Expected((0, 1, 2, 3, 4), 8, 4, HALF_STEP),
    Expected((5,), 16, 4, HALF_STEP),
    Expected((7,), 16, 4, HALF_STEP),
    Expected((8,), 16, 0, HALF_STEP),
    Expected((9,), 16, 0, 2),
    Expected((10,), 16, 0, 2, "inside"),
)
found = ask("stores")
for number, (series, expected) in enumerate(zip(found.tables["series"], STORES, strict=True)):
    where = f"series {number}"
    compare(where, series["number"], str(number))
    plan = (series["test"], series["samples"], series["tolerance"], series["step"], series["stride"])
    wanted = (expected.test, expected.samples, expected.tolerance, STEP, expected.stride)
    compare(f"{where}: plan", plan, tuple(map(str, wanted)))
    compare(f"{where}: fence", (series["fence"], series["reads"]), ("model", "model .. model"))
    rows = [row for row in found.tables["ensemble"] if row["series"] == str(number)]
    compare(f"{where}: ensembles", len(rows), len(expected.numbers))
    for row, line in zip(rows, expected.lines(), strict=True):
        for key, value in line.items():
            compare(f"{where}: {key}", int(row[key], 16 if key in ("sum", "squares") else 10), value)
        tried = 64 if expected.tolerance else 0  # samples that find the limit
        spent = int(row["took"]) - PASS * (expected.samples + tried)
        compare(f"{where}: took, but for one read", STEP <= spent <= 5 * STEP, True)
# The first series has got its second pair of chains twice, as it was continued.
times = [[series[key] for key in ("add0", "imul0", "add1", "imul1")] for series in found.tables["series"]]
first, second = ["65001", "98003"], ["65017", "98029"]
compare("chains of series 0", times[0], first + first)
compare("chains of series 1", times[1], second + first)

found = ask("offset")
bottom = BASE - 256 * STEP
top = bottom + 4096 * STEP
bins = [(int(row["from"]), int(row["width"]), int(row["count"])) for row in found.tables["bin"]]
compare(
    "bins",
    bins,
    [(0, 0, 3), (bottom, STEP, 6), (bottom + STEP, STEP, 3), (top - STEP, STEP, 3), (top, 0, 6)],
)

compare("skew", [tuple(row.values())[1:] for row in ask("skew").tables["skew"]], [
    ("3", "1", "49986", "50011", "3"), ("1", "3", "-89040", "-89000", "1")])  # fmt: skip
