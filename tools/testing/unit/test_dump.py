# SPDX-License-Identifier: GPL-2.0-only
"""kmark record vmcore with a memory in which something is damaged, or of an older kernel."""

from __future__ import annotations

import io
import random
import struct
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import made_trace
from kmark.errors import Failure
from kmark.record import dump, packets
from kmark.record.sink import PACKET


def two_packets(session: int, cpu: int = 0, start: int = 10) -> list[bytes]:
    return [
        made_trace.packet(
            cpu, number,
            *(made_trace.event(kind, start + 10 * number + kind, b"sh", b"x", number) for kind in (0, 1)),
            session=session,
        )
        for number in range(2)
    ]  # fmt: skip


def damage(page: bytes, old: bytes, new: bytes) -> bytes:
    """A page with something else in the place of OLD."""
    assert old in page
    return page.replace(old, new)[:PACKET].ljust(PACKET, b"\0")


class Dumps(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.said = self.enterContext(mock.patch("sys.stderr", io.StringIO()))

    def recover(self, *pages: bytes) -> list[dump.Recovered]:
        image = self.folder / "image"
        image.write_bytes(b"".join(pages))
        return list(dump.recover(image, self.folder / "out"))

    def events(
        self, name: str, cpu: int = 0, classes: tuple[tuple[str, ...], ...] = made_trace.CLASSES
    ) -> list[tuple[int, int]]:
        """Class and time of each event that was written."""
        data = (self.folder / "out" / name / f"cpu{cpu}").read_bytes()
        found = []
        for at in range(0, len(data), PACKET):
            page = data[at : at + PACKET]
            kinds = made_trace.classes(classes)
            _, _, time, _, bits, *_ = packets.HEADER.unpack_from(page)
            place = packets.HEADER.size
            while place < bits // 8:
                kind, time, place = packets.header(page, place, time)
                found.append((kind, time))
                place = packets.end_of_event(kinds[kind], page, place)
        return found

    def test_a_good_dump_is_whole(self) -> None:
        found = self.recover(*made_trace.pages(7), *two_packets(7))
        self.assertEqual(found, [dump.Recovered("default", 2, 0, 0)])
        self.assertEqual(self.events("default"), [(0, 10), (1, 11), (0, 20), (1, 21)])

    def test_a_damaged_class_costs_the_events_behind_it(self) -> None:
        """The place of the next event in the packet is not known."""
        *first, second = made_trace.pages(7)
        for damaged in ([], [damage(second, b"str:10", b"\xff\0r:1")], [damage(second, b"1\t", b"\n\t\t")]):
            with self.subTest(len(damaged)):
                (found,) = self.recover(*first, *damaged, *two_packets(7))
                self.assertEqual((found.trouble, found.packets, found.damaged >= 2), ("", 2, True))
                self.assertEqual(self.events(found.name), [(0, 10), (0, 20)])

    def test_a_damaged_first_page_costs_that_session(self) -> None:
        first, *pages = made_trace.pages(7)
        other = [*made_trace.pages(9, "other"), *two_packets(9)]
        for damaged in (
            bytes(PACKET),
            damage(first, b"clock.hz", b"clock.xx"),
            damage(first, b"#id", b"id"),
        ):
            found = self.recover(damaged, *pages, *two_packets(7), *other)
            self.assertEqual([bool(one.trouble) for one in found], [True, False])
            self.assertEqual((found[1].packets, found[1].damaged), (2, 0))

    def test_a_damaged_packet_costs_that_packet(self) -> None:
        good = two_packets(7)
        for at, byte in (
            (packets.HEADER.size, 9),
            (packets.HEADER.size + 3, 99),
            (8, 0xFF),
            (28, 0xFF),
        ):
            with self.subTest(at):
                damaged = bytearray(good[0])
                damaged[at] = byte
                (found,) = self.recover(*made_trace.pages(7), bytes(damaged), good[1])
                self.assertEqual(self.events(found.name)[-2:], [(0, 20), (1, 21)])

    def test_headers(self) -> None:
        """Each form of a header, with the last times that it can tell."""
        span = 1 << 27
        names = tuple((str(kind), *made_trace.CLASSES[0][1:]) for kind in (0, 29, 30, 31, 70000))
        times = [(0, span - 2), (29, 2 * span - 3), (30, 3 * span - 4), (31, 3 * span), (70000, 9 * span),
                 (0, 10 * span - 1)]  # fmt: skip
        made = made_trace.packet(0, 0, *(made_trace.event(*one, b"sh", b"x") for one in times), session=7)
        made = made[:8] + struct.pack("<QQ", times[0][1], times[-1][1]) + made[24:]
        (found,) = self.recover(*made_trace.pages(7, classes=names), made)
        self.assertEqual((found.trouble, found.damaged), ("", 0))
        self.assertEqual(self.events("default", classes=names), times)

    def test_a_time_that_no_clock_has_ends_a_packet(self) -> None:
        good = two_packets(7)
        late = good[0][:8] + struct.pack("<QQ", (1 << 64) - 1, 0) + good[0][24:]
        (found,) = self.recover(*made_trace.pages(7), late, good[1])
        self.assertEqual(self.events(found.name), [(0, 20), (1, 21)])
        self.assertEqual((found.packets, found.damaged), (1, 1))

    def test_another_version_is_named(self) -> None:
        """As of a kernel that had an older probe_ctf.ko."""
        for old, new in ((b"format\t2", b"format\t3"), (b"format\t2\n", b"")):
            first, *rest = made_trace.pages(7)
            (found,) = self.recover(damage(first, old, new), *rest, *two_packets(7))
            version = new[-1:].decode() or "1"
            self.assertIn(f"probe_ctf.ko has packets of version {version}, and this kmark", found.trouble)

    def test_an_older_dump_in_the_memory_costs_nothing(self) -> None:
        """The memory has a torn session of the same name from another boot, and older copies of pages of
        this boot."""
        now, older = two_packets(7, start=1000), two_packets(7, start=1000)[1]
        cut = made_trace.packet(0, 1, made_trace.event(0, 1010, b"sh", b"x", 1), session=7)
        self.assertNotEqual(older, cut)
        early = made_trace.pages(5)
        found = self.recover(*early, *two_packets(5), *made_trace.pages(3)[1:], cut,
                             *made_trace.pages(7), *now, cut, older)  # fmt: skip
        self.assertEqual([one.name for one in found], ["default", "", "default-2"])
        self.assertEqual(self.events("default"), [(0, 10), (1, 11), (0, 20), (1, 21)])
        self.assertEqual(self.events("default-2"), [(0, 1000), (1, 1001), (0, 1010), (1, 1011)])
        self.assertIn("first page", found[1].trouble)

    def test_bytes_at_random(self) -> None:
        """Nothing but a Failure that names the file."""
        chance = random.Random(1)
        whole = b"".join(
            [*made_trace.pages(7), *two_packets(7), *made_trace.pages(9, "b"), *two_packets(9, 1)]
        )
        for _ in range(300):
            data = bytearray(whole)
            for _ in range(chance.randint(1, 20)):
                at = chance.randrange(len(data))
                data[at : at + 8] = chance.randbytes(8)
            try:
                self.recover(bytes(data[: len(whole)]))
            except Failure as failure:
                self.assertIn(str(self.folder), str(failure))
