# SPDX-License-Identifier: GPL-2.0-only
"""kmark record, snapshot, sessions, vmcore: events of the running kernel as a trace on disk."""

from __future__ import annotations

import argparse
import errno
import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from kmark.commands.common import (
    MARKER_NAMES,
    complete,
    describe,
    duration,
    duration_option,
    json_option,
    nonempty,
    root_option,
    size,
)
from kmark.errors import Failure, Usage, say
from kmark.live import condition, control, ending

if TYPE_CHECKING:
    from kmark.record import chunks, stream
    from kmark.record.sink import Sink


FORMATS = ("1.8", "2")  # keys of recording.FORMATS; the first is the default
WAIT_S = 0.1  # between two looks at whether a snapshot has been taken


def terms(args: argparse.Namespace) -> str:
    """Return the words behind the selector in `connect`: the probe, its words, the condition."""
    session = f" session={args.session}" if args.session else ""
    context = f" context={','.join(args.context)}" if args.context else ""
    return f"ctf{session}{context}{condition.suffix(args)}"


def connect(args: argparse.Namespace, selectors: list[str], words: str) -> None:
    verb = "arm" if args.arm else "connect"
    commands = "; ".join(f"{verb} {selector} {words}" for selector in selectors)
    twice = {errno.EEXIST: "a site is selected twice, or has ctf already"}
    control.command(args.root, commands, twice)


def setup(args: argparse.Namespace, mode: str) -> str:
    addresses = "raw" if args.raw_addresses else "hashed"
    return f"size={args.size} mode={mode} clock={args.clock} addresses={addresses}"


def context_items(text: str) -> list[str]:
    """A list of names with commas, for argparse."""
    from kmark.record import layout

    for name in text.split(","):
        if name not in layout.CONTEXT and name not in layout.STACKS:
            names = " ".join([*layout.CONTEXT, *layout.STACKS])
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


@contextmanager
def existing(ctf: Sink, stays: bool = False) -> Iterator[None]:
    """A session that is created if it is not there; then it is removed at the end, or, if it STAYS, when
    the context fails."""
    from kmark.record import sink

    if ctf.exists():
        yield
        return
    sink.create(ctf.root, ctf.name)
    kept = False
    try:
        yield
        kept = stays
    finally:
        if not kept:
            ctf.disconnect()
            sink.remove(ctf.root, ctf.name)


def limits(args: argparse.Namespace) -> chunks.Limits:
    """Return the limits of --rotate-size, --rotate-time and --max-disk. Usage if they contradict each
    other."""
    from kmark.record import chunks

    found = chunks.Limits(args.rotate_size, args.rotate_time, args.max_disk)
    if found.size and found.disk and found.disk < 2 * found.size:
        raise Usage("record: --max-disk has to be at least twice --rotate-size")
    return found


def receiver(text: str) -> tuple[str, int]:
    """Parse the address of a `kmark record listen`, for argparse."""
    from kmark.record import stream

    return stream.address(text)


def place(args: argparse.Namespace, found: chunks.Limits, ctf: Sink) -> chunks.Chunks | stream.Stream:
    """Return the place that gets the events."""
    from kmark.record import chunks, stream

    if args.stream:
        host, port = args.stream
        return stream.Stream(host, port, args.ctf)
    return chunks.Chunks(args.output, found, ctf, args.ctf)


def record(args: argparse.Namespace, selectors: list[str], command: list[str]) -> int:
    from kmark.record import recording, sink

    words = terms(args)
    found = limits(args)
    ctf = sink.Sink(args.root, name=args.session or sink.DEFAULT, most=found.piece)
    with existing(ctf), ctf.owned():
        ctf.command(setup(args, "discard"))
        trace = place(args, found, ctf)
        try:
            connect(args, selectors, words)
            ctf.open()
            end = ending.Ending(command, args.duration)
        except BaseException:
            trace.abandon()
            raise
        try:
            recording.follow(ctf, trace, end.goes_on, shown())
            try:
                ctf.disconnect()
            finally:
                ctf.command("stop")
                recording.drain_all(ctf, trace)
        except recording.Refused as refused:
            # The packets that a connection carried before it broke are not known here.
            if not args.stream:
                missing = recording.not_written(ctf, refused)
                say(f"{trace.name}: {sink.summary(ctf.counts(), trace.removed, missing)}")
            end.status()
            raise
        summary = sink.summary(ctf.counts(), trace.removed)
        trace.close()
    if sys.stderr.isatty():
        print(file=sys.stderr)
    say(f"{trace.name}: {summary}")
    return end.status()


