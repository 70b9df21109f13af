# SPDX-License-Identifier: GPL-2.0-only
"""Asks the store in SQL, through DuckDB, in this process. Each kind of figure is a table; columns
`kernel` and `cpu` are those of the partition."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb

from kmark import foreign
from kmark.errors import Failure, Usage
from kmark.fleet.tables import ADDED, COLUMNS, REPORTS

QUESTIONS = Path(__file__).with_name("questions")
WIDEST = 60  # characters of a column


@dataclass(frozen=True)
class Answer:
    """Rows, with the names of their columns."""

    columns: list[str]
    rows: list[tuple[Any, ...]]


def questions() -> dict[str, str]:
    """The ready questions by name, as asked in words."""
    found = sorted(QUESTIONS.glob("*.sql"))
    return {path.stem: foreign.lines(path.read_text())[1].removeprefix("-- ") for path in found}


def statement(asked: str) -> str:
    """Return the SQL of a ready question, by its name, or the given SQL. Usage for a single word that is no
    question's name."""
    if asked in questions():
        return (QUESTIONS / f"{asked}.sql").read_text()
    if len(asked.split()) <= 1:
        raise Usage(f"fleet: no ready question {asked!r}: there are {', '.join(questions())}")
    return asked


def connect(store: Path, now: datetime) -> duckdb.DuckDBPyConnection:
    """A database in memory with the store's tables as views, and the variable `now`. Failure if nothing
    is stored."""
    if not any(store.glob(f"{ADDED}/{REPORTS}.parquet")):
        raise Failure(f"{store}: nothing is stored there; `kmark fleet add` does that")
    database = duckdb.connect()
    place = str(store).replace("'", "''")
    utc = now.astimezone(UTC).replace(tzinfo=None)
    database.execute(f"SET VARIABLE now = TIMESTAMP '{utc.isoformat()}'")
    database.execute(
        f"CREATE VIEW {REPORTS} AS SELECT * FROM read_parquet('{place}/{ADDED}/{REPORTS}.parquet')"
    )
    for table in COLUMNS:
        files = f"{ADDED}/kernel=*/cpu=*/{table}.parquet"
        if any(store.glob(files)):
            database.execute(
                f"CREATE VIEW {table} AS SELECT * FROM read_parquet('{place}/{files}', "
                "hive_partitioning = true, hive_types_autocast = false)"
            )
    return database


def ask(store: Path, asked: str, now: datetime) -> Answer:
    """Return the answer to SQL, or to a ready question by its name. `now`: end of "last month". Failure if
    nothing is stored, or with DuckDB's error; Usage if nothing is asked."""
    sql = statement(asked)
    try:
        with connect(store, now) as database:
            found = database.execute(sql)
            if found is None:
                raise Usage("fleet: the SQL has no statement")
            columns = [column[0] for column in found.description or ()]
            return Answer(columns, found.fetchall())
    except duckdb.Error as problem:
        raise Failure(f"fleet: {foreign.lines(str(problem).strip())[0]}") from None


def cell(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M}"
    return foreign.shown(str(value))[:WIDEST]


def lines(answer: Answer) -> Iterator[str]:
    """Return the answer as a table with numbers to the right."""
    table = [answer.columns, *([cell(value) for value in row] for row in answer.rows)]
    widths = [max(len(row[at]) for row in table) for at in range(len(answer.columns))]
    numbers = [
        all(row[at] is None or isinstance(row[at], int | float | Decimal) for row in answer.rows)
        for at in range(len(widths))
    ]
    for row in table:
        shown = (text.rjust(wide) if number else text.ljust(wide)
                 for text, wide, number in zip(row, widths, numbers, strict=True))  # fmt: skip
        yield "  ".join(shown).rstrip()


def plain(value: Any) -> Any:
    """Return a value of any type of DuckDB for JSON: times as ISO 8601, numbers that JSON does not have as
    None, and other types as text."""
    if isinstance(value, Decimal | float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, dict):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    return value if value is None or isinstance(value, int | str) else str(value)


def records(answer: Answer) -> list[dict[str, Any]]:
    """Return the rows for JSON, each as an object by column."""
    return [
        {key: plain(value) for key, value in zip(answer.columns, row, strict=True)} for row in answer.rows
    ]
