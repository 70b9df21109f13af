# SPDX-License-Identifier: GPL-2.0-only
"""Mails of a series: whom they go to, and what is added to what git writes."""

from __future__ import annotations

import tempfile
import unittest
from email import message_from_string
from pathlib import Path

from kmark.errors import Failure, Usage
from kmark.kernel import mailing

SAID = """\
Ann Onym <ann@example.org> (maintainer:SCHEDULER)
Bert B. <bert@example.org> (supporter:A (B) C)
Me <me@example.org> (maintainer:STATIC TRACING MARKERS)
"Carl C. O'Brien" <carl@example.org> (reviewer:SCHEDULER)
list@example.org (open list:SCHEDULER)
linux@example.org (open list)
"""
MAIL = "From 1\nFrom: Me <me@example.org>\nSubject: [PATCH v2 1/2] a: b\n\nTo: the text\n-- \nkmark\n\n"


class Recipients(unittest.TestCase):
    def test_maintainers_are_asked_and_others_read_along(self) -> None:
        found = mailing.read_recipients(SAID, "Me <me@example.org>")
        self.assertEqual(found.to, ["Ann Onym <ann@example.org>", "Bert B. <bert@example.org>"])
        carl = '"Carl C. O\'Brien" <carl@example.org>'
        self.assertEqual(found.cc, [carl, "list@example.org", "linux@example.org"])

    def test_who_sends_is_left_out_only_then(self) -> None:
        self.assertIn("Me <me@example.org>", mailing.read_recipients(SAID, None).to)

    def test_what_is_not_understood_is_refused(self) -> None:
        for said in ("", "Ann Onym <ann@example.org>\n", "perl: warning\n"):
            with self.assertRaises(Failure):
                mailing.read_recipients(said, None)

    def test_nobody_is_named_twice(self) -> None:
        everyone = mailing.Recipients(["a@x"], ["b@x"])
        everyone.add(mailing.Recipients(["b@x", "a@x"], ["c@x", "b@x"]))
        self.assertEqual((everyone.to, everyone.cc), (["a@x", "b@x"], ["b@x", "c@x"]))
        self.assertEqual(everyone.headers(), "To: a@x,\n\tb@x\nCc: c@x\n")


class Mails(unittest.TestCase):
    def test_headers_come_behind_those_that_are_there(self) -> None:
        read = message_from_string(mailing.with_headers(MAIL, "To: a@x,\n\tb@x\nCc: c@x\n"))
        self.assertEqual(read["Subject"], "[PATCH v2 1/2] a: b")
        self.assertEqual((read["To"].split(), read["Cc"]), (["a@x,", "b@x"], "c@x"))
        self.assertTrue(str(read.get_payload()).startswith("To: the text\n"))

    def test_base_commit_is_a_paragraph_before_the_signature(self) -> None:
        text = mailing.with_base("Subject: a\n\nb -- c\n-- \nd\n-- \nkmark\n\n", "0123456789ab")
        self.assertTrue(text.endswith("\nd\n\nbase-commit: 0123456789ab\n-- \nkmark\n\n"))

    def test_orders_that_cannot_be_carried_out(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for wrong in (
                mailing.Order("2.6.17"),
                mailing.Order("6.1", sender="me@example.org"),
                mailing.Order("6.1", sender="Me <me@example.org>, You <you@example.org>"),
                mailing.Order("6.1", base="HEAD"),
                mailing.Order("6.1", base="0123456789a"),
                mailing.Order("6.1", previous=Path(folder)),
            ):
                with self.assertRaises(Usage):
                    wrong.check()
        mailing.Order("6.1", "Me <me@example.org>", "0123456789ab").check()
