# SPDX-License-Identifier: GPL-2.0-only
"""fields_compared.py FILE N: whether the output of a tool in FILE has the events of
`echo N >fire` of marker_fields.ko, each once and in order, value by value. Prints how many
events and values it has compared, or what is wrong.

A line is read as its tool writes it: trace-cmd, perf and the script of bpftrace write
`marker: name=value name=value`, babeltrace2 `marker: { cpu_id = 0 }, { name = value, ... }`.
FILE.pftrace is a trace of Perfetto, read by the definitions of its package.
Each value becomes what it is: a number, a text, bytes, or the name of a value."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import marker_types

PATHS = ("/", "/srv/a b", "x", "(null)")
STATES = {0: "FIELDS_IDLE", 7: "FIELDS_BUSY", -1: "FIELDS_GONE", 0x10000: "FIELDS_MACRO"}
VALUES = (*STATES, 3)
BYTES = ("mac", "bad")
PLAIN = re.compile(r"(\w+)=(.*?)(?= \w+=|$)")
CTF = re.compile(r'(\w+) = ("(?:[^"\\]|\\.)*"|\( .*? \)|\[ .*? \]|[^,} ]+)')

Value = int | str | bytes


def kinds(number: int) -> dict[str, Value]:
    """The fields of fields_kinds."""
    return {
        "port": number * 3 & 0xFFFF,
        "path": PATHS[number % len(PATHS)],
        "mac": number.to_bytes(4, "little") + b"\xab\xff",
        "state": VALUES[number % len(VALUES)],
        "up": int(number & 2 != 0),
        "owner": 4096 * number,
        "balance": -number,
        "bad": bytes(3),
    }


def ints(number: int) -> dict[str, Value]:
    """The fields of fields_ints."""
    return dict(zip("abcdefgh", marker_types.ints(number), strict=True)) | {"g": number}


def value_of(name: str, text: str) -> Value:
    """A field as a tool writes it."""
    if name == "path":
        return re.sub(r"\\(.)", r"\1", text[1:-1]) if text.startswith('"') else text
    if name in BYTES:
        return bytes(int(byte, 16) for byte in re.findall(r"0x(\w+)", text) or text.split())
    if name == "state":
        return state_of(text)
    return int(text, 16 if text.lower().startswith("0x") else 10)


def state_of(text: str) -> int:
    """By its name, or the number where it has none; babeltrace2: ( "NAME" : container = N )."""
    names = {name: value for value, name in STATES.items()}
    if container := re.fullmatch(r"\( (.*) : container = (-?\d+) \)", text):
        label, number = container[1].strip('"'), int(container[2])
        if names.get(label, number) != number or (label == "<unknown>") != (number not in STATES):
            raise ValueError(text)
        return number
    if text in names:
        return names[text]
    number = int(text, 0)
    if number in STATES:
        raise ValueError(f"{text} is not called {STATES[number]}")
    return number


def pairs(rest: str) -> list[tuple[str, str]]:
    """Names and values of a line, behind the name of the marker."""
    return CTF.findall(rest.partition("}, ")[2]) if rest.startswith("{") else PLAIN.findall(rest)


def perfetto(path: Path, marker: str) -> Iterator[dict[str, Value]]:
    from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace

    for packet in Trace.FromString(path.read_bytes()).packet:
        for event in packet.ftrace_events.event:
            if event.generic.event_name == f"marker_fields/{marker}":
                values = {one.name: getattr(one, one.WhichOneof("value")) for one in event.generic.field}
                # A field of its events is a number or a text, so bytes are written as text.
                yield {
                    name: value_of(name, value) if name in BYTES else value
                    for name, value in values.items()
                }


def found(path: Path, marker: str) -> Iterator[dict[str, Value]]:
    if path.suffix == ".pftrace":
        yield from perfetto(path, marker)
        return
    with path.open(errors="replace") as lines:
        for line in lines:
            _, mark, rest = line.rstrip("\n").partition(f"{marker}: ")
            if mark:
                # bpftrace has the values of enumerations only: its script calls the field so.
                yield {
                    name.replace("number", "state"): value_of(name, text)
                    for name, text in pairs(rest.strip())
                }


def problems(events: list[dict[str, Value]], marker: str, count: int) -> Iterator[str]:
    if len(events) != count:
        yield f"{marker}: {len(events)} events, not {count}"
    for number, event in zip(range(count - 1, -1, -1), events, strict=False):
        wanted = kinds(number) if marker == "fields_kinds" else ints(number)
        if event != wanted:
            yield f"{marker}: event {number} is {event}, not {wanted}"


def main() -> int:
    path, count = Path(sys.argv[1]), int(sys.argv[2])
    events = {marker: list(found(path, marker)) for marker in ("fields_kinds", "fields_ints")}
    bad = [line for marker, these in events.items() for line in problems(these, marker, count)]
    values = sum(len(event) for these in events.values() for event in these)
    print("\n".join(bad[:10]) or f"{sum(map(len, events.values()))} events {values} values")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
