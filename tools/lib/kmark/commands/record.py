# SPDX-License-Identifier: GPL-2.0-only
"""kmark record, snapshot: events of the running kernel as a trace on disk."""

from __future__ import annotations

import argparse
import errno
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from kmark.commands.common import MARKER_NAMES, Verbs, complete, positive, root_option, say
from kmark.errors import Failure, Usage
from kmark.live import condition, control, ending

if TYPE_CHECKING:
    from kmark.record import chunks


def terms(args: argparse.Namespace) -> str:
    """What follows the selector in `connect`: the probe, its words, the condition."""
    context = f" context={','.join(args.context)}" if args.context else ""
    return f"ctf{context}{condition.suffix(args)}"


def connect(args: argparse.Namespace, selectors: list[str], words: str) -> None:
    verb = "arm" if args.arm else "connect"
    commands = "; ".join(f"{verb} {selector} {words}" for selector in selectors)
    twice = {errno.EEXIST: "a site is selected twice, or has ctf already"}
    control.write(args.root / "control", commands, twice)


def setup(args: argparse.Namespace, mode: str) -> str:
    addresses = "raw" if args.raw_addresses else "hashed"
    return f"size={args.size} mode={mode} clock={args.clock} addresses={addresses}"


def size(text: str) -> int:
    """A number of bytes, as in 512K or 4M, for argparse."""
    match = re.fullmatch(r"([0-9]+)([KMG]?)", text)
    if not match or not int(match[1]):
        raise argparse.ArgumentTypeError(f"{text!r}: want a number of bytes, as in 512K, 4M or 1G")
    return int(match[1]) << {"": 0, "K": 10, "M": 20, "G": 30}[match[2]]


def context_items(text: str) -> list[str]:
    """A list of names with commas, for argparse."""
    from kmark.record import ctf

    for name in text.split(","):
        if name not in ctf.CONTEXT and name not in ctf.STACKS:
            names = " ".join([*ctf.CONTEXT, *ctf.STACKS])
            raise argparse.ArgumentTypeError(f"{name!r}: want names of {names}")
    return text.split(",")


def shown() -> Callable[[int], None]:
    """A function that shows progress on a terminal, given the bytes so far."""
    last = [0.0]

    def show(count: int) -> None:
        if sys.stderr.isatty() and time.monotonic() - last[0] > 0.5:
            last[0] = time.monotonic()
            print(f"\rrecording: {count / 1e6:.1f} MB; Ctrl-C ends", end="", file=sys.stderr, flush=True)

    return show


def limits(args: argparse.Namespace) -> chunks.Limits:
    """Of --rotate-size, --rotate-time and --max-disk. Usage if they do not fit each other."""
    from kmark.record import chunks

    found = chunks.Limits(args.rotate_size, args.rotate_time, args.max_disk)
    if found.size and found.disk and found.disk < 2 * found.size:
        raise Usage("record: --max-disk has to be at least twice --rotate-size")
    return found


def record(args: argparse.Namespace, selectors: list[str], command: list[str]) -> int:
    from kmark.record import chunks, recording, sink

    words = terms(args)
    found = limits(args)
    ctf = sink.Sink(args.root, most=found.piece)
    with ctf.owned():
        ctf.command(setup(args, "discard"))
        trace = chunks.Chunks(args.output, found, ctf)
        try:
            connect(args, selectors, words)
        except Failure:
            trace.abandon()
            raise
        ctf.open()
        end = ending.Ending(command, args.seconds)
        recording.follow(ctf, trace, end.goes_on, shown())
        try:
            ctf.disconnect()
        finally:
            ctf.command("stop")
            recording.drain_all(ctf, trace)
        summary = sink.summary(ctf.counts(), trace.removed)
        trace.close()
    if sys.stderr.isatty():
        print(file=sys.stderr)
    say(f"{args.output}: {summary}")
    return end.status()


