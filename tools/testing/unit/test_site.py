# SPDX-License-Identifier: GPL-2.0-only
"""The cost of one site: whether shapes contradict each other, and beside another variant."""

from __future__ import annotations

import unittest

from kmark.analysis import raw, site, stats
from synthetic import ADDS, IMULS, Plan, header, join, native_rows


def document(costs: dict[int, float], key: float = 0.5) -> raw.Raw:
    """`costs`: of all sites of a loop, by their number, of mark; each of key's adds `key`."""
    names = {1: "empty", 8: "unrolled8", 64: "unrolled64", 128: "unrolled128"}
    rows = []
    for sites, cost in costs.items():
        plan = Plan(shape=names[sites], shifts={"mark": cost, "key": key * sites})
        rows += [[*row[:7], str(sites), *row[8:]] for row in native_rows(plan, seed=sites)]
    facts = {"chain_adds": str(ADDS * 1000), "chain_imuls": str(IMULS * 1000)}
    return raw.parse(header("native", **facts) + join(rows), "here")[0]


def linear(costs: dict[int, float]) -> bool | None:
    made = document(costs)
    found = {cost.variant: cost.linear for cost in site.costs(made, stats.analyse(made))}
    assert found["none"] is None
    assert found["key"] is not False
    return found["mark"]


class Linear(unittest.TestCase):
    def test_shapes_that_agree_are(self) -> None:
        self.assertTrue(linear({1: 0.5, 8: 4, 64: 32, 128: 64}))

    def test_a_shape_that_contradicts_is_found(self) -> None:
        self.assertIs(linear({1: 0.0, 8: 4, 64: 32, 128: 64}), False)
        self.assertIs(linear({1: 0.5, 8: 4, 64: 20, 128: 52}), False)
        self.assertIs(linear({1: 2.0, 8: 4, 64: 32, 128: 64}), False)

    def test_without_other_shapes_it_is_not_known(self) -> None:
        made = document({64: 32, 128: 64})
        self.assertEqual({cost.linear for cost in site.costs(made, [])}, {None})


class Beside(unittest.TestCase):
    def found(self, costs: dict[int, float]) -> dict[tuple[str, bool], site.Versus]:
        made = document(costs)
        return {(one.shape, one.twice is None): one for one in site.versus(made, stats.analyse(made))}

    def test_a_planted_difference_is_found_in_each_shape(self) -> None:
        found = self.found({1: 1.9, 64: 32 + 64 * 1.4, 128: 64 + 128 * 1.4})
        self.assertEqual(len(found), 4)
        for one in found.values():
            self.assertAlmostEqual(one.difference.median, 1.4, delta=0.002)
            self.assertTrue(one.resolved)
            self.assertLessEqual(one.difference.lo, 1.4)
            self.assertGreaterEqual(one.difference.hi, 1.4)

    def test_the_resolution_is_that_of_one_site(self) -> None:
        made = document({64: 32, 128: 64})
        cases = stats.analyse(made)
        bounds = {case.shape: case.resolution for case in cases if case.variant == "null"}
        loops = [one for one in site.versus(made, cases) if one.twice is None]
        self.assertEqual(len(loops), 2)
        for one in loops:
            self.assertEqual(one.resolution, bounds[one.shape] / one.sites)

    def test_no_difference_is_not_resolved(self) -> None:
        for one in self.found({1: 0.5, 64: 32, 128: 64}).values():
            self.assertFalse(one.resolved)


class Twins(unittest.TestCase):
    """nop5 is the code of mark at other addresses: what the two differ by is no difference."""

    def found(self, nop5: float) -> dict[tuple[str, str, bool], site.Versus]:
        """`nop5`: what a site of it costs more than one of mark, which costs 0.3 more than key's."""
        rows = []
        for shape, sites in (("unrolled64", 64), ("unrolled128", 128)):
            shifts = {"mark": 0.8 * sites, "key": 0.5 * sites, "nop5": (0.8 + nop5) * sites}
            plan = Plan(shape=shape, shifts=shifts)
            rows += [[*row[:7], str(sites), *row[8:]] for row in native_rows(plan, seed=sites)]
        facts = {"chain_adds": str(ADDS * 1000), "chain_imuls": str(IMULS * 1000)}
        made = raw.parse(header("native", **facts) + join(rows), "here")[0]
        return {
            (one.against, one.shape, one.twice is None): one
            for one in site.versus(made, stats.analyse(made))
        }

    def test_what_the_address_makes_is_not_resolved(self) -> None:
        for (against, *_), one in self.found(-0.4).items():
            if against == "key":
                self.assertAlmostEqual(one.difference.median, 0.3, delta=0.01)
                self.assertGreaterEqual(one.resolution, 0.39)
                self.assertFalse(one.resolved)
                self.assertTrue(one.difference.lo > 0)

    def test_where_it_makes_less_a_difference_is_one(self) -> None:
        found = self.found(0.1)
        self.assertEqual(len(found), 6)
        self.assertTrue(all(one.resolved for one in found.values()))
