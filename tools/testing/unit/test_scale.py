# SPDX-License-Identifier: GPL-2.0-only
"""The series of sizes: costs per site, and how they grow."""

from __future__ import annotations

import unittest

from kmark.analysis import raw, scale
from kmark.analysis.cases import Estimate
from kmark.errors import Failure
from kmark.report import text
from synthetic import Plan, native

COLUMNS = "scale\tround\twhat\tsites\tamount\n"


def rows(costs: dict[int, int], what: str = "connect") -> str:
    """Seven rounds; `costs`: nanoseconds a site, by their number."""
    return "".join(
        f"scale\t{round_}\t{what}\t{sites}\t{sites * cost}\n"
        for round_ in range(7)
        for sites, cost in costs.items()
    )


def points(records: str) -> list[scale.Point]:
    (document,) = raw.parse(native(Plan(rounds=2)) + COLUMNS + records, "here")
    return scale.analyse(document)


class Scale(unittest.TestCase):
    def test_costs_are_per_site_and_in_the_order_of_sizes(self) -> None:
        found = points(rows({8000: 30, 1000: 20}) + rows({1000: 5, 8000: 5}, "disconnect"))
        self.assertEqual([point.what for point in found], ["connect"] * 2 + ["disconnect"] * 2)
        self.assertEqual([point.sites for point in found], [1000, 8000] * 2)
        self.assertEqual([point.per_site.median for point in found], [20, 30, 5, 5])
        self.assertEqual({point.samples for point in found}, {7})

    def test_growth_is_that_from_the_least_to_the_most(self) -> None:
        costs = {1000: 20.0, 2000: 21.0, 8000: 30.0}
        entries = [
            scale.Point("native", "connect", sites, 7, Estimate(cost, cost, cost))
            for sites, cost in costs.items()
        ]
        lines = list(text.scale_table(entries))
        self.assertIn("connect: a site of 8000 takes 1.50 times one of 1000", lines[-1])

    def test_what_is_no_number_is_refused(self) -> None:
        with self.assertRaises(Failure):
            points("scale\t0\tconnect\t0\t1\n")
        with self.assertRaises(Failure):
            points("scale\t0\tconnect\tmany\t1\n")
