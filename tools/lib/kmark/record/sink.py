# SPDX-License-Identifier: GPL-2.0-only
"""The session of the probe `ctf`, through its files in debugfs; their formats
are in Documentation/ABI/debugfs-markers. What is read is whole packets."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from kmark.errors import Failure
from kmark.live import control

PACKET = 4096
READ_BYTES = 512 * PACKET


class Sink:
    """The files under markers/ctf."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folder = root / "ctf"
        self._readers: dict[int, int] = {}
        self._buffer = bytearray(READ_BYTES)

    def session(self) -> dict[str, str]:
        lines = control.read_lines(self.folder / "session")
        return dict(line.split("\t", 1) for line in lines if "\t" in line)

    def events(self) -> list[dict[str, str]]:
        """The classes of events so far; those of packets read before are among them."""
        return control.read(self.folder, "events").records()

    def counts(self) -> dict[str, int]:
        """Events recorded, lost and overwritten, summed over the CPUs."""
        rows = control.read(self.folder, "cpus").records()
        return {key: sum(int(row[key]) for row in rows) for key in ("recorded", "lost", "overwritten")}

    def command(self, words: str) -> None:
        control.write(self.folder / "control", words)

    @contextmanager
    def owned(self) -> Iterator[None]:
        """Until the end of the context, however it comes, the session is this
        program's; then all of it is disconnected and forgotten."""
        path = self.folder / "own"
        try:
            handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError as problem:
            raise busy_or(path, problem) from None
        try:
            yield
        finally:
            self.close()
            os.close(handle)

    def read(self) -> Iterator[tuple[int, memoryview]]:
        """What can be read now, CPU by CPU; each piece is whole packets, and is
        good until the next one."""
        for path in self.folder.glob("cpu[0-9]*"):
            cpu = int(path.name.removeprefix("cpu"))
            if cpu not in self._readers:
                self._readers[cpu] = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        for cpu, reader in self._readers.items():
            length = os.readv(reader, [self._buffer])
            if length % PACKET:
                raise Failure(f"{self.folder}/cpu{cpu}: {length} bytes are no whole packets")
            if length:
                yield cpu, memoryview(self._buffer)[:length]

    def close(self) -> None:
        for reader in self._readers.values():
            os.close(reader)
        self._readers.clear()


def busy_or(path: Path, problem: OSError) -> Failure:
    if problem.errno == errno.EBUSY:
        return Failure(
            "the sink is in use: another recorder runs, or a flight recorder is connected "
            "(kmark disconnect '*' ctf)"
        )
    return control.access_failure(path, problem)


def summary(counts: Mapping[str, int]) -> str:
    lost = [f"{counts[key]} {key}" for key in ("lost", "overwritten") if counts[key]]
    return f"{counts['recorded']} events recorded" + (f", {', '.join(lost)}" if lost else ", none lost")
