# SPDX-License-Identifier: GPL-2.0-only
"""The files of kmark record export as a whole: all that trace-cmd and the definitions of Perfetto read of a
small recording is in whole.txt."""

from __future__ import annotations

import io
import struct
import subprocess
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import made_trace
from kmark.commands import record_export as export
from kmark.record import layout, packets
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace

EXPECTED = Path(__file__).with_name("whole.txt")
ROWS = [
    {"id": "0", "marker": "drv/one", "fields": "s8:10,u16:8,u64:16,str:10,enum:ON=1;OFF=-1,bytes:2",
     "names": "a,b,c,d,e,f", "context": "tid,pid,comm,irq,preempt,kstack"},
    {"id": "70000", "marker": "two-2", "fields": "s64:10", "names": "x", "context": "tid,comm"},
]  # fmt: skip


def one(time: int, tid: int, irq: int, preempt: int) -> bytes:
    head = packets.COMPACT_HEADER.pack((time & packets.TIME) << layout.EVENT_ID.bits)
    context = struct.pack("<ii16sBB", tid, 6, b"sh", irq, preempt)
    stack = struct.pack("<BQQ", 2, 0xFFFFFFFF81000000, 0x10)
    return head + context + stack + struct.pack("<bHQ3siBB", -5, 8, 0xFF, b"hi\0", -1, 1, 0xFE)


def two(time: int) -> bytes:
    """An event of an event class without `pid`."""
    return packets.EXTENDED_HEADER.pack(layout.EXTENDED, 70000, time) + struct.pack("<i16sq", 9, b"two", -7)


class Whole(unittest.TestCase):
    maxDiff = None

    def test_what_tools_read_of_a_recording(self) -> None:
        work = Path(self.enterContext(tempfile.TemporaryDirectory()))
        said = self.enterContext(mock.patch("sys.stderr", io.StringIO()))
        events = [one(1000 + irq, 6 + irq % 2, irq, preempt) for irq, preempt in enumerate((0, 15, 16, 3))]
        streams = {
            "cpu0": made_trace.packet(0, 0, *events),
            # One time is just near enough for 27 bits, and one is not.
            "cpu2": made_trace.packet(2, 0, two(500), two(500 + (1 << 27) - 1), two(2 * (1 << 27) + 499)),
        }
        made_trace.write(work / "trace", streams, ROWS)
        self.enterContext(mock.patch("kmark.export.perfetto.BUNDLE", 3))
        for to in export.FORMATS:
            args = mock.Mock(trace=work / "trace", format=to, output=work / to)
            self.assertEqual(export.run(args), 0, said.getvalue())
        lines = []
        for words in (("-l", "-t"), ("--events",)):
            command = ["trace-cmd", "report", *words, "-i", str(work / "trace-cmd")]
            lines += subprocess.check_output(command, text=True, stderr=subprocess.DEVNULL).split("\n")
        found = Trace.FromString((work / "perfetto").read_bytes())
        lines += [str(packet) for packet in found.packet]
        wanted = EXPECTED.read_text().split("\n")[1:-1]
        self.assertEqual([text for line in lines if (text := " ".join(line.split()))], wanted)
