# SPDX-License-Identifier: GPL-2.0-only
"""Tests of the agreement of two runs of the same build."""

from __future__ import annotations

import unittest
from dataclasses import replace

from kmark.analysis.cases import Estimate
from kmark.errors import Failure
from kmark.report import agree
from synthetic import changed
from test_compare import NATIVE, made


class Agreement(unittest.TestCase):
    def test_two_runs_of_the_same_agree(self) -> None:
        found = agree.agreement(made(), made(seed=2))
        self.assertEqual((found.cells, found.apart, found.percent), (3 + 2 * 2 * 3, [], 100.0))

    def test_a_planted_difference_is_one_cell(self) -> None:
        found = agree.agreement(made(), made(NATIVE | {"flip": 0.8}, seed=2))
        self.assertEqual([cell.name for cell in found.apart], ["native empty disabled flip"])
        self.assertAlmostEqual(found.percent, 100 * 14 / 15)
        output = "\n".join(agree.lines(found, 95.0))
        self.assertIn("14 of 15 cells agree: 93.3 %, too few (wanted 95 %)", output)

    def test_what_none_against_none_shows_is_no_difference(self) -> None:
        before, after = made(), made()
        (cell,) = [c for c in after.cases if c.env == "native" and c.variant == "flip"]
        resolution = next(e.resolution for e in after.null if e.env == "native")
        added = cell.added
        for share, apart in ((0.9, 0), (1.1, 1)):
            by = added.hi - added.lo + share * resolution
            further = Estimate(added.median + by, added.lo + by, added.hi + by)
            moved = changed(after, lambda one: one == cell, added=further)
            self.assertEqual(len(agree.agreement(before, moved).apart), apart)

    def test_instructions_are_exact(self) -> None:
        found = agree.agreement(made(), made(guest={"generic": 3, "flip": 2}))
        self.assertEqual({cell.name.split()[-1] for cell in found.apart}, {"flip"})
        self.assertEqual(len(found.apart), 6)

    def test_noisy_cells_count(self) -> None:
        noisy = changed(made(), lambda _: True, status="noisy")
        self.assertEqual(agree.agreement(noisy, noisy).cells, 15)

    def test_another_status_is_a_flip(self) -> None:
        other = made()
        for number in (1, 2):
            other.cases[number] = replace(other.cases[number], status="noisy")
        found = agree.agreement(made(), other)
        self.assertEqual((found.flips, found.apart), (2, []))
        self.assertIn("13 of 15 cells have the same status in both", "\n".join(agree.lines(found, 95.0)))

    def test_nothing_in_common_is_a_failure(self) -> None:
        other = changed(made(), lambda _: True, shape="moon")
        with self.assertRaises(Failure):
            agree.agreement(made(), other)
