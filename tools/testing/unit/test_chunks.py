# SPDX-License-Identifier: GPL-2.0-only
"""Recordings in parts: each event is in a part that is left, or is counted as removed."""

from __future__ import annotations

import os
import random
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from kmark.errors import Failure
from kmark.record import chunks, recording, sink
from kmark.record.sink import PACKET


class Kernel:
    """A session, of which each packet has another number of events. The last word of a packet is that
    number."""

    def __init__(self) -> None:
        self.recorded = 0
        self.classes = 1

    def packets(self, *events: int) -> memoryview:
        self.recorded += sum(events)
        return memoryview(b"".join(bytes(PACKET - 4) + count.to_bytes(4, "little") for count in events))

    def counts(self) -> dict[str, int]:
        return {"recorded": self.recorded, "lost": 5, "overwritten": 0}


def events_in(folder: Path) -> int:
    """The events of all packets in a folder and in its folders."""
    found = 0
    for path in folder.rglob("cpu*"):
        data = path.read_bytes()
        found += sum(
            int.from_bytes(data[at - 4 : at], "little") for at in range(PACKET, len(data) + 1, PACKET)
        )
    return found


def disk(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


class Parts(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory())) / "trace"
        self.kernel = Kernel()
        self.clock = 0.0
        self.enterContext(mock.patch("time.monotonic", lambda: self.clock))
        self.enterContext(mock.patch.object(recording.Metadata, "renewed", self.metadata))

    def metadata(self, kernel: Kernel, last: bool) -> str:
        """Metadata that grows, and is longest at the end."""
        return "m" * (100 * kernel.classes + 10 * last)

    def begin(self, **limits: float) -> chunks.Chunks:
        return chunks.Chunks(self.folder, chunks.Limits(**limits), self.kernel)  # type: ignore[arg-type]

    def write(self, place: chunks.Chunks, cpu: int, *events: int) -> None:
        packets = self.kernel.packets(*events)
        place.describe(self.kernel)  # type: ignore[arg-type]
        place.write(cpu, packets)

    def parts(self) -> list[str]:
        return sorted(path.name for path in self.folder.iterdir())

    def test_events_are_present_or_removed(self) -> None:
        chance = random.Random(1)
        place = self.begin(size=8 * PACKET, seconds=50.0, disk=20 * PACKET)
        removals = set()
        for number in range(1, 150):
            self.clock += chance.choice((0, 1, 30))
            self.kernel.classes += number % 50 == 0
            self.write(
                place, chance.randrange(3), *(chance.randrange(1, 90) for _ in range(number % 4 + 1))
            )
            removals.add(place.removed)
            self.assertEqual(events_in(self.folder) + place.removed, self.kernel.recorded)
            self.assertLessEqual(disk(self.folder), 20 * PACKET)
        place.describe(self.kernel, last=True)  # type: ignore[arg-type]
        place.close()
        self.assertGreater(len(removals), 9)
        self.assertEqual(events_in(self.folder) + place.removed, self.kernel.recorded)
        self.assertEqual(
            sink.summary(self.kernel.counts(), place.removed),
            f"{events_in(self.folder)} events recorded, 5 lost, {place.removed} removed",
        )
        # The newest parts are left, without a gap.
        numbers = [int(name) for name in self.parts()]
        self.assertEqual(numbers, list(range(numbers[0], numbers[-1] + 1)))

    def test_a_part_has_its_size(self) -> None:
        """Parts of 8 reads; a part ends before the read that it may not have room for."""
        for size, least in ((8 * PACKET, 8), (9 * PACKET - 1, 8), (9 * PACKET, 9)):
            self.folder = self.folder.parent / f"size-{size}"
            opened = len(os.listdir("/proc/self/fd"))
            place = self.begin(size=size)
            self.assertEqual((place.limits.piece, place.name), (PACKET, str(self.folder)))
            for number in range(2 * least + 1):
                self.write(place, 0, number + 1)
            place.close()
            self.assertEqual(len(os.listdir("/proc/self/fd")), opened)
            self.assertEqual(place.bytes, (2 * least + 1) * PACKET)
            texts = [(self.folder / name / "metadata").stat().st_size for name in self.parts()]
            self.assertEqual(texts, [110, 110, 100])  # a part that has ended has the clock of its end
            self.assertEqual(self.parts(), ["000001", "000002", "000003"])
            sizes = [(self.folder / name / "cpu0").stat().st_size for name in self.parts()]
            self.assertEqual(sizes, [least * PACKET, least * PACKET, PACKET])

    def test_a_part_has_its_time(self) -> None:
        place = self.begin(seconds=10.0)
        for self.clock, parts in (
            (5.0, 1),
            (14.9, 1),
            (15.0, 1),
            (15.1, 2),
            (25.0, 2),
            (25.1, 2),
            (25.2, 3),
        ):
            self.write(place, 0, 1)
            self.assertEqual(len(self.parts()), parts, self.clock)
        place.close()

    def test_the_limit_of_the_disk_is_reached_exactly(self) -> None:
        for limit, good in ((4 * PACKET + 99, 3), (4 * PACKET + 100, 4), (4 * PACKET + 101, 4)):
            self.folder = self.folder.parent / f"disk-{limit}"
            place = self.begin(disk=limit)
            for number in range(good):
                self.write(place, 0, number + 1)
            with self.assertRaisesRegex(Failure, f"--max-disk of {limit} bytes is reached; the trace ends"):
                self.write(place, 0, 7)
            place.close()
            self.assertEqual((events_in(self.folder), place.removed), (sum(range(1, good + 1)), 0))

    def test_a_part_that_cannot_be_removed_ends_the_trace(self) -> None:
        place = self.begin(size=8 * PACKET, disk=9 * PACKET)
        for _ in range(8):
            self.write(place, 0, 1)
        problem = mock.patch("shutil.rmtree", side_effect=OSError(5, "Input/output error"))
        with (
            problem,
            self.assertRaisesRegex(Failure, "/trace/000001: Input/output error; the trace ends here"),
        ):
            self.write(place, 0, 1)
        self.assertEqual(place.removed, 0)

    def test_a_folder_of_parts_is_new(self) -> None:
        self.folder.mkdir()
        with self.assertRaisesRegex(Failure, "is there already"):
            self.begin(size=8 * PACKET)

    def test_pieces(self) -> None:
        for limits, piece in (
            (chunks.Limits(), sink.READ_BYTES), (chunks.Limits(size=1), PACKET),
            (chunks.Limits(size=24 * PACKET - 1), 2 * PACKET),
            (chunks.Limits(size=24 * PACKET), 3 * PACKET),
            (chunks.Limits(size=80 * PACKET, disk=24 * PACKET), 3 * PACKET),
            (chunks.Limits(seconds=1.0, disk=1 << 40), sink.READ_BYTES),
        ):  # fmt: skip
            self.assertEqual(limits.piece, piece)

    def test_nothing_is_left_of_a_recording_that_did_not_begin(self) -> None:
        for limits in ({}, {"size": 8 * PACKET}):
            self.begin(**limits).abandon()
            self.assertFalse(self.folder.exists())
