# SPDX-License-Identifier: GPL-2.0-only
"""The statistics find what was planted, and agree with SciPy's."""

from __future__ import annotations

import unittest
from collections import defaultdict
from typing import Any

import numpy as np
from kmark.analysis import raw, site, stats
from kmark.analysis.cases import Case, Estimate
from kmark.analysis.places import Places
from kmark.errors import Failure
from scipy import stats as scipy_stats
from synthetic import ADDS, Plan, header, join, native, native_rows, vm


def analyse(text: str) -> dict[str, Case]:
    return {case.variant: case for case in stats.analyse(raw.parse(text, "here")[0])}


def rows_text(rows: list[list[str]]) -> str:
    return header("native", chain_adds=str(ADDS * 1000), chain_imuls="2000000") + join(rows)


def doubled(cost: float, loop: float, sites: int = 64) -> str:
    """A variant of @cost a site, in loops of @loop besides: once and twice the sites."""
    rows = []
    for shape, times in (("unrolled64", 1), ("unrolled128", 2)):
        plan = Plan(shape=shape, base=loop, shifts={"gate": cost * sites * times})
        for row in native_rows(plan, seed=times):
            row[7] = str(sites * times)
            rows.append(row)
    return rows_text(rows)


class SiteCost(unittest.TestCase):
    def test_the_loop_drops_out(self) -> None:
        for loop in (1.5, 40.0):
            found = site.costs(raw.parse(doubled(0.25, loop), "here")[0], [])
            costs = {cost.variant: cost for cost in found}
            self.assertEqual(set(costs), {"none", "null", "gate"})
            self.assertAlmostEqual(costs["gate"].cost.median, 0.25, delta=0.0002)
            self.assertAlmostEqual(costs["none"].cost.median, 0, delta=0.0002)
            self.assertLessEqual(costs["gate"].cost.lo, 0.25)
            self.assertGreaterEqual(costs["gate"].cost.hi, 0.25)
            self.assertEqual((costs["gate"].sites, costs["gate"].unit), (64, "cycles"))

    def test_a_shape_without_its_double_has_none(self) -> None:
        document = raw.parse(native(Plan(shape="unrolled64")), "here")[0]
        self.assertEqual(site.costs(document, []), [])

    def test_a_variant_of_one_of_the_two_is_left_out(self) -> None:
        lines = doubled(0.25, 1.5).splitlines()
        kept = [line for line in lines if "unrolled128\tgate" not in line]
        found = site.costs(raw.parse("\n".join(kept) + "\n", "here")[0], [])
        self.assertEqual({cost.variant for cost in found}, {"none", "null"})


class Planted(unittest.TestCase):
    def test_shifts_are_found_within_their_intervals(self) -> None:
        cases = analyse(native(Plan()))
        for variant, shift in Plan().shifts.items():
            added = cases[variant].added
            self.assertAlmostEqual(added.median, shift, delta=0.002)
            self.assertLessEqual(added.lo, shift)
            self.assertGreaterEqual(added.hi, shift)
            self.assertEqual((cases[variant].status, cases[variant].unit), ("ok", "cycles"))
        self.assertAlmostEqual(cases["none"].per_loop.median, 10.015, delta=0.01)
        self.assertEqual(cases["none"].added, Estimate(0, 0, 0))

    def test_the_null_experiment_sets_the_resolution(self) -> None:
        noise = 0.01
        cases = analyse(native(Plan(shifts={"tiny": 1e-4, "real": 0.1}, noise=noise)))
        null = cases["null"]
        self.assertEqual(null.resolution, max(abs(null.added.lo), abs(null.added.hi)))
        self.assertGreater(null.resolution, abs(null.added.median))
        self.assertLess(null.resolution, noise)
        self.assertEqual(cases["tiny"].status, "unresolved")
        self.assertEqual(cases["real"].status, "ok")

    def test_a_negative_shift_keeps_its_sign(self) -> None:
        added = analyse(native(Plan(shifts={"less": -0.25})))["less"].added
        self.assertAlmostEqual(added.median, -0.25, delta=0.002)
        self.assertLess(added.hi, 0)

    def test_a_shift_of_one_layout_only_widens_the_interval(self) -> None:
        def effect(variant: str, layout: int) -> float:
            return 1.0 if variant == "moody" and layout == 0 else 0.0

        plan = Plan(shifts={"moody": 0.0, "steady": 0.25}, layout_effect=effect)
        cases = analyse(native(plan))
        self.assertLess(cases["moody"].added.median, 0.01)
        self.assertGreater(cases["moody"].added.hi, 0.4)
        self.assertLess(cases["steady"].added.hi - cases["steady"].added.lo, 0.01)

    def test_layouts_that_differ_are_groups_and_not_noise(self) -> None:
        def effect(variant: str, layout: int) -> float:
            return layout % 2 if variant == "torn" else 0.0

        case = analyse(native(Plan(shifts={"torn": 2.0}, layout_effect=effect)))["torn"]
        self.assertEqual(case.status, "split")
        self.assertEqual(
            [(group.places, round(group.median, 2)) for group in case.groups], [(2, 2), (2, 3)]
        )
        self.assertGreater(case.added.hi - case.added.lo, 0.9)

    def test_intervals_cover_at_their_rate(self) -> None:
        plan = Plan(shifts={"flip": 0.5}, noise=0.05, rounds=10, layouts=1)
        hits = 0
        for seed in range(200):
            added = analyse(native(plan, seed))["flip"].added
            hits += added.lo <= 0.5 <= added.hi
        self.assertGreaterEqual(hits, 180)

    def test_repeated_rounds_are_pairs_of_their_own(self) -> None:
        rows = native_rows(Plan(rounds=1), 1) + native_rows(Plan(rounds=1), 2)
        (document,) = raw.parse(rows_text(rows), "here")
        mine = [sample for sample in document.samples if sample.variant == "generic"]
        self.assertEqual(len(stats.Timings.of(mine, stats.Clock.of(document)).values), 8)
        case = analyse(rows_text(rows))["generic"]
        self.assertEqual(case.samples, 8)
        self.assertAlmostEqual(case.added.median, 3.0, delta=0.01)


