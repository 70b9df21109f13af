# SPDX-License-Identifier: GPL-2.0-only
"""kmark gate: whether two kernels need the same instructions for the same operations."""

from __future__ import annotations

import argparse
import sys

from kmark.commands.common import Verbs, positive

BASE = "6.1"
BOOTS = 2


def list_operations() -> int:
    from kmark.gate import report

    for name, what in report.OPERATIONS.items():
        print(f"{name:<11}{what}")
    return 0


class ListOperations(argparse.Action):
    """--list, which needs no operands."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        list_operations()
        parser.exit()


def execute(args: argparse.Namespace) -> int:
    from kmark.gate import compare, operands, report
    from kmark.kernel import patchset
    from kmark.report import schema

    base = args.base or (args.old if args.old in patchset.versions() else BASE)
    patchset.check(base)
    makers = [operands.resolve(word, base) for word in (args.old, args.new)]
    old, new = (make() for make in makers)
    found = compare.measure(old, new, args.boots, not args.no_functions)
    schema.check(found, report.NAME, report.SCHEMA, "gate")
    sys.stdout.write(report.dump(found) if args.json else report.render(found))
    return 0 if found["same"] else 1


def add(verbs: Verbs) -> None:
    gate = verbs.add_parser(
        "gate",
        help="compare two kernels in instructions for each operation, exactly",
        description="Boots both kernels in a guest that counts instructions, runs small operations, from a "
        "system call to fork and exec, and prints what each takes on both, the difference, and the "
        "functions that account for it. OLD and NEW are each an image (bzImage), a built kernel tree, a "
        "folder of kmark kernel, a version that there are patches for, a patch, or a folder of patches. "
        "Patches are applied to the version of --base, which is built first, in minutes. Exit status: 0 "
        "no operation differs, 1 one does, 2 wrong use. Documentation/gate.md explains it.",
        epilog="example: tools/kmark gate 6.1 build/series/linux-6.1",
    )
    gate.add_argument("old", metavar="OLD", help="the kernel to compare with")
    gate.add_argument("new", metavar="NEW", help="the kernel to be judged")
    gate.add_argument(
        "--base", metavar="VERSION",
        help="what patches are applied to (default: OLD if it is a version, else 6.1)",
    )  # fmt: skip
    gate.add_argument(
        "--boots", type=positive, default=BOOTS, metavar="N",
        help="boots of each kernel, which start the operations at other times (default 2)",
    )  # fmt: skip
    gate.add_argument(
        "--no-functions", action="store_true", help="do not look for the functions, which saves two boots"
    )
    gate.add_argument("--list", action=ListOperations, nargs=0, help="measure nothing: name the operations")
    gate.add_argument("--json", action="store_true", help="print for programs (kmark-gate/1)")
    gate.set_defaults(run=execute)
