# SPDX-License-Identifier: GPL-2.0-only
"""kmark kernel-cost: counts, verdicts, and the functions that account for them."""

from __future__ import annotations

import dataclasses
import hashlib
import io
import tempfile
import unittest
from pathlib import Path
from unittest import mock
from xml.etree import ElementTree

from kmark.errors import Failure
from kmark.kernel.package import Kernel
from kmark.kernel_cost import changes, compare, figures, functions, report, runner
from kmark.kernel_cost.changes import Changed
from kmark.kernel_cost.figures import DIFFERS, NOT_RESOLVED, ONLY_ONE, SAME, Figure, Row
from kmark.kernel_cost.operands import Subject
from kmark.kernel_cost.report import Comparison, Report
from kmark.report import schema

KERNEL = 0xFFFFFFFF81000000


class Figures(unittest.TestCase):
    def test_exact_needs_three_runs_of_each_boot(self) -> None:
        self.assertEqual(figures.figure([[9, 7, 8, 7, 7], [7, 7, 7, 7, 9]]), Figure(7, 1))
        self.assertTrue(figures.figure([[9, 7, 8, 7, 7], [7, 7, 7, 7, 9]]).exact)
        self.assertFalse(figures.figure([[9, 7, 8, 9, 7], [7, 7, 7, 7, 7]]).exact)
        self.assertFalse(figures.figure([[7, 7, 7], [8, 8, 8]]).exact)

    def test_what_is_not_exact_resolves_more_than_the_third_run_of_the_worst_boot(self) -> None:
        self.assertEqual(figures.figure([[130, 100, 170, 110], [101, 104, 102, 190]]), Figure(100, 31))

    def test_fork_and_exec_are_never_exact(self) -> None:
        found = figures.figures([{"fork": [7, 7, 7], "open": [7, 7, 7]}])
        self.assertEqual(found, {"fork": Figure(7, 50), "open": Figure(7, 1)})

    def test_verdicts(self) -> None:
        exact, loose = Figure(100, 1), Figure(100, 11)
        self.assertEqual(Row("x", exact, exact).verdict, SAME)
        self.assertEqual(Row("x", exact, Figure(101, 1)).verdict, DIFFERS)
        self.assertEqual(Row("x", exact, Figure(99, 1)).verdict, DIFFERS)
        self.assertEqual(Row("x", loose, Figure(110, 1)).verdict, NOT_RESOLVED)
        self.assertEqual(Row("x", loose, Figure(111, 1)).verdict, DIFFERS)
        self.assertEqual(Row("x", None, exact).verdict, ONLY_ONE)

    def test_only_what_every_boot_has(self) -> None:
        runs = [1, 1, 1]
        self.assertEqual(list(figures.figures([{"a": runs, "b": runs}, {"a": runs}])), ["a"])


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

    def test_a_plugin_counts_by_the_number_of_an_operation(self) -> None:
        totals = runner.parse_totals("total\t0\t7\n1\tff\t2\ntotal\t1\t110\ntotal\t1\t107\n")
        self.assertEqual(totals, {0: [7], 1: [110, 107]})
        self.assertEqual(runner.parse(self.TEXT, totals).runs, {"null": [103, 100]})

    def test_nothing_counted(self) -> None:
        for empty in ("", "operation\tempty\t0\t7\n"):
            with self.assertRaisesRegex(Failure, "^kernel-cost: the guest counted nothing: operation\t"):
                runner.parse(f"{empty}operation\tnull\t107\n")

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


