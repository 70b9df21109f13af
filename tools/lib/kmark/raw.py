# SPDX-License-Identifier: GPL-2.0-only
"""Reader of kmark-raw/1: what the bench module and the native runner print.

Tab-separated. `#kmark-raw/1` opens a document, `#key<TAB>value` lines are its
environment, one line names the columns of a record kind, the others are
records; the first column is the kind. Kinds other than `case` are left alone.
A file may hold several documents, one for each environment."""

from __future__ import annotations

from dataclasses import dataclass, field

from kmark.errors import Failure

MAGIC = "#kmark-raw/1"
COUNTS = ("round", "layout", "loops", "sites", "ticks", "add0", "imul0", "add1", "imul1")
NAMES = ("shape", "variant", "state")


@dataclass(frozen=True)
class Sample:
    """One timed loop, and the chains timed just before and just after it."""

    shape: str
    variant: str
    state: str
    round: int
    layout: int
    loops: int
    sites: int
    ticks: int
    add0: int
    imul0: int
    add1: int
    imul1: int


@dataclass
class Raw:
    """One document."""

    environment: dict[str, str] = field(default_factory=dict)
    samples: list[Sample] = field(default_factory=list)

    @property
    def env(self) -> str:
        return self.environment["env"]

    def number(self, key: str) -> int:
        """An environment value that must be a number."""
        try:
            return int(self.environment[key])
        except (KeyError, ValueError):
            found = self.environment.get(key, "nothing")
            raise Failure(f"raw data of {self.env}: #{key} must be a number, not {found}") from None


def parse_sample(columns: list[str], fields: list[str]) -> Sample:
    if len(fields) != len(columns):
        raise ValueError(f"{len(fields)} columns instead of {len(columns)}")
    row = dict(zip(columns, fields, strict=True))
    counts = [int(row[name]) for name in COUNTS]
    sample = Sample(row["shape"], row["variant"], row["state"], *counts)
    if sample.loops == 0 or min(counts) < 0:
        raise ValueError("a count is negative, or there are no loops")
    return sample


def check_columns(columns: list[str]) -> list[str]:
    missing = [name for name in (*NAMES, *COUNTS) if name not in columns]
    if missing:
        raise ValueError(f"no column {missing[0]}")
    return columns


def parse(text: str, source: str) -> list[Raw]:
    """All documents of a text; `source` names it in errors."""
    documents: list[Raw] = []
    columns: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        fields = line.split("\t")
        try:
            if line == MAGIC:
                documents.append(Raw())
                columns = []
            elif not documents:
                raise ValueError(f"expected {MAGIC}")
            elif line.startswith("#"):
                key, _, value = line[1:].partition("\t")
                documents[-1].environment[key] = value
            elif fields[0] == "case" and not columns:
                columns = check_columns(fields)
            elif fields[0] == "case":
                documents[-1].samples.append(parse_sample(columns, fields))
        except ValueError as problem:
            raise Failure(f"{source}:{number}: {problem}: {line[:60]!r}") from None
    return check_documents(documents, source)


def check_documents(documents: list[Raw], source: str) -> list[Raw]:
    if not documents:
        raise Failure(f"{source}: empty, expected {MAGIC}")
    for document in documents:
        if "env" not in document.environment:
            raise Failure(f"{source}: a document without an #env line")
        if not document.samples:
            raise Failure(f"{source}: no samples for {document.env}")
    return documents
