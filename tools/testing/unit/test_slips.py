# SPDX-License-Identifier: GPL-2.0-only
"""The figures of the 2006 mails: which of them do not follow from their counts."""

from __future__ import annotations

import json
import tempfile
import unittest
from pathlib import Path

from kmark.reference import lkml_2006, slips


class Slips(unittest.TestCase):
    def setUp(self) -> None:
        self.figures = slips.load()

    def test_are_the_five_that_are_known(self) -> None:
        found = {one.row: (one.unit, one.printed, one.recomputed) for one in self.figures if one.slip}
        expected = {
            "A3.nop5": (slips.ADDED, 2.50, 1.4991),
            "A4.nop5": (slips.ADDED, 0.43, 0.4035),
            "A4.nop23": (slips.ADDED, 0.03, -0.0262),
            "A7.first": (slips.ADDED, 10.45, -10.4416),
            "A15": (slips.LESS_TIME, 0.98, 0.1675),
        }
        self.assertEqual(found.keys(), expected.keys())
        for row, (unit, printed, recomputed) in expected.items():
            self.assertEqual(found[row][:2], (unit, printed))
            self.assertAlmostEqual(found[row][2], recomputed, delta=1e-4)

    def test_every_printed_figure_is_there(self) -> None:
        rows = [one.row for one in self.figures if one.unit == slips.PER_LOOP]
        self.assertEqual(len(rows), len(set(rows)))
        for row in ("A1.none", "A3.nop23", "A7", "A11"):
            self.assertIn(row, rows)

    def test_a_planted_slip_is_found(self) -> None:
        text = lkml_2006.TABLE.read_text()
        for right, wrong in (("\t1.17\t", "\t1.19\t"), ("\t52.11\t", "\t52.21\t")):
            self.assertEqual(text.count(right), 1)
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "lkml-2006.tsv"
                path.write_text(text.replace(right, wrong))
                self.assertEqual(sum(one.slip for one in slips.load(path)), 6)

    def test_the_record_has_all(self) -> None:
        record = json.loads(json.dumps(slips.record(self.figures)))
        self.assertEqual(len(record["figures"]), len(self.figures))
        self.assertEqual(sum(one["slip"] for one in record["figures"]), 5)
