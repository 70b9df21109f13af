# SPDX-License-Identifier: GPL-2.0-only
"""Recordings with texts that are not UTF-8, and damaged ones, in the files of kmark record export."""

from __future__ import annotations

import io
import random
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

import made_trace
from kmark.commands import record_export as export
from kmark.errors import Failure, Usage
from kmark.export import events
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace

CUT = "пппп".encode()[:5]  # as %.5s does


class Exports(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.said = self.enterContext(mock.patch("sys.stderr", io.StringIO()))

    def export(self, to: str, name: str = "trace") -> int:
        """The exit status; the file is called like the format."""
        args = mock.Mock(trace=self.folder / name, format=to, output=self.folder / to)
        args.output.unlink(missing_ok=True)
        return export.run(args)

    def perfetto(self) -> Trace:
        found = Trace()
        found.ParseFromString((self.folder / "perfetto").read_bytes())
        return found

    def texts(self) -> list[str]:
        return [field.str_value for packet in self.perfetto().packet
                for event in packet.ftrace_events.event for field in event.generic.field
                if field.name == "text"]  # fmt: skip

    def report(self) -> list[str]:
        """Lines of trace-cmd."""
        done = subprocess.run(["trace-cmd", "report", "-i", self.folder / "trace-cmd"], check=True,
                              capture_output=True)  # fmt: skip
        return [line for line in done.stdout.decode(errors="replace").split("\n") if "text=" in line]

    def write(self, *texts: bytes, comm: bytes = b"sh", name: str = "trace", **others: bytes) -> None:
        made = [made_trace.event(0, 10 + at, comm, text, at) for at, text in enumerate(texts)]
        streams = {"cpu0": made_trace.packet(0, 0, *made), **others}
        made_trace.write(self.folder / name, streams)

    def test_text_that_is_not_utf8_is_written(self) -> None:
        self.write(CUT, b"fine", b"\xff\x9b", comm="обработчик".encode()[:15])
        for to in export.FORMATS:
            self.assertEqual(self.export(to), 0, self.said.getvalue())
        self.assertEqual(self.texts(), ["пп\ufffd", "fine", "\ufffd\ufffd"])
        threads = [one.name for packet in self.perfetto().packet for one in packet.process_tree.threads]
        self.assertEqual(threads, ["обработ\ufffd"])
        self.assertEqual(len(self.report()), 3)

    def test_bytes_at_random_in_texts_and_names_of_threads(self) -> None:
        chance = random.Random(1)
        for number in range(10):
            texts = [chance.randbytes(20).replace(b"\0", b"\n") for _ in range(20)]
            name = f"trace{number}"
            self.write(*texts, comm=chance.randbytes(15), name=name)
            for to in export.FORMATS:
                self.assertEqual(self.export(to, name), 0, self.said.getvalue())
            self.assertEqual(
                self.texts(), [events.valid(text.decode(errors="surrogateescape")) for text in texts]
            )

    def test_bytes_at_random_in_names_of_events(self) -> None:
        chance = random.Random(1)
        names = [chance.randbytes(12).decode(errors="replace") for _ in range(20)]
        rows = [{**made_trace.rows()[0], "id": str(at), "marker": name} for at, name in enumerate(names)]
        made = [made_trace.event(at, 10 + at, b"sh", b"x") for at in range(len(names))]
        made_trace.write(self.folder / "trace", {"cpu0": made_trace.packet(0, 0, *made)}, rows)
        for to in export.FORMATS:
            self.assertEqual(self.export(to), 0, self.said.getvalue())
        self.assertEqual(len(self.report()), len(names))

    def test_a_name_of_a_thread_is_one_line(self) -> None:
        self.write(b"x", comm=b"a\n43 forged")
        self.export("trace-cmd")
        head = (self.folder / "trace-cmd").read_bytes().partition(b"flyrecord")[0]
        self.assertTrue(b"42 a\\n43 forged\n" in head and b"\n43 forged" not in head)

    def test_a_damaged_packet_costs_that_packet(self) -> None:
        packets = [
            made_trace.packet(0, at, made_trace.event(0, 20 + at, b"sh", b"%d" % at)) for at in range(7)
        ]
        packets[3] = packets[3][:24] + b"\xff" * 8 + packets[3][32:]  # more bits than the packet has
        self.write(b"one", b"two", cpu1=b"".join(packets) + packets[0][:100], cpu2=b"nonsense")
        for to in export.FORMATS:
            self.assertEqual(self.export(to), 1)
        self.assertEqual(self.texts(), ["one", "two", "0", "1", "2", "4", "5", "6"])
        self.assertEqual(len(self.report()), 8)
        for where in ("cpu1: at 12288", "cpu1: at 28672", "cpu2: at 0"):
            self.assertRegex(self.said.getvalue(), f"kmark: .*/trace/{where}: babeltrace2 cannot read it: ")

    def test_a_damaged_trace_costs_that_trace(self) -> None:
        self.write(b"good", name="trace/one")
        self.write(b"bad", name="trace/two")
        (self.folder / "trace/two/metadata").write_bytes(b"/* CTF 1.8 */ \xff nonsense {")
        self.assertEqual(self.export("perfetto"), 1)
        self.assertEqual(self.texts(), ["good"])

    def test_an_event_that_does_not_fit_costs_that_event(self) -> None:
        self.write(b"one", b"\xff" * 1500)
        self.assertEqual(self.export("trace-cmd"), 0)
        self.assertIn("left out: an event of first", self.said.getvalue())
        self.assertEqual(len(self.report()), 1)

    def test_if_nothing_can_be_read_there_is_no_file(self) -> None:
        self.write(b"x")
        (self.folder / "trace/metadata").write_text("nonsense")
        with self.assertRaisesRegex(Failure, "nothing of it can be read"):
            self.export("perfetto")
        self.assertFalse((self.folder / "perfetto").exists())

    def test_a_link_in_the_place_of_the_file_is_not_followed(self) -> None:
        self.write(b"x")
        (self.folder / "link").symlink_to("elsewhere")
        args: Any = mock.Mock(trace=self.folder / "trace", format="perfetto", output=self.folder / "link")
        with self.assertRaisesRegex(Usage, "is there already"):
            export.run(args)
        self.assertFalse((self.folder / "elsewhere").exists())
        self.assertTrue((self.folder / "link").is_symlink())
