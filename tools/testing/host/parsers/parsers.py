# SPDX-License-Identifier: GPL-2.0-only
"""Tests the parsers of kmark with damaged documents. Hypothesis chooses the damage. A parser must either
read the document or raise a Failure that names the file, in one line, and must not change the file.

Prints TAP, with a test for each parser. --long: new damage in each run, and 33 times as many documents."""

from __future__ import annotations

import argparse
import copy
import json
import lzma
import socket
import sys
import tempfile
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import test_report
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from kmark.analysis import raw
from kmark.bench import baseline
from kmark.errors import Failure
from kmark.fleet import inventories
from kmark.kernel_cost import report as gate
from kmark.live import findings, trace_pipe
from kmark.macro import report as macro
from kmark.record import clock, ctf, dump, packets, sink, stream
from kmark.report import compare, report, samples, schema, summary, text

TOP = Path(__file__).resolve().parents[4]
INVENTORY = TOP / "tools/fleet/inventory.example.yml"
RESULTS = TOP / "Documentation/results"
WIDTH = 2_000  # of a line about an error, which may hold a document
SHORT, LONG = 150, 5_000  # documents for each parser
# Cells and values that are a parser's usual troubles.
WORDS = (
    "",
    "-",
    "0",
    "-1",
    "1e999",
    "nan",
    "18446744073709551616",
    "9" * 5000,
    "\t",
    "\n",
    "\0",
    "#",
    "é",
    "∞",
    "x" * 300,
)
VALUES = (None, True, 0, -1, 10**30, 1e308, 0.5, "", "x", "none", [], {}, [[]], {"": None})


@dataclass(frozen=True)
class Parser:
    """Parser to test: `parse` reads the file `name`, whose undamaged content is `good`, and prints it as
    kmark does. `where` is the place that an error has to name, if that is not the path."""

    name: str
    good: bytes
    parse: Callable[[Path], object]
    where: str = ""


def unpacked(name: str) -> bytes:
    return lzma.decompress((RESULTS / name).read_bytes())


def shorter(text_: bytes, most: int) -> bytes:
    """Return a real report with only the first MOST members of each list."""

    def cut(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: cut(one) for key, one in value.items()}
        return [cut(one) for one in value[:most]] if isinstance(value, list) else value

    return json.dumps(cut(json.loads(text_)), indent=1).encode()


def read_report(path: Path) -> None:
    found = report.load(path)
    text.render(found)
    list(summary.lines(found, "report.txt"))


def compare_reports(path: Path) -> None:
    good, damaged = map(report.load, (path.with_name("good.json"), path))
    compare.render(compare.compare(good, damaged), good, damaged)


def read_raw(path: Path) -> None:
    samples.load(path)
    report.build(raw.parse(schema.read(path), str(path)), {}, "2026-01-02T03:04:05+0000")


def read_with(name: str, file: Path) -> Callable[[Path], object]:
    def read(path: Path) -> None:
        written = schema.read(path)
        schema.check(schema.parse(written, str(path)), name, file, str(path), written)

    return read


def read_ctf(path: Path) -> None:
    """The metadata of a trace, from what debugfs says of the session and its events."""
    found = sink.Sink(path.parent.parent)
    ctf.metadata("trace", clock.clock_of(found.session()), "boot", found.events(), {})


def read_findings(path: Path) -> None:
    for one in findings.read(path.parent):
        findings.histogram(one)


def read_trace_pipe(path: Path) -> None:
    for line in path.read_text(errors="replace").split("\n")[:-1]:
        if not trace_pipe.parse(line):
            raise Failure(f"{path}: {line!r} is no event")


