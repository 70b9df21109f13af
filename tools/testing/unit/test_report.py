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

    def test_units_are_never_mixed(self) -> None:
        native = next(n for n, line in enumerate(self.lines) if line.startswith("* Native"))
        start = next(n for n, line in enumerate(self.lines) if line.startswith("* Guest"))
        end = next(n for n, line in enumerate(self.lines) if n > start and line.startswith("* "))
        before, guest = "\n".join(self.lines[native:start]), "\n".join(self.lines[start:end])
        self.assertNotIn("instr", before)
        self.assertNotIn("cycle", guest)


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
