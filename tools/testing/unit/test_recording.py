# SPDX-License-Identifier: GPL-2.0-only
"""Reading packets from the sink, and the files of a trace."""

from __future__ import annotations

import os
import resource
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import made_trace
from kmark import release
from kmark.errors import Failure
from kmark.record import layout, recording, sink


def packet(cpu: int) -> bytes:
    return bytes(sink.CPU_AT) + cpu.to_bytes(8, "little") + bytes(sink.PACKET - sink.CPU_AT - 8)


class Reads(unittest.TestCase):
    """A pipe stands for the file in debugfs, whose reads give packets of one CPU."""

    def cpus(self, *pieces: bytes) -> list[int]:
        reads = [*pieces, b""]

        def readv(_handle: int, buffers: list[bytearray]) -> int:
            piece = reads.pop(0)
            buffers[0][: len(piece)] = piece
            return len(piece)

        found = sink.Sink(Path("/nowhere"))
        found._reader = 0
        with mock.patch("os.readv", readv):
            return [cpu for cpu, _ in found.read()]

    def test_once_around(self) -> None:
        self.assertEqual(self.cpus(packet(0), 2 * packet(3)), [0, 3])
        self.assertEqual(self.cpus(packet(0), packet(0), packet(0)), [0, 0])
        self.assertEqual(self.cpus(packet(2), packet(5), packet(1), packet(2)), [2, 5, 1])

    def test_half_a_packet(self) -> None:
        with self.assertRaisesRegex(Failure, "100 bytes, not whole packets of 4096"):
            self.cpus(bytes(100))


class Follows(unittest.TestCase):
    def test_waits_where_little_came_and_flushes_in_time(self) -> None:
        found, place = mock.Mock(spec=sink.Sink), mock.Mock(bytes=0)
        found.session.return_value = {"size": "4096"}
        came = [1024, 1023, 0, 4096]
        last = recording.FLUSH_S
        with (
            mock.patch.object(recording, "drain", side_effect=came) as drained,
            mock.patch.object(recording, "time") as clock,
        ):
            clock.monotonic.side_effect = [0, 0.9 * last, last, last, 1.9 * last, 2 * last, 2 * last]
            recording.follow(found, place, lambda: drained.call_count < len(came), mock.Mock())
        self.assertEqual(clock.sleep.mock_calls, 2 * [mock.call(recording.IDLE_S)])
        self.assertEqual(found.command.mock_calls, 2 * [mock.call("flush")])
        self.assertEqual(place.beat.call_count, 2)


class Describes(unittest.TestCase):
    def test_a_recording_names_the_version_that_made_it(self) -> None:
        found = mock.Mock(spec=sink.Sink)
        found.session.return_value = {"events": "0", "addresses": "hashed", "clock": "mono"}
        with self.assertRaisesRegex(Failure, "packets of version 1, and this kmark reads version 2"):
            recording.Metadata(recording.FORMAT).renewed(found, True)
        found.session.return_value["format"] = layout.VERSION
        found.session.return_value |= {
            f"{prefix}.{key}": "1"
            for prefix in ("clock", "clock.now")
            for key in ("value", "mono", "realtime", "hz")
        }
        found.events.return_value = []
        for version in recording.FORMATS:
            text = recording.Metadata(version).renewed(found, True)
            assert text
            self.assertIn("tracer_version", text)
            self.assertIn(release.version(), text)

    def test_new_classes_are_described_before_their_events(self) -> None:
        found = mock.Mock(spec=sink.Sink)
        keys = {"addresses": "hashed", "clock": "mono", "format": layout.VERSION} | {
            f"clock.{key}": "1" for key in ("value", "mono", "realtime", "hz", "now.value", "now.mono")
        }
        metadata = recording.Metadata(recording.FORMAT)
        texts = []
        for count in (1, 1, 2, 2, 3):
            found.session.return_value = {**keys, "events": str(count)}
            found.events.return_value = made_trace.rows()[:1] * count
            texts.append(metadata.renewed(found, False))
        self.assertEqual([bool(text) for text in texts], [True, False, True, False, True])


