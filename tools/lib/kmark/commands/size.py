# SPDX-License-Identifier: GPL-2.0-only
"""kmark size: what a site adds to the memory image."""

from __future__ import annotations

import argparse
import json

from kmark.commands.common import Verbs
from kmark.errors import Usage


def execute(args: argparse.Namespace) -> int:
    if args.kernel:
        return of_kernel(args)
    from kmark.binary import size

    found = size.load([args.env] if args.env else list(size.ENVS))
    print(json.dumps(size.record(found), indent=1) if args.json else "\n".join(size.lines(found)))
    return 0


def of_kernel(args: argparse.Namespace) -> int:
    from kmark.binary import vmlinux
    from kmark.kernel import patchset, tree

    if args.env:
        raise Usage("size: --kernel is about vmlinux, and --env about the objects of a function")
    patchset.check(args.kernel)
    folders = [tree.build(tree.Recipe(args.kernel, patched)) for patched in (False, True)]
    growth = vmlinux.compare(folders[0] / "vmlinux", folders[1] / "vmlinux")
    conditions = f"Linux {args.kernel}, patches/config/small, gcc {tree.gcc_version()}, x86-64"
    print(
        json.dumps(vmlinux.record(growth, conditions), indent=1)
        if args.json
        else "\n".join(vmlinux.lines(growth, conditions))
    )
    return 0


def add(verbs: Verbs) -> None:
    size = verbs.add_parser(
        "size",
        help="show what a site adds to the memory image, for each kind of gate",
        description="Builds the marked function of the 2006 thread with every kind of gate, and without, "
        "and computes from the objects what a site adds to code, data, strings and tables. With --kernel, "
        "what the patches add to vmlinux, and the size of an event as a marker and as a trace event.",
        epilog="example: tools/kmark size --kernel 6.1",
    )
    size.add_argument("--env", choices=("native", "kernel"), help="whose objects (default: both)")
    size.add_argument(
        "--kernel", metavar="VERSION", help="vmlinux with and without the patches (built first: minutes)"
    )
    size.add_argument("--json", action="store_true", help="as an object for programs")
    size.set_defaults(run=execute)
