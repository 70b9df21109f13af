# SPDX-License-Identifier: GPL-2.0-only
"""Places, processes and what counts as resolved."""

from __future__ import annotations

import unittest
from collections.abc import Callable

import numpy as np
from kmark.analysis import cold, raw, stats
from kmark.analysis.cases import Case
from kmark.analysis.places import Places
from synthetic import ADDS, IMULS, Plan, header, join, native_rows

PROCESSES, LAYOUTS = 10, 4


def document_of(plan: Plan, seed: int = 1) -> raw.Raw:
    """A run of PROCESSES with LAYOUTS each."""
    plan.layouts = PROCESSES * LAYOUTS
    facts = {"chain_adds": str(ADDS * 1000), "chain_imuls": str(IMULS * 1000), "processes": str(PROCESSES)}
    (document,) = raw.parse(header("native", **facts) + join(native_rows(plan, seed)), "here")
    return document


def of_processes(plan: Plan, seed: int = 1) -> dict[str, Case]:
    """The cases of that run."""
    return {case.variant: case for case in stats.analyse(document_of(plan, seed))}


def by_process(effects: list[float]) -> Callable[[str, int], float]:
    return lambda variant, layout: effects[layout // LAYOUTS] if variant == "gate" else 0.0


class Minority(unittest.TestCase):
    def test_a_quarter_of_the_places_is_not_hidden(self) -> None:
        def effect(variant: str, layout: int) -> float:
            return 1.0 if variant == "gate" and layout % LAYOUTS == 3 else 0.0

        case = of_processes(Plan(shifts={"gate": 0.0}, rounds=4, layout_effect=effect))["gate"]
        self.assertAlmostEqual(case.added.median, 0, delta=0.01)
        assert case.places
        self.assertAlmostEqual(case.places.mean, 0.25, delta=0.01)
        self.assertAlmostEqual(case.places.worst, 1.0, delta=0.01)
        self.assertEqual(case.status, "split")
        groups = [(group.places, round(group.median, 1)) for group in case.places.groups]
        self.assertEqual(groups, [(30, 0.0), (10, 1.0)])

    def test_a_median_between_two_groups_is_not_the_figure(self) -> None:
        places = Places.of(np.array([5.0, 6.0] * 20), 0.01)
        self.assertEqual([(group.places, group.median) for group in places.groups], [(20, 5), (20, 6)])

    def test_groups_are_further_apart_than_wide(self) -> None:
        steps = np.linspace(0, 1, 5)
        for gap, groups in ((0.9, 1), (1.1, 2)):
            self.assertEqual(len(Places.of(np.concatenate([steps, steps + 1 + gap]), 0.0).groups), groups)

    def test_more_than_four_groups_are_a_spread(self) -> None:
        for places, groups in (([0.0, 5, 10, 15], 4), ([0.0, 5, 10, 15, 20], 1)):
            self.assertEqual(len(Places.of(np.repeat(places, 8), 0.0).groups), groups)

    def test_best_and_worst(self) -> None:
        places = Places.of(np.array([3.0, 1.0, 2.0]), 0.0)
        self.assertEqual((places.best, places.mean, places.worst), (1, 2, 3))

    def test_what_is_spread_or_noise_is_one_group(self) -> None:
        random = np.random.default_rng(1)
        for medians in (np.linspace(0, 40, 40), random.normal(0, 5, 40), np.array([0.0] * 39 + [9.0])):
            self.assertFalse(Places.of(medians, 0.01).split)
        self.assertFalse(Places.of(np.array([5.0, 6.0] * 20), 2.0).split)


class Resolved(unittest.TestCase):
    def status(self, **plan: float) -> str:
        shifts = {"gate": plan.pop("shift")}
        rows = native_rows(Plan(shifts=shifts, rounds=8, **plan))  # type: ignore[arg-type]
        facts = {"chain_adds": str(ADDS * 1000), "chain_imuls": str(IMULS * 1000)}
        (document,) = raw.parse(header("native", **facts) + join(rows), "here")
        return {case.variant: case for case in stats.analyse(document)}["gate"].status

    def test_an_interval_that_contains_0_is_not(self) -> None:
        def effect(variant: str, layout: int) -> float:
            return (-0.3, 0.1, 0.2, 0.4)[layout] if variant == "gate" else 0.0

        rows = native_rows(Plan(shifts={"gate": 0.0}, layout_effect=effect))
        facts = {"chain_adds": str(ADDS * 1000), "chain_imuls": str(IMULS * 1000)}
        (document,) = raw.parse(header("native", **facts) + join(rows), "here")
        case = {case.variant: case for case in stats.analyse(document)}["gate"]
        self.assertGreater(case.added.median, case.resolution)
        self.assertLess(case.added.lo, 0)
        self.assertEqual(case.status, "unresolved")

    def test_less_than_a_step_of_the_counter_is_not(self) -> None:
        # A step is 26 ticks, 40 cycles: 0.04 cycles of each of 1000 loops.
        self.assertEqual(self.status(shift=0.03, loops=1000, noise=0.0001), "unresolved")
        self.assertEqual(self.status(shift=0.5, loops=1000, noise=0.0001), "ok")

    def test_a_loop_that_is_faster_with_a_site_is_marked(self) -> None:
        self.assertEqual(self.status(shift=-2.0), "negative")


class Clusters(unittest.TestCase):
    """An effect that all samples of a process share is one observation, whatever their number."""

    def covered(self, shape: str) -> float:
        """The share of runs whose interval has the true value, where processes differ."""
        hits, runs = 0, 60
        for seed in range(runs):
            effects = list(np.random.default_rng(seed).normal(0, 20, PROCESSES))
            plan = Plan(shifts={"gate": 100.0}, shape=shape, rounds=2, layout_effect=by_process(effects))
            added = of_processes(plan, seed)["gate"].added
            hits += added.lo <= 100 <= added.hi
        return hits / runs

    def test_intervals_cover_what_differs_between_processes(self) -> None:
        self.assertGreaterEqual(self.covered("cold"), 0.92)
        self.assertGreaterEqual(self.covered("empty"), 0.85)  # ten clusters are few for a bootstrap

    def test_in_cold_a_process_is_one_place(self) -> None:
        for shape, places in (("cold", PROCESSES), ("empty", PROCESSES * LAYOUTS)):
            case = of_processes(Plan(shifts={"gate": 1.0}, shape=shape, rounds=2))["gate"]
            self.assertEqual(case.places and case.places.count, places)

    def test_cold_is_of_the_fastest_process(self) -> None:
        """Processes that are slower than others do not count, computed here from the text."""
        effects = [0.0, 500.0, 900.0, 1.0, 700.0, 2.0, 800.0, 600.0, 400.0, 300.0]
        plan = Plan(shifts={"mark": 51.2}, shape="cold", rounds=8, base=3000.0,
                    layout_effect=lambda _, layout: effects[layout // LAYOUTS])  # fmt: skip
        document = document_of(plan, 3)
        (found,) = cold.sites(document)
        medians: dict[tuple[str, int], list[float]] = {}
        for one in document.samples:
            cycles = one.ticks * 2 * ADDS * 1000 / (one.add0 + one.add1) / one.loops
            medians.setdefault((one.variant, one.layout // LAYOUTS), []).append(cycles)
        best = {
            name: sorted(float(np.median(values)) for (of, _), values in medians.items() if of == name)[:3]
            for name in ("none", "null", "mark")
        }
        self.assertAlmostEqual(found.cost.median, best["mark"][0] - best["none"][0], places=9)
        self.assertAlmostEqual(found.cost.lo, best["mark"][0] - best["none"][2], places=9)
        self.assertAlmostEqual(found.cost.hi, best["mark"][2] - best["none"][0], places=9)
        self.assertAlmostEqual(found.cost.median, 51.2, delta=1.0)
        self.assertGreater(found.resolution, 0)

    def test_rows_of_any_length_have_their_median(self) -> None:
        table = np.array([[3.0, 1.0, np.nan], [1.0, 2.0, 9.0]])
        np.testing.assert_array_equal(stats.row_medians(table), [2.0, 2.0])
