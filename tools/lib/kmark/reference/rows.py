# SPDX-License-Identifier: GPL-2.0-only
"""bench/data/rows.tsv: the rows of the four documents, and the cases that show them today."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase
from itertools import product
from pathlib import Path

from kmark import foreign
from kmark.cache import TOP
from kmark.errors import Failure

TABLE = TOP / "bench/data/rows.tsv"
COLUMNS = ("row", "document", "what", "printed", "shown_by", "repeats")
COUNTS = {"thread": ("A", 20), "intel": ("B", 9), "tsc": ("C", 8), "lecture": ("D", 7)}
NOTHING, FAITHFUL = "-", "faithful"
SELECTOR = re.compile(r"[\w{},*-]+/[\w{},*-]+(?:/[\w{},*-]+)?")

Name = tuple[str, str, str]  # name of a case: shape, variant, state


@dataclass(frozen=True)
class Row:
    """One experiment, method or figure of a document. `repeats`: FAITHFUL, or what differs."""

    row: str
    document: str
    what: str
    printed: str
    shown_by: str
    repeats: str = FAITHFUL

    @property
    def command(self) -> str:
        """The command that shows the row, without the cases."""
        return self.shown_by.partition(": ")[0]

    @property
    def selectors(self) -> list[Name]:
        """Patterns of the cases that show it."""
        words = self.shown_by.partition(": ")[2].split()
        found = [word.rstrip(",") for word in words if SELECTOR.fullmatch(word.rstrip(","))]
        return [name for word in found for name in names(word)]

    def shows(self, case: Name) -> bool:
        return any(matches(case, selector) for selector in self.selectors)

    def absent(self, cases: Iterable[Name]) -> list[str]:
        """Return the row's patterns that match none of the cases."""
        there = list(cases)
        return [
            "/".join(selector).removesuffix("/*")
            for selector in self.selectors
            if not any(matches(case, selector) for case in there)
        ]

    def record(self) -> dict[str, str]:
        return asdict(self)


def braces(word: str) -> list[str]:
    """Expands a{b,c}d as the shell does; not nested."""
    parts = re.split(r"\{([^{}]*)\}", word)
    choices = [part.split(",") if place % 2 else [part] for place, part in enumerate(parts)]
    return ["".join(choice) for choice in product(*choices)]


def names(word: str) -> list[Name]:
    """shape/variant[/state], as patterns."""
    found = []
    for one in braces(word):
        shape, variant, *state = one.split("/")
        found.append((shape, variant, state[0] if state else "*"))
    return found


def matches(case: Name, selector: Name) -> bool:
    return all(fnmatchcase(part, pattern) for part, pattern in zip(case, selector, strict=True))


def load(path: Path = TABLE) -> list[Row]:
    """All rows, in the order of the documents. Failure if the file cannot be read, or a row
    is missing or malformed."""
    try:
        text = path.read_text()
    except OSError as problem:
        raise Failure(f"{path}: {problem.strerror}") from None
    lines = [line for line in foreign.lines(text) if not line.startswith("#")]
    table = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
    if tuple(table.fieldnames or ()) != COLUMNS:
        raise Failure(f"{path}: the columns are not {' '.join(COLUMNS)}")
    found = []
    for record in table:
        if None in record or not all(record.values()):
            raise Failure(f"{path}: row {record['row']}: it has not {len(COLUMNS)} cells, all filled")
        found.append(Row(**record))
    check(found, str(path))
    return found


def expected() -> dict[str, str]:
    """Every row that there must be, with its document."""
    return {
        f"{letter}{number}": document
        for document, (letter, count) in COUNTS.items()
        for number in range(1, count + 1)
    }


def check(rows: list[Row], source: str) -> None:
    """Check the rows. Failure unless each row occurs once, in order and under its document."""
    wanted = list(expected().items())
    found = [(row.row, row.document) for row in rows]
    for want, have in zip(wanted, [*found, *[("nothing", "")] * len(wanted)], strict=False):
        if want != have:
            raise Failure(f"{source}: {have[0]} stands where {want[0]} of {want[1]} belongs")
    if len(found) > len(wanted):
        raise Failure(f"{source}: {found[len(wanted)][0]} is one too many")
