# SPDX-License-Identifier: GPL-2.0-only
"""A trace on disk, and filling it from the sink: metadata and one file for each CPU.

At any moment the folder holds a trace that can be read: metadata is replaced as a whole,
before events of a new class are written, and when its clock is due; packets are pages, so
that a write which is interrupted (killed, disk full) leaves whole ones. Only its owner can
read it, since a trace can contain data that the kernel hides from its users."""

from __future__ import annotations

import os
import platform
import time
import uuid
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from kmark import cache, release
from kmark.errors import Failure
from kmark.record import clock, ctf, ctf2, layout
from kmark.record.packets import readable
from kmark.record.sink import PACKET, Sink

IDLE_S = 0.02  # between two reads, when little came
FLUSH_S = 1.0  # the longest that a packet is left open
# Makers of the metadata, by version of the Common Trace Format; the packets are the same.
FORMATS = {"1.8": ctf.metadata, "2": ctf2.metadata}
FORMAT = "1.8"


class Metadata:
    """The metadata of one trace, which has a uuid: its text in a format of FORMATS, whenever that
    changes."""

    def __init__(self, version: str) -> None:
        self._text = FORMATS[version]
        self.uuid = str(uuid.uuid4())
        self._events = -1
        self._clock: clock.Clock | None = None

    def renewed(self, sink: Sink, last: bool) -> str | None:
        """The text, if there are new classes of events, or the clock is due; else None. `last`: the
        recording has ended, so the clock is due."""
        session = sink.session()
        layout.check_version(session)
        now = clock.clock_of(session)
        due = last or clock.is_due(now, self._clock)
        if self._events == int(session["events"]) and not due:
            return None
        events = sink.events()
        facts = {
            "tracer_name": "kmark",
            "tracer_version": release.version(),
            "domain": "kernel",
            "hostname": platform.node(),
            "kernel_release": platform.release(),
            "addresses": session["addresses"],
            "packet_version": layout.VERSION,
        }
        text = self._text(self.uuid, now, clock.boot_id(), events, facts)
        self._events = len(events)
        self._clock = now
        return text


class Refused(Failure):
    """A place has ended; `left` are the packets that were read and that it has not taken."""

    def __init__(self, reason: str, left: memoryview) -> None:
        super().__init__(reason)
        self.left = bytes(left)


class Trace:
    """A new folder. Failure if it exists, and when the disk refuses a write: the trace ends
    there."""

    def __init__(self, folder: Path, version: str = FORMAT) -> None:
        self.folder = folder
        self.bytes = 0
        self._files: dict[int, int] = {}
        self._begun: set[int] = set()  # CPUs that have a file
        self._metadata = Metadata(version)
        try:
            folder.mkdir(mode=0o700, parents=True)
        except FileExistsError:
            raise Failure(f"{folder}: is there already; a trace needs a folder of its own") from None
        except OSError as problem:
            raise Failure(f"{folder}: {problem.strerror}") from None

    def describe(self, sink: Sink, last: bool = False) -> None:
        """Brings the metadata up to date. `last`: the recording has ended."""
        text = self._metadata.renewed(sink, last)
        if text is not None:
            self.write_metadata(text.encode())

    def write_metadata(self, text: bytes | Iterable[bytes]) -> None:
        """Replace the metadata by a text, or by its parts."""
        try:
            cache.write_whole(self.folder / "metadata", text, 0o600)
        except OSError as problem:
            raise Failure(f"{self.folder}/metadata: {problem.strerror}; the trace ends here") from None

    def write(self, cpu: int, packets: memoryview) -> None:
        """Append whole packets to the file of a CPU. Refused if the disk does not take all of them."""
        path = self.folder / f"cpu{cpu}"
        written = 0
        try:
            if cpu not in self._files:
                new = 0 if cpu in self._begun else os.O_CREAT | os.O_EXCL
                self._files[cpu] = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC | new, 0o600)
                self._begun.add(cpu)
            while written < len(packets):
                written += os.write(self._files[cpu], packets[written:])
        except OSError as problem:
            self._cut(cpu)
            left = packets[written - written % PACKET :]
            raise Refused(f"{path}: {problem.strerror}; the trace ends here", left) from None
        finally:
            self.bytes += written - written % PACKET

    def _cut(self, cpu: int) -> None:
        """Removes the part of a packet that a failed write has left."""
        if cpu in self._files:
            size = os.fstat(self._files[cpu]).st_size
            os.ftruncate(self._files[cpu], size - size % PACKET)

    def disk(self) -> int:
        """Bytes of all files."""
        metadata = self.folder / "metadata"
        return self.bytes + (metadata.stat().st_size if metadata.exists() else 0)

    def abandon(self) -> None:
        """Removes the folder, in which nothing was recorded."""
        with suppress(OSError):
            self.folder.rmdir()

    def beat(self) -> None:
        """Handle a period without packets."""

    def close(self) -> None:
        """Close all files; write() opens them again."""
        for file in self._files.values():
            os.close(file)
        self._files.clear()


class Place(Protocol):
    """A place to write events to: a Trace, or another class with its methods."""

    bytes: int

    def describe(self, sink: Sink, last: bool = False) -> None: ...
    def write(self, cpu: int, packets: memoryview) -> None: ...
    def beat(self) -> None: ...
    def abandon(self) -> None: ...
    def close(self) -> None: ...


def drain(sink: Sink, trace: Place) -> int:
    """Write the present packets of each CPU. Return the number of bytes. Refused if the place has ended."""
    came = 0
    for cpu, packets in sink.read():
        try:
            trace.describe(sink)
            trace.write(cpu, packets)
        except Refused:
            raise
        except Failure as problem:
            raise Refused(str(problem), packets) from None
        came += len(packets)
    return came


def drain_all(sink: Sink, trace: Place) -> None:
    """Until nothing more comes."""
    while drain(sink, trace):
        pass
    trace.describe(sink, last=True)


def not_written(sink: Sink, refused: Refused) -> int:
    """End the recording after a place has ended. Return how many recorded events are in no place."""
    sink.disconnect()
    sink.command("stop")
    before = sink.counts()["recorded"]
    while sum(len(piece) for _, piece in sink.read()):
        pass
    classes = {event.id: event for event in layout.events(sink.events())}
    pieces = (refused.left[at : at + PACKET] for at in range(0, len(refused.left), PACKET))
    left = sum(part.events for piece in pieces for part in readable(piece, classes))
    return left + sink.counts()["recorded"] - before


def follow(sink: Sink, trace: Place, goes_on: Callable[[], bool], show: Callable[[int], None]) -> None:
    """Write packets until `goes_on` returns False; `show` gets the number of bytes so far."""
    size = int(sink.session()["size"])
    flushed = time.monotonic()
    trace.describe(sink)
    while goes_on():
        came = drain(sink, trace)
        show(trace.bytes)
        if came < size // 4:
            time.sleep(IDLE_S)
        if time.monotonic() - flushed >= FLUSH_S:
            sink.command("flush")
            flushed = time.monotonic()
            trace.beat()
