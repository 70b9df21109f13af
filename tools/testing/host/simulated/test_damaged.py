# SPDX-License-Identifier: GPL-2.0-only
"""Reports and raw data that are damaged at random: nothing but a refusal comes of them."""

from __future__ import annotations

import random
import re
import unittest
from collections.abc import Callable
from typing import Any

import test_report
from kmark.analysis import raw
from kmark.errors import Failure
from kmark.report import report, text

NAMED = re.compile(r"^here:\d+: \S")


class Damaged(unittest.TestCase):
    """Thousands of them: each is read, or refused by line; nothing else may happen."""

    def run_through(self, source: str, read: Callable[[str], Any], tries: int) -> None:
        lines = source.splitlines()
        odd = ["", "-1", "x", "NaN", "1e400", "9" * 5000, "\x00", "{}", "[]", "null", "\t", "-", "é", '"']
        refused = 0
        for seed in range(tries):
            draw = random.Random(seed)
            spoilt = list(lines)
            number = draw.randrange(len(spoilt))
            cells = re.split(r"([\t:, ]+)", spoilt[number])
            cells[draw.randrange(len(cells))] = draw.choice(odd)
            way = draw.randrange(4)
            if way == 0:
                del spoilt[number]
            elif way == 1:
                spoilt.insert(number, spoilt[draw.randrange(len(spoilt))])
            else:
                spoilt[number] = "".join(cells)
            try:
                read("\n".join(spoilt) + "\n")
            except Failure as failure:
                refused += 1
                self.assertRegex(str(failure), NAMED, f"seed {seed}")
        self.assertGreater(refused, tries // 10)

    def test_reports(self) -> None:
        def read(source: str) -> None:
            text.render(report.parse(source, "here"))

        self.run_through(report.dump(test_report.sample_report()), read, 300)

    def test_raw_data(self) -> None:
        def read(source: str) -> None:
            report.build(raw.parse(source, "here"), {}, "2026-01-02T03:04:05+0000")

        lines = test_report.sample_raw().splitlines()
        heads = [line for line in lines if not line.startswith("case\t")]
        cases = [line for line in lines if line.startswith("case\t")]
        self.assertGreater(len(cases), 100)
        self.run_through("\n".join([*heads[:12], *lines[12:]]), read, 60)
