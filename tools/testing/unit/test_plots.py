# SPDX-License-Identifier: GPL-2.0-only
"""Samples as plots want them, and the plots themselves."""

from __future__ import annotations

import re
import unittest
from xml.etree import ElementTree

import numpy as np
from kmark.analysis import raw
from kmark.report import draw, html, model, page, plots, report, samples
from synthetic import Plan, guest_toggles, join, native, native_rows, toggles, vm

PLAN = Plan(
    shifts={"imm": 3.0, "key": 0.5}, layout_effect=lambda variant, place: place * (variant == "imm")
)


def made(output: str) -> tuple[model.Report, dict[str, list[samples.Group]]]:
    documents = raw.parse(output, "here")
    return report.build(documents, {"cpu": "<x>"}, "2026-01-02T03:04:05+0000"), samples.of(documents)


class Samples(unittest.TestCase):
    def test_medians_by_place_in_a_line(self) -> None:
        (group,) = [g for g in made(native(PLAN))[1]["native"] if g.variant == "imm"]
        found = group.by_place()
        self.assertEqual(list(found), [0, 16, 32, 48])
        for number, value in enumerate(found.values()):
            self.assertAlmostEqual(value, 13.0 + number, delta=0.01)

    def test_layouts_of_other_processes_are_the_same_places(self) -> None:
        joined = raw.join_runs([native(PLAN, 1), native(PLAN, 2)])
        (group,) = [g for g in made(joined)[1]["native"] if g.variant == "imm"]
        self.assertEqual(list(group.by_place()), [0, 16, 32, 48])
        self.assertEqual(len(group.values), 2 * 20 * 4)

    def test_too_few_good_samples_are_shown_with_the_others(self) -> None:
        for good, shown in ((5, 80), (6, 6)):
            rows = native_rows(PLAN)
            for row in [row for row in rows if row[3] == "imm"][good:]:
                row[9] = str(2 * int(row[9]))
            text = native(PLAN).partition("case\t0")[0] + join(rows)
            (group,) = [g for g in samples.of(raw.parse(text, "here"))["native"] if g.variant == "imm"]
            self.assertEqual(len(group.values), shown)

    def test_null_is_not_shown_and_the_order_is_the_report_s(self) -> None:
        built, groups = made(native(PLAN))
        ordered = samples.in_order(groups["native"], built, "native")
        self.assertEqual([g.variant for g in ordered], ["none", "imm", "key"])


class Plots(unittest.TestCase):
    report: model.Report
    groups: dict[str, list[samples.Group]]
    drawn: list[draw.Plot]

    @classmethod
    def setUpClass(cls) -> None:
        output = (
            native(PLAN)
            + toggles()
            + vm({"imm": 3, "nop5": 1, "key": 1, "kprobe-int3": 301})
            + guest_toggles()
        )
        cls.report, cls.groups = made(output)
        cls.drawn = list(plots.make(cls.report, cls.groups))

    def test_as_many_as_counted_each_with_its_own_name(self) -> None:
        self.assertEqual(len(self.drawn), plots.count(self.report, self.groups))
        self.assertEqual(len({plot.name for plot in self.drawn}), len(self.drawn))

    def test_each_is_xml_and_has_a_unit(self) -> None:
        for plot in self.drawn:
            ElementTree.fromstring(plot.svg)
            self.assertRegex(plot.svg, "cycles|instructions|nanoseconds")

    def test_inside_a_page_names_are_its_own_and_colours_the_page_s(self) -> None:
        for plot in self.drawn:
            inside = plot.inside("p1")
            rules = "".join(plot.rules())
            self.assertNotIn(draw.FOREGROUND, inside + rules)
            self.assertIn("currentColor", rules)
            for name in re.findall(r'class="([^"]*)"', inside):
                self.assertIn(f".{name}{{", rules)
            ids = re.findall(r' id="([^"]*)"', inside)
            self.assertTrue(ids and all(name.startswith("p1") for name in ids))
            for used in re.findall(r'href="#([^"]*)"|url\(#([^)]*)\)', inside):
                self.assertIn("".join(used), ids)

    def test_an_axis_is_logarithmic_from_30_times_the_median_on(self) -> None:
        for values, wanted in (
            ([1.0, 1.0, 30.0, 0.0], "linear"),
            ([1.0, -1.0, -30.1], "symlog"),
            ([], "linear"),
        ):
            with draw.style():
                _, (axes,) = draw.figure(1, [1])
                self.assertEqual(plots.scale_axis(axes, values, 0.0) != "", wanted == "symlog")
            self.assertEqual(axes.get_xscale(), wanted)

    def test_samples_that_cover_each_other_are_one_dot(self) -> None:
        values = np.array([1.0, 1.001, 1.002, 1.5, 2.0, 2.0, 2.0])
        for apart, expected in ((0.01, [1.0, 1.5, 2.0]), (0.0, [1.0, 1.5, 2.0])):
            with draw.style():
                _, (axes,) = draw.figure(1, [1])
                plots.draw_dots(axes, values, 0, draw.BLUE, apart)
            places = np.asarray(axes.lines[0].get_xdata(), dtype=float)
            self.assertEqual(sorted(set(places[~np.isnan(places)].tolist())), expected)

    def test_the_size_of_a_page_is_that_of_its_plots_and_tables(self) -> None:
        content = f"<svg>{'x' * 19_989}</svg><table>{'x' * 29_985}</table>{'é' * 5000}"
        words = "0.06 MB, of which 0.02 1 plots and 0.03 1 tables"
        self.assertEqual(page.size_note(content), words)

    def test_the_page_holds_them_all_and_escapes(self) -> None:
        content = html.render(self.report, self.drawn)
        for plot in self.drawn:
            self.assertEqual(content.count(f'id="plot-{plot.name}"'), 1)
        self.assertIn("&lt;x&gt;", content)
