# SPDX-License-Identifier: GPL-2.0-only
"""Events of the probe `ctf` in a dump of a machine's memory: an ELF core, as kdump's /proc/vmcore,
`virsh dump --memory-only` and QEMU write it, or an image of the memory. No symbols are needed:
packets and descriptions are pages, which are found by what they begin with (probes/ctf/dump.h)."""

from __future__ import annotations

import mmap
import re
import struct
import uuid
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate, chain, count
from pathlib import Path

from kmark import cache, foreign, release
from kmark.errors import Failure, say
from kmark.progress import Progress
from kmark.record import clock, layout, packets
from kmark.record.recording import FORMAT, FORMATS, Trace
from kmark.record.sink import PACKET

PACKET_MAGIC = struct.pack("<I", 0xC1FC1FC1)
TEXT_MAGIC = b"marker-ctf-dump\n"
TEXT_HEADER = struct.Struct("<16sIII")  # magic, id, number, length
TEXT_AT = 48
ELF_HEADER = struct.Struct("<32xQ14xHH")  # 64 bits: where the segments are, size of an entry, how many
SEGMENT = struct.Struct("<II6Q")
LOAD = 1
NEVER = (1 << 64) - 1
NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")  # name of a session, and of the folder of its trace
COMPRESSED = (b"KDUMP   ", b"makedumpfile")
SHOWN = 64 << 20  # bytes between two looks at the progress

Show = Callable[[int, int], None]


@dataclass
class Session:
    """A session in a dump: `text`, pages of its description by their number; `packets`, those with events,
    by CPU, and by time and number; `unfinished`: packets that were being written; `damaged`: pages of which
    something is left out."""

    text: dict[int, str] = field(default_factory=dict)
    packets: dict[int, dict[tuple[int, int], bytes]] = field(default_factory=dict)
    unfinished: int = 0
    damaged: int = 0

    def whole_lines(self, text: str) -> list[str]:
        """Return the lines of a page. The kernel writes whole lines, so anything behind them is damaged."""
        lines, _, rest = text.rpartition("\n")
        self.damaged += bool(rest)
        return foreign.lines(lines)

    def describe(self) -> tuple[dict[str, str], list[dict[str, str]]]:
        """Return the keys of the session and the classes of its events. A class that cannot be read is
        reported and left out. Failure without the first page, or if a key is missing or not known."""
        lines = self.whole_lines(self.text.get(0, ""))
        head = next((place for place, line in enumerate(lines) if line.startswith("#")), None)
        if head is None:
            raise Failure("the first page with the description of a session is not in the dump")
        pairs = (line.split("\t", 1) for line in lines[:head] if "\t" in line)
        keys = {key: foreign.unescaped(value) for key, value in pairs}
        if not NAME.fullmatch(keys.get("name", "")):
            raise Failure(f"a session cannot be called {keys.get('name', '')[:64]!r}")
        layout.check_version(keys)
        clock.clock_of(keys)
        columns = lines[head][1:].split("\t")
        events: dict[int, dict[str, str]] = {}
        for place, text in sorted(self.text.items()):
            for line in lines[head + 1 :] if not place else self.whole_lines(text):
                try:
                    row = dict(zip(columns, map(foreign.unescaped, line.split("\t")), strict=True))
                    events.setdefault(layout.event(row).id, row)
                except (Failure, KeyError, ValueError) as problem:
                    self.damaged += 1
                    say(f"session {keys['name']}: a class of events is left out: {problem}"[:200])
        return keys, list(events.values())

    def in_order(self, classes: Mapping[int, layout.Event]) -> Iterator[tuple[int, bytes]]:
        """CPU and packets, numbered from 0, by time: as much of each packet as can be read. A CPU has two
        buffers; one of them gets events until a snapshot is taken, and continues its last packet after the
        next one. So such a packet is cut where packets of the other buffer belong."""
        for cpu, found in sorted(self.packets.items()):
            readable = [packets.readable(packet, classes) for packet in found.values()]
            cuts = sorted(one.first for parts in readable for one in parts)
            for at, parts in enumerate(readable):
                for one in parts:
                    own = bisect_left(cuts, one.first)
                    if own + 1 < bisect_left(cuts, one.last):
                        others = cuts[:own] + cuts[own + 1 :]
                        readable[at] = packets.readable(one.packet, classes, others)
            kept: list[packets.Readable] = []
            for one in sorted(chain.from_iterable(readable), key=lambda one: one.first):
                if not kept or kept[-1].last <= one.first:
                    kept.append(one)
            self.damaged += len(found) - sum(one.whole for one in kept)
            latest = [*(one.first for one in kept[1:]), NEVER]
            # A packet that was cut knows only what was lost up to its end.
            lost = list(accumulate((one.lost for one in reversed(kept)), min))[::-1]
            if kept:
                yield cpu, b"".join(one.cut(at, latest[at], lost[at]) for at, one in enumerate(kept))


def pieces(image: mmap.mmap) -> list[tuple[int, int]]:
    """Return begin and end of each piece of memory in the file, which begins with a page. Failure for an
    unknown format."""
    if image[:12].startswith(COMPRESSED):
        raise Failure("is compressed or flattened by makedumpfile: want an ELF core (makedumpfile -E)")
    if image[:4] != b"\x7fELF":
        return [(0, len(image))]
    if image[4:6] != b"\x02\x01":
        raise Failure("is an ELF file, but not of a 64-bit little-endian machine")
    table, size, count = ELF_HEADER.unpack_from(image)
    found: list[tuple[int, int]] = []
    for place in range(count):
        at = table + place * size
        if at + SEGMENT.size > len(image):
            if found:
                say(f"the dump ends before the entry of segment {place}")
                break
            raise Failure(f"ends before the entry of segment {place}")
        kind, _, offset, _, _, length, _, _ = SEGMENT.unpack_from(image, at)
        if kind == LOAD:
            found.append((offset, min(offset + length, len(image))))
    return found


