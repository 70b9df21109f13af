# SPDX-License-Identifier: GPL-2.0-only
"""The fields of an event: TP_STRUCT__entry(), and how a marker has each of them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kmark.convert import text
from kmark.convert.sizes import Type, Types

ARGS_MAX = 8  # MARKER_ARGS_MAX
NAME_MAX = 32  # MARKER_ARG_NAME_MAX, with the end of the string
KIND = re.compile(r"\s*;*\s*(?:__attribute__\(\([^)]*\)\)\s*)?(__\w+)\s*(?=\()")
NUMBER, STRING, ARRAY, SOCKADDR = "number", "string", "array", "sockaddr"
KINDS = {
    "__field": NUMBER,
    "__field_ext": NUMBER,
    "__string": STRING,
    "__array": ARRAY,
    "__sockaddr": SOCKADDR,
}
# The length of what varies would be an argument, and so a field, of its own.
NO_FIELD = {
    "__dynamic_array": "an array of varying length",
    "__bitmask": "an array of varying length",
    "__cpumask": "an array of varying length",
    "__string_len": "a string of a given length",
    "__field_struct": "a structure as a field",
    "__field_struct_ext": "a structure as a field",
    "__vstring": "a format and a va_list as a field",
}


class Refused(Exception):
    """Why there is no marker for an event."""


@dataclass(frozen=True)
class Field:
    """`type`: that of a number, else of the elements; `written`: its text; `length`: of an array;
    `source`: what a string is copied from, as the declaration has it."""

    kind: str
    name: str
    written: str = "char"
    type: Type | None = None
    length: str = ""
    source: str = ""

    @property
    def is_text(self) -> bool:
        return self.kind != NUMBER

    @property
    def same(self) -> bool:
        """Whether a record of the marker has the same kind of field."""
        return self.kind in (NUMBER, STRING)

    @property
    def is_char(self) -> bool:
        return self.kind == ARRAY and self.written.split()[-1] == "char"


def read_field(kind: str, words: list[str], types: Types) -> Field:
    """One field of TP_STRUCT__entry()."""
    if kind in NO_FIELD:
        raise Refused(NO_FIELD[kind])
    if kind not in KINDS:
        raise Refused(f"a field of an unknown kind, {kind}()")
    meaning = KINDS[kind]
    if meaning == STRING:
        return Field(STRING, words[0], source=words[1])
    if meaning == SOCKADDR:
        return Field(SOCKADDR, words[0])
    written, name = words[:2]
    found = types.find(written)
    if meaning == NUMBER:
        if not found:
            raise Refused(f"a field of the type {written}")
        return Field(NUMBER, name, written, found)
    return Field(meaning, name, written, found, length=words[2])


def read(entry: str, types: Types) -> list[Field]:
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
        if not is_name(name):
            raise Refused(f"a marker cannot call a field {name}")
    if len(set(names)) < len(names):
        raise Refused("two fields of one name")
    return found


def is_name(name: str) -> bool:
    """Whether the core takes that word for the name of an argument."""
    taken = name.startswith(("arg", "common_")) or name == "line"
    return bool(re.fullmatch(r"[A-Za-z_]\w*", name)) and len(name) < NAME_MAX and not taken
