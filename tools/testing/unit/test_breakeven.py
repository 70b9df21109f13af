# SPDX-License-Identifier: GPL-2.0-only
"""When a marker is cheaper than a dynamic probe."""

from __future__ import annotations

import unittest
from dataclasses import replace

import synthetic
from kmark.analysis.cases import Case, Estimate
from kmark.report import breakeven, report, text
from kmark.report.breakeven import Breakeven, Term, compute


def case(shape: str, variant: str, state: str, added: float, status: str = "ok") -> Case:
    return synthetic.case(
        env="vm", shape=shape, variant=variant, state=state, unit="instructions",
        sites=8 if shape == "unrolled8" else 1, added=Estimate(added, added, added), status=status,
        resolution=0.5,
    )  # fmt: skip


CASES = [
    case("empty", "none", "disabled", 0.0),
    case("empty", "mark", "disabled", 0.1, "unresolved"),
    case("empty", "mark", "enabled", 6.0),
    case("unrolled8", "mark", "disabled", 8.0),
    case("empty", "kprobe-int3", "disabled", 1.0),
    case("empty", "kprobe-int3", "enabled", 302.0),
    case("event", "none", "enabled", 0.0),
    case("event", "relay", "enabled", 64.0),
    case("event", "ring-buffer", "enabled", 356.0),
]


class Arithmetic(unittest.TestCase):
    def test_at_the_share_both_cost_the_same(self) -> None:
        one = compute("vm", "cycles", ("mark", "kprobe"), Term(2.5), 54.0, 4178.0, (278.0, "x"))
        assert one.share is not None and one.events is not None and one.most is not None
        self.assertAlmostEqual((1 - one.share) * 2.5 + one.share * 54.0, one.share * 4178.0)
        self.assertAlmostEqual(one.events, one.share * 1e6)
        share = breakeven.HIGH / one.most
        self.assertAlmostEqual((1 - share) * 2.5 + share * 54.0, share * 4178.0)
        self.assertAlmostEqual(one.ratio_stored or 0, (4178.0 + 278) / (54.0 + 278))

    def test_a_free_marker_is_cheaper_at_once_and_a_dear_one_never(self) -> None:
        free = compute("vm", "cycles", ("mark", "kprobe"), Term(-0.1), 5.0, 100.0, None)
        self.assertEqual((free.share, free.events, free.most), (0.0, 0.0, None))
        dear = compute("vm", "cycles", ("mark", "kprobe"), Term(1.0), 100.0, 50.0, None)
        self.assertEqual((dear.share, dear.events, dear.most), (None, None, None))

    def test_the_mails(self) -> None:
        empty, copy = breakeven.of_thread()
        self.assertAlmostEqual(empty.probe, 4178.23, delta=0.01)
        self.assertAlmostEqual(empty.ratio or 0, 77.0, delta=0.1)
        self.assertAlmostEqual(100 * (empty.share or 0), 0.0606, delta=0.001)
        self.assertAlmostEqual(copy.disabled.value, 0.0735, delta=0.0001)


class Report(unittest.TestCase):
    def find(self, cases: list[Case]) -> list[Breakeven]:
        return [entry for entry in breakeven.load(cases) if entry.env == "vm"]

    def text(self, cases: list[Case]) -> str:
        made = replace(
            report.of([], {}, ""), cases=cases, breakeven=self.find(cases) or breakeven.of_thread()
        )
        return "\n".join(text.breakeven_lines(made))

    def test_terms_come_from_the_cases(self) -> None:
        (entry,) = self.find(CASES)
        self.assertEqual((entry.marker, entry.dynamic), ("mark", "kprobe-int3"))
        self.assertEqual(entry.disabled, Term(1.0, True, "unrolled8"))
        self.assertEqual((entry.enabled, entry.probe), (6.0, 301.0))
        self.assertEqual((entry.stored, entry.stored_by), (64.0, "relay"))

    def test_what_is_not_resolved_is_a_bound(self) -> None:
        cases = [one for one in CASES if one.shape != "unrolled8"]
        (entry,) = self.find(cases)
        self.assertEqual(entry.disabled, Term(0.5, False, "empty"))
        output = self.text(cases)
        self.assertRegex(output, r"mark +kprobe-int3 +<0\.5000 +6\.00 +301\.0 +<0\.17 +50\.2 +5\.2")
        self.assertLessEqual(max(map(len, output.splitlines())), 72)

    def test_the_least_bound_of_all_loops_holds(self) -> None:
        more = case("unrolled8", "mark", "disabled", 0.1, "unresolved")
        (entry,) = self.find([more, *(one for one in CASES if one.shape != "unrolled8")])
        self.assertEqual(entry.disabled, Term(0.5 / 8, False, "unrolled8"))

    def test_a_bound_is_all_that_the_interval_allows(self) -> None:
        wide = replace(CASES[1], added=Estimate(0.1, -0.2, 0.9))
        (entry,) = self.find([wide, *(one for one in CASES[2:] if one.shape != "unrolled8")])
        self.assertEqual(entry.disabled, Term(0.9, False, "empty"))

    def test_a_negative_cost_is_a_bound(self) -> None:
        faster = replace(CASES[1], added=Estimate(-0.7, -0.8, -0.6), status="negative")
        (entry,) = self.find([faster, *(one for one in CASES[2:] if one.shape != "unrolled8")])
        self.assertEqual(entry.disabled, Term(0.8, False, "empty"))

    def test_sites_without_code_are_no_dynamic_probe(self) -> None:
        more = [
            case("empty", "kprobe-site", state, added) for state, added in (("disabled", 0), ("enabled", 9))
        ]
        before = list(breakeven.of_env("vm", CASES))
        self.assertEqual(list(breakeven.of_env("vm", CASES + more)), before)

    def test_without_a_dynamic_probe_there_is_nothing_to_compare(self) -> None:
        left = [one for one in CASES if one.variant != "kprobe-int3"]
        self.assertEqual(self.find(left), [])
        self.assertIn("not measured in: vm", self.text(left))
