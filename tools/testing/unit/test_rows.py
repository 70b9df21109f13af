# SPDX-License-Identifier: GPL-2.0-only
"""The rows of the documents, and the list of cases that shows them."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

from kmark.analysis import variants
from kmark.bench import cases
from kmark.errors import Failure
from kmark.reference import rows
from kmark.reference.rows import Row

HEAD = "\t".join(rows.COLUMNS)
LISTED = "shape\tvariant\tstate\tloops\tsites\n"
EMPTY = "".join(
    f"empty\t{variant}\t{state}\t{loops}\t1\n"
    for variant in ("none", "imm", "key", "imm-varargs")
    for state, loops in (("disabled", 1000), ("enabled", 10))
)


def row(shown_by: str, name: str = "A1") -> Row:
    return Row(name, "thread", "what", "1.50", shown_by)


class Table(unittest.TestCase):
    def test_every_row_of_the_documents_is_there_once(self) -> None:
        found = rows.load()
        self.assertEqual([one.row for one in found], list(rows.expected()))
        self.assertEqual(len(found), 20 + 9 + 8 + 7)

    def check(self, lines: list[str]) -> str:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "rows.tsv"
            path.write_text("\n".join(lines) + "\n")
            with self.assertRaises(Failure) as caught:
                rows.load(path)
            return str(caught.exception)

    def test_a_lost_row_is_named(self) -> None:
        lines = [HEAD, *("\t".join(one.record().values()) for one in rows.load())]
        self.assertIn("A6 stands where A5 of thread belongs", self.check(lines[:5] + lines[6:]))
        self.assertIn("nothing stands where D7 of lecture belongs", self.check(lines[:-1]))
        self.assertIn("D7 is one too many", self.check([*lines, lines[-1]]))
        self.assertIn("B1 stands where A20", self.check([*lines[:20], lines[21], lines[20], *lines[22:]]))
        self.assertIn("row A3", self.check([*lines[:3], "A3\tthread\twhat\t\tx", *lines[4:]]))
        self.assertIn("columns", self.check(["row\tdocument", *lines[1:]]))

    def test_selectors_are_cases_behind_the_command(self) -> None:
        self.assertEqual(row("kmark report size").selectors, [])
        self.assertEqual(row("prove tools/testing/native/tsc.t").selectors, [])
        one = row("kmark bench: {empty,memcpy4096}/{none,imm}/disabled, event/*")
        self.assertEqual(one.command, "kmark bench")
        self.assertEqual(
            one.selectors,
            [
                ("empty", "none", "disabled"),
                ("empty", "imm", "disabled"),
                ("memcpy4096", "none", "disabled"),
                ("memcpy4096", "imm", "disabled"),
                ("event", "*", "*"),
            ],
        )
        self.assertTrue(one.shows(("event", "sink", "enabled")))
        self.assertFalse(one.shows(("empty", "imm", "enabled")))


class List(unittest.TestCase):
    def test_text_fits_a_mail_and_names_all(self) -> None:
        output = "\n".join(cases.lines(cases.parse(LISTED + EMPTY, "native"), rows.load()))
        self.assertLessEqual(max(map(len, output.splitlines())), 72)
        for name in rows.expected():
            self.assertRegex(output, rf"(?m)^{name}  ")
        self.assertIn("  imm-varargs         form      A6", output)

    def test_what_is_no_list_is_refused(self) -> None:
        for text in ("", "shape\tvariant\nempty\tnone\n", LISTED + "empty\tnone\tdisabled\tmany\t1\n"):
            with self.assertRaises(Failure):
                cases.parse(text, "native")


class Kinds(unittest.TestCase):
    def test_kinds(self) -> None:
        found = [
            variants.kind(name) for name in ("none", "null", "pun", "imm-kprobe", "key", "static-call")
        ]
        self.assertEqual(found, ["baseline", "baseline", "gate", "form", "peer", "peer"])
        self.assertEqual([variants.kind(name) for name in variants.RENAMED.values()], ["gate", "gate"])
