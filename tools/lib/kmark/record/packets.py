# SPDX-License-Identifier: GPL-2.0-only
"""The events in a packet, by the classes that describe them: how much of a packet that may be damaged can
be read. layout.py says what lies in an event."""

from __future__ import annotations

import struct
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kmark.record.layout import EVENT_ID, EXTENDED, WIDE, Event, Field
from kmark.record.sink import PACKET

# As in probes/ctf/packet.h: magic, stream, times of begin and end, bits of content and of the packet,
# number, lost events, CPU, id of the session.
HEADER = struct.Struct("<IIQQQQQQII")
# The forms of layout.FORMS.
COMPACT_HEADER, WIDE_HEADER, EXTENDED_HEADER = map(struct.Struct, ("<I", "<IH", "<BIQ"))
LATEST = (1 << 64) - 1  # time of the clock
TIME = (1 << COMPACT_HEADER.size * 8 - EVENT_ID.bits) - 1  # bits of the time


def header(packet: bytes, at: int, before: int) -> tuple[int, int, int]:
    """Return class and time of the event at AT, and the end of its header. BEFORE: time of the previous
    event, or of the packet's begin. struct.error if the header is not whole."""
    (word,) = COMPACT_HEADER.unpack_from(packet, at)
    number = word & EXTENDED
    if number == EXTENDED:
        _, number, time = EXTENDED_HEADER.unpack_from(packet, at)
        return number, time, at + EXTENDED_HEADER.size
    time = before + (((word >> EVENT_ID.bits) - before) & TIME)
    if number != WIDE:
        return number, time, at + COMPACT_HEADER.size
    _, number = WIDE_HEADER.unpack_from(packet, at)
    return number, time, at + WIDE_HEADER.size


def end_of_field(field: Field, packet: bytes, at: int, counts: dict[str, int]) -> int:
    """Return the end of the field that begins at AT. COUNTS gets the values of one byte, by name.
    IndexError or ValueError if the field is not whole."""
    if not field.bits and field.length is None:
        return packet.index(0, at) + 1
    if isinstance(field.length, str):
        return at + field.bits // 8 * counts[field.length]
    if field.bits == 8 and field.length is None:
        counts[field.name] = packet[at]
    return at + (field.bits or 8) // 8 * (1 if field.length is None else field.length)


def end_of_event(event: Event, packet: bytes, at: int) -> int:
    """Return the end of the fields of an event, which begin at AT."""
    counts: dict[str, int] = {}
    for field in (*event.context, *event.stacks, *event.arguments):
        at = end_of_field(field, packet, at, counts)
    return at


@dataclass(frozen=True)
class Readable:
    """A readable part of a packet: how many events, where they begin and end, and the times of the
    first and the last one. `whole`: it goes to the end of the packet."""

    packet: bytes
    events: int
    begin: int
    end: int
    first: int
    last: int
    whole: bool

    @property
    def lost(self) -> int:
        """Events of the CPU that were lost before the end of the packet."""
        return int(HEADER.unpack_from(self.packet)[7])

    def cut(self, number: int, latest: int, lost: int) -> bytes:
        """Return a packet of these events, with that number, without the id of a session, that ends before
        the time LATEST. LOST: events that were lost before its end."""
        words = [*HEADER.unpack_from(self.packet)]
        end = words[3] if self.whole and self.last <= words[3] <= latest else self.last
        events = self.packet[self.begin : self.end]
        words[2:5] = self.first, end, (HEADER.size + len(events)) * 8
        words[6:8], words[9] = (number, lost), 0
        return (HEADER.pack(*words) + events).ljust(PACKET, b"\0")


def readable(packet: bytes, classes: Mapping[int, Event], cuts: Sequence[int] = ()) -> list[Readable]:
    """Return the readable part of a packet: up to the first event that is of no class, goes back in time,
    or is not whole. Where events before and after one of the times CUTS follow each other, the part is
    two."""
    _, _, last, end, bits, *_ = HEADER.unpack_from(packet)
    content = packet[: bits // 8]
    at = begin = HEADER.size
    first = -1
    events = 0
    parts = []
    while at < len(content):
        try:
            number, time, after = header(content, at, last)
            after = end_of_event(classes[number], content, after)
        except (IndexError, KeyError, ValueError, struct.error):
            break
        if after > len(content) or time < last or 0 < end < time or time > LATEST:
            break
        if first >= 0 and bisect_left(cuts, last) < bisect_left(cuts, time):
            parts.append(Readable(packet, events, begin, at, first, last, False))
            begin, first, events = at, -1, 0
        at, first, last, events = after, time if first < 0 else first, time, events + 1
    if first >= 0:
        parts.append(Readable(packet, events, begin, at, first, last, at == len(content)))
    return parts
