# SPDX-License-Identifier: GPL-2.0-only
"""The metadata of a trace, and what is read of the sink for it."""

from __future__ import annotations

import unittest

from kmark.errors import Failure
from kmark.record import clock, ctf, layout, sink

CLOCK = clock.Clock("tsc", 2_000_000_000, 5_000_000_000, 1_700_000_000_250_000_000)


class Events(unittest.TestCase):
    def text(self, fields: str) -> str:
        row = {"id": "3", "marker": "subsys_mark1", "fields": fields, "context": "-"}
        return ctf.event_text(layout.event({**row, "names": "len,arg1,string,arg3"}))

    def test_fields(self) -> None:
        text = self.text("s8:10,u64:16,str:10,ptr:16")
        self.assertIn('name = "subsys_mark1";\n    id = 3;', text)
        self.assertIn("integer { size = 8; align = 8; signed = true; } _len;", text)
        self.assertIn("integer { size = 64; align = 8; signed = false; base = 16; } _arg1;", text)
        self.assertIn("string { encoding = UTF8; } _string;", text)
        self.assertIn("integer { size = 64; align = 8; signed = false; base = 16; } _arg3;", text)

    def test_names_of_values_and_bytes(self) -> None:
        text = self.text("enum:IDLE=0;GONE_2=-1,bytes:6,u8:10,u8:10")
        self.assertIn(
            'enum : integer { size = 32; align = 8; signed = true; } { "IDLE" = 0, "GONE_2" = -1 } _len;',
            text,
        )
        self.assertIn("integer { size = 8; align = 8; signed = false; base = 16; } _arg1[6];", text)

    def test_no_fields(self) -> None:
        self.assertIn("fields := struct {\n    };", self.text("-"))

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


class Context(unittest.TestCase):
    def text(self, context: str, name: str = "arg0") -> str:
        row = {"id": "3", "marker": "m", "fields": "u8:10", "context": context, "names": name}
        return ctf.event_text(layout.event(row))

    def test_it_stands_before_the_arguments(self) -> None:
        text = self.text("tid,comm,kstack")
        words = (
            "context := ",
            " tid;",
            " comm[16];",
            "fields := ",
            " kstack[kstack_frames];",
            "_arg0;",
        )
        places = [text.index(word) for word in words]
        self.assertEqual(places, sorted(places))

    def test_an_argument_that_is_called_as_a_stack(self) -> None:
        """Readers take one underscore off, and refuse two fields of the same name."""
        self.assertIn(" __kstack;", self.text("kstack", "kstack"))
        self.assertIn(" _kstack;", self.text("tid", "kstack"))

    def test_none(self) -> None:
        self.assertNotIn("context", self.text("-"))

    def test_unknown_ones_are_named(self) -> None:
        with self.assertRaisesRegex(Failure, "'uid'"):
            self.text("tid,uid")


class Whole(unittest.TestCase):
    def test_order_and_quotes(self) -> None:
        events = [
            {"id": str(n), "marker": f"m{n}", "fields": "-", "context": "-", "names": "-"} for n in range(2)
        ]
        text = ctf.metadata("uuid-of-trace", CLOCK, "uuid-of-boot", events, {"hostname": 'a "b"\\\n'})
        self.assertTrue(text.startswith("/* CTF 1.8 */\n"))
        places = [text.index(word) for word in ("trace {", "env {", "clock {", "stream {", '"m0"', '"m1"')]
        self.assertEqual(places, sorted(places))
        self.assertIn(r'hostname = "a \"b\"\\\n";', text)
        self.assertIn("map = clock.monotonic.value;", text)
        self.assertEqual(text.count("{"), text.count("}"))


class Summary(unittest.TestCase):
    def test_losses_are_reported(self) -> None:
        counts = {"recorded": 5, "lost": 0, "overwritten": 0}
        self.assertEqual(sink.summary(counts), "5 events recorded, none lost")
        counts.update(lost=2, overwritten=3)
        self.assertEqual(sink.summary(counts), "5 events recorded, 2 lost, 3 overwritten")
