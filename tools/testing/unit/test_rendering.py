# SPDX-License-Identifier: GPL-2.0-only
"""Text and plots of reports, against text and figures that were written by hand."""

from __future__ import annotations

import unittest
from dataclasses import replace
from typing import Any

from kmark.analysis import notation
from kmark.analysis.cases import Estimate, Printed
from kmark.analysis.places import Group, Places
from kmark.analysis.scale import Point
from kmark.analysis.site import SiteCost, Versus
from kmark.analysis.toggle import Cost
from kmark.report import draw, tables, text
from synthetic import case

ADDED = Estimate(2.5, 1.25, 3.75)
PLACES = Places(8, 6.0, 1.0, 9.5, (Group(3, 1.0), Group(5, 9.0)))
ONE = (Group(8, 2.5),)


def row(**more: Any) -> str:
    """The text of a case."""
    (line,) = tables.of_cases([case(**more)]).body()
    return line


def toggled(what: str, ratio: Estimate | None, peer: float | None) -> Cost:
    cost = Estimate(150.0, 125.0, 175.0)
    return Cost("native", what, "open", "ns", 10, 10, 30, None, peer, 7, cost, ratio)


def versus(twice: str | None, resolved: bool) -> Versus:
    return Versus("native", "empty", twice, "mark", "key", "enabled", "cycles", 8, ADDED, 0.5, resolved)


class Notation(unittest.TestCase):
    def test_decimals(self) -> None:
        for value, expected in (
            (9.99994, "9.9999"), (10, "10.000"), (99.9994, "99.999"), (100, "100.00"),
            (9999.994, "9999.99"), (10000, "10000"), (-0.00001, "0.0000"),
        ):  # fmt: skip
            self.assertEqual(notation.number(value), expected)
        self.assertEqual(notation.number(-12.5, "+"), "-12.500")
        self.assertEqual(notation.interval(ADDED), "[+1.2500, +3.7500]")
        self.assertEqual(notation.with_interval(ADDED), "+2.5000 [+1.2500, +3.7500]")
        self.assertEqual(notation.with_interval(Estimate(3, 3, 3.00001)), "+3.0000")


class Text(unittest.TestCase):
    def test_a_case(self) -> None:
        expected = "imm              12.500  +2.5000   [+1.2500, +3.7500] ok         +0.3125"
        self.assertEqual(row(), expected)

    def test_a_case_that_is_not_resolved(self) -> None:
        below, above = Estimate(-0.1, -0.3, 0.2), Estimate(0.1, -0.75, 0.2)
        self.assertIn("- not resolved (< 0.5000)", row(status="unresolved", added=below))
        self.assertIn("+ not resolved (< 0.7500)", row(status="unresolved", added=above))

    def test_the_figure_of_the_thread_stands_where_there_is_one_site(self) -> None:
        printed = Printed(row="A1", per_loop=7.0, added=3.2)
        self.assertEqual(tables.last_cell(case(sites=1, thread=printed)), "+3.20")
        counted = Printed(row="A1", added=3)
        self.assertEqual(tables.last_cell(case(sites=1, thread=counted, unit="instructions")), "+3")
        self.assertEqual(tables.last_cell(case(sites=1)), "")
        self.assertEqual(tables.last_cell(case(variant="none", thread=printed)), "7.00")

    def test_places(self) -> None:
        words = "mean +6.0000, worst +9.5000; places: 3 at +1.0000, 5 at +9.0000"
        self.assertEqual(tables.places_text(case(places=PLACES)), words)
        self.assertIn("\n            mean +6.0000, worst", row(places=PLACES))
        for worst, words in ((4.25, ""), (4.26, "mean +2.5000, worst +4.2600")):
            inside = Places(8, 2.5, 1.5, worst, ONE)
            self.assertEqual(tables.places_text(case(places=inside)), words)

    def test_places_of_a_page(self) -> None:
        for groups, status in ((PLACES.groups, "split: 3 at +1.0000, 5 at +9.0000"), (ONE, "split")):
            places = replace(PLACES, groups=groups)
            self.assertEqual(
                tables.case_row(case(places=places, status="split", sites=1))[:8],
                ["imm", "12.500", "+2.5000", "[+1.2500, +3.7500]", "+6.0000", "+9.5000", status, ""],
            )

    def test_tables(self) -> None:
        toggle = toggled("single", None, None)
        point = Point("native", "connect", 8000, 7, toggle.per_site)
        cost = SiteCost("native", "empty", "unrolled2", "flip", "enabled", "cycles", 1, ADDED, None)
        for table, line in (
            (tables.of_toggle([toggle]),
             "one by one  open        10     30     -      150.00     [125.00, 175.00]"),
            (tables.of_scale([point]), "connect        8000      150.00     [125.00, 175.00]"),
            (tables.of_site([cost]), "flip" + " " * 42 + "+2.5000 [+1.2500, +3.7500]"),
        ):  # fmt: skip
            self.assertEqual(list(table.body()), [line])
        self.assertEqual(notation.spread(Estimate(1, 1, 1)), "-")

    def test_growth_and_ratios(self) -> None:
        entries = [
            Point("native", "connect", sites, 3, Estimate(median, 1, 9))
            for sites, median in ((10, 4.0), (100, 5.0), (1000, 6.0))
        ]
        self.assertIn("a site of 1000 takes 1.50 times one of 10", list(text.scale_table(entries))[-1])
        ratio = Estimate(2.0, 1.5, 2.5)
        facts = list(text.toggle_facts([toggled("keys", ratio, 0.5), toggled("single", None, 0.75)]))
        self.assertEqual(
            " ".join(facts[0].split()), "ratio static keys, open: 2.00 times together [1.50, 2.50]"
        )
        self.assertEqual(" ".join(facts[1].split()), "other thread ran 50 to 75 % of the time")

    def test_side_by_side(self) -> None:
        table = tables.of_versus([versus(None, True), versus("unrolled16", False)])
        self.assertEqual(
            list(table.body()),
            ["empty       enabled    +2.5000   [+1.2500, +3.7500] differs",
             "one of 16   enabled    +2.5000   [+1.2500, +3.7500] equal < 3.7500"],
        )  # fmt: skip


class Plotted(unittest.TestCase):
    def test_labels(self) -> None:
        for value, expected in (
            (1234.5, "1,234"), (100, "100"), (99.94, "99.9"), (10, "10.0"), (9.994, "9.99"), (1, "1.00"),
            (0.9944, "0.994"), (0.01, "0.010"), (0.0099, "0.0099"), (-12.34, "-12.3"),
        ):  # fmt: skip
            self.assertEqual(draw.shorten(value), expected)

    def test_narrow_columns(self) -> None:
        for value, expected in (
            (0.99, "0.9900"), (1, "1.00"), (-99.99, "-99.99"), (100, "100.0"), (999.9, "999.9"),
            (1000, "1000"),
        ):  # fmt: skip
            self.assertEqual(tables.plain(value), expected)
        self.assertEqual([tables.percent(share) for share in (0.0999, 0.05, 0.1)], ["10", "5", "10.0"])
        self.assertEqual([notation.named(name, 4) for name in ("abc", "abcd")], ["abc ", "abcd\n    "])
