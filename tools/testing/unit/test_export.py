# SPDX-License-Identifier: GPL-2.0-only
"""Records of ftrace for events at the ends of ranges, and checks of packets before they are read."""

from __future__ import annotations

import os
import struct
import tempfile
import unittest
from contextlib import nullcontext
from pathlib import Path

import made_trace
from kmark.export import damage, files, pages
from kmark.export.events import Class, Event, Field, Value

TEXT, NUMBER = Field("same"), Field("same", 32, signed=True)


class Pages(unittest.TestCase):
    def test_a_time_too_far_for_a_page_begins_another_page(self) -> None:
        made = pages.Pages()
        self.assertEqual(list(made.add(10, bytes(4))), [])
        (first,) = made.add((1 << 63) - 1, bytes(4))
        self.assertEqual(
            [pages.HEAD.unpack_from(one)[0] for one in (first, made.take())], [10, (1 << 63) - 1]
        )
        self.assertEqual(list(made.add(0, bytes(4))), [])
        self.assertEqual(list(made.add(pages.MOST_DELTA, bytes(4))), [])

    def test_a_page_is_filled_to_its_end(self) -> None:
        for more, room in ((0, True), (4, False)):
            made = pages.Pages()
            self.assertEqual(list(made.add(10, bytes(8))), [])
            last = bytes(pages.LARGEST - 16 + more)
            self.assertEqual(not list(made.add(10 + (1 << 27), last)), room)
            self.assertEqual(len(made.take()), pages.PAGE)
            self.assertTrue(made.is_empty())

    def test_flags_and_depth_of_preemption(self) -> None:
        kind = Class(3, "drv", "x", [Field("irq", 8), Field("preempt", 8), Field("tid", 32, True)], [])
        found = []
        for irq, preempt in ((0, 0), (1, 14), (2, 15), (3, 16), (4, 255)):
            values: dict[str, Value] = {"irq": irq, "preempt": preempt, "tid": 77}
            found.append(pages.COMMON.unpack_from(pages.record(Event(0, 0, kind, values))))
        flags = ((0, 0), (0x10, 14), (0x08, 15), (0x40, 15), (0, 15))
        self.assertEqual(found, [(1003, *both, 77) for both in flags])

    def test_a_name_may_be_in_the_context_and_in_the_fields(self) -> None:
        event = Event(0, 0, Class(0, "drv", "x", [NUMBER], [TEXT]), {"same": 7}, {"same": "text"})
        self.assertIn(b"text\0", pages.record(event))
        self.assertEqual(struct.unpack_from("<i", pages.record(event), pages.COMMON.size), (7,))

    def test_an_event_of_any_size_has_a_record(self) -> None:
        event = Event(0, 0, Class(0, "drv", "x", [], [TEXT]), {"preempt": -1}, {"same": "x" * 100_000})
        self.assertGreater(len(pages.record(event)), pages.LARGEST)


class Damage(unittest.TestCase):
    def test_numbers_that_babeltrace2_cannot_read_are_named(self) -> None:
        whole = made_trace.packet(3, 0, made_trace.event(0, 9, b"sh", b"x"))
        damage.check_heads(whole + whole + whole[:100])
        for place, name in enumerate(damage.NUMBERS):
            at = 8 + 8 * place
            wrong = whole[:at] + b"\xff" * 8 + whole[at + 8 :]
            with self.assertRaisesRegex(damage.Damaged, f"has {name} 18446744073709551615"):
                damage.check_heads(whole + wrong)
            for number, is_read in (((1 << 63) - 1, name != "packet_size"), (1 << 63, False)):
                limit = bytes(4096) + whole[:at] + struct.pack("<Q", number) + whole[at + 8 :]
                with (
                    nullcontext() if is_read else self.assertRaisesRegex(damage.Damaged, f"{name} {number}")
                ):
                    damage.check_heads(limit[: 4096 + damage.HEAD.size])
                damage.check_heads(limit[: 4095 + damage.HEAD.size])
        size = whole[:32] + struct.pack("<Q", 8 * 4097) + whole[40:]
        with self.assertRaisesRegex(damage.Damaged, "has packet_size 32776 instead of 32768"):
            damage.check_heads(size)

    def test_heads_are_known_from_the_metadata_of_kmark(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            made_trace.write(Path(folder, "trace"), {})
            text = Path(folder, "trace/metadata").read_text()
        self.assertTrue(damage.has_heads(text))
        self.assertFalse(damage.has_heads(text.replace(" cpu_id;", " cpu;")))
        self.assertFalse(damage.has_heads("nonsense"))

    def test_names_of_files(self) -> None:
        found = [
            files.named_cpu(Path("t", name)) for name in ("cpu0", "cpu71", "cpu", "channel0_1", "cpu1.x")
        ]
        self.assertEqual(found, [0, 71, None, None, None])
        self.assertGreater(files.named_cpu(Path("cpu" + "9" * 200)) or 0, 1 << 60)

    def test_only_regular_files_are_read_and_none_blocks(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            os.mkfifo(Path(folder, "fifo"))
            Path(folder, "file").touch()
            found = [files.trouble(Path(folder, name)) for name in ("", "fifo", "none", "file")]
        self.assertEqual(found, [*["is no regular file"] * 2, "No such file or directory", ""])
