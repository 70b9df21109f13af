# SPDX-License-Identifier: GPL-2.0-only
"""kmark kernel-cost: operands, counts, verdicts, and the functions that account for them."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

from kmark.errors import Failure, Usage
from kmark.kernel import patchset
from kmark.kernel.package import Kernel
from kmark.kernel_cost import compare, figures, functions, operands, report, runner
from kmark.kernel_cost.figures import DIFFERS, NOT_RESOLVED, ONLY_ONE, SAME, Figure, Row
from kmark.kernel_cost.operands import Subject
from kmark.report import schema

KERNEL = 0xFFFFFFFF81000000


class Operands(unittest.TestCase):
    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def test_nothing_that_it_may_be(self) -> None:
        for word in (str(self.folder), str(self.folder / "none"), "0.1"):
            with self.assertRaises(Usage):
                operands.resolve(word, "6.1")

    def test_tree_with_its_map(self) -> None:
        image = self.folder / operands.IN_TREE
        image.parent.mkdir(parents=True)
        image.write_bytes(b"\x7fELF")
        (self.folder / "vmlinux").touch()
        (self.folder / "System.map").touch()
        for word in (self.folder, image):
            found = operands.resolve(str(word), "6.1")()
            self.assertEqual(found.kernel.image(), image)
            self.assertEqual(found.symbols, self.folder / "System.map")

    def test_image_of_a_distribution(self) -> None:
        for name in ("vmlinuz-6.1", "System.map-6.1", "System.map-6.2"):
            (self.folder / name).write_bytes(b"\0")
        found = operands.resolve(str(self.folder / "vmlinuz-6.1"), "6.1")()
        self.assertEqual(found.symbols, self.folder / "System.map-6.1")

    def test_patches(self) -> None:
        plain = self.folder / "plain"
        plain.write_text("--- a/x\n+++ b/x\n")
        self.assertTrue(operands.is_patch(plain))
        for name in ("0000-cover-letter.patch", "0002-b.patch", "0001-a.patch"):
            (self.folder / name).touch()
        self.assertEqual(
            [one.name for one in patchset.patches_in(self.folder)], ["0001-a.patch", "0002-b.patch"]
        )


class Figures(unittest.TestCase):
    def test_exact_needs_the_majority_of_each_boot(self) -> None:
        self.assertEqual(figures.figure([[7, 7, 9], [7, 7, 7]]), Figure(7, True, 1))
        self.assertFalse(figures.figure([[7, 8, 9], [7, 7, 7]]).exact)
        self.assertFalse(figures.figure([[7, 7, 7], [8, 8, 8]]).exact)

    def test_what_is_not_exact_resolves_more_than_its_spread(self) -> None:
        self.assertEqual(figures.figure([[100, 110, 130]]), Figure(100, False, 11))

    def test_verdicts(self) -> None:
        exact, loose = Figure(100, True, 1), Figure(100, False, 11)
        self.assertEqual(Row("x", exact, exact).verdict, SAME)
        self.assertEqual(Row("x", exact, Figure(101, True, 1)).verdict, DIFFERS)
        self.assertEqual(Row("x", exact, Figure(99, True, 1)).verdict, DIFFERS)
        self.assertEqual(Row("x", loose, Figure(110, True, 1)).verdict, NOT_RESOLVED)
        self.assertEqual(Row("x", loose, Figure(111, True, 1)).verdict, DIFFERS)
        self.assertEqual(Row("x", None, exact).verdict, ONLY_ONE)

    def test_only_what_every_boot_has(self) -> None:
        self.assertEqual(list(figures.figures([{"a": [1], "b": [1]}, {"a": [1]}])), ["a"])


class Functions(unittest.TestCase):
    MAP = "\n".join(
        f"{KERNEL + offset:x} {words}"
        for offset, words in ((0, "T one"), (16, "t two.isra.0"), (32, "D data"), (64, "t one.cold"))
    )

    def test_names(self) -> None:
        symbols = functions.Symbols(self.MAP)
        where = (KERNEL, KERNEL + 15, KERNEL + 16, KERNEL + 40, KERNEL + 64, KERNEL - 1, 0x400000)
        expected = ["one", "one", "two", "two", "one", functions.UNKNOWN, functions.USER]
        self.assertEqual([symbols.name(address) for address in where], expected)

    def test_a_map_that_is_none(self) -> None:
        with tempfile.TemporaryDirectory() as scratch:
            stub = Path(scratch) / "System.map"
            stub.write_text("ffffffffffffffff B The\n")
            self.assertEqual(len(functions.read_symbols(stub)), 0)

    def test_shares_are_what_differs_largest_first(self) -> None:
        found = functions.shares({"a": 5, "b": 1, "gone": 2}, {"a": 5, "b": 9, "c": 1})
        self.assertEqual(
            [(one.function, one.difference) for one in found], [("b", 8), ("gone", -2), ("c", 1)]
        )


class Guest(unittest.TestCase):
    TEXT = (
        "release\t6.1\ncpu\tmeltdown\tNot affected\n"
        "operation\tempty\t7\t7\noperation\tnull\t107\t108\nlacking\tmarker\tmarkers\n"
    )

    def test_what_it_prints(self) -> None:
        boot = runner.parse(self.TEXT)
        self.assertEqual(boot.runs, {"null": [100, 101]})
        self.assertEqual(boot.order, ["empty", "null", "marker"])
        self.assertEqual((boot.release, boot.mitigations), ("6.1", {"meltdown": "Not affected"}))

    def test_nothing_counted(self) -> None:
        with self.assertRaises(Failure):
            runner.parse("operation\tnull\t107\n")

    def test_trace_sums_translations(self) -> None:
        found = runner.parse_trace("1\tff\t2\n1\tff\t3\n0\ta\t1\n", ["empty", "null"])
        self.assertEqual(found, {"null": {255: 5}, "empty": {10: 1}})


class Confirm(unittest.TestCase):
    SUBJECT = Subject("x", Kernel.__new__(Kernel), None)

    def measured(self, *counts: int) -> compare.Measured:
        boots = [runner.Boot(runs={"open": [count] * 15}, order=["empty", "open"]) for count in counts]
        return compare.Measured(self.SUBJECT, boots)

    def test_a_path_that_is_rare_is_no_difference(self) -> None:
        again = {9174: self.measured(9174, 9174, 9174, 9174), 9171: self.measured(9171, 9171, 9174, 9174)}
        rows = compare.confirm(
            self.measured(9174, 9174), self.measured(9171, 9171),
            lambda one: again[one.boots[0].runs["open"][0]],
        )  # fmt: skip
        self.assertEqual([row.verdict for row in rows], [NOT_RESOLVED])

    def test_a_difference_stays_one(self) -> None:
        rows = compare.confirm(self.measured(5), self.measured(6), lambda one: one)
        self.assertEqual([row.verdict for row in rows], [DIFFERS])

    def test_without_a_difference_nothing_more_is_booted(self) -> None:
        def again(_: compare.Measured) -> compare.Measured:
            raise AssertionError

        rows = compare.confirm(self.measured(5), self.measured(5), again)
        self.assertEqual([row.verdict for row in rows], [SAME])


class Reports(unittest.TestCase):
    def test_fits_its_schema_and_says_what_differs(self) -> None:
        rows = [
            Row("null", Figure(1000, True, 1), Figure(1002, True, 1)),
            Row("fork", Figure(5000, False, 90), Figure(5010, False, 70)),
            Row("marker", None, Figure(5, True, 1)),
        ]
        kernel = {"name": "x", "release": "6.1", "sha256": "0" * 64, "mitigations": {}}
        facts = {"emulator": "QEMU", "cpu": "max", "boots": 2, "old": kernel, "new": kernel}
        many = [functions.Share(f"f{i:02}", 1, 2) for i in range(10)]
        made = report.build(rows, {"null": many}, facts)
        schema.check(made, report.NAME, report.SCHEMA, "test")
        self.assertFalse(made["same"])
        text = report.render(made)
        for part in ("1,002", "+2  in 2 others", "differ: null\n", "only new", "~5,010", "below 90 "):
            self.assertIn(part, text)
        self.assertTrue(report.build(rows[1:], {}, facts)["same"])

    def test_unknown_operation(self) -> None:
        with self.assertRaises(Failure):
            report.build([Row("x", None, None)], {}, {})