class Dropping(unittest.TestCase):
    def spoiled(self, count: int, column: int, factor: float) -> dict[str, Case]:
        rows = native_rows(Plan())
        flips = [row for row in rows if row[3] == "flip"]
        for row in flips[:count]:
            row[column] = str(round(int(row[column]) * factor))
            row[8] = str(int(row[8]) * 5)
        return analyse(rows_text(rows))

    def test_samples_whose_chains_drift_are_dropped_and_counted(self) -> None:
        case = self.spoiled(8, 9, 1.02)["flip"]
        self.assertEqual((case.samples, case.dropped, case.status), (80, 8, "ok"))
        self.assertAlmostEqual(case.added.median, 0.5, delta=0.002)

    def test_a_drift_of_either_chain_counts(self) -> None:
        rows = native_rows(Plan())
        for row in [row for row in rows if row[3] == "flip"][:5]:
            row[10] = str(round(int(row[10]) * 1.015))  # a mean that hardly differs
        self.assertEqual(analyse(rows_text(rows))["flip"].dropped, 5)

    def test_a_drift_below_the_limit_is_kept(self) -> None:
        self.assertEqual(self.spoiled(8, 9, 1.005)["flip"].dropped, 0)

    def test_samples_whose_two_chains_disagree_are_dropped(self) -> None:
        rows = native_rows(Plan())
        for row in [row for row in rows if row[3] == "flip"][:5]:
            row[10] = row[12] = str(round(int(row[10]) * 1.03))
        self.assertEqual(analyse(rows_text(rows))["flip"].dropped, 5)

    def test_many_drops_make_a_case_noisy(self) -> None:
        self.assertEqual(self.spoiled(17, 9, 1.02)["flip"].status, "noisy")
        self.assertEqual(self.spoiled(16, 9, 1.02)["flip"].status, "ok")

    def test_with_hardly_any_good_sample_all_are_used_and_called_noisy(self) -> None:
        rows = [[*row[:9], str(int(row[9]) * 2), *row[10:]] for row in native_rows(Plan())]
        case = analyse(rows_text(rows))["flip"]
        self.assertEqual((case.samples, case.dropped, case.status), (80, 80, "noisy"))
        self.assertAlmostEqual(case.added.median, 0.5 / 1.5, delta=0.002)

    def test_scattered_samples_are_noisy(self) -> None:
        rows = native_rows(Plan())
        random = np.random.default_rng(5)
        for row in rows:
            if row[3] == "flip":
                row[8] = str(round(int(row[8]) * random.uniform(1, 2)))
        self.assertEqual(analyse(rows_text(rows))["flip"].status, "noisy")


