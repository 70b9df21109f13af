# SPDX-License-Identifier: GPL-2.0-only
"""kmark record listen: receives recordings of other machines."""

from __future__ import annotations

import argparse
import os
import socket
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from kmark import cache
from kmark.commands.common import describe, duration, number, positive, size
from kmark.errors import Failure, Usage, say
from kmark.live.ending import Ending

if TYPE_CHECKING:
    from collections.abc import Callable

    from kmark.record import stream

LOOK_S = 0.2  # between two looks at whether to end
LOCAL = "127.0.0.1"
FILES_OF_ONE = 4  # the connection, a file of packets or of metadata, and what opening it takes


def port(text: str) -> int:
    """Return the number of a port, for argparse."""
    return number(text, int, "the number of a port, up to 65535", lambda found: 0 <= found < 1 << 16)


class Receiver:
    """Receives each recording in a thread of its own. `whole` and `broken`: how many have ended so;
    `open`: how many have not ended.

    The limits of all are checked when a connection begins, and each gets its share of the disk then: so no
    connection ends because of another one."""

    def __init__(self, folder: Path, limits: stream.Limits, connections: int, disk: int) -> None:
        self.whole = self.broken = self.open = 0
        self._folder = folder
        self._limits = limits
        self._connections = connections
        self._disk = disk
        self._used = 0  # bytes of recordings that have ended
        self._lock = threading.Lock()

    def begin(self, connection: socket.socket, peer: str) -> None:
        """Receives a recording, unless a limit of all is reached."""
        with self._lock:
            reason = self._reached()
            self.open += not reason
        if not reason:
            try:
                threading.Thread(target=self._run, args=(connection, peer), daemon=True).start()
                return
            except RuntimeError as problem:
                reason = str(problem)
                with self._lock:
                    self.open -= 1
        say(f"{peer}: refused: {reason}")
        refuse(connection, reason)

    def _reached(self) -> str:
        """Return the limit that refuses another connection; "" if none is reached."""
        if self.open >= self._connections:
            return f"--max-connections of {self._connections} is reached"
        if self._used + (self.open + 1) * self._limits.size > self._disk:
            return f"--max-disk of {self._disk} bytes has no room for another recording of --max-size"
        return ""

    def _add_used(self, count: int) -> None:
        with self._lock:
            self._used += count

    def _run(self, connection: socket.socket, peer: str) -> None:
        from kmark.record import stream

        whole = 0
        broken = 1
        try:
            folder, kept = stream.receive(connection, self._folder, self._limits, self._add_used)
            whole, broken = 1, 0
            say(f"{folder}: {kept} bytes of packets from {peer}, whole")
        except stream.Stranger as failure:
            broken = 0
            say(f"{peer}: {failure}")
        except (Failure, OSError) as failure:
            say(f"{peer}: {failure}")
        finally:
            connection.close()
            with self._lock:
                self.whole += whole
                self.broken += broken
                self.open -= 1


def refuse(connection: socket.socket, reason: str) -> None:
    """Says why a connection ends, without waiting for the other side."""
    from kmark.record import stream

    with connection, suppress(OSError):
        connection.settimeout(0)
        connection.sendall(stream.HEAD.pack(stream.WRONG, 0, len(reason)) + reason.encode())
        connection.shutdown(socket.SHUT_WR)
        connection.recv(stream.CHUNK)


def accept(server: socket.socket, receiver: Receiver, goes_on: Callable[[], bool]) -> None:
    """Until `goes_on` returns False."""
    server.settimeout(LOOK_S)
    said = ""
    while goes_on():
        try:
            connection, peer = server.accept()
        except TimeoutError:
            continue
        except OSError as problem:
            # The machine lacks files or memory now, or the connection has gone.
            if said != (said := problem.strerror or str(problem)):
                say(f"a connection cannot be accepted: {said}")
            time.sleep(LOOK_S)
            continue
        receiver.begin(connection, f"{peer[0]}:{peer[1]}")


