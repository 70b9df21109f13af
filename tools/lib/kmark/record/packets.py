# SPDX-License-Identifier: GPL-2.0-only
"""The events in a packet, by the classes that describe them: how much of a packet that may be damaged can
be read. layout.py says what lies in an event."""

from __future__ import annotations

import struct
from collections.abc import Mapping
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
    """The readable part of a packet: its length and times of its events. `whole`: that is all of the
    packet."""

    packet: bytes
    length: int
    first: int
    last: int
    whole: bool

    def cut(self, number: int, latest: int) -> bytes:
        """Return a packet of the readable events, with that number and without the id of a session, that
        ends before the time LATEST."""
        words = [*HEADER.unpack_from(self.packet)]
        end = words[3] if self.whole and self.last <= words[3] <= latest else self.last
        words[2:5] = self.first, end, self.length * 8
        words[6], words[9] = number, 0
        rest = bytes(PACKET - self.length)
        return HEADER.pack(*words) + self.packet[HEADER.size : self.length] + rest


def readable(packet: bytes, classes: Mapping[int, Event]) -> Readable | None:
    """Return the readable part of a packet: up to the first event that is of no class, goes back in time,
    or is not whole. None if no event can be read."""
    _, _, last, end, bits, *_ = HEADER.unpack_from(packet)
    content = packet[: bits // 8]
    at, first = HEADER.size, -1
    while at < len(content):
        try:
            number, time, after = header(content, at, last)
            after = end_of_event(classes[number], content, after)
        except (IndexError, KeyError, ValueError, struct.error):
            break
        if after > len(content) or time < last or 0 < end < time or time > LATEST:
            break
        at, first, last = after, time if first < 0 else first, time
    return Readable(packet, at, first, last, at == len(content)) if first >= 0 else None
