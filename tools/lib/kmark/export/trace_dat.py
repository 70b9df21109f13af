# SPDX-License-Identifier: GPL-2.0-only
"""A recording as a file of trace-cmd, version 6, which trace-cmd and KernelShark read;
trace-cmd.dat.v6(5) has the format. No library writes such a file but from the kernel's own
ring buffer."""

from __future__ import annotations

import shutil
import struct
import tempfile
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import IO

from kmark.errors import Failure, say
from kmark.export import pages
from kmark.export.events import Class, Event
from kmark.foreign import shown

LITTLE_ENDIAN = 0
LONG = 8  # bytes
NO_OPTIONS = struct.pack("<H", 0)


def sized(text: str, form: str = "<Q") -> bytes:
    data = text.encode()
    return struct.pack(form, len(data)) + data


def described(system: str, kinds: list[Class]) -> bytes:
    """Return the table of the events of a system."""
    descriptions = b"".join(sized(pages.description(kind)) for kind in kinds)
    return system.encode() + b"\0" + struct.pack("<I", len(kinds)) + descriptions


def head(kinds: Iterable[Class], names: dict[int, str], cpus: int) -> bytes:
    """All before the table of CPUs: NAMES of threads, the number of CPUs."""
    systems: dict[str, list[Class]] = {}
    for kind in kinds:
        systems.setdefault(kind.system, []).append(kind)
    return b"".join(
        [
            b"\x17\x08\x44tracing6\0",
            struct.pack("<BBI", LITTLE_ENDIAN, LONG, pages.PAGE),
            b"header_page\0" + sized(pages.HEADER_PAGE),
            b"header_event\0" + sized(pages.HEADER_EVENT),
            struct.pack("<I", 0),  # events of ftrace itself
            struct.pack("<I", len(systems)),
            *(described(system, found) for system, found in systems.items()),
            sized("", "<I"),  # symbols
            sized("", "<I"),  # formats of trace_printk()
            # One thread a line.
            sized("".join(f"{tid} {shown(name)}\n" for tid, name in sorted(names.items()))),
            struct.pack("<I", cpus),
            b"options  \0" + NO_OPTIONS + b"flyrecord\0",
        ]
    )


class Trace:
    """Collects the pages of each CPU in temporary files, as the file begins with how long they are."""

    def __init__(self, folder: Path, opened: ExitStack) -> None:
        self.folder = folder
        self.opened = opened
        self.kinds: dict[int, Class] = {}
        self.names: dict[int, str] = {}
        self._pages: dict[int, pages.Pages] = {}
        self._files: dict[int, IO[bytes]] = {}

    def add(self, event: Event) -> bool:
        """Add an event, and return true. False, with a message, if the event does not fit into a page of
        ftrace, or has a class beyond those that ftrace can number."""
        if event.kind.id >= pages.MOST_CLASSES:
            say(f"left out: an event of {event.kind.name}: a file has {pages.MOST_CLASSES} classes at most")
            return False
        data = pages.record(event)
        if len(data) > pages.LARGEST:
            say(
                f"left out: an event of {event.kind.name} has {len(data)} bytes, and a page of ftrace has "
                f"room for {pages.LARGEST}"
            )
            return False
        self.kinds[event.kind.id] = event.kind
        if thread := event.thread():
            self.names[thread[0]] = thread[2]
        if event.cpu not in self._pages:
            self._pages[event.cpu] = pages.Pages()
            file = tempfile.TemporaryFile(dir=self.folder)  # noqa: SIM115
            self._files[event.cpu] = self.opened.enter_context(file)
        for page in self._pages[event.cpu].add(event.time, data):
            self._files[event.cpu].write(page)
        return True

    def write(self, out: IO[bytes]) -> None:
        """Write the whole file; it has all CPUs up to the last one with events."""
        for cpu, last in self._pages.items():
            if not last.is_empty():
                self._files[cpu].write(last.take())
        cpus = max(self._files, default=-1) + 1
        sizes = [self._files[cpu].tell() if cpu in self._files else 0 for cpu in range(cpus)]
        start = head(self.kinds.values(), self.names, cpus)
        at = len(start) + 16 * cpus
        at += -at % pages.PAGE
        out.write(start)
        for length in sizes:
            out.write(struct.pack("<QQ", at, length))
            at += length
        out.write(bytes(-out.tell() % pages.PAGE))
        for cpu in sorted(self._files):
            self._files[cpu].seek(0)
            shutil.copyfileobj(self._files[cpu], out)


def write(out: IO[bytes], events: Iterable[Event]) -> int:
    """Writes events into a file and returns how many. Failure if the file cannot be written."""
    count = 0
    try:
        with ExitStack() as opened:
            trace = Trace(Path(out.name).parent, opened)
            for event in events:
                count += trace.add(event)
            trace.write(out)
            out.flush()
    except OSError as problem:
        raise Failure(f"{out.name}: {problem.strerror}") from None
    return count
