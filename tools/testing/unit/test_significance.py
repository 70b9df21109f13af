# SPDX-License-Identifier: GPL-2.0-only
"""Tests of the significance of a difference between two reports."""

from __future__ import annotations

import math
import unittest

from kmark.analysis import stats
from kmark.analysis.cases import Estimate
from kmark.report import model, report, significance
from kmark.report.significance import p_value


def tail(t: float, degrees: int) -> float:
    """P(T > t) of Student's t: its density, summed in small steps."""
    scale = math.gamma((degrees + 1) / 2) / (math.sqrt(degrees * math.pi) * math.gamma(degrees / 2))
    step = t / 20_000
    middles = (((n + 0.5) * step) ** 2 for n in range(20_000))
    return 0.5 - step * math.fsum(
        scale * (1 + square / degrees) ** (-(degrees + 1) / 2) for square in middles
    )


def case(median: float, below: float, above: float) -> Estimate:
    return Estimate(median, median - below, median + above)


def made(**runs: dict[str, str]) -> model.Report:
    found = report.of([], {}, "")
    found.environment.runs.extend({"env": env, **facts} for env, facts in runs.items())
    return found


class Differences(unittest.TestCase):
    def test_by_hand(self) -> None:
        """An interval of 95 % has 1.959964 standard errors on each side; of n processes they are
        too small by the root of (n - 1) / n."""
        self.assertEqual(stats.CONFIDENCE, 0.95)
        a, b = case(10, below=9, above=1), case(12, below=2, above=9)
        error = math.sqrt((1 / 1.959964) ** 2 * 5 / 4 + (2 / 1.959964) ** 2 * 10 / 9)
        self.assertAlmostEqual(p_value(a, b, 0.5, (4, 9)), 2 * tail(1.5 / error, 13), places=6)

    def test_down_is_as_up(self) -> None:
        a, b = case(10, below=9, above=1), case(12, below=2, above=9)
        down = p_value(case(-10, below=1, above=9), case(-12, below=9, above=2), 0.5, (4, 9))
        self.assertAlmostEqual(down, p_value(a, b, 0.5, (4, 9)))
        self.assertAlmostEqual(p_value(b, a, 0.5, (9, 4)), p_value(a, b, 0.5, (4, 9)))

    def test_within_the_margin_there_is_none(self) -> None:
        exact = case(10, 0, 0)
        self.assertEqual(p_value(exact, case(10.5, 0, 0), 0.5, (1, 1)), 1)
        self.assertEqual(p_value(exact, case(10.6, 0, 0), 0.5, (1, 1)), 0)
        self.assertLess(p_value(case(10, 1, 1), case(10.6, 1, 1), 0.5, (4, 4)), 1)

    def test_of_many_the_least_are_kept(self) -> None:
        """Benjamini and Hochberg: the n-th of N is multiplied by N / n, and none is above a later one."""
        self.assertEqual(significance.corrected([]), [])
        for found, expected in zip(
            significance.corrected([0.04, 0.01, 0.5, 0.03]), (0.16 / 3, 0.04, 0.5, 0.16 / 3), strict=True
        ):
            self.assertAlmostEqual(found, expected)


class Freedom(unittest.TestCase):
    def test_of_processes_or_else_layouts(self) -> None:
        for run, expected in (
            ({"processes": "10", "layouts": "40"}, 9), ({"layouts": "40"}, 39), ({"processes": "1"}, 1),
            ({}, 1), ({"processes": "many"}, 1), ({"processes": "\N{SUPERSCRIPT TWO}"}, 1),
        ):  # fmt: skip
            self.assertEqual(significance.degrees(run), expected)

    def test_of_two_reports(self) -> None:
        a = made(vm={"processes": "3"}, native={"processes": "10"})
        b = made(native={"layouts": "5"})
        self.assertEqual(significance.freedom(a, b, "native"), (9, 4))