class Measure(unittest.TestCase):
    """Kernels whose operations take a number of instructions that the test chooses."""

    def measure(self, *counts: int, traced: bool = True) -> tuple[Report, list[tuple[str, int]]]:
        """Return the report on two kernels, and their boots."""
        booted = []
        program = mock.Mock(machine=mock.Mock(qemu="cat", counted_cpu="max"), prefix="")

        def boot(subject: Subject, phase: int) -> runner.Boot:
            booted.append((subject.name, phase))
            runs = {name: [counts[subject.name == "new"]] * 3 for name in ("null", "open")}
            return runner.Boot("6.1", {"mds": "no"}, {**runs, "open": [5] * 3}, ["empty", "null", "open"])

        program.boot = boot
        program.trace = lambda subject: {"null": {KERNEL: 1, KERNEL + 16: counts[subject.name == "new"]}}
        program.kallsyms = lambda _: Functions.MAP
        image = Path(self.enterContext(tempfile.TemporaryDirectory()), "bzImage")
        image.write_bytes(b"x")
        one, other = (
            compare.Measured(Subject(name, mock.Mock(bzimage=image), None), [], program)
            for name in ("old", "new")
        )
        with mock.patch("sys.stderr", io.StringIO()):
            return compare.measure(one, other, 2, traced), booted

    def test_kernels_that_are_the_same(self) -> None:
        found, booted = self.measure(9, 9)
        self.assertEqual(booted, [("old", 0), ("old", 1), ("new", 0), ("new", 1)])
        facts = report.Facts("old", "6.1", hashlib.sha256(b"x").hexdigest(), {"mds": "no"})
        rows = [Row(name, Figure(count, 1), Figure(count, 1)) for name, count in (("null", 9), ("open", 5))]
        expected = Report(found.emulator, "max", 2, facts, dataclasses.replace(facts, name="new"), rows, {})
        self.assertEqual(found, expected)
        self.assertRegex(found.emulator, r"^cat \(GNU coreutils\) [0-9.]+$")

    def test_a_difference_is_booted_again_and_traced(self) -> None:
        found, booted = self.measure(9, 12)
        self.assertEqual([phase for _, phase in booted], [0, 1, 0, 1, 2, 3, 2, 3])
        self.assertEqual((found.boots, found.functions), (4, {"null": [functions.Share("two", 9, 12)]}))
        self.assertEqual(self.measure(9, 12, traced=False)[0].functions, {})


class Reports(unittest.TestCase):
    def test_fits_its_schema_and_says_what_differs(self) -> None:
        rows = [
            Row("null", Figure(1000, 1), Figure(1002, 1)),
            Row("fork", Figure(5000, 90), Figure(5010, 70)),
            Row("marker", None, Figure(5, 1)),
        ]
        kernel = report.Facts("x", "6.1", "0" * 64, {})
        many = [functions.Share(f"f{i:02}", 1, 2) for i in range(10)]
        size = report.Size(48, 0, 8, {"grown()": 48, "flag": 8})
        changed = [
            Changed("fs/a.c", "ran", True, {"null": 3}, True),
            Changed("fs/a.c", "entered", True, {"null": 1}, False),
            Changed("fs/a.c", "inlined", None, {}, False),
            Changed("drivers/b.c", "far", False, {}, False),
            Changed("fs/a.c", "", None, {}, False),
        ]
        made = Report("QEMU", "max", 2, kernel, kernel, rows, {"null": many}, size, changed)
        schema.check(report.entry(made), report.NAME, report.SCHEMA, "test")
        self.assertFalse(report.entry(made)["same"])
        text = report.render(made)
        for part in (
            "1,002", "+2  in 2 others", "differ: null\n", "only new", "~5,010", "below 90 ",
            "text +48, data +0",
            "grown() +48", "fs/a.c: null 3", "not the changed lines, the function: null 1",
            "inlined or left out by the compiler",
            "warning: no operation runs the changed lines of entered, inlined\n",
            "not compiled in this configuration: drivers/b.c",
        ):  # fmt: skip
            self.assertIn(part, text)
        self.assertEqual(report.summary(Comparison("c", made)), ["null +2", "+48", "1 of 4"])
        mail = report.markdown(made)
        for part in (
            "| null | 1,000 | 1,002 | +2 | `f00` +1,",
            "on one kernel only: fork, marker.",
            "Bytes: text +48",
        ):
            self.assertIn(part, mail)
        makefile = [Changed("Makefile", "", None, {}, False)]
        self.assertIn(
            "no line in a function is changed; changed files: Makefile\n",
            report.render(dataclasses.replace(made, changed=makefile)),
        )
        rest = dataclasses.replace(made, rows=rows[1:], functions={}, size=None, changed=[])
        self.assertTrue(report.entry(rest)["same"])
        self.assertIn("warning: no line in a function is changed", report.render(rest))
        self.assertNotIn("warning", report.render(dataclasses.replace(rest, changed=None)))

    def test_a_service_reads_what_failed(self) -> None:
        kernel = report.Facts("x", "6.1", "0" * 64, {})
        rows = [
            Row("null", Figure(1000, 1), Figure(1002, 1)),
            Row("marker", None, Figure(5, 1)),
        ]
        found = Report("QEMU", "max", 2, kernel, kernel, rows, {})
        printed = ElementTree.fromstring(
            report.junit([Comparison("a", found), Comparison("b", None, "no")], None)
        )
        self.assertEqual(
            [one.tag for one in printed.iter() if one.get("message")], ["failure", "skipped", "error"]
        )
        lost = dataclasses.replace(found, rows=[Row("marker", Figure(5, 1), None)])
        self.assertFalse(report.entry(lost)["same"])
        self.assertTrue(report.is_more(lost, None) and report.is_more(lost, 9))
        self.assertIn("\nonly the old kernel has: marker\n", report.render(lost))
        self.assertIn("marker only old", report.table([Comparison("a", lost)]))
        failed = ElementTree.fromstring(report.junit([Comparison("a\x01|b\nc", lost)], 9))
        self.assertEqual([one.tag for one in failed.iter() if one.get("message")], ["failure"])
        markdown = report.markdown_table([Comparison("a|b", None, "x\ny\x1b\uffff|")])
        self.assertEqual(markdown.split("\n")[2], "| a\\|b | x y\\x1b\ufffd\\| |  |  |")
        allowed = ElementTree.fromstring(report.junit([Comparison("a", found)], 2))
        self.assertEqual([one.tag for one in allowed.iter() if one.get("message")], ["skipped"])


