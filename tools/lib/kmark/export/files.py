# SPDX-License-Identifier: GPL-2.0-only
"""The files of a recording: where they are, and which of them can be read."""

from __future__ import annotations

import os
import re
import resource
import stat
from collections.abc import Callable
from pathlib import Path

from kmark.errors import Failure

CPU_FILE = re.compile(r"cpu([0-9]+)")  # the name that kmark record gives to the packets of a CPU

SPARE = 64  # open files beside those of a recording

Report = Callable[[Path, str], None]  # gets a file or a folder that is left out, and the reason


def allow(wanted: int) -> int:
    """Let this process open that many files beside a few of its own. Return how many it may open."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted + SPARE if hard == resource.RLIM_INFINITY else min(wanted + SPARE, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return most - SPARE


def named_cpu(file: Path) -> int | None:
    """Return the CPU after which a file of packets is named; None for a file with another name."""
    found = CPU_FILE.fullmatch(file.name)
    return int(found[1][:20]) if found else None


def place_of(problem: OSError, otherwise: Path) -> str:
    """Return the file and the reason of a failed system call. OTHERWISE is named if the call had no
    path."""
    return f"{problem.filename or otherwise}: {problem.strerror or problem}"


def trouble(path: Path) -> str:
    """Return the reason why a file cannot be read: it is no regular file, or cannot be opened. Empty if it
    can. A FIFO does not block."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as problem:
        return str(problem.strerror)
    try:
        return "" if stat.S_ISREG(os.fstat(handle).st_mode) else "is no regular file"
    finally:
        os.close(handle)


def is_readable(path: Path, leave_out: Report) -> bool:
    """Return true if a file can be read. Report it if not."""
    reason = trouble(path)
    if reason:
        leave_out(path, reason)
    return not reason


def traces(top: Path, leave_out: Report) -> list[Path]:
    """Return the folders that have metadata. Failure if there is none, or if TOP cannot be listed; report a
    closed folder below it."""
    closed: list[Path] = []

    def refused(problem: OSError) -> None:
        if problem.filename == str(top):
            raise Failure(place_of(problem, top))
        closed.append(Path(problem.filename))
        leave_out(closed[-1], str(problem.strerror))

    found = [
        Path(folder)
        for folder, folders, names in os.walk(top, onerror=refused)
        if "metadata" in (*folders, *names)
    ]
    if not found and not closed:
        raise Failure(f"{top}: no trace, as there is no file called metadata")
    return sorted(found)


def packets(folder: Path, leave_out: Report) -> list[Path]:
    """Return the readable files of packets in the folder of a trace. A folder inside may belong to another
    trace, or be an index of LTTng, unless it has the name of a file of packets. babeltrace2 reads no hidden
    files."""
    return [
        one for one in sorted(folder.iterdir())
        if one.name != "metadata" and not one.name.startswith(".")
        and (named_cpu(one) is not None or not one.is_dir())
        and is_readable(one, leave_out)
    ]  # fmt: skip


def find(top: Path, leave_out: Report) -> list[Path]:
    """Return the files of packets of all traces in a folder. Failure if there is no trace."""
    found = []
    for folder in traces(top, leave_out):
        if not is_readable(folder / "metadata", leave_out):
            continue
        with (folder / "metadata").open("rb") as metadata:
            if metadata.read(1) == b"\x1e":
                leave_out(folder, "is in CTF 2, which kmark record export does not read; CTF 1.8 it does")
                continue
        found += packets(folder, leave_out) or [folder / "metadata"]
    # All files are open at once, and a writer has a file for each CPU.
    wanted = len(found) + len({file.name for file in found})
    if (most := allow(wanted)) < wanted:
        raise Failure(f"{top}: {wanted} files have to be open, and {most} may be: ulimit -n allows more")
    return found