def allow_files(connections: int) -> None:
    """Lets this program open the files that so many connections need. Usage if it may not."""
    from kmark.export import files

    most = files.allow(FILES_OF_ONE * connections) // FILES_OF_ONE
    if most < connections:
        raise Usage(f"record listen: --max-connections: the open files allowed here are enough for {most}")


def limits(args: argparse.Namespace) -> tuple[stream.Limits, int]:
    """Return the limits of one connection, and of the disk in all. By default all recordings together take
    half of the space that is free now, and each an equal share of that."""
    from kmark.record import stream

    free = os.statvfs(args.output)
    disk = args.max_disk or free.f_bavail * free.f_frsize // 2
    size = args.max_size or disk // (2 * args.max_connections)
    if size > disk:
        raise Usage(f"record listen: --max-size of {size} is more than the {disk} bytes of --max-disk")
    return stream.Limits(size, args.max_metadata, args.max_cpus, args.idle), disk


def run(args: argparse.Namespace) -> int:
    allow_files(args.max_connections)
    cache.own_folder(args.output)
    one, disk = limits(args)
    try:
        family = socket.AF_INET6 if ":" in args.bind else socket.AF_INET
        server = socket.create_server((args.bind, args.port), family=family)
    except OSError as problem:
        raise Failure(f"{args.bind}:{args.port}: {problem.strerror}") from None
    receiver = Receiver(args.output, one, args.max_connections, disk)
    end = Ending([])
    with server:
        host, number = server.getsockname()[:2]
        say(f"listening at {host}:{number}; Ctrl-C ends")
        accept(
            server,
            receiver,
            lambda: end.goes_on() and not 0 < args.count <= receiver.whole + receiver.broken,
        )
    if receiver.open:
        say(f"{receiver.open} recordings had not ended; what came of them can be read")
    return 1 if receiver.broken or receiver.open else 0


def add_listen(listen: argparse.ArgumentParser) -> None:
    from kmark.record import stream

    describe(
        listen,
        "Writes each recording that is sent to it into a folder DIR/MACHINE-NUMBER, as it "
        "comes; that can be read at any time. Nothing is encrypted, and no password is asked for: "
        "reach it through ssh, or listen in a network that you trust. Exit status 1 if a recording "
        "was not whole.",
        "kmark record listen -o /tmp/traces",
    )
    listen.add_argument(
        "-o", "--output", type=Path, metavar="DIR", required=True, help="where to put the traces"
    )
    listen.add_argument(
        "--bind", default=LOCAL, metavar="ADDRESS", help=f"address of this machine (default: {LOCAL})"
    )
    listen.add_argument(
        "--port", type=port, default=stream.PORT, metavar="N", help=f"(default: {stream.PORT}; 0: any)"
    )
    listen.add_argument(
        "--max-connections", type=positive, default=16, metavar="N",
        help="connections at a time; more are refused (default: 16)",
    )  # fmt: skip
    listen.add_argument(
        "--max-disk", type=size, metavar="BYTES",
        help="bytes of all recordings; without room for another one of --max-size, a connection is refused "
        "(default: half of the space that is free in DIR)",
    )  # fmt: skip
    listen.add_argument(
        "--max-size", type=size, metavar="BYTES",
        help="bytes of one recording (default: half of --max-disk, divided by --max-connections)",
    )  # fmt: skip
    listen.add_argument(
        "--max-metadata", type=size, default=64 << 20, metavar="BYTES",
        help="bytes of the metadata of one recording (default: 64M)",
    )  # fmt: skip
    listen.add_argument(
        "--max-cpus", type=positive, default=4096, metavar="N", help="CPUs of one recording (default: 4096)"
    )
    listen.add_argument(
        "--idle", type=duration, default=600.0, metavar="TIME",
        help="end a connection without data after this time (default: 10m)",
    )  # fmt: skip
    listen.add_argument("--count", type=positive, default=0, metavar="N", help="end after N recordings")
    listen.set_defaults(run=run)
