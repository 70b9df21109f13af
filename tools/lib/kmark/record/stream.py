# SPDX-License-Identifier: GPL-2.0-only
"""Sender and receiver of a recording over TCP.

The sender begins with MAGIC and the name of its machine, and then sends messages: the metadata,
packets of a CPU, and at last the end. The head of a message has its kind, a CPU and the number of bytes
that follow. The receiver writes each message at once, so that its trace can be read at any time. It
answers once: with the number of bytes of packets that it has written, or with the reason why it ends."""

from __future__ import annotations

import platform
import re
import select
import socket
import struct
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from kmark.errors import Failure
from kmark.record.recording import FORMAT, Metadata, Trace
from kmark.record.sink import PACKET, READ_BYTES, Sink

PORT = 7706
MAGIC = b"kmark-stream/1\n"
HEAD = struct.Struct("!cIQ")
METADATA, PACKETS, END = b"M", b"P", b"E"  # messages of a sender
KEPT, WRONG = b"K", b"W"  # and the answer
NAME = re.compile(rb"[A-Za-z0-9_][A-Za-z0-9._-]{0,63}\n")
MOST = {METADATA: 1 << 28, PACKETS: READ_BYTES, END: 0, KEPT: 8, WRONG: 4096}  # bytes behind a head
STALL_S = 30.0  # without progress of the other side
BEAT_S = 60.0  # silence after which the sender sends its metadata again
KEEPALIVE_S = 60  # silence after which the kernel checks the other side
CHUNK = 1 << 16  # whole packets
PACKET_MAGIC = (0xC1FC1FC1).to_bytes(4, "little")
BEGINNINGS = (b"/* CTF 1.8 */", b'\x1e{"')  # of the metadata of recording.FORMATS
FOLDER = 4096  # bytes that an empty trace is counted as


def address(text: str) -> tuple[str, int]:
    """Return host and port of HOST, HOST:PORT or [HOST]:PORT. ValueError for other texts."""
    found = re.fullmatch(r"(\[[^][]+\]|[^][:]+)(?::([0-9]{1,5}))?", text)
    if not found or int(found[2] or PORT) not in range(1, 1 << 16):
        raise ValueError(f"{text!r}: want HOST or HOST:PORT")
    return found[1].strip("[]"), int(found[2] or PORT)


@dataclass(frozen=True)
class Limits:
    """Limits of one connection: bytes of its files, bytes of its metadata, number of CPUs, and seconds for
    a message or for 64 KiB of it."""

    size: int
    metadata: int = 64 << 20
    streams: int = 4096
    idle: float = 600.0


class Broken(Exception):
    """The connection has ended, or received bytes are no message."""


class Stranger(Failure):
    """The other side of the connection is no kmark record."""


class Link:
    """Messages over a connection."""

    _wait_s = STALL_S

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        connection.settimeout(STALL_S)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, KEEPALIVE_S)

    def wait(self, seconds: float) -> None:
        """Set the time for which the other side may be silent from now on."""
        self._wait_s = seconds

    def send(self, kind: bytes, cpu: int = 0, content: bytes | memoryview = b"") -> None:
        """OSError if the connection has ended, or nothing is taken for STALL_S."""
        self._connection.settimeout(STALL_S)
        self._connection.sendall(HEAD.pack(kind, cpu, len(content)))
        self._connection.sendall(content)

    def receive(self, *kinds: bytes) -> tuple[bytes, int, bytes]:
        """Receive a message of one of KINDS: kind, CPU, content. Broken for any other message."""
        kind, cpu, length = self.head(*kinds)
        return kind, cpu, self.exactly(length)

    def head(self, *kinds: bytes) -> tuple[bytes, int, int]:
        """The head of a message of one of KINDS: kind, CPU, how many bytes are behind it. Broken for
        anything else."""
        kind, cpu, length = HEAD.unpack(self.exactly(HEAD.size))
        if kind not in kinds or length > MOST[kind]:
            names = (kind.decode("ascii", "replace"), b" or ".join(kinds).decode())
            raise Broken(f"a message of kind {names[0]!r} and {length} bytes, want {names[1]}")
        return kind, cpu, length

    def parts(self, count: int) -> Iterator[bytes]:
        """Receive that number of bytes in parts of CHUNK, which take little memory. Broken as from
        exactly()."""
        while count:
            part = self.exactly(min(count, CHUNK))
            count -= len(part)
            yield part

    def exactly(self, count: int) -> bytes:
        """Receive that number of bytes. Broken if they do not come in time."""
        found = bytearray()
        until = time.monotonic() + self._wait_s
        while len(found) < count:
            try:
                self._connection.settimeout(max(until - time.monotonic(), 0.001))
                came = self._connection.recv(min(count - len(found), CHUNK))
            except TimeoutError:
                raise Broken(f"nothing whole has come for {self._wait_s:g} s") from None
            except OSError as problem:
                raise Broken(problem.strerror) from None
            if not came:
                raise Broken("the connection has ended")
            found += came
        return bytes(found)

    def refuse(self, reason: str) -> None:
        """Send the reason, and receive until the other side has read it, because closing at once would lose
        the reason. The other side may have gone."""
        try:
            self.send(WRONG, 0, reason.encode()[: MOST[WRONG]])
            self._connection.shutdown(socket.SHUT_WR)
            until = time.monotonic() + STALL_S
            while time.monotonic() < until and self._connection.recv(CHUNK):
                pass
        except OSError:
            return

    def speaks(self) -> bool:
        """True if something can be received at once."""
        return bool(select.select([self._connection], [], [], 0)[0])

    def close(self) -> None:
        self._connection.close()


