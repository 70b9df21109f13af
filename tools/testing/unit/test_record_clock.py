# SPDX-License-Identifier: GPL-2.0-only
"""The clock of a trace: from its readings to times of day, and when it is written again."""

from __future__ import annotations

import re
import unittest
from pathlib import Path
from unittest import mock

from kmark.errors import Failure
from kmark.record import clock, ctf

S = clock.NS_PER_S
CLOCK = clock.Clock("tsc", 2_000_000_000, 5_000_000_000, 1_700_000_000_250_000_000)
KEYS = {
    "clock": "tsc", "clock.hz": "2000000000", "clock.value": "7000", "clock.mono": "100",
    "clock.realtime": "900", "clock.now.value": "7000", "clock.now.mono": "100",
}  # fmt: skip


def realtime(found: clock.Clock, value: int) -> int:
    """As a reader of the trace computes it, in ns."""
    seconds, rest = clock.offset(found)
    return seconds * S + (rest + value) * S // found.hz


class Offset(unittest.TestCase):
    def test_it_leads_from_the_counter_to_the_time_of_day(self) -> None:
        found = dict(re.findall(r"(\w+) = (\w+);", ctf.clock_text(CLOCK, "some-boot")))
        self.assertEqual((found["name"], found["freq"]), ("monotonic", "2000000000"))
        self.assertEqual((int(found["offset_s"]), int(found["offset"])), clock.offset(CLOCK))
        self.assertEqual(realtime(CLOCK, CLOCK.value), CLOCK.realtime)
        self.assertLess(int(found["offset"]), CLOCK.hz)
        self.assertIn('uuid = "some-boot";', ctf.clock_text(CLOCK, "some-boot"))


class Session(unittest.TestCase):
    def test_the_frequency_at_first(self) -> None:
        self.assertEqual(clock.clock_of(KEYS), clock.Clock("tsc", 2 * 10**9, 7000, 900))

    def test_the_line_through_two_readings_later(self) -> None:
        """A counter that is 300 ppm faster than was measured at boot, for 100 s."""
        ticks = 2 * 10**9 * 100 * 1_000_300 // 1_000_000
        later = {"clock.now.value": str(7000 + ticks), "clock.now.mono": str(100 + 100 * S)}
        found = clock.clock_of({**KEYS, **later})
        self.assertAlmostEqual(realtime(found, 7000), 900, delta=1)
        self.assertAlmostEqual(realtime(found, 7000 + ticks // 2), 900 + 50 * S, delta=30)
        self.assertAlmostEqual(realtime(found, 7000 + ticks), 900 + 100 * S, delta=60)

    def test_the_line_is_taken_after_a_second(self) -> None:
        """Frequencies are rounded to the nearest integer."""
        for ns, ticks, hz in (
            (S - 1, 5, 2 * 10**9),
            (S, 5, 5),
            (2 * S, 6, 3),
            (2 * S, 7, 4),
            (3 * S, 7, 2),
        ):
            later = {"clock.now.value": str(7000 + ticks), "clock.now.mono": str(100 + ns)}
            self.assertEqual(clock.clock_of({**KEYS, **later}), clock.Clock("tsc", hz, 7000, 900, ns))

    def test_the_monotonic_clock_keeps_its_frequency(self) -> None:
        later = {"clock": "mono", "clock.hz": str(S), "clock.now.value": "5", "clock.now.mono": str(9 * S)}
        self.assertEqual(clock.clock_of({**KEYS, **later}).hz, S)

    def test_what_is_missing(self) -> None:
        with self.assertRaisesRegex(Failure, "nothing has been connected"):
            clock.clock_of({"state": "closed"})
        for hz in ("0", "-1"):
            with self.assertRaisesRegex(
                Failure, "frequency of the clock tsc is not known: use --clock mono"
            ):
                clock.clock_of({**KEYS, "clock.hz": hz})
        with self.assertRaisesRegex(Failure, "ctf/session: the clock hpet is none of mono, tsc"):
            clock.clock_of({**KEYS, "clock": "hpet"})
        with (
            mock.patch.object(clock, "BOOT_ID", Path("/none")),
            self.assertRaisesRegex(Failure, "/none: No such"),
        ):
            clock.boot_id()

    def test_readings_of_no_clock(self) -> None:
        for ticks, ns in ((1, 10**30), (-(10**9), 2 * S)):
            later = {"clock.now.value": str(7000 + ticks), "clock.now.mono": str(100 + ns)}
            with self.assertRaisesRegex(Failure, f"{ticks} ticks of tsc in {ns} ns are no clock"):
                clock.clock_of({**KEYS, **later})


class Due(unittest.TestCase):
    def ages(self, source: str, seconds: int) -> list[int]:
        """When it is written, if it is looked at each second."""
        written, ages = None, []
        for age in range(seconds):
            now = clock.Clock(source, S, 0, 0, age * S)
            if clock.is_due(now, written):
                written = now
                ages.append(age)
        return ages

    def test_a_counter_whenever_the_trace_is_twice_as_old(self) -> None:
        self.assertEqual(self.ages("tsc", 100), [0, 1, 2, 4, 8, 16, 32, 64])

    def test_the_monotonic_clock_once(self) -> None:
        self.assertEqual(self.ages("mono", 100), [0])
