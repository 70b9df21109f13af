# SPDX-License-Identifier: GPL-2.0-only
"""Chance makes few verdicts: the correction for many cells, and its rates by simulation."""

from __future__ import annotations

import json
import tempfile
import unittest
from pathlib import Path
from typing import Any

import numpy as np
from kmark.analysis import raw
from kmark.analysis.cases import Estimate
from kmark.errors import Failure
from kmark.report import compare, rates, report, significance
from scipy import stats as scipy_stats
from synthetic import ADDS, IMULS, Plan, changed, header, join, native, native_rows


def run(seed: int, processes: int = 8, cells: int = 12, spread: float = 0.4) -> str:
    """A run whose processes each move every variant by their own amount."""
    moved = np.random.default_rng(seed).normal(0, spread, (processes, cells))

    def effect(variant: str, layout: int) -> float:
        return float(moved[layout // 4, int(variant[1:])]) if variant[0] == "v" else 0.0

    shifts = {f"v{number}": 5.0 for number in range(cells)}
    plan = Plan(shifts=shifts, layouts=4 * processes, rounds=2, layout_effect=effect, noise=0.01)
    facts = {"chain_adds": str(ADDS * 1000), "chain_imuls": str(IMULS * 1000), "processes": str(processes)}
    return header("native", **facts) + join(native_rows(plan, seed))


def entry(median: float, half: float) -> Estimate:
    return Estimate(median, median - half, median + half)


class Chance(unittest.TestCase):
    def test_p_is_that_of_students_t(self) -> None:
        half = float(scipy_stats.norm.ppf(0.975)) * 0.9**0.5  # a standard error of 1, from 10 processes
        p = significance.p_value(entry(0, half), entry(4, half), 1.0, (9, 9))
        self.assertAlmostEqual(p, 2 * scipy_stats.t.sf(3 / 2**0.5, 18))
        self.assertAlmostEqual(significance.p_value(entry(4, half), entry(0, half), 1.0, (9, 9)), p)
        self.assertEqual(significance.p_value(entry(0, half), entry(0.9, half), 1.0, (9, 9)), 1.0)
        self.assertEqual(significance.p_value(entry(0, 0), entry(2, 0), 1.0, (9, 9)), 0.0)

    def test_of_many_cells_one_at_the_edge_is_no_verdict(self) -> None:
        shifts = {f"v{number}": 5.0 for number in range(200)}
        made = report.build(
            raw.parse(native(Plan(shifts=shifts, rounds=2)), "here"), {}, "2026-01-02T03:04:05"
        )
        made = changed(made, lambda _: True, added=entry(5.0, 0.5))
        one = made.cases[7].variant
        # Apart by more than the margin, so a verdict alone.
        after = changed(made, lambda case: case.variant == one, added=entry(6.3, 0.5))
        found = compare.compare(made, after)
        self.assertEqual(compare.judge(entry(5.0, 0.5), entry(6.3, 0.5), 0.12), compare.SLOWER)
        self.assertEqual({case.verdict for case in found.cases}, {compare.SAME})
        after = changed(made, lambda case: case.variant == one, added=entry(15.0, 0.5))
        self.assertEqual(len(compare.compare(made, after).with_verdict(compare.SLOWER)), 1)

    def test_in_five_percent_of_reports_at_most(self) -> None:
        wrong, runs = 0, 40
        for seed in range(runs):
            a, b = (
                report.build(raw.parse(run(2 * seed + more), "here"), {}, "2026-01-02T03:04:05")
                for more in (0, 1)
            )
            found = compare.compare(a, b)
            wrong += len(found.with_verdict(compare.SAME)) != len(found.cases)
        self.assertLessEqual(wrong, 0.05 * runs)


class Margin(unittest.TestCase):
    def test_whole_cycles_of_a_long_loop_are_found(self) -> None:
        a, b = (
            report.build(
                raw.parse(native(Plan(shifts={"flip": shift}, base=1300.0), seed), "here"),
                {},
                "2026-01-02T03:04:05",
            )
            for shift, seed in ((1.0, 1), (3.0, 2))
        )
        self.assertEqual(
            [case.variant for case in compare.compare(a, b).with_verdict(compare.SLOWER)], ["flip"]
        )
        self.assertEqual(compare.compare(a, b, most=5).with_verdict(compare.SLOWER), [])


class Rates(unittest.TestCase):
    def measure(self, text: str) -> list[rates.Rate]:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "raw.tsv").write_text(text)
            return rates.measure(Path(folder), 10)

    def test_halves_and_simulated_runs_of_one_run(self) -> None:
        found = self.measure(run(1))
        self.assertEqual([one.how for one in found], [rates.HALVES, rates.SIMULATED])
        for one in found:
            self.assertEqual((one.pairs, one.cells), (10, 120))
            self.assertEqual((one.wrong, one.verdicts), (0, 0))
            self.assertGreaterEqual(one.agree_median, 95)
            self.assertTrue(one.passes)
        self.assertTrue(all(len(line) <= 72 for line in "\n".join(rates.lines(found)).splitlines()))

    def test_a_rate_above_the_level_does_not_pass(self) -> None:
        known: dict[str, Any] = {"verdicts": 1, "cells": 100, "agree_least": 99.0, "agree_median": 99.0}
        few, more, most = (rates.Rate("halves", 20, wrong, **known) for wrong in (1, 2, 5))
        self.assertEqual([one.passes for one in (few, more, most)], [True, True, False])
        self.assertEqual([one.resolved for one in (few, more, most)], [True, False, True])
        self.assertEqual([round(100 * end, 1) for end in more.interval], [1.2, 31.7])
        self.assertIn("not resolved by so many pairs", "\n".join(rates.lines([few, more])))
        made = json.loads(json.dumps(rates.record([few, more, most])))
        self.assertEqual((made["schema"], made["alpha"]), ("kmark-rates/1", significance.alpha()))
        self.assertEqual(
            [(one["how"], one["pairs"], one["wrong"], one["passes"]) for one in made["rates"]],
            [("halves", 20, 1, True), ("halves", 20, 2, True), ("halves", 20, 5, False)],
        )

    def test_one_process_is_refused(self) -> None:
        with self.assertRaisesRegex(Failure, "4 processes or more"):
            self.measure(native(Plan()))
