# SPDX-License-Identifier: GPL-2.0-only
"""Patches that users give: which are the same change, which files they change, and where one is damaged."""

from __future__ import annotations

import base64
import subprocess
import tempfile
import unittest
from pathlib import Path

from kmark.errors import Failure
from kmark.kernel import given_patch
from kmark.kernel.tree import GIT

ONE = """diff --git a/one.c b/one.c
index 1111111..2222222 100644
--- a/one.c
+++ b/one.c
@@ -1,3 +1,3 @@
 a
-b
+B
 c
"""
OTHER = ONE.replace("one.c", "two.c")
MAIL = f"""From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001
From: A <a@b>
Date: Fri, 20 Nov 2026 00:00:00 +0000
Subject: [PATCH] title

message
---
 one.c | 2 +-
 1 file changed, 1 insertion(+), 1 deletion(-)

{ONE}--\x20
2.39.5

"""


class Given(unittest.TestCase):
    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def read(self, text: str | bytes, name: str = "x.patch") -> given_patch.GivenPatch:
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return given_patch.read(path)

    def names(self, text: str | bytes, stripped: int = 1) -> list[str]:
        return self.read(text).names_in_tree(stripped)

    def applied(self, text: str | bytes, **files: str) -> dict[str, str]:
        """Return the files of a tree that has the named .c files, after the patch."""
        tree = self.folder / "tree"
        subprocess.run(["rm", "-rf", tree], check=True)
        tree.mkdir()
        for name, content in files.items():
            (tree / f"{name}.c").write_text(content)
        for command in (["init", "-q"], ["add", "."], ["commit", "-q", "--allow-empty", "-m", "x"]):
            subprocess.run([*GIT, *command], cwd=tree, check=True)
        given_patch.apply(self.read(text), tree, "--index")
        return {path.name: path.read_text() for path in sorted(tree.glob("*.c"))}


class Keys(Given):
    def test_a_mail_and_a_diff_of_the_same_change_are_equal(self) -> None:
        self.assertEqual(self.read(MAIL).key(), self.read(ONE).key())
        self.assertEqual(self.read(ONE.replace("1111111", "11111112")).key(), self.read(ONE).key())

    def test_diffs_that_differ_in_their_first_file_alone_are_not(self) -> None:
        changed = ONE.replace("+B", "+BB")
        self.assertNotEqual(self.read(ONE + OTHER).key(), self.read(changed + OTHER).key())
        self.assertNotEqual(self.read(OTHER + ONE).key(), self.read(OTHER + changed).key())

    def test_line_numbers_and_blanks_count(self) -> None:
        for old, new in (("@@ -1,3 +1,3", "@@ -7,3 +7,3"), ("+B", "+B ")):
            self.assertNotEqual(self.read(ONE.replace(old, new)).key(), self.read(ONE).key())

    def test_an_encoded_mail_is_decoded(self) -> None:
        head, _, body = MAIL.partition("\n\n")
        encoded = base64.encodebytes(body.encode()).decode()
        text = f"{head}\nContent-Transfer-Encoding: base64\n\n{encoded}"
        self.assertEqual(self.read(text).key(), self.read(ONE).key())

    def test_carriage_returns_of_a_mail_program_do_not_count(self) -> None:
        for text in (ONE, MAIL):
            self.assertEqual(self.read(text.replace("\n", "\r\n")).key(), self.read(ONE).key())

    def test_times_of_diff_do_not_count(self) -> None:
        plain = ONE[ONE.index("---") :]
        dated = plain.replace("a/one.c", "a/one.c\t2026-11-28 10:00:00").replace("b/one.c", "b/one.c\t2027")
        self.assertEqual(self.read(dated).key(), self.read(plain).key())


