# SPDX-License-Identifier: GPL-2.0-only
"""The fields of an event: TP_STRUCT__entry(), and how a marker has each of them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kmark.convert import text
from kmark.convert.sizes import Type, Types
from kmark.convert.target import Target

KIND = re.compile(r"\s*;*\s*(?:__attribute__\(\([^)]*\)\)\s*)?(__\w+)\s*(?=\()")
NUMBER, STRING, ARRAY, SOCKADDR = "number", "string", "array", "sockaddr"
STRUCT, DYNAMIC, MASK, PART, FORMATTED = "structure", "dynamic array", "mask", "part", "formatted"
KINDS = {
    "__field": NUMBER,
    "__field_ext": NUMBER,
    "__field_struct": STRUCT,
    "__field_struct_ext": STRUCT,
    "__string": STRING,
    "__string_len": PART,
    "__vstring": FORMATTED,
    "__array": ARRAY,
    "__dynamic_array": DYNAMIC,
    "__bitmask": MASK,
    "__cpumask": MASK,
    "__sockaddr": SOCKADDR,
}
# A marker prints a text of these when it is open: their length is not known before, or is no field.
MADE = (STRUCT, DYNAMIC, MASK, PART, FORMATTED)
COMM = "TASK_COMM_LEN"


class Refused(Exception):
    """The reason why there is no marker for an event."""


@dataclass(frozen=True)
class Field:
    """A field of an event. `type`: type of a number, or of the elements; `written`: its text; `length`:
    expression of the length, if any, and `count`, its value if that can be seen; `source`: source of a
    copied string, or its format, as in the declaration."""

    kind: str
    name: str
    written: str = "char"
    type: Type | None = None
    length: str = ""
    count: int | None = None
    source: str = ""

    @property
    def is_text(self) -> bool:
        return self.kind != NUMBER

    @property
    def is_made(self) -> bool:
        return self.kind in MADE or (self.kind == ARRAY and not self.count and self.length != COMM)

    @property
    def same(self) -> bool:
        """True if a record of the marker has the same kind of field."""
        return self.kind in (NUMBER, STRING, PART, FORMATTED) or (self.kind == DYNAMIC and self.is_char)

    @property
    def is_char(self) -> bool:
        return self.kind in (ARRAY, DYNAMIC) and self.written == "char"


def read_field(kind: str, words: list[str], types: Types) -> Field:
    """One field of TP_STRUCT__entry()."""
    if kind not in KINDS:
        raise Refused(f"a field of an unknown kind, {kind}()")
    meaning = KINDS[kind]
    if meaning in (SOCKADDR, MASK):
        return Field(meaning, words[0])
    if meaning in (STRING, PART, FORMATTED):
        return Field(meaning, words[0], source=words[1], length="".join(words[2:]))
    written, name = words[:2]
    found = types.find(written)
    if meaning == STRUCT and found:
        meaning = NUMBER
    if meaning == NUMBER and not found:
        raise Refused(f"a field of the type {written}")
    length = "".join(words[2:])
    return Field(meaning, name, written, found, length, types.constant(length) if length else None)


def read(entry: str, types: Types, target: Target) -> list[Field]:
    """The fields of an event in their order. Refused if a marker cannot have one of them."""
    found: list[Field] = []
    start = 0
    while match := KIND.match(entry, start):
        end = text.closing(entry, match.end())
        found.append(read_field(match[1], text.split(entry[match.end() + 1 : end]), types))
        start = end + 1
    if entry[start:].strip(" \t\n;"):
        raise Refused("a declaration of fields that is none of the kernel's macros")
    names = [field.name for field in found]
    for name in names:
        if not target.is_name(name):
            raise Refused(f"a marker cannot call a field {name}")
    if len(set(names)) < len(names):
        raise Refused("two fields of one name")
    return found