class Changes(unittest.TestCase):
    FILE = """#include <a.h>
static int one(int a,
    int b)
{
    return a;
}
/* about two */
SYSCALL_DEFINE2(two, int, a, int, b)
{
    return one(a,
        b);
}
static inline int three(void) { return 3; }
struct four {
    int (*five)(void);
};
DEFINE_IDTENTRY(exc_six)
{
}
module_init(seven);
{
}
"""

    def test_functions_of_a_file(self) -> None:
        found = [(one.name, one.first, one.last) for one in changes.functions_in(self.FILE)]
        self.assertEqual(found, [("one", 2, 6), ("sys_two", 8, 12), ("three", 13, 13), ("exc_six", 17, 19)])

    def test_a_system_call_has_the_symbols_of_its_entries(self) -> None:
        self.assertIn("__x64_sys_two", changes.symbol_names("sys_two"))

    def test_lines_of_a_diff(self) -> None:
        # The first removed line is "-- a/z.c", and an added one is "++ b/z.c".
        diff = "--- a/x.c\n+++ b/y.c\n@@ -3 +3,2 @@ f\n--- a/z.c\n+++ b/z.c\n+c\n@@ -9,2 +10,0 @@\n-d\n-e\n"
        diff += "--- a/q.c\n+++ b/q.c\n@@ -1 +2 @@\n-g\n+f\n"
        removed, added = changes.changed_lines(diff)
        self.assertEqual(removed, {"x.c": {3, 9, 10}, "q.c": {1}})
        self.assertEqual(added, {"y.c": {3, 4}, "q.c": {2}})

    def test_a_line_continues_a_statement(self) -> None:
        rows = self.FILE.split("\n")
        self.assertEqual(list(changes.statement(rows, 11)), [10, 11])
        self.assertEqual(list(changes.statement(rows, 5)), [5])

    def side(self, text: str, trace: dict[str, dict[int, int]], symbols: str) -> changes.Side:
        snapshot = mock.Mock()
        snapshot.text.return_value = text
        side = changes.Side(snapshot, Path("vmlinux"), functions.Symbols(symbols), trace)
        # Address KERNEL + n is line n.
        with mock.patch.object(
            changes.Side, "places", lambda _, found: [("x.c", address - KERNEL) for address in found]
        ):
            self.assertIsInstance(side.times, dict)
        return side

    def test_what_ran_is_told_from_what_did_not(self) -> None:
        symbols = f"{KERNEL + 2:x} t one\n{KERNEL + 8:x} T __x64_sys_two\n"
        trace = {"empty": {KERNEL + 18: 1}, "null": {KERNEL + 2: 4, KERNEL + 5: 9, KERNEL + 8: 2}}
        side = self.side(self.FILE, trace, symbols)
        found = side.changed("x.c", {5, 11, 13, 1})
        self.assertEqual(found["one"], Changed("x.c", "one", True, {"null": 9}, True))
        self.assertEqual(found["sys_two"], Changed("x.c", "sys_two", True, {"null": 2}, False))
        self.assertEqual(found["three"], Changed("x.c", "three", None, {}, False))
        self.assertEqual(side.changed("x.c", {18})["exc_six"].executed, {})
        self.assertIs(self.side(self.FILE, {}, "").changed("x.c", {5})["one"].compiled, False)
