# SPDX-License-Identifier: GPL-2.0-only
"""kmark lab method: how well a machine can be timed, and with which fence."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from kmark import cache
from kmark.commands.common import describe, duration, json_option, output_option
from kmark.errors import Usage, say
from kmark.timing.fences import FENCES

if TYPE_CHECKING:
    from kmark.analysis.raw import Raw

ENVS = ("native", "uml", "vm", "host")


def measure(args: argparse.Namespace, envs: list[str]) -> tuple[str, list[Raw]]:
    from kmark.timing import method

    plan = method.Plan(tuple(args.fence or ()), None if args.full else args.duration)
    output = "".join(method.measure(env, plan) for env in envs)
    return output, [method.parse_all(output, env) for env in envs]


def print_intel(documents: list[Raw]) -> None:
    from kmark.timing import series

    for raw in documents:
        for one in series.load(raw):
            if one.test in (series.OFFSET, series.STORES):
                print("\n".join(series.intel_lines(one)))


def file_and_print(args: argparse.Namespace, output: str, documents: list[Raw]) -> Path:
    from kmark import host as machine
    from kmark.timing import method_plot, method_text, series

    now = time.localtime()
    created, host = time.strftime("%Y-%m-%dT%H:%M:%S%z", now), machine.host()
    text = method_text.render(documents, created, host)
    found = method_text.dump(documents, created, host)
    files = {"report.txt": text, "report.json": found, "raw.tsv": output}
    for raw in documents:
        files |= method_plot.figures(series.load(raw))
    folder = cache.write_results(files, args.output, time.strftime("%Y%m%d-%H%M%S", now))
    if args.intel:
        print_intel(documents)
    else:
        sys.stdout.write(found if args.json else text)
    say(f"results in {folder}")
    return folder


def execute(args: argparse.Namespace) -> None:
    from kmark.timing import today

    if args.list:
        rows = today.table(args.output)
        print(json.dumps(rows, indent=1) if args.json else "\n".join(today.lines(rows)))
        return
    if args.all and (args.fence or args.env or args.json or args.intel):
        raise Usage(
            "lab method: --all measures everything, as text; leave --fence, --env, --json and --intel out"
        )
    envs = list(today.ENVS) if args.all else [env for env in ENVS if env in (args.env or ["native"])]
    output, documents = measure(args, envs)
    folder = file_and_print(args, output, documents)
    if args.all:
        rows = today.measure(documents, folder)
        print("\n".join(today.lines(rows)))


def add_method(method: argparse.ArgumentParser) -> None:
    describe(
        method,
        "Takes samples with every way to read the time stamp counter (fence), judges each as "
        "Paoloni's paper does, and says what it resolves. Keeps report.txt, report.json, raw.tsv and the "
        "figures in a new folder. Documentation/methods.md explains it.",
        "kmark lab method --fence lfence --fence rdtscp",
    )
    method.add_argument("--env", action="append", choices=ENVS, help="environment (default native)")
    method.add_argument(
        "--fence", action="append", choices=FENCES, help="only this fence (default: all of this CPU)"
    )
    size = method.add_mutually_exclusive_group()
    size.add_argument("--full", action="store_true", help="1000 x 100,000 samples: minutes to hours")
    size.add_argument(
        "--duration",
        type=duration,
        default=4.0,
        metavar="TIME",
        help="time of each test of a fence (default 4s)",
    )
    form = method.add_mutually_exclusive_group()
    form.add_argument("--intel", action="store_true", help="print the log of the paper's module instead")
    json_option(form)
    method.add_argument(
        "--list", action="store_true",
        help="measure nothing: name the rows of the timing documents, how to see each, and both figures",
    )  # fmt: skip
    method.add_argument(
        "--all", action="store_true", help="measure every row of the timing documents (minutes)"
    )
    output_option(method, cache.TOP / "results/method", "folder of the results (default results/method)")
    method.set_defaults(run=execute)
