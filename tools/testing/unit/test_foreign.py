# SPDX-License-Identifier: GPL-2.0-only
"""Texts that others have chosen: lines, cells of the kernel's tables, terminals and files."""

from __future__ import annotations

import io
import random
import re
import unittest
from unittest import mock

from kmark import cache, errors, foreign
from kmark.record import clock, ctf, ctf2

CLOCK = clock.Clock("mono", 10**9, 0, 0)
TRACE = "12345678-1234-1234-1234-123456789abc"
# Every control character, both directions, and ends of lines.
ACTIVE = [*map(chr, range(32)), *map(chr, range(127, 160)), *"\u202a\u202b\u202c\u202d\u202e",
          *"\u2066\u2067\u2068\u2069\u200e\u200f\u061c\u2028\u2029\ufeff"]  # fmt: skip


class Lines(unittest.TestCase):
    def test_only_a_newline_ends_a_line(self) -> None:
        others = "a\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029b"
        self.assertEqual(foreign.lines(f"{others}\n\nc\n"), [others, "", "c"])
        self.assertEqual(foreign.lines("a\nb"), ["a", "b"])
        self.assertEqual(foreign.lines(""), [])

    def test_no_other_function_splits_lines(self) -> None:
        for path in (cache.TOOLS / "lib/kmark").rglob("*.py"):
            if path.name != "foreign.py":
                self.assertNotIn(".splitlines(", path.read_text(), path)


class Cells(unittest.TestCase):
    @staticmethod
    def escaped(data: bytes) -> str:
        """As the kernel does it."""
        names = {9: "\\t", 10: "\\n", 13: "\\r", 92: "\\\\"}
        made = b"".join(
            names[one].encode() if one in names else f"\\{one:03o}".encode() if one < 32 or one == 127
            else bytes([one])
            for one in data
        )  # fmt: skip
        return made.decode(errors="surrogateescape")

    def test_what_the_kernel_escapes_comes_back(self) -> None:
        chance = random.Random(1)
        for data in (bytes(range(256)), rb"\\n\n\011", *(chance.randbytes(40) for _ in range(500))):
            cell = self.escaped(data)
            self.assertNotRegex(cell, "[\t\n\r]")
            self.assertEqual(foreign.unescaped(cell).encode(errors="surrogateescape"), data)

    def test_other_backslashes_stand_for_themselves(self) -> None:
        for text in ("C:\\dir", "\\", "\\x41", "\\8", "\\101", "a%d\\"):
            self.assertEqual(foreign.unescaped(text), text)


class Shown(unittest.TestCase):
    def test_nothing_acts_on_a_terminal(self) -> None:
        for one in ACTIVE:
            self.assertRegex(foreign.shown(one), r"^\\(n|t|r|x[0-9a-f]{2}|u[0-9a-f]{4})$")
        self.assertEqual(foreign.shown("é ∞ \\n \U0001f600"), "é ∞ \\n \U0001f600")

    def test_bytes_that_are_not_utf8_are_shown(self) -> None:
        self.assertEqual(foreign.shown(b"a\xff\x9bb".decode(errors="surrogateescape")), "a\\xff\\x9bb")

    def test_bytes_at_random_can_be_printed(self) -> None:
        chance = random.Random(1)
        for errors_ in ("surrogateescape", "replace"):
            for _ in range(500):
                text = foreign.shown(chance.randbytes(40).decode(errors=errors_))
                self.assertNotRegex(text, f"[{re.escape(''.join(ACTIVE))}]")
                text.encode()

    def test_a_message_is_one_line(self) -> None:
        with mock.patch("sys.stderr", io.StringIO()) as said:
            errors.say("a\n\x1b[2Jb\udcff")
        self.assertEqual(said.getvalue(), "kmark: a\\n\\x1b[2Jb\\xff\n")


class Metadata(unittest.TestCase):
    def test_bytes_at_random_in_names_can_be_written(self) -> None:
        chance = random.Random(1)
        for _ in range(500):
            text = chance.randbytes(20).decode(errors="surrogateescape")
            self.assertNotRegex(ctf.quoted(text)[1:-1], r'[\x00-\x1f\x7f]|(?<!\\)"')
            ctf.quoted(text).encode()
        row = {"id": "1", "marker": "a\udcff\0", "fields": "-", "context": "-", "names": "-"}
        for form in (ctf.metadata, ctf2.metadata):
            form(TRACE, CLOCK, "boot", [row], {"hostname": "\udcff\n"}).encode()
