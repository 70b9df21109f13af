# SPDX-License-Identifier: GPL-2.0-only
"""Bytes that a site adds to the memory image, by kind of gate: the difference of two objects, one with the
site and one without (row A14 of the thread)."""

from __future__ import annotations

import csv
import textwrap
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from kmark import foreign
from kmark.binary import objects
from kmark.binary.objects import Object
from kmark.cache import TOP
from kmark.errors import Failure

NAME = "kmark-size/1"
TABLE = TOP / "bench/data/lkml-2006-size.tsv"
WIDTH = 72
TABLES = {"site": ".discard_markers", "gate": ".discard_marker_gates", "call": ".discard_marker_calls"}
COUNTED = (".text", *TABLES.values())
LINK, FLAG = 8, 1  # bytes of struct marker_site that are written at run time
ENVS = {
    "native": "Native: as in build/native/bench",
    "kernel": "Kernel: as in a module of the distribution's kernel",
}
LEGEND = (
    "hot: instructions passed while nothing is connected. cold: those out of line, up to the return or "
    "jump back. pad: between the two, up to 21, where the cold block's call would else cross a cache line. "
    "table: the entries of site, gate and call in their section tables; written: the part of them that "
    "changes at run time (link, and the flag of a generic gate). text: name, format and file. other: "
    "sections of the kernel's, named below; natively .eh_frame. Strings and tables are read when something "
    "is connected or listed, not when the site runs. Not counted: the function that unconnected calls "
    "call, once for each source file."
)


@dataclass(frozen=True)
class Size:
    """All in bytes. `other`: by section."""

    env: str
    gate: str
    hot: int
    cold: int
    pad: int
    written: int
    name: int
    format: int
    file: int
    site_entry: int
    gate_entry: int
    call_entry: int
    other: dict[str, int]

    @property
    def text(self) -> int:
        return self.name + self.format + self.file

    @property
    def table(self) -> int:
        return self.site_entry + self.gate_entry + self.call_entry


@dataclass(frozen=True)
class Printed:
    """A line of the thread's table; a name stands for its length."""

    what: str
    optimized: str
    generic: str
    optimized_corrected: str
    generic_corrected: str
    why: str


def grown(one: Object, without: Object, section: str) -> int:
    """Return the growth of a section in bytes."""
    return one.sizes.get(section, 0) - without.sizes.get(section, 0)


def code(one: Object, without: Object) -> tuple[int, int, int]:
    """Bytes of hot code, cold code and padding. The hot code is what precedes the function
    as it is without a site. Failure if that is not in it."""
    end = len(one.code) if one.cold is None else one.cold
    hot = one.code.find(without.code, 0, end)
    if hot < 0:
        raise Failure(f"{one.path}: the code behind the site is not the function without a site")
    return hot, len(one.code) - end, end - hot - len(without.code)


def of(env: str, one: Object, without: Object) -> Size:
    """Return the size of the site of one object. Failure unless the site has three strings."""
    hot, cold, pad = code(one, without)
    names = [len(text) + 1 for text in one.texts]
    if len(names) != 3:
        raise Failure(f"{one.path}: the site has {len(names)} strings, not name, format and file")
    sections = one.sizes.keys() | without.sizes.keys()
    rest = sorted(name for name in sections if name not in COUNTED and not name.startswith(".rodata"))
    entries = {what: grown(one, without, section) for what, section in TABLES.items()}
    return Size(
        env=env,
        gate=one.gate,
        hot=hot,
        cold=cold,
        pad=pad,
        written=LINK + (FLAG if one.gate == "generic" else 0),
        name=names[0],
        format=names[1],
        file=names[2],
        site_entry=entries["site"],
        gate_entry=entries["gate"],
        call_entry=entries["call"],
        other={name: grown(one, without, name) for name in rest if grown(one, without, name)},
    )


def load(envs: list[str], build: bool = True) -> list[Size]:
    """Sizes for each environment and gate; `build`: bring the objects up to date first."""
    found = []
    for env in envs:
        by_gate = objects.load(env, build)
        without = by_gate.pop(objects.WITHOUT)
        found += [of(env, one, without) for one in by_gate.values()]
    return found


def printed() -> list[Printed]:
    """The lines of the thread's table."""
    lines = (line for line in foreign.lines(TABLE.read_text()) if not line.startswith("#"))
    return [Printed(**row) for row in csv.DictReader(lines, delimiter="\t")]


def table(sizes: list[Size]) -> Iterator[str]:
    yield f"{'gate':<10}{'hot':>5}{'cold':>6}{'pad':>5}{'table':>7}{'written':>9}{'text':>6}{'other':>7}"
    for one in sizes:
        yield (
            f"{one.gate:<10}{one.hot:>5}{one.cold:>6}{one.pad:>5}{one.table:>7}{one.written:>9}"
            f"{one.text:>6}{sum(one.other.values()):>7}"
        )


def thread_table() -> Iterator[str]:
    yield "- The 2006 mails (i386), optimized and generic"
    yield ""
    yield f"{'':<16}{'as printed':>18}{'corrected':>20}"
    for line in printed():
        first, second = (
            f"{line.optimized} / {line.generic}",
            (f"{line.optimized_corrected} / {line.generic_corrected}"),
        )
        yield f"{line.what:<16}{first:>18}{second:>20}"
        if line.why != "-":
            yield textwrap.fill(line.why, WIDTH, initial_indent="    ", subsequent_indent="    ")


def others(sizes: list[Size]) -> Iterator[str]:
    """Other sections, with the gates that have them."""
    groups: dict[str, list[str]] = {}
    for one in sizes:
        names = ", ".join(f"{name} {count}" for name, count in one.other.items()) or "none"
        groups.setdefault(names, []).append(one.gate)
    for names, gates in groups.items():
        yield textwrap.fill(
            f"other of {' '.join(gates)}: {names}", WIDTH, subsequent_indent="  ", break_on_hyphens=False
        )


def lines(sizes: list[Size]) -> Iterator[str]:
    """All sizes, as text."""
    yield "What a site adds to the memory image, in bytes"
    for env in dict.fromkeys(one.env for one in sizes):
        mine = [one for one in sizes if one.env == env]
        yield from ("", f"- {ENVS[env]}", "", *table(mine), "", *others(mine))
        site, gate, call = (max(getattr(one, f"{what}_entry") for one in mine) for what in TABLES)
        yield f"table: site {site}, gate {gate}, call {call}; generic and call have no entry of a call"
        entry = mine[0]
        yield textwrap.fill(
            f"text: name {entry.name}, format {entry.format}, file {entry.file} (its path, as it was "
            "compiled)", WIDTH,
        )  # fmt: skip
    yield from ("", *thread_table(), "", textwrap.fill(LEGEND, WIDTH))


def record(sizes: list[Size]) -> dict[str, Any]:
    """All sizes, as JSON."""
    return {
        "schema": NAME,
        "sizes": [asdict(one) for one in sizes],
        "thread": [asdict(line) for line in printed()],
    }
