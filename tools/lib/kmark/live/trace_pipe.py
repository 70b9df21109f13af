# SPDX-License-Identifier: GPL-2.0-only
"""Events of the probe `trace`, live, through an instance of tracefs of its own."""

from __future__ import annotations

import os
import re
import select
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from kmark.errors import Failure
from kmark.live import control

TRACEFS = Path("/sys/kernel/tracing")
EVENT = "events/markers/marker"
# "  sh-87  [000] .N... 4.593867: marker: NAME FILE:LINE TEXT"
# The name of a task has at most 15 bytes, so the text of an event cannot be taken for its beginning.
LINE = re.compile(
    r"\s*(.{1,16}?)-(\d{1,10})\s+\[(\d{1,10})\]\s+\S+\s+(\d{1,12}\.\d{1,9}): "
    r"marker: (\S+) (.+?):(\d{1,10}) (.*)\Z",
    re.ASCII | re.DOTALL,
)


class Event(NamedTuple):
    """One event as tracefs prints it."""

    time_s: float
    cpu: int
    task: str
    pid: int
    marker: str
    file: str
    line: int
    text: str


def parse(line: str) -> Event | None:
    """Return the event of a line, or None for other lines, such as a note that some were lost."""
    found = LINE.match(line)
    if not found:
        return None
    task, pid, cpu, time_s, marker, file, number, text = found.groups()
    return Event(float(time_s), int(cpu), task.strip(), int(pid), marker, file, int(number), text)


def instance(tracefs: Path) -> Path:
    """Return the folder of the instance of this process."""
    return tracefs / "instances" / f"kmark-{os.getpid()}"


def enable(tracefs: Path, value: int) -> None:
    """Enable (1) or disable (0) the event in the instance, whose buffer then gets no more events."""
    (instance(tracefs) / EVENT / "enable").write_text(str(value))


@contextmanager
def opened(tracefs: Path) -> Iterator[int]:
    """Yields a descriptor of the instance's trace_pipe, with the event enabled. Failure
    without probe_trace.ko."""
    if not (tracefs / EVENT).is_dir():
        module = "probe_trace" if control.ROOT.exists() else "markers"
        raise Failure(f"{tracefs / EVENT}: no such event{control.missing(module)}")
    folder = instance(tracefs)
    try:
        folder.mkdir()
    except OSError as problem:
        raise Failure(f"{folder}: {problem.strerror}") from None
    try:
        enable(tracefs, 1)
        pipe = os.open(folder / "trace_pipe", os.O_RDONLY | os.O_NONBLOCK)
        try:
            yield pipe
        finally:
            os.close(pipe)
            enable(tracefs, 0)
    finally:
        folder.rmdir()


def lines(pipe: int, rest: bytearray, timeout_s: float) -> list[str]:
    """Whole lines that have come within `timeout_s` seconds; `rest` keeps the start of the
    next one."""
    if not select.select([pipe], [], [], timeout_s)[0]:
        return []
    try:
        rest += os.read(pipe, 1 << 16)
    except BlockingIOError:
        return []
    *complete, part = bytes(rest).split(b"\n")
    rest[:] = part
    return [line.decode(errors="replace") for line in complete]
