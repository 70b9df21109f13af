# SPDX-License-Identifier: GPL-2.0-only
"""kmark bench baseline: instruction counts against bench/data/baseline.json."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from kmark import cache
from kmark.commands.common import describe, json_option, show
from kmark.errors import Usage, say

FILE = cache.TOP / "bench/data/baseline.json"


def native(args: argparse.Namespace) -> int:
    """Exit status 1 if the padding is lost."""
    from kmark.bench import padding

    found = padding.measure()
    if args.json:
        print(json.dumps(padding.record(found), indent=1))
    else:
        show(padding.lines(found))
    return 1 if found.lost else 0


def execute(args: argparse.Namespace) -> int:
    from kmark.bench import baseline

    if args.native and (args.write or args.cpu or args.file != FILE):
        raise Usage("bench baseline: --native has no baseline: leave --write, --cpu and --file out")
    if args.native:
        return native(args)
    if args.cpu and not args.write:
        raise Usage("bench baseline: the CPU is that of the file; --cpu is for --write")
    if args.write and args.json:
        raise Usage("bench baseline: --write prints no JSON")
    before = None if args.write else baseline.load(args.file)
    now = baseline.measure(before.cpu if before else args.cpu)
    if before is None:
        cache.write_whole(args.file, baseline.dump(now).encode())
        say(f"{len(now.added)} cells written to {args.file}")
        return 0
    if args.json:
        print(json.dumps(baseline.record(before, now), indent=1))
    else:
        show(baseline.lines(before, now, args.file.name))
    return 1 if baseline.changes(before, now) else 0


def add_baseline(baseline: argparse.ArgumentParser) -> None:
    describe(
        baseline,
        "Counts in a guest, in seconds, what each gate adds to each loop, and names "
        "every cell that differs from the baseline. Exit status 1 if there is one.",
        "kmark bench baseline --write",
    )
    baseline.add_argument("--write", action="store_true", help="write the baseline instead")
    baseline.add_argument(
        "--cpu", default="", metavar="MODEL",
        help="with --write, the guest's, as QEMU names it (default: that of kmark bench)",
    )  # fmt: skip
    baseline.add_argument(
        "--file", type=Path, default=FILE, metavar="FILE",
        help="the baseline (default bench/data/baseline.json)",
    )  # fmt: skip
    baseline.add_argument(
        "--native", action="store_true",
        help="instead: measure here, in seconds, whether the padding of cold blocks works; "
        "exit status 1 if it is lost",
    )  # fmt: skip
    json_option(baseline)
    baseline.set_defaults(run=execute)
