# SPDX-License-Identifier: GPL-2.0-only
"""kmark export: a recording, for tools that do not read the Common Trace Format."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from kmark.commands.common import Verbs, say
from kmark.errors import Usage

if TYPE_CHECKING:
    from kmark.export.events import Event

FORMATS = ("trace-cmd", "perfetto")


def writer(name: str) -> Callable[[Path, Iterable[Event]], int]:
    if name == "perfetto":
        from kmark.export import perfetto

        return perfetto.write
    from kmark.export import trace_dat

    return trace_dat.write


def run(args: argparse.Namespace) -> int:
    from kmark.export import events

    if args.output.exists():
        raise Usage(f"export: {args.output}: is there already")
    reader = events.Reader(args.trace)
    try:
        count = writer(args.to)(args.output, reader.events())
    except BaseException:
        args.output.unlink(missing_ok=True)
        raise
    say(f"{args.output}: {count} events")
    return 0


def add(verbs: Verbs) -> None:
    export = verbs.add_parser(
        "export",
        help="write a recording for trace-cmd, KernelShark or Perfetto",
        description="Reads a trace of kmark record or kmark snapshot, and writes the same events into "
        "a file of trace-cmd, which KernelShark reads, too, or of Perfetto. Threads are those of "
        "--context tid,pid,comm of the recording; without, all events are of thread 0.",
        epilog="example: tools/kmark export /tmp/trace --to perfetto -o /tmp/trace.pftrace",
    )
    export.add_argument("trace", type=Path, metavar="TRACE", help="the folder of a recording")
    export.add_argument("--to", choices=FORMATS, required=True, help="for which tool")
    export.add_argument(
        "-o", "--output", type=Path, metavar="FILE", required=True, help="where to; must not exist"
    )
    export.set_defaults(run=run)