class Stream:
    """A place with the methods of recording.Trace: sends its input to `kmark record listen` at HOST and
    PORT. Failure if nothing listens there, and when the connection or the other side fails: the trace ends
    there."""

    removed = 0  # events, as of chunks.Chunks

    def __init__(self, host: str, port: int, version: str = FORMAT) -> None:
        self.name = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        self.bytes = 0
        self._metadata = Metadata(version)
        self._text = b""
        self._sent = time.monotonic()
        try:
            connection = socket.create_connection((host, port), STALL_S)
            self._link = Link(connection)
            connection.sendall(MAGIC + name_of(platform.node()).encode() + b"\n")
        except OSError as problem:
            raise Failure(
                f"{self.name}: {problem.strerror or problem}: kmark record listen has to run there"
            ) from None

    def describe(self, sink: Sink, last: bool = False) -> None:
        text = self._metadata.renewed(sink, last)
        if text is not None:
            self._text = text.encode()
            self._send(METADATA, 0, self._text)

    def beat(self) -> None:
        """After a while without events, sends the metadata again: the other side ends a connection on which
        nothing comes."""
        if time.monotonic() - self._sent >= BEAT_S:
            self._send(METADATA, 0, self._text)

    def write(self, cpu: int, packets: memoryview) -> None:
        self._send(PACKETS, cpu, packets)
        self.bytes += len(packets)

    def _send(self, kind: bytes, cpu: int = 0, content: bytes | memoryview = b"") -> None:
        try:
            if self._link.speaks():
                raise ConnectionAbortedError
            self._link.send(kind, cpu, content)
            self._sent = time.monotonic()
        except OSError as problem:
            reason = problem.strerror or "the connection has ended"
            raise Failure(f"{self.name}: {self._answer() or reason + '; the trace ends here'}") from None

    def _answer(self) -> str:
        """Return the reason why the other side ends; "" if it gives none."""
        try:
            return self._link.receive(WRONG)[2].decode(errors="replace")
        except Broken:
            return ""

    def abandon(self) -> None:
        """Abandon the stream, because nothing was recorded."""
        self._link.close()

    def close(self) -> None:
        """Close the stream. Failure if the other side has not kept everything."""
        self._send(END)
        try:
            kind, _, content = self._link.receive(KEPT, WRONG)
        except Broken as problem:
            raise Failure(f"{self.name}: {problem}: it may not have kept the end of the trace") from None
        finally:
            self._link.close()
        if kind == WRONG:
            raise Failure(f"{self.name}: {content.decode(errors='replace')}")
        kept = int.from_bytes(content, "big")
        if kept != self.bytes:
            raise Failure(f"{self.name}: it has kept {kept} of {self.bytes} bytes")


