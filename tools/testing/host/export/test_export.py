# SPDX-License-Identifier: GPL-2.0-only
"""Recordings with texts that are not UTF-8, and damaged ones, in the files of kmark record export."""

from __future__ import annotations

import gc
import io
import os
import random
import resource
import stat
import struct
import subprocess
import tempfile
import unittest
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import made_trace
from kmark.commands import record_export as export
from kmark.errors import Failure
from kmark.export import events, files
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace

OTHER_USER = 65534
# Places of the numbers in the head of a packet, and values of 64 bits at the ends of ranges.
NUMBERS = {"begin": 8, "end": 16, "content": 24, "size": 32, "number": 40, "lost": 48, "cpu": 56}
EXTREMES = (
    10_000_000,
    (1 << 31) - 1,
    1 << 31,
    (1 << 32) - 1,
    1 << 62,
    (1 << 63) - 1,
    1 << 63,
    (1 << 64) - 1,
)
CUT = "пппп".encode()[:5]  # as %.5s does


@contextmanager
def as_a_user() -> Iterator[None]:
    """A context without the rights of root, for which closed files are open."""
    if os.geteuid():
        yield
        return
    os.seteuid(OTHER_USER)
    try:
        yield
    finally:
        os.seteuid(0)


def with_number(packet: bytes, at: int, value: int) -> bytes:
    return packet[:at] + value.to_bytes(8, "little") + packet[at + 8 :]


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

    def test_a_recording_has_more_files_than_may_be_open_at_first(self) -> None:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        for part in range(200):
            self.write(b"x", name=f"trace/{part:06}")
        resource.setrlimit(resource.RLIMIT_NOFILE, (128, hard))
        for to in export.FORMATS:
            gc.collect()  # the files of the export before, which has a process of its own otherwise
            self.assertEqual(self.export(to), 0, self.said.getvalue())
        self.assertEqual(len(self.report()), 200)
        most = mock.patch.object(resource, "getrlimit", return_value=(128, 128))
        with most, self.assertRaisesRegex(Failure, "trace: 201 files have to be open, and 64 may be"):
            self.export("perfetto")
        self.assertFalse((self.folder / "perfetto").exists())

    def test_damaged_packets_leave_no_files_open(self) -> None:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        gc.collect()
        gc.disable()  # Python would look for them by itself, now and then
        self.addCleanup(gc.enable)
        unknown = made_trace.event(9, 23, b"sh", b"x")
        good = made_trace.packet(0, 0, made_trace.event(0, 20, b"sh", b"x"))
        damaged = [made_trace.packet(0, 1 + at, unknown) for at in range(200)]
        made_trace.write(self.folder / "trace", {"cpu0": b"".join([good, *damaged])})
        resource.setrlimit(resource.RLIMIT_NOFILE, (len(os.listdir("/proc/self/fd")) + files.SPARE, hard))
        self.assertEqual(self.export("trace-cmd"), 1)
        self.assertNotIn("Too many open files", self.said.getvalue())

    def test_a_name_of_a_thread_is_one_line(self) -> None:
        self.write(b"x", comm=b"a\n43 forged")
        self.export("trace-cmd")
        head = (self.folder / "trace-cmd").read_bytes().partition(b"flyrecord")[0]
        self.assertTrue(b"42 a\\n43 forged\n" in head and b"\n43 forged" not in head)

    def test_a_damaged_packet_costs_that_packet(self) -> None:
        packets = [
            made_trace.packet(1, at, made_trace.event(0, 20 + at, b"sh", b"%d" % at)) for at in range(7)
        ]
        packets[3] = packets[3][:24] + b"\xff" * 8 + packets[3][32:]  # more bits than the packet has
        self.write(b"one", b"two", cpu1=b"".join(packets) + packets[0][:100], cpu2=b"nonsense")
        for to in export.FORMATS:
            self.assertEqual(self.export(to), 1)
        self.assertEqual(self.texts(), ["one", "two", "0", "1", "2", "4", "5", "6"])
        self.assertEqual(len(self.report()), 8)
        self.assertRegex(self.said.getvalue(), f"/trace/cpu1: at 12288: has content_size {(1 << 64) - 1}")
        for where in ("cpu1: at 28672", "cpu2: at 0"):
            self.assertRegex(self.said.getvalue(), f"kmark: .*/trace/{where}: babeltrace2 cannot read it: ")

    def test_a_damaged_event_costs_its_packet_alone(self) -> None:
        made = [made_trace.event(0, 20 + at, b"sh", b"%d" % at) for at in range(8)]
        packets = [made_trace.packet(0, at, *made[2 * at : 2 * at + 2]) for at in range(4)]
        unknown = made_trace.event(9, 23, b"sh", b"3")
        packets[1] = made_trace.packet(0, 1, made[2], unknown)
        made_trace.write(self.folder / "trace", {"cpu0": b"".join(packets)})
        for to in export.FORMATS:
            self.assertEqual(self.export(to), 1)
        self.assertEqual(self.texts(), ["0", "1", "4", "5", "6", "7"])
        self.assertEqual(len(self.report()), 6)

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
        self.assertIn(f"for `{self.folder}/trace`", self.said.getvalue())
        self.assertNotIn("kmark-export.", self.said.getvalue())

    def test_a_link_in_the_place_of_the_file_is_not_followed(self) -> None:
        self.write(b"x")
        (self.folder / "link").symlink_to("elsewhere")
        args: Any = mock.Mock(trace=self.folder / "trace", format="perfetto", output=self.folder / "link")
        with self.assertRaisesRegex(Failure, "is there already"):
            export.run(args)
        self.assertFalse((self.folder / "elsewhere").exists())
        self.assertTrue((self.folder / "link").is_symlink())

    def write_packets(self, change: int, at: int, value: int) -> None:
        """A trace of three packets. The packet CHANGE has VALUE at AT."""
        packets = [made_trace.packet(0, n, made_trace.event(0, 20 + n, b"sh", b"%d" % n)) for n in range(3)]
        packets[change] = with_number(packets[change], at, value)
        made_trace.write(self.folder / f"{at}-{value}", {"cpu0": b"".join(packets)})

    def test_a_packet_of_another_cpu_is_left_out(self) -> None:
        for value in (1, 8192, *EXTREMES):
            self.write_packets(1, NUMBERS["cpu"], value)
            for to in export.FORMATS:
                self.assertEqual(self.export(to, f"{NUMBERS['cpu']}-{value}"), 1)
                self.assertLess((self.folder / to).stat().st_size, 20_000)
            self.assertIn(f"cpu0: at 4096: has cpu_id {value}", self.said.getvalue())
            self.assertEqual(self.texts(), ["0", "2"])
            self.assertEqual(len(self.report()), 2)

    def test_a_file_named_after_a_cpu_that_linux_cannot_have_is_left_out(self) -> None:
        number = 1 << 62
        packet = with_number(made_trace.packet(0, 0, made_trace.event(0, 20, b"sh", b"far")), 56, number)
        self.write(b"near", **{f"cpu{number}": packet})
        for to in export.FORMATS:
            self.assertEqual(self.export(to), 1)
        self.assertEqual(self.texts(), ["near"])

    def test_no_number_in_the_head_of_a_packet_ends_the_export(self) -> None:
        for name, at in NUMBERS.items():
            for value in (0, 1, *EXTREMES):
                self.write_packets(1, at, value)
                for to in export.FORMATS:
                    with self.subTest(name=name, value=value, to=to):
                        self.export(to, f"{at}-{value}")
                        self.assertLess((self.folder / to).stat().st_size, 20_000)
                with self.subTest(name=name, value=value):
                    self.assertEqual({"0", "2"} - {*self.texts()}, set(), self.said.getvalue()[-300:])

    def test_a_thread_that_cannot_be_is_damage(self) -> None:
        packet = made_trace.packet(1, 0, made_trace.event(0, 20, b"sh", b"bad"))
        self.write(b"good", cpu1=packet.replace(struct.pack("<i", 42), struct.pack("<i", -1), 1))
        for to in export.FORMATS:
            self.assertEqual(self.export(to), 1)
        self.assertIn("cpu1: at 0: has an event with tid '-1'", self.said.getvalue())
        self.assertEqual(self.texts(), ["good"])

    def test_events_without_bits_do_not_go_on_for_ever(self) -> None:
        self.write(b"x")
        metadata = self.folder / "trace/metadata"
        text = metadata.read_text()
        head = text[: text.index("    event.header")]
        fields = "fields := struct { };"
        metadata.write_text(head + '};\nevent { name = "x"; stream_id = 0; ' + fields + " };\n")
        for to in export.FORMATS:
            with self.assertRaisesRegex(Failure, "nothing of it can be read"):
                self.export(to)
        self.assertIn("cpu0: at 0: has more events than bytes", self.said.getvalue())

    def test_names_and_identities_may_be_used_twice(self) -> None:
        self.write(b"one", name="trace/one")
        self.write(b"two", name="trace/two")
        metadata = self.folder / "trace/two/metadata"
        metadata.write_text(metadata.read_text().replace(" _text;", " _tid;"))
        for to in export.FORMATS:
            self.assertEqual(self.export(to), 0, self.said.getvalue())
        self.assertEqual(self.texts(), ["one"])

    def test_a_file_that_is_no_file_is_named(self) -> None:
        makers = {
            "folder": Path.mkdir,
            "fifo": os.mkfifo,
            "link": lambda path: path.symlink_to("nowhere"),
        }
        for name, make in makers.items():
            self.write(b"x", name=name)
            make(self.folder / name / "cpu1")
            for to in export.FORMATS:
                self.assertEqual(self.export(to, name), 1)
            self.assertEqual(self.texts(), ["x"])
            self.assertRegex(
                self.said.getvalue(),
                f"kmark: .*/{name}/cpu1: (is no regular file|No such file or directory)",
            )
            (self.folder / name / "metadata").unlink()
            make(self.folder / name / "metadata")
            with self.assertRaisesRegex(Failure, "nothing of it can be read"):
                self.export("perfetto", name)
            self.assertRegex(self.said.getvalue(), f"kmark: .*/{name}/metadata: (is no reg|No such file)")

    def test_a_cpu_without_packets_is_no_damage(self) -> None:
        self.write(b"x", cpu1=b"")
        for to in export.FORMATS:
            self.assertEqual(self.export(to), 0, self.said.getvalue())

    def test_a_file_that_cannot_be_read_is_blamed_itself(self) -> None:
        self.write(b"x")
        for to in export.FORMATS:
            self.export(to)  # loads the libraries, which may lie in a folder of root
        self.folder.chmod(0o777)
        for name in ("closed", "described", "whole"):
            self.write(
                b"good", name=name, cpu1=made_trace.packet(1, 0, made_trace.event(0, 9, b"sh", b"no"))
            )
        (self.folder / "closed/cpu1").chmod(0)
        (self.folder / "described/metadata").chmod(0)
        (self.folder / "whole").chmod(0)
        for to in export.FORMATS:
            (self.folder / to).unlink()
            with as_a_user():
                self.assertEqual(self.export(to, "closed"), 1)
                self.assertIn("/closed/cpu1: Permission denied", self.said.getvalue())
                with self.assertRaisesRegex(Failure, "described: nothing of it can be read"):
                    self.export(to, "described")
                self.assertIn("/described/metadata: Permission denied", self.said.getvalue())
                with self.assertRaisesRegex(Failure, "/whole: Permission denied"):
                    self.export(to, "whole")
                (self.folder / to).unlink(missing_ok=True)
                (self.folder / to).touch()
        (self.folder / "whole").chmod(0o700)
        self.assertNotIn(f"/{export.FORMATS[0]}: Permission", self.said.getvalue())

    def test_a_folder_for_temporary_files_that_refuses_them_is_blamed_itself(self) -> None:
        self.write(b"x")
        with mock.patch("tempfile.tempdir", str(self.folder / "none")):
            for to in export.FORMATS:
                with self.assertRaisesRegex(Failure, "/none/kmark-export.*: No such file or directory"):
                    self.export(to)

    def test_the_file_is_as_private_as_the_recording(self) -> None:
        self.write(b"x")
        before = os.umask(0o022)
        try:
            for to in export.FORMATS:
                self.export(to)
                self.assertEqual(stat.S_IMODE((self.folder / to).stat().st_mode), 0o600)
        finally:
            os.umask(before)
