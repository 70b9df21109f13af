# SPDX-License-Identifier: GPL-2.0-only
"""The size that the patches add to vmlinux, and the size of an event as a marker and as a trace event. Read
from two images, one without the patches and one with them: symbols, tables and sections."""

from __future__ import annotations

import bisect
import struct
import textwrap
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from elftools.elf.elffile import ELFFile

from kmark.binary.objects import loaded, symbols
from kmark.errors import Failure

NAME = "kmark-image/2"
PREFIX = "markers:"
WIDTH = 72
BPF_MAP = 32  # a struct bpf_raw_event_map: include/linux/tracepoint-defs.h
KEY = 8  # where the static key is in a struct tracepoint
# Beginnings of the names of the symbols that each marker has.
OF_SITES = ("__tracepoint_mark_", "__marker_bpf", "__marker_symbols")
BEHIND = 56  # bytes of a struct marker after its struct tracepoint: patches/common/include/linux/marker.h
EXCEPTION = 12  # size of an entry of __ex_table: arch/x86/include/asm/extable.h
BRANCH = 16  # size of an entry of __jump_table: include/linux/jump_label.h
UNWIND = 4 + 6  # sizes of entries of .orc_unwind_ip and .orc_unwind
# Groups whose sections the linker pads to as much as 2 MB. Their size is the sum of their symbols; the
# size of other groups is the sum of their sections.
ALIGNED = ("code", "data")
GROUPS = {
    "code": (".text", ".init.text", ".exit.text", ".altinstr_replacement", ".altinstr_aux"),
    "unwind data": (".orc_unwind_ip", ".orc_unwind", ".orc_lookup"),
    "exception table": ("__ex_table",),
    "branches of static keys": ("__jump_table",),
    "read-only data": (".rodata", "__ksymtab", "__ksymtab_gpl", "__ksymtab_strings", "__param"),
    "data": (".data", ".data..percpu", ".bss", ".brk", ".init.data"),
}
# Trace event of the kernel at the place of each marker. Events that share a class are not counted, because
# the size of the class cannot be divided among them.
EVENTS = {
    "sched_switch": "sched_switch",
    "irq_entry": "irq_handler_entry",
    "irq_exit": "irq_handler_exit",
    "sys_enter": "sys_enter",
    "sys_exit": "sys_exit",
    "process_fork": "sched_process_fork",
    "process_exec": "sched_process_exec",
    "process_exit": "sched_process_exit",
    "initcall_level": "initcall_level",
    "sched_wakeup": "sched_wakeup",
    "sched_wakeup_new": "sched_wakeup_new",
    "softirq_entry": "softirq_entry",
    "softirq_exit": "softirq_exit",
    "page_fault": "page_fault_user",
    "block_issue": "block_rq_issue",
    "block_complete": "block_rq_complete",
    "net_receive": "netif_receive_skb",
    "net_transmit": "net_dev_queue",
}
# The symbols that TRACE_EVENT() makes, include/trace/.
TRACE_EVENT = [
    "__tracepoint_{}", "__tpstrtab_{}", "__tracepoint_ptr_{}", "__traceiter_{}", "__probestub_{}",
    "__SCK__tp_func_{}", "__SCT__tp_func_{}", "__bpf_trace_{}", "__bpf_trace_tp_map_{}", "__event_{}",
    "event_{}", "event_class_{}", "perf_trace_{}", "print_fmt_{}", "trace_event_fields_{}",
    "trace_event_raw_event_{}", "trace_event_type_funcs_{}", "trace_raw_output_{}",
    "trace_event_get_offsets_{}", "str__{}__trace_system_name",
]  # fmt: skip
LEGEND = (
    "Code and data are what symbols take: the linker aligns both to as much as 2 MB. text: by how much "
    "the functions around the marker grew, hot and cold. tables: the marker and its entry for BPF. "
    "strings: name and format, and the share of the file's path. unwind, branches: entries for code of "
    "these functions, of which the exception table counts as branches. Trace event: all symbols that "
    "TRACE_EVENT() makes, with their unwind data, but not the code at its sites; 'shared' where its "
    "class is that of others, too; '-' where there is none."
)