def run_record(args: argparse.Namespace) -> int:
    from kmark.record import sink

    selectors, command = ending.after_dashes("record", args.selectors)
    selectors = selectors or ["*"]
    if "kstack" in (args.context or []) and not args.raw_addresses:
        raise Usage("record: --context kstack stores addresses as they are: give --raw-addresses, too")
    if not args.flight:
        if args.output is None and args.stream is None:
            raise Usage("record: no place for the trace: give -o DIR, --stream HOST, or --flight")
        if args.stream and (args.output or limits(args).given):
            raise Usage(
                "record: --stream excludes -o and limits of parts, as kmark record listen has the folder"
            )
        return record(args, selectors, command)
    others = args.output or args.stream or args.duration or limits(args).given or args.ctf != FORMATS[0]
    if command or others:
        raise Usage(
            "record: a flight recorder runs on by itself; kmark record snapshot -o DIR writes what it has"
        )
    words = terms(args)
    ctf = sink.Sink(args.root, name=args.session or sink.DEFAULT)
    with existing(ctf, stays=True):
        ctf.command(setup(args, "overwrite") + " start")
        connect(args, selectors, words)
    option = f" --session {args.session}" if args.session else ""
    end = f"kmark record sessions --remove {args.session}" if args.session else "kmark disconnect '*' ctf"
    say(f"the flight recorder is on: kmark record snapshot -o DIR{option}, and {end} to end it")
    return 0


def wait_for_snapshot(ctf: Sink) -> None:
    while ctf.session()["snapshot"] != "taken":
        time.sleep(WAIT_S)


def run_snapshot(args: argparse.Namespace) -> None:
    from kmark.record import recording, sink

    ctf = sink.Sink(args.root, "snapshot", args.session or sink.DEFAULT)
    if (args.root / "ctf").exists() and not ctf.exists():
        raise Failure(f"there is no session {ctf.name}; kmark record sessions lists them")
    session = ctf.session()
    if session["state"] == "closed":
        raise Usage("record snapshot: nothing has been recorded; kmark record --flight begins it")
    if session["owned"] == "1":
        raise Usage("record snapshot: kmark record is writing a trace of that already")
    trace = recording.Trace(args.output, args.ctf)
    try:
        if args.wait:
            wait_for_snapshot(ctf)
        by = ctf.session().get("snapshot.by")
        # This takes a snapshot, and no other is taken until it has been read.
        ctf.open()
        before = ctf.counts()
    except BaseException:
        trace.abandon()
        raise
    recording.drain_all(ctf, trace)
    trace.close()
    after = ctf.counts()
    ctf.close()
    taken = f"taken by {by}, " if by else ""
    counts = {**after, "recorded": after["recorded"] - before["recorded"]}
    say(f"{args.output}: {taken}{sink.summary(counts)}")


def run_vmcore(args: argparse.Namespace) -> int:
    from kmark.record import dump

    whole = True
    for found in dump.recover(args.dump, args.output, args.ctf):
        if found.trouble:
            say(found.trouble)
        else:
            note = f", {found.unfinished} left out that were being written" if found.unfinished else ""
            note += f", {found.damaged} damaged pages" if found.damaged else ""
            say(f"{args.output / found.name}: {found.packets} packets{note}")
        whole = whole and not found.trouble and not found.damaged
    return 0 if whole else 1


def run_sessions(args: argparse.Namespace) -> None:
    from kmark.record import sink

    if args.remove:
        ctf = sink.Sink(args.root, name=args.remove)
        if ctf.exists() and ctf.session()["owned"] == "0":
            ctf.disconnect()
        sink.remove(args.root, args.remove)
        return
    table = sink.sessions(args.root)
    print(f"{json.dumps(table.typed(), indent=1)}\n" if args.json else table.aligned(), end="")


def format_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--ctf", choices=FORMATS, default=FORMATS[0],
        help="version of the Common Trace Format (default: %(default)s); 2 needs babeltrace2 2.1",
    )  # fmt: skip


