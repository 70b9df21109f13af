# SPDX-License-Identifier: GPL-2.0-only
"""kmark macro: the cost that markers add to whole workloads of a kernel."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from kmark import cache, foreign
from kmark.commands.common import describe, json_option, kernel, output_option, pair_of_kernels, positive
from kmark.errors import Usage, say
from kmark.macro import workloads

if TYPE_CHECKING:
    from kmark.macro import runner

ENVS = ("vm", "uml")
WORKLOADS = tuple(one.name for one in workloads.WORKLOADS)
USUAL = tuple(one.name for one in workloads.WORKLOADS if not one.rounds)
ALONE = tuple(one.name for one in workloads.WORKLOADS if one.rounds)


def list_workloads(args: argparse.Namespace) -> int:
    if args.json:
        keys = ("name", "what", "operation", "row", "ops")
        print(
            json.dumps([{key: getattr(one, key) for key in keys} for one in workloads.WORKLOADS], indent=1)
        )
        return 0
    for one in workloads.WORKLOADS:
        counts = ", ".join(f"{env} {count}" for env, count in one.ops.items())
        print(
            f"{one.name:<10}{one.what}\n{'':<10}operations: {counts}{f'; row {one.row}' if one.row else ''}"
        )
    return 0


def facts(args: argparse.Namespace, envs: list[str], own: tuple[Path, Path] | None) -> dict[str, str]:
    import subprocess

    from kmark import host
    from kmark.guest import vm
    from kmark.kernel import tree

    found = {"patches": f"build/series/linux-{args.kernel}"}
    found["compiler"] = foreign.lines(subprocess.check_output(["gcc", "--version"], text=True))[0]
    if own:
        found["patches"] = f"kernels {own[0].name} and {own[1].name}"
    for env, arch in (("vm", tree.X86), ("uml", tree.UML)):
        if env in envs:
            names = [str(path.relative_to(cache.TOP)) for path in tree.FRAGMENTS[arch]]
            found[f"config {env}"] = "allnoconfig and " + ", ".join(names)
    if args.distribution:
        found["config vm"] = "the distribution's less its modules, and patches/config/distribution"
    if "vm" in envs:
        version = foreign.lines(subprocess.check_output([vm.QEMU, "--version"], text=True))[0]
        cpu = args.cpu or vm.COUNTED_CPU
        found["emulator"] = f"{version}, TCG, icount shift=0, 1 CPU: {cpu}"
    return {**found, **host.host()}


def plan_of(args: argparse.Namespace, own: tuple[Path, Path] | None) -> runner.Plan:
    from kmark.macro import figures, runner

    chosen = tuple(one for one in workloads.WORKLOADS if one.name in (args.workload or USUAL))
    pair = dict(zip(figures.KERNELS, own, strict=True)) if own else None
    version = "" if own else args.kernel
    return runner.Plan(version, chosen, args.rounds, args.short, pair, args.distribution, args.cpu)


def execute(args: argparse.Namespace) -> int:
    from kmark.analysis import raw
    from kmark.macro import report as macro_report
    from kmark.macro import runner

    if args.list:
        return list_workloads(args)
    for name in set(args.workload or ()).intersection(ALONE):
        if len(args.workload) > 1:
            raise Usage(f"macro: {name} has rounds of its own, and runs alone")
    envs = [env for env in ENVS if env in (args.env or ENVS)]
    own = pair_of_kernels("macro", args)
    if own and len(envs) != 1:
        raise Usage("macro: folders of kernels are for one environment; name it with --env")
    if (args.distribution or args.cpu) and envs != ["vm"]:
        raise Usage("macro: --distribution and --cpu are for --env vm")
    if args.distribution and own:
        raise Usage("macro: kernels in folders are built already; --distribution says how to build them")
    with cache.unfinished(args.output) as kept:
        output = ""
        for env in envs:
            output += runner.measure(env, plan_of(args, own))
            cache.write_whole(kept, output.encode())
        now = time.localtime()
        created = time.strftime("%Y-%m-%dT%H:%M:%S%z", now)
        report = macro_report.build(raw.parse(output, "raw data"), facts(args, envs, own), created)
        found, text = macro_report.dump(report), macro_report.render(report)
        files = {"report.txt": text, "report.json": found, "raw.tsv": output}
        folder = cache.write_results(files, args.output, time.strftime("%Y%m%d-%H%M%S", now))
    sys.stdout.write(found if args.json else text)
    say(f"results in {folder}")
    return 0


def add_macro(macro: argparse.ArgumentParser) -> None:
    describe(
        macro,
        "Builds the kernel with and without the patches, boots both in turns, and measures "
        "workloads in four conditions: vanilla, marked with nothing enabled, vanilla with the tracepoints "
        "beside the markers enabled, and marked with every marker enabled. "
        "vm: instructions under icount; uml: time in User-Mode Linux. Keeps report.txt, "
        "report.json and raw.tsv in a new folder. Documentation/macro.md explains it. "
        "The first time takes many minutes.",
        "kmark macro --env vm --workload syscall --workload pipe",
    )
    macro.add_argument("--env", action="append", choices=ENVS, help="environment (default: both)")
    macro.add_argument(
        "--workload",
        action="append",
        choices=WORKLOADS,
        help="only this workload (default: all but kernel)",
    )
    macro.add_argument(
        "--kernel", type=kernel, default="6.1", metavar="VERSION|DIR",
        help="the version to build, or the folder of a kernel with markers (default 6.1)",
    )  # fmt: skip
    macro.add_argument(
        "--vanilla", type=Path, metavar="DIR", help="where --kernel is a folder: the kernel without markers"
    )
    macro.add_argument(
        "--distribution", action="store_true",
        help="vm: kernels as the distribution configures them, less its modules (default: small ones)",
    )  # fmt: skip
    macro.add_argument(
        "--cpu", default="", metavar="MODEL",
        help="vm: the guest's CPU, which decides on mitigations (default: that of kmark bench)",
    )  # fmt: skip
    macro.add_argument(
        "--rounds", type=positive, metavar="N",
        help="runs of each condition (default vm 6, uml 20; of kernel a round is a file, and all are the "
        "default; with fewer than 6 there is no interval)",
    )  # fmt: skip
    macro.add_argument("--short", action="store_true", help="a twentieth of the operations")
    output_option(macro, cache.TOP / "results/macro", "folder of the results (default results/macro)")
    macro.add_argument("--list", action="store_true", help="measure nothing: name the workloads")
    json_option(macro)
    macro.set_defaults(run=execute)