def pages(image: mmap.mmap, where: list[tuple[int, int]], magic: bytes, show: Show) -> Iterator[bytes]:
    """The pages in these pieces that begin so. `show` gets the bytes so far, and all of them."""
    done, total = 0, sum(end - begin for begin, end in where)
    for begin, end in where:
        # Not mmap.find(), which reads beyond the end of the file in Python before 3.11.4.
        for part in range(begin, end, SHOWN):
            show(done + part - begin, total)
            for at in range(part, min(part + SHOWN, end - PACKET + 1), PACKET):
                if image[at : at + len(magic)] == magic:
                    yield image[at : at + PACKET]
        done += end - begin


def search(image: mmap.mmap, show: Callable[[int, int, int, int], None]) -> list[Session]:
    """The sessions that were open when the dump was made, and of which older dumps are in the memory.
    `show`: as Progress.show_part()."""
    sessions: dict[int, Session] = {}
    where = pieces(image)
    for page in pages(image, where, TEXT_MAGIC, partial(show, 0, 2)):
        _, number, place, length = TEXT_HEADER.unpack_from(page)
        text = page[TEXT_AT : TEXT_AT + length].decode(errors="replace")
        texts = sessions.setdefault(number, Session()).text
        # The later of two copies has more classes.
        texts[place] = max(texts.get(place, ""), text, key=len)
    for page in pages(image, where, PACKET_MAGIC, partial(show, 1, 2)):
        _, _, begin, _, bits, size, place, _, cpu, number = packets.HEADER.unpack_from(page)
        session = sessions.get(number)
        if not session or size != PACKET * 8:
            continue
        if packets.HEADER.size * 8 < bits <= size:
            same = session.packets.setdefault(cpu, {})
            # The later of two copies has more events.
            same[begin, place] = max(same.get((begin, place), b""), page, key=content)
        elif bits <= size:
            session.unfinished += 1
        else:
            session.damaged += 1
    return list(sessions.values())


def content(packet: bytes) -> int:
    """Bits of a packet that are in use; 0 of none."""
    return int(packets.HEADER.unpack_from(packet)[4]) if packet else 0


def free_name(folder: Path, name: str) -> str:
    """Return NAME, or NAME-2 and so on, whichever FOLDER does not have."""
    found = name
    for number in count(2):
        if not (folder / found).exists():
            break
        found = f"{name}-{number}"
    return found


def write(
    session: Session, keys: Mapping[str, str], events: list[dict[str, str]], folder: Path, version: str
) -> int:
    """Writes a trace of the session and returns the number of packets. Failure as of Trace."""
    facts = {
        "tracer_name": "kmark",
        "tracer_version": release.version(),
        "domain": "kernel",
        "hostname": keys.get("hostname", ""),
        "kernel_release": keys.get("release", ""),
        "addresses": "raw",
        "packet_version": layout.VERSION,
    }
    trace = Trace(folder)
    try:
        # A dump does not have the id of the boot.
        ids = [str(uuid.uuid4()) for _ in range(2)]
        text = FORMATS[version](ids[0], clock.clock_of(keys), ids[1], events, facts)
        cache.write_whole(folder / "metadata", text.encode(), 0o600)
        classes = {one.id: one for one in layout.events(events)}
        for cpu, pieces_ in session.in_order(classes):
            trace.write(cpu, memoryview(pieces_))
    finally:
        trace.close()
    return trace.bytes // PACKET


@dataclass
class Recovered:
    """The trace of a session, or the reason why there is none. `packets`: written packets; `unfinished`:
    packets left out because an event was being stored there; `damaged`: pages that are partly left out."""

    name: str = ""
    packets: int = 0
    unfinished: int = 0
    damaged: int = 0
    trouble: str = ""


def recover(path: Path, folder: Path, version: str = FORMAT) -> Iterator[Recovered]:
    """Writes a trace for each session in the dump PATH, below FOLDER, by its name. A session that cannot be
    described costs that session. Failure if the dump cannot be read or has none."""
    if path.exists() and not path.is_file():
        raise Failure(f"{path}: no regular file")
    try:
        if not path.stat().st_size:
            raise Failure("is empty")
        with (
            path.open("rb") as file,
            mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as image,
            Progress(f"searching {foreign.shown(str(path))}", only_terminal=True) as progress,
        ):
            sessions = search(image, progress.show_part)
    except (OSError, ValueError, struct.error) as problem:
        raise Failure(f"{path}: {getattr(problem, 'strerror', None) or problem}") from None
    except Failure as problem:
        raise Failure(f"{path}: {problem}") from None
    if not sessions:
        raise Failure(f"{path}: no session of probe_ctf.ko is in it")
    for session in sessions:
        try:
            keys, events = session.describe()
        except Failure as problem:
            yield Recovered(trouble=f"{path}: {problem}")
            continue
        name = free_name(folder, keys["name"])
        written = write(session, keys, events, folder / name, version)
        yield Recovered(name, written, session.unfinished, session.damaged)
