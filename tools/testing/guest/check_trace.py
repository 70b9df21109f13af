# SPDX-License-Identifier: GPL-2.0-only
"""Holds recorded events of marker_types.ko against what was fired.

check_trace.py text N	stdin is babeltrace2's print of N events of each marker,
                        numbered from 0: all there, in order, with their arguments
check_trace.py raw DIR N
                        the same, read without babeltrace2
check_trace.py packets DIR
                        every packet of a trace of types_ints alone is whole, and every
                        event in it; prints how many events, and how many lost
check_trace.py order DIR
                        the same, but packets may have been overwritten in between

Exit status 1, and a line that says where, if not."""

from __future__ import annotations

import re
import struct
import sys
from pathlib import Path

import marker_types
import numpy as np
from numpy.typing import NDArray

PACKET = 4096
HEADER = np.dtype(
    [
        *[("magic", "<u4"), ("stream", "<u4"), ("begin", "<u8"), ("end", "<u8"), ("content", "<u8")],
        *[("size", "<u8"), ("number", "<u8"), ("lost", "<u8"), ("cpu", "<u8")],
    ]
)
EVENT = np.dtype(
    [
        *[("time", "<u8"), ("id", "<u4"), ("s8", "i1"), ("u8", "u1"), ("s16", "<i2"), ("u16", "<u2")],
        *[("s32", "<i4"), ("u32", "<u4"), ("s64", "<i8"), ("u64", "<u8")],
    ]
)
MOST = (PACKET - 1 - HEADER.itemsize) // EVENT.itemsize  # events in a packet
VALUE = re.compile(r'arg\d+ = ("(?:[^"\\]|\\.)*"|[^,} ]+)')


def wrong(where: str, what: str) -> None:
    print(f"{where}: {what}", file=sys.stderr)
    raise SystemExit(1)


def value(text: str) -> int | str:
    if text.startswith('"'):
        return re.sub(r"\\(.)", r"\1", text[1:-1])
    return int(text, 0)


def check_text(count: int) -> None:
    lines = sys.stdin.read().splitlines()
    if len(lines) != 2 * count:
        wrong("text", f"{len(lines)} lines instead of {2 * count}")
    for place, line in enumerate(lines):
        number = place // 2
        name = "types_texts" if place % 2 else "types_ints"
        expected = marker_types.texts(number) if place % 2 else marker_types.ints(number)
        found = list(map(value, VALUE.findall(line)))
        # babeltrace2 2.0.4 now and then prints an older text for an empty one,
        # of any writer; check_raw() looks at those.
        if expected[1] == "" and len(found) > 1:
            found[1] = ""
        if f"{name}:" not in line or tuple(found) != expected:
            wrong(f"line {place + 1}", f"{line}\nexpected {name} with {expected}")


def raw_event(data: bytes, at: int) -> tuple[int, tuple[object, ...], int]:
    """Id and arguments of an event, and where the next one begins."""
    (number,) = struct.unpack_from("<I", data, at + 8)
    if number == 0:
        return number, struct.unpack_from("<bBhHiIqQ", data, at + 12), at + EVENT.itemsize
    middle = data.index(b"\0", at + 16)
    end = data.index(b"\0", middle + 1)
    words = struct.unpack_from("<I", data, at + 12) + struct.unpack_from("<Q", data, end + 1)
    texts = data[at + 16 : middle].decode(), data[middle + 1 : end].decode()
    return number, (words[0], *texts, words[1]), end + 9


def check_raw(folder: Path, count: int) -> None:
    """The class that was connected first has id 0: types_ints."""
    place = 0
    for path in folder.glob("cpu*"):
        data = path.read_bytes()
        for start in range(0, len(data), PACKET):
            header = np.frombuffer(data, HEADER, 1, start)[0]
            at, end = start + HEADER.itemsize, start + int(header["content"]) // 8
            while at < end:
                event, found, at = raw_event(data, at)
                expected = marker_types.texts(place // 2) if place % 2 else marker_types.ints(place // 2)
                if event != place % 2 or found != expected:
                    wrong(f"{path}: event {place}", f"{found}, expected {expected}")
                place += 1
            if at != end:
                wrong(f"{path}: packet at {start}", "content ends within an event")
    if place != 2 * count:
        wrong(str(folder), f"{place} events instead of {2 * count}")


def check_headers(where: str, headers: NDArray[np.void], cpu: int, gaps: bool) -> NDArray[np.uint64]:
    """The number of events in each packet."""
    content = headers["content"] // 8 - HEADER.itemsize
    for good, what in (
        (headers["magic"] == 0xC1FC1FC1, "no magic"),
        (headers["cpu"] == cpu, "of another CPU"),
        (headers["size"] == PACKET * 8, "another size"),
        (headers["begin"] <= headers["end"], "ends before it begins"),
        (content % EVENT.itemsize == 0, "half an event"),
        (content // EVENT.itemsize <= MOST, "too long"),
    ):
        if not good.all():
            wrong(where, f"packet {int(np.argmin(good))}: {what}")
    steps = np.diff(headers["number"].astype(np.int64))
    if (steps < 1).any():
        wrong(where, "packets are out of order")
    if (steps > 1).any() and not gaps:
        wrong(where, "packets are missing in between")
    if (headers["begin"][1:] < headers["end"][:-1]).any():
        wrong(where, "a packet begins before the one before it ends")
    counts: NDArray[np.uint64] = content // EVENT.itemsize
    return counts


def check_events(where: str, events: NDArray[np.void]) -> None:
    number = events["u32"].astype(np.uint64)
    for field, expected in (
        ("s8", number), ("u8", number * 3), ("s16", -number), ("u16", number * 5), ("s32", -number * 65537),
        ("s64", -number * 0x100000001), ("u64", number * 0x9E3779B97F4A7C15),
    ):  # fmt: skip
        good = events[field] == expected.astype(np.uint64).astype(events[field].dtype)
        if not good.all():
            torn = int(np.argmin(good))
            wrong(where, f"event {torn} is torn in {field}: {events[torn]}")
    if len(np.unique(events["id"])) > 1:
        wrong(where, "events of another class")
    if (events["time"][1:] < events["time"][:-1]).any():
        wrong(where, "times go down")


def check_packets(folder: Path, gaps: bool) -> None:
    total = lost = 0
    for path in sorted(folder.glob("cpu*")):
        data = np.fromfile(path, np.uint8)
        if len(data) % PACKET or not len(data):
            wrong(str(path), f"{len(data)} bytes are no whole packets")
        packets = data.reshape(-1, PACKET)
        headers = packets[:, : HEADER.itemsize].copy().view(HEADER)[:, 0]
        counts = check_headers(str(path), headers, int(path.name.removeprefix("cpu")), gaps)
        body = packets[:, HEADER.itemsize : HEADER.itemsize + MOST * EVENT.itemsize]
        there = np.arange(MOST) < counts[:, None]
        check_events(str(path), body.copy().view(EVENT)[there])
        total += int(counts.sum())
        lost += int(headers["lost"][-1])
    print(total, lost)


def main() -> None:
    if sys.argv[1] == "text":
        check_text(int(sys.argv[2]))
    elif sys.argv[1] == "raw":
        check_raw(Path(sys.argv[2]), int(sys.argv[3]))
    else:
        check_packets(Path(sys.argv[2]), sys.argv[1] == "order")


main()