class Drains(unittest.TestCase):
    def test_everything_that_comes_is_written_and_then_described(self) -> None:
        """More may come while packets are written."""
        rounds = [[(0, memoryview(b"a")), (1, memoryview(b"b"))], [(1, memoryview(b"c"))], []]
        found, place = mock.Mock(spec=sink.Sink), mock.Mock(spec=recording.Trace)
        found.read.side_effect = [iter(pieces) for pieces in rounds]
        recording.drain_all(found, place)
        written = [(cpu, bytes(piece)) for cpu, piece in (call.args for call in place.write.mock_calls)]
        self.assertEqual(written, [(0, b"a"), (1, b"b"), (1, b"c")])
        self.assertEqual(place.mock_calls[-1], mock.call.describe(found, last=True))

    def test_what_a_place_did_not_take_is_counted(self) -> None:
        """Packets of 2 and 3 events are left; 40 more events come while the session ends."""
        events = [made_trace.event(0, time, b"sh", b"x") for time in range(3)]
        made = [made_trace.packet(0, size, *events[:size]) for size in (1, 2, 3)]
        found, place = mock.Mock(spec=sink.Sink), mock.Mock(spec=recording.Trace)
        rounds = [[(0, memoryview(b"".join(made)))], [(0, memoryview(made[0]))], []]
        found.events.return_value = made_trace.rows()
        for refusing, number in (("write", 45), ("describe", 46)):
            with self.subTest(refusing):
                found.read.side_effect = [iter(pieces) for pieces in rounds]
                found.counts.side_effect = [{"recorded": 6}, {"recorded": 46}]
                place.write.side_effect = recording.Refused("full", memoryview(made[1] + made[2]))
                place.describe.side_effect = Failure("full") if refusing == "describe" else None
                with self.assertRaisesRegex(recording.Refused, "full") as seen:
                    recording.drain(found, place)
                found.reset_mock()
                self.assertEqual(recording.not_written(found, seen.exception), number)
                steps = [(name, *args) for name, args, _ in found.mock_calls]
                self.assertEqual(steps[:3], [("disconnect",), ("command", "stop"), ("counts",)])
                self.assertEqual(steps[3:], [("read",), ("read",), ("events",), ("counts",)])

    def test_counts_are_those_of_all_cpus(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            found = sink.Sink(Path(folder))
            found.folder.mkdir()
            (found.folder / "cpus").write_text(
                "#cpu\trecorded\tlost\toverwritten\n0\t1\t20\t300\n1\t4\t50\t600\n7\t7\t80\t900\n"
            )
            self.assertEqual(found.counts(), {"recorded": 12, "lost": 150, "overwritten": 1800})

    def test_each_session_has_a_folder(self) -> None:
        for name, folder in (("default", "ctf"), ("own", "ctf/instances/own")):
            found = sink.Sink(Path("/root"), "snapshot", name)
            self.assertEqual((found.root, found.source), (Path("/root"), Path("/root", folder, "snapshot")))


class Files(unittest.TestCase):
    def test_a_write_that_is_cut_short_goes_on(self) -> None:
        """As by a signal."""
        write = os.write
        with (
            tempfile.TemporaryDirectory() as folder,
            mock.patch("os.write", lambda file, data: write(file, data[:1000])),
        ):
            trace = recording.Trace(Path(folder, "trace"))
            trace.write(0, memoryview(packet(0) + packet(5)))
            trace.close()
            self.assertEqual(trace.bytes, 2 * sink.PACKET)
            self.assertEqual((trace.folder / "cpu0").read_bytes(), packet(0) + packet(5))

    def test_a_trace_is_its_owners_alone(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            before = os.umask(0)
            try:
                trace = recording.Trace(Path(folder, "trace"))
                trace.write(1, memoryview(packet(1)))
            finally:
                os.umask(before)
            trace.close()
            modes = [path.stat().st_mode & 0o777 for path in (trace.folder, trace.folder / "cpu1")]
        self.assertEqual(modes, [0o700, 0o600])

    def test_a_folder_without_a_trace_goes(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            trace = recording.Trace(Path(folder, "trace"))
            trace.abandon()
            self.assertFalse(trace.folder.exists())

    def test_a_disk_that_refuses_leaves_whole_packets(self) -> None:
        """The limit of a file stands for the end of the disk."""
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        with tempfile.TemporaryDirectory() as folder:
            trace = recording.Trace(Path(folder, "trace"))
            resource.setrlimit(resource.RLIMIT_FSIZE, (sink.PACKET * 3 // 2, before[1]))
            try:
                with self.assertRaisesRegex(recording.Refused, "cpu0: File too large; .*ends here") as seen:
                    trace.write(0, memoryview(packet(0) + 2 * packet(5)))
            finally:
                resource.setrlimit(resource.RLIMIT_FSIZE, before)
            trace.close()
            self.assertEqual((trace.folder / "cpu0").read_bytes(), packet(0))
            self.assertEqual((trace.bytes, seen.exception.left), (sink.PACKET, 2 * packet(5)))
