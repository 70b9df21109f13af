# SPDX-License-Identifier: GPL-2.0-only
"""Print the events that a tool shows of a recording of marker_types.ko, as the same table for all tools.

table.py babeltrace2|trace-cmd|kshark FILE
                        FILE is what the tool printed: babeltrace2 --clock-seconds, trace-cmd
                        report -t, and kshark of this folder
table.py perfetto FILE  FILE is a trace of Perfetto, read by the definitions of its package
table.py expected N     the names and arguments of N events of each marker, as they were fired

A line for each event: time in ns since 1970, CPU, thread, its name, marker, arguments."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
import marker_types

Row = tuple[int, int, int, str, str, list[str]]
NAMES = r"types_ints|types_texts"
PRINTED = {
    "trace-cmd": rf"^\s*(.*)-(\d+)\s+\[(\d+)\]\s+(?:\S{{5}}\s+)?(\d+)\.(\d{{9}}):\s+({NAMES}):\s+(.*)$",
    "kshark": rf"^(.*)-(\d+) \[(\d+)\] (\d+)(\d{{9}}) marker_types/({NAMES}): (.*)$",
}
BABELTRACE = re.compile(
    rf"^\[(\d+)\.(\d{{9}})\] .* marker_types/({NAMES}): {{ cpu_id = (\d+) }}, "
    r'{ tid = (\d+), .*comm = "(.*?)".*? }, { (arg0 .*) }$'
)
QUOTED = re.compile(r'arg\d+ = ("(?:[^"\\]|\\.)*"|[^,} ]+)')
PLAIN = re.compile(r"\barg\d+=(.*?)(?= arg\d+=|$)")


def printed(text: str, pattern: str) -> Iterator[Row]:
    for line in text.splitlines():
        if found := re.match(pattern, line):
            comm, tid, cpu, seconds, rest, name, info = found.groups()
            yield int(seconds + rest), int(cpu), int(tid), comm.strip(), name, PLAIN.findall(info)


def plain(text: str) -> str:
    if text.startswith('"'):
        return re.sub(r"\\(.)", r"\1", text[1:-1])
    return text.lower()


def babeltrace(text: str) -> Iterator[Row]:
    for line in text.splitlines():
        if found := BABELTRACE.match(line):
            seconds, rest, name, cpu, tid, comm, fields = found.groups()
            values = [plain(value) for value in QUOTED.findall(fields)]
            # Version 2.0.4 now and then prints an older text for an empty one; export/events.py
            # gets around that.
            if name == "types_texts" and marker_types.texts(int(values[0]))[1] == "":
                values[1] = ""
            yield int(seconds + rest), int(cpu), int(tid), comm, name, values


def perfetto(path: Path) -> Iterator[Row]:
    from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace

    trace = Trace.FromString(path.read_bytes())
    threads = {one.tid: one.name for packet in trace.packet for one in packet.process_tree.threads}
    for packet in trace.packet:
        for event in packet.ftrace_events.event:
            fields = {one.name: getattr(one, one.WhichOneof("value")) for one in event.generic.field}
            values = [str(value) for name, value in fields.items() if name.startswith("arg")]
            name = event.generic.event_name.removeprefix("marker_types/")
            if name == "types_texts":
                values[-1] = f"{int(values[-1]):#x}"
            yield (event.timestamp, packet.ftrace_events.cpu, event.pid, threads[event.pid],
                   name, values)  # fmt: skip


def expected(count: int) -> Iterator[tuple[str, list[str]]]:
    for number in range(count):
        yield "types_ints", [str(value) for value in marker_types.ints(number)]
        *texts, pointer = marker_types.texts(number)
        yield "types_texts", [*map(str, texts), f"{pointer:#x}"]


def main() -> None:
    tool, what = sys.argv[1:]
    if tool == "expected":
        for name, values in expected(int(what)):
            print(json.dumps([name, *values]))
        return
    text = "" if tool == "perfetto" else Path(what).read_text(errors="replace")
    rows = (perfetto(Path(what)) if tool == "perfetto" else babeltrace(text) if tool == "babeltrace2"
            else printed(text, PRINTED[tool]))  # fmt: skip
    for time, cpu, tid, comm, name, values in sorted(rows, key=lambda row: row[0]):
        print(time, cpu, tid, comm, json.dumps([name, *values]))


main()
