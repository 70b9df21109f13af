# SPDX-License-Identifier: GPL-2.0-only
"""kmark lab kbest, kmark lab time: the lecture's timing schemes."""

from __future__ import annotations

import argparse
import json
import sys

from kmark import cache
from kmark.commands.common import describe, duration, json_option, not_negative, output_option, positive
from kmark.errors import Usage, say

EXPERIMENTS = ("counter", "interval", "cache", "scheme", "validate")


def scheme_words(verb: str, args: argparse.Namespace) -> list[str]:
    if args.K > args.N:
        raise Usage(f"{verb}: -K {args.K} is more than -N {args.N}")
    return ["-N", str(args.N), "-K", str(args.K), "--epsilon", str(args.epsilon)]


def run_experiment(args: argparse.Namespace) -> None:
    from dataclasses import asdict

    from kmark.timing import kbest

    if args.experiment == "validate":
        found = kbest.validate(kbest.FULL_US if args.full else kbest.SHORT_US, args.N)
        folder = kbest.file_validation(found, args.output)
        print(
            json.dumps([asdict(one) for one in found], indent=1)
            if args.json
            else "\n".join(kbest.validation_lines(found))
        )
        say(f"results in {folder}")
        return
    words = [*scheme_words("lab kbest", args), "--cmin", str(args.cmin), "--rounds", str(args.rounds)]
    document = kbest.run(args.experiment, *words)
    lines = kbest.LINES[args.experiment](document)
    print(json.dumps(document.tables, indent=1) if args.json else "\n".join(lines))


def run_time(args: argparse.Namespace) -> int:
    from dataclasses import asdict

    from kmark.timing import kbest

    if not args.command:
        raise Usage("lab time: nothing to time: give a command after --")
    words = scheme_words("lab time", args) if not args.once else ["-N", "1", "-K", "1"]
    found = kbest.time_command(args.command, words, args.limit)
    text = json.dumps(asdict(found), indent=1) if args.json else "\n".join(kbest.timed_lines(found))
    print(text, file=sys.stderr)
    return found.status


def add_scheme(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-N", type=positive, default=20, metavar="N", help="measurements at most (default 20)"
    )
    parser.add_argument(
        "-K",
        type=positive,
        default=3,
        metavar="K",
        help="number of fastest measurements that must agree (default 3)",
    )
    parser.add_argument(
        "--epsilon",
        type=not_negative,
        default=0.001,
        metavar="X",
        help="largest difference between these, as a share (default 0.001)",
    )


def add_time(timing: argparse.ArgumentParser) -> None:
    describe(
        timing,
        "Runs a command. If it takes a second or more, prints the CPU time that the kernel counted "
        "for it; if less, runs it again until the K fastest runs agree, and prints the elapsed time of the "
        "fastest. Prints what the time is, the method and its error, too, on stderr. Only the first run "
        "gets the terminal. The exit status is the command's.",
        "kmark lab time -- gcc -c x.c",
    )
    add_scheme(timing)
    timing.add_argument(
        "--limit",
        type=duration,
        default=1.0,
        metavar="TIME",
        help="least time for interval counting (default 1s)",
    )
    timing.add_argument("--once", action="store_true", help="never run it again")
    json_option(timing)
    timing.add_argument("command", nargs="*", metavar="COMMAND")
    timing.set_defaults(run=run_time)


def add_kbest(kbest: argparse.ArgumentParser) -> None:
    describe(
        kbest,
        "counter: its rate by sleeping. interval: the error of counting timer ticks. cache: "
        "the order of two functions. scheme: K-best by the counter and by the clock. validate: K-best of "
        "work of known length, at loads 1, 2 and 11, with a plot. Documentation/methods.md explains them.",
        "kmark lab kbest validate --full",
    )
    kbest.add_argument("experiment", choices=EXPERIMENTS)
    add_scheme(kbest)
    kbest.add_argument(
        "--cmin",
        type=not_negative,
        default=50000,
        metavar="CYCLES",
        help="least cycles of a measurement (default 50000)",
    )
    kbest.add_argument("--rounds", type=positive, default=20, metavar="N", help="repetitions (default 20)")
    kbest.add_argument(
        "--full", action="store_true", help="validate: all the lecture's lengths, 0.5 to 50 ms (minutes)"
    )
    output_option(kbest, cache.TOP / "results/kbest", "of validate's results (default results/kbest)")
    json_option(kbest)
    kbest.set_defaults(run=run_experiment)
