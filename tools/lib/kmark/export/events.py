# SPDX-License-Identifier: GPL-2.0-only
"""The events of a recording, in the order of their times, read by the library of babeltrace2."""

from __future__ import annotations

import heapq
import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kmark.errors import Failure, say
from kmark.foreign import valid

# Folder of the distribution's python3-bt2; our Python has packages of its own.
DISTRIBUTION = "/usr/lib/python3/dist-packages"
FRAMES = "_frames"  # the length of a stack, a field before it
PACKET = 4096  # bytes, of kmark's recordings
PART = 256 * PACKET  # part of a damaged file that is read at a time
WIDTHS = (8, 16, 32, 64)  # bits of an integer that all tools know
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


class Reader:
    """Reads a folder that is a trace, or contains traces. Each file of packets is read alone, and a damaged
    file packet by packet, so that the damage costs one packet. `broken`: number of files and packets that
    could not be read."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.broken = 0
        self.bt2 = library()
        # babeltrace2 raises the second one where a message of its own is not UTF-8.
        self.problems = (self.bt2._Error, UnicodeDecodeError)
        self._classes: dict[tuple[str, int], Class] = {}
        self._scratch = Path()
        self._traces = 0  # in that folder

    def _files(self) -> list[Path]:
        """The files of packets of all traces. Failure if there is no trace."""
        found = sorted(path.parent for path in self.folder.rglob("metadata"))
        if not found:
            raise Failure(f"{self.folder}: no trace, as there is no file called metadata")
        files = []
        for path in found:
            with (path / "metadata").open("rb") as metadata:
                if metadata.read(1) == b"\x1e":
                    self._leave_out(
                        path, "is in CTF 2, which kmark record export does not read; CTF 1.8 it does"
                    )
                    continue
            packets = sorted(one for one in path.iterdir() if one.is_file() and one.name != "metadata")
            files += packets or [path / "metadata"]
        return files

    def _leave_out(self, path: Path, reason: str) -> None:
        self.broken += 1
        say(f"{path}: {reason}")

    def _trace(self, file: Path, data: bytes | None = None) -> Path:
        """A folder with a trace that has the packets of that file alone, or DATA in their place."""
        self._traces += 1
        folder = self._scratch / str(self._traces)
        folder.mkdir()
        (folder / "metadata").symlink_to(file.with_name("metadata").absolute())
        if data is not None:
            (folder / file.name).write_bytes(data)
        elif file.name != "metadata":
            (folder / file.name).symlink_to(file.absolute())
        return folder

    def _read(self, folder: Path) -> Iterator[Event]:
        """Yield the events of one trace. The component class is named, because babeltrace2 2.0.4 aborts
        when it guesses the class of a broken trace."""
        source = self.bt2.ComponentSpec.from_named_plugin_and_component_class(
            "ctf", "fs", {"inputs": [str(folder)]}
        )
        for message in self.bt2.TraceCollectionMessageIterator(source):
            if isinstance(message, self.bt2._EventMessageConst):
                yield self._event(message)

    def events(self) -> Iterator[Event]:
        """Yield all readable events, ordered by their times, and report the others. Failure if there is no
        trace."""
        with tempfile.TemporaryDirectory(prefix="kmark-export.") as scratch:
            self._scratch = Path(scratch)
            streams = [self._events_of(file) for file in self._files()]
            yield from heapq.merge(*streams, key=lambda event: event.time)

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
            for event in self._read(self._trace(file)):
                given += 1
                yield event
            return
        except self.problems as problem:
            if file.name == "metadata" or not self._is_described(file):
                self._leave_out(file, self._reason(problem))
                return
        with file.open("rb") as packets:
            place = 0
            while data := packets.read(PART):
                for event in self._parts(file, place, data):
                    given -= 1
                    if given < 0:
                        yield event
                place += len(data)

    def _is_described(self, file: Path) -> bool:
        """True if the metadata beside a file can be read."""
        try:
            return not list(self._read(self._trace(file.with_name("metadata"))))
        except self.problems:
            return False

    def _parts(self, file: Path, place: int, data: bytes) -> Iterator[Event]:
        """The events in DATA, which begins at PLACE of the file: in halves, down to one packet, where it
        is damaged."""
        try:
            yield from list(self._read(self._trace(file, data)))
        except self.problems as problem:
            if len(data) <= PACKET:
                self._leave_out(file, f"at {place}: {self._reason(problem)}")
                return
            half = -(-len(data) // PACKET) // 2 * PACKET
            yield from self._parts(file, place, data[:half])
            yield from self._parts(file, place + half, data[half:])

    @staticmethod
    def _reason(problem: Any) -> str:
        if isinstance(problem, UnicodeDecodeError):
            return "babeltrace2 cannot read it, and its reason is not UTF-8"
        # The first cause comes after those of the components above it.
        return f"babeltrace2 cannot read it: {problem[0].message if len(problem) else problem}"

    def _event(self, message: Any) -> Event:
        found = message.event
        return Event(
            message.default_clock_snapshot.ns_from_origin,
            int(found.packet.context_field["cpu_id"]),
            self._class_of(found),
            self._values(found.specific_context_field),
            self._values(found.payload_field),
        )

    def _class_of(self, found: Any) -> Class:
        """Return the Class of an event; traces may use an id for different classes."""
        key = (identity(found.stream.trace), found.cls.id)
        if key not in self._classes:
            fields = [self._layout(found.cls.specific_context_field_class),
                      self._layout(found.cls.payload_field_class)]  # fmt: skip
            system, name = names_of(found.name or "")
            self._classes[key] = Class(len(self._classes), system, name, *fields)
        return self._classes[key]

    def _layout(self, structure: Any) -> list[Field]:
        if structure is None:
            return []
        return [self._field(name, member.field_class)
                for name, member in structure.items() if not name.endswith(FRAMES)]  # fmt: skip

    def _field(self, name: str, kind: Any) -> Field:
        bt2 = self.bt2
        if isinstance(kind, bt2._StringFieldClassConst):
            return Field(name)
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
