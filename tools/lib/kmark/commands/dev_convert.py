# SPDX-License-Identifier: GPL-2.0-only
"""kmark dev convert: trace events of a kernel's source as markers."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from kmark.commands.common import describe, json_option


def execute(args: argparse.Namespace) -> int:
    from kmark.convert import target, tree

    result = tree.convert(args.tree, target.MODULE if args.module else target.TREE)
    if args.events:
        result = tree.select(result, args.events)
    if args.output:
        tree.write(result, args.output)
    if args.json:
        print(json.dumps(tree.as_json(result, args.tree), indent=1))
    elif args.events and not args.output:
        for one in result.markers:
            print(one.code)
        for event, reason in result.refused:
            print(f"{event.name}: refused: {reason}")
    else:
        print(tree.as_text(result))
    return 1 if args.events and result.refused else 0


def add_convert(parser: argparse.ArgumentParser) -> None:
    describe(
        parser,
        "Reads TRACE_EVENT() and the like in include/trace/events of a kernel's source, "
        "and writes for each event a function that is a MARK() with the same fields, or says why "
        "there is none. The markers are those of a tree with patches/ applied. "
        "With EVENT, prints these; exit status 1 if one of them is refused.",
        "kmark dev convert ~/linux sched_switch",
    )
    parser.add_argument("tree", type=Path, metavar="TREE", help="a kernel's source, or its headers")
    parser.add_argument("events", nargs="*", metavar="EVENT", help="only these")
    parser.add_argument(
        "-o", "--output", type=Path, metavar="DIR", help="write a header for each of the kernel's"
    )
    parser.add_argument(
        "--module", action="store_true", help="for a module and markers.ko: up to 8 arguments, not 12"
    )
    json_option(parser, "print for programs (kmark-convert/2)")
    parser.set_defaults(run=execute)
