# SPDX-License-Identifier: GPL-2.0-only
"""The clock of a trace: how the times of its events become times of day.

In the trace it is called `monotonic` and has the boot's id as its uuid, as in traces of LTTng, so
that readers put both on one time line. Where events are stamped by the monotonic clock itself, its
offset is exact. Where they are stamped by the time stamp counter, the kernel reads both clocks when
the recording begins and again later, and times of day are on the line through the two; so the
metadata are written again while a trace grows, and at its end."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from kmark.errors import Failure

NS_PER_S = 10**9
NAME = "monotonic"
BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
# The two readings are some 100 ns apart from what they mean; the frequency that the kernel measured
# at boot is off by 1e-7 or so. After this time the line is the better one.
FIT_NS = NS_PER_S
SOURCES = {
    "mono": "the kernel's monotonic clock",
    "tsc": "the time stamp counter, on the time line of the monotonic clock",
}


class Clock(NamedTuple):
    """The clock of the events, of SOURCES: `hz` ticks a second. `value` is its reading, in ticks, at
    the moment `realtime`, in ns since 1970; `age` the ns since then by the monotonic clock."""

    source: str
    hz: int
    value: int
    realtime: int
    age: int = 0


def clock_of(session: Mapping[str, str]) -> Clock:
    """The clock of a session, from the keys of its debugfs file. Failure if they are
    missing, the frequency is not known, or its readings are of no clock that advances."""
    names = ("hz", "value", "mono", "realtime", "now.value", "now.mono")
    try:
        source = session["clock"]
        hz, value, mono, realtime, later, now = (int(session[f"clock.{name}"]) for name in names)
    except (KeyError, ValueError):
        raise Failure("ctf/session does not name its clock: nothing has been connected") from None
    if source not in SOURCES:
        raise Failure(f"ctf/session: the clock {source} is none of {', '.join(SOURCES)}")
    if hz <= 0:
        raise Failure(f"ctf/session: the frequency of the clock {source} is not known: use --clock mono")
    if source == "tsc" and now - mono >= FIT_NS:
        hz = ((later - value) * NS_PER_S + (now - mono) // 2) // (now - mono)
        if hz <= 0:
            raise Failure(f"ctf/session: {later - value} ticks of {source} in {now - mono} ns are no clock")
    return Clock(source, hz, value, realtime, now - mono)


def is_due(clock: Clock, written: Clock | None) -> bool:
    """True if the metadata that have WRITTEN should get CLOCK, of the same session: when it is twice
    as old, so that even a trace of a recorder that was killed has its clock from at least half of it."""
    if written is None or clock.source == "mono":
        return written is None
    return clock.age >= max(2 * written.age, FIT_NS)


def boot_id() -> str:
    """Return the id of the running kernel's boot, a uuid."""
    try:
        return BOOT_ID.read_text().strip()
    except OSError as problem:
        raise Failure(f"{BOOT_ID}: {problem.strerror}") from None


def offset(clock: Clock) -> tuple[int, int]:
    """Return the offset of the clock's 0 from the beginning of 1970: seconds, and ticks less than a
    second."""
    return divmod(clock.realtime * clock.hz // NS_PER_S - clock.value, clock.hz)
