# SPDX-License-Identifier: GPL-2.0-only
"""Rows of the thread with today's figures."""

from __future__ import annotations

import unittest
from dataclasses import replace

from kmark.bench import lkml_2006_rows
from kmark.binary.disassemble import Instruction, Listing
from kmark.binary.size import Size
from kmark.reference import rows
from kmark.report import report, text
from test_report import sample_report

CODE = [
    Listing("native", "my_open", "imm", 6, [
        Instruction(0, "b0 00", "mov $0x0,%al"), Instruction(2, "84 c0", "test %al,%al"),
        Instruction(4, "75 0a", "jne <my_open+0x10>"), Instruction(6, "c3", "ret"),
    ]),
    Listing("native", "my_open", "generic", 2, [Instruction(0, "66 90", "xchg %ax,%ax")]),
    Listing("native", "copy", "", 0, [Instruction(0, "c3", "ret")]),
]  # fmt: skip
SIZES = [Size("native", "imm", 6, 28, 0, 8, 13, 6, 23, 40, 12, 8, {})]


class Rows(unittest.TestCase):
    def setUp(self) -> None:
        made = sample_report()
        self.report = replace(made, rows=lkml_2006_rows.table(made, SIZES, CODE, 7))
        self.rows = {entry.row: entry for entry in self.report.rows}

    def today(self, row: str) -> str:
        return "; ".join(f"{one.where}: {one.text}" for one in self.rows[row].today)

    def test_every_row_of_the_thread_is_there(self) -> None:
        self.assertEqual(list(self.rows), [row for row in rows.expected() if row.startswith("A")])
        self.assertEqual(report.parse(report.dump(self.report), "here"), self.report)

    def test_cases_by_environment(self) -> None:
        output = self.today("A1")
        self.assertRegex(output, r"native: empty, disabled: none 10\.01\d, generic 13\.0\d+ \(\+2\.99\d+\)")
        self.assertIn("vm: empty, disabled: none 2.0000, generic 5.0000 (+3.0000), imm", output)
        self.assertRegex(self.today("A18"), r"flip [+-] not resolved \(< 0\.00")

    def test_code_sizes_and_the_rest(self) -> None:
        self.assertIn("native: imm b0 00 84 c0 75 0a, as in 2006", self.today("A13"))
        self.assertIn("generic 66 90, not as in 2006", self.today("A13"))
        self.assertIn("imm: hot 6, cold 28, written 8, table 60, text 42 bytes", self.today("A14"))
        self.assertRegex(self.today("A19"), r"2006: imm beats kprobe from 606\.0 events/s")
        self.assertIn("7 plots", self.today("A20"))
        self.assertEqual(self.today("A5"), f"-: {lkml_2006_rows.ABSENT}")
        self.assertIn("shown by: prove", self.today("A17"))

    def test_text_fits_a_mail(self) -> None:
        lines = "\n".join(text.row_lines(self.report)).splitlines()
        self.assertLessEqual(max(map(len, lines)), 72)
        self.assertTrue(any(line.startswith("A1   empty loop") for line in lines))
