# SPDX-License-Identifier: GPL-2.0-only
"""Decides if a report may be stored: the report has the right form, and every figure in it follows from the
raw data beside it."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kmark import foreign
from kmark.errors import Failure
from kmark.fleet import results
from kmark.fleet.results import Folder
from kmark.report import report, schema
from kmark.report.model import Report
from kmark.report.schema import Where

# Tolerances for the same figure on two machines, whose libraries may add in another order.
RELATIVE, ABSOLUTE = 1e-9, 1e-9
LISTS = ("cases", "null", *report.LATER)  # parts that follow from raw data
LOCAL = ("warning",)  # facts of a run that do not follow from raw data alone
CHUNK = 8  # folders that a process takes at a time


@dataclass(frozen=True)
class Accepted:
    """A report that may be stored. `digest`: of the records of its raw data."""

    folder: Path
    digest: str
    report: Report


@dataclass(frozen=True)
class Refused:
    """A refused report. `reason` has the file, the line, if there is one, and the error."""

    folder: Path
    reason: str


def digest(text: str) -> str:
    """Return the digest of the records in raw data, independent of their order and of the environment
    lines."""
    records = sorted(line for line in foreign.lines(text) if not line.startswith("#"))
    return hashlib.sha256("\n".join(records).encode()).hexdigest()


def differences(found: Any, made: Any, where: Where) -> Iterator[tuple[Where, str]]:
    """Yield the places where a value of a report differs from the value that raw data gives."""
    if isinstance(made, dict) and isinstance(found, dict):
        for key in made:
            if key in found:
                yield from differences(found[key], made[key], (*where, key))
            else:
                yield where, f"{key!r} is missing, which {results.RAW} gives"
        yield from (((*where, key), f"{results.RAW} gives no such") for key in found if key not in made)
    elif isinstance(made, list) and isinstance(found, list):
        for number, (one, other) in enumerate(zip(found, made, strict=False)):
            yield from differences(one, other, (*where, number))
        if len(found) != len(made):
            yield where, f"{len(found)} entries, where {results.RAW} gives {len(made)}"
    elif is_number(made) and is_number(found):
        if not math.isclose(found, made, rel_tol=RELATIVE, abs_tol=ABSOLUTE):
            yield where, f"{found!r}, where {results.RAW} gives {made!r}"
    elif type(found) is not type(made) or found != made:
        yield where, f"{str(found)[:80]!r}, where {results.RAW} gives {str(made)[:80]!r}"


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def claims(made: Any) -> dict[str, Any]:
    """Return the parts of a document that follow from raw data: its lists, where a missing list counts as
    empty, and the facts of its runs."""
    runs = [
        {key: value for key, value in run.items() if key not in LOCAL}
        for run in made["environment"]["runs"]
    ]
    return {key: made.get(key, []) for key in LISTS} | {"runs": runs}


def first_difference(made: Any, wanted: Report) -> tuple[Where, str] | None:
    """Return the first figure or fact that does not follow from the raw data. None, too, if the document is
    so far from a report that only the schema can name the error."""
    try:
        found = claims(made)
    except (AttributeError, KeyError, TypeError):
        return None
    where, reason = next(differences(found, claims(schema.plain(wanted)), ()), ((), ""))
    return ((*(("environment",) if where[:1] == ("runs",) else ()), *where), reason) if reason else None


def judge(made: Any, wanted: Report, source: str, text: str) -> Report:
    """Return the report in a document. Failure if the document is no report, or not that of the raw data.
    `wanted`: result of report.of()."""
    different = first_difference(made, wanted)
    if different or not isinstance(made, dict) or "environment" not in made:
        report.checked(made, source, text)  # reasons of the report alone come first
    if different:
        schema.refuse(source, text, different[0], report.NAME, different[1])
    # Lists that are equal to those made here have their form; the schema takes long for them.
    rest = made | {key: made[key][:1] for key in LISTS if key in made}
    schema.check(rest, report.NAME, report.SCHEMA, source, text)
    return report.fitting(report.typed(made), source, text)


def judge_host(folder: Folder, made: Report, source: str, text: str) -> None:
    """Check host.json, if there is one. Failure if it names another machine or time."""
    if folder.host is None:
        return
    about = results.load_host(folder.host)
    for where, found, wanted in (
        (("created",), made.created, about["created"]),
        (("environment", "host"), made.environment.host, about["host"]),
    ):
        if found != wanted:
            schema.refuse(source, text, where, report.NAME, f"{results.HOST} says another")


def accept(folder: Folder) -> Accepted:
    """Return the report of a folder. Failure if the report, its raw data or its host.json is missing or
    malformed, or if the report differs from the result of the raw data."""
    if folder.report is None:
        raise Failure(f"{folder.path}: no {results.REPORT}; `kmark fleet report` makes it of {results.RAW}")
    raw_text, documents = results.load_raw(folder)
    text, source = schema.read(folder.report), str(folder.report)
    made = judge(schema.parse(text, source), report.of(documents, {}, ""), source, text)
    judge_host(folder, made, source, text)
    return Accepted(folder.path, digest(raw_text), made)


def judged(folder: Folder) -> Accepted | Refused:
    try:
        return accept(folder)
    except Failure as failure:
        return Refused(folder.path, str(failure))


def judge_all(folders: list[Folder], processes: int) -> Iterator[Accepted | Refused]:
    """Yield the verdict on each folder, in order, made by `processes` processes."""
    if processes == 1:
        yield from map(judged, folders)
        return
    with ProcessPoolExecutor(processes) as pool:
        yield from pool.map(judged, folders, chunksize=CHUNK)


def without_twins(
    found: Iterator[Accepted | Refused], known: dict[str, str]
) -> Iterator[Accepted | Refused]:
    """Yield the verdicts, but refuse a report with the raw data of another. `known`: stored reports, a name
    by digest."""
    seen = dict(known)
    for one in found:
        if isinstance(one, Accepted) and one.digest in seen:
            yield Refused(one.folder, f"{one.folder}: the same raw data as {seen[one.digest]}")
            continue
        if isinstance(one, Accepted):
            seen[one.digest] = str(one.folder)
        yield one