class Forms(Given):
    def test_bytes_of_another_encoding_stay(self) -> None:
        text = ONE.encode().replace(b"+B", b"+\xe9")
        self.assertIn(b"+\xe9", self.read(text).lines)
        self.assertIn(b"+\xe9", self.read(MAIL.encode().replace(b"+B", b"+\xe9")).lines)

    def test_without_prefix(self) -> None:
        text = ONE.replace("a/one.c", "one.c").replace("b/one.c", "one.c")
        self.assertEqual(self.names(text, 0), ["one.c"])
        self.assertEqual(self.applied(text, one="a\nb\nc\n"), {"one.c": "a\nB\nc\n"})

    def test_of_quilt(self) -> None:
        text = "Subject of a patch\n\nIndex: linux/one.c\n=====\n--- linux.orig/one.c\n+++ linux/one.c\n"
        text += ONE[ONE.index("@@") :]
        self.assertEqual(self.names(text), ["one.c", "one.c"])
        self.assertEqual(self.applied(text, one="a\nb\nc\n"), {"one.c": "a\nB\nc\n"})

    def test_new_files_only(self) -> None:
        text = "diff --git a/new.c b/new.c\nnew file mode 100644\n--- /dev/null\n+++ b/new.c\n"
        text += "@@ -0,0 +1 @@\n+x\n"
        self.assertEqual(self.applied(text), {"new.c": "x\n"})

    def test_a_new_file_that_exists_is_not_created_elsewhere(self) -> None:
        text = "diff --git a/one.c b/one.c\nnew file mode 100644\n--- /dev/null\n+++ b/one.c\n"
        text += "@@ -0,0 +1 @@\n+x\n"
        with self.assertRaisesRegex(Failure, "already exists in index"):
            self.applied(text, one="a\n")

    def test_a_binary_patch_without_its_last_line(self) -> None:
        head = "diff --git a/x b/x\nindex 0000000..1111111\nGIT binary patch\n"
        text = f"{head}literal 1\nIcmZPo000310RR91\n\ndelta 1\nIcmZPo\nIcmZPo\n"
        for more in ("", "\n", "\n-- \n2.39.5\n"):
            self.assertEqual(self.read(text + more).text().decode(), f"{text}\n")

    def test_a_file_without_a_newline_at_its_end(self) -> None:
        text = ONE.replace(" c\n", "-c\n\\ No newline at end of file\n+c\n")
        self.assertEqual(self.applied(text, one="a\nb\nc"), {"one.c": "a\nB\nc\n"})
        text = ONE.replace(" c\n", " c\n\\ No newline at end of file\n")
        self.assertEqual(self.applied(text + "2.39.5\n", one="a\nb\nc"), {"one.c": "a\nB\nc"})

    def test_renames_only(self) -> None:
        text = "diff --git a/one.c b/two.c\nsimilarity index 100%\nrename from one.c\nrename to two.c\n"
        self.assertEqual(self.names(text, 0), ["one.c"])
        self.assertEqual(self.applied(text, one="a\n"), {"two.c": "a\n"})

    def test_a_mailbox_has_all_its_patches_in_their_order(self) -> None:
        cover = MAIL[: MAIL.index("---\n")].replace("[PATCH]", "[PATCH 0/2]")
        second = MAIL.replace("-b\n+B", "-B\n+C")
        self.assertEqual(self.applied(cover + MAIL + second, one="a\nb\nc\n"), {"one.c": "a\nC\nc\n"})

    def test_an_empty_line_may_have_lost_its_blank(self) -> None:
        text = ONE.replace(" a\n", "\n")
        self.assertEqual(self.applied(text, one="\nb\nc\n"), {"one.c": "\nB\nc\n"})

    def test_names_do_not_leave_the_tree(self) -> None:
        text = ONE.replace("a/one.c", "a/../../x").replace("b/one.c", "b//etc/x")
        self.assertEqual([*self.names(text), *self.names(text, 0)], [])


class Refused(Given):
    def test_a_file_without_a_diff(self) -> None:
        for text in ("", "hello\n", MAIL[: MAIL.index("diff")]):
            with self.assertRaisesRegex(Failure, "no diff in this file"):
                self.read(text)

    def test_a_hunk_that_is_cut_off(self) -> None:
        with self.assertRaisesRegex(Failure, r"x\.patch: line 5: the hunk there ends too early, at line 8"):
            self.read(ONE[: ONE.index(" c\n")])

    def test_a_hunk_that_does_not_apply_is_named(self) -> None:
        with self.assertRaisesRegex(Failure, r"x\.patch does not apply: .*one\.c:1"):
            self.applied(ONE, one="something\nelse\n")
