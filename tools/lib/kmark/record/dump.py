# SPDX-License-Identifier: GPL-2.0-only
"""Events of the probe `ctf` in a dump of a machine's memory: an ELF core, as kdump's /proc/vmcore,
`virsh dump --memory-only` and QEMU write it, or an image of the memory. No symbols are needed:
packets and descriptions are pages, which are found by what they begin with (probes/ctf/dump.h)."""

from __future__ import annotations

import mmap
import re
import struct
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from kmark import cache
from kmark.errors import Failure
from kmark.record import clock, layout
from kmark.record.recording import FORMAT, FORMATS, Trace
from kmark.record.sink import PACKET

PACKET_MAGIC = struct.pack("<I", 0xC1FC1FC1)
PACKET_HEADER = struct.Struct("<IIQQQQQQII")  # as in probes/ctf/packet.h; the last: CPU, id of the session
TEXT_MAGIC = b"marker-ctf-dump\n"
TEXT_HEADER = struct.Struct("<16sIII")  # magic, id, number, length
TEXT_AT = 48
ELF_HEADER = struct.Struct("<32xQ14xHH")  # 64 bits: where the segments are, size of an entry, how many
SEGMENT = struct.Struct("<II6Q")
LOAD = 1
NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")  # of a session, and of the folder of its trace
COMPRESSED = (b"KDUMP   ", b"makedumpfile")


@dataclass
class Session:
    """What a dump has of a session: `text`, pages of its description by their number; `packets`,
    those with events, by CPU, in no order; `unfinished`: packets that were being written."""

    text: dict[int, str] = field(default_factory=dict)
    packets: dict[int, list[bytes]] = field(default_factory=dict)
    unfinished: int = 0

    def describe(self) -> tuple[dict[str, str], list[dict[str, str]]]:
        """Its keys and the classes of its events. Failure if a page is missing, or something in it is
        not known."""
        lines = "".join(text for _, text in sorted(self.text.items())).splitlines()
        head = next((place for place, line in enumerate(lines) if line.startswith("#")), None)
        if head is None or max(self.text) != len(self.text) - 1:
            raise Failure("a page with the description of a session is not in the dump")
        columns = lines[head][1:].split("\t")
        keys = dict(line.split("\t", 1) for line in lines[:head] if "\t" in line)
        try:
            events = [dict(zip(columns, line.split("\t"), strict=True)) for line in lines[head + 1 :]]
            layout.events(events)
        except (KeyError, ValueError) as problem:
            raise Failure(f"the description of a session is damaged: {problem}"[:200]) from None
        if not NAME.fullmatch(keys.get("name", "")):
            raise Failure(f"a session cannot be called {keys.get('name', '')[:64]!r}")
        clock.clock_of(keys)
        return keys, events

    def in_order(self) -> Iterator[tuple[int, bytes]]:
        """CPU and packets, numbered from 0, by time."""
        for cpu, packets in sorted(self.packets.items()):
            packets.sort(key=lambda packet: PACKET_HEADER.unpack_from(packet)[2])
            yield cpu, b"".join(renumbered(packet, number) for number, packet in enumerate(packets))


def renumbered(packet: bytes, number: int) -> bytes:
    """With that number, and without the id."""
    words = [*PACKET_HEADER.unpack_from(packet)]
    words[6], words[9] = number, 0
    used = words[4] // 8
    return PACKET_HEADER.pack(*words) + packet[PACKET_HEADER.size : used] + bytes(PACKET - used)


def pieces(image: mmap.mmap) -> list[tuple[int, int]]:
    """Where memory lies in the file: begin and end of each piece, which begins with a page. Failure
    for a format that is not read here."""
    if image[:12].startswith(COMPRESSED):
        raise Failure("is compressed or flattened by makedumpfile: want an ELF core (makedumpfile -E)")
    if image[:4] != b"\x7fELF":
        return [(0, len(image))]
    if image[4:6] != b"\x02\x01":
        raise Failure("is an ELF file, but not of a 64-bit little-endian machine")
    table, size, count = ELF_HEADER.unpack_from(image)
    found = []
    for place in range(count):
        at = table + place * size
        if at + SEGMENT.size > len(image):
            raise Failure(f"ends before the entry of segment {place}")
        kind, _, offset, _, _, length, _, _ = SEGMENT.unpack_from(image, at)
        if kind == LOAD:
            found.append((offset, min(offset + length, len(image))))
    return found


def pages(image: mmap.mmap, magic: bytes) -> Iterator[bytes]:
    """The pages that begin so."""
    for begin, end in pieces(image):
        at = image.find(magic, begin, end)
        while at >= 0:
            if (at - begin) % PACKET == 0 and at + PACKET <= end:
                yield image[at : at + PACKET]
            at = image.find(magic, at + 1, end)


def search(image: mmap.mmap) -> list[Session]:
    """The sessions that were open when the dump was made."""
    sessions: dict[int, Session] = {}
    for page in pages(image, TEXT_MAGIC):
        _, number, place, length = TEXT_HEADER.unpack_from(page)
        text = page[TEXT_AT : TEXT_AT + length].decode(errors="replace")
        sessions.setdefault(number, Session()).text[place] = text
    for page in pages(image, PACKET_MAGIC):
        _, _, _, _, bits, size, _, _, cpu, number = PACKET_HEADER.unpack_from(page)
        session = sessions.get(number)
        if not session or size != PACKET * 8:
            continue
        if PACKET_HEADER.size * 8 < bits <= size:
            session.packets.setdefault(cpu, []).append(page)
        else:
            session.unfinished += 1
    return list(sessions.values())


def write(
    session: Session, keys: Mapping[str, str], events: list[dict[str, str]], folder: Path, version: str
) -> int:
    """A trace of it. Returns the number of packets. Failure as of Trace."""
    facts = {
        "tracer_name": "kmark",
        "domain": "kernel",
        "hostname": keys.get("hostname", ""),
        "kernel_release": keys.get("release", ""),
        "addresses": "raw",
    }
    trace = Trace(folder)
    try:
        # A dump does not have the id of the boot.
        ids = [str(uuid.uuid4()) for _ in range(2)]
        text = FORMATS[version](ids[0], clock.clock_of(keys), ids[1], events, facts)
        cache.write_whole(folder / "metadata", text.encode(), 0o600)
        for cpu, packets in session.in_order():
            trace.write(cpu, memoryview(packets))
    finally:
        trace.close()
    return trace.bytes // PACKET


def recover(path: Path, folder: Path, version: str = FORMAT) -> Iterator[tuple[str, int, int]]:
    """Writes a trace for each session in the dump PATH, below FOLDER, by its name. Gives name, packets
    written, and packets left out since an event was being stored there. Failure if the dump
    cannot be read or has none."""
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as image:
            sessions = search(image)
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
            raise Failure(f"{path}: {problem}") from None
        name = keys["name"]
        yield name, write(session, keys, events, folder / name, version), session.unfinished
