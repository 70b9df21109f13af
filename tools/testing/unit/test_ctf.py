# SPDX-License-Identifier: GPL-2.0-only
"""The metadata of a trace, and what is read of the sink for it. Its whole text is in whole_texts.txt."""

from __future__ import annotations

import re
import unittest

from kmark.errors import Failure
from kmark.record import ctf, layout, sink


class Events(unittest.TestCase):
    def text(self, fields: str) -> str:
        row = {"id": "3", "marker": "subsys_mark1", "fields": fields, "context": "-"}
        return ctf.event_text(layout.event({**row, "names": "len,arg1,string,arg3"}))

    def test_unknown_fields_are_named(self) -> None:
        for field in (
            "s7:10",
            "u8",
            "u8:2",
            "float:10",
            "bytes:",
            "bytes:x",
            "enum:",
            "enum:A",
            "enum:A=1;",
        ):
            with self.assertRaisesRegex(Failure, field):
                self.text(field)

    def test_a_name_is_missing_or_none(self) -> None:
        row = {"id": "3", "marker": "m" * 50, "fields": "u8:10,u8:10", "context": "-"}
        for names in ("one", "one,t-o", ",".join(["x" * 99 + "-"] * 2)):
            why = f"ctf/events: '{'m' * 40}': 2 fields, names {names.split(',')}"[:200]
            with self.assertRaisesRegex(Failure, f"^{re.escape(why)}$"):
                layout.event({**row, "names": names})


class Context(unittest.TestCase):
    def text(self, context: str, name: str = "arg0") -> str:
        row = {"id": "3", "marker": "m", "fields": "u8:10", "context": context, "names": name}
        return ctf.event_text(layout.event(row))

    def test_an_argument_that_is_called_as_a_stack(self) -> None:
        """Readers take one underscore off, and refuse two fields of the same name."""
        self.assertIn(" __kstack;", self.text("kstack", "kstack"))
        self.assertIn(" _kstack;", self.text("tid", "kstack"))

    def test_unknown_ones_are_named(self) -> None:
        with self.assertRaisesRegex(Failure, "'uid'"):
            self.text("tid,uid")


class Quotes(unittest.TestCase):
    def test_texts_are_words_of_tsdl(self) -> None:
        self.assertEqual(
            ctf.quoted('a "b"\\\n\x1f\x7f\0 \u00fc'), '"a \\"b\\"\\\\\\n\\037\\177\ufffd \u00fc"'
        )


class Summary(unittest.TestCase):
    def test_losses_are_reported(self) -> None:
        counts = {"recorded": 5, "lost": 0, "overwritten": 0}
        self.assertEqual(sink.summary(counts), "5 events recorded, none lost")
        counts.update(lost=2, overwritten=3)
        self.assertEqual(sink.summary(counts), "5 events recorded, 2 lost, 3 overwritten")
        self.assertEqual(
            sink.summary(counts, 1, 3),
            "1 events recorded, 2 lost, 3 overwritten, 1 removed, 3 not written",
        )
