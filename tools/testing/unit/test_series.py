# SPDX-License-Identifier: GPL-2.0-only
"""The statistics of the methods of timing: against numpy, and against what
Paoloni's paper and the lecture print where they give the inputs."""

from __future__ import annotations

import unittest
from collections import Counter as Counts
from dataclasses import replace
from fractions import Fraction

import numpy as np
from kmark.analysis import raw
from kmark.errors import Failure
from kmark.timing import kbest, method, method_text, series, verdict
from kmark.timing.series import Ensemble, Evaluation, Resolution, Series, Unit

Samples = list[list[int]]


def ensemble(number: int, samples: list[int], stores: int = 0) -> Ensemble:
    return Ensemble(
        number=number, stores=stores, kept=len(samples), sum=sum(samples),
        squares=sum(value * value for value in samples), min=min(samples), max=max(samples),
        backwards=0, disturbed=0, worst=0, took=0,
    )  # fmt: skip


def offsets(samples: Samples, step: int = 1) -> Series:
    found = [ensemble(number, one) for number, one in enumerate(samples)]
    return Series("native", "lfence", "", "offset", len(samples[0]), 0, step, 1, 3, (0, 0, 0, 0), found, [])


def loops(minima: list[int], stride: int = 1, step: int = 1) -> Series:
    found = [ensemble(number, [least], number * stride) for number, least in enumerate(minima)]
    return Series("native", "rdtscp", "", "stores", 1, 0, step, stride, 3, (0, 0, 0, 0), found, [])


