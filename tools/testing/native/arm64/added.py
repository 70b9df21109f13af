# SPDX-License-Identifier: GPL-2.0-only
"""Prints what each case of the raw data on standard input adds to its loop, in instructions:
SHAPE STATE VARIANT ADDED, and for `null` the farthest that a sample is from one of `none`.
Fails where a gate of this project is not the same at all places."""

from __future__ import annotations

import sys

from kmark.analysis import raw, stats, variants
from kmark.bench import baseline


def main() -> None:
    (document,) = raw.parse(sys.stdin.read(), "standard input")
    baseline.of(document)
    for case in stats.analyse(document):
        if case.unit != "instructions":
            raise SystemExit(f"in {case.unit}")
        added = case.added.bound if case.variant == variants.NULL else round(case.added.median, 3)
        print(case.shape, case.state, case.variant, f"{added:g}")


main()
