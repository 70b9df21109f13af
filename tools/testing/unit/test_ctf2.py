# SPDX-License-Identifier: GPL-2.0-only
"""The metadata of a trace in CTF 2: fragments as CTF2-SPEC-2.0 has them, and what they say of events."""

from __future__ import annotations

import json
import struct
import unittest
from typing import Any

import jsonschema
from kmark.commands import record
from kmark.errors import Failure
from kmark.record import clock, ctf2, layout, packets, recording

CLOCK = clock.Clock("tsc", 2_000_000_000, 5_000_000_000, 1_700_000_000_250_000_000)
TRACE = "8a2b7f60-0c2e-4b8e-9f43-0123456789ab"
FIELDS = "s8:10,u16:8,u64:16,ptr:16,str:10,bytes:6,enum:IDLE=0;GONE_2=-1"


def thing(kind: str, needed: dict[str, Any], others: dict[str, Any] | None = None) -> dict[str, Any]:
    """A schema of an object of that type, with no other properties."""
    return {
        "properties": {"type": {"const": kind}, **needed, **(others or {})},
        "required": ["type", *needed],
        "additionalProperties": False,
    }


TEXT, WHOLE = {"type": "string"}, {"type": "integer", "minimum": 0}
CLASS, STRUCTURE = {"$ref": "#/$defs/class"}, {"$ref": "#/$defs/structure"}
RANGES = {
    "type": "array",
    "minItems": 1,
    "items": {"type": "array", "prefixItems": [{"type": "integer"}] * 2},
}
ROLES = (
    "packet-magic-number", "data-stream-class-id", "data-stream-id", "packet-total-length",
    "packet-content-length", "default-clock-timestamp", "packet-end-default-clock-timestamp",
    "discarded-event-record-counter-snapshot", "packet-sequence-number", "event-record-class-id",
)  # fmt: skip
UUID = {"type": "array", "minItems": 16, "maxItems": 16, "items": {**WHOLE, "maximum": 255}}
BITS = {"length": {"enum": [5, 8, 16, 27, 32, 64]}, "byte-order": {"const": "little-endian"}}
ROLE = {"roles": {"items": {"enum": ROLES}}}
SHOWN = {
    "alignment": {"enum": [1, 8]},
    "preferred-display-base": {"enum": [8, 10, 16]},
    "mappings": {"type": "object", "minProperties": 1, "additionalProperties": RANGES},
}
MEMBER = {
    "type": "object",
    "properties": {"name": TEXT, "field-class": CLASS},
    "required": ["name", "field-class"],
    "additionalProperties": False,
}
ARRAY = {"element-field-class": CLASS}
LOCATION = {"properties": {"path": {"type": "array", "minItems": 1, "items": TEXT}}, "required": ["path"]}
OPTION = {
    "properties": {
        "name": TEXT,
        "selector-field-ranges": {"type": "array", "items": {"items": WHOLE, "minItems": 2, "maxItems": 2}},
        "field-class": CLASS,
    },
    "required": ["selector-field-ranges", "field-class"],
    "additionalProperties": False,
}
SCHEMA = {
    "$defs": {
        "structure": thing("structure", {"member-classes": {"type": "array", "items": MEMBER}},
                           {"minimum-alignment": {"const": 8}}),
        "class": {
            "oneOf": [
                STRUCTURE,
                thing("fixed-length-signed-integer", BITS, SHOWN),
                thing("fixed-length-unsigned-integer", BITS, SHOWN | ROLE),
                thing("variant", {"selector-field-location": LOCATION,
                                  "options": {"type": "array", "minItems": 1, "items": OPTION}}),
                thing("null-terminated-string", {}),
                thing("static-length-string", {"length": WHOLE}),
                thing("static-length-array", {**ARRAY, "length": WHOLE}),
                thing("dynamic-length-array", {**ARRAY, "length-field-location": LOCATION}),
            ]
        },
    },
    "oneOf": [
        thing("preamble", {"version": {"const": 2}}, {"uuid": UUID}),
        thing("trace-class", {},
              {"uid": TEXT, "packet-header-field-class": STRUCTURE,
               "environment": {"type": "object", "additionalProperties": {"type": ["string", "integer"]}}}),
        thing("clock-class", {"id": TEXT, "frequency": {**WHOLE, "minimum": 1}},
              {"name": TEXT, "uid": TEXT, "description": TEXT, "origin": {"const": "unix-epoch"},
               "offset-from-origin": {"properties": {"seconds": {"type": "integer"}, "cycles": WHOLE},
                                      "additionalProperties": False}}),
        thing("data-stream-class", {},
              {"default-clock-class-id": TEXT, "packet-context-field-class": STRUCTURE,
               "event-record-header-field-class": STRUCTURE}),
        thing("event-record-class", {},
              {"id": WHOLE, "name": TEXT, "specific-context-field-class": STRUCTURE,
               "payload-field-class": STRUCTURE}),
    ],
}  # fmt: skip


