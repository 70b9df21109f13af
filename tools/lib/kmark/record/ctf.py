# SPDX-License-Identifier: GPL-2.0-only
"""Metadata of a trace in the Common Trace Format 1.8, as text (TSDL), from what
the probe `ctf` says of its session and of its events. The layout described is
that of probes/ctf/packet.h (packets) and class.h (events). Only text is
made here; recording.py has the files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from kmark.errors import Failure
from kmark.record import clock
from kmark.record.clock import Clock

NAME = re.compile(r"[A-Za-z0-9_]+")
SYMBOL = re.compile(r"[A-Za-z0-9_]+=-?[0-9]+")
SIZES = {"s8": 8, "u8": 8, "s16": 16, "u16": 16, "s32": 32, "u32": 32, "s64": 64, "u64": 64, "ptr": 64}

# The context of an event, by its name in ctf/events: how it lies there.
CONTEXT = {
    **dict.fromkeys(("tid", "pid", "prio"), "integer { size = 32; align = 8; signed = true; } %s;"),
    "comm": "integer { size = 8; align = 8; signed = false; encoding = UTF8; } %s[16];",
    "cpu": "u32 %s;",
    "irq": "enum : u8 { task, softirq, hardirq, nmi } %s;",
    "preempt": "u8 %s;",
    "cgroup": "u64 %s;",
}
# Stacks lie behind it, and are fields: babeltrace2 2.0.4 aborts at a sequence in the context of an
# event class. Fields that are arguments begin with an underscore, so these names are free.
STACKS = dict.fromkeys(("kstack", "ustack"), "u8 %s_frames; address %s[%s_frames];")

HEAD = """/* CTF 1.8 */

typealias integer { size = 8; align = 8; signed = false; } := u8;
typealias integer { size = 32; align = 8; signed = false; } := u32;
typealias integer { size = 64; align = 8; signed = false; } := u64;
typealias integer { size = 64; align = 8; signed = false; base = 16; } := address;

trace {
    major = 1;
    minor = 8;
    uuid = "%(uuid)s";
    byte_order = le;
    packet.header := struct {
        u32 magic;
        u32 stream_id;
    };
};
"""

STREAM = """
typealias integer { size = 64; align = 8; signed = false; map = clock.%(clock)s.value; } := time;

stream {
    id = 0;
    packet.context := struct {
        time timestamp_begin;
        time timestamp_end;
        u64 content_size;
        u64 packet_size;
        u64 packet_seq_num;
        u64 events_discarded;
        u64 cpu_id;
    };
    event.header := struct {
        time timestamp;
        u32 id;
    };
};
"""


def field_text(name: str, field: str) -> str:
    """A field of debugfs: `type:base`, `bytes:N`, or `enum:NAME=VALUE;NAME=VALUE...`. Failure if it is
    not known. A name may be a word of TSDL, so it gets an underscore, which readers take off."""
    kind, _, base = field.partition(":")
    if kind == "enum" and all(map(SYMBOL.fullmatch, base.split(";"))):
        values = ", ".join(re.sub(r"(.*)=", r'"\1" = ', symbol) for symbol in base.split(";"))
        integer = "integer { size = 32; align = 8; signed = true; }"
        return f"        enum : {integer} {{ {values} }} _{name};\n"
    if kind == "bytes" and base.isdecimal():
        return f"        integer {{ size = 8; align = 8; signed = false; base = 16; }} _{name}[{base}];\n"
    if kind == "str":
        return f"        string {{ encoding = UTF8; }} _{name};\n"
    if kind not in SIZES or base not in ("8", "10", "16"):
        raise Failure(f"ctf/events: {field!r} is not a field that this kmark knows")
    sign = "true" if kind.startswith("s") else "false"
    traits = f"size = {SIZES[kind]}; align = 8; signed = {sign}; base = {base};"
    return f"        integer {{ {traits} }} _{name};\n"


def items_text(items: list[str], layout: Mapping[str, str]) -> str:
    """Those items of a context that are in LAYOUT."""
    return "".join(f"        {layout[name].replace('%s', name)}\n" for name in items if name in layout)


def event_text(event: Mapping[str, str]) -> str:
    """One event class, from a row of ctf/events."""
    fields = [] if event["fields"] == "-" else event["fields"].split(",")
    names = event["names"].split(",")[: len(fields)]
    if len(names) != len(fields) or not all(map(NAME.fullmatch, names)):
        raise Failure(f"ctf/events: {event['marker'][:40]!r}: {len(fields)} fields, names {names}"[:200])
    body = "".join(field_text(name, field) for name, field in zip(names, fields, strict=True))
    items = [] if event["context"] == "-" else event["context"].split(",")
    for name in items:
        if name not in CONTEXT and name not in STACKS:
            raise Failure(f"ctf/events: {name!r} is no context that this kmark knows")
    context = items_text(items, CONTEXT)
    if context:
        context = f"    context := struct {{\n{context}    }};\n"
    return f"""
event {{
    name = {quoted(event["marker"])};
    id = {event["id"]};
    stream_id = 0;
{context}    fields := struct {{
{items_text(items, STACKS)}{body}    }};
}};
"""


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def environment_text(facts: Mapping[str, str]) -> str:
    return "\nenv {\n" + "".join(f"    {key} = {quoted(value)};\n" for key, value in facts.items()) + "};\n"


def metadata(
    uuid: str, found: Clock, boot: str, events: Iterable[Mapping[str, str]], facts: Mapping[str, str]
) -> str:
    """The whole text of the trace UUID. `boot`: the id of the kernel's boot, which its clocks share.
    `facts`: for the reader of the trace; keys are identifiers."""
    parts = [HEAD % {"uuid": uuid}, environment_text(facts), clock.text(found, boot)]
    return "".join([*parts, STREAM % {"clock": clock.NAME}, *map(event_text, events)])
