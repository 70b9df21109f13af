# SPDX-License-Identifier: GPL-2.0-only
"""A recording as a trace of Perfetto: events of ftrace, with the definitions of its own package."""

from __future__ import annotations

from collections.abc import Iterable
from typing import IO, Any

from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import ClockSnapshot, FtraceEventBundle
from perfetto.trace_builder.proto_builder import StreamingTraceProtoBuilder

from kmark.errors import Failure
from kmark.export.events import Event, Field, Value, text_of

BUNDLE = 1000  # events of a CPU in one packet of the file
CLOCK = ClockSnapshot.Clock


class Trace:
    """Writes events, in the order of their times, and the names of threads."""

    def __init__(self, out: IO[bytes]) -> None:
        self._trace = StreamingTraceProtoBuilder(out)
        self._bundles: dict[int, FtraceEventBundle] = {}
        self._threads: dict[int, tuple[int, str]] = {}
        self._begun = False

    def add(self, event: Event) -> None:
        if not self._begun:
            self._begin(event.time)
        bundle = self._bundles.setdefault(event.cpu, FtraceEventBundle(cpu=event.cpu))
        made = bundle.event.add(timestamp=event.time, pid=event.number("tid"))
        made.generic.event_name = f"{event.kind.system}/{event.kind.name}"
        for layout, values in ((event.kind.context, event.context), (event.kind.fields, event.fields)):
            for one in layout:
                self._add_field(made.generic, one, values[one.name])
        if thread := event.thread():
            self._threads[thread[0]] = thread[1:]
        if len(bundle.event) == BUNDLE:
            self._write(event.cpu)

    def _begin(self, time: int) -> None:
        """Begin a packet. Its time is the time of day, for events and for the clock on which Perfetto puts
        them."""
        packet = self._trace.create_packet()
        for number in (CLOCK.BOOTTIME, CLOCK.MONOTONIC, CLOCK.REALTIME):
            packet.clock_snapshot.clocks.add(clock_id=number, timestamp=time)
        self._trace.write_packet(packet)
        self._begun = True

    @staticmethod
    def _add_field(made: Any, layout: Field, value: Value) -> None:
        if not isinstance(value, int):
            made.field.add(name=layout.name, str_value=text_of(value))
        elif layout.signed:
            made.field.add(name=layout.name, int_value=value)
        else:
            made.field.add(name=layout.name, uint_value=value)

    def _write(self, cpu: int) -> None:
        packet = self._trace.create_packet()
        packet.ftrace_events.CopyFrom(self._bundles.pop(cpu))
        self._trace.write_packet(packet)

    def close(self) -> None:
        for cpu in sorted(self._bundles):
            self._write(cpu)
        if self._threads:
            packet = self._trace.create_packet()
            for tid, (pid, name) in sorted(self._threads.items()):
                if tid == pid:
                    packet.process_tree.processes.add(pid=pid, cmdline=[name])
                packet.process_tree.threads.add(tid=tid, tgid=pid, name=name)
            self._trace.write_packet(packet)


def write(out: IO[bytes], events: Iterable[Event]) -> int:
    """Writes events into a file and returns how many. Failure if the file cannot be written."""
    count = 0
    try:
        trace = Trace(out)
        for count, event in enumerate(events, 1):  # noqa: B007
            trace.add(event)
        trace.close()
        out.flush()
    except OSError as problem:
        raise Failure(f"{out.name}: {problem.strerror}") from None
    return count
