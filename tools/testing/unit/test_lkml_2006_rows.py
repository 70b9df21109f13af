# SPDX-License-Identifier: GPL-2.0-only
"""Rows of the thread with today's figures."""

from __future__ import annotations

import unittest
from dataclasses import replace

from kmark.bench import lkml_2006_rows
from kmark.binary.disassemble import PROBE, Instruction, Listing
from kmark.binary.size import Size
from kmark.reference import rows
from kmark.report import model, report, text
from test_report import sample_report

CODE = [
    Listing("native", "my_open", "imm", 6, [
        Instruction(0, "b0 00", "mov $0x0,%al"), Instruction(2, "84 c0", "test %al,%al"),
        Instruction(4, "75 0a", "jne <my_open+0x10>"), Instruction(6, "c3", "ret"),
    ]),
    Listing("native", "my_open", "generic", 2, [Instruction(0, "66 90", "xchg %ax,%ax")]),
    Listing("native", "copy", "", 0, [Instruction(0, "c3", "ret")]),
    Listing("native", PROBE, "", 0, [Instruction(0, "90", "nop"), Instruction(1, "c3", "ret")]),
    Listing("native", "my_open", "mark", 5, [Instruction(0, "0f 1f 44 00 00", "nop")]),
]  # fmt: skip
SIZES = [Size("native", "imm", 6, 28, 0, 8, 13, 6, 23, 40, 12, 8, {})]


def with_rows() -> model.Report:
    made = sample_report()
    return replace(made, rows=lkml_2006_rows.table(made, SIZES, CODE, 7))


class Rows(unittest.TestCase):
    def setUp(self) -> None:
        self.report = with_rows()
        self.rows = {entry.row: entry for entry in self.report.rows}

    def test_every_row_of_the_thread_is_there(self) -> None:
        self.assertEqual(list(self.rows), [row for row in rows.expected() if row.startswith("A")])
        self.assertEqual(report.parse(report.dump(self.report), "here"), self.report)

    def test_text_fits_a_mail(self) -> None:
        lines = "\n".join(text.row_lines(self.report)).splitlines()
        self.assertLessEqual(max(map(len, lines)), 72)
        self.assertTrue(any(line.startswith("A1   empty loop") for line in lines))
