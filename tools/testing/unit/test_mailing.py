# SPDX-License-Identifier: GPL-2.0-only
"""Mails of a set of patches: the recipients, the cover letter, and the branch in the sender's tree."""

from __future__ import annotations

import subprocess
import tempfile
import unittest
from pathlib import Path

from kmark.errors import Failure, Usage
from kmark.kernel import mailing, patchset

SAID = """\
Ann Onym <ann@example.org> (maintainer:SCHEDULER)
Bert B. <bert@example.org> (supporter:A (B) C)
Me <me@example.org> (maintainer:STATIC TRACING MARKERS)
"Carl C. O'Brien" <carl@example.org> (reviewer:SCHEDULER)
list@example.org (open list:SCHEDULER)
linux@example.org (open list)
"""


class Recipients(unittest.TestCase):
    def test_maintainers_and_lists_but_not_the_sender(self) -> None:
        found = mailing.read_recipients(SAID, "Me <me@example.org>")
        self.assertEqual(found[0], ["Ann Onym <ann@example.org>", "Bert B. <bert@example.org>"])
        self.assertEqual(found[1], ["list@example.org", "linux@example.org"])

    def test_other_output_is_refused(self) -> None:
        for said in ("Ann Onym <ann@example.org>\n", "perl: warning\n"):
            with self.assertRaisesRegex(
                Failure, f"^get_maintainer.pl: a line without a role: {said.strip()}$"
            ):
                mailing.read_recipients(said, "Me <me@example.org>")

    def test_at_most_ten_with_the_sender_those_of_most_patches_first(self) -> None:
        many = [f"m{number}" for number in range(20)]
        lists = [f"l{number}" for number in range(9)]
        to, cc = mailing.choose([(many, lists), (["m19"], ["l8"]), (["m19", "m18"], [])])
        self.assertEqual((len(to), len(cc)), (5, 4))
        self.assertEqual((to[:2], cc[0]), (["m19", "m18"], "l8"))
        self.assertEqual(mailing.choose([(many, [])]), (many[:9], []))
        rare = mailing.choose([*([(many, [])] * 3), (["rare"], ["l"])])
        self.assertEqual((rare[0][:3], len(rare[0]), rare[1]), (["m0", "rare", "m1"], 8, ["l"]))


class Orders(unittest.TestCase):
    def test_a_set_that_no_mail_contains(self) -> None:
        with self.assertRaisesRegex(Usage, "no mail contains these patches"):
            mailing.Order("instrumentation", "6.1", Path("/")).patches()
        with self.assertRaisesRegex(Usage, "no set of patches is called"):
            mailing.Order("none", "6.1", Path("/")).patches()

    def test_cover_letter(self) -> None:
        (one,) = patchset.chosen(["batching"])
        text = mailing.cover(one, (["A <a@x>"], ["l@x"]))
        self.assertTrue(text.startswith(f"{one.subject}\n\n"))
        self.assertTrue(text.endswith("\n\nTo: A <a@x>\nCc: l@x\n"))

    def test_trees_that_no_branch_is_made_in(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)

            def git(*words: str) -> None:
                subprocess.run(["git", "-C", name, *words], check=True, stdout=subprocess.DEVNULL)

            git("init", "-q")
            order = mailing.Order("batching", "6.1", folder)
            git("config", "user.name", "")
            git("config", "user.email", "me@example.org")
            (folder / "file").write_text("1")
            git("add", ".")
            git("-c", "user.name=Me", "commit", "-q", "-m", "one")
            git("config", "user.name", "Me")
            branch = mailing.Branch(order)
            self.assertEqual(branch.sender, "Me <me@example.org>")
            with self.assertRaisesRegex(
                Failure, f"^{name}: HEAD is in no branch of a remote; others lack that commit$"
            ):
                branch.check()
            git("update-ref", "refs/remotes/origin/master", "HEAD")
            branch.check()
            for words in ((), ("--detach",)):
                git("checkout", "-q", *words)
                with self.assertRaisesRegex(Failure, "git am"):
                    branch.make()
                branches = subprocess.check_output(["git", "-C", name, "branch"], text=True)
                self.assertNotIn("kmark", branches)
                self.assertEqual("detached" in branches, bool(words))
            (folder / "file").write_text("2")
            with self.assertRaisesRegex(Failure, "changes that are not committed"):
                branch.check()
