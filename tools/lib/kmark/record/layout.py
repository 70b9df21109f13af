# SPDX-License-Identifier: GPL-2.0-only
"""The layout of the packets of a trace, field by field, the same for all metadata: packets and the
headers of events as in probes/ctf/packet.h, events as in class.h and as the probe `ctf` says of each class.
All is little endian, and begins with a whole byte but for a time of 27 bits."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from kmark.errors import Failure

VERSION = "2"  # RING_FORMAT of packet.h
NAME = re.compile(r"[A-Za-z0-9_]+")
SYMBOL = re.compile(r"[A-Za-z0-9_]+=-?[0-9]{1,10}")
SIZE = re.compile(r"[0-9]{1,9}")
BITS = {"s8": 8, "u8": 8, "s16": 16, "u16": 16, "s32": 32, "u32": 32, "s64": 64, "u64": 64, "ptr": 64}


class Field(NamedTuple):
    """An integer of so many bits, to be shown in `base`, whose values have `names`; 0 bits: a text in
    UTF-8, up to its 0. `length`: so many integers, or as many as the field of that name says; bytes
    of a text. `role`: what readers need it for, in words of CTF 2. `align`: in bits."""

    name: str
    bits: int = 0
    signed: bool = False
    base: int = 10
    names: Mapping[str, int] = MappingProxyType({})
    length: int | str | None = None
    role: str = ""
    align: int = 8


PACKET_HEADER = (
    Field("magic", 32, role="packet-magic-number"),
    Field("stream_id", 32, role="data-stream-class-id"),
)
PACKET_CONTEXT = (
    Field("timestamp_begin", 64, role="default-clock-timestamp"),
    Field("timestamp_end", 64, role="packet-end-default-clock-timestamp"),
    Field("content_size", 64, role="packet-content-length"),
    Field("packet_size", 64, role="packet-total-length"),
    Field("packet_seq_num", 64, role="packet-sequence-number"),
    Field("events_discarded", 64, role="discarded-event-record-counter-snapshot"),
    Field("cpu_id", 64),
)


class Form(NamedTuple):
    """A form of the header of an event: the fields behind EVENT_ID, which has the values FIRST to LAST in
    this form. Readers align the first field as that field which has the largest alignment."""

    name: str
    first: int
    last: int
    fields: tuple[Field, ...]


def _number(bits: int, align: int) -> Field:
    return Field("id", bits, role="event-record-class-id", align=align)


def _time(bits: int, align: int) -> Field:
    return Field("timestamp", bits, role="default-clock-timestamp", align=align)


EVENT_ID = _number(5, 1)
WIDE, EXTENDED = 30, 31
FORMS = (
    Form("compact", 0, WIDE - 1, (_time(27, 1),)),
    Form("wide", WIDE, WIDE, (_time(27, 1), _number(16, 1))),
    Form("extended", EXTENDED, EXTENDED, (_number(32, 8), _time(64, 8))),
)

# The context of an event, by its name in ctf/events; stacks lie behind it.
CONTEXT = {
    item.name: item
    for item in (
        Field("tid", 32, signed=True),
        Field("pid", 32, signed=True),
        Field("prio", 32, signed=True),
        Field("comm", length=16),
        Field("cpu", 32),
        Field("irq", 8, names={"task": 0, "softirq": 1, "hardirq": 2, "nmi": 3}),
        Field("preempt", 8),
        Field("cgroup", 64),
    )
}
STACKS = {
    name: (Field(f"{name}_frames", 8), Field(name, 64, base=16, length=f"{name}_frames"))
    for name in ("kstack", "ustack")
}


class Event(NamedTuple):
    """A class of events: the fields of an event behind its header, in this order."""

    id: int
    name: str
    context: list[Field]
    stacks: list[Field]
    arguments: list[Field]


def check_version(session: Mapping[str, str]) -> None:
    """Check the keys of a session. Failure if its packets are of another version."""
    found = session.get("format", "1")
    if found != VERSION:
        raise Failure(
            f"probe_ctf.ko has packets of version {found}, and this kmark reads version {VERSION}: "
            "use the kmark of that module"
        )


def argument(name: str, text: str) -> Field:
    """Parse a field of debugfs: `type:base`, `bytes:N`, or `enum:NAME=VALUE;NAME=VALUE...`. Failure if it
    is not known."""
    kind, _, base = text.partition(":")
    if kind == "enum" and all(map(SYMBOL.fullmatch, base.split(";"))):
        pairs = (symbol.split("=") for symbol in base.split(";"))
        return Field(name, 32, signed=True, names={symbol: int(value) for symbol, value in pairs})
    if kind == "bytes" and SIZE.fullmatch(base):
        return Field(name, 8, base=16, length=int(base))
    if kind == "str":
        return Field(name)
    if kind not in BITS or base not in ("8", "10", "16"):
        raise Failure(f"ctf/events: {text!r} is not a field that this kmark knows")
    return Field(name, BITS[kind], signed=kind.startswith("s"), base=int(base))


def event(row: Mapping[str, str]) -> Event:
    """Parse a row of ctf/events. Failure if something in it is unknown."""
    fields, items = ([] if row[key] == "-" else row[key].split(",") for key in ("fields", "context"))
    names = row["names"].split(",")[: len(fields)]
    if len(names) != len(fields) or not all(map(NAME.fullmatch, names)):
        raise Failure(f"ctf/events: {row['marker'][:40]!r}: {len(fields)} fields, names {names}"[:200])
    for name in items:
        if name not in CONTEXT and name not in STACKS:
            raise Failure(f"ctf/events: {name!r} is no context that this kmark knows")
    return Event(
        int(row["id"]),
        row["marker"],
        [CONTEXT[name] for name in items if name in CONTEXT],
        [part for name in items if name in STACKS for part in STACKS[name]],
        [argument(name, text) for name, text in zip(names, fields, strict=True)],
    )


def events(rows: Iterable[Mapping[str, str]]) -> list[Event]:
    return [event(row) for row in rows]
