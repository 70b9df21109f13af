# SPDX-License-Identifier: GPL-2.0-only
"""Where the fields of an event come from: TP_fast_assign().

A body of plain assignments gives an expression for each field. Any other body, with variables,
conditions or loops, becomes a function for each field, that is the body and returns the field."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kmark.convert import text
from kmark.convert.fields import (
    ARRAY,
    DYNAMIC,
    FORMATTED,
    MASK,
    NUMBER,
    PART,
    STRING,
    STRUCT,
    Field,
    Refused,
)

COPY = r"(?:__builtin_)?mem(?:cpy|move)|str[ls]?n?cpy(?:_pad)?|strscpy(?:_pad)?"
ASSIGN = re.compile(r"__entry->(\w+)\s*=(?!=)\s*(.*)", re.DOTALL)
ASSIGN_TEXT = r"__assign_(?:str|str_len|rel_str|sockaddr|vstr|bitmask|cpumask)"
FIELD = re.compile(r"__entry->(\w+)$|__get_(?:dynamic_array|str)\s*\((\w+)\)$")
USE = re.compile(r"\b__get_(?:dynamic_array|str)\s*\(\s*(\w+)\s*\)")
LENGTH = re.compile(r"\b__get_dynamic_array_len\s*\(\s*(\w+)\s*\)")
OTHER_USE = re.compile(r"\b__get_(?:dynamic_array|str|bitmask|sockaddr|rel_\w+|cpumask)\w*\s*\(")
NOT_PLAIN = re.compile(r"__entry\b|\b__get_|[^=!<>]=[^=]")
ASSIGNS = re.compile(r"__entry->\w+(?:\[[^]]*\])?\s*(?:[-+*/|&^]|<<|>>)?=(?!=)")
# The 0 behind a text that was copied with its length.
ENDS = re.compile(r"__get_str\s*\(\s*\w+\s*\)\s*\[[^]]*\]\s*=\s*(?:0|'\\0')")
ENTRY = re.compile(r"(?<![\w>.])entry->")
CALL = re.compile(r"\w+\s*\(.*\)", re.DOTALL)
# A word that begins a statement which is no assignment of a field.
BEGINS = re.compile(r"(?:if|else|for|while|do|switch|return|goto)\b|\{")
LOCAL = re.compile(r"^&\s*(\w+)$")
TEXT_SIZE = 256  # size of a marker's text, with its end
BYTES_MAX = 64  # most bytes of a %ph
BYTES_SIZE = 3 * BYTES_MAX


@dataclass(frozen=True)
class Function:
    """A function for a field: the code before its end, the returned expression, and the size of the text
    that it makes, 0 if it makes none."""

    body: str
    result: str
    size: int = 0


@dataclass(frozen=True)
class Body:
    """The sources of the fields of an event. `sources` by field, numbers or the addresses of texts;
    `functions`: functions of the other fields."""

    sources: dict[str, str]
    functions: dict[str, Function]


def printed(size: int | str, conversion: str, *words: str) -> str:
    """An expression that prints into the text of a field."""
    return f'mark__text(__text, {size}, "{conversion}", {", ".join(words)})'


def as_bytes(address: str, size: str) -> str:
    return printed(BYTES_SIZE, "%*ph", f"(int)min_t(size_t, {size}, {BYTES_MAX})", address)


def made_text(field: Field, words: list[str]) -> str:
    """The text of a field of varying length, by the arguments of what copies it."""
    if field.kind == MASK:
        bits = words[2] if words[2:] else "nr_cpumask_bits"
        return printed(TEXT_SIZE, "%*pb", f"(int)({bits})", words[1])
    if field.kind == FORMATTED:
        form, arguments = words[1:] if words[1:] else (field.source, field.length)
        return printed(TEXT_SIZE, "%pV", f"&(struct va_format){{ {form}, {arguments} }}")
    if field.kind == DYNAMIC and not field.is_char:
        return as_bytes(words[1], words[2])
    length = field.length if field.kind == PART else words[2]
    return printed(TEXT_SIZE, "%.*s", f"(int)({length})", f"(const char *)({of_text(field, words)})")


def filled_text(field: Field) -> tuple[str, int]:
    """The text of an array or a structure that the body has filled, and its size."""
    name = f"__entry->{field.name}"
    if not field.is_char:
        return as_bytes(f"&{name}", f"sizeof({name})"), BYTES_SIZE
    # Characters, with a 0 behind them.
    size = field.count + 1 if field.count else TEXT_SIZE
    return printed(size, "%.*s", f"(int)sizeof({name})", name), size


def copied(body: str, start: int, words: list[str], fields: dict[str, Field]) -> str | None:
    """The text that a call at `start` copies as a whole, __assign_str() or memcpy() and the like."""
    if body.startswith("__assign", start):
        return words[0] if words[0] in fields else None
    match = FIELD.match(words[0])
    field = fields.get(match[1] or match[2]) if match else None
    if not match or not field or field.kind != (ARRAY if match[1] else DYNAMIC):
        return None
    size = field.type.size if field.type else 1  # of an element; the length of a copy is in bytes
    whole = (
        field.length if size == 1 else f"{size * (field.count or 0)}",
        f"sizeof(__entry->{field.name})",
    )
    return field.name if field.kind == DYNAMIC or not words[2:] or words[2] in whole else None


def of_text(field: Field, words: list[str]) -> str:
    """The address of a text by the arguments of what copies it."""
    value = words[1] if len(words) > 1 else field.source
    if "__entry" in value or OTHER_USE.search(value):
        raise Refused(f"{field.name} is made of another field")
    return value


def of_statement(statement: str, fields: dict[str, Field]) -> tuple[str, str] | None:
    """The field and its source if the statement is a plain assignment, else None."""
    if match := ASSIGN.fullmatch(statement):
        field = fields.get(match[1])
        is_plain = field and field.kind in (NUMBER, STRUCT) and not NOT_PLAIN.search(match[2])
        return (match[1], match[2]) if is_plain else None
    found = text.calls(statement, f"{ASSIGN_TEXT}|{COPY}")
    if len(found) != 1 or found[0][:2] != (0, len(statement)):
        return None
    words = found[0][2]
    name = copied(statement, 0, words, fields)
    return (name, of_text(fields[name], words)) if name else None


def fills(statement: str) -> bool:
    """True if a statement may write to arrays and texts, but assigns no other field."""
    return bool(CALL.fullmatch(statement) or USE.search(statement)) and not ASSIGNS.search(statement)


def plain(statements: list[str], fields: dict[str, Field], made: set[str]) -> dict[str, str] | None:
    """Return the sources of plain assignments, one for each field that is not in `made`; None if there are
    other statements than these and those that fill arrays and texts."""
    found: dict[str, str] = {}
    for statement in statements:
        source = of_statement(statement, fields) if not BEGINS.match(statement) else None
        if source and source[0] in made:
            continue
        if source and source[0] not in found:
            found[source[0]] = source[1]
        elif source or BEGINS.match(statement) or not fills(statement):
            return None
    missing = fields.keys() - found.keys() - made
    return found if all(fields[name].kind == ARRAY for name in missing) else None


def is_variable(source: str, body: str) -> bool:
    """True if an address is that of a variable, or of an array that the body declares."""
    array = rf"\b{re.escape(source)}\s*\[[^]]*\]\s*[;=,]"
    return bool(LOCAL.match(source) or re.search(array, body))


def changed_in_place(body: str, fields: dict[str, Field]) -> set[str]:
    """The strings that the body writes to after it has copied them, and the texts that it copies
    nothing to."""
    copies = text.calls(body, f"{ASSIGN_TEXT}|{COPY}")
    of_copy = {copied(body, start, words, fields) for start, _, words in copies}
    used = {match[1] for match in USE.finditer(body)} & fields.keys()
    return {
        name
        for name in used
        if fields[name].kind == STRING
        or (fields[name].is_char and name not in of_copy and 0 < (fields[name].count or 0) < TEXT_SIZE)
    }


def replacement(field: Field, words: list[str], body: str, in_place: bool) -> str | None:
    """Return the code in place of the copy of a text in the function of that text; None: keep the copy."""
    if in_place:
        return printed(TEXT_SIZE, "%s", f"(const char *)({of_text(field, words)})")
    if field.is_made and field.kind != ARRAY:
        return f"return {made_text(field, words)}"
    # A made variable is gone when its address is returned; an array is copied once more.
    if field.is_made or (field.kind == ARRAY and is_variable(words[1], body)):
        return None
    source = of_text(field, words)
    if is_variable(source, body):
        raise Refused(f"{field.name} is copied from a variable of the assignment")
    return f"return ({source})"


def without_copies(body: str, field: Field, fields: dict[str, Field], in_place: bool) -> tuple[str, bool]:
    """The body for one field: what copies it returns its source in its place, what copies another
    string is left out. Also whether it has such a source."""
    changes = []
    has_source = False
    for start, end, words in text.calls(body, f"{ASSIGN_TEXT}|{COPY}"):
        name = copied(body, start, words, fields)
        if name == field.name:
            if new := replacement(field, words, body, in_place):
                changes.append((start, end, new))
                has_source |= not in_place
        elif name and fields[name].kind != ARRAY:
            changes.append((start, end, "do { } while (0)"))
    for start, end, new in reversed(changes):
        body = body[:start] + new + body[end:]
    return body, has_source


def length_in_bytes(match: re.Match[str], fields: dict[str, Field]) -> str:
    field = fields[match[1]]
    return f"(int)(({field.length}) * sizeof({field.written}))"


def as_function(body: str, field: Field, fields: dict[str, Field], in_place: bool) -> Function:
    """The function of one field."""
    body, has_source = without_copies(body, field, fields, in_place)
    if in_place:
        body = USE.sub(lambda match: "__text" if match[1] == field.name else match[0], body)
    body = LENGTH.sub(lambda match: length_in_bytes(match, fields), body)
    # Other texts have functions of their own.
    statements = [part for part in text.split(body, ";") if part]
    others = [part for part in statements if USE.search(part) and fills(part)]
    body = ";\n\t".join(part for part in statements if part not in others)
    changed = any(field.name in USE.findall(part) and not ENDS.fullmatch(part) for part in others)
    if changed or OTHER_USE.search(body):
        raise Refused("a string that is filled piece by piece")
    if field.kind == NUMBER:
        return Function(body, f"__entry->{field.name}")
    if in_place:
        return Function(body, "__text", field.count or TEXT_SIZE)
    if field.kind in (ARRAY, STRUCT) and not has_source:
        return Function(body, *filled_text(field))
    if not has_source:
        raise Refused(f"{field.name} is filled by other means than a copy")
    size = BYTES_SIZE if field.kind == DYNAMIC and not field.is_char else TEXT_SIZE
    return Function(body, '""', size) if field.is_made else Function(body, "NULL")


def read(written: str, proto: str, fields: list[Field]) -> Body:
    """Return the source of each field. Refused if a marker cannot have it."""
    # The kernel's functions for an event call the record entry, too.
    body = written if re.search(r"\bentry\b", proto) else ENTRY.sub("__entry->", written)
    by_name = {field.name: field for field in fields}
    in_place = changed_in_place(body, by_name)
    made = in_place | {field.name for field in fields if field.is_made}
    sources = plain([part for part in text.split(body, ";") if part], by_name, made) or {}
    functions = {
        field.name: as_function(body, field, by_name, field.name in in_place)
        for field in fields
        if field.name not in sources
    }
    return Body(sources, functions)
