# SPDX-License-Identifier: GPL-2.0-only
"""The events of a recording, in the order of their times, read by the library of babeltrace2."""

from __future__ import annotations

import gc
import heapq
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kmark.errors import Failure, say
from kmark.export import files
from kmark.export.damage import PACKET, Damaged, check_heads, has_heads
from kmark.export.files import named_cpu, place_of
from kmark.foreign import valid

# Folder of the distribution's python3-bt2; our Python has packages of its own.
DISTRIBUTION = "/usr/lib/python3/dist-packages"
FRAMES = "_frames"  # the length of a stack, a field before it
PART = 64 * PACKET  # part of a damaged file whose events are in memory at a time
WIDTHS = (8, 16, 32, 64)  # bits of an integer that all tools know
COLLECTED = 16  # traces after which Python looks for those that are not needed any more; below files.SPARE
MOST_CPUS = 8192  # the largest CONFIG_NR_CPUS on x86
MOST_THREAD = (1 << 31) - 1
THREADS = ("tid", "pid")  # items of the context that are ids of threads
NO_NAME = re.compile(r"[^A-Za-z0-9_]")
NO_SYSTEM = "markers"  # system of events whose markers have none

Value = int | str | list[int]


@dataclass(frozen=True)
class Field:
    """Form of a value of an event: `bits` of an integer, 0 of a text; `base` to print it in, 8, 10
    or 16; `many` for a list of integers."""

    name: str
    bits: int = 0
    signed: bool = False
    base: int = 10
    many: bool = False


@dataclass
class Class:
    """Events of the same system, name, context and fields. `id`: from 0, in the order of their first
    event."""

    id: int
    system: str
    name: str
    context: list[Field]
    fields: list[Field]


@dataclass
class Event:
    """An event of a recording. `time` in ns since 1970. `context` is that of --context, less stacks, which
    are fields."""

    time: int
    cpu: int
    kind: Class
    context: dict[str, Value] = field(default_factory=dict)
    fields: dict[str, Value] = field(default_factory=dict)

    def number(self, name: str) -> int:
        """An integer of the context, 0 if it was not recorded."""
        value = self.context.get(name, 0)
        return value if isinstance(value, int) else 0

    def thread(self) -> tuple[int, int, str] | None:
        """Return the thread of the event, its process and its name, if the first and the last were
        recorded."""
        if "tid" not in self.context or "comm" not in self.context:
            return None
        return (
            self.number("tid"),
            self.number("pid" if "pid" in self.context else "tid"),
            text_of(self.context["comm"]),
        )


def text_of(value: Value) -> str:
    """Return a text or a stack as text, because other tools have no type for stacks."""
    return " ".join(f"{one:#x}" for one in value) if isinstance(value, list) else valid(str(value))


def name_of(text: str) -> str:
    """The name of an event or a field for tools that take identifiers only."""
    return NO_NAME.sub("_", text) or "_"


def names_of(marker: str) -> tuple[str, str]:
    """Return the system and the name of the trace event of a marker, SYSTEM/NAME."""
    before, slash, behind = marker.partition("/")
    return (name_of(before), name_of(behind)) if slash else (NO_SYSTEM, name_of(marker))


def library() -> Any:
    """The module bt2. Failure if it is not installed."""
    if DISTRIBUTION not in sys.path:
        sys.path.append(DISTRIBUTION)
    try:
        import bt2
    except ImportError as problem:
        raise Failure(f"the Python module bt2 cannot be loaded ({problem}): tools/setup export") from None
    return bt2


def identity(trace: Any) -> str:
    """Return a text that no other trace has. babeltrace2 2.1 has it under another name in some traces."""
    try:
        return str(trace.uuid)
    except ValueError:
        return f"{trace.namespace}:{trace.name}:{trace.uid}"


# Identity of a class of events in all traces: trace, stream, number, name and layout.
Key = tuple[str, int, int, tuple[str, str], tuple[Field, ...], tuple[Field, ...]]


