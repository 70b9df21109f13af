# SPDX-License-Identifier: GPL-2.0-only
"""The cost of reading the counter is not in a figure."""

from __future__ import annotations

import re
import unittest

from kmark.analysis import raw, shapes, site, stats
from kmark.cache import TOP
from synthetic import ADDS, IMULS, Plan, header, join, native_rows

OFFSET = 52_000  # ticks; the chains of synthetic.py take 3.9 million
SLICE = 250_000


def with_offset(rows: list[list[str]], **facts: str) -> raw.Raw:
    """The rows as read by a counter whose every pair of reads adds OFFSET."""
    for row in rows:
        reads = -(-int(row[6]) // SLICE) if "slice_loops" in facts else 1
        row[8] = str(int(row[8]) + reads * OFFSET)
        for chain in range(9, 13):
            row[chain] = str(int(row[chain]) + OFFSET)
    lengths = {"chain_adds": str(ADDS * 1000), "chain_imuls": str(IMULS * 1000)}
    (document,) = raw.parse(header("native", **lengths, **facts) + join(rows), "here")
    return document


class Offset(unittest.TestCase):
    def test_is_subtracted_from_chains_and_loops(self) -> None:
        plan = Plan(layout_effect=lambda *_: 0.0)
        facts = {"fence_ticks": str(OFFSET), "slice_loops": str(SLICE)}
        document = with_offset(native_rows(plan), **facts)
        found = {case.variant: case for case in stats.analyse(document)}
        self.assertAlmostEqual(found["none"].per_loop.median, 10.0, delta=0.001)
        self.assertAlmostEqual(found["generic"].added.median, 3.0, delta=0.001)

    def test_older_raw_data_is_read_without(self) -> None:
        document = with_offset(native_rows(Plan()))
        added = {case.variant: case.added.median for case in stats.analyse(document)}["generic"]
        self.assertLess(added, 2.97)  # the old figure, less by the offset's share of a chain

    def test_a_site_of_none_costs_nothing_whatever_the_loop_counts(self) -> None:
        rows = []
        for shape, loops in (("unrolled64", 500_000), ("unrolled128", 250_000)):
            rows += native_rows(Plan(shape=shape, loops=loops, noise=0.0001), seed=loops)
        document = with_offset(rows, fence_ticks=str(OFFSET))
        (cost,) = [one.cost for one in site.costs(document, []) if one.variant == "none"]
        self.assertLessEqual(cost.lo, 0)
        self.assertGreaterEqual(cost.hi, 0)

    def test_a_shape_and_its_double_are_executed_as_often(self) -> None:
        for half, shape in shapes.TWICE.items():
            counts = []
            for name in (half, shape):
                source = (TOP / f"bench/loops/cases_{name}.c").read_text()
                counts.append(re.findall(r"#define BENCH_LOOPS_(\w+)\t+(\d+)", source))
            self.assertEqual(*counts)
            self.assertEqual(len(counts[0]), 2)
