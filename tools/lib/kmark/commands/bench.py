# SPDX-License-Identifier: GPL-2.0-only
"""kmark bench: measure and report."""

from __future__ import annotations

import argparse
import json
import sys

from kmark import cache
from kmark.commands.common import describe, json_option, kernel, output_option, positive
from kmark.errors import Usage, say
from kmark.timing.fences import FENCES


def list_cases(args: argparse.Namespace) -> int:
    from kmark.bench import cases, runner
    from kmark.reference import rows

    envs = [env for env in runner.RUNNERS if env in (args.env or runner.USUAL)]
    found, documents = cases.load(envs, args.arch), rows.load()
    if args.json:
        print(json.dumps(cases.record(found, documents), indent=1))
    else:
        print("\n".join(cases.lines(found, documents)))
    return 0


def execute(args: argparse.Namespace) -> int:
    from kmark.bench import runner
    from kmark.guest.machine import MACHINES
    from kmark.kernel import tree
    from kmark.report import report, summary

    if args.arch not in MACHINES:
        raise Usage(f"bench: no guest of {args.arch}: want {' or '.join(MACHINES)}")
    if args.arch != runner.HERE and (args.env != ["vm"] or args.kernel or args.all or args.fence):
        raise Usage(
            "bench: --arch is of the guest with the distribution's kernel: use it with --env vm alone, "
            "without --all and --fence"
        )
    if args.list:
        return list_cases(args)
    usual = runner.RUNNERS if args.all else runner.USUAL
    envs = [env for env in runner.RUNNERS if env in (args.env or usual)]
    if args.cpu and "vm" not in envs:
        raise Usage("bench: --cpu is of the guest: use it with --env vm")
    if args.kernel and "vm" not in envs:
        raise Usage("bench: --kernel is the guest's: use it with --env vm")
    place = args.output or cache.TOP / "results"
    folder, result = runner.bench(
        envs,
        args.rounds,
        place,
        args.fence or "",
        args.all,
        args.cpu,
        tree.build(tree.Recipe(args.kernel)) if isinstance(args.kernel, str) else args.kernel,
        args.arch,
    )
    page = "\n".join(summary.lines(result, f"{folder}/report.txt, report.html")) + "\n"
    sys.stdout.write(report.dump(result) if args.json else page)
    say(f"results in {folder}")
    return 0


def add_run(bench: argparse.ArgumentParser) -> None:
    describe(
        bench,
        "Builds what it needs, measures natively and in a guest, prints a summary of one "
        "screen, and keeps report.txt, report.json and raw.tsv in a new folder that latest points to.",
        "kmark bench --env native --rounds 100",
    )
    bench.add_argument(
        "--env", action="append", choices=("native", "vm", "uml"),
        help="where to measure (default: native and vm)",
    )  # fmt: skip
    bench.add_argument(
        "--cpu", default="", metavar="MODEL",
        help="the guest's, as QEMU names it (default: always the same, without return thunks; "
        "EPYC-v1 has them)",
    )  # fmt: skip
    bench.add_argument(
        "--arch", default="x86_64", metavar="ARCH",
        help="the guest's: x86_64 (default) or arm64, whose modules are built in build/arm64",
    )  # fmt: skip
    bench.add_argument(
        "--kernel", type=kernel, metavar="VERSION|DIR",
        help="measure in the guest with that kernel, patched, or that of a folder of `kmark dev kernel` "
        "(default: the distribution's)",
    )  # fmt: skip
    bench.add_argument(
        "--rounds", type=positive, metavar="N", help="rounds (default: as many as its environment needs)"
    )
    bench.add_argument(
        "--fence", choices=FENCES,
        help="how the time stamp counter is read (default lfence; kmark lab method judges them)",
    )  # fmt: skip
    output_option(bench, None, "folder of the results (default results/)")
    bench.add_argument(
        "--all", action="store_true",
        help="every environment, and sizes and code for the rows of the 2006 thread",
    )  # fmt: skip
    bench.add_argument(
        "--list", action="store_true",
        help="measure nothing: name every case, its row and its peers, and what shows each row",
    )  # fmt: skip
    json_option(bench, "print report.json instead of the summary")
    bench.set_defaults(run=execute)
