# SPDX-License-Identifier: GPL-2.0-only
"""The lists of planted errors: the .toml files of this folder."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from kmark.errors import Failure

KINDS = {
    "order": "what only the order of steps protects",
    "oracle": "what is verified or counted",
    "boundary": "the last value, the longest text, the entry behind the last",
    "logic": "another condition, sign or operand",
    "undo": "what is done again after an error, or given back",
    "figure": "a statistic that is computed in another way",
    "rendering": "another figure, or word, in what is printed",
}


@dataclass(frozen=True)
class Mutant:
    """In `file`, `old`, which is there once, becomes `new`. `suites`: those that should see
    it, the fastest first. `survives`: why none does; "" if one has to."""

    name: str
    kind: str
    file: str
    old: str
    new: str
    suites: tuple[str, ...]
    survives: str = ""


def parse(entry: dict[str, Any], source: str) -> Mutant:
    """Failure for a key that is missing or unknown, and for what cannot be."""
    names = [field.name for field in fields(Mutant)]
    where = f"{source}: {entry.get('name', 'an entry without a name')}"
    if unknown := entry.keys() - set(names):
        raise Failure(f"{where}: unknown key {min(unknown)!r}")
    if missing := [name for name in names if name not in entry and name != "survives"]:
        raise Failure(f"{where}: no {missing[0]}")
    if entry["kind"] not in KINDS:
        raise Failure(f"{where}: no kind {entry['kind']!r}: expected one of {', '.join(KINDS)}")
    if not entry["suites"] or not entry["old"] or entry["old"] == entry["new"]:
        raise Failure(f"{where}: changes nothing, or is shown to no suite")
    return Mutant(**{**entry, "suites": tuple(entry["suites"])})


def load(paths: list[Path]) -> list[Mutant]:
    """All of them, in the order of the files. Failure if one is malformed or comes twice."""
    found: dict[str, Mutant] = {}
    for path in paths:
        try:
            entries = tomllib.loads(path.read_text(encoding="utf-8"))["mutant"]
        except (OSError, tomllib.TOMLDecodeError, KeyError) as error:
            raise Failure(f"{path.name}: {error}") from None
        for entry in entries:
            mutant = parse(entry, path.name)
            if mutant.name in found:
                raise Failure(f"{path.name}: {mutant.name} comes twice")
            found[mutant.name] = mutant
    return list(found.values())
