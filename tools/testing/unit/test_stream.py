# SPDX-License-Identifier: GPL-2.0-only
"""What kmark listen takes of a connection, and what it refuses."""

from __future__ import annotations

import argparse
import socket
import tempfile
import threading
import unittest
from contextlib import suppress
from pathlib import Path
from unittest import mock

from kmark.errors import Failure
from kmark.record import stream
from kmark.record.sink import CPU_AT, PACKET

HELLO = stream.MAGIC + b"box\n"


def message(kind: bytes, cpu: int = 0, content: bytes = b"", length: int | None = None) -> bytes:
    return stream.HEAD.pack(kind, cpu, len(content) if length is None else length) + content


class Received(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def receive(self, sent: bytes) -> tuple[str, bytes]:
        """What comes of it, a count of bytes or an error, and the answer."""
        ours, theirs = socket.socketpair()
        theirs.sendall(sent)
        theirs.shutdown(socket.SHUT_WR)
        with mock.patch.object(stream.Link, "__init__", self.plain_link):
            try:
                found = str(stream.receive(ours, self.folder)[1])
            except Failure as failure:
                found = f"{type(failure).__name__}: {failure}"
        with theirs, suppress(ConnectionResetError):
            return found, theirs.recv(1 << 16)
        return found, b""

    @staticmethod
    def plain_link(link: stream.Link, connection: socket.socket) -> None:
        """A pair of sockets has no options of TCP."""
        link._connection = connection

    def test_a_recording(self) -> None:
        packets = bytes(CPU_AT) + b"x" * (2 * PACKET - CPU_AT)
        sent = HELLO + message(b"M", 0, b"one") + message(b"P", 3, packets)
        sent += message(b"M", 0, b"other") + message(b"P", 3, packets[:PACKET]) + message(b"E")
        found, answer = self.receive(sent)
        self.assertEqual(
            (found, answer), (str(3 * PACKET), message(b"K", 0, (3 * PACKET).to_bytes(8, "big")))
        )
        self.assertEqual((self.folder / "box-1/metadata").read_bytes(), b"other")
        self.assertEqual((self.folder / "box-1/cpu3").read_bytes(), packets + packets[:PACKET])

    def test_folders_are_numbered(self) -> None:
        for _ in range(3):
            self.receive(HELLO + message(b"E"))
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["box-1", "box-2", "box-3"])

    def test_one_that_ends_too_early_is_not_whole(self) -> None:
        for cut in (0, 5, stream.HEAD.size + 100):
            found, _ = self.receive(
                HELLO + message(b"P", 0, bytes(PACKET)) + message(b"P", 0, bytes(PACKET))[:cut]
            )
            self.assertRegex(
                found, f"^Failure: .*not whole, {PACKET} bytes of packets: the connection has ended"
            )

    def test_strangers_get_no_folder(self) -> None:
        for sent in (b"", b"GET / HTTP/1.0\r\n\r\n", stream.MAGIC, stream.MAGIC + b"../up\n",
                     stream.MAGIC + b"n" * 99, b"kmark-stream/9\nbox\n"):  # fmt: skip
            self.assertRegex(self.receive(sent)[0], "^Stranger: ")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_what_is_no_message_is_refused(self) -> None:
        for sent, why in (
            (message(b"K", 0, bytes(8)), "a message b'K'"),
            (message(b"P", 0, b"", 1 << 40), "a message b'P' of 1099511627776 bytes"),
            (message(b"M", 0, b"", 1 << 40), "a message b'M'"),
            (message(b"P", 0, bytes(100)), "100 bytes, not whole packets of 4096"),
        ):
            self.assertIn(why, self.receive(HELLO + sent)[0])

    def test_a_full_disk_is_told(self) -> None:
        with mock.patch("os.write", side_effect=OSError(28, "No space left on device")):
            found, answer = self.receive(HELLO + message(b"P", 1, bytes(PACKET)))
        self.assertIn("box-1/cpu1: No space left on device", found)
        self.assertTrue(
            answer.startswith(b"W") and answer.endswith(b"No space left on device; the trace ends here")
        )


class Sent(unittest.TestCase):
    def listen(self, answer: bytes) -> int:
        """A receiver that takes everything, then answers; its port."""
        server = socket.create_server(("127.0.0.1", 0))

        def run() -> None:
            with server, server.accept()[0] as connection:
                taken = b""
                while not taken.endswith(message(b"E")):
                    taken += connection.recv(1 << 16)
                connection.sendall(answer)

        threading.Thread(target=run, daemon=True).start()
        return int(server.getsockname()[1])

    def closed(self, answer: bytes) -> str:
        """What close() says after one packet."""
        sender = stream.Stream("127.0.0.1", self.listen(answer))
        sender.write(0, memoryview(bytes(PACKET)))
        try:
            sender.close()
        except Failure as failure:
            return str(failure).partition(": ")[2]
        return ""

    def test_the_end_is_answered(self) -> None:
        self.assertEqual(self.closed(message(b"K", 0, PACKET.to_bytes(8, "big"))), "")
        self.assertEqual(self.closed(message(b"K", 0, bytes(8))), "it has kept 0 of 4096 bytes")
        self.assertEqual(self.closed(message(b"W", 0, b"no room")), "no room")
        self.assertEqual(
            self.closed(b""), "the connection has ended: it may not have kept the end of the trace"
        )

    def test_addresses(self) -> None:
        for text, wanted in (
            ("box", ("box", 7706)), ("10.0.0.1:9", ("10.0.0.1", 9)), ("[::1]", ("::1", 7706)),
            ("[::1]:80", ("::1", 80)),
        ):  # fmt: skip
            self.assertEqual(stream.address(text), wanted)
        for text in ("", ":1", "box:", "box:0", "box:65536", "::1", "box:x", "box:1:2"):
            with self.assertRaises((ValueError, argparse.ArgumentTypeError)):
                stream.address(text)
