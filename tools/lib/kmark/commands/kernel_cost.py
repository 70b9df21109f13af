# SPDX-License-Identifier: GPL-2.0-only
"""kmark kernel-cost: whether two kernels need the same instructions for the same operations."""

from __future__ import annotations

import argparse
import json
import sys

from kmark.commands.common import describe, json_option, positive, show, whole
from kmark.errors import Usage

BASE = "6.1"
BOOTS = 2
DIFFERENT = 3  # exit status


def execute(args: argparse.Namespace) -> int:
    from kmark.kernel import patchset
    from kmark.kernel_cost import compare, operands, report
    from kmark.report import schema

    if args.list:
        lines = [f"{name:<11}{what}" for name, what in report.OPERATIONS.items()]
        show([json.dumps(report.OPERATIONS, indent=1)] if args.json else lines)
        return 0
    if not args.new:
        raise Usage("kernel-cost: want two kernels to compare")
    base = args.base or (args.old if args.old in patchset.versions() else BASE)
    patchset.check(base)
    makers = [operands.resolve(word, base) for word in (args.old, args.new)]
    old, new = (make() for make in makers)
    found = compare.measure(old, new, args.boots, not args.no_functions)
    schema.check(found, report.NAME, report.SCHEMA, "kernel-cost")
    sys.stdout.write(report.dump(found) if args.json else report.render(found))
    return DIFFERENT if report.is_more(found, args.max_added) else 0


def add_kernel_cost(parser: argparse.ArgumentParser) -> None:
    describe(
        parser,
        "Boots both kernels in a guest that counts instructions, runs small operations, from a "
        "system call to fork and exec, and prints what each takes on both, the difference, and the "
        "functions that account for it. OLD and NEW are each an image (bzImage), a built kernel tree, a "
        "folder of kmark dev kernel, a version that there are patches for, a patch, or a folder of "
        "patches. Patches are applied to the version of --base, which is built first, in minutes. Exit "
        "status: 0 no operation differs, 3 one does, 1 a patch does not apply or a kernel cannot be built, "
        "2 wrong use. See Documentation/kernel-cost.md.",
        "kmark kernel-cost 6.1 build/series/linux-6.1",
    )
    parser.add_argument("old", nargs="?", metavar="OLD", help="the kernel to compare with")
    parser.add_argument("new", nargs="?", metavar="NEW", help="the kernel to be judged")
    parser.add_argument(
        "--base", metavar="VERSION",
        help="what patches are applied to (default: OLD if it is a version, else 6.1)",
    )  # fmt: skip
    parser.add_argument(
        "--boots", type=positive, default=BOOTS, metavar="N",
        help="boots of each kernel, which start the operations at other times (default 2)",
    )  # fmt: skip
    parser.add_argument(
        "--no-functions", action="store_true", help="do not look for the functions, which saves two boots"
    )
    parser.add_argument(
        "--max-added", type=whole, metavar="N",
        help="exit status 3 only if an operation takes more than N instructions more",
    )  # fmt: skip
    parser.add_argument("--list", action="store_true", help="measure nothing: name the operations")
    json_option(parser, "print for programs (kmark-kernel-cost/1)")
    parser.set_defaults(run=execute)