def paper_minima() -> list[int]:
    """As printed: 44 for 0 to 5, 48 for 6 to 10, then +4 for each 2 stores."""
    return [44] * 6 + [48] * 5 + [52 + 4 * ((j - 11) // 2) for j in range(11, 1000)]


class Statistics(unittest.TestCase):
    def test_against_numpy(self) -> None:
        samples = np.random.default_rng(7).integers(26, 300, (50, 1000))
        found = Evaluation.of(offsets([[int(value) for value in row] for row in samples]))
        variances = samples.var(axis=1)
        for one, other in (
            (found.total_variance, variances.mean()),
            (found.variance_of_variances, variances.var()),
            (found.variance_of_minima, samples.min(axis=1).var()),
            (found.max_deviation, (samples.max(axis=1) - samples.min(axis=1)).max()),
            (found.spurious, (np.diff(samples.min(axis=1)) < 0).sum()),
        ):
            self.assertAlmostEqual(float(one) / float(other), 1, 9)

    def test_no_cancellation_where_doubles_fail(self) -> None:
        base = 10**15
        self.assertEqual(ensemble(0, [base, base + 1, base + 2]).variance, Fraction(2, 3))

    def test_no_overflow_where_the_paper_has_one(self) -> None:
        samples = [2**40 + 4 * (i % 2) for i in range(100)]
        one = ensemble(0, samples)
        self.assertGreater(one.kept * one.squares, 2**64)
        self.assertEqual(one.variance, 4)

    def test_spurious_minima_are_counted(self) -> None:
        """`prev_min = 0` in the listing is an assignment, so none was ever seen (B9)."""
        self.assertEqual(offsets([[44], [48], [44], [44], [43]]).spurious, 2)
        self.assertEqual(loops(paper_minima()).spurious, 0)


def with_histogram(samples: Samples) -> Series:
    counts = Counts(value for one in samples for value in one)
    return replace(offsets(samples), bins=[(value, 1, count) for value, count in sorted(counts.items())])


class Ergodic(unittest.TestCase):
    """Ergodic: the variances of ensembles are those of independent samples."""

    def drawn(self, spread: list[int]) -> Evaluation:
        """Ensembles of a least sample and draws between 30 and 30 and the spread."""
        random = np.random.default_rng(5)
        return Evaluation.of(
            with_histogram([[30, *map(int, random.integers(30, 30 + one, 500))] for one in spread])
        )

    def test_independent_samples_are(self) -> None:
        found = self.drawn([60] * 200)
        assert found.if_independent
        self.assertAlmostEqual(float(found.variance_of_variances / found.if_independent), 1, delta=0.3)
        self.assertTrue(found.ergodic)
        self.assertGreater(found.variance_of_variances, 1)  # the paper's integers would refuse it

    def test_ensembles_of_two_kinds_are_not(self) -> None:
        self.assertFalse(self.drawn([55, 65] * 100).ergodic)

    def test_a_minimum_that_changes_is_not(self) -> None:
        samples = [[30 + number % 2, 40, 50] for number in range(10)]
        self.assertFalse(Evaluation.of(with_histogram(samples)).ergodic)

    def test_samples_that_are_all_the_same_are(self) -> None:
        self.assertTrue(Evaluation.of(with_histogram([[9, 9]] * 3)).ergodic)

    def test_the_deviation_is_that_of_all_samples(self) -> None:
        """Disturbed samples, which are left out otherwise, too."""
        one = replace(ensemble(0, [26, 52]), disturbed=1, worst=2626)
        self.assertEqual(replace(offsets([[1]]), ensembles=[one]).ensembles[0].deviation, 2600)


class Paper(unittest.TestCase):
    def test_standard_errors(self) -> None:
        """A variance of 48 is 6.9 cycles: 5 % from 139 cycles on, 1 % from 690."""
        found = Evaluation(0, Fraction(48), 0, Fraction(), Fraction(), 1)
        self.assertEqual(round(found.shortest(1), 1), 6.9)
        self.assertEqual(round(found.shortest(0.05)), 139)
        self.assertAlmostEqual(found.shortest(0.01), 690, delta=3)

    def test_resolution_of_rdtscp_is_two_stores(self) -> None:
        found = Resolution.of(loops(paper_minima()))
        assert found
        self.assertEqual((found.stores, found.start, found.spurious), (2, 6, 0))
        self.assertAlmostEqual(found.ticks, 4, delta=0.1)

    def test_variance_of_those_minima(self) -> None:
        """The paper prints 335926, of minima that end at 2048; the pattern ends at 2028."""
        self.assertAlmostEqual(series.floored_variance(paper_minima()) / 335926, 1, delta=0.03)

    def test_verdicts_on_its_three_methods(self) -> None:
        for figures, ergodic in (((2306, 118), False), ((0, 0), True), ((255, 0), True),
                                 ((256, 0), False), ((0, 118), False)):  # fmt: skip
            variances, minima = map(Fraction, figures)
            found = Evaluation(0, Fraction(2), 4, variances, minima, 4)
            self.assertEqual(found.ergodic, ergodic)

    def test_its_log(self) -> None:
        lines = series.intel_lines(offsets([[44, 46, 48], [44, 44, 44]]))
        self.assertEqual(lines, [
            "Loading hello module...",
            "loop_size:0 >>>> variance(cycles): 2; max_deviation: 4 ;min time: 44",
            "loop_size:1 >>>> variance(cycles): 0; max_deviation: 0 ;min time: 44",
            "", "total number of spurious min values = 0",
            "", "total variance = 1",
            "", "absolute max deviation = 4",
            "", "variance of variances = 1",
            "", "variance of minimum values = 0",
        ])  # fmt: skip


class Resolutions(unittest.TestCase):
    def test_exact_counts_tell_one_store(self) -> None:
        found = Resolution.of(loops([9 + 3 * j for j in range(100)]))
        assert found
        self.assertEqual((found.stores, found.ticks), (1, 3))

    def test_a_coarse_counter_with_a_stride(self) -> None:
        """Steps of 26, half a step for each number: two numbers, or 42 stores."""
        found = Resolution.of(loops([26 * (j // 2) for j in range(400)], stride=21, step=26))
        assert found
        self.assertEqual(found.stores, 42)

    def test_loops_that_never_show(self) -> None:
        self.assertIsNone(Resolution.of(loops([44] * 100)))


HEAD = (
    "#kmark-raw/1\n#env\tnative\n#tsc_step\t26\n#chain_adds\t65536\n#chain_imuls\t32768\n#imul_latency\t3\n"
)
COLUMNS = (
    "series\tnumber\tfence\treads\ttest\tsamples\ttolerance\tstep\tstride\tinsns\tadd0\timul0\tadd1\timul1\n"
    "ensemble\tseries\tnumber\tstores\tkept\tsum\tsquares\tmin\tmax\tbackwards\tdisturbed\tworst\ttook\n"
    "skew\tcpu\tother\tlow\thigh\trounds\n"
)


def document(
    invariant: str = "yes", skew: str = "-20\t20", chains: str = "40999\t61479\t40999\t61479"
) -> raw.Raw:
    text = HEAD + f"#tsc_invariant\t{invariant}\n" + COLUMNS
    text += f"series\t0\tlfence\tr\toffset\t2\t4\t26\t1\t3\t{chains}\n"
    text += "ensemble\t0\t0\t0\t2\t4e\td34\t26\t52\t0\t0\t0\t500\n"
    text += f"skew\t1\t0\t{skew}\t500\n"
    (found,) = raw.parse(text, "test")
    return found


class Counter(unittest.TestCase):
    """Warnings and facts about the counter at the head of a report."""

    def test_a_good_one_is_not_mentioned(self) -> None:
        self.assertEqual([w for w in verdict.warnings(document()) if "clocksource" not in w], [])
        self.assertNotIn("NOT", verdict.counter_fact(document()))

    def test_one_that_is_not_invariant(self) -> None:
        self.assertIn("not invariant", verdict.warnings(document(invariant="no"))[0])

    def test_two_that_are_apart(self) -> None:
        for skew, ticks in (("100\t300", 100), ("-300\t-50", 50)):
            found = document(skew=skew)
            self.assertIn(f"{ticks} ticks apart", verdict.warnings(found)[0])
            self.assertIn("NOT synchronised", verdict.counter_fact(found))
            self.assertIn("warning", verdict.facts(found))

    def test_instructions_need_no_clock(self) -> None:
        found = document(invariant="no", chains="0\t0\t0\t0")
        self.assertEqual(verdict.warnings(found), [])

    def test_sums_are_read(self) -> None:
        (found,) = verdict.judge(document())
        self.assertEqual((found.offset.mean, found.evaluation.total_variance), (39, 169))
        self.assertAlmostEqual(found.unit.per_tick, 1.6)

    def test_reads_that_take_long_are_no_part_of_a_chain(self) -> None:
        """A CPUID that a hypervisor intercepts takes as long as the chain."""
        found = document(chains="\t".join(["80960", "101440"] * 2))
        (made,) = series.load(found)
        slow = replace(made, ensembles=[ensemble(0, [40000, 40000])])
        self.assertEqual(Unit.of(found, [slow]), Unit("cycles", 1.6))

    def test_the_three_faults_of_a_bare_read(self) -> None:
        text = HEAD + "#naive_register\t2006 1234\n" + COLUMNS
        tests = (("offset", "2\t34\t548\t26\t26"), ("inside", "2\t36\t5a4\t27\t27"))
        for number, (test, samples) in enumerate(tests):
            text += f"series\t{number}\trdtsc\tr\t{test}\t2\t4\t1\t1\t3\t40960\t61440\t40960\t61440\n"
            text += f"ensemble\t{number}\t0\t0\t{samples}\t0\t0\t0\t500\n"
        (found,) = raw.parse(text, "test")
        faults = method_text.naive(found, verdict.judge(found))
        for fault, words in zip(
            faults, ("2006 has 1234", "2 of 192 cycles", "26 to 26 ticks"), strict=True
        ):
            self.assertIn(words, fault)
        del found.environment["naive_register"]
        self.assertEqual(method_text.naive(found, verdict.judge(found)), [])

    def test_a_cpuid_has_a_time_but_where_instructions_are_counted(self) -> None:
        found = document()
        (one,) = verdict.judge(found)
        slower = replace(one.offset, ensembles=[ensemble(0, [1026, 1052])])
        for unit, has_line in (("instructions", False), ("ticks", True), ("cycles", True)):
            both = [replace(one, fence=fence, offset=offset, unit=Unit(unit, 1))
                    for fence, offset in (("lfence", one.offset), ("cpuid", slower))]  # fmt: skip
            lines = list(method_text.cpuid_line(found, both))
            self.assertEqual(["takes 1000 ticks" in line for line in lines], [True] * has_line, unit)

    def test_how_long_all_samples_of_the_paper_take(self) -> None:
        """10^8 samples of 1 us and as many of 4 us: 500 s."""
        self.assertAlmostEqual(method.full_minutes(["lfence"], {"lfence": 1e-6}), 500 / 60)

    def test_chains_that_disagree_give_ticks(self) -> None:
        found = document(chains="40960\t70000\t40960\t70000")
        self.assertEqual(Unit.of(found, series.load(found)).name, "ticks")


class Lecture(unittest.TestCase):
    def test_a_segment_is_off_by_less_than_delta(self) -> None:
        """Seven ticks of 10 ms: 70 ms, for what took more than 60 and less than 80."""
        for actual, holds in ((60_001, True), (79_999, True), (59_000, False), (81_000, False)):
            rows = [{"round": "0", "delta_us": "10000", "ticks": "7", "actual_us": str(actual)}]
            self.assertEqual(kbest.counts(rows)[0].holds, holds)

    def test_a_validation_has_no_negative_errors(self) -> None:
        """As in three of nine runs, whose calibration had been disturbed: 35 % less than expected."""
        row = {"load": "2", "us": "2000", "expected": "1000", "measured": "1040", "compensated": "1002",
               "runs": "20", "converged": "0"}  # fmt: skip
        (found,) = kbest.points([row])
        self.assertEqual([round(one, 3) for one in (found.error, found.compensated)], [0.04, 0.002])
        lines = list(kbest.validation_lines([replace(found, load=load) for load in kbest.LOADS]))
        self.assertEqual(lines[-1].count("!"), 3)
        self.assertIn("fill: none", kbest.validation_plot([found]))
        with self.assertRaisesRegex(Failure, "35.00% less than its calibration says"):
            kbest.points([row | {"measured": "650"}])
