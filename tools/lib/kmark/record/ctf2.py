# SPDX-License-Identifier: GPL-2.0-only
"""Metadata of a trace in the Common Trace Format 2 (CTF2-SPEC-2.0): fragments, each a JSON object behind
the character RS, as in RFC 7464. The packets are those of CTF 1.8 (ctf.py)."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Mapping
from typing import Any

from kmark.foreign import valid
from kmark.record import clock, layout
from kmark.record.clock import Clock
from kmark.record.layout import Event, Field

RS = "\x1e"
Object = dict[str, Any]


def field_class(field: Field) -> Object:
    if not field.bits:
        if field.length is None:
            return {"type": "null-terminated-string"}
        return {"type": "static-length-string", "length": field.length}
    found: Object = {
        "type": f"fixed-length-{'signed' if field.signed else 'unsigned'}-integer",
        "length": field.bits,
        "byte-order": "little-endian",
        "alignment": field.align,
    }
    if field.base != 10:
        found["preferred-display-base"] = field.base
    if field.names:
        found["mappings"] = {name: [[value, value]] for name, value in field.names.items()}
    if field.role:
        found["roles"] = [field.role]
    if field.length is None:
        return found
    if isinstance(field.length, int):
        return {"type": "static-length-array", "element-field-class": found, "length": field.length}
    length = {"path": [field.length]}
    return {"type": "dynamic-length-array", "element-field-class": found, "length-field-location": length}


def structure(fields: Iterable[Field]) -> Object:
    members = [{"name": field.name, "field-class": field_class(field)} for field in fields]
    return {"type": "structure", "member-classes": members}


def event_header() -> Object:
    options = [
        {
            "name": form.name,
            "selector-field-ranges": [[form.first, form.last]],
            "field-class": structure(form.fields),
        }
        for form in layout.FORMS
    ]
    location = {"path": [layout.EVENT_ID.name]}
    variant = {"type": "variant", "selector-field-location": location, "options": options}
    found = structure([layout.EVENT_ID])
    found["member-classes"].append({"name": "v", "field-class": variant})
    return {**found, "minimum-alignment": 8}


def event_class(event: Event) -> Object:
    """Stacks are in the context, so that the names of arguments are free."""
    found: Object = {"type": "event-record-class", "id": event.id, "name": event.name}
    if context := [*event.context, *event.stacks]:
        found["specific-context-field-class"] = structure(context)
    found["payload-field-class"] = structure(event.arguments)
    return found


def clock_class(found: Clock, boot: str) -> Object:
    seconds, rest = clock.offset(found)
    return {
        "type": "clock-class",
        "id": clock.NAME,
        "name": clock.NAME,
        "uid": boot,
        "description": clock.SOURCES[found.source],
        "frequency": found.hz,
        "origin": "unix-epoch",
        "offset-from-origin": {"seconds": seconds, "cycles": rest},
    }


def metadata(
    trace: str, found: Clock, boot: str, rows: Iterable[Mapping[str, str]], facts: Mapping[str, str]
) -> str:
    """Return the metadata, with the arguments of ctf.metadata()."""
    fragments: list[Object] = [
        {"type": "preamble", "version": 2, "uuid": list(uuid.UUID(trace).bytes)},
        {
            "type": "trace-class",
            "uid": trace,
            "environment": dict(facts),
            "packet-header-field-class": structure(layout.PACKET_HEADER),
        },
        clock_class(found, boot),
        {
            "type": "data-stream-class",
            "default-clock-class-id": clock.NAME,
            "packet-context-field-class": structure(layout.PACKET_CONTEXT),
            "event-record-header-field-class": event_header(),
        },
        *map(event_class, layout.events(rows)),
    ]
    # In UTF-8 as it is: babeltrace2 2.1 refuses a character above U+FFFF as two \u escapes.
    return valid("".join(f"{RS}{json.dumps(fragment, ensure_ascii=False)}\n" for fragment in fragments))