@dataclass(frozen=True)
class Symbol:
    name: str
    start: int
    size: int
    section: str


@dataclass(frozen=True)
class Site:
    """One struct marker of an image, of `size` bytes. `places`: addresses of its gates."""

    name: str
    format: str
    file: str
    places: tuple[int, ...]
    size: int


def base(name: str) -> str:
    """The function that a part of it (.cold, .part.0, .constprop.0) belongs to."""
    return name.partition(".")[0]


def section(names: list[str], index: int | str) -> str:
    """The section of a symbol; "" for one of the linker script that has none."""
    return names[index] if isinstance(index, int) else ""


class Image:
    """A vmlinux, with its symbols, sections and marker tables."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with path.open("rb") as file:
            elf = ELFFile(file)
            sections = [one for one in elf.iter_sections() if loaded(one)]
            self.sizes = {one.name: int(one["sh_size"]) for one in sections}
            # Sections of per-CPU data have addresses from 0 on, in a space of their own.
            kept = [one for one in sections if one["sh_type"] != "SHT_NOBITS" and one["sh_addr"] > 1 << 32]
            self._parts = [(int(one["sh_addr"]), one.data()) for one in kept]
            names = [one.name for one in elf.iter_sections()]
            self.symbols = [
                Symbol(one.name, int(one["st_value"]), int(one["st_size"]), section(names, one["st_shndx"]))
                for one in symbols(elf).iter_symbols()
                if one["st_info"]["type"] in ("STT_FUNC", "STT_OBJECT", "STT_NOTYPE") and one.name
            ]

    @cached_property
    def bounds(self) -> dict[str, int]:
        """Addresses by name of symbol."""
        return {one.name: one.start for one in self.symbols}

    @cached_property
    def _sized(self) -> list[Symbol]:
        return sorted((one for one in self.symbols if one.size), key=lambda one: one.start)

    @cached_property
    def _starts(self) -> list[int]:
        return [one.start for one in self._sized]

    @cached_property
    def by_base(self) -> dict[str, list[Symbol]]:
        """Symbols with a size, by the function that they belong to."""
        found: dict[str, list[Symbol]] = {}
        for one in self._sized:
            found.setdefault(base(one.name), []).append(one)
        return found

    def used(self, group: str, names: tuple[str, ...]) -> int:
        """Bytes that a group of sections takes; an alias takes none."""
        if group not in ALIGNED:
            return sum(self.sizes.get(name, 0) for name in names)
        return sum(
            {(one.section, one.start): one.size for one in self._sized if one.section in names}.values()
        )

    def bytes(self, at: int, size: int) -> bytes:
        """Return the bytes at an address. Failure if the address is in no section."""
        for start, data in self._parts:
            if start <= at and at + size <= start + len(data):
                found: bytes = data[at - start : at - start + size]
                return found
        raise Failure(f"{self.path}: no section at {at:#x}")

    def text(self, at: int) -> str:
        """The string at an address. Failure if the address is in no section."""
        for start, data in self._parts:
            if start <= at < start + len(data):
                return str(data[at - start : data.index(0, at - start)].decode())
        raise Failure(f"{self.path}: no text at {at:#x}")

    def function(self, at: int) -> str:
        """The function at an address. Failure if there is none."""
        index = bisect.bisect_right(self._starts, at) - 1
        one = self._sized[index]
        if index < 0 or at >= one.start + one.size:
            raise Failure(f"{self.path}: no function at {at:#x}")
        return base(one.name)

    def places(self) -> dict[int, list[int]]:
        """Addresses of the branches of each static key."""
        found: dict[int, list[int]] = {}
        for at in range(self.bounds["__start___jump_table"], self.bounds["__stop___jump_table"], BRANCH):
            code, _, key = struct.unpack("<iiq", self.bytes(at, BRANCH))
            found.setdefault(at + 8 + key & ~3, []).append(at + code)
        return found

    def sites(self) -> list[Site]:
        """All markers of the image, from their table."""
        start, stop = (self.bounds.get(f"__{word}___markers", 0) for word in ("start", "stop"))
        if start == stop:
            return []
        size = next(one.size for one in self._sized if one.start == start)
        places = self.places()
        found = []
        for at in range(start, stop, size):
            form, _, file = struct.unpack("<3Q", self.bytes(at + size - BEHIND, 24))
            (name,) = struct.unpack("<Q", self.bytes(at, 8))
            texts = (self.text(name).removeprefix(PREFIX), self.text(form), self.text(file))
            found.append(Site(*texts, tuple(places.get(at + KEY, ())), size))
        return found

    @cached_property
    def has_bpf(self) -> bool:
        """True if each marker is a raw tracepoint of BPF, too."""
        return any(base(one.name) == "__marker_bpf" for one in self._sized)

    @cached_property
    def _unwind(self) -> list[int]:
        return list(self._targets("__start_orc_unwind_ip", "__stop_orc_unwind_ip", 4))

    @cached_property
    def _exceptions(self) -> list[int]:
        return sorted(self._targets("__start___ex_table", "__stop___ex_table", EXCEPTION))

    @cached_property
    def _branches(self) -> list[int]:
        return sorted(self._targets("__start___jump_table", "__stop___jump_table", BRANCH))

    def _targets(self, start: str, stop: str, step: int) -> Iterator[int]:
        """The distance at the start of each entry, as an address."""
        for at in range(self.bounds[start], self.bounds[stop], step):
            yield at + struct.unpack("<i", self.bytes(at, 4))[0]

    def side_entries(self, found: list[Symbol]) -> tuple[int, int]:
        """Bytes of unwind data, and of branches and exceptions, that belong to these symbols."""
        unwind = sum(between(self._unwind, one) for one in found)
        exceptions = sum(between(self._exceptions, one) for one in found)
        branches = sum(between(self._branches, one) for one in found)
        return UNWIND * unwind, EXCEPTION * exceptions + BRANCH * branches


def between(addresses: list[int], one: Symbol) -> int:
    """Return the number of sorted addresses in a symbol."""
    first = bisect.bisect_left(addresses, one.start)
    return bisect.bisect_left(addresses, one.start + one.size) - first


@dataclass(frozen=True)
class Event:
    """The size of one event, in bytes. `trace`: as a trace event; None where it shares a class, or there is
    none."""

    name: str
    sites: int
    text: float
    tables: int
    strings: float
    unwind: float
    branches: float
    trace: int | None

    @property
    def marker(self) -> float:
        """Return the size as a marker, in bytes."""
        return self.text + self.tables + self.strings + self.unwind + self.branches


def trace_event(image: Image, name: str) -> int | None:
    """Bytes of the trace event; None if it has no class of its own."""
    wanted = {pattern.format(name) for pattern in TRACE_EVENT}
    found = [one for one in image.symbols if one.size and base(one.name) in wanted]
    if not any(one.name == f"event_class_{name}" for one in found):
        return None
    return sum(one.size for one in found) + sum(image.side_entries(found))


def events(without: Image, image: Image) -> list[Event]:
    """The markers that lie in functions of both images."""
    sites = [one for one in image.sites() if one.places]
    owners = {one: {image.function(place) for place in one.places} for one in sites}
    sites = [one for one in sites if all(name in without.by_base for name in owners[one])]
    shares = Counter(name for one in sites for name in owners[one])
    files = Counter(one.file for one in sites)
    grown = {name: growth(without, image, name) for name in shares}
    found = []
    for name in sorted({one.name for one in sites}):
        mine = [one for one in sites if one.name == name]
        parts = [[part / shares[owner] for part in grown[owner]] for one in mine for owner in owners[one]]
        text, unwind, branches = (sum(column) for column in zip(*parts, strict=True))
        strings = sum(
            len(PREFIX) + len(one.name) + len(one.format) + 2 + (len(one.file) + 1) / files[one.file]
            for one in mine
        )
        tables = sum(one.size + (BPF_MAP if image.has_bpf else 0) for one in mine)
        trace = trace_event(image, EVENTS[name]) if name in EVENTS else None
        found.append(Event(name, len(mine), text, tables, strings, unwind, branches, trace))
    return found


def growth(without: Image, image: Image, name: str) -> tuple[int, int, int]:
    """Return the growth of a function's text, unwind data and branches, in bytes."""
    before, after = without.by_base[name], image.by_base[name]
    text = sum(one.size for one in after) - sum(one.size for one in before)
    old, new = without.side_entries(before), image.side_entries(after)
    return text, new[0] - old[0], new[1] - old[1]


