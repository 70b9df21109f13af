# SPDX-License-Identifier: GPL-2.0-only
"""A recording that is sent to another machine over TCP, and what receives it there.

The sender begins with MAGIC and the name of its machine; then come messages, each with its kind,
a CPU and the number of bytes behind it: the metadata, packets of that CPU, and at last the end.
The receiver writes them as they come, so it has a trace at any moment, and answers once: how many
bytes of packets it has kept, or why it ends."""

from __future__ import annotations

import platform
import re
import select
import socket
import struct
from pathlib import Path

from kmark.errors import Failure
from kmark.record.recording import FORMAT, Metadata, Trace
from kmark.record.sink import PACKET, READ_BYTES, Sink

PORT = 7706
MAGIC = b"kmark-stream/1\n"
HEAD = struct.Struct("!cIQ")
METADATA, PACKETS, END = b"M", b"P", b"E"  # what a sender says
KEPT, WRONG = b"K", b"W"  # and the answer
NAME = re.compile(rb"[A-Za-z0-9][A-Za-z0-9._-]{0,63}\n")
MOST = {METADATA: 1 << 28, PACKETS: READ_BYTES, END: 0, KEPT: 8, WRONG: 4096}  # bytes behind a head
STALL_S = 30.0  # without progress of the other side
KEEPALIVE_S = 60  # of silence, after which the kernel asks whether the other side is there
CHUNK = 1 << 16


def address(text: str) -> tuple[str, int]:
    """Of HOST, HOST:PORT, [HOST]:PORT. ValueError, for argparse."""
    found = re.fullmatch(r"(\[[^][]+\]|[^][:]+)(?::([0-9]{1,5}))?", text)
    if not found or int(found[2] or PORT) not in range(1, 1 << 16):
        raise ValueError(f"{text!r}: want HOST or HOST:PORT")
    return found[1].strip("[]"), int(found[2] or PORT)


class Broken(Exception):
    """The connection has ended, or what came is no message."""


class Stranger(Failure):
    """What has connected is no kmark record."""


