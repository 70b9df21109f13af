# SPDX-License-Identifier: GPL-2.0-only
"""kmark bench paths: what one event costs by each way of recording it."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

from kmark import cache
from kmark.commands.common import describe, json_option, show, stock_kernel
from kmark.errors import Usage, say

FILE = cache.TOP / "bench/data/paths.tsv"


def execute(args: argparse.Namespace) -> int:
    """Exit status 1 if a way of the project does not have its stored figure."""
    from kmark.bench import paths

    if args.write and (args.lttng or args.kernel):
        raise Usage("bench paths: the file has ways of the usual kernel, without LTTng: --write alone")
    if args.write and args.json:
        raise Usage("bench paths: --write prints no JSON")
    if args.lttng and args.kernel:
        raise Usage("bench paths: --lttng is for the usual kernel, without --kernel")
    kernel = cache.place(f"stock-{args.kernel}") if isinstance(args.kernel, str) else args.kernel
    stored = None if args.write or kernel else paths.load(args.file)
    now = paths.measure(kernel)
    if args.lttng:
        now |= paths.measure_lttng()
    costs = paths.measure_costs(kernel) if args.all or args.write else []
    if args.write:
        cache.write_whole(args.file, paths.dump(now, costs).encode())
        say(f"{len(now)} ways and other costs written to {args.file}")
        return 0
    found = paths.changes(stored[0], now) if stored else []
    if stored and costs:
        found += paths.changed_costs(stored[1], costs)
    if args.json:
        print(
            json.dumps(
                {
                    "instructions": now,
                    "costs": [asdict(one) for one in costs],
                    "changes": [asdict(one) for one in found],
                },
                indent=1,
            )
        )
    else:
        show([*paths.lines(now), *(paths.cost_lines(costs) if costs else [])])
        for line in paths.change_lines(found, args.file.name):
            print(line, file=sys.stderr)
    return 1 if found else 0


def add_paths(parser: argparse.ArgumentParser) -> None:
    describe(
        parser,
        "Counts in a guest, in seconds, the instructions of one event through the recorder, ftrace, perf "
        "and the kernel's other ways. Exit status 1 if one of this project's is not as in "
        "bench/data/paths.tsv.",
        "kmark bench paths",
    )
    parser.add_argument("--write", action="store_true", help="write the file instead")
    parser.add_argument(
        "--file", type=Path, default=FILE, metavar="FILE", help="the file (default bench/data/paths.tsv)"
    )
    parser.add_argument(
        "--all", action="store_true",
        help="also what reading an event, connecting, loading and listing many sites cost, memory, lost "
        "events and the start of kmark; a minute more",
    )  # fmt: skip
    parser.add_argument(
        "--lttng", action="store_true", help="also through LTTng-modules, which take a minute to build"
    )
    parser.add_argument(
        "--kernel", type=stock_kernel, metavar="NAME|DIR",
        help="in that kernel of the distribution, such as 6.12, or of a folder of `kmark dev kernel`, and "
        "compared with nothing",
    )  # fmt: skip
    json_option(parser)
    parser.set_defaults(run=execute)
