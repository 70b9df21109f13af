# SPDX-License-Identifier: GPL-2.0-only
"""Samples as plots want them, and the plots themselves."""

from __future__ import annotations

import re
import unittest
from xml.etree import ElementTree

import numpy as np
from kmark.analysis import raw
from kmark.report import breakeven_plot, draw, html, model, plots, report, samples
from kmark.report.breakeven import Breakeven, Term
from synthetic import Plan, guest_toggles, native, toggles, vm

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

    def test_one_far_out_figure_makes_the_axis_logarithmic(self) -> None:
        svgs = {plot.name: plot.svg for plot in self.drawn}
        self.assertIn("logarithmic", svgs["vm-empty-added"])
        self.assertNotIn("logarithmic", svgs["native-empty-added"])

    def test_no_bars_where_the_axis_is_logarithmic(self) -> None:
        """A bar is a closed path in the colour of a kind, half seen through."""
        for plot in self.drawn:
            bars = "fill-opacity:0.35" in plot.svg or "opacity:0.15" in plot.svg
            states = plot.svg.count("added to one loop")
            if "logarithmic" not in plot.svg and plot.name.endswith("-added"):
                self.assertTrue(bars, plot.name)
            elif plot.svg.count("logarithmic") >= states:
                self.assertFalse(bars, plot.name)

    def test_samples_that_cover_each_other_are_one_dot(self) -> None:
        values = np.array([1.0, 1.001, 1.002, 1.5, 2.0, 2.0, 2.0])
        for apart, expected in ((0.01, [1.0, 1.5, 2.0]), (0.0, [1.0, 1.5, 2.0])):
            with draw.style():
                _, (axes,) = draw.figure(1, [1])
                plots.draw_dots(axes, values, 0, draw.BLUE, apart)
            places = np.asarray(axes.lines[0].get_xdata(), dtype=float)
            self.assertEqual(sorted(set(places[~np.isnan(places)].tolist())), expected)

    def test_break_even_has_a_mark_for_each_pair(self) -> None:
        entries = [
            Breakeven("vm", "instructions", name, "kprobe-int3", Term(1.0, resolved, "cold"), 1.0, 1.0,
                      None, "", None, events, None, None, None)
            for name, events, resolved in (("mark", 0.5, True), ("key", 2000.0, False), ("imm", None, True))
        ]  # fmt: skip
        with draw.style():
            _, (axes,) = draw.figure(1, [2])
            breakeven_plot.draw_rows(axes, entries)
        places = [(np.asarray(line.get_xdata(), dtype=float).tolist(), line) for line in axes.lines]
        marks = {place[0]: line for place, line in places if len(place) == 1}
        self.assertEqual(set(marks), {breakeven_plot.LEAST, 2000.0})
        self.assertEqual([marks[place].get_fillstyle() for place in sorted(marks)], ["full", "none"])
        self.assertEqual([note.get_text() for note in axes.texts], ["imm: never"])

    def test_the_page_holds_them_all_and_escapes(self) -> None:
        page = html.render(self.report, self.drawn)
        for plot in self.drawn:
            self.assertEqual(page.count(f'id="plot-{plot.name}"'), 1)
        self.assertIn("&lt;x&gt;", page)
