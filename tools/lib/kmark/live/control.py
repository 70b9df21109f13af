# SPDX-License-Identifier: GPL-2.0-only
"""The running markers.ko, through its debugfs files: tab-separated tables
whose first line, `#column<TAB>column...`, names the columns, and `control`,
which takes commands. Documentation/ABI/debugfs-markers describes them."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from kmark import foreign
from kmark.errors import Failure, nearest, say
from kmark.release import IN_TREE

ROOT = Path("/sys/kernel/debug/markers")
KMSG = Path("/dev/kmsg")  # records `numbers;text`, one a read()
TABLES = ("markers", "sites", "probes")
DEBUG_PREFIX = "debug_"  # of the names of debug sites, as MARKER_DEBUG_PREFIX
NUMBER = re.compile(r"-?[0-9]{1,20}")  # numbers of 64 bits
# Columns of TABLES, and of the recorder's sessions, that have numbers, or "-" where there is none.
COUNTED = frozenset(("id", "sites", "connected", "connections", "hits", "size", "memory"))


class Refused(Failure):
    """A command that the kernel does not carry out."""

    def __init__(self, message: str, errno: int) -> None:
        super().__init__(message)
        self.errno = errno


class Table:
    """A file of debugfs, read whole; its cells are the texts that they stand for."""

    def __init__(self, columns: list[str], rows: list[list[str]]) -> None:
        self.columns, self.rows = columns, rows

    def records(self) -> list[dict[str, str]]:
        """Return each row as a dictionary by column."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    def typed(self) -> list[dict[str, str | int | None]]:
        """Return records(), with the cells of COUNTED as numbers, and None where they are empty or "-"."""

        def value(column: str, cell: str) -> str | int | None:
            if column not in COUNTED or not (cell in ("", "-") or NUMBER.fullmatch(cell)):
                return cell
            return int(cell) if cell.strip("-") else None

        return [{column: value(column, cell) for column, cell in row.items()} for row in self.records()]

    def aligned(self) -> str:
        """Return the table as text, in columns."""
        every = [self.columns, *([foreign.shown(cell) for cell in row] for row in self.rows)]
        widths = [max(len(row[place]) for row in every) for place in range(len(self.columns))]
        lines = [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in every
        ]
        return "".join(line.rstrip() + "\n" for line in lines)


def missing(module: str) -> str:
    """Return the end of a message: the module may be missing, and this command loads it."""
    folder = "markers" if module == "markers" else "probes"
    command = f"insmod {folder}/{module}.ko" if IN_TREE else f"modprobe {module}"
    return f"; is {module}.ko loaded? As root: {command}"


def access_failure(path: Path, problem: OSError) -> Failure:
    """Return the error for a file of markers.ko that cannot be opened."""
    hint = ""
    if problem.errno == errno.ENOENT:
        hint = missing("probe_ctf" if path.parent.name == "ctf" and path.parents[1].exists() else "markers")
    elif problem.errno in (errno.EACCES, errno.EPERM) and os.geteuid():
        hint = "; only root can read and connect markers: use sudo"
    return Failure(f"{path}: {problem.strerror}{hint}")


def read_lines(path: Path) -> list[str]:
    """Return the lines of a file. Failure if the file cannot be read."""
    try:
        return foreign.lines(path.read_bytes().decode(errors="replace"))
    except OSError as problem:
        raise access_failure(path, problem) from None


def split_row(line: str, columns: list[str], numbers: Iterable[str]) -> list[str]:
    """Return the cells of a row. ValueError, with the reason, if the row does not have these columns, or
    has no whole number in a column of `numbers`."""
    row = [foreign.unescaped(cell) for cell in line.split("\t")]
    if len(row) != len(columns):
        raise ValueError(f"{len(row)} columns instead of {len(columns)}")
    for column in numbers:
        if not NUMBER.fullmatch(cell := row[columns.index(column)]):
            raise ValueError(f"{column}: {cell[:24]!r} is no number")
    return row


def read(
    root: Path, name: str, needed: Iterable[str] = (), numbers: Iterable[str] = (), every: bool = False
) -> Table:
    """Read the table NAME. Notes, which begin with "#", are printed on stderr; a malformed row is reported
    there and left out. Failure if the file cannot be read, has no header line, or lacks a column of
    `needed` or `numbers`; for a malformed row, too, if EVERY row is needed."""
    path = root / name
    lines = read_lines(path)
    if not lines or not lines[0].startswith("#"):
        raise Failure(f"{path}: no header line")
    columns = lines[0][1:].split("\t")
    for column in (*needed, *numbers):
        if column not in columns:
            raise Failure(f"{path}:1: no column {column}")
    rows = []
    for number, line in enumerate(lines[1:], 2):
        if line.startswith("#"):
            say(f"{path}: {line[1:]}")
            continue
        try:
            rows.append(split_row(line, columns, numbers))
        except ValueError as problem:
            if every:
                raise Failure(f"{path}:{number}: {problem}") from None
            say(f"{path}:{number}: left out: {problem}")
    return Table(columns, rows)


