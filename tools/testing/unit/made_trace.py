# SPDX-License-Identifier: GPL-2.0-only
"""Packets and descriptions of a session of the recorder, as the kernel makes them, with texts that a
test chooses."""

from __future__ import annotations

import struct
from pathlib import Path

from kmark.record import clock, ctf, dump, layout, packets
from kmark.record.sink import PACKET

TRACE, BOOT = "12345678-1234-1234-1234-123456789abc", "12345678-1234-1234-1234-123456789abd"
SESSION = {
    "format": layout.VERSION, "hostname": "box", "release": "6.1.0",
    "clock": "tsc", "clock.hz": "1000000000", "clock.value": "5", "clock.mono": "7",
    "clock.realtime": "17", "clock.now.value": "2000000005", "clock.now.mono": "2000000007",
}  # fmt: skip
COLUMNS = ("id", "marker", "fields", "format", "context", "names")
# Each event has the name of its thread, a text and a number.
CLASSES = (
    ("0", "first", "str:10,s32:10", "%s %d", "tid,comm", "text,number"),
    ("1", "second", "str:10,s32:10", "%s %d", "tid,comm", "text,number"),
)


def event(kind: int, time: int, comm: bytes, text: bytes, number: int = 0) -> bytes:
    low = (time & packets.TIME) << layout.EVENT_ID.bits
    if kind < layout.WIDE:
        head = packets.COMPACT_HEADER.pack(low | kind)
    elif kind < 1 << 16:
        head = packets.WIDE_HEADER.pack(low | layout.WIDE, kind)
    else:
        head = packets.EXTENDED_HEADER.pack(layout.EXTENDED, kind, time)
    return head + struct.pack("<i16s", 42, comm[:15]) + text + b"\0" + struct.pack("<i", number)


def packet(cpu: int, number: int, *events: bytes, session: int = 0) -> bytes:
    """A packet that begins with its first event and ends with its last one. Times are less than 2^27."""
    content = b"".join(events)
    times = [packets.header(one, 0, 0)[1] for one in events]
    bits = (packets.HEADER.size + len(content)) * 8
    head = packets.HEADER.pack(
        0xC1FC1FC1, 0, min(times), max(times), bits, PACKET * 8, number, 0, cpu, session
    )
    return (head + content).ljust(PACKET, b"\0")


def rows(classes: tuple[tuple[str, ...], ...] = CLASSES) -> list[dict[str, str]]:
    return [dict(zip(COLUMNS, one, strict=True)) for one in classes]


def pages(
    session: int, name: str = "default", classes: tuple[tuple[str, ...], ...] = CLASSES
) -> list[bytes]:
    """The description of a session in a dump: a page for its keys, and one for each class."""
    keys = "".join(f"{key}\t{value}\n" for key, value in {"name": name, **SESSION}.items())
    texts = [keys + "#" + "\t".join(COLUMNS) + "\n", *("\t".join(one) + "\n" for one in classes)]
    heads = [
        dump.TEXT_HEADER.pack(dump.TEXT_MAGIC, session, place, len(text))
        for place, text in enumerate(texts)
    ]
    return [
        (head.ljust(dump.TEXT_AT, b"\0") + text.encode()).ljust(PACKET, b"\0")
        for head, text in zip(heads, texts, strict=True)
    ]


def write(folder: Path, streams: dict[str, bytes], classes: list[dict[str, str]] | None = None) -> None:
    """A recording: its metadata, and files of packets by their names."""
    folder.mkdir(parents=True)
    found = clock.clock_of(SESSION)
    text = ctf.metadata(TRACE, found, BOOT, classes or rows(), {"hostname": "box"})
    (folder / "metadata").write_text(text)
    for name, content in streams.items():
        (folder / name).write_bytes(content)


def classes(described: tuple[tuple[str, ...], ...] = CLASSES) -> dict[int, layout.Event]:
    return {one.id: one for one in layout.events(rows(described))}
