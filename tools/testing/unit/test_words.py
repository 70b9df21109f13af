# SPDX-License-Identifier: GPL-2.0-only
"""Words that the command line does not have, and which one may have been meant."""

from __future__ import annotations

import contextlib
import io
import unittest
from unittest import mock

from kmark import cli
from kmark.commands import dev_manual
from kmark.commands import help as pages_of_help
from kmark.commands.common import Groups
from kmark.errors import nearest


def complaint(*words: str) -> str:
    """Return the message of the command line about `words`, which it refuses with exit status 2."""
    said = io.StringIO()
    with mock.patch("sys.argv", ["kmark", *words]), contextlib.redirect_stderr(said):
        try:
            assert cli.main() == 2
        except SystemExit as end:
            assert end.code == 2
    return said.getvalue()


class Words(unittest.TestCase):
    def test_nearest(self) -> None:
        self.assertEqual(nearest("cuont", ["count", "hist"]), "; did you mean 'count'?")
        self.assertEqual(nearest("frobnicate", ["count", "hist"]), "")

    def test_verbs(self) -> None:
        self.assertIn("there is no verb 'lsit'; did you mean 'list'?", complaint("lsit", "sites"))
        self.assertIn("there is no verb 'frobnicate'\n", complaint("frobnicate"))
        self.assertNotIn("there is no verb", complaint("dev", "vm", "--frobnicate"))

    def test_earlier_spellings(self) -> None:
        for earlier, meant in (
            ("vm", "dev vm"), ("gate", "kernel-cost"), ("verify", "list --verify"),
            ("arm", "connect --arm"), ("export", "record export"), ("thread", "report lkml-2006"),
            ("pack", "fleet pack"),
        ):  # fmt: skip
            with self.subTest(earlier=earlier):
                said = complaint(earlier, "--frobnicate")
                self.assertEqual(said, f"kmark: there is no verb {earlier!r}: use kmark {meant}\n")
                verb = " ".join(meant.split(" --")[0].split())
                self.assertTrue(f"{cli.find(verb.split())[0]} ".startswith(f"{verb} "))

    def test_an_error_ends_with_an_example(self) -> None:
        """All options of kmark record would hide the message."""
        for words in (["record", "run"], ["record", "--frobnicate"]):
            said = complaint(*words).split("\n")
            self.assertRegex(said[0], "^kmark: record: ")
            self.assertEqual(said[1], "usage: kmark record [SELECTOR ...]")
            self.assertRegex(said[2], "^example: kmark record -o ")
            self.assertEqual(said[3:], ["kmark help record shows all options", ""])

    def test_an_installed_kmark_names_no_other_verbs(self) -> None:
        def spelled(groups: Groups) -> set[str]:
            verbs = {name: verb for group in groups.values() for name, verb in group.items()}
            below = {f"{name} {below}" for name, verb in verbs.items() for below in verb.verbs}
            return {f"kmark {name}" for name in verbs} | below

        here = cli.groups(installed=True)
        pages = [pages_of_help.full(here, name) for group in here.values() for name in group]
        texts = " ".join(" ".join([pages_of_help.overview(here), dev_manual.page(here), *pages]).split())
        for words in (*(spelled(cli.GROUPS) - spelled(here)), "tools/", "Documentation/"):
            self.assertNotIn(words, texts)
        with mock.patch.object(cli.groups, "__defaults__", (True,)):
            self.assertIn(cli.TREE_ONLY, complaint("vm"))
            self.assertIn("use kmark list --verify", complaint("verify"))

    def test_verbs_of_verbs(self) -> None:
        self.assertEqual(cli.find(["record", "-o", "x"]), ("record run", ["-o", "x"]))
        self.assertEqual(cli.find(["record", "snapshot", "-o"]), ("record snapshot", ["-o"]))
        self.assertIn("dev: there is no verb 'kernle'; did you mean 'kernel'?", complaint("dev", "kernle"))
        self.assertIn("lab has the verbs method, kbest, time\n", complaint("lab"))

    def test_installed(self) -> None:
        """Only what works there, and everything without packages does."""
        shown = {
            name: verb for group in cli.groups(installed=True).values() for name, verb in group.items()
        }
        self.assertEqual(
            list(shown), ["list", "connect", "disconnect", "stat", "hist", "watch", "record", "help"]
        )
        self.assertEqual(list(shown["record"].verbs), ["run", "snapshot", "sessions", "vmcore", "listen"])
        self.assertLessEqual(sum(map(len, cli.GROUPS.values())), 18)

    def test_what_is_missing(self) -> None:
        self.assertIn("required: SELECTOR, PROBE\n", complaint("connect"))
