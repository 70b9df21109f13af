# SPDX-License-Identifier: GPL-2.0-only
"""The report: its schema, its text, and that the one makes the other."""

from __future__ import annotations

import copy
import json
import tempfile
import unittest
from pathlib import Path

import numpy as np
from kmark import host
from kmark.analysis import notation, raw
from kmark.errors import Failure
from kmark.reference import lkml_2006
from kmark.report import model, report, schema, text
from synthetic import MEMORY, Plan, guest_toggles, header, join, native, native_rows, toggles, vm

SHIFTS = {"generic": 3.0, "imm": 6.5, "nop5": 0.2, "flip": 1e-5, "key": -0.4}


def sample_raw() -> str:
    output = native(Plan(shifts=SHIFTS)) + toggles() + MEMORY
    output += vm({"generic": 3, "imm": 3, "nop5": 1, "flip": 1, "key": 1}) + guest_toggles() + MEMORY
    return output


def sample_report() -> model.Report:
    return report.build(raw.parse(sample_raw(), "here"), {"cpu": "x " * 60}, "2026-01-02T03:04:05+0000")


class SiteCost(unittest.TestCase):
    def test_one_line_a_variant_with_both_states(self) -> None:
        rows = []
        for shape in ("unrolled64", "unrolled128"):
            for state, extra in (("disabled", {}), ("enabled", {"direct": 3.0})):
                shifts = {"flip": 1.0 if shape == "unrolled64" else 2.0} | extra
                rows += native_rows(Plan(shifts=shifts, shape=shape, state=state))
        for row in rows:
            row[7] = "64" if row[2] == "unrolled64" else "128"
        document = raw.parse(
            header("native", chain_adds="6000000", chain_imuls="2000000") + join(rows), "here"
        )
        built = report.build(document, {}, "2026-01-02T03:04:05+0000")
        table = text.render(built).partition("unrolled128 less unrolled64, by 64\n")[2]
        lines = table.partition("none and null have")[0].splitlines()
        found = {line.split()[0]: line for line in lines if line}
        self.assertRegex(found["flip"], r"^flip +\+0\.0156 \[.*\] +\+0\.0156 \[.*\]$")
        self.assertRegex(found["direct"], r"^direct {20,}[+-]?0\.0000 \[.*\]$")


