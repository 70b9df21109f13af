# SPDX-License-Identifier: GPL-2.0-only
"""kmark watch: events as they happen."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from kmark.commands.common import (
    MARKER_NAMES,
    complete,
    describe,
    duration_option,
    json_option,
    positive,
    root_option,
)
from kmark.errors import say
from kmark.foreign import shown
from kmark.live import condition, findings, trace_pipe
from kmark.live.ending import Ending, after_dashes

STEP_S = 0.1


def show(lines: Iterable[str], as_json: bool, left: int | None) -> int:
    """Prints events, at most `left`, and returns how many. Other lines, notes on lost
    events, go to stderr."""
    count = 0
    for line in lines:
        event = trace_pipe.parse(line)
        if event is None:
            if line.strip():
                say(line.strip())
            continue
        if count == left:
            break
        count += 1
        if as_json:
            print(json.dumps(event._asdict()), flush=True)
        else:
            text = (
                f"{event.time_s:14.6f} [{event.cpu:03}] {event.task}-{event.pid} {event.marker} "
                f"{Path(event.file).name}:{event.line} {event.text}"
            )
            print(shown(text), flush=True)
    return count


def batches(descriptor: int, tracefs: Path, ending: Ending) -> Iterator[list[str]]:
    """Yield lines as they come. After the end, disable the event, because events may come faster than they
    are printed, and yield the rest of the buffer, until another signal comes."""
    rest = bytearray()
    while ending.goes_on():
        yield trace_pipe.lines(descriptor, rest, STEP_S)
    trace_pipe.enable(tracefs, 0)
    ending.asked = False
    while not ending.asked and (lines := trace_pipe.lines(descriptor, rest, 0)):
        yield lines


def run(args: argparse.Namespace) -> int:
    selectors, command = after_dashes("watch", args.selectors)
    words = f"trace{condition.suffix(args)}"
    connects = [f"{selector} {words}" for selector in selectors or ["*"]]
    left = args.events
    with trace_pipe.opened(args.tracefs) as descriptor, findings.connected(args.root, connects):
        ending = Ending(command, args.duration)
        for lines in batches(descriptor, args.tracefs, ending):
            count = show(lines, args.json, left)
            left = None if left is None else left - count
            if left == 0:
                break
    return ending.status()


def add_watch(watch: argparse.ArgumentParser) -> None:
    root_option(watch)
    describe(
        watch,
        "Connects the probe trace and prints each event (time in seconds, CPU, task, marker, source line, "
        "text) until COMMAND ends, or Ctrl-C, or --duration. Events of other connections of the probe "
        "trace are shown, too. Needs the module probe_trace.",
        "kmark watch --duration 10s hello",
    )
    watch.add_argument(
        "--tracefs", type=Path, default=trace_pipe.TRACEFS, metavar="DIR", help="where tracefs is mounted"
    )
    duration_option(watch)
    watch.add_argument("-n", "--events", type=positive, metavar="N", help="end after N events")
    condition.add(watch)
    json_option(watch, "print a line of JSON for each event")
    selectors = watch.add_argument(
        "selectors",
        nargs="*",
        metavar="SELECTOR",
        help="names of markers, or patterns such as 'net_*' (default: all); -- COMMAND may follow",
    )
    complete(selectors, MARKER_NAMES)
    watch.set_defaults(run=run)
