# SPDX-License-Identifier: GPL-2.0-only
"""Reads JSON documents, checks them against their schema and makes them records; what is refused
is named by file, line and reason."""

from __future__ import annotations

import functools
import json
import lzma
import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import MISSING, fields, is_dataclass
from json import JSONDecoder
from pathlib import Path
from types import NoneType
from typing import Any, NoReturn, get_args, get_origin, get_type_hints

import jsonschema

from kmark.errors import Failure

WHITE_SPACE = re.compile(r"[ \t\r\n]*")
MOST_BYTES = 64 << 20  # unpacked; a report has less than one MB

Where = tuple[str | int, ...]  # the keys and indices that lead to a value


def skip(text: str, place: int) -> int:
    """Return the index of the next character that is no white space."""
    found = WHITE_SPACE.match(text, place)
    assert found  # also of no characters
    return found.end()


def positions(text: str, place: int = 0, where: Where = ()) -> Iterator[tuple[Where, int, int]]:
    """Yield, for each value in a JSON text, which has to be valid, its keys, its beginning and its end. The
    last value is the whole document."""
    start = place = skip(text, place)
    if text[place] not in "{[":
        yield where, start, JSONDecoder().raw_decode(text, place)[1]
        return
    place = skip(text, place + 1)
    number = 0
    while text[place] not in "}]":
        key: str | int = number
        if text[start] == "{":
            key, place = JSONDecoder().raw_decode(text, place)
            place = skip(text, place) + 1
        for found in positions(text, place, (*where, key)):
            yield found
            end = found[2]
        place = skip(text, end)
        place = skip(text, place + 1) if text[place] == "," else place
        number += 1
    yield where, start, place + 1


def line_of(text: str, where: Where) -> int:
    """Return the line of a value, or of the last value with the same name."""
    found = [start for at, start, _ in positions(text) if at == where]
    return text.count("\n", 0, found[-1]) + 1 if found else 1


def refuse(source: str, text: str, where: Where, name: str, reason: str) -> NoReturn:
    """Raise Failure with the source, the line if the document came from a text, the place and the
    reason."""
    place = "$" + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in where)
    at = f"{source}:{line_of(text, where)}" if text else source
    raise Failure(f"{at}: not a {name}: {place}: {reason}")


def finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is no number")
    return number


def no_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number")


def parse(text: str, source: str) -> Any:
    """Return the document in a text. Failure if it is not JSON by RFC 8259: without NaN and repeated
    names."""
    repeated: list[str] = []

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            repeated.extend(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        return found

    try:
        found = json.loads(text, parse_constant=no_constant, parse_float=finite, object_pairs_hook=members)
    except json.JSONDecodeError as problem:
        raise Failure(f"{source}:{problem.lineno}: not JSON: {problem.msg}") from None
    except ValueError as problem:
        literal = str(problem).partition(" ")[0]
        line = text.count("\n", 0, max(text.find(literal), 0)) + 1
        raise Failure(f"{source}:{line}: not JSON: {problem}") from None
    except RecursionError:
        raise Failure(f"{source}: not JSON: values are nested too deeply") from None
    if repeated:
        seen: Counter[Where] = Counter()
        for where, start, _ in positions(text):
            seen[where] += 1
            if seen[where] > 1 and where[-1:] == (repeated[0],):
                line = text.count("\n", 0, start) + 1
                raise Failure(f"{source}:{line}: not JSON: {repeated[0]!r} is there twice")
    return found


def read(path: Path) -> str:
    """The text of a file; one whose name ends in .xz is unpacked. Failure if it cannot be read, is
    damaged, is no UTF-8, or is larger than MOST_BYTES."""
    try:
        with lzma.open(path) if path.suffix == ".xz" else path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as problem:
        raise Failure(f"{path}: {problem.strerror}") from None
    except (lzma.LZMAError, EOFError) as problem:
        raise Failure(f"{path}: not xz: {problem}") from None
    if len(data) > MOST_BYTES:
        raise Failure(f"{path}: over {MOST_BYTES >> 20} MiB")
    try:
        return data.decode()
    except UnicodeDecodeError as problem:
        line = data.count(b"\n", 0, problem.start) + 1
        raise Failure(f"{path}:{line}: not UTF-8: {problem.reason}") from None


@functools.cache
def validator(path: Path) -> tuple[Any, jsonschema.Draft202012Validator]:
    """Return the schema in a file, and a validator for documents."""
    wanted = json.loads(path.read_text())
    return wanted, jsonschema.Draft202012Validator(wanted)


def check(document: Any, name: str, schema: Path, source: str, text: str = "") -> None:
    """Check a document. Failure, with the source and the place, if it is not a `name`. `text`: source of
    the document, for the line."""
    wanted, made = validator(schema)
    versions = wanted["properties"]["schema"]
    known = versions.get("enum", [versions.get("const")])
    found = document.get("schema") if isinstance(document, dict) else None
    if found not in known:
        reason = f"expected {' or '.join(known)}, found {json.dumps(found)[:80]}"
        refuse(source, text, ("schema",), name, reason)
    for problem in sorted(made.iter_errors(document), key=lambda error: error.json_path):
        refuse(source, text, tuple(problem.absolute_path), name, problem.message[:200])


def plain(value: Any) -> Any:
    """A record, whose class is a dataclass, as JSON has it. A field that has a default is left out
    while it is None or empty."""
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if not is_dataclass(value):
        return value
    found = {one: plain(getattr(value, one.name)) for one in fields(value)}
    needed = {one for one in found if one.default is MISSING and one.default_factory is MISSING}
    return {one.name: part for one, part in found.items() if one in needed or part not in (None, [])}


hints = functools.cache(get_type_hints)


def typed(kind: Any, value: Any) -> Any:
    """The opposite of plain(): a value that the schema allows, as a record of a class, or a list of
    records."""
    if isinstance(value, list):
        return get_origin(kind)(typed(get_args(kind)[0], one) for one in value)
    if not isinstance(value, dict) or get_origin(kind) is dict:
        return value
    if not is_dataclass(kind):  # CLASS | None
        (kind,) = (one for one in get_args(kind) if one is not NoneType)
    known = hints(kind)
    return kind(**{key: typed(known[key], one) for key, one in value.items()})
