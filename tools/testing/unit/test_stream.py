# SPDX-License-Identifier: GPL-2.0-only
"""Connections that kmark record listen accepts and refuses."""

from __future__ import annotations

import argparse
import errno
import io
import os
import socket
import tempfile
import threading
import time
import unittest
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from unittest import mock

from kmark import cache
from kmark.commands import record_listen as listen
from kmark.errors import Failure
from kmark.record import stream
from kmark.record.sink import PACKET

HELLO = stream.MAGIC + b"box\n"
TEXT = b"/* CTF 1.8 */"
EMPTY = stream.PACKET_MAGIC + bytes(PACKET - 4)


def message(kind: bytes, cpu: int = 0, content: bytes = b"", length: int | None = None) -> bytes:
    return stream.HEAD.pack(kind, cpu, len(content) if length is None else length) + content


DESCRIBED = HELLO + message(b"M", 0, TEXT + b"\n")


class Received(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def receive(self, sent: bytes, ends: bool = True, **limits: Any) -> tuple[str, bytes]:
        """Return the result, a count of bytes or an error, and the answer."""
        ours, theirs = socket.socketpair()
        theirs.sendall(sent)
        if ends:
            theirs.shutdown(socket.SHUT_WR)
        self.used = 0
        wanted: Any = {"size": 1 << 30, **limits}
        with (
            mock.patch.object(stream.Link, "__init__", self.plain_link),
            mock.patch.object(stream, "STALL_S", 0.2),
        ):
            try:
                found = str(stream.receive(ours, self.folder, stream.Limits(**wanted), self.use)[1])
            except Failure as failure:
                found = f"{type(failure).__name__}: {failure}"
        with theirs, suppress(ConnectionResetError):
            return found, theirs.recv(1 << 16)
        return found, b""

    def use(self, count: int) -> None:
        self.used = count

    @staticmethod
    def plain_link(link: stream.Link, connection: socket.socket) -> None:
        """A pair of sockets has no options of TCP."""
        link._connection = connection

    def test_a_recording(self) -> None:
        packets = b"".join(stream.PACKET_MAGIC + mark * (PACKET - 4) for mark in (b"x", b"y"))
        sent = HELLO + message(b"M", 0, TEXT + b"one") + message(b"P", 3, packets)
        sent += message(b"M", 0, TEXT + b"other") + message(b"P", 3, packets[:PACKET]) + message(b"E")
        found, answer = self.receive(sent)
        self.assertEqual(
            (found, answer), (str(3 * PACKET), message(b"K", 0, (3 * PACKET).to_bytes(8, "big")))
        )
        self.assertEqual((self.folder / "box-1/metadata").read_bytes(), TEXT + b"other")
        self.assertEqual((self.folder / "box-1/cpu3").read_bytes(), packets + packets[:PACKET])

    def test_folders_are_numbered(self) -> None:
        for _ in range(3):
            self.receive(DESCRIBED + message(b"E"))
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["box-1", "box-2", "box-3"])

    def test_one_that_ends_too_early_is_not_whole(self) -> None:
        for cut in (0, 5, stream.HEAD.size + 100):
            found, _ = self.receive(DESCRIBED + message(b"P", 0, EMPTY) + message(b"P", 0, EMPTY)[:cut])
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
            (message(b"K", 0, bytes(8)), "a message of kind 'K' and 8 bytes, want M or P or E"),
            (message(b"P", 0, b"", 1 << 40), "a message of kind 'P' and 1099511627776 bytes"),
            (message(b"M", 0, b"", 1 << 40), "a message of kind 'M'"),
            (message(b"P", 0, bytes(100)), "100 bytes, not whole packets of 4096"),
            (message(b"P", 0, EMPTY + bytes(PACKET)), "what has come as packets is none"),
            (message(b"M", 0, b"x" * 100), "what has come as metadata is none"),
            (message(b"M", 0, TEXT[1:]), "12 bytes are no metadata"),
        ):
            self.assertIn(why, self.receive(DESCRIBED + sent)[0])

    def test_a_recording_begins_with_metadata(self) -> None:
        for sent in (message(b"P", 0, EMPTY), message(b"E"), message(b"M"), message(b"M", 0, bytes(20))):
            found, answer = self.receive(HELLO + sent)
            self.assertRegex(found, "no metadata|is none")
            self.assertNotEqual(answer[:1], b"K")
        for text in (TEXT + b" a", b'\x1e{"type": "preamble"}'):
            self.assertEqual(self.receive(HELLO + message(b"M", 0, text) + message(b"E"))[0], "0")

    def test_each_limit_ends_the_connection_and_is_told(self) -> None:
        packets = b"".join(message(b"P", cpu, EMPTY) for cpu in range(9))
        for limits, sent, option in (
            ({"size": 5 * 4096}, packets, "--max-size of 20480"),
            ({"size": 5 * 4096}, message(b"M", 0, bytes(5 * 4096)), "--max-size of 20480"),
            ({"metadata": 100}, message(b"M", 0, bytes(101)), "--max-metadata of 100"),
            ({"streams": 8}, packets, "--max-cpus of 8"),
        ):
            found, answer = self.receive(DESCRIBED + sent, True, **limits)
            self.assertRegex(found, f"^Failure: .*box-.*: {option} is reached; the trace ends here$")
            self.assertIn(option.encode(), answer)
            self.assertLessEqual(self.used, limits.get("size", 1 << 30))
        self.assertEqual(
            self.receive(DESCRIBED + packets + message(b"E"), size=11 * 4096)[0], str(9 * PACKET)
        )
        self.assertEqual(self.used, 10 * 4096 + len(TEXT) + 1)

    def test_empty_packets_make_no_file(self) -> None:
        found, _ = self.receive(DESCRIBED + message(b"P", 1) * 2000)
        self.assertIn("0 bytes, not whole packets", found)
        self.assertEqual([path.name for path in (self.folder / "box-1").iterdir()], ["metadata"])

    def test_a_connection_has_one_file_open(self) -> None:
        before = len(os.listdir("/proc/self/fd"))
        opened = []

        def count(link: stream.Link, length: int) -> Iterator[bytes]:
            opened.append(len(os.listdir("/proc/self/fd")))
            yield link.exactly(length)

        with mock.patch.object(stream.Link, "parts", count):
            self.receive(DESCRIBED + b"".join(message(b"P", cpu, EMPTY) for cpu in range(40)))
        self.assertEqual(len(opened), 1 + 40)
        self.assertLess(max(opened) - before, 5)

    def test_silence_ends_the_connection(self) -> None:
        for sent in (HELLO, DESCRIBED + message(b"P", 1, EMPTY), DESCRIBED + message(b"M", 0, b"x", 100)):
            self.assertIn("nothing whole has come for 0.1 s", self.receive(sent, ends=False, idle=0.1)[0])

    def test_names_of_machines(self) -> None:
        for node in (
            "_box",
            "box",
            "-box",
            ".box",
            "b\u00f6x\n",
            "",
            "...",
            "n" * 99,
            "a b/c",
            "_",
            "\udcff",
        ):
            name = stream.name_of(node)
            self.assertEqual(
                self.receive(DESCRIBED.replace(b"box", name.encode()) + message(b"E"))[0], "0", node
            )
        self.assertTrue((self.folder / "_box-1").exists())

    def test_a_full_disk_is_told(self) -> None:
        with mock.patch("os.write", side_effect=OSError(28, "No space left on device")):
            found, answer = self.receive(DESCRIBED + message(b"P", 1, EMPTY))
        self.assertIn("box-1/cpu1: No space left on device", found)
        self.assertTrue(
            answer.startswith(b"W") and answer.endswith(b"No space left on device; the trace ends here")
        )