@dataclass(frozen=True)
class Growth:
    """Growth of vmlinux, in bytes: (without, with) by group of sections, and the parts of
    the difference."""

    groups: dict[str, tuple[int, int]]
    core: int
    events: list[Event]

    @property
    def all(self) -> int:
        return sum(after - before for before, after in self.groups.values())

    @property
    def markers(self) -> float:
        return sum(one.marker for one in self.events)


def groups(without: Image, image: Image) -> dict[str, tuple[int, int]]:
    """Bytes (without, with) by group of sections."""
    named = [name for names in GROUPS.values() for name in names]
    rest = [name for name in without.sizes | image.sizes if name not in named]
    lists = {**GROUPS, "other": tuple(rest)}
    return {group: (without.used(group, names), image.used(group, names)) for group, names in lists.items()}


def core(without: Image, image: Image) -> int:
    """Bytes of symbols that only the patched image has, with their unwind data; without
    markers."""
    new = [one for one in image.symbols if one.size and base(one.name) not in without.by_base]
    new = [one for one in new if not base(one.name).startswith(OF_SITES)]
    return sum(one.size for one in new) + sum(image.side_entries(new))


def compare(without: Path, patched: Path) -> Growth:
    """Return the growth of an image. `without`, `patched`: vmlinux of the same configuration. Failure if a
    table of markers cannot be read."""
    before, after = Image(without), Image(patched)
    return Growth(groups(before, after), core(before, after), events(before, after))


