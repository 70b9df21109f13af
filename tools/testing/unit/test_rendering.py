# SPDX-License-Identifier: GPL-2.0-only
"""What reports print and plot, against text and figures that were written by hand."""

from __future__ import annotations

import unittest
from typing import Any

import numpy as np
from kmark.analysis import notation
from kmark.report import draw, plots, tables, text
from matplotlib.patches import Rectangle

ADDED = {"median": 2.5, "lo": 1.25, "hi": 3.75}


def case(**more: Any) -> dict[str, Any]:
    return {
        "variant": "imm", "unit": "cycles", "sites": 8, "status": "ok", "thread": None, "added": ADDED,
        "per_loop": {"median": 12.5, "lo": 12.0, "hi": 13.0}, "resolution": 0.5, **more,
    }  # fmt: skip


class Notation(unittest.TestCase):
    def test_decimals(self) -> None:
        for value, expected in (
            (9.99994, "9.9999"), (10, "10.000"), (99.9994, "99.999"), (100, "100.00"),
            (9999.994, "9999.99"), (10000.4, "10000"), (-0.00001, "0.0000"),
        ):  # fmt: skip
            self.assertEqual(notation.number(value), expected)
        self.assertEqual(notation.number(-12.5, "+"), "-12.500")
        self.assertEqual(notation.interval(ADDED), "[+1.2500, +3.7500]")
        self.assertEqual(notation.with_interval(ADDED), "+2.5000 [+1.2500, +3.7500]")
        self.assertEqual(notation.with_interval({"median": 3, "lo": 3, "hi": 3.00001}), "+3.0000")


class Text(unittest.TestCase):
    def test_a_case(self) -> None:
        expected = "imm              12.500  +2.5000   [+1.2500, +3.7500] ok         +0.3125"
        self.assertEqual(text.case_row(case(), 0.5), expected)

    def test_a_case_that_is_not_resolved(self) -> None:
        below = case(status="unresolved", added={"median": -0.1, "lo": -0.3, "hi": 0.2})
        self.assertIn("- not resolved (< 0.5000)", text.case_row(below, 0.5))
        below["added"] = {"median": 0.1, "lo": -0.75, "hi": 0.2}
        self.assertIn("+ not resolved (< 0.7500)", text.case_row(below, 0.5))

    def test_the_figure_of_the_thread_stands_where_there_is_one_site(self) -> None:
        self.assertEqual(text.last_column(case(sites=1, thread={"added": 3.2})), "+3.20")
        self.assertEqual(text.last_column(case(sites=1, thread={"added": 3}, unit="instructions")), "+3")
        self.assertEqual(text.last_column(case(sites=1)), "")
        none = case(variant="none", thread={"per_loop": 7.0})
        self.assertEqual(text.last_column(none), "7.00")

    def test_places(self) -> None:
        groups = [{"places": 3, "median": 1.0}, {"places": 5, "median": 9.0}]
        found = {"mean": 6.0, "best": 1.0, "worst": 9.5, "groups": groups}
        self.assertEqual(
            text.places_text(case(places=found), 0.5),
            "mean +6.0000, worst +9.5000; places: 3 at +1.0000, 5 at +9.0000",
        )
        inside = {"mean": 2.5, "best": 1.5, "worst": 4.25, "groups": groups[:1]}
        self.assertEqual(text.places_text(case(places=inside), 0.5), "")
        inside["worst"] = 4.26
        self.assertEqual(text.places_text(case(places=inside), 0.5), "mean +2.5000, worst +4.2600")

    def test_places_of_a_page(self) -> None:
        groups = [{"places": 3, "median": 1.0}, {"places": 5, "median": 9.0}]
        for shown, status in ((groups, "split: 3 at +1.0000, 5 at +9.0000"), (groups[:1], "split")):
            found = {"mean": 6.0, "best": 1.0, "worst": 9.5, "groups": shown}
            self.assertEqual(
                tables.case_row(case(places=found, status="split", sites=1), 0.5),
                ["imm", "12.500", "+2.5000", "[+1.2500, +3.7500]", "+6.0000", "+9.5000", status, ""],
            )

    def test_tables(self) -> None:
        cost = {"median": 150.0, "lo": 125.0, "hi": 175.0}
        toggle = {
            "what": "single", "state": "open", "transactions": 10, "rounds": 30, "traps": None,
            "per_site": cost,
        }  # fmt: skip
        self.assertEqual(
            text.toggle_row(toggle),
            "one by one  open        10     30     -      150.00     [125.00, 175.00]",
        )
        scale = {"what": "connect", "sites": 8000, "per_site": cost}
        self.assertEqual(text.scale_row(scale), "connect        8000      150.00     [125.00, 175.00]")
        self.assertEqual(text.spread({"median": 1, "lo": 1, "hi": 1}), "-")
        self.assertEqual(
            text.site_row("flip", {"enabled": ADDED}),
            "flip" + " " * 42 + "+2.5000 [+1.2500, +3.7500]",
        )

    def test_growth_and_ratios(self) -> None:
        entries = [
            {
                "what": "connect",
                "sites": sites,
                "samples": 3,
                "per_site": {"median": median, "lo": 1, "hi": 9},
            }
            for sites, median in ((10, 4.0), (100, 5.0), (1000, 6.0))
        ]
        self.assertIn("a site of 1000 takes 1.50 times one of 10", list(text.scale_table(entries))[-1])
        ratio = {"median": 2.0, "lo": 1.5, "hi": 2.5}
        facts = list(
            text.toggle_facts([
                {"what": "keys", "state": "open", "ratio": ratio, "peer": 0.5},
                {"what": "single", "state": "open", "ratio": None, "peer": 0.75},
            ])
        )  # fmt: skip
        self.assertEqual(
            " ".join(facts[0].split()), "ratio static keys, open: 2.00 times together [1.50, 2.50]"
        )
        self.assertEqual(" ".join(facts[1].split()), "other thread ran 50 to 75 % of the time")

    def test_side_by_side(self) -> None:
        entry = {
            "shape": "empty", "twice": None, "sites": 8, "state": "enabled", "difference": ADDED,
            "resolution": 0.5, "resolved": True,
        }  # fmt: skip
        self.assertEqual(
            text.versus_row(entry), "empty       enabled    +2.5000   [+1.2500, +3.7500] differs"
        )
        entry |= {"twice": "unrolled16", "resolved": False}
        self.assertEqual(
            text.versus_row(entry), "one of 16   enabled    +2.5000   [+1.2500, +3.7500] equal < 3.7500"
        )


class Plotted(unittest.TestCase):
    """The points of the lines, and not their look."""

    def test_bars(self) -> None:
        with draw.style():
            _, (axes,) = draw.figure(1, [2])
            plots.draw_bars(axes, [case(), case(variant="key", status="noisy")], 0.5)
        points = [tuple(np.transpose(line.get_xydata()).tolist()) for line in axes.lines]
        self.assertIn(([1.25, 3.75], [0, 0]), points)
        self.assertIn(([2.5], [1]), points)
        self.assertEqual(
            [bar.get_width() for bar in axes.patches[:2] if isinstance(bar, Rectangle)], [2.5, 2.5]
        )
        self.assertEqual([label.get_text() for label in axes.texts], ["+2.50", "+2.50 (noisy)"])

    def test_labels(self) -> None:
        for value, expected in ((1234.5, "1,234"), (12.34, "12.3"), (1.234, "1.23"), (0.1234, "0.123")):
            self.assertEqual(draw.shorten(value), expected)