class Listening(unittest.TestCase):
    """Several connections."""

    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.said = self.enterContext(mock.patch("sys.stderr", io.StringIO()))
        self.server = self.enterContext(socket.create_server(("127.0.0.1", 0)))
        self.going = True
        self.addCleanup(self.end)

    def listen(self, connections: int = 16, disk: int = 1 << 30, size: int = 1 << 20) -> listen.Receiver:
        found = listen.Receiver(self.folder, stream.Limits(size), connections, disk)
        arguments = (self.server, found, lambda: self.going)
        self.thread = threading.Thread(target=listen.accept, args=arguments)
        self.thread.start()
        return found

    def end(self) -> None:
        self.going = False
        self.thread.join()

    def connect(self, sent: bytes) -> socket.socket:
        made = self.enterContext(socket.create_connection(self.server.getsockname(), 10))
        made.sendall(sent)
        return made

    def until(self, holds: Callable[[], bool]) -> None:
        for _ in range(200):
            if holds():
                return
            time.sleep(0.02)
        self.fail(self.said.getvalue())

    def test_one_more_is_refused_and_the_others_go_on(self) -> None:
        found = self.listen(connections=2)
        others = [self.connect(DESCRIBED + message(b"P", 0, EMPTY)) for _ in range(2)]
        self.until(lambda: found.open == 2)
        self.assertIn(b"--max-connections of 2 is reached", self.connect(b"").recv(1000))
        for one in others:
            one.sendall(message(b"P", 0, EMPTY) + message(b"E"))
            self.assertEqual(one.recv(100)[:1], b"K")
        self.until(lambda: (found.whole, found.broken, found.open) == (2, 0, 0))
        self.assertRegex(self.said.getvalue(), r"kmark: 127.0.0.1:\d+: refused: --max-connections of 2")

    def test_without_room_for_another_recording_it_is_refused(self) -> None:
        found = self.listen(disk=5 * 4096, size=9000)
        for _ in range(2):
            self.assertEqual(
                self.connect(DESCRIBED + message(b"P", 0, EMPTY) + message(b"E")).recv(1), b"K"
            )
            self.until(lambda: found.open == 0)
        self.assertIn(b"--max-disk of 20480 bytes", self.connect(b"").recv(1000))

    def test_no_files_left_is_survived(self) -> None:
        real, failures = self.server.accept, [errno.EMFILE, errno.ENFILE, errno.ECONNABORTED, errno.EMFILE]

        def accept() -> Any:
            if failures:
                number = failures.pop()
                raise OSError(number, os.strerror(number))
            return real()

        self.server = mock.Mock(wraps=self.server, accept=accept)
        found = self.listen()
        self.assertEqual(self.connect(DESCRIBED + message(b"E")).recv(1), b"K")
        self.until(lambda: found.whole == 1)
        self.assertIn("a connection cannot be accepted: Too many open files", self.said.getvalue())

    def test_a_disk_without_room_is_survived(self) -> None:
        found = self.listen()
        with mock.patch("kmark.record.recording.os.write", side_effect=OSError(errno.ENOSPC, "No space")):
            answer = self.connect(DESCRIBED + message(b"P", 0, EMPTY)).makefile("rb").read()
            self.assertIn(b"No space; the trace ends here", answer)
        self.assertEqual(self.connect(DESCRIBED + message(b"E")).recv(1), b"K")
        self.until(lambda: found.whole == 1)

    def test_an_error_nobody_foresaw_costs_that_connection(self) -> None:
        found = self.listen(connections=1)
        with mock.patch.object(stream, "new_folder", side_effect=OSError(errno.EIO, "broken")):
            self.connect(HELLO)
            self.until(lambda: found.broken + found.open == 0 and "broken" in self.said.getvalue())
        self.assertEqual(self.connect(DESCRIBED + message(b"E")).recv(1), b"K")

    def test_messages_have_no_control_characters(self) -> None:
        self.listen()
        self.connect(stream.MAGIC + b"\x1b[2J\x9b\n").recv(1)
        self.until(lambda: "cannot be" in self.said.getvalue())
        self.assertNotRegex(self.said.getvalue().rstrip("\n"), r"[\x00-\x1f\x7f-\x9f]")

    def test_a_folder_where_others_write_is_refused(self) -> None:
        self.listen()
        self.folder.chmod(0o777)
        with self.assertRaisesRegex(Failure, "other users can write there"):
            cache.own_folder(self.folder)


class Sent(unittest.TestCase):
    def test_a_silent_sender_sends_its_metadata_again(self) -> None:
        sender = stream.Stream.__new__(stream.Stream)
        sender._text, sender._sent = b"text", time.monotonic()
        with mock.patch.object(sender, "_send") as send:
            sender.beat()
            send.assert_not_called()
            sender._sent -= stream.BEAT_S
            sender.beat()
            send.assert_called_once_with(stream.METADATA, 0, b"text")

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
        """Return the error of close() after one packet, or ""."""
        sender = stream.Stream("127.0.0.1", self.listen(answer))
        sender.write(0, memoryview(EMPTY))
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