class Json(unittest.TestCase):
    def test_reads_back_as_it_was_written(self) -> None:
        built = sample_report()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "report.json"
            path.write_text(report.dump(built))
            self.assertEqual(report.load(path), built)
            self.assertEqual(report.load(Path(folder)), built)
            self.assertEqual(text.render(report.load(path)), text.render(built))

    def test_variants_of_older_reports_have_their_present_names(self) -> None:
        made = schema.plain(sample_report())
        made["cases"][1]["variant"] = "ghost"
        self.assertEqual("kprobe-site", report.parse(json.dumps(made), "here").cases[1].variant)
        text = sample_raw().replace("\tflip\t", "\tghost-jump\t")
        found = {sample.variant for document in raw.parse(text, "here") for sample in document.samples}
        self.assertIn("kprobe-site-jump", found)
        self.assertNotIn("ghost-jump", found)

    def test_holds_every_case_once_and_null_apart(self) -> None:
        built = sample_report()
        keys = [(case.env, *case.name) for case in built.cases]
        self.assertEqual(len(keys), len(set(keys)))
        self.assertEqual(len(keys), 6 + 6 * 3 * 2)
        self.assertNotIn("null", {key[2] for key in keys})
        self.assertEqual(len(built.null), 1 + 3 * 2)
        units = {(case.env, case.unit) for case in built.cases} | {
            (one.env, one.unit) for one in built.null
        }
        self.assertEqual(units, {("native", "cycles"), ("vm", "instructions")})

    def test_the_order_is_not_that_of_the_samples(self) -> None:
        rows = native_rows(Plan(shifts={"zulu": 3, "flip": 1, "alpha": 2, "generic": 3}))
        shuffled = [rows[place] for place in np.random.default_rng(1).permutation(len(rows))]
        document = raw.parse(
            header("native", chain_adds="6000000", chain_imuls="2000000") + join(shuffled), "here"
        )
        cases = report.build(document, {}, "2026-01-02T03:04:05+0000").cases
        self.assertEqual([case.variant for case in cases], ["none", "generic", "flip", "alpha", "zulu"])

    def test_what_is_not_a_report_is_refused_with_the_place(self) -> None:
        good = schema.plain(sample_report())
        wrong: list[tuple[list[str | int], object, str]] = [
            (["schema"], "kmark-report/3", "$.schema"),
            (["cases", 0, "unit"], "ticks", "$.cases[0].unit"),
            (["cases", 1, "added", "lo"], None, "$.cases[1].added.lo"),
            (["cases", 2, "status"], "fine", "$.cases[2].status"),
            (["null"], [], "$.null"),
            (["toggle", 0, "unit"], "cycles", "$.toggle[0].unit"),
            (["memory", 0, "bytes"], "40", "$.memory[0].bytes"),
        ]
        for path, value, place in wrong:
            bad = copy.deepcopy(good)
            target = bad
            for step in path[:-1]:
                target = target[step]
            target[path[-1]] = value
            with self.assertRaises(Failure) as caught:
                report.checked(bad, "here")
            self.assertIn(place, str(caught.exception))
        for missing in good.keys() - {*report.LATER, "rate", "cold"}:
            with self.assertRaises(Failure):
                report.checked({key: value for key, value in good.items() if key != missing}, "here")

    def test_earlier_reports_have_no_toggle_cost(self) -> None:
        made = schema.plain(sample_report())
        early = {key: value for key, value in made.items() if key not in report.LATER}
        output = text.render(report.checked(early, "here"))
        self.assertNotIn("Toggle", output)
        self.assertNotIn("Scale", output)
        self.assertNotIn("Slips", output)
        self.assertIn("* Null", output)


