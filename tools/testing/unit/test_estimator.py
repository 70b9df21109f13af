# SPDX-License-Identifier: GPL-2.0-only
"""An independent program computes the same figures of a report from the same raw data."""

from __future__ import annotations

import json
import unittest

import estimator
from kmark.analysis import raw
from kmark.report import report
from synthetic import ADDS, IMULS, Plan, guest_toggles, header, join, native_rows, toggles, vm

LAYOUTS = 20  # five processes
SHAPES = (("empty", 1), ("unrolled64", 64), ("unrolled128", 128), ("cold", 1024))
GATES = {"null2": 0.2, "null11": -0.1, "mark": 3.0, "nop5": 3.0, "key": 2.5}


def made() -> tuple[str, str]:
    """Raw data of both environments, and the report of it."""
    facts = {
        "chain_adds": str(ADDS * 1000), "chain_imuls": str(IMULS * 1000), "processes": "5",
        "fence_ticks": "40", "slice_loops": "500000",
    }  # fmt: skip
    rows = []
    for number, (shape, sites) in enumerate(SHAPES):
        plan = Plan(
            shifts=GATES, shape=shape, rounds=4, layouts=LAYOUTS, noise=0.3,
            layout_effect=lambda variant, layout: len(variant) * layout % 7 * 0.01,
        )  # fmt: skip
        found = native_rows(plan, number + 1)
        for at, row in enumerate(found):
            row[7] = str(sites)
            if at % 11 == 0:  # disturbed
                row[-1] = str(int(row[-1]) * 2)
        rows.append(found)
    text = header("native", **facts) + join([row for found in rows for row in found]) + toggles()
    text += vm({"mark": 1, "key": 1}) + guest_toggles()
    documents = raw.parse(text, "here")
    return text, report.dump(report.build(documents, {}, "2026-11-27T12:00:00+0000"))


class Figures(unittest.TestCase):
    text, dumped = "", ""

    @classmethod
    def setUpClass(cls) -> None:
        cls.text, cls.dumped = made()

    def test_are_the_same(self) -> None:
        count, problems = estimator.compare(self.text, json.loads(self.dumped))
        self.assertEqual(problems, [])
        self.assertGreater(count, 500)

    def test_wrong_figures_are_found(self) -> None:
        wrong = json.loads(self.dumped)
        for key, part, name in (
            ("cases", "added", "median"), ("null", "added", "lo"), ("site", "cost", "median"),
            ("versus", "difference", "median"), ("cold", "cost", "hi"), ("toggle", "per_site", "median"),
        ):  # fmt: skip
            wrong[key][0][part][name] += 0.5 * (1 + abs(wrong[key][0][part][name]))
        _, problems = estimator.compare(self.text, wrong)
        for words in ("added|mark|median", "null", "one of 128", "less", "cold", "toggle"):
            self.assertRegex("\n".join(problems), words)
        self.assertGreaterEqual(len(problems), 6)
