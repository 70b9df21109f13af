# SPDX-License-Identifier: GPL-2.0-only
"""No line of a report or of a mail is too wide, whatever is in it."""

from __future__ import annotations

import unittest
from datetime import UTC, datetime
from typing import Any

import test_report
from kmark.analysis import notation
from kmark.report import mail, report, schema, text

LONG = "x" * 100


def stretched(value: Any) -> Any:
    """With names and numbers that no column has room for."""
    if isinstance(value, dict):
        kept = ("unit", "state", "status", "schema", "created", "env", "shape")
        return {key: one if key in kept else stretched(one) for key, one in value.items()}
    if isinstance(value, list):
        return [stretched(one) for one in value]
    if isinstance(value, str):
        return value + LONG
    return value * 1e30 if isinstance(value, float) else value


class Fit(unittest.TestCase):
    def test_what_has_room_stays_as_it_is(self) -> None:
        for line in ("", "  short", "x" * notation.WIDTH, "  " + "日" * 35):
            self.assertEqual(notation.fit(line), [line])

    def test_lines_are_broken_between_words(self) -> None:
        line = "  " + " ".join(["word"] * 20)
        self.assertEqual(
            notation.fit(line), ["  " + " ".join(["word"] * 14), "    " + " ".join(["word"] * 6)]
        )
        self.assertEqual(notation.fit("> " + "word " * 20, "> ")[1][:6], "> word")

    def test_words_without_room_are_broken(self) -> None:
        found = notation.fit(LONG)
        self.assertEqual([len(one) for one in found], [72, 30])
        self.assertEqual("".join(one.strip() for one in found), LONG)
        wide = notation.fit("日" * 60)
        self.assertEqual([notation.columns(one) for one in wide], [72, 50])
        self.assertEqual(notation.columns("e\u0301日"), 3)


class Mail(unittest.TestCase):
    def too_wide(self, made: str) -> list[str]:
        return [line for line in made.splitlines() if notation.columns(line) > notation.WIDTH]

    def test_names_and_figures_of_any_length(self) -> None:
        made = report.typed(stretched(schema.plain(test_report.sample_report())))
        self.assertEqual(self.too_wide(text.render(made)), [])
        self.assertIn(LONG[:70], text.render(made))

    def test_covers_of_any_kind(self) -> None:
        cover = "\n".join([
            LONG, "https://lore.example.org/" + LONG, "> " + "quoted " * 20, "> > " + LONG, "| " + LONG,
            "\t" + LONG, "From " + "a " * 34 + "bc", "---" + "a " * 34 + "b", "日" * 80, "a\tb " * 30,
        ])  # fmt: skip
        body = mail.body(test_report.sample_report(), mail.Envelope(cover=cover))
        self.assertEqual(self.too_wide(body), [])
        self.assertIn("\n> quoted quoted", body)
        self.assertEqual([line for line in body.splitlines() if line.startswith(("From ", "---"))], [])

    def test_heads_are_folded(self) -> None:
        envelope = mail.Envelope(
            [f"someone{n}@example.org" for n in range(9)], [], "x@example.org", "words " * 30
        )
        whole = mail.mbox(test_report.sample_report(), envelope, datetime.now(UTC)).decode()
        self.assertEqual(self.too_wide(whole), [])