def new_folder(parent: Path, machine: str) -> Trace:
    """A trace in PARENT, called MACHINE-1, -2, ... Failure if it cannot be made."""
    number = 1
    while True:
        folder = parent / f"{machine}-{number}"
        try:
            return Trace(folder)
        except Failure:
            if not folder.exists():
                raise
        number += 1


def name_of(node: str) -> str:
    """Return the name that the machine NODE gives itself, changed so that it matches NAME."""
    return re.sub(r"[^A-Za-z0-9._-]", "-", node).lstrip(".-")[:63] or "machine"


def receive(
    connection: socket.socket, parent: Path, limits: Limits, used: Callable[[int], None]
) -> tuple[Path, int]:
    """Writes one recording into a folder of its own below PARENT; returns that, and the bytes of its
    packets. USED gets how many bytes of the disk it has used. Stranger if it is no recording. Failure if
    it is not whole, cannot be written, or reaches a limit, of which the sender gets the reason; what came
    can be read then."""
    trace = None
    link = Link(connection)
    try:
        if link.exactly(len(MAGIC)) != MAGIC:
            raise Stranger("what has connected is no kmark record of this version")
        trace = new_folder(parent, machine_of(link))
        link.wait(limits.idle)
        keep(link, trace, limits)
        return trace.folder, trace.bytes
    except Failure as failure:
        if not isinstance(failure, Stranger):
            link.refuse(str(failure))
        raise
    except (Broken, OSError) as problem:
        if not trace:
            raise Stranger(f"what has connected is no kmark record: {problem}") from None
        raise Failure(f"{trace.folder}: not whole, {trace.bytes} bytes of packets: {problem}") from None
    finally:
        if trace:
            trace.close()
            used(FOLDER + trace.disk())
        link.close()


def keep(link: Link, trace: Trace, limits: Limits) -> None:
    """Write the received packets into TRACE until the sender says that the recording is complete, and
    confirm that. Failure if they exceed a limit."""
    cpus: set[int] = set()
    metadata = 0
    while True:
        kind, cpu, length = link.head(METADATA, PACKETS, END)
        if kind != METADATA and not metadata:
            raise Failure(f"{trace.folder}: no metadata has come")
        if kind == END:
            link.send(KEPT, 0, trace.bytes.to_bytes(8, "big"))
            return
        if kind == METADATA:
            if length < len(BEGINNINGS[0]):
                raise Failure(f"{trace.folder}: {length} bytes are no metadata")
            metadata = max(metadata, length)
            check(trace, "--max-metadata", metadata, limits.metadata)
        elif length % PACKET or not length:
            raise Failure(f"{trace.folder}: {length} bytes, not whole packets of {PACKET}")
        else:
            cpus.add(cpu)
            check(trace, "--max-cpus", len(cpus), limits.streams)
        coming = length if kind == PACKETS else 0
        check(trace, "--max-size", FOLDER + metadata + trace.bytes + coming, limits.size)
        if kind == METADATA:
            trace.write_metadata(described(trace, link.parts(length)))
        else:
            for part in link.parts(length):
                if any(part[at : at + 4] != PACKET_MAGIC for at in range(0, len(part), PACKET)):
                    raise Failure(f"{trace.folder}: what has come as packets is none")
                trace.write(cpu, memoryview(part))
            # A connection has only one file open at a time.
            trace.close()


def described(trace: Trace, parts: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the parts of metadata. Failure if they do not begin as metadata does."""
    first = next(parts)
    if not first.startswith(BEGINNINGS):
        raise Failure(f"{trace.folder}: what has come as metadata is none")
    yield first
    yield from parts


def check(trace: Trace, option: str, wanted: int, most: int) -> None:
    """Check a limit. Failure if a connection exceeds it."""
    if wanted > most:
        raise Failure(f"{trace.folder}: {option} of {most} is reached; the trace ends here")


def machine_of(link: Link) -> str:
    """The sender's name of itself. Stranger if that is no name of a folder."""
    line = b""
    until = time.monotonic() + STALL_S
    while not line.endswith(b"\n") and len(line) < 65 and time.monotonic() < until:
        line += link.exactly(1)
    if not NAME.fullmatch(line):
        raise Stranger(
            f"the name of a machine cannot be {line.decode('ascii', 'backslashreplace').strip()!r}"
        )
    return line[:-1].decode()