def verify(root: Path) -> tuple[bool, list[str]]:
    """Has the kernel decode every site again. Returns whether all are as they should be,
    and the lines that the kernel printed."""
    lines = read_lines(root / "verify")
    if not lines or not lines[-1].startswith(("ok:", "bad:")):
        raise Failure(f"{root / 'verify'}: no verdict in its last line")
    return lines[-1].startswith("ok:"), lines


class Log:
    """Messages of markers.ko in the kernel log from now on."""

    def __init__(self) -> None:
        self._file = -1
        try:
            self._file = os.open(KMSG, os.O_RDONLY | os.O_NONBLOCK)
            os.lseek(self._file, 0, os.SEEK_END)
        except OSError:
            pass

    def close(self) -> list[str]:
        """End the log and return the messages without their prefix; none where the log cannot be read."""
        records: list[str] = []
        try:
            while self._file >= 0 and (record := os.read(self._file, 8192)):
                records.append(record.decode(errors="replace"))
        except OSError:  # EAGAIN at the end
            pass
        if self._file >= 0:
            os.close(self._file)
        self._file = -1
        texts = [record.partition(";")[2].partition("\n")[0] for record in records]
        return [text.removeprefix("markers: ") for text in texts if text.startswith("markers: ")]


def write(path: Path, line: str, reasons: Mapping[int, str] | None = None) -> None:
    """Writes a line of commands in one write. `reasons`: what an errno means there.
    Refused if the kernel does not carry it out."""
    try:
        handle = os.open(path, os.O_WRONLY)
    except OSError as problem:
        raise access_failure(path, problem) from None
    log = Log()
    try:
        os.write(handle, os.fsencode(line) + b"\n")
    except OSError as problem:
        said = "; ".join(log.close())
        why = said or f"{problem.strerror} (the kernel log says why)"
        reason = (reasons or {}).get(problem.errno or 0, why)
        raise Refused(f"{line!r} is refused: {reason}", problem.errno or 0) from None
    finally:
        log.close()
        os.close(handle)


def part(name: str) -> str:
    """Return the NAME of a marker's name, SYSTEM/NAME, or the whole name if it has no system."""
    return name.partition("/")[2] or name


def matching(names: Iterable[str], glob: str) -> list[str]:
    """Return the markers that a glob selects, as the kernel does (marker_name_matches() in selector.c)."""
    from fnmatch import fnmatchcase

    def compared(name: str) -> str:
        return name if "/" in glob or name.startswith(DEBUG_PREFIX) else part(name)

    return [name for name in names if fnmatchcase(compared(name), glob)]


def nearest_marker(word: str, names: Iterable[str]) -> str:
    """Return the end of a message about an unknown marker: as errors.nearest(). A word without a system is
    compared with the names without theirs."""
    return nearest(word, names if "/" in word else {part(name) for name in names})


def functions_of(root: Path, marker: str) -> list[str]:
    """Return the functions that have sites of a marker now."""
    rows = read(root, "sites").records()
    addresses = [row["address"] for row in rows if marker in (row["marker"], part(row["marker"]))]
    return sorted({address.partition("+")[0] for address in addresses if "+" in address})


def hint(root: Path, selector: str, probe: str) -> str:
    """Return the end of a message if the probe, the marker or its function is unknown: the name that may
    have been meant, or the module to load."""
    probes = [row["probe"] for row in read(root, "probes").records()]
    if probe and probe not in probes:
        return nearest(probe, probes) or missing(f"probe_{probe}")
    markers = [row["marker"] for row in read(root, "markers").records()]
    marker, at, function = selector.partition("@")
    if marker not in markers and marker not in map(part, markers):
        return nearest_marker(marker, markers)
    if not at:
        return ""
    functions = functions_of(root, marker)
    return nearest(function, functions) or f"; {marker} is in {', '.join(functions) or 'no function now'}"


def command(root: Path, line: str, reasons: Mapping[int, str] | None = None) -> None:
    """Writes a line of commands to `control`: one transaction, which is done whole or refused. `reasons` as
    for write()."""
    try:
        write(root / "control", line, reasons)
    except Refused as refused:
        if refused.errno != errno.ENOENT:
            raise
        commands = [[*part.split(), "", "", ""] for part in line.split(";")]
        hints = [hint(root, selector, probe) for _, selector, probe, *_ in commands]
        raise Refused(f"{refused}{next(filter(None, hints), '')}", refused.errno) from None
