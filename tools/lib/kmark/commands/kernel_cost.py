# SPDX-License-Identifier: GPL-2.0-only
"""kmark kernel-cost: whether kernels need the same instructions for the same operations."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from kmark.commands.common import describe, json_option, positive, show, whole
from kmark.errors import Usage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kmark.kernel_cost.report import Comparison
    from kmark.kernel_cost.session import Session

BOOTS = 2
DIFFERENT = 3  # exit status
RANGE = re.compile(r"\.\.(?!/)")
# Variables by which git finds a repository, also if it is called elsewhere.
OF_GIT = (
    "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_PREFIX", "GIT_NAMESPACE",
)  # fmt: skip


def execute(args: argparse.Namespace) -> int:
    from kmark.kernel_cost import report, runner

    if args.list:
        lines = [f"{name:<11}{what}" for name, what in runner.OPERATIONS.items()]
        show([json.dumps(runner.OPERATIONS, indent=1)] if args.json else lines)
        return 0
    if not args.kernels:
        raise Usage("kernel-cost: want two kernels, a commit or a range of commits")
    first = args.kernels[0]
    is_range = len(args.kernels) == 1 and RANGE.search(first) and not Path(first).exists()
    if is_range and args.base:
        raise Usage("kernel-cost: --base has no effect on a range of commits")
    if args.bisect and not is_range:
        raise Usage("kernel-cost: --bisect wants a range of commits, A..B")
    if len(args.kernels) > (1 if args.each else 2):
        raise Usage("kernel-cost: want two kernels to compare, or one and --each")
    if is_range or args.each:
        return execute_table(args)
    found = session(args).pair(*args.kernels)
    check(report.entry(found))
    if args.json:
        sys.stdout.write(report.dump(report.entry(found)))
    elif args.junit:
        sys.stdout.write(report.junit([report.Comparison(found.new.name, found)], args.max_added))
    else:
        sys.stdout.write(report.markdown(found) if args.markdown else report.render(found))
    return DIFFERENT if report.is_more(found, args.max_added) else 0


def execute_table(args: argparse.Namespace) -> int:
    from kmark.kernel_cost import report

    this = session(args)
    rows = []
    for row in comparisons(this, args):
        rows.append(row)
        if row.report:
            check(report.entry(row.report))
        if not (args.json or args.junit or args.markdown):
            sys.stdout.write(report.table([row]))
            sys.stdout.flush()
    if args.json:
        sys.stdout.write(report.dump(report.table_entry(rows)))
    elif args.junit:
        sys.stdout.write(report.junit(rows, args.max_added))
    elif args.markdown:
        sys.stdout.write(report.markdown_table(rows))
    reports = [row.report for row in rows if row.report]
    if len(reports) < len(rows):
        return 1
    return DIFFERENT if any(report.is_more(found, args.max_added) for found in reports) else 0


def comparisons(this: Session, args: argparse.Namespace) -> Iterator[Comparison]:
    first = args.kernels[0]
    if args.bisect:
        yield this.bisect(first, args.bisect)
    elif args.each:
        yield from this.each(first, *args.each)
    else:
        yield from this.commits(first)


def check(found: dict[str, object]) -> None:
    from kmark.kernel_cost import report
    from kmark.report import schema

    schema.check(found, report.NAME, report.SCHEMA, "kernel-cost")


def session(args: argparse.Namespace) -> Session:
    """Return what compares kernels as the options say."""
    from kmark.kernel_cost.builds import Config, read_config
    from kmark.kernel_cost.operands import Operands
    from kmark.kernel_cost.runner import Program
    from kmark.kernel_cost.session import Session

    if args.tree:  # is meant, and not the repository of a git that has started this program
        for name in OF_GIT:
            os.environ.pop(name, None)
    program = Program(args.arch)
    config = Config(program.machine.cross or "x86", read_config(args.config) if args.config else "")
    operands = Operands(args.tree or Path(), args.base, config)
    return Session(operands, program, args.operation, args.boots, not args.no_functions)


def add_kernel_cost(parser: argparse.ArgumentParser) -> None:
    describe(
        parser,
        "Boots kernels in a guest that counts instructions, runs small operations, from a system call "
        "to fork and exec, and prints what each takes on both, the difference, the functions that "
        "account for it, the bytes added, and which of the changed functions were executed at all. "
        "Compares OLD with NEW; or a commit with the files of your tree as they are now; or, of a range "
        "A..B, each commit with the one before. OLD and NEW are each a commit of the git tree of Linux "
        "in which you are, a patch or a folder of patches (applied to OLD, or to --base), a version, an "
        "image (bzImage), a built tree, or a folder of kmark dev kernel. Kernels are built in the "
        "cache, the first in minutes. Exit status: 0 no operation differs, 3 one does, 1 a patch does "
        "not apply or a kernel cannot be built, 2 wrong use. See Documentation/kernel-cost.md.",
        "kmark kernel-cost HEAD~1 HEAD",
    )
    parser.add_argument("kernels", nargs="*", metavar="KERNEL", help="OLD and NEW, a commit, or A..B")
    parser.add_argument(
        "--tree",
        type=Path,
        metavar="DIR",
        help="the git tree of Linux with the commits (.)",
    )
    parser.add_argument(
        "--each", nargs="+", metavar="NEW", help="compare each of these kernels or patches alone with OLD"
    )
    parser.add_argument(
        "--bisect", metavar="OPERATION", help="find the commit of a range that changed this operation"
    )
    parser.add_argument(
        "--base", metavar="VERSION",
        help="version or commit that patches are applied to if OLD is a patch (default 6.1) or an image",
    )  # fmt: skip
    parser.add_argument(
        "--config", type=Path, metavar="FILE",
        help="build with this .config, without its modules, in place of a small one",
    )  # fmt: skip
    parser.add_argument(
        "--arch", choices=("x86_64", "arm64"), default="x86_64", help="build and boot kernels for it"
    )
    parser.add_argument(
        "--operation", type=Path, metavar="FILE.c",
        help="count also an operation of yours: void operation(void) in a file in C",
    )  # fmt: skip
    parser.add_argument(
        "--boots", type=positive, default=BOOTS, metavar="N",
        help="boots of each kernel, which start the operations at other times (default 2)",
    )  # fmt: skip
    parser.add_argument(
        "--no-functions", action="store_true", help="do not look for functions, which saves two boots"
    )
    parser.add_argument(
        "--max-added", type=whole, metavar="N",
        help="exit status 3 only if an operation takes more than N instructions more",
    )  # fmt: skip
    parser.add_argument("--list", action="store_true", help="measure nothing: name the operations")
    forms = parser.add_mutually_exclusive_group()
    json_option(forms, "print for programs (kmark-kernel-cost/1)")
    forms.add_argument("--markdown", action="store_true", help='print for below the "---" of a patch')
    forms.add_argument("--junit", action="store_true", help="print for a service that reads JUnit")
    parser.set_defaults(run=execute)
