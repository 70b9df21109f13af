# SPDX-License-Identifier: GPL-2.0-only
"""kmark record vmcore with a memory in which something is damaged, or of an older kernel."""

from __future__ import annotations

import io
import os
import random
import struct
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import made_trace
from kmark import release
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


def at_time(cpu: int, number: int, *times: int, lost: int = 0, end: int = 0) -> bytes:
    """A packet of session 7 with an event at each of these times."""
    made = made_trace.packet(
        cpu, number, *(made_trace.event(0, time, b"sh", b"x") for time in times), session=7
    )
    return (
        made[:16] + struct.pack("<Q", end or times[-1]) + made[24:48] + struct.pack("<Q", lost) + made[56:]
    )


def elf(*segments: bytes, kinds: tuple[int, ...] = (), table: int = 64) -> bytes:
    """An ELF core whose segments begin at offsets that are no multiples of a page."""
    at = table + 56 * len(segments) + 5
    entries = b""
    for place, segment in enumerate(segments):
        kind = kinds[place] if kinds else dump.LOAD
        entries += dump.SEGMENT.pack(kind, 0, at, 0, 0, len(segment), len(segment), 0)
        at += len(segment)
    head = b"\x7fELF\x02\x01".ljust(32, b"\0") + struct.pack("<Q14xHH", table, 56, len(segments))
    return head.ljust(table, b"\0") + entries + bytes(5) + b"".join(segments)


