# SPDX-License-Identifier: GPL-2.0-only
"""kmark listen: receives recordings of other machines."""

from __future__ import annotations

import argparse
import socket
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from kmark.commands.common import Verbs, positive
from kmark.errors import Failure, say
from kmark.live.ending import Ending

if TYPE_CHECKING:
    from collections.abc import Callable

LOOK_S = 0.2  # between two looks at whether to end
LOCAL = "127.0.0.1"


def port(text: str) -> int:
    """ValueError, for argparse."""
    number = int(text)
    if number not in range(1 << 16):
        raise ValueError
    return number


class Receiver:
    """Receives each recording in a thread of its own. `whole` and `broken`: how many have ended so;
    `open`: how many have not ended."""

    def __init__(self, folder: Path) -> None:
        self.whole = self.broken = self.open = 0
        self._folder = folder
        self._lock = threading.Lock()

    def begin(self, connection: socket.socket, peer: str) -> None:
        with self._lock:
            self.open += 1
        threading.Thread(target=self._run, args=(connection, peer), daemon=True).start()

    def _run(self, connection: socket.socket, peer: str) -> None:
        from kmark.record import stream

        whole = broken = 0
        try:
            folder, kept = stream.receive(connection, self._folder)
            whole = 1
            say(f"{folder}: {kept} bytes of packets from {peer}, whole")
        except stream.Stranger as failure:
            say(f"{peer}: {failure}")
        except Failure as failure:
            broken = 1
            say(f"{peer}: {failure}")
        with self._lock:
            self.whole += whole
            self.broken += broken
            self.open -= 1


def accept(server: socket.socket, receiver: Receiver, goes_on: Callable[[], bool]) -> None:
    """Until `goes_on` returns False."""
    server.settimeout(LOOK_S)
    while goes_on():
        try:
            connection, peer = server.accept()
        except TimeoutError:
            continue
        receiver.begin(connection, f"{peer[0]}:{peer[1]}")


def run(args: argparse.Namespace) -> int:
    try:
        args.output.mkdir(mode=0o700, parents=True, exist_ok=True)
        family = socket.AF_INET6 if ":" in args.bind else socket.AF_INET
        server = socket.create_server((args.bind, args.port), family=family)
    except OSError as problem:
        where = args.output if problem.filename else f"{args.bind}:{args.port}"
        raise Failure(f"{where}: {problem.strerror}") from None
    receiver = Receiver(args.output)
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


def add(verbs: Verbs) -> None:
    from kmark.record import stream

    listen = verbs.add_parser(
        "listen",
        help="receive what kmark record --stream sends from other machines",
        description="Writes each recording that is sent to it into a folder DIR/MACHINE-NUMBER, as it "
        "comes; that can be read at any time. Nothing is encrypted, and no password is asked for: "
        "reach it through ssh, or listen in a network that you trust. Exit status 1 if a recording "
        "was not whole.",
        epilog="example: tools/kmark listen -o /tmp/traces",
    )
    listen.add_argument(
        "-o", "--output", type=Path, metavar="DIR", required=True, help="where to put the traces"
    )
    listen.add_argument(
        "--bind", default=LOCAL, metavar="ADDRESS", help=f"of this machine (default: {LOCAL})"
    )
    listen.add_argument(
        "--port", type=port, default=stream.PORT, metavar="N", help=f"(default: {stream.PORT}; 0: any)"
    )
    listen.add_argument("--count", type=positive, default=0, metavar="N", help="end after so many")
    listen.set_defaults(run=run)
