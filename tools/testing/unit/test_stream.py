# SPDX-License-Identifier: GPL-2.0-only
"""Connections that kmark record listen accepts and refuses."""

from __future__ import annotations

import errno
import io
import os
import re
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
from kmark.record.sink import PACKET, READ_BYTES

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
        """Return the result, a count of bytes or an error, and the answer. No file is left open."""
        opened = len(os.listdir("/proc/self/fd"))
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
        answer = b""
        with theirs, suppress(ConnectionResetError):
            answer = theirs.recv(1 << 16)
        self.assertEqual(len(os.listdir("/proc/self/fd")), opened)
        return found, answer

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
        with self.assertRaisesRegex(Failure, "^/dev/null/box-1: Not a directory$"):
            stream.new_folder(Path("/dev/null"), "box")

    def test_one_that_ends_too_early_is_not_whole(self) -> None:
        for cut in (0, 5, stream.HEAD.size + 100):
            found, _ = self.receive(DESCRIBED + message(b"P", 0, EMPTY) + message(b"P", 0, EMPTY)[:cut])
            self.assertRegex(
                found, f"^Failure: .*not whole, {PACKET} bytes of packets: the connection has ended"
            )

    def test_strangers_get_no_folder(self) -> None:
        version = "what has connected is no kmark record of this version"
        ended = "what has connected is no kmark record: the connection has ended"
        for sent, why in (
            (b"", ended), (b"GET / HTTP/1.0\r\n\r\n", version), (b"kmark-stream/9\nbox\n", version),
            (stream.MAGIC, ended), (stream.MAGIC + b"../up\n", "the name of a machine cannot be '../up'"),
            (stream.MAGIC + b"n" * 65 + b"\n", f"the name of a machine cannot be '{'n' * 65}'"),
        ):  # fmt: skip
            self.assertEqual(self.receive(sent), (f"Stranger: {why}", b""))
        self.assertEqual(list(self.folder.iterdir()), [])
        with (
            mock.patch.object(stream, "STALL_S", -1),
            self.assertRaisesRegex(stream.Stranger, "cannot be ''"),
        ):
            stream.machine_of(mock.Mock(exactly=lambda _: b"x"))  # has sent a letter now and then

    def test_what_is_no_message_is_refused(self) -> None:
        for sent, why in (
            (message(b"K", 0, bytes(8)), "a message of kind 'K' and 8 bytes, want M or P or E"),
            (message(b"\xff"), "a message of kind '\ufffd' and 0 bytes, want M or P or E"),
            (message(b"E", 0, b"x"), "a message of kind 'E' and 1 bytes"),
            (message(b"P", 0, b"", READ_BYTES + 1), f"a message of kind 'P' and {READ_BYTES + 1} bytes"),
            (message(b"P", 0, b"", READ_BYTES), "the connection has ended"),
            (message(b"M", 0, b"", (1 << 28) + 1), "a message of kind 'M'"),
            (message(b"P", 0, bytes(100)), "100 bytes, not whole packets of 4096"),
            (message(b"P", 0, EMPTY + bytes(PACKET)), "what has come as packets is none"),
            (message(b"M", 0, b"x" * 100), "what has come as metadata is none"),
            (message(b"M", 0, TEXT[1:]), "12 bytes are no metadata"),
        ):
            self.assertIn(why, self.receive(DESCRIBED + sent)[0])

    def test_a_recording_begins_with_metadata(self) -> None:
        for sent, why in (
            (message(b"P", 0, EMPTY), "no metadata has come"),
            (message(b"E"), "no metadata has come"),
            (message(b"M"), "0 bytes are no metadata"),
            (message(b"M", 0, bytes(20)), "what has come as metadata is none"),
        ):
            found, answer = self.receive(HELLO + sent)
            self.assertRegex(found, f"^Failure: .*/box-[0-9]: {why}$")
            self.assertEqual(answer, message(b"W", 0, found.removeprefix("Failure: ").encode()))
        for text in (TEXT, b'\x1e{"type": "preamble"}'):
            self.assertEqual(self.receive(HELLO + message(b"M", 0, text) + message(b"E"))[0], "0")

    def test_each_limit_ends_the_connection_and_is_told(self) -> None:
        packets = b"".join(message(b"P", cpu, EMPTY) for cpu in range(9))
        all_of = 10 * 4096 + len(TEXT) + 1
        for limits, sent, option in (
            ({"size": 5 * 4096}, packets, "--max-size of 20480"),
            ({"size": 5 * 4096}, message(b"M", 0, bytes(5 * 4096)), "--max-size of 20480"),
            ({"metadata": 100}, message(b"M", 0, bytes(101)), "--max-metadata of 100"),
            ({"streams": 8}, packets, "--max-cpus of 8"),
            ({"size": all_of - 1}, packets, f"--max-size of {all_of - 1}"),
        ):
            found, answer = self.receive(DESCRIBED + sent, True, **limits)
            self.assertRegex(found, f"^Failure: .*box-.*: {option} is reached; the trace ends here$")
            self.assertIn(option.encode(), answer)
            self.assertLessEqual(self.used, limits.get("size", 1 << 30))
        sent = DESCRIBED + packets + message(b"E")
        found, _ = self.receive(sent, size=all_of, metadata=len(TEXT) + 1, streams=9)
        self.assertEqual((found, self.used), (str(9 * PACKET), all_of))

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
        for node, name in (
            ("_box", "_box"), ("-box", "box"), (".box", "box"), ("b\u00f6x\n", "b-x-"), ("", "machine"),
            ("...", "machine"), ("n" * 99, "n" * 63), ("a b/c", "a-b-c"), ("\udcff", "machine"),
        ):  # fmt: skip
            self.assertEqual(stream.name_of(node), name)
            sent = DESCRIBED.replace(b"box", name.encode())
            self.assertEqual(self.receive(sent + message(b"E"))[0], "0", node)
        self.assertEqual(self.receive(DESCRIBED.replace(b"box", b"n" * 64) + message(b"E"))[0], "0")
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
        sender._link = link = mock.Mock(speaks=lambda: False)
        sender.beat()
        link.send.assert_not_called()
        sender._sent -= stream.BEAT_S
        for _ in range(2):
            sender.beat()
            link.send.assert_called_once_with(stream.METADATA, 0, b"text")

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

    def test_a_receiver_that_ends_says_why(self) -> None:
        for answer, why in ((message(b"W", 0, b"no room"), "no room"),
                            (b"", "(Broken pipe|Connection reset by peer|the connection has ended)"
                                  "; the trace ends here")):  # fmt: skip
            with socket.create_server(("127.0.0.1", 0)) as server:
                place = server.getsockname()
                sender = stream.Stream(*place)
                with server.accept()[0] as connection:
                    connection.sendall(answer)
                    connection.shutdown(socket.SHUT_WR)
                    with self.assertRaisesRegex(Failure, f"^127.0.0.1:{place[1]}: {why}$"):
                        while True:
                            sender.write(0, memoryview(EMPTY))
                sender.abandon()

    def test_a_dead_receiver_is_found(self) -> None:
        """By the kernel, where nothing is sent."""
        with socket.create_server(("127.0.0.1", 0)) as server:
            sender = stream.Stream(*server.getsockname())
        connection = sender._link._connection
        kept = connection.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        idle = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE)
        self.assertEqual((kept, idle, connection.gettimeout()), (1, 60, stream.STALL_S))
        sender.abandon()
        self.assertEqual(connection.fileno(), -1)

    def test_addresses(self) -> None:
        for text, wanted in (
            ("box", ("box", 7706)), ("10.0.0.1:9", ("10.0.0.1", 9)), ("[::1]", ("::1", 7706)),
            ("[::1]:80", ("::1", 80)), ("box:1", ("box", 1)), ("box:65535", ("box", 65535)),
        ):  # fmt: skip
            self.assertEqual(stream.address(text), wanted)
        for text in ("", ":1", "box:", "box:0", "box:65536", "::1", "box:x", "box:1:2"):
            with self.assertRaisesRegex(ValueError, f"^{re.escape(repr(text))}: want HOST or HOST:PORT$"):
                stream.address(text)
