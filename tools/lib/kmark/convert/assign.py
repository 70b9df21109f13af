# SPDX-License-Identifier: GPL-2.0-only
"""Where the fields of an event come from: TP_fast_assign().

A body of plain assignments gives an expression for each field. Any other body, with variables,
conditions or loops, becomes a function for each field, that is the body and returns the field."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kmark.convert import text
from kmark.convert.fields import ARRAY, NUMBER, Field, Refused

COPY = r"(?:__builtin_)?mem(?:cpy|move)|str[ls]?n?cpy(?:_pad)?|strscpy(?:_pad)?"
ASSIGN = re.compile(r"__entry->(\w+)\s*=(?!=)\s*(.*)", re.DOTALL)
ASSIGN_TEXT = r"__assign_(?:str|rel_str|sockaddr)"
FIELD = re.compile(r"__entry->(\w+)$")
DYNAMIC_USE = re.compile(r"\b__get_(?:dynamic_array|str|bitmask|sockaddr|rel_\w+|cpumask)\w*\s*\(")
ENTRY = re.compile(r"(?<![\w>.])entry->")
CALL = re.compile(r"\w+\s*\(.*\)", re.DOTALL)
# Of a word in front of a statement that this is none of ours.
BEGINS = re.compile(r"(?:if|else|for|while|do|switch|return|goto)\b|\{")
LOCAL = re.compile(r"^&\s*(\w+)$")


@dataclass(frozen=True)
class Body:
    """`sources` by field, numbers or the addresses of texts, or, where these are functions, the body
    of each by field; `filled`: the arrays that have no source, since the body writes them by
    other means than a copy of the whole."""

    sources: dict[str, str]
    functions: dict[str, str]
    filled: frozenset[str] = frozenset()


def copied(body: str, start: int, words: list[str], fields: dict[str, Field]) -> str | None:
    """The text that a call at `start` copies as a whole, __assign_str() or memcpy() and the like."""
    if body.startswith("__assign", start):
        return words[0] if words[0] in fields else None
    match = FIELD.match(words[0])
    if not match or match[1] not in fields or fields[match[1]].kind != ARRAY:
        return None
    field = fields[match[1]]
    whole = (field.length, f"sizeof(__entry->{field.name})")
    return field.name if not words[2:] or words[2] in whole else None


def of_statement(statement: str, fields: dict[str, Field]) -> tuple[str, str] | None:
    """The field and its source if the statement is a plain assignment, else None."""
    if match := ASSIGN.fullmatch(statement):
        field = fields.get(match[1])
        is_plain = field and field.kind == NUMBER and not re.search(r"__entry\b|[^=!<>]=[^=]", match[2])
        return (match[1], match[2]) if is_plain else None
    found = text.calls(statement, f"{ASSIGN_TEXT}|{COPY}")
    if len(found) != 1 or found[0][:2] != (0, len(statement)):
        return None
    words = found[0][2]
    name = copied(statement, 0, words, fields)
    return (name, of_text(fields[name], words)) if name else None


def of_text(field: Field, words: list[str]) -> str:
    """The address of a text by the arguments of what copies it."""
    value = words[1] if len(words) > 1 else field.source
    if "__entry" in value or DYNAMIC_USE.search(value):
        raise Refused(f"{field.name} is made of another field")
    return value


def plain(statements: list[str], fields: dict[str, Field]) -> dict[str, str] | None:
    """The sources of plain assignments, one for each field; None if there is anything else but
    calls, which fill arrays."""
    found: dict[str, str] = {}
    for statement in statements:
        source = of_statement(statement, fields) if not BEGINS.match(statement) else None
        if source and source[0] not in found:
            found[source[0]] = source[1]
        elif source or BEGINS.match(statement) or not CALL.fullmatch(statement):
            return None
    missing = fields.keys() - found.keys()
    return found if all(fields[name].kind == ARRAY for name in missing) else None


def is_variable(source: str, body: str) -> bool:
    """Whether an address is that of a variable, or of an array that the body declares."""
    array = rf"\b{re.escape(source)}\s*\[[^]]*\]\s*[;=,]"
    return bool(LOCAL.match(source) or re.search(array, body))


def as_function(body: str, field: Field, fields: dict[str, Field]) -> tuple[str, bool]:
    """The body for one field: what copies it returns its source in its place, what copies another
    string is left out. Also whether it has such a source."""
    changes = []
    has_source = False
    for start, end, words in text.calls(body, f"{ASSIGN_TEXT}|{COPY}"):
        name = copied(body, start, words, fields)
        if name == field.name:
            source = of_text(field, words)
            # Such a variable is gone when its address is returned; an array is copied once more.
            if is_variable(source, body) and field.kind == ARRAY:
                continue
            if is_variable(source, body):
                raise Refused(f"{field.name} is copied from a variable of the assignment")
            changes.append((start, end, f"return ({source})"))
            has_source = True
        elif name and fields[name].kind != ARRAY:
            changes.append((start, end, "do { } while (0)"))
    for start, end, new in reversed(changes):
        body = body[:start] + new + body[end:]
    if DYNAMIC_USE.search(body):
        raise Refused("a string that is filled piece by piece")
    return body, has_source


def functions(body: str, fields: dict[str, Field], sources: dict[str, str]) -> Body:
    """A function body for each field without a source."""
    made: dict[str, str] = {}
    filled: set[str] = set()
    for name, field in fields.items():
        if name in sources:
            continue
        made[name], has_source = as_function(body, field, fields)
        if field.is_text and not has_source:
            if field.kind != ARRAY or field.type is None:
                raise Refused(f"{name} is filled by other means than a copy")
            filled.add(name)
    return Body({**dict.fromkeys(made, ""), **sources}, made, frozenset(filled))


def read(written: str, proto: str, fields: list[Field]) -> Body:
    """Where each field comes from. Refused if that cannot be said in a marker."""
    # The kernel's functions for an event call the record entry, too.
    body = written if re.search(r"\bentry\b", proto) else ENTRY.sub("__entry->", written)
    by_name = {field.name: field for field in fields}
    statements = [part for part in text.split(body, ";") if part]
    return functions(body, by_name, plain(statements, by_name) or {})