class Reader:
    """Reads a folder that is a trace, or contains traces. Each file of packets is read alone, and a damaged
    file packet by packet, so that the damage costs one packet. `broken`: number of files and packets that
    could not be read."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.broken = 0
        self.bt2 = library()
        # babeltrace2 raises the second one where a message of its own is not UTF-8.
        self.problems = (self.bt2._Error, UnicodeDecodeError, Damaged)
        self._classes: dict[Key, Class] = {}
        self._checked: dict[Path, bool] = {}
        self._scratch = Path()
        self._traces = 0  # in that folder
        self._ended = 0  # traces that have been read

    def _leave_out(self, path: Path, reason: str) -> None:
        self.broken += 1
        say(f"{path}: {reason}")

    @contextmanager
    def _trace(self, file: Path, data: bytes | None = None) -> Iterator[Path]:
        """Yield a folder with a trace that has the packets of that file alone, or DATA in their place.
        Remove it at the end, so that the copies of a damaged file need little disk."""
        self._traces += 1
        folder = self._scratch / str(self._traces)
        folder.mkdir()
        (folder / "metadata").symlink_to(file.with_name("metadata").absolute())
        if data is not None:
            (folder / file.name).write_bytes(data)
        elif file.name != "metadata":
            (folder / file.name).symlink_to(file.absolute())
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)
            # A trace that has been read is in a cycle of references, with its files open.
            self._ended += 1
            if self._ended % COLLECTED == 0:
                gc.collect()

    def _read(self, folder: Path, file: Path) -> Iterator[Event]:
        """Yield the events of one trace, made of FILE or a part of it. The component class is named,
        because babeltrace2 2.0.4 aborts when it guesses the class of a broken trace. Damaged for a packet
        of another CPU, and for more events than bytes: where the metadata gives events no bits, babeltrace2
        finds events without end. Events of a page come when the page has ended, so that none comes of a
        damaged page."""
        left = sum(one.stat().st_size for one in folder.iterdir() if one.name != "metadata")
        classes: dict[int, Class] = {}
        held: list[Event] | None = [] if self._has_pages(file) else None
        cpu = 0
        source = self.bt2.ComponentSpec.from_named_plugin_and_component_class(
            "ctf", "fs", {"inputs": [str(folder)]}
        )
        for message in self.bt2.TraceCollectionMessageIterator(source):
            if isinstance(message, self.bt2._PacketBeginningMessageConst):
                cpu = self._cpu(message.packet, named_cpu(file))
            elif isinstance(message, self.bt2._EventMessageConst):
                left -= 1
                if left < 0:
                    raise Damaged("has more events than bytes")
                event = self._event(message, cpu, classes)
                if held is None:
                    yield event
                else:
                    held.append(event)
            elif held and isinstance(message, self.bt2._PacketEndMessageConst):
                yield from held
                held.clear()

    @staticmethod
    def _cpu(packet: Any, named: int | None) -> int:
        """Return the CPU of a packet. Damaged if it has none, if no kernel has so many, or if the file is
        named after another one."""
        try:
            cpu = int(packet.context_field["cpu_id"])
        except (KeyError, TypeError, ValueError):
            raise Damaged("has no cpu_id") from None
        if not 0 <= cpu < MOST_CPUS:
            raise Damaged(f"has cpu_id {cpu}, and Linux has at most {MOST_CPUS} CPUs")
        if named not in (None, cpu):
            raise Damaged(f"has cpu_id {cpu}, but the file has the packets of CPU {named}")
        return cpu

    def events(self) -> Iterator[Event]:
        """Yield all readable events, ordered by their times, and report the others. Failure if there is no
        trace."""
        self._scratch = Path(tempfile.gettempdir())
        try:
            with tempfile.TemporaryDirectory(prefix="kmark-export.") as scratch:
                self._scratch = Path(scratch)
                streams = [self._events_of(file) for file in files.find(self.folder, self._leave_out)]
                yield from heapq.merge(*streams, key=lambda event: event.time)
        except OSError as problem:
            # The writer must not blame its own file. Files of the trace were handled where they were read.
            raise Failure(place_of(problem, self._scratch)) from None

    def _events_of(self, file: Path) -> Iterator[Event]:
        """Yield the events in a file of packets. Their times never decrease, as the formats of other tools
        require."""
        last = 0
        for event in self._whole_or_parts(file):
            last = event.time = max(last, event.time)
            yield event

    def _whole_or_parts(self, file: Path) -> Iterator[Event]:
        given = 0
        try:
            if self._has_pages(file):
                for _, data in self._pieces(file):
                    check_heads(data)
            with self._trace(file) as folder:
                for event in self._read(folder, file):
                    given += 1
                    yield event
            return
        except self.problems as problem:
            if file.name == "metadata" or not self._is_described(file):
                self._leave_out(file, self._reason(file, problem))
                return
        for place, data in self._pieces(file):
            for event in self._parts(file, place, data):
                given -= 1
                if given < 0:
                    yield event

    def _pieces(self, file: Path) -> Iterator[tuple[int, bytes]]:
        """Yield the pieces of a file, each with its place, up to a piece that cannot be read."""
        place = 0
        try:
            with file.open("rb") as packets:
                while data := packets.read(PART):
                    yield place, data
                    place += len(data)
        except OSError as problem:
            self._leave_out(file, f"at {place}: {problem.strerror}")

    def _has_pages(self, file: Path) -> bool:
        """Return true if the metadata beside a file gives packets the layout of kmark's packets."""
        metadata = file.with_name("metadata")
        if metadata not in self._checked:
            self._checked[metadata] = has_heads(metadata.read_text(errors="replace"))
        return self._checked[metadata] and file != metadata

    def _is_described(self, file: Path) -> bool:
        """True if the metadata beside a file can be read."""
        try:
            metadata = file.with_name("metadata")
            with self._trace(metadata) as folder:
                return not list(self._read(folder, metadata))
        except self.problems:
            return False

    def _parts(self, file: Path, place: int, data: bytes) -> Iterator[Event]:
        """The events in DATA, which begins at PLACE of the file: in halves, down to one packet, where it
        is damaged."""
        try:
            if self._has_pages(file):
                check_heads(data)
            with self._trace(file, data) as folder:
                found = list(self._read(folder, file))
            yield from found
        except self.problems as problem:
            if len(data) <= PACKET:
                self._leave_out(file, f"at {place}: {self._reason(file, problem)}")
                return
            half = -(-len(data) // PACKET) // 2 * PACKET
            yield from self._parts(file, place, data[:half])
            yield from self._parts(file, place + half, data[half:])

    def _reason(self, file: Path, problem: Any) -> str:
        if isinstance(problem, Damaged):
            return str(problem)
        if isinstance(problem, UnicodeDecodeError):
            return "babeltrace2 cannot read it, and its reason is not UTF-8"
        # The first cause comes after those of the components above it. It names the folder of _trace().
        cause = problem[0].message if len(problem) else str(problem)
        cause = re.sub(rf"{re.escape(str(self._scratch))}/\d+", lambda _: str(file.parent), cause)
        return f"babeltrace2 cannot read it: {cause}"

    def _event(self, message: Any, cpu: int, classes: dict[int, Class]) -> Event:
        """Return an event. Damaged if it has no time, or is of a thread that no kernel has."""
        found = message.event
        try:
            time = message.default_clock_snapshot.ns_from_origin
        except ValueError:
            raise Damaged("has events without a time") from None
        context = self._values(found.specific_context_field)
        for name in THREADS:
            value = context.get(name, 0)
            if not isinstance(value, int) or not 0 <= value <= MOST_THREAD:
                raise Damaged(f"has an event with {name} {str(value)[:24]!r}, which is no thread")
        return Event(time, cpu, self._class_of(found, classes), context, self._values(found.payload_field))

    def _class_of(self, found: Any, classes: dict[int, Class]) -> Class:
        """Return the Class of an event. CLASSES: those of the trace that is being read, by the addresses of
        their descriptions. Traces, also of the same identity, may use an id for different classes."""
        address = found.cls.addr
        if address not in classes:
            stream = found.stream
            key = (
                identity(stream.trace),
                stream.cls.id,
                found.cls.id,
                names_of(found.name or ""),
                tuple(self._layout(found.cls.specific_context_field_class)),
                tuple(self._layout(found.cls.payload_field_class)),
            )
            made = Class(len(self._classes), *key[3], list(key[4]), list(key[5]))
            classes[address] = self._classes.setdefault(key, made)
        return classes[address]

    def _layout(self, structure: Any) -> list[Field]:
        if structure is None:
            return []
        return [self._field(name, member.field_class)
                for name, member in structure.items() if not name.endswith(FRAMES)]  # fmt: skip

    def _field(self, name: str, kind: Any) -> Field:
        bt2 = self.bt2
        many = isinstance(kind, bt2._ArrayFieldClassConst)
        number = kind.element_field_class if many else kind
        if not isinstance(number, bt2._IntegerFieldClassConst):
            return Field(name)
        signed = isinstance(number, bt2._SignedIntegerFieldClassConst)
        bits = next(width for width in WIDTHS if number.field_value_range <= width)
        base = int(number.preferred_display_base)
        return Field(name, bits, signed, base if base in (8, 16) else 10, many)

    def _values(self, structure: Any) -> dict[str, Value]:
        if structure is None:
            return {}
        return {name: self._value(value)
                for name, value in structure.items() if not name.endswith(FRAMES)}  # fmt: skip

    def _value(self, value: Any) -> Value:
        bt2 = self.bt2
        if isinstance(value, bt2._StringFieldConst):
            # babeltrace2 2.0.4 leaves an older text in the place of an empty one, but its length is right.
            return str(value) if len(value) else ""
        if isinstance(value, bt2._ArrayFieldConst) and all(
            isinstance(one, bt2._IntegerFieldConst) for one in value
        ):
            return [int(one) for one in value]
        return int(value) if isinstance(value, bt2._IntegerFieldConst) else str(value)
