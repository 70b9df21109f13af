# SPDX-License-Identifier: GPL-2.0-only
"""kmark report size: the bytes that a site adds to the memory image."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from kmark.commands.common import describe, json_option, kernel, pair_of_kernels
from kmark.errors import Usage


def execute(args: argparse.Namespace) -> int:
    if args.kernel or args.vanilla:
        return of_kernel(args)
    from kmark.binary import size

    found = size.load([args.env] if args.env else list(size.ENVS))
    print(json.dumps(size.record(found), indent=1) if args.json else "\n".join(size.lines(found)))
    return 0


def of_kernel(args: argparse.Namespace) -> int:
    from kmark.binary import vmlinux
    from kmark.kernel import tree

    if args.env:
        raise Usage("report size: --kernel is about vmlinux, and --env about the objects of a function")
    folders = pair_of_kernels("report size", args) or [
        tree.build(tree.Recipe(args.kernel, patched)) for patched in (False, True)
    ]
    growth = vmlinux.compare(folders[0] / "vmlinux", folders[1] / "vmlinux")
    conditions = f"kernels {folders[0].name} and {folders[1].name}"
    if isinstance(args.kernel, str):
        conditions = f"Linux {args.kernel}, patches/config/small, gcc {tree.gcc_version()}, x86-64"
    print(
        json.dumps(vmlinux.record(growth, conditions), indent=1)
        if args.json
        else "\n".join(vmlinux.lines(growth, conditions))
    )
    return 0


def add_size(size: argparse.ArgumentParser) -> None:
    describe(
        size,
        "Builds the marked function of the 2006 thread with every kind of gate, and without, "
        "and computes from the objects what a site adds to code, data, strings and tables. With --kernel, "
        "what the patches add to vmlinux, and the size of an event as a marker and as a trace event.",
        "kmark report size --kernel 6.1",
    )
    size.add_argument("--env", choices=("native", "kernel"), help="whose objects (default: both)")
    size.add_argument(
        "--kernel", type=kernel, metavar="VERSION|DIR",
        help="vmlinux with and without the patches (built first: minutes), or that of a folder",
    )  # fmt: skip
    size.add_argument(
        "--vanilla",
        type=Path,
        metavar="DIR",
        help="where --kernel is a folder: the kernel without the patches",
    )
    json_option(size)
    size.set_defaults(run=execute)
