# SPDX-License-Identifier: GPL-2.0-only
"""The events of a recording, in the order of their times, read by the library of babeltrace2."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kmark.errors import Failure

# Where the distribution's python3-bt2 is; our Python has packages of its own.
DISTRIBUTION = "/usr/lib/python3/dist-packages"
FRAMES = "_frames"  # the length of a stack, a field before it

Value = int | str | list[int]


@dataclass(frozen=True)
class Field:
    """How a value of an event looks: `bits` of an integer, 0 of a text; `base` to print it in, 8, 10
    or 16; `many` for a list of integers."""

    name: str
    bits: int = 0
    signed: bool = False
    base: int = 10
    many: bool = False


@dataclass
class Class:
    """Events of the same name, context and fields. `id`: from 0, in the order of their first event."""

    id: int
    name: str
    context: list[Field]
    fields: list[Field]


@dataclass
class Event:
    """`time` in ns since 1970. `context` is that of --context, less stacks, which are fields."""

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
        """Its thread, process and name, if the first and the last were recorded."""
        if "tid" not in self.context or "comm" not in self.context:
            return None
        return (
            self.number("tid"),
            self.number("pid" if "pid" in self.context else "tid"),
            str(self.context["comm"]),
        )


def text_of(value: Value) -> str:
    """A text or a stack, as other tools have it: none of them has a type for stacks."""
    return " ".join(f"{one:#x}" for one in value) if isinstance(value, list) else str(value)


def library() -> Any:
    """The module bt2. Failure if it is not installed."""
    if DISTRIBUTION not in sys.path:
        sys.path.append(DISTRIBUTION)
    try:
        import bt2
    except ImportError as problem:
        raise Failure(f"the Python module bt2 cannot be loaded ({problem}): tools/setup export") from None
    return bt2


class Reader:
    """Of a folder that is a trace, or has several below it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.bt2 = library()
        self._classes: dict[tuple[str, int], Class] = {}

    def _sources(self) -> list[Any]:
        """One for each trace; named, as version 2.0.4 aborts where it guesses what a broken one is."""
        found = sorted(path.parent for path in self.folder.rglob("metadata"))
        if not found:
            raise Failure(f"{self.folder}: no trace, as there is no file called metadata")
        for path in found:
            with (path / "metadata").open("rb") as metadata:
                if metadata.read(1) == b"\x1e":
                    raise Failure(f"{path}: is in CTF 2, which kmark export does not read; CTF 1.8 it does")
        return [
            self.bt2.ComponentSpec.from_named_plugin_and_component_class(
                "ctf", "fs", {"inputs": [str(path)]}
            )
            for path in found
        ]

    def events(self) -> Iterator[Event]:
        """Failure if something cannot be read."""
        try:
            for message in self.bt2.TraceCollectionMessageIterator(self._sources()):
                if isinstance(message, self.bt2._EventMessageConst):
                    yield self._event(message)
        except self.bt2._Error as problem:
            # The first cause is behind those of the components that it went through.
            reason = problem[0].message if len(problem) else problem
            raise Failure(f"{self.folder}: babeltrace2 cannot read it: {reason}") from None

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
        """The same id may stand for another class in another of the traces."""
        key = (str(found.stream.trace.uuid), found.cls.id)
        if key not in self._classes:
            fields = [self._layout(found.cls.specific_context_field_class),
                      self._layout(found.cls.payload_field_class)]  # fmt: skip
            self._classes[key] = Class(len(self._classes), found.name, *fields)
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
        signed = isinstance(number, bt2._SignedIntegerFieldClassConst)
        return Field(name, number.field_value_range, signed, int(number.preferred_display_base), many)

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
        if isinstance(value, bt2._ArrayFieldConst):
            return [int(one) for one in value]
        return int(value)