class Dumps(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.said = self.enterContext(mock.patch("sys.stderr", io.StringIO()))

    def recover(self, *pages: bytes, to: str = "out") -> list[dump.Recovered]:
        image = self.folder / "image"
        image.write_bytes(b"".join(pages))
        return list(dump.recover(image, self.folder / to))

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
        metadata = (self.folder / "out/default/metadata").read_text()
        self.assertIn(
            f'env {{\n    tracer_name = "kmark";\n    tracer_version = "{release.version()}";\n'
            '    domain = "kernel";\n    hostname = "box";\n    kernel_release = "6.1.0";\n'
            '    addresses = "raw";\n    packet_version = "2";\n};\n',
            metadata,
        )

    def test_a_terminal_shows_how_much_was_searched(self) -> None:
        image = [*made_trace.pages(7), *two_packets(7)]
        self.recover(*image)
        self.assertEqual(self.said.getvalue(), "")
        terminal = mock.Mock(wraps=io.StringIO(), isatty=lambda: True, fileno=lambda: 2)
        size = mock.patch("os.get_terminal_size", return_value=os.terminal_size((200, 1)))
        with size, mock.patch("sys.stderr", terminal), mock.patch.object(dump, "SHOWN", 2 * PACKET):
            self.recover(*image)
        said = "".join(call.args[0] for call in terminal.write.call_args_list)
        self.assertEqual(len(image), 5)
        shown = [part.rpartition("] ")[2] for part in said.split("\r") if "[" in part and "]" in part]
        self.assertEqual(shown, ["0 %", "20 %", "40 %", "40 %", "60 %", "80 %"])

    def headers(self, name: str, cpu: int = 0) -> list[tuple[int, ...]]:
        """Begin, end, number, lost events, CPU and session of each packet that was written. The rest of the
        packet is zero."""
        data = (self.folder / "out" / name / f"cpu{cpu}").read_bytes()
        found = []
        for at in range(0, len(data), PACKET):
            magic, stream, begin, end, bits, size, *rest = packets.HEADER.unpack_from(data, at)
            self.assertEqual((magic, stream, size), (0xC1FC1FC1, 0, PACKET * 8))
            self.assertEqual(data[at + bits // 8 : at + PACKET].strip(b"\0"), b"")
            found.append((begin, end, *rest))
        return found

    def test_pages_have_no_order(self) -> None:
        many = tuple((str(kind), *made_trace.CLASSES[0][1:]) for kind in range(5))
        image = [*made_trace.pages(7, classes=many), *made_trace.pages(9, "other"), bytes(PACKET)]
        image += [*two_packets(7), *two_packets(9, 3, 500), *two_packets(11), *two_packets(7, 1, 90)]
        for _ in range(5):
            random.Random(1).shuffle(image)
            found = {one.name: one for one in self.recover(*image)}
            good = [name for name in found if name]
            self.assertEqual([name.split("-")[0] for name in sorted(good)], ["default", "other"])
            default, other = sorted(good)
            for name, cpu, start in ((default, 0, 10), (default, 1, 90), (other, 3, 500)):
                expected = [(kind, start + 10 * number + kind) for number in (0, 1) for kind in (0, 1)]
                self.assertEqual(self.events(name, cpu, many), expected)
                self.assertEqual((found[name].unfinished, found[name].damaged), (0, 0))

    def test_packets_are_ordered_by_their_time(self) -> None:
        """Buffers count their packets each for itself."""
        made = [at_time(0, 8, 10, 20), at_time(0, 2, 30, 40, end=45), at_time(0, 2, 50), at_time(0, 1, 60)]
        (found,) = self.recover(*made_trace.pages(7), *made[::-1])
        self.assertEqual(found, dump.Recovered("default", 4, 0, 0))
        self.assertEqual(
            self.headers("default"),
            [(10, 20, 0, 0, 0, 0), (30, 45, 1, 0, 0, 0), (50, 50, 2, 0, 0, 0), (60, 60, 3, 0, 0, 0)],
        )

    def test_packets_may_share_a_time(self) -> None:
        made = [at_time(0, 0, 10), at_time(0, 1, 10, 20), at_time(0, 2, 20, 30)]
        (found,) = self.recover(*made_trace.pages(7), *made)
        self.assertEqual((found.trouble, found.damaged), ("", 0))
        self.assertEqual([time for _, time in self.events("default")], [10, 10, 20, 20, 30])

    def test_the_other_buffer_has_packets_in_between(self) -> None:
        """After a snapshot events go to the other buffer, after the next one to the packet that was open
        then."""
        made = [
            at_time(0, 5, 10, 11, 40, 41, lost=7), at_time(0, 0, 20, 21, lost=3), at_time(0, 1, 30, lost=4),
            at_time(0, 6, 50, 70, lost=9), at_time(0, 2, 60, 61, lost=8), at_time(1, 0, 15, 45),
        ]  # fmt: skip
        (found,) = self.recover(*made_trace.pages(7), *made[::-1])
        self.assertEqual((found.trouble, found.damaged, found.packets), ("", 0, 8))
        self.assertEqual([time for _, time in self.events("default")],
                         [10, 11, 20, 21, 30, 40, 41, 50, 60, 61, 70])  # fmt: skip
        self.assertEqual(
            [(begin, end, lost) for begin, end, _, lost, *_ in self.headers("default")],
            [(10, 11, 3), (20, 21, 3), (30, 30, 4), (40, 41, 7), (50, 50, 8), (60, 61, 8), (70, 70, 9)],
        )
        self.assertEqual(len(self.headers("default", 1)), 1)

    def test_the_end_of_a_packet_is_not_behind_the_next_one(self) -> None:
        made = [at_time(0, 0, 10, 20, end=35), at_time(0, 1, 30, 40, end=44)]
        self.recover(*made_trace.pages(7), *made)
        self.assertEqual([one[:2] for one in self.headers("default")], [(10, 20), (30, 44)])

    def test_packets_without_events_or_room(self) -> None:
        """An event is being stored in a packet that is empty; a packet may be full to its last byte."""
        empty = made_trace.packet(0, 0, made_trace.event(0, 10, b"sh", b"x"), session=7)
        empty = empty[:24] + struct.pack("<Q", packets.HEADER.size * 8) + empty[32:]
        rest = PACKET - packets.HEADER.size - 2 * len(made_trace.event(0, 0, b"", b""))
        for size, good in ((rest - 1, True), (rest, True), (rest + 1, False)):
            events = (made_trace.event(0, 20, b"sh", b""), made_trace.event(1, 21, b"sh", b"x" * size))
            full = made_trace.packet(0, 1, *events, session=7)[:PACKET]
            (found,) = self.recover(*made_trace.pages(7), empty, full, *two_packets(7, start=50))
            self.assertEqual((found.unfinished, found.damaged, found.packets), (1, not good, 2 + good))
            self.assertEqual(len(self.events(found.name)), 4 + 2 * good)

    def test_a_page_of_a_description_may_be_full(self) -> None:
        *first, second = made_trace.pages(7)
        size = PACKET - dump.TEXT_AT - len("1\tsecond\tstr:10,s32:10\t\ttid,comm\ttext,number\n")
        for more, damaged in ((0, 0), (1, 3)):
            row = ("1", "second", "str:10,s32:10", "f" * (size + more), "tid,comm", "text,number")
            page = made_trace.pages(7, classes=(made_trace.CLASSES[0], row))[-1][:PACKET]
            (found,) = self.recover(*first, page, *two_packets(7))
            self.assertEqual((found.damaged, len(self.events(found.name))), (damaged, 2 if more else 4))
        # The length is wrong: what is behind the text is no class.
        long = second[:24] + struct.pack("<I", 1 << 20) + second[28:]
        (found,) = self.recover(*first, long, *two_packets(7))
        self.assertEqual((found.trouble, found.damaged, len(self.events(found.name))), ("", 1, 4))

    def test_a_session_that_was_closed_is_not_there(self) -> None:
        closed = [bytes(16) + page[16:] for page in made_trace.pages(5, "closed")]
        found = self.recover(*closed, *two_packets(5), *made_trace.pages(7), *two_packets(7))
        self.assertEqual(found, [dump.Recovered("default", 2, 0, 0)])

    def test_segments_of_a_core(self) -> None:
        """Packets begin at pages of a segment, not of the file; not all segments are memory."""
        image = b"".join([*made_trace.pages(7), *two_packets(7)])
        others = b"".join(two_packets(7, start=900))
        for table in (64, 128):
            (found,) = self.recover(elf(image, others, two_packets(7, 1)[0], kinds=(1, 4, 1), table=table))
            self.assertEqual((found.packets, found.damaged), (3, 0))
            self.assertEqual(self.events(found.name)[-1], (1, 21))
            self.assertEqual(self.events(found.name, 1), [(0, 10), (1, 11)])
        for missing in (1, 100, PACKET):
            (found,) = self.recover(elf(image, others)[:-missing])
            self.assertEqual((found.packets, found.damaged), (3, 0))

    def test_a_damaged_class_costs_the_events_behind_it(self) -> None:
        """The place of the next event in the packet is not known."""
        *first, second = made_trace.pages(7)
        for damaged in ([], [damage(second, b"str:10", b"\xff\0r:1")], [damage(second, b"1\t", b"\n\t\t")]):
            with self.subTest(len(damaged)):
                (found,) = self.recover(*first, *damaged, *two_packets(7))
                self.assertEqual((found.trouble, found.packets, found.damaged >= 2), ("", 2, True))
                self.assertEqual(self.events(found.name), [(0, 10), (0, 20)])
        self.assertRegex(
            self.said.getvalue(), "kmark: session default: a class of events is left out: .* is not a field"
        )

    def test_a_damaged_first_page_costs_that_session(self) -> None:
        first, *pages = made_trace.pages(7)
        other = [*made_trace.pages(9, "other"), *two_packets(9)]
        said: list[str] = []
        for damaged in (
            bytes(PACKET),
            damage(first, b"clock.hz", b"clock.xx"),
            damage(first, b"#id", b"id"),
            damage(first, b"default", b"../up"),
        ):
            found = self.recover(damaged, *pages, *two_packets(7), *other)
            self.assertEqual([bool(one.trouble) for one in found], [True, False])
            said.append(found[0].trouble.removeprefix(f"{self.folder}/image: "))
            self.assertEqual((found[1].packets, found[1].damaged), (2, 0))
        missing = "the first page with the description of a session is not in the dump"
        clock = "ctf/session does not name its clock: nothing has been connected"
        self.assertEqual(said, [missing, clock, missing, "a session cannot be called '../up'"])

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

    def test_an_event_that_is_not_whole_is_left_out(self) -> None:
        for more in (1, 3, 20):
            made = at_time(0, 0, 10, 20)
            (bits,) = struct.unpack_from("<Q", made, 24)
            made = made[:24] + struct.pack("<Q", bits + 8 * more) + made[32:]
            (found,) = self.recover(*made_trace.pages(7), made)
            self.assertEqual((found.packets, found.damaged, len(self.events(found.name))), (1, 1, 2))

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

    def test_a_file_that_is_no_dump_is_named_with_the_reason(self) -> None:
        core = elf(bytes(PACKET))
        for data, why in (
            (b"", "is empty"),
            (
                b"KDUMP   ",
                r"is compressed or flattened by makedumpfile: want an ELF core \(makedumpfile -E\)",
            ),
            (b"makedumpfile", "is compressed or flattened .*"),
            (b"\x7fELF\x01\x01", "is an ELF file, but not of a 64-bit little-endian machine"),
            (b"\x7fELF\x02\x02", "is an ELF file, but not of a 64-bit little-endian machine"),
            (core[:57], "unpack_from requires .*"),
            (core[: 64 + 55], "ends before the entry of segment 0"),
            (core[: 64 + 56], "no session of probe_ctf.ko is in it"),
            (bytes(PACKET), "no session of probe_ctf.ko is in it"),
        ):
            with self.assertRaisesRegex(Failure, f"^{self.folder}/image: {why}$"):
                self.recover(data)
        with self.assertRaisesRegex(Failure, f"^{self.folder}: no regular file$"):
            list(dump.recover(self.folder, self.folder / "out"))
        with self.assertRaisesRegex(Failure, f"^{self.folder}/none: No such file or directory$"):
            list(dump.recover(self.folder / "none", self.folder / "out"))
        self.assertFalse((self.folder / "out").exists())

    def test_a_core_that_ends_in_its_table_has_the_segments_before(self) -> None:
        image = b"".join([*made_trace.pages(7), *two_packets(7)])
        head = elf(image, image, image, table=64 + len(image))
        entry = dump.SEGMENT.pack(dump.LOAD, 0, 64, 0, 0, len(image), 0, 0)
        (found,) = self.recover(head[:64], image, entry, bytes(55))
        self.assertEqual((found.packets, found.damaged), (2, 0))
        self.assertEqual(self.said.getvalue(), "kmark: the dump ends before the entry of segment 1\n")

    def test_another_version_is_named(self) -> None:
        """As of a kernel that had an older probe_ctf.ko."""
        for old, new in ((b"format\t2", b"format\t3"), (b"format\t2\n", b"")):
            first, *rest = made_trace.pages(7)
            (found,) = self.recover(damage(first, old, new), *rest, *two_packets(7))
            version = new[-1:].decode() or "1"
            why = f"probe_ctf.ko has packets of version {version}, and this kmark reads version 2"
            self.assertEqual(found.trouble, f"{self.folder}/image: {why}: use the kmark of that module")

    def test_an_older_dump_in_the_memory_costs_nothing(self) -> None:
        """The memory has a torn session of the same name from another boot, and older copies of pages of
        this boot."""
        now, older = two_packets(7, start=1000), two_packets(7, start=1000)[1]
        cut = made_trace.packet(0, 1, made_trace.event(0, 1010, b"sh", b"x", 1), session=7)
        self.assertNotEqual(older, cut)
        early = made_trace.pages(5)
        *first, last = made_trace.pages(7)
        shorter = last[:24] + struct.pack("<I", 0) + last[28:]
        found = self.recover(*early, *two_packets(5), *made_trace.pages(3)[1:], cut, shorter,
                             *first, last, *now, older, cut, shorter)  # fmt: skip
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
        for number in range(300):
            data = bytearray(whole)
            for _ in range(chance.randint(1, 20)):
                at = chance.randrange(len(data))
                data[at : at + 8] = chance.randbytes(8)
            try:
                self.recover(bytes(data[: len(whole)]), to=f"{number}")
            except Failure as failure:
                self.assertIn(str(self.folder), str(failure))
