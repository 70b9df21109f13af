# SPDX-License-Identifier: GPL-2.0-only
"""Events in the format of ftrace: records of a trace event in the pages of a ring buffer, and the text that
describes each event. See include/linux/ring_buffer.h and Documentation/trace/ftrace.rst of the kernel;
trace_dat.py makes a file of them."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from kmark.export import events
from kmark.export.events import Class, Event, Field, Value

PAGE = 4096
HEAD = struct.Struct("<QQ")  # head of a page: time of its first event, and bytes of events
ROOM = PAGE - HEAD.size
LARGEST = ROOM - 16  # bytes of a record, behind its own two words and those of a time
TIME_EXTEND = 30  # the type of what only advances the time
DELTA_BITS = 27
MOST_DELTA = (1 << DELTA_BITS + 32) - 1  # ns between two events of a page
COMMON = struct.Struct("<HBBi")  # head of a record: type, flags, depth of preempt_disable(), thread
FIRST_TYPE = 1000  # smaller ones are of ftrace itself
IRQ_FLAGS = {0: 0, 1: 0x10, 2: 0x08, 3: 0x40}  # flags by the context irq: softirq, hardirq, nmi
MOST_PREEMPT = 15  # there are four bits
MOST_CLASSES = (1 << 16) - FIRST_TYPE  # a type has 16 bits
MOST_TEXT = (1 << 16) - 1  # place and length of a text have 16 bits

HEADER_PAGE = (
    "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
    "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
    "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
    f"\tfield: char data;\toffset:{HEAD.size};\tsize:{ROOM};\tsigned:1;\n"
)
HEADER_EVENT = (
    "# compressed entry header\n\ttype_len    :    5 bits\n\ttime_delta  :   27 bits\n"
    "\tarray       :   32 bits\n\n\tpadding     : type == 29\n\ttime_extend : type == 30\n"
    "\ttime_stamp : type == 31\n\tdata max type_len  == 28\n"
)
COMMON_FIELDS = (
    "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
    "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
    "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
    "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
)
TYPES = {8: "char", 16: "short", 32: "int", 64: "long long"}
CODES = {8: "b", 16: "h", 32: "i", 64: "q"}
WIDTHS = {8: "hh", 16: "h", 32: "", 64: "ll"}
FORMATS = {8: "0%{}o", 10: "%{}{}", 16: "0x%{}x"}


def is_text(field: Field) -> bool:
    """True if the length of a field varies, so that its bytes follow the fixed part of a record."""
    return field.many or not field.bits


def size(field: Field) -> int:
    """Return the bytes that a field needs in the fixed part of a record."""
    return 4 if is_text(field) else field.bits // 8


def members(kind: Class) -> list[Field]:
    return [*kind.context, *kind.fields]


def declaration(field: Field) -> str:
    """Return the declaration of a field in C."""
    if is_text(field):
        return f"__data_loc char[] {field.name}"
    return ("" if field.signed else "unsigned ") + f"{TYPES[field.bits]} {field.name}"


def printed(field: Field) -> tuple[str, str]:
    """Return the conversion of a field, and the argument of the conversion."""
    if is_text(field):
        return "%s", f"__get_str({field.name})"
    form = FORMATS[field.base].format(WIDTHS[field.bits], "d" if field.signed else "u")
    return form, f"REC->{field.name}"


def description(kind: Class) -> str:
    """Return the content of the file `format` of a trace event."""
    at, lines = COMMON.size, ""
    for field in members(kind):
        signed = int(field.signed or is_text(field))
        lines += f"\tfield:{declaration(field)};\toffset:{at};\tsize:{size(field)};\tsigned:{signed};\n"
        at += size(field)
    parts = [(field.name, *printed(field)) for field in members(kind)]
    text = " ".join(f"{name}={conversion}" for name, conversion, _ in parts)
    arguments = "".join(f", {argument}" for *_, argument in parts)
    return (
        f"name: {kind.name}\nID: {FIRST_TYPE + kind.id}\nformat:\n{COMMON_FIELDS}{lines}\n"
        f'print fmt: "{text}"{arguments}\n'
    )


def packed(field: Field, value: Value) -> bytes:
    """Return the bytes of a value in a record."""
    if is_text(field):
        return events.text_of(value).encode() + b"\0"
    code = CODES[field.bits]
    return struct.pack(f"<{code if field.signed else code.upper()}", value)


def record(event: Event) -> bytes:
    """Return one event as in the ring buffer, padded to a multiple of 4 bytes. More than LARGEST bytes may
    have wrong places of texts, as no page has room for them."""
    fixed = COMMON.pack(
        FIRST_TYPE + event.kind.id,
        IRQ_FLAGS.get(event.number("irq"), 0),
        max(0, min(event.number("preempt"), MOST_PREEMPT)),
        event.number("tid"),
    )
    values = [
        (field, found[field.name])
        for layout, found in ((event.kind.context, event.context), (event.kind.fields, event.fields))
        for field in layout
    ]
    at, behind = COMMON.size + sum(size(field) for field, _ in values), b""
    for field, value in values:
        data = packed(field, value)
        if is_text(field):
            fixed += struct.pack("<HH", min(at + len(behind), MOST_TEXT), min(len(data), MOST_TEXT))
            behind += data
        else:
            fixed += data
    return fixed + behind + bytes(-len(fixed + behind) % 4)


class Pages:
    """Writer of the pages of one CPU. Each event must not be earlier than the event before it."""

    def __init__(self) -> None:
        self._events = bytearray()
        self._first = 0
        self._last = 0

    def add(self, time: int, data: bytes) -> Iterator[bytes]:
        """Adds a record of at most LARGEST bytes. If the open page has no room for the record, or the time
        is too far from the last one, yields this page and begins another one."""
        full = len(self._events) + len(data) > LARGEST or time - self._last > MOST_DELTA
        if self._events and full:
            yield self.take()
        if not self._events:
            self._first = self._last = time
        delta = time - self._last
        if delta >> DELTA_BITS:
            low, high = delta & ((1 << DELTA_BITS) - 1), delta >> DELTA_BITS
            self._events += struct.pack("<II", TIME_EXTEND | low << 5, high)
            delta = 0
        # Type 0: the next word has the length of itself and of the data behind it.
        self._events += struct.pack("<II", delta << 5, len(data) + 4) + data
        self._last = time

    def take(self) -> bytes:
        """Return the open page as bytes of a file, and begin another one. The page may have no events."""
        page = HEAD.pack(self._first, len(self._events)) + bytes(self._events)
        self._events.clear()
        return page + bytes(PAGE - len(page))

    def is_empty(self) -> bool:
        return not self._events
