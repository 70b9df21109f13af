# SPDX-License-Identifier: GPL-2.0-only
"""The store: Parquet files, partitioned by kernel and CPU. Each addition is a folder that appears
as a whole and is never changed:

    add-20260101T120000-1f/reports.parquet
    add-20260101T120000-1f/kernel=6.1.0-56-amd64/cpu=AMD-EPYC/cases.parquet

DuckDB, ClickHouse and pyarrow read them alike."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from kmark import lock
from kmark.errors import Failure
from kmark.fleet.tables import ADDED, COLUMNS, COMMON, REPORT_COLUMNS, REPORTS, TABLES
from kmark.fleet.verify import Accepted
from kmark.report import compare, history, schema
from kmark.report.model import Report

UNFIT = re.compile(r"[^A-Za-z0-9.]+")
LONGEST = 80  # characters of a partition's name

TYPES = {
    str: pa.string(),
    float: pa.float64(),
    int: pa.int64(),
    bool: pa.bool_(),
    datetime: pa.timestamp("us"),
}

Row = dict[str, Any]
Partition = tuple[str, str]  # kernel, CPU


def fit(text: str) -> str:
    """A text as the name of a partition."""
    return UNFIT.sub("-", text).strip("-")[:LONGEST].rstrip("-") or "unknown"


def when(made: Report) -> datetime:
    """In UTC, as all times in the store are, without saying so."""
    return datetime.fromisoformat(made.created).astimezone(UTC).replace(tzinfo=None)


def host_of(one: Accepted) -> str:
    """Return the name of the machine: from its host.json, or else the name of the report's folder."""
    return one.report.environment.host.get("name", one.folder.name)


def flat(entry: Row) -> Row:
    """An entry of a report as a row: an interval is three columns."""
    row: Row = {}
    for key, value in entry.items():
        if isinstance(value, dict) and value.keys() == {"median", "lo", "hi"}:
            row |= {key: value["median"], f"{key}_lo": value["lo"], f"{key}_hi": value["hi"]}
        else:
            row[key] = value
    return row


def rows_of(one: Accepted) -> Iterator[tuple[Partition, str, Row]]:
    """Partition, table and row of every figure of a report."""
    common, places = {}, {}
    for env, run in one.report.runs.items():
        kernel = run.get("kernel", "unknown")
        cpu = history.machine(one.report, env)[0]
        places[env] = fit(kernel.removeprefix("Linux ")), fit(cpu)
        common[env] = {
            "digest": one.digest, "created": when(one.report), "host": host_of(one), "env": env,
            "arch": run.get("arch", compare.OLDER_ARCH), "kernel_text": kernel, "cpu_text": cpu,
        }  # fmt: skip
    for name, table in TABLES.items():
        for entry in getattr(one.report, name):
            yield places[entry.env], table, common[entry.env] | flat(schema.plain(entry))


def write(path: Path, columns: dict[str, type], rows: list[Row]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(
        pa.Table.from_pylist(
            rows, schema=pa.schema([(name, TYPES[kind]) for name, kind in columns.items()])
        ),
        path,
    )


def locked(store: Path) -> AbstractContextManager[None]:
    """Return a context in which nothing else adds to the store, which is made if need be."""
    return lock.hold(store / ".lock", "adds reports to the store")


def known(store: Path) -> dict[str, str]:
    """Return the digests of the raw data of all stored reports, with the name of each report."""
    found = {}
    for path in sorted(store.glob(f"{ADDED}/{REPORTS}.parquet")):
        for row in pq.read_table(path).to_pylist():
            found[row["digest"]] = f"that of {row['host']} of {row['created']:%Y-%m-%d}, which is stored"
    return found


def add(store: Path, accepted: list[Accepted]) -> Path:
    """Stores reports; returns the new folder. To be called in locked(). Failure if the disk refuses,
    and then nothing is added."""
    tables: dict[tuple[Partition, str], list[Row]] = defaultdict(list)
    for one in accepted:
        for partition, table, row in rows_of(one):
            tables[partition, table].append(row)
    reports = [
        {"digest": one.digest, "created": when(one.report), "host": host_of(one), "folder": str(one.folder)}
        for one in accepted
    ]
    work = Path(tempfile.mkdtemp(dir=store, prefix=".new."))
    try:
        work.chmod(0o755)
        write(work / f"{REPORTS}.parquet", REPORT_COLUMNS, reports)
        for ((kernel, cpu), table), rows in tables.items():
            place = work / f"kernel={kernel}" / f"cpu={cpu}" / f"{table}.parquet"
            write(place, COMMON | COLUMNS[table], rows)
        stamp = time.strftime("%Y%m%dT%H%M%S", time.gmtime())
        folder = store / f"add-{stamp}-{min(one.digest for one in accepted)[:8]}"
        os.rename(work, folder)
    except OSError as problem:
        raise Failure(f"{store}: {problem}") from None
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return folder