def row(number: int = 0, marker: str = "m", fields: str = "-", context: str = "-") -> dict[str, str]:
    names = ",".join(f"arg{place}" for place in range(fields.count(",") + 1))
    return {"id": str(number), "marker": marker, "fields": fields, "context": context, "names": names}


def fragments(*rows: dict[str, str], facts: dict[str, str] | None = None) -> list[dict[str, Any]]:
    """Return the fragments of the written text: each comes after RS, ends with a newline, and keeps to
    SCHEMA."""
    text = ctf2.metadata(TRACE, CLOCK, "some-boot", rows, facts or {})
    empty, *parts = text.encode().split(b"\x1e")
    assert empty == b"" and all(part.endswith(b"\n") and part.count(b"\n") == 1 for part in parts)
    found = [json.loads(part) for part in parts]
    for fragment in found:
        jsonschema.Draft202012Validator(SCHEMA).validate(fragment)
    return found


def members(structure: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {member["name"]: member["field-class"] for member in structure["member-classes"]}


class Whole(unittest.TestCase):
    def test_the_versions_of_the_option(self) -> None:
        self.assertEqual(record.FORMATS, tuple(recording.FORMATS))
        self.assertEqual(record.FORMATS[0], recording.FORMAT)

    def test_order_and_ids(self) -> None:
        found = fragments(row(0, "m0"), row(7, "m7"))
        self.assertEqual(
            [fragment["type"] for fragment in found],
            ["preamble", "trace-class", "clock-class", "data-stream-class", *["event-record-class"] * 2],
        )
        self.assertEqual(bytes(found[0]["uuid"]).hex(), TRACE.replace("-", ""))
        self.assertEqual([(one["id"], one["name"]) for one in found[4:]], [(0, "m0"), (7, "m7")])

    def test_names_that_need_escaping(self) -> None:
        name = 'a "b"\\\n\x1e\x7f ü 😀'
        found = fragments(row(0, name), facts={"hostname": name})
        self.assertEqual(found[1]["environment"], {"hostname": name})
        self.assertEqual(found[4]["name"], name)

    def test_no_character_is_two_escapes(self) -> None:
        """babeltrace2 2.1 refuses those."""
        self.assertNotIn("\\ud83d", ctf2.metadata(TRACE, CLOCK, "boot", [row(0, "😀")], {}))

    def test_the_packet_is_that_of_packet_h(self) -> None:
        """u32 magic, stream; u64 begin, end, content, size, number, lost, cpu; then headers of events."""
        _, trace, _, stream = fragments()
        number, variant = members(stream["event-record-header-field-class"]).values()
        compact, wide, extended = (option["field-class"] for option in variant["options"])
        for structure, bits in (
            (trace["packet-header-field-class"], 8 * struct.calcsize("<II")),
            (stream["packet-context-field-class"], 8 * struct.calcsize("<7Q")),
            (compact, 8 * packets.COMPACT_HEADER.size - number["length"]),
            (wide, 8 * packets.WIDE_HEADER.size - number["length"]),
            (extended, 8 * (packets.EXTENDED_HEADER.size - 1)),
        ):
            self.assertEqual(sum(one["length"] for one in members(structure).values()), bits)
        ranges = [option["selector-field-ranges"] for option in variant["options"]]
        self.assertEqual(ranges, [[[0, 29]], [[30, 30]], [[31, (1 << number["length"]) - 1]]])


class Events(unittest.TestCase):
    def test_each_type_and_context_fits_the_schema(self) -> None:
        fragments(row(fields=FIELDS, context=",".join([*layout.CONTEXT, *layout.STACKS])))

    def test_what_is_not_known_is_named(self) -> None:
        for bad in (
            row(fields="s7:10"),
            row(fields="bytes:x"),
            row(fields="enum:A"),
            row(context="tid,uid"),
        ):
            with self.assertRaisesRegex(Failure, r"'(s7:10|bytes:x|enum:A|uid)'"):
                fragments(bad)
