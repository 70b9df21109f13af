# SPDX-License-Identifier: GPL-2.0-only
"""The list of planted errors, and where in a file an error goes."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kmark.errors import Failure

KINDS = {
    "order": "what only the order of steps protects",
    "oracle": "what is verified or counted",
    "logic": "another condition, or another action",
    "undo": "what is done again after an error, or given back",
    "boundary": "the last value, or the one behind it",
}
NEEDED = {"name": str, "kind": str, "file": str, "function": str, "suites": list}
CHANGES = ({"drop"}, {"swap"}, {"old", "new"})
# A function, or a table, from its first line to the brace that closes it; NAME is its name.
DEFINITION = r"^(?:\} )?(?![#\s/*{}])[^;{}\n]*\bNAME\b[^;{}]*\{.*?^\}"
SPACE = r"(?:\s|/\*.*?\*/)+"


@dataclass(frozen=True)
class Mutant:
    """In `function` of `file` each first text of `changes` becomes the second. `suites`: those that
    should see it, the fastest first. `survives`: why none does; "" if one has to."""

    name: str
    kind: str
    file: str
    function: str
    changes: tuple[tuple[str, str], ...]
    suites: tuple[str, ...]
    survives: str = ""

    def planted(self, text: str) -> str:
        """Return the text of the file with the error. Failure if the function, or a text in it, is not
        there exactly once: the list is stale."""
        definition = DEFINITION.replace("NAME", re.escape(self.function))
        begin, end = self.span(text, definition, f"the function {self.function}")
        body = text[begin:end]
        spans = []
        for old, new in self.changes:
            words = SPACE.join(map(re.escape, old.split()))
            whole = (r"(?<!\w)" if old[0].isalnum() else "") + words
            spans.append((*self.span(body, whole, f"{old!r} in {self.function}()"), new))
        for first, last, new in sorted(spans, reverse=True):
            body = body[:first] + new + body[last:]
        return text[:begin] + body + text[end:]

    def span(self, text: str, pattern: str, what: str) -> tuple[int, int]:
        found = [match.span() for match in re.finditer(pattern, text, re.MULTILINE | re.DOTALL)]
        if len(found) != 1:
            raise Failure(f"{self.name}: expected {what} once in {self.file}, found it {len(found)} times")
        return found[0]


def changes_of(entry: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    if "drop" in entry:
        return ((entry["drop"], ""),)
    if "swap" in entry:
        one, other = entry["swap"]
        return (one, other), (other, one)
    return ((entry["old"], entry["new"]),)


def parse(entry: dict[str, Any], source: str) -> Mutant:
    """Failure for a key that is missing, unknown or of another type, and for what cannot be."""
    where = f"{source}: {entry.get('name', 'an entry without a name')}"
    change = entry.keys() - NEEDED.keys() - {"survives"}
    if wrong := [key for key, kind in NEEDED.items() if not isinstance(entry.get(key), kind)]:
        raise Failure(f"{where}: no {wrong[0]}")
    if change not in CHANGES:
        raise Failure(
            f"{where}: expected drop, swap, or old and new; found {', '.join(sorted(change)) or 'none'}"
        )
    if entry["kind"] not in KINDS:
        raise Failure(f"{where}: no kind {entry['kind']!r}: expected one of {', '.join(KINDS)}")
    changes = changes_of(entry)
    if not entry["suites"] or any(not old.strip() or old == new for old, new in changes):
        raise Failure(f"{where}: changes nothing, or is shown to no suite")
    return Mutant(
        entry["name"], entry["kind"], entry["file"], entry["function"], changes,
        tuple(entry["suites"]), entry.get("survives", ""),
    )  # fmt: skip


def load(path: Path) -> list[Mutant]:
    """Return the errors in the order of the file. Failure if one is malformed or comes twice."""
    try:
        entries = tomllib.loads(path.read_text(encoding="utf-8"))["mutant"]
    except (OSError, tomllib.TOMLDecodeError, KeyError) as error:
        raise Failure(f"{path.name}: {error}") from None
    found: dict[str, Mutant] = {}
    for entry in entries:
        mutant = parse(entry, path.name)
        if mutant.name in found:
            raise Failure(f"{path.name}: {mutant.name} comes twice")
        found[mutant.name] = mutant
    return list(found.values())
