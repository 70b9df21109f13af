# SPDX-License-Identifier: GPL-2.0-only
"""The sessions of the probe `ctf`, through their files in debugfs, whose formats are in
Documentation/ABI/debugfs-markers. Reads return whole packets."""

from __future__ import annotations

import errno
import os
import struct
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from kmark import foreign
from kmark.errors import Failure
from kmark.live import control

PACKET = 4096
READ_BYTES = 512 * PACKET
CPU_AT = 56  # in the header of a packet
CLASS = ("marker", "fields", "context", "names")  # columns of the classes of events, without their ids
COUNTS = ("recorded", "lost", "overwritten")
DEFAULT = "default"  # the session that is always there
NO_CLOCK = "the TSC is not stable here, or its frequency is not known; use --clock mono"


def sessions(root: Path) -> control.Table:
    """Return the list of sessions: a row for each."""
    return control.read(root / "ctf", "sessions", ("name", "state"))


def create(root: Path, name: str) -> None:
    """A session. Refused if it exists."""
    control.write(root / "ctf/sessions", f"create {name}")


def remove(root: Path, name: str) -> None:
    """Remove a session, with its unread events. Refused if there is none, if it has a recorder or a reader,
    or if something is connected."""
    control.write(root / "ctf/sessions", f"remove {name}")


class Sink:
    """The files of the session NAME; SOURCE is the one that packets are read from, at most `most`
    bytes at a time."""

    def __init__(
        self, root: Path, source: str = "packets", name: str = DEFAULT, most: int = READ_BYTES
    ) -> None:
        self.root = root
        self.name = name
        self.folder = root / "ctf" if name == DEFAULT else root / "ctf/instances" / name
        self.source = self.folder / source
        self._reader = -1
        self._buffer = bytearray(most)

    def exists(self) -> bool:
        return (self.folder / "session").exists()

    def session(self) -> dict[str, str]:
        """Return the keys and values of the session."""
        lines = control.read_lines(self.folder / "session")
        pairs = (line.split("\t", 1) for line in lines if "\t" in line)
        return {key: foreign.unescaped(value) for key, value in pairs}

    def events(self) -> list[dict[str, str]]:
        """Return the classes of events so far, which include those of all packets read before."""
        return control.read(self.folder, "events", CLASS, ("id",), every=True).records()

    def counts(self) -> dict[str, int]:
        """Events recorded, lost and overwritten, summed over the CPUs."""
        rows = control.read(self.folder, "cpus", numbers=COUNTS, every=True).records()
        return {key: sum(int(row[key]) for row in rows) for key in COUNTS}

    def command(self, words: str) -> None:
        """Write `words` into the session's control. Refused if the kernel does not carry it out."""
        reasons = {errno.EOPNOTSUPP: NO_CLOCK, errno.EBUSY: self.in_use()}
        control.write(self.folder / "control", words, reasons)

    def in_use(self) -> str:
        """Return the message that another program has the session."""
        return (
            f"the session {self.name} is in use: another recorder runs, a snapshot is taken, or a "
            "flight recorder is connected (kmark disconnect '*' ctf)"
        )

    def disconnect(self) -> None:
        """Disconnect everything from this session. An unconnected session is no error."""
        self.command("disconnect")

    @contextmanager
    def owned(self) -> Iterator[None]:
        """The session is this program's for the time of the context; at its end, however
        that comes, everything is disconnected and freed. Failure if another program has it."""
        handle = self._open(self.folder / "own")
        try:
            yield
        finally:
            self.close()
            os.close(handle)

    def open(self) -> None:
        """Begins to read; no other reader can, until close()."""
        if self._reader < 0:
            self._reader = self._open(self.source)

    def read(self) -> Iterator[tuple[int, memoryview]]:
        """Yield the unread packets, CPU by CPU: pieces of whole packets of one CPU, valid until the next
        one."""
        self.open()
        last = -1
        while length := os.readv(self._reader, [self._buffer]):
            if length % PACKET:
                raise Failure(f"{self.source}: {length} bytes, not whole packets of {PACKET}")
            (cpu,) = struct.unpack_from("<Q", self._buffer, CPU_AT)
            yield cpu, memoryview(self._buffer)[:length]
            if cpu <= last:
                break
            last = cpu

    def close(self) -> None:
        if self._reader >= 0:
            os.close(self._reader)
        self._reader = -1

    def _open(self, path: Path) -> int:
        """A descriptor for reading. Failure, which says who has it if another program does."""
        try:
            return os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError as problem:
            if problem.errno == errno.EBUSY:
                raise Failure(self.in_use()) from None
            raise control.access_failure(path, problem) from None


def summary(counts: Mapping[str, int], removed: int = 0, missing: int = 0) -> str:
    """Return the numbers of recorded and lost events as text. `removed`: of those recorded, so many are no
    longer there; `missing`: so many were not written."""
    there = counts["recorded"] - removed - missing
    found = {**counts, "recorded": there, "removed": removed, "not written": missing}
    gone = [f"{number} {key}" for key, number in found.items() if key != "recorded" and number]
    return f"{found['recorded']} events recorded" + (f", {', '.join(gone)}" if gone else ", none lost")