def add_run(recorder: argparse.ArgumentParser) -> None:
    root_option(recorder)
    describe(
        recorder,
        "Connects the probe ctf to markers and writes their events into a new folder, in the "
        "Common Trace Format, until COMMAND ends, or Ctrl-C, or --duration. Then babeltrace2 DIR prints "
        "the events. The exit status is that of COMMAND. Needs the module probe_ctf.",
        "kmark record -o /tmp/trace --context pid,comm 'net_*' -- sleep 10",
    )
    recorder.add_argument("-o", "--output", type=Path, metavar="DIR", help="new folder for the trace")
    recorder.add_argument(
        "--stream", type=receiver, metavar="HOST[:PORT]",
        help="send the events to kmark record listen there, instead; nothing is encrypted",
    )  # fmt: skip
    recorder.add_argument(
        "--rotate-size", type=size, metavar="BYTES",
        help="begin another trace, in DIR/000001, DIR/000002, ..., at that size",
    )  # fmt: skip
    recorder.add_argument(
        "--rotate-time",
        type=duration,
        metavar="TIME",
        help="begin another trace after that time, such as 60s",
    )
    recorder.add_argument(
        "--max-disk", type=size, metavar="BYTES",
        help="limit of all these traces: remove the oldest; without rotation, end the recording",
    )  # fmt: skip
    format_option(recorder)
    recorder.add_argument(
        "--session", type=nonempty, metavar="NAME",
        help="record in a session of that name beside other recorders; a missing session is created",
    )  # fmt: skip
    recorder.add_argument(
        "--flight", action="store_true",
        help="keep the newest events in memory, for kmark record snapshot, and return at once",
    )  # fmt: skip
    recorder.add_argument(
        "--size", type=size, default="4M", metavar="BYTES",
        help="memory of each CPU, as in 512K or 4M (default); a flight recorder takes it twice",
    )  # fmt: skip
    recorder.add_argument(
        "--clock",
        choices=("auto", "tsc", "mono"),
        default="auto",
        help="clock of the times (default: tsc if it is stable)",
    )
    recorder.add_argument(
        "--raw-addresses",
        action="store_true",
        help="record pointers without hashing them (default: hashed; equal pointers have equal hashes)",
    )
    recorder.add_argument(
        "--context", type=context_items, metavar="NAME,...",
        help="also store, with each event: tid pid comm prio cpu irq preempt cgroup kstack ustack",
    )  # fmt: skip
    condition.add(recorder)
    duration_option(recorder)
    recorder.add_argument("--arm", action="store_true", help="selectors may match nothing yet")
    selectors = recorder.add_argument(
        "selectors",
        nargs="*",
        metavar="SELECTOR",
        help="names of markers, or patterns such as 'net_*' (default: all); -- COMMAND may follow",
    )
    complete(selectors, MARKER_NAMES)
    recorder.set_defaults(run=run_record)


def add_snapshot(snapshot: argparse.ArgumentParser) -> None:
    root_option(snapshot)
    describe(
        snapshot,
        "Takes the events that the recorder of kmark record --flight has at this moment, and "
        "writes them; or those that it had when the probe `snapshot`, or an oops, took one. "
        "The recorder continues meanwhile, in other memory.",
        "kmark record snapshot -o /tmp/trace",
    )
    snapshot.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="DIR",
        required=True,
        help="folder of the trace; must not exist",
    )
    snapshot.add_argument(
        "--session", type=nonempty, metavar="NAME", help="name of the session (default: `default`)"
    )
    snapshot.add_argument("--wait", action="store_true", help="wait until an event has taken a snapshot")
    format_option(snapshot)
    snapshot.set_defaults(run=run_snapshot)


def add_sessions(sessions: argparse.ArgumentParser) -> None:
    root_option(sessions)
    describe(
        sessions,
        "Prints a line for each session: name, state, owner (process and program), bytes of a "
        "CPU, mode, clock, connections, bytes of memory.",
        "kmark record sessions --remove disk",
    )
    json_option(sessions)
    sessions.add_argument(
        "--remove",
        type=nonempty,
        metavar="NAME",
        help="disconnect and remove that session with its unread events",
    )
    sessions.set_defaults(run=run_sessions)


def add_vmcore(vmcore: argparse.ArgumentParser) -> None:
    describe(
        vmcore,
        "Writes a trace for each session that was open when a machine's memory was dumped, "
        "after a panic above all: into DIR/NAME, NAME being that of the session. Reads ELF cores and "
        "plain images of the memory; needs neither symbols nor the kernel.",
        "kmark record vmcore /var/crash/vmcore -o /tmp/last",
    )
    vmcore.add_argument("dump", type=Path, metavar="DUMP", help="an ELF core, or an image of the memory")
    vmcore.add_argument(
        "-o", "--output", type=Path, metavar="DIR", required=True, help="where to put the traces"
    )
    format_option(vmcore)
    vmcore.set_defaults(run=run_vmcore)
