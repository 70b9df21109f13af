# SPDX-License-Identifier: GPL-2.0-only
"""sums.py UNIT: what bench/timing/methods sums up, against numpy over the same samples.
Prints nothing if all is well, else what is not."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
from kmark.analysis import raw
from kmark.timing import series

UNIT = sys.argv[1]


def ask(words: list[str], text: str = "") -> tuple[list[int], series.Ensemble, series.Series]:
    output = subprocess.run([UNIT, *words], input=text, capture_output=True, text=True, check=True).stdout
    samples = [int(line.split("\t")[1]) for line in output.splitlines() if line.startswith("sample\t")]
    document = "".join(f"{line}\n" for line in output.splitlines() if not line.startswith("sample\t"))
    (found,) = raw.parse(document, "unit")
    (one,) = series.load(found)
    return samples, one.ensembles[0], one


def compare(name: str, samples: list[int], found: series.Ensemble) -> None:
    """By numpy in Python's integers, of any size, and in its own floating point."""
    values = np.array(samples, dtype=object)
    expected = {
        "kept": len(samples), "sum": int(values.sum()), "squares": int((values**2).sum()),
        "min": int(values.min()), "max": int(values.max()),
    }  # fmt: skip
    for key, value in expected.items():
        if getattr(found, key) != value:
            print(f"{name}: {key} is {getattr(found, key)}, by numpy {value}")
    variance = float(np.var(np.array(samples, dtype=np.longdouble)))
    if not np.isclose(float(found.variance), variance, rtol=1e-9):
        print(f"{name}: the variance is {float(found.variance)}, by numpy {variance}")


recorded, measured, whole = ask(["record", "20000"])
compare("recorded", recorded, measured)
values, numbers = np.unique(np.array(recorded), return_counts=True)
inner = [(start, count) for start, width, count in whole.bins if width]
expected_bins = [(int(v), int(n)) for v, n in zip(values, numbers, strict=True) if 0 <= v < 4096]
if inner != expected_bins:
    print(f"recorded: the bins are {inner[:5]}, by numpy {expected_bins[:5]}")

random = np.random.default_rng(1)
# Squares over 64 bits, and so are their sums: the paper's arithmetic overflows.
huge = [int(value) for value in random.integers(2**40, 2**52, 1000)]
_, found, _ = ask(["sum"], "".join(f"0 {value}\n" for value in huge))
compare("huge", huge, found)

# The counter's own wrap is no matter; an end before the begin is one (B9).
_, found, _ = ask(["sum"], "100 150\n200 190\n300 340\n")
compare("backwards", [50, 40], found)
if found.backwards != 1:
    print(f"backwards: {found.backwards} of 1 was seen")
