# SPDX-License-Identifier: GPL-2.0-only
"""kmark size: what a site adds to the memory image."""

from __future__ import annotations

import argparse
import json

from kmark.verbs.common import Verbs


def execute(args: argparse.Namespace) -> int:
    from kmark import size

    found = size.load([args.env] if args.env else list(size.ENVS))
    print(json.dumps(size.record(found), indent=1) if args.json else "\n".join(size.lines(found)))
    return 0


def add(verbs: Verbs) -> None:
    size = verbs.add_parser(
        "size",
        help="show what a site adds to the memory image, for each kind of gate",
        description="Builds the marked function of the 2006 thread with every kind of gate, and without, "
        "and computes from the objects what a site adds to code, data, strings and tables.",
        epilog="example: tools/kmark size --env kernel",
    )
    size.add_argument("--env", choices=("native", "kernel"), help="whose objects (default: both)")
    size.add_argument("--json", action="store_true", help="as an object for programs")
    size.set_defaults(run=execute)