def read_dump(path: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for found in dump.recover(path, Path(folder)):
            if found.trouble:
                raise Failure(found.trouble)


def read_stream(path: Path) -> None:
    """As `kmark record listen` does of a sender that ends the connection behind it."""
    with (
        tempfile.TemporaryDirectory() as folder,
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.create_connection(server.getsockname()) as sender,
    ):
        sender.sendall(path.read_bytes())
        sender.shutdown(socket.SHUT_WR)
        try:
            stream.receive(server.accept()[0], Path(folder), stream.Limits(1 << 30), lambda _: None)
        except Failure as failure:
            raise Failure(f"{path}: {failure}") from None


def rows(*lines: str) -> bytes:
    return "".join(line.replace(" ", "\t") + "\n" for line in lines).encode()


SESSION = rows(
    "format 2", "clock tsc", "clock.hz 1000000000", "clock.value 5", "clock.mono 7", "clock.realtime 17",
    "clock.now.value 2000000005", "clock.now.mono 2000000007", "events 2",
)  # fmt: skip
EVENTS = rows(
    "#id marker fields format context names",
    "0 subsys_mark1 s32:10,str: %d-%s tid,comm count,name",
    "1 subsys_mark2 - empty kstack -",
)
FINDINGS = rows(
    "#id selector probe what key value",
    "1 subsys_mark1 hist bucket 0..1 5",
    "1 subsys_mark1 hist events - 5",
)


PIPE = b"""\
              sh-87      [000] .N...     4.593867: marker: subsys_mark1 sites.c:12 1 two
           <...>-1234    [001] d..1.    14.000001: marker: eat core.c:7 -
"""


def memory() -> bytes:
    """Three pages of a dump: the description of a session, and packets of two CPUs."""
    text_ = rows("name trace", "hostname one", "release 6.1") + SESSION + EVENTS
    page = dump.TEXT_HEADER.pack(dump.TEXT_MAGIC, 7, 0, len(text_)).ljust(dump.TEXT_AT, b"\0") + text_
    made = [
        packets.HEADER.pack(0xC1FC1FC1, 0, 5, 9, 600, dump.PACKET * 8, 3, 0, cpu, 7) for cpu in range(2)
    ]
    return b"".join(one.ljust(dump.PACKET, b"\0") for one in (page, *made))


def messages() -> bytes:
    """Return the messages of `kmark record --to`."""
    said = [
        (stream.METADATA, 0, b"/* CTF 1.8 */"),
        (stream.PACKETS, 1, stream.PACKET_MAGIC + bytes(stream.PACKET - len(stream.PACKET_MAGIC))),
        (stream.END, 0, b""),
    ]
    heads = [stream.HEAD.pack(kind, cpu, len(content)) + content for kind, cpu, content in said]
    return stream.MAGIC + b"one\n" + b"".join(heads)


def parsers() -> list[Parser]:
    sample = report.dump(test_report.sample_report()).encode()
    real = shorter(unpacked("vm.json.xz"), 12)
    return [
        Parser("report.json", sample, read_report),
        Parser("real.json", real, read_report),
        Parser("compared.json", sample, compare_reports),
        Parser("raw.tsv", test_report.sample_raw().encode(), read_raw),
        Parser("macro.json", unpacked("macro.json.xz"), read_with(macro.NAME, macro.SCHEMA)),
        Parser("gate.json", unpacked("gate-series.json.xz"), read_with(gate.NAME, gate.SCHEMA)),
        Parser("baseline.json", baseline.FILE.read_bytes(), baseline.load),
        Parser("ctf/session", SESSION, read_ctf, "ctf/session"),
        Parser("ctf/events", EVENTS, read_ctf, "ctf/events"),
        Parser("results", FINDINGS, read_findings),
        Parser("trace_pipe", PIPE, read_trace_pipe),
        Parser("vmcore", memory(), read_dump),
        Parser("stream", messages(), read_stream),
        Parser("hosts.yml", INVENTORY.read_bytes(), inventories.check),
    ]


def paths_of(value: Any, where: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Return the paths to all values of a JSON document, except the whole."""
    items = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    found = []
    for key, one in items:
        found += [(*where, key), *paths_of(one, (*where, key))]
    return found


@st.composite
def damaged_json(draw: st.DrawFn, good: bytes) -> bytes:
    """One to three values are others, gone, or there twice."""
    document = json.loads(good)
    for _ in range(draw(st.integers(1, 3))):
        places = paths_of(document)
        if not places:
            break
        *above, last = draw(st.sampled_from(places))
        parent = document
        for key in above:
            parent = parent[key]
        action = draw(st.sampled_from(("other", "gone", "twice")))
        if action == "other":
            # A copy: what is damaged next may be this.
            parent[last] = copy.deepcopy(draw(st.sampled_from(VALUES)))
        elif action == "gone":
            del parent[last]
        elif isinstance(parent, list):
            parent.append(copy.deepcopy(parent[last]))
        else:
            parent[f"{last}2"] = copy.deepcopy(parent[last])
    return json.dumps(document, indent=1).encode()


@st.composite
def damaged_text(draw: st.DrawFn, good: bytes) -> bytes:
    """One to three cells or pieces are others, gone, there twice; lines change places; the end is
    missing; there are bytes of no text."""
    data = good
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, max(len(data) - 1, 0)))
        end = min(start + draw(st.integers(0, 40)), len(data))
        action = draw(st.sampled_from(("word", "cell", "bytes", "gone", "twice", "end", "lines")))
        if action == "word":
            data = data[:start] + draw(st.sampled_from(WORDS)).encode() + data[end:]
        elif action == "cell":
            lines = [line.split(b"\t") for line in data.split(b"\n")]
            row = draw(st.sampled_from(lines))
            row[draw(st.integers(0, len(row) - 1))] = draw(st.sampled_from(WORDS)).encode()
            data = b"\n".join(b"\t".join(line) for line in lines)
        elif action == "bytes":
            data = data[:start] + draw(st.binary(max_size=8)) + data[end:]
        elif action == "gone":
            data = data[:start] + data[end:]
        elif action == "twice":
            data = data[:end] + data[start:]
        elif action == "end":
            data = data[:start]
        else:
            kept = data.split(b"\n")
            one, other = (draw(st.integers(0, len(kept) - 1)) for _ in range(2))
            kept[one], kept[other] = kept[other], kept[one]
            data = b"\n".join(kept)
    return data


def judge(parser: Parser, path: Path, data: bytes) -> bool:
    """True if it was refused. AssertionError, or what the parser raised, if it does not do as it has to."""
    path.write_bytes(data)
    before = path.stat()
    refused = False
    try:
        parser.parse(path)
    except Failure as failure:
        refused = True
        assert (parser.where or str(path)) in str(failure), f"no file in: {failure}"
        assert len(str(failure).splitlines()) == 1, f"not one line: {failure!r}"
    after = path.stat()
    assert path.read_bytes() == data, "the file was changed"
    assert before.st_mtime_ns == after.st_mtime_ns, "the file was written"
    return refused


def try_parser(parser: Parser, folder: Path, examples: int, fixed: bool) -> int:
    """How many were refused. Raises what judge() does, for the least damage that shows it."""
    path = folder / parser.name
    path.parent.mkdir(parents=True, exist_ok=True)
    for name, good in (("good.json", parser.good), ("session", SESSION), ("events", EVENTS)):
        (path.parent / name).write_bytes(good)
    path.write_bytes(parser.good)
    parser.parse(path)  # undamaged input is accepted
    kinds = [damaged_text(parser.good)]
    if parser.name.endswith(".json"):
        kinds.append(damaged_json(parser.good))

    @settings(
        max_examples=examples, derandomize=fixed, database=None, deadline=None,
        suppress_health_check=list(HealthCheck), phases=(Phase.generate, Phase.shrink),
        report_multiple_bugs=False,
    )  # fmt: skip
    @given(st.one_of(kinds))
    def trial(data: bytes) -> None:
        nonlocal refused
        refused += judge(parser, path, data)

    refused = 0
    trial()
    assert refused, "nothing was refused"
    return refused


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--long", action="store_true", help="other damage each time, and more")
    options.add_argument("--only", metavar="NAME", help="one parser, by the name of its file")
    args = options.parse_args()
    chosen = [one for one in parsers() if args.only in (None, one.name)]
    examples = LONG if args.long else SHORT
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for number, parser in enumerate(chosen, 1):
            try:
                refused = try_parser(parser, Path(folder) / str(number), examples, not args.long)
            except Exception:
                failed += 1
                print(f"not ok {number} - {parser.name}")
                said = [line[:WIDTH] for line in traceback.format_exc().splitlines()]
                print("".join(f"# {line}\n" for line in said), file=sys.stderr)
            else:
                print(f"ok {number} - {parser.name}: {examples} documents, {refused} refused", flush=True)
    print(f"1..{len(chosen)}")
    return 1 if failed or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
