# SPDX-License-Identifier: GPL-2.0-only
"""Toggle cost: medians per site, ratios within a round, and what is not known."""

from __future__ import annotations

import unittest

from kmark.analysis import raw, toggle
from kmark.analysis.cases import Estimate
from kmark.errors import Failure
from synthetic import TOGGLE_COLUMNS, Plan, guest_toggles, native, toggle_row, toggles, vm


def costs(records: str, env: str = "native") -> list[toggle.Cost]:
    cases = native(Plan(rounds=2)) if env == "native" else vm({"flip": 1})
    (document,) = raw.parse(cases + records, "here")
    return toggle.analyse(document)


class Costs(unittest.TestCase):
    def test_are_per_site_and_in_the_unit_of_the_environment(self) -> None:
        together, single, closed = costs(toggles())
        self.assertEqual([cost.what for cost in (together, single)], ["together", "single"])
        self.assertEqual((together.per_site.median, single.per_site.median), (100, 10300))
        self.assertEqual((closed.state, closed.per_site.median), ("closed", 50))
        self.assertEqual({cost.unit for cost in (together, single, closed)}, {"ns"})
        self.assertEqual((single.transactions, single.rounds, single.traps), (10000, 20000, 3))
        self.assertEqual((single.samples, single.peer), (7, 0.99))

    def test_have_the_interval_of_the_sign_test(self) -> None:
        _, single, _ = costs(toggles())
        self.assertEqual((single.per_site.lo, single.per_site.hi), (10000, 10600))

    def test_ratios_are_taken_within_a_round(self) -> None:
        records = TOGGLE_COLUMNS
        for round_, slow in enumerate((1, 10, 1, 1, 10, 10)):  # the machine, not the sites
            records += toggle_row("together", "open", 100 * slow, round_)
            records += toggle_row("single", "open", 6000 * slow, round_)
        together, single = costs(records)
        self.assertIsNone(together.ratio)
        self.assertEqual(single.ratio, Estimate(60, 60, 60))

    def test_what_has_no_counterpart_has_no_ratio(self) -> None:
        records = TOGGLE_COLUMNS + toggle_row("together", "open", 5) + toggle_row("single", "closed", 5)
        records += toggle_row("single", "open", 5, 1)
        self.assertEqual([cost.ratio for cost in costs(records)], [None, None, None])

    def test_what_is_not_known_stays_so(self) -> None:
        together, keys, closed = costs(guest_toggles(), "vm")
        self.assertEqual((keys.rounds, keys.traps, keys.peer), (None, None, None))
        self.assertEqual((together.rounds, together.unit), (2, "instructions"))
        self.assertEqual(keys.ratio, Estimate(3, 3, 3))
        self.assertEqual((closed.state, closed.ratio), ("closed", None))
        self.assertEqual([cost.interrupts for cost in (together, keys, closed)], [None, 30000, None])

    def test_interrupts_that_are_no_number_are_refused(self) -> None:
        with self.assertRaisesRegex(Failure, "vm: interrupts: "):
            costs(guest_toggles().replace("\t30000", "\tmany"), "vm")

    def test_none_were_measured(self) -> None:
        self.assertEqual(costs(""), [])
