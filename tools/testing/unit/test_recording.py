# SPDX-License-Identifier: GPL-2.0-only
"""Reading packets from the sink, and the files of a trace."""

from __future__ import annotations

import os
import resource
import tempfile
import unittest
from pathlib import Path
from unittest import mock

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


class Files(unittest.TestCase):
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
                with self.assertRaisesRegex(Failure, "cpu0: File too large; the trace ends here"):
                    trace.write(0, memoryview(2 * packet(0)))
            finally:
                resource.setrlimit(resource.RLIMIT_FSIZE, before)
            trace.close()
            self.assertEqual((trace.folder / "cpu0").read_bytes(), packet(0))
