# SPDX-License-Identifier: GPL-2.0-only
"""Lost events in the output of `lttng list`."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import unittest
from pathlib import Path
from unittest import mock

from kmark.bench import lttng
from kmark.errors import Failure

RECORDER = """
import sys
from kmark.bench import lttng
with lttng.recording() as environment:
    print(environment.get("LTTNG_HOME", ""), flush=True)
    sys.stdin.read()
"""
LISTING = """
- bench: [enabled]
    Attributes:
      Event-loss mode:  discard
    Statistics:
      Discarded events: {}
"""


class Session(unittest.TestCase):
    def test_records_the_event_until_its_end_and_asks_what_was_lost(self) -> None:
        asked: list[str] = []

        def control(_environment: object, *words: str) -> str:
            asked.append(" ".join(words))
            return LISTING.format(0)

        with mock.patch.object(lttng, "control", control), lttng.session({}, Path("/x"), "one"):
            asked.append("-")
        self.assertEqual(asked, [
            "create one --output=/x/trace",
            "enable-channel --userspace --session=one --subbuf-size=1M --num-subbuf=16 "
            "--tracefile-size=4M --tracefile-count=4 bench",
            "enable-event --userspace --session=one --channel=bench marker_bench:bench_event",
            "start one", "-", "stop one", "list one",
        ])  # fmt: skip


class Lost(unittest.TestCase):
    def test_none_lost(self) -> None:
        lttng.check_kept(LISTING.format(0))

    def test_lost_ones_are_an_error(self) -> None:
        for listing in (LISTING.format(12), "      Lost packets: 3\n"):
            with self.assertRaisesRegex(Failure, "(12|3), so the figure"):
                lttng.check_kept(listing)

    def test_a_listing_without_statistics_is_an_error(self) -> None:
        with self.assertRaisesRegex(Failure, "does not say"):
            lttng.check_kept("Recording session kmark-1: [inactive]\n")


@unittest.skipUnless(lttng.is_there(), "LTTng is not installed")
class Killed(unittest.TestCase):
    def remains(self, process: int) -> str:
        """Return what a recorder left: its folder, its cleaner, and its session."""
        name = f"kmark-{process}"
        folders = [path.name for path in lttng.SCRATCH.glob(f"kmark-lttng.{process}.*")]
        found = subprocess.run(
            ["pgrep", "-af", f"kmark-lttng.*{name}"], capture_output=True, text=True, check=False
        )
        try:
            listing = lttng.control(dict(os.environ), "list")
        except Failure:
            listing = ""
        return " ".join(folders) + found.stdout + (name if name in listing else "")

    def test_a_killed_recorder_leaves_nothing(self) -> None:
        with subprocess.Popen(
            [sys.executable, "-P", "-c", RECORDER], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as recorder:
            assert recorder.stdout
            recorder.stdout.readline()
            self.assertTrue(self.remains(recorder.pid))
            recorder.kill()
        deadline = time.monotonic() + 2 * lttng.PATIENCE_S
        while self.remains(recorder.pid) and time.monotonic() < deadline:
            time.sleep(0.1)
        self.assertEqual(self.remains(recorder.pid), "")
