# SPDX-License-Identifier: GPL-2.0-only
"""A recording in parts, each a trace of its own in a folder 000001, 000002, ... that is ended at a size
or after a time; the oldest are removed to stay below a number of bytes."""

from __future__ import annotations

import shutil
import time
from collections import deque
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from kmark.errors import Failure
from kmark.record.recording import FORMAT, Trace
from kmark.record.sink import PACKET, READ_BYTES, Sink

PIECES = 8  # reads of a part, at least


class Limits(NamedTuple):
    """Limits of a part in bytes and in seconds, and of all parts on the disk in bytes; None: no limit."""

    size: int | None = None
    seconds: float | None = None
    disk: int | None = None

    @property
    def given(self) -> bool:
        return self != Limits()

    @property
    def piece(self) -> int:
        """Bytes to read at a time, so that a part can end near its size."""
        least = min(self.size or READ_BYTES * PIECES, self.disk or READ_BYTES * PIECES)
        return max(PACKET, least // PIECES // PACKET * PACKET)

    @property
    def rotates(self) -> bool:
        return self.size is not None or self.seconds is not None


class Part(NamedTuple):
    """A part of a recording that has ended."""

    folder: Path
    bytes: int
    events: int


class Chunks:
    """A place with the methods of recording.Trace, as each part. Without a limit of a part there is only
    one, in the folder itself. Failure if the disk refuses a write, and if the limit of the disk is
    reached where no part can be removed."""

    def __init__(self, folder: Path, limits: Limits, sink: Sink, version: str = FORMAT) -> None:
        self.folder = folder
        self.name = str(folder)
        self.limits = limits
        self.bytes = 0
        self.removed = 0  # events
        self._sink = sink
        self._version = version
        self._parts: deque[Part] = deque()
        self._number = 0
        self._recorded = 0  # events in all parts that have ended
        self._began = 0.0
        self._open: Trace | None = None if limits.rotates else Trace(folder, version)
        if limits.rotates:
            # A Trace makes and checks the folder.
            Trace(folder)

    def describe(self, sink: Sink, last: bool = False) -> None:
        if self._open is None and not last:
            self._number += 1
            self._open = Trace(self.folder / f"{self._number:06}", self._version)
            self._began = time.monotonic()
        if self._open is not None:
            self._open.describe(sink, last)

    def write(self, cpu: int, packets: memoryview) -> None:
        """Write packets, after describe(). When it returns, all packets that were read are written."""
        assert self._open is not None
        self._make_room(len(packets))
        self._open.write(cpu, packets)
        self.bytes += len(packets)
        full = self.limits.size is not None and self._open.bytes + self.limits.piece > self.limits.size
        old = self.limits.seconds is not None and time.monotonic() - self._began >= self.limits.seconds
        if full or old:
            self._end()

    def beat(self) -> None:
        """Handle a period without packets."""

    def _end(self) -> None:
        """The open part. All events that the kernel counts as read are in this part and the others."""
        assert self._open is not None
        self._open.describe(self._sink, last=True)
        self._open.close()
        recorded = self._sink.counts()["recorded"]
        self._parts.append(Part(self._open.folder, self._open.disk(), recorded - self._recorded))
        self._recorded = recorded
        self._open = None

    def _make_room(self, coming: int) -> None:
        assert self._open is not None
        if self.limits.disk is None:
            return
        while self._open.disk() + coming + sum(part.bytes for part in self._parts) > self.limits.disk:
            if not self._parts:
                raise Failure(
                    f"{self._open.folder}: --max-disk of {self.limits.disk} bytes is reached; "
                    "the trace ends here"
                )
            oldest = self._parts.popleft()
            try:
                shutil.rmtree(oldest.folder)
            except OSError as problem:
                raise Failure(f"{oldest.folder}: {problem.strerror}; the trace ends here") from None
            self.removed += oldest.events

    def abandon(self) -> None:
        """Removes the folder, in which nothing was recorded."""
        with suppress(OSError):
            self.folder.rmdir()

    def close(self) -> None:
        if self._open is not None:
            self._open.close()
