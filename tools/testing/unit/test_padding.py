# SPDX-License-Identifier: GPL-2.0-only
"""The native gate: a cold block whose call crosses a cache line at some places is found."""

from __future__ import annotations

import unittest
from unittest import mock

from kmark.analysis import raw
from kmark.bench import padding
from kmark.errors import Failure
from synthetic import Plan, native


def found(cost: float, without: float = 3.0, lost: tuple[str, ...] = padding.PADDED) -> padding.Padding:
    """`cost`: cycles that a crossing adds to the padded loops `lost`, at two of their four places;
    `without`: to the others."""
    shifts = dict.fromkeys((*padding.PADDED, *padding.WITHOUT), 8.0)

    def effect(variant: str, layout: int) -> float:
        if layout < 2 or variant not in shifts:
            return 0.0
        if variant in padding.PADDED:
            return cost if variant in lost else 0.0
        return without

    plan = Plan(shifts=shifts, base=2.0, state="enabled", noise=0.3, layout_effect=effect)
    return padding.of(raw.parse(native(plan), "here")[0])


class Gate(unittest.TestCase):
    def test_padding_that_works_is_not_reported(self) -> None:
        made = found(0.2)
        self.assertFalse(made.lost)
        self.assertTrue(made.visible)
        self.assertIn("no padding is lost", "\n".join(padding.lines(made)))

    def test_a_lost_padding_is_found(self) -> None:
        made = found(1.2)  # a cycle and noise, of 10
        self.assertTrue(made.lost)
        self.assertIn("a padding is lost", "\n".join(padding.lines(made)))
        self.assertTrue(padding.record(made)["lost"])

    def test_one_gate_that_shows_it_is_enough(self) -> None:
        self.assertTrue(found(1.2, lost=("pun",)).lost)

    def test_a_cpu_that_does_not_mind_is_named(self) -> None:
        self.assertIn("not resolved", "\n".join(padding.lines(found(0.0, 0.0))))

    def test_a_run_without_the_loops_is_refused(self) -> None:
        with self.assertRaisesRegex(Failure, "empty, enabled: nop5 is not at two places"):
            padding.of(raw.parse(native(Plan()), "here")[0])


class Measured(unittest.TestCase):
    """Measuring again after a disturbance, by stand-ins for the measurements."""

    def attempts(self, *costs: float) -> tuple[padding.Padding, int]:
        with (
            mock.patch.object(padding, "make"),
            mock.patch.object(padding, "measure_once", side_effect=[found(cost) for cost in costs]) as once,
        ):
            return padding.measure(), once.call_count

    def test_a_disturbance_is_measured_again(self) -> None:
        made, count = self.attempts(1.2, 0.2)
        self.assertFalse(made.lost)
        self.assertEqual(count, 2)

    def test_a_lost_padding_is_lost_each_time(self) -> None:
        made, count = self.attempts(1.2, 1.2, 1.2)
        self.assertTrue(made.lost)
        self.assertEqual(count, padding.ATTEMPTS)