class Independent(unittest.TestCase):
    """Figures computed by another way: straight from the text."""

    def test_medians_by_numpy_alone(self) -> None:
        text = native(Plan(noise=0.02), seed=7)
        cells = [line.split("\t") for line in text.splitlines() if line.startswith("case\t")]
        head, body = cells[0], np.array(cells[1:])
        column = {name: body[:, place] for place, name in enumerate(head)}
        numbers = {name: column[name].astype(float) for name in ("ticks", "loops", "add0", "add1")}
        rate = (numbers["add0"] + numbers["add1"]) / 2 / (ADDS * 1000)
        cycles = numbers["ticks"] / rate / numbers["loops"]
        for variant, case in analyse(text).items():
            mine = cycles[column["variant"] == variant]
            self.assertAlmostEqual(case.per_loop.median, float(np.median(mine)), places=12)
            medians = []
            for layout in np.unique(column["layout"]):
                of = {
                    name: cycles[(column["variant"] == name) & (column["layout"] == layout)]
                    for name in (variant, "none")
                }
                medians.append(np.median(of[variant] - of["none"]))
            self.assertAlmostEqual(case.added.median, float(np.median(medians)), places=12)

    def test_sign_interval_against_the_quantile_test(self) -> None:
        random = np.random.default_rng(3)
        for count in (6, 7, 20, 41, 80, 161):
            values = random.normal(size=count)
            result: Any = scipy_stats.quantile_test(values, q=0, p=0.5)
            expected = result.confidence_interval(confidence_level=0.95)
            self.assertEqual(stats.sign_interval(values), (expected.low, expected.high), count)

    def test_sign_interval_of_few_values_is_all_of_them(self) -> None:
        self.assertEqual(stats.sign_interval(np.array([3.0, 1.0, 2.0])), (1.0, 3.0))
        self.assertEqual(stats.sign_interval(np.array([3.0])), (3.0, 3.0))

    def test_bootstrap_interval_against_scipy(self) -> None:
        medians = np.random.default_rng(4).normal(size=16)
        found = stats.bootstrap_interval([np.array([value] * 3) for value in medians])
        expected = scipy_stats.bootstrap(
            (medians,), np.median, method="percentile", n_resamples=20000, rng=1
        ).confidence_interval
        np.testing.assert_allclose(found, (expected.low, expected.high), atol=0.15)


class Statuses(unittest.TestCase):
    def status(self, noise: float, median: float, base: float) -> str:
        medians = np.array([median - 1, median, median + 1])
        found = stats.Difference(Estimate(median, median - 1, median + 1), medians, noise)
        return stats.status_of(found, Places.of(medians, 2.0), base, 0.1, 0.0)

    def test_noisy_is_what_exceeds_both_shares(self) -> None:
        self.assertEqual(self.status(9.9, median=100, base=100), "ok")
        self.assertEqual(self.status(10.1, median=100, base=100), "noisy")
        self.assertEqual(self.status(19.9, median=10, base=1000), "ok")
        self.assertEqual(self.status(20.1, median=10, base=1000), "noisy")


class Reads(unittest.TestCase):
    """By hand: 1000 adds in 500 ticks, so a tick is two cycles."""

    def test_every_pair_of_reads_is_subtracted(self) -> None:
        clock = stats.Clock("cycles", 1000, 1000, offset=10, slice_loops=100)
        sample = raw.Sample("empty", "none", "disabled", 0, 0, 250, 1, 1030, 510, 510, 510, 510)
        self.assertEqual(clock.per_tick(sample), 2)
        self.assertEqual(clock.per_loop(sample), 8)  # (1030 - 3 reads of 10) * 2 / 250
        self.assertTrue(clock.is_good(sample))

    def test_a_step_of_the_counter_is_what_a_loop_resolves(self) -> None:
        clock = stats.Clock("cycles", 1000, 1000, step=25)
        sample = raw.Sample("empty", "none", "disabled", 0, 0, 100, 1, 1000, 500, 500, 500, 500)
        self.assertEqual(clock.step_per_loop(sample), 0.5)


class Instructions(unittest.TestCase):
    def test_icount_is_exact(self) -> None:
        cases = stats.analyse(raw.parse(vm({"generic": 3, "nop5": 1}), "here")[0])
        seen = defaultdict(set)
        for case in cases:
            self.assertEqual((case.unit, case.status, case.resolution), ("instructions", "ok", 1e-7))
            self.assertEqual(case.per_loop.lo, case.per_loop.hi)
            self.assertEqual(case.added.lo, case.added.hi)
            seen[case.variant].add(round(case.added.median, 9))
        self.assertEqual(seen, {"none": {0}, "null": {0}, "generic": {3}, "nop5": {1}})


class Refused(unittest.TestCase):
    def refused(self, text: str, words: str) -> None:
        with self.assertRaisesRegex(Failure, words):
            analyse(text)

    def test_what_cannot_be_computed_is_named(self) -> None:
        rows = native_rows(Plan(rounds=2))
        for variant in ("none", "null"):
            rest = [row for row in rows if row[3] != variant]
            self.refused(rows_text(rest), f"native: empty, disabled: no samples of {variant}")
        apart = [[*row[:1], "9", *row[2:]] if row[3] == "flip" else row for row in rows]
        self.refused(rows_text(apart), "shares no round and layout with none")
        unchained = [[*row[:9], "0", "0", "0", "0"] for row in rows]
        self.refused(rows_text(unchained), "no chains, so ticks cannot become cycles")
        self.refused(
            rows_text([*rows[:-1], unchained[-1]]), "here:.* it has all chains, where others have not"
        )