def run_record(args: argparse.Namespace) -> int:
    from kmark.record import sink

    selectors, command = ending.after_dashes("record", args.selectors)
    selectors = selectors or ["*"]
    if "kstack" in (args.context or []) and not args.raw_addresses:
        raise Usage("record: --context kstack stores addresses as they are: give --raw-addresses, too")
    if not args.flight:
        if args.output is None:
            raise Usage("record: no place for the trace: give -o DIR, or --flight")
        return record(args, selectors, command)
    if command or args.output or limits(args).given:
        raise Usage("record: a flight recorder runs on by itself; kmark snapshot -o DIR writes what it has")
    words = terms(args)
    ctf = sink.Sink(args.root)
    ctf.command(setup(args, "overwrite") + " start")
    connect(args, selectors, words)
    say("the flight recorder is on: kmark snapshot -o DIR, and kmark disconnect '*' ctf to end it")
    return 0


def run_snapshot(args: argparse.Namespace) -> int:
    from kmark.record import recording, sink

    ctf = sink.Sink(args.root, "snapshot")
    session = ctf.session()
    if session["state"] == "closed":
        raise Usage("snapshot: nothing has been recorded; kmark record --flight begins it")
    if session["owned"] == "1":
        raise Usage("snapshot: kmark record is writing a trace of that already")
    ctf.open()
    before = ctf.counts()
    trace = recording.Trace(args.output)
    recording.drain_all(ctf, trace)
    trace.close()
    after = ctf.counts()
    ctf.close()
    say(f"{args.output}: {sink.summary({**after, 'recorded': after['recorded'] - before['recorded']})}")
    return 0


def add(verbs: Verbs) -> None:
    common = root_option()
    recorder = verbs.add_parser(
        "record",
        parents=[common],
        help="record events into a trace that babeltrace2 reads",
        description="Connects the probe `ctf` to markers and writes their events into a new folder, in the "
        "Common Trace Format, until the command ends, or Ctrl-C, or --seconds. The exit status is "
        "that of the command. Needs probe_ctf.ko.",
        epilog="example: tools/kmark record -o /tmp/trace --context pid,comm --if 'len > 1024 && "
        "dev == \"eth0\"' 'net_*' -- sleep 10",
    )
    recorder.add_argument("-o", "--output", type=Path, metavar="DIR", help="where to; must not exist")
    recorder.add_argument(
        "--rotate-size", type=size, metavar="BYTES",
        help="begin another trace, in DIR/000001, DIR/000002, ..., at that size",
    )  # fmt: skip
    recorder.add_argument("--rotate-time", type=positive, metavar="S", help="the same, after that time")
    recorder.add_argument(
        "--max-disk", type=size, metavar="BYTES",
        help="remove the oldest of these traces to stay below; without them, end there",
    )  # fmt: skip
    recorder.add_argument(
        "--flight", action="store_true",
        help="keep the newest events in memory, for kmark snapshot, and return at once",
    )  # fmt: skip
    recorder.add_argument(
        "--size", default="4M", metavar="BYTES", help="memory of each CPU, as in 512K or 4M (default)"
    )
    recorder.add_argument(
        "--clock",
        choices=("auto", "tsc", "mono"),
        default="auto",
        help="where times come from (default: tsc if it is good)",
    )
    recorder.add_argument(
        "--raw-addresses",
        action="store_true",
        help="record pointers as they are (default: hashed, equal ones stay equal; %%px is never hashed)",
    )
    recorder.add_argument(
        "--context", type=context_items, metavar="NAME,...",
        help="also store, with each event: tid pid comm prio cpu irq preempt cgroup kstack ustack",
    )  # fmt: skip
    condition.add(recorder)
    recorder.add_argument("--seconds", type=float, metavar="S", help="end after that time")
    recorder.add_argument("--arm", action="store_true", help="selectors may match nothing yet")
    selectors = recorder.add_argument(
        "selectors", nargs="*", metavar="SELECTOR", help="which sites (default: all); -- COMMAND may follow"
    )
    complete(selectors, MARKER_NAMES)
    recorder.set_defaults(run=run_record)

    snapshot = verbs.add_parser(
        "snapshot",
        parents=[common],
        help="write what the flight recorder has into a trace",
        description="Takes the events that the recorder of kmark record --flight has at this moment, and "
        "writes them. The recorder continues meanwhile; the oldest events can be overwritten before "
        "they are written, and are counted.",
        epilog="example: tools/kmark snapshot -o /tmp/trace",
    )
    snapshot.add_argument(
        "-o", "--output", type=Path, metavar="DIR", required=True, help="where to; must not exist"
    )
    snapshot.set_defaults(run=run_snapshot)