class Text(unittest.TestCase):
    def setUp(self) -> None:
        self.lines = text.render(sample_report()).splitlines()

    def test_is_no_wider_than_a_mail(self) -> None:
        self.assertLessEqual(max(len(line) for line in self.lines), 72)
        self.assertTrue(all(line == line.rstrip() for line in self.lines))

    def test_stays_so_with_large_figures_and_long_names(self) -> None:
        shifts = {"very-long-name": -99.9, "huge": 1e5}
        big = native(Plan(shifts=shifts, base=9999.0, shape="memcpy4096"))
        big += vm({"generic": 112, "imm": 4321})
        built = report.build(raw.parse(big, "here"), host.host(), "2026-01-02T03:04:05+0000")
        wide = [line for line in text.render(built).splitlines() if len(line) > 72]
        self.assertEqual(wide, [])

    def test_zero_has_no_minus(self) -> None:
        self.assertEqual([notation.number(-1e-9, "+"), notation.number(-1e-9)], ["+0.0000", "0.0000"])

    def row(self, variant: str) -> list[str]:
        start = next(n for n, line in enumerate(self.lines) if line.startswith("* Native"))
        return next(line.split() for line in self.lines[start:] if line.startswith(f"{variant} "))

    def test_rows_carry_figure_interval_status_and_the_thread(self) -> None:
        generic = self.row("generic")
        self.assertAlmostEqual(float(generic[2]), 3.0, delta=0.01)
        self.assertTrue(generic[3].startswith("[+") and generic[4].endswith("]"))
        self.assertEqual(generic[5:], ["ok", "+1.17"])
        self.assertEqual(self.row("none")[-2:], ["ok", "1.50"])
        self.assertEqual(self.row("imm")[-1], "+2.50")
        self.assertTrue(self.row("key")[2].startswith("-0.4"))

    def test_several_sites_show_the_cost_of_one(self) -> None:
        start = next(n for n, line in enumerate(self.lines) if "loop of 8 sites" in line)
        self.assertTrue(self.lines[start + 4].endswith("a site"))
        self.assertTrue(self.lines[start + 6].endswith("+0.3750"))

    def test_what_is_not_resolved_says_so_with_its_sign(self) -> None:
        (line,) = [line for line in self.lines if line.startswith("flip") and "resolved" in line]
        self.assertRegex(line, r"^flip +\d+\.\d+  [+-] not resolved \(< 0\.00\d\d\)$")

    def test_units_are_never_mixed(self) -> None:
        native = next(n for n, line in enumerate(self.lines) if line.startswith("* Native"))
        start = next(n for n, line in enumerate(self.lines) if line.startswith("* Guest"))
        end = next(n for n, line in enumerate(self.lines) if n > start and line.startswith("* "))
        before, guest = "\n".join(self.lines[native:start]), "\n".join(self.lines[start:end])
        self.assertNotIn("instr", before)
        self.assertNotIn("cycle", guest)

    def test_toggle_cost_is_shown_for_each_environment(self) -> None:
        (native_rows, guest_rows) = (self.toggle_rows(env) for env in ("* Native", "* Guest"))
        self.assertEqual(native_rows["together open"], ["1", "2", "3", "100.00", "-"])
        self.assertEqual(
            native_rows["one by one open"], ["10000", "20000", "3", "10300", "[10000,", "10600]"]
        )
        self.assertEqual(guest_rows["static keys closed"], ["10000", "-", "-", "4300.00", "-"])
        self.assertIn("ratio         one by one, open: 103.00 times together [100.00, 106.00]", self.lines)
        self.assertIn("ratio         static keys, open: 3.00 times together", self.lines)
        self.assertIn("other thread  ran 99 % of the time", self.lines)
        self.assertEqual(self.lines.count("    40  entry of a site in its section table"), 2)

    def toggle_rows(self, env: str) -> dict[str, list[str]]:
        """By name and state."""
        start = next(n for n, line in enumerate(self.lines) if line.startswith(env))
        start = next(n for n, line in enumerate(self.lines) if n > start and "Toggle cost" in line)
        rows = self.lines[start + 4 : self.lines.index("", start + 4)]
        return {" ".join(row[:19].split()): row[19:].split() for row in rows}

    def test_slips_of_the_mails_are_printed_and_recomputed(self) -> None:
        start = next(n for n, line in enumerate(self.lines) if line.startswith("* Slips"))
        rows = [line.split() for line in self.lines[start + 3 : start + 13 : 2]]
        self.assertEqual(
            [row[:3] for row in rows],
            [
                ["A3.nop5", "2.50", "+1.4991"],
                ["A4.nop23", "0.03", "-0.0262"],
                ["A4.nop5", "0.43", "+0.4035"],
                ["A7.first", "10.45", "-10.4416"],
                ["A15", "0.98", "+0.1675"],
            ],
        )

    def test_ends_with_the_null_experiment(self) -> None:
        start = next(n for n, line in enumerate(self.lines) if line.startswith("* Null"))
        self.assertFalse([line for line in self.lines[start + 1 :] if line.startswith("*")])
        rows = [line for line in self.lines[start:] if line.startswith(("native ", "vm "))]
        self.assertEqual(len(rows), 7)


class Thread(unittest.TestCase):
    def test_figures_from_the_raw_deltas(self) -> None:
        figures = lkml_2006.load()
        expected = {
            ("empty", "none"): (1.50, 0),
            ("empty", "imm"): (4.00, 2.50),
            ("empty", "generic"): (2.67, 1.17),
            ("memcpy4096", "none"): (1298.16, 0),
            ("memcpy4096", "imm"): (1298.23, 0.07),
            ("memcpy4096", "generic"): (1300.28, 2.12),
            ("empty", "nop5"): (3.00, 1.50),
            ("empty", "nop23"): (2.00, 0.50),
            ("memcpy4096", "nop23"): (1298.13, -0.03),
        }
        for (shape, variant), (per_loop, added) in expected.items():
            figure = figures[shape, variant, "disabled"]
            self.assertAlmostEqual(figure.per_loop, per_loop, delta=0.006)
            self.assertAlmostEqual(figure.added, added, delta=0.006)
        self.assertEqual(figures["empty", "none", "enabled"].row, "A1.none")
