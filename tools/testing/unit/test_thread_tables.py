# SPDX-License-Identifier: GPL-2.0-only
"""The two tables of the 2006 mails."""

from __future__ import annotations

import unittest
from dataclasses import replace

from kmark.analysis.cases import Estimate
from kmark.report import report, thread_tables
from synthetic import case


class Tables(unittest.TestCase):
    def test_as_printed_and_recomputed(self) -> None:
        """The row of rows.tsv: what the mails print, slips included."""
        empty, memcpy = thread_tables.of(None)
        self.assertEqual([row[1] for row in empty.rows], ["1.50", "1.17", "2.50", "0.50", "2.50"])
        self.assertEqual([row[1] for row in memcpy.rows], ["0.23", "2.12", "0.07", "0.03", "0.43"])
        self.assertEqual(empty.rows[-1][2], "1.50")  # the slip of 1NOP
        self.assertEqual({row[3] for table in (empty, memcpy) for row in table.rows}, {"-"})

    def test_today_stands_beside(self) -> None:
        cases = [
            case(variant="imm", sites=1, added=Estimate(0.99, 0.98, 1.0), resolution=0.1),
            case(variant="nop5", sites=1, added=Estimate(0.01, -0.02, 0.03), resolution=0.1),
            case(variant="imm", shape="memcpy4096", sites=1, added=Estimate(9.0, 8.9, 9.1)),
        ]
        empty, memcpy = thread_tables.of(replace(report.of([], {}, ""), cases=cases))
        self.assertEqual([row[3] for row in empty.rows], ["-", "-", "0.99", "-", "<0.10"])
        self.assertEqual(memcpy.rows[2][3], "9.00")
