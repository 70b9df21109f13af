# SPDX-License-Identifier: GPL-2.0-only
"""kmark record export: a recording, for tools that do not read the Common Trace Format."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import IO, TYPE_CHECKING

from kmark.commands.common import describe
from kmark.errors import Failure, say

if TYPE_CHECKING:
    from kmark.export.events import Event

FORMATS = ("trace-cmd", "perfetto")


def writer(name: str) -> Callable[[IO[bytes], Iterable[Event]], int]:
    if name == "perfetto":
        from kmark.export import perfetto

        return perfetto.write
    from kmark.export import trace_dat

    return trace_dat.write


def private(path: str, flags: int) -> int:
    """Open a file, for open(), that only its owner can read, as the recording is."""
    return os.open(path, flags, 0o600)


def run(args: argparse.Namespace) -> int:
    from kmark.export import events

    reader = events.Reader(args.trace)
    try:
        # The path is the name of the file: messages of the writers have it.
        out = open(args.output, "xb", opener=private)  # noqa: SIM115
    except FileExistsError:
        raise Failure(f"{args.output}: is there already") from None
    except OSError as problem:
        raise Failure(f"{args.output}: {problem.strerror}") from None
    try:
        with out:
            count = writer(args.format)(out, reader.events())
        if not count and reader.broken:
            raise Failure(f"{args.trace}: nothing of it can be read")
    except BaseException:
        args.output.unlink(missing_ok=True)
        raise
    say(f"{args.output}: {count} events")
    return 1 if reader.broken else 0


def add_export(export: argparse.ArgumentParser) -> None:
    describe(
        export,
        "Reads a trace of kmark record or kmark record snapshot, and writes the same events into "
        "a file of trace-cmd, which KernelShark reads, too, or of Perfetto. Threads are those of "
        "--context tid,pid,comm of the recording; without, all events are of thread 0.",
        "kmark record export /tmp/trace --format perfetto -o /tmp/trace.pftrace",
    )
    export.add_argument("trace", type=Path, metavar="TRACE", help="the folder of a recording")
    export.add_argument("--format", choices=FORMATS, required=True, help="tool that reads the file")
    export.add_argument(
        "-o", "--output", type=Path, metavar="FILE", required=True, help="file to write; must not exist"
    )
    export.set_defaults(run=run)
