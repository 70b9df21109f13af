# SPDX-License-Identifier: GPL-2.0-only
"""kmark stat, hist: numbers that probes keep in the kernel."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from kmark.commands.common import (
    MARKER_NAMES,
    complete,
    describe,
    duration,
    duration_option,
    json_option,
    root_option,
)
from kmark.errors import Failure, Usage, say
from kmark.foreign import shown
from kmark.live import condition, control, findings
from kmark.live.ending import Ending, after_dashes


def marker_names(root: Path, globs: list[str]) -> list[str]:
    """Names of the markers that match, each once. Failure if a glob matches none."""
    known = [row["marker"] for row in control.read(root, "markers").records()]
    chosen: set[str] = set()
    for glob in globs or ["*"]:
        matching = control.matching(known, glob)
        if not matching:
            raise Failure(f"stat: no marker matches {glob!r}{control.nearest_marker(glob, known)}")
        chosen.update(matching)
    return sorted(chosen)


def show(args: argparse.Namespace, seconds: float, counts: dict[str, int], what: str) -> None:
    if args.json:
        print(json.dumps({"time_s": round(seconds, 6), "what": what, "markers": counts}), flush=True)
        return
    stamp = f"{seconds:12.6f}" if what == "interval" else "total".rjust(12)
    chosen = {name: count for name, count in counts.items() if count or args.all}
    for name, count in chosen.items():
        print(f"{stamp} {count:>14} {shown(name)}", flush=True)
    if not chosen:
        print(f"{stamp} {0:>14} -", flush=True)


def counted(root: Path, numbers: set[int]) -> dict[str, int]:
    """Return the counts of the connections with these numbers, by marker."""
    return {entry.selector: entry.one("events") for entry in findings.read(root) if entry.number in numbers}


def run_stat(args: argparse.Namespace) -> int:
    globs, command = after_dashes("stat", args.markers)
    names = marker_names(args.root, globs)
    lines = [f"{name} count {findings.label('stat')}{condition.suffix(args)}" for name in names]
    with findings.connected(args.root, lines, possible=True) as numbers:
        ending = Ending(command, args.duration)
        before = dict.fromkeys(counted(args.root, numbers), 0)
        going = True
        while going:
            going = ending.wait(args.interval)
            time_s = ending.elapsed()
            now = before | counted(args.root, numbers)
            if args.interval:
                show(args, time_s, {name: now[name] - before[name] for name in now}, "interval")
            before = now
        if not args.interval or args.json:
            show(args, time_s, before, "total")
    return ending.status()


def run_hist(args: argparse.Namespace) -> int:
    words, command = after_dashes("hist", args.command)
    if words:
        raise Usage(f"hist: {words[0]!r} is not understood: give -c 'SELECTOR PROBE WORDS', or -- COMMAND")
    for line in args.connect:
        condition.check_ends(line, "hist: -c")
    with findings.connected(args.root, args.connect) as numbers:
        ending = Ending(command, args.duration)
        if args.connect or command or args.duration:
            ending.wait()
        found = [
            entry
            for entry in findings.read(args.root)
            if (entry.number in numbers if args.connect else "bucket" in entry.values)
        ]
    if not found:
        say("hist: no probe hist or latency is connected; -c connects one")
    if args.json:
        print(json.dumps([entry._asdict() for entry in found], indent=1))
    else:
        print(
            "\n".join(findings.histogram(entry) or f"{entry.title()}\n" for entry in found),
            end="",
        )
    return ending.status()


def add_stat(stat: argparse.ArgumentParser) -> None:
    root_option(stat)
    duration_option(stat)
    describe(
        stat,
        "Connects the probe count to each marker, waits until COMMAND ends, or Ctrl-C, or --duration, "
        "prints how often each marker was executed, and disconnects. With -I, prints the numbers of each "
        "interval instead, with the time since the start. The exit status is that of COMMAND. Needs "
        "the module probe_count.",
        "kmark stat -I 1s 'net_*' -- sleep 10",
    )
    stat.add_argument(
        "-I",
        "--interval",
        type=duration,
        metavar="TIME",
        help="print the numbers of each interval, as in 1s; with --json, the totals, too",
    )
    stat.add_argument("-a", "--all", action="store_true", help="also print markers that were not executed")
    json_option(stat, "print a line of JSON for each interval")
    condition.add(stat)
    markers = stat.add_argument(
        "markers", nargs="*", metavar="MARKER",
        help="names, or patterns such as 'net_*' (default: all); -- COMMAND may follow",
    )  # fmt: skip
    complete(markers, MARKER_NAMES)
    stat.set_defaults(run=run_stat)


def add_hist(hist: argparse.ArgumentParser) -> None:
    root_option(hist)
    duration_option(hist)
    describe(
        hist,
        "Shows the histograms of the probes hist and latency that are connected. With -c, connects such a "
        "probe, shows its histogram when COMMAND ends, or at Ctrl-C, or after --duration, and disconnects "
        "it. Needs the modules probe_hist and probe_latency.",
        "kmark hist -c 'io_done hist arg=1 if arg0>100' -- sleep 10",
    )
    hist.add_argument(
        "-c", "--connect", action="append", default=[], metavar="'SELECTOR PROBE WORDS'",
        help="connection to make, as in kmark connect; may be repeated",
    )  # fmt: skip
    json_option(hist, "print a JSON list with an object for each connection")
    hist.add_argument("command", nargs="*", metavar="-- COMMAND")
    hist.set_defaults(run=run_hist)