def event_table(found: list[Event]) -> Iterator[str]:
    yield (
        f"{'marker':<16}{'sites':>5}{'text':>6}{'tables':>7}{'strings':>8}{'unwind':>7}{'branch.':>8}"
        f"{'all':>5}{'trace event':>13}"
    )
    for one in found:
        trace = f"{one.trace:,}" if one.trace else "shared" if one.name in EVENTS else "-"
        yield (
            f"{one.name:<16}{one.sites:>5}{one.text:>6.0f}{one.tables:>7}{one.strings:>8.0f}{one.unwind:>7.0f}"
            f"{one.branches:>8.0f}{one.marker:>5.0f}{trace:>13}"
        )


def lines(growth_: Growth, conditions: str) -> Iterator[str]:
    """Yield the growth, as text. `conditions`: how the images were built."""
    yield f"vmlinux without and with the patches, in bytes: {conditions}"
    yield ""
    yield f"{'':<18}{'without':>12}{'with':>12}{'more':>10}"
    for name, (before, after) in growth_.groups.items():
        yield f"{name:<18}{before:>12,}{after:>12,}{after - before:>10,}"
    before, after = (sum(pair[n] for pair in growth_.groups.values()) for n in (0, 1))
    yield f"{'all':<18}{before:>12,}{after:>12,}{after - before:>10,}"
    sites = sum(one.sites for one in growth_.events)
    rest = growth_.all - growth_.core - growth_.markers
    yield ""
    yield f"- core and KUnit suite: {growth_.core:,}"
    yield f"- {sites} sites of {len(growth_.events)} markers: {growth_.markers:,.0f}"
    yield f"- the rest (names of symbols, strings, other functions, padding): {rest:,.0f}"
    yield ""
    yield from event_table(growth_.events)
    yield ""
    yield f"A site: {growth_.markers / sites:.0f} bytes in the mean." if sites else "No sites."
    yield textwrap.fill(LEGEND, WIDTH)


def record(growth_: Growth, conditions: str) -> dict[str, Any]:
    """The growth, as JSON; bytes."""
    return {"schema": NAME, "conditions": conditions, **asdict(growth_)}
