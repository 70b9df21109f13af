# SPDX-License-Identifier: GPL-2.0-only
"""Folders of results from other machines: raw.tsv and host.json as `measure` of a packed bench
leaves them, and the report.json made of these. Each file may be packed, NAME.xz."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kmark import cache
from kmark.analysis import raw
from kmark.analysis.raw import Raw
from kmark.bench.native import HOST_SCHEMA
from kmark.errors import Failure
from kmark.report import report, schema

REPORT, RAW, HOST = "report.json", "raw.tsv", "host.json"
SCHEMA = Path(__file__).with_name("host.schema.json")


@dataclass(frozen=True)
class Folder:
    """The files of one folder of results; None: it has no such file."""

    path: Path
    report: Path | None
    raw: Path | None
    host: Path | None


def one_of(folder: Path, name: str) -> Path | None:
    """A file of a folder, as it is or packed."""
    return next((path for path in (folder / name, folder / f"{name}.xz") if path.is_file()), None)


def find(top: Path, *names: str) -> list[Folder]:
    """The folders at and below `top` that have a file of those names, in order; links are not
    followed. Failure if there is none."""
    if not top.is_dir():
        raise Failure(f"{top}: not a folder")
    found = {
        path.parent for name in names for path in top.rglob(f"{name}*") if not path.parent.is_symlink()
    }
    folders = [
        Folder(path, *(one_of(path, name) for name in (REPORT, RAW, HOST))) for path in sorted(found)
    ]
    kept = [one for one in folders if any(one_of(one.path, name) for name in names)]
    if not kept:
        raise Failure(f"{top}: no folder with {' or '.join(names)}")
    return kept


def load_raw(folder: Folder) -> tuple[str, list[Raw]]:
    """The text of raw.tsv and its documents. Failure if it is missing or malformed."""
    if folder.raw is None:
        raise Failure(f"{folder.path}: no {RAW}")
    text = schema.read(folder.raw)
    return text, raw.parse(text, str(folder.raw))


def load_host(path: Path) -> dict[str, Any]:
    """host.json. Failure, with the line, if it is malformed."""
    text = schema.read(path)
    found: dict[str, Any] = schema.parse(text, str(path))
    schema.check(found, HOST_SCHEMA, SCHEMA, str(path), text)
    return found


def make_report(folder: Folder) -> Path:
    """Writes report.json into a folder that has the other two; returns its path. Failure if one of
    them is missing or malformed."""
    if folder.host is None:
        raise Failure(f"{folder.path}: no {HOST}, which says what machine {RAW} is of")
    about = load_host(folder.host)
    made = report.build(load_raw(folder)[1], about["host"], about["created"])
    path = folder.path / REPORT
    cache.write_whole(path, report.dump(made).encode())
    return path
