# SPDX-License-Identifier: GPL-2.0-only
"""Holds recorded events of marker_types.ko against what was fired.

check_trace.py text N	stdin is babeltrace2's print of N events of each marker,
                        numbered from 0: all there, in order, with their arguments
check_trace.py raw DIR N
                        the same, read without babeltrace2

Exit status 1, and a line that says where, if not."""

from __future__ import annotations

import re
import struct
import sys
from pathlib import Path

import marker_types

PACKET = 4096
HEADER = 64  # bytes; the length of what follows is in its word of 64 bits at CONTENT
CONTENT = 24
COMPACT, EXTENDED = 4, 13  # bytes of the header of an event
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
    number = data[at] & 31
    if number == 31:
        (number,) = struct.unpack_from("<I", data, at + 1)
        at += EXTENDED
    else:
        at += COMPACT
    if number == 0:
        return number, struct.unpack_from("<bBhHiIqQ", data, at), at + 30
    middle = data.index(b"\0", at + 4)
    end = data.index(b"\0", middle + 1)
    words = struct.unpack_from("<I", data, at) + struct.unpack_from("<Q", data, end + 1)
    texts = data[at + 4 : middle].decode(), data[middle + 1 : end].decode()
    return number, (words[0], *texts, words[1]), end + 9


def check_raw(folder: Path, count: int) -> None:
    """The class that was connected first has id 0: types_ints."""
    place = 0
    for path in folder.glob("cpu*"):
        data = path.read_bytes()
        for start in range(0, len(data), PACKET):
            (content,) = struct.unpack_from("<Q", data, start + CONTENT)
            at, end = start + HEADER, start + content // 8
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


def main() -> None:
    if sys.argv[1] == "text":
        check_text(int(sys.argv[2]))
    else:
        check_raw(Path(sys.argv[2]), int(sys.argv[3]))


main()
