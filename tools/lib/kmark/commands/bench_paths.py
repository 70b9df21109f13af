# SPDX-License-Identifier: GPL-2.0-only
"""kmark bench paths: what one event costs by each way of recording it."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

from kmark import cache
from kmark.commands.common import describe, json_option, show
from kmark.errors import say

FILE = cache.TOP / "bench/data/paths.tsv"


def execute(args: argparse.Namespace) -> int:
    """Exit status 1 if a way of the project does not have its stored figure."""
    from kmark.bench import paths

    before = None if args.write else paths.load(args.file)
    now = paths.measure()
    if before is None:
        cache.write_whole(args.file, paths.dump(now).encode())
        say(f"{len(now)} ways written to {args.file}")
        return 0
    found = paths.changes(before, now)
    if args.json:
        print(json.dumps({"instructions": now, "changes": [asdict(one) for one in found]}, indent=1))
    else:
        show(paths.lines(now))
        for line in paths.change_lines(found, args.file.name):
            print(line, file=sys.stderr)
    return 1 if found else 0


def add_paths(parser: argparse.ArgumentParser) -> None:
    describe(
        parser,
        "Counts in a guest, in seconds, the instructions of one event through the recorder, ftrace and the "
        "kernel's own ways. Exit status 1 if one of this project's is not as in bench/data/paths.tsv.",
        "kmark bench paths",
    )
    parser.add_argument("--write", action="store_true", help="write the file instead")
    parser.add_argument(
        "--file", type=Path, default=FILE, metavar="FILE", help="the file (default bench/data/paths.tsv)"
    )
    json_option(parser)
    parser.set_defaults(run=execute)