class Link:
    """Messages over a connection."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        connection.settimeout(STALL_S)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, KEEPALIVE_S)

    def wait_longer(self) -> None:
        """From now on the other side may be silent while its machine lives."""
        self._connection.settimeout(None)

    def send(self, kind: bytes, cpu: int = 0, content: bytes | memoryview = b"") -> None:
        """OSError if the connection has ended, or nothing is taken for STALL_S."""
        self._connection.sendall(HEAD.pack(kind, cpu, len(content)))
        self._connection.sendall(content)

    def receive(self, *kinds: bytes) -> tuple[bytes, int, bytes]:
        """A message of one of KINDS: kind, CPU, what is behind it. Broken for anything else."""
        kind, cpu, length = HEAD.unpack(self.exactly(HEAD.size))
        if kind not in kinds or length > MOST[kind]:
            raise Broken(f"a message {kind!r} of {length} bytes, of {b''.join(kinds)!r}")
        return kind, cpu, self.exactly(length)

    def exactly(self, count: int) -> bytes:
        """So many bytes. Broken if they do not come."""
        found = bytearray()
        while len(found) < count:
            try:
                came = self._connection.recv(min(count - len(found), CHUNK))
            except OSError as problem:
                raise Broken(problem.strerror or "nothing comes") from None
            if not came:
                raise Broken("the connection has ended")
            found += came
        return bytes(found)

    def refuse(self, reason: str) -> None:
        """Says why, and takes what comes until the other side has heard it: closed at once, the
        connection would lose the reason. The other side may have gone."""
        try:
            self._connection.settimeout(STALL_S)
            self.send(WRONG, 0, reason.encode()[: MOST[WRONG]])
            self._connection.shutdown(socket.SHUT_WR)
            while self._connection.recv(CHUNK):
                pass
        except OSError:
            return

    def speaks(self) -> bool:
        """Whether something can be received at once."""
        return bool(select.select([self._connection], [], [], 0)[0])

    def close(self) -> None:
        self._connection.close()


class Stream:
    """With the methods of recording.Trace: sends what it is given to `kmark listen` at HOST and PORT.
    Failure if nothing listens there, and when the connection or the other side fails: the trace
    ends there."""

    removed = 0  # events, as of chunks.Chunks

    def __init__(self, host: str, port: int, version: str = FORMAT) -> None:
        self.name = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        self.bytes = 0
        self._metadata = Metadata(version)
        try:
            connection = socket.create_connection((host, port), STALL_S)
            self._link = Link(connection)
            machine = re.sub(r"[^A-Za-z0-9._-]", "-", platform.node())[:63] or "machine"
            connection.sendall(MAGIC + machine.encode() + b"\n")
        except OSError as problem:
            raise Failure(
                f"{self.name}: {problem.strerror or problem}: kmark listen has to run there"
            ) from None

    def describe(self, sink: Sink, last: bool = False) -> None:
        text = self._metadata.renewed(sink, last)
        if text is not None:
            self._send(METADATA, 0, text.encode())

    def write(self, cpu: int, packets: memoryview) -> None:
        self._send(PACKETS, cpu, packets)
        self.bytes += len(packets)

    def _send(self, kind: bytes, cpu: int = 0, content: bytes | memoryview = b"") -> None:
        try:
            if self._link.speaks():
                raise ConnectionAbortedError
            self._link.send(kind, cpu, content)
        except OSError as problem:
            reason = problem.strerror or "the connection has ended"
            raise Failure(f"{self.name}: {self._answer() or reason + '; the trace ends here'}") from None

    def _answer(self) -> str:
        """Why the other side ends; "" if it does not say."""
        try:
            return self._link.receive(WRONG)[2].decode(errors="replace")
        except Broken:
            return ""

    def abandon(self) -> None:
        """Nothing was recorded."""
        self._link.close()

    def close(self) -> None:
        """Failure if the other side has not kept everything."""
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
        if not folder.exists():
            try:
                return Trace(folder)
            except Failure:
                if not folder.exists():
                    raise
        number += 1


def receive(connection: socket.socket, parent: Path) -> tuple[Path, int]:
    """Writes one recording into a folder of its own below PARENT; returns that, and the bytes of its
    packets. Stranger if it is no recording. Failure if it is not whole, or cannot be written, of which
    the sender gets the reason; what came can be read then."""
    link = Link(connection)
    trace = None
    try:
        if link.exactly(len(MAGIC)) != MAGIC:
            raise Stranger("what has connected is no kmark record of this version")
        trace = new_folder(parent, machine_of(link))
        link.wait_longer()
        keep(link, trace)
        return trace.folder, trace.bytes
    except Failure as failure:
        if trace:
            link.refuse(str(failure))
        raise
    except (Broken, OSError) as problem:
        if not trace:
            raise Stranger(f"what has connected is no kmark record: {problem}") from None
        raise Failure(f"{trace.folder}: not whole, {trace.bytes} bytes of packets: {problem}") from None
    finally:
        if trace:
            trace.close()
        link.close()


def keep(link: Link, trace: Trace) -> None:
    """Writes what comes into TRACE until the sender says that it was all, and answers that."""
    while True:
        kind, cpu, content = link.receive(METADATA, PACKETS, END)
        if kind == END:
            link.send(KEPT, 0, trace.bytes.to_bytes(8, "big"))
            return
        if kind == METADATA:
            trace.write_metadata(content)
        elif len(content) % PACKET:
            raise Failure(f"{trace.folder}: {len(content)} bytes, not whole packets of {PACKET}")
        else:
            trace.write(cpu, memoryview(content))


def machine_of(link: Link) -> str:
    """The sender's name of itself. Stranger if that is no name of a folder."""
    line = b""
    while not line.endswith(b"\n") and len(line) < 65:
        line += link.exactly(1)
    if not NAME.fullmatch(line):
        raise Stranger(f"the name of a machine cannot be {line!r}")
    return line[:-1].decode()
