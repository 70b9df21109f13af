# SPDX-License-Identifier: GPL-2.0-only
"""kmark kernel-cost: operands, sources, kernels in the cache, and the order of comparisons."""

from __future__ import annotations

import gzip
import io
import os
import re
import subprocess
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

from kmark import lock
from kmark.errors import Failure, Usage
from kmark.kernel import tree
from kmark.kernel_cost import builds, changes, operands, runner, source
from kmark.kernel_cost.builds import Config
from kmark.kernel_cost.operands import Operands, Subject
from kmark.kernel_cost.session import Session


class Words(unittest.TestCase):
    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def test_nothing_that_it_may_be(self) -> None:
        for word in (str(self.folder), str(self.folder / "none"), "0.1"):
            with self.assertRaises(Usage):
                Operands(self.folder, "6.1").resolve(word)

    def test_tree_with_its_map(self) -> None:
        image = self.folder / operands.IN_TREE
        image.parent.mkdir(parents=True)
        image.write_bytes(b"\x7fELF")
        (self.folder / "vmlinux").touch()
        (self.folder / "System.map").touch()
        for word in (self.folder, image):
            found = Operands(self.folder, "6.1").resolve(str(word))
            assert isinstance(found, Subject)
            self.assertEqual(found.kernel.image(), image)
            self.assertEqual(found.symbols, self.folder / "System.map")

    def test_image_of_a_distribution(self) -> None:
        for name in ("vmlinuz-6.1", "System.map-6.1", "System.map-6.2"):
            (self.folder / name).write_bytes(b"\0")
        found = Operands(self.folder, "6.1").resolve(str(self.folder / "vmlinuz-6.1"))
        assert isinstance(found, Subject)
        self.assertEqual(found.symbols, self.folder / "System.map-6.1")

    def test_patches(self) -> None:
        plain = self.folder / "plain"
        for start in ("--- a/x\n+++ b/x\n", "Return-Path: <a@b>\n", "X-Mailer: x\n", "commit 0123456789\n"):
            plain.write_text(start)
            self.assertTrue(operands.is_patch(plain), start)
        plain.write_text("hello\n")
        with self.assertRaisesRegex(Usage, "neither an image, such as bzImage, nor a patch"):
            operands.ready(str(plain))
        for name in ("0000-cover-letter.patch", "0002-b.patch", "0001-a.patch"):
            (self.folder / name).touch()
        (self.folder / "0003-c.diff").touch()
        (self.folder / "0000-d.diff").write_text("--- a/x\n+++ b/x\n")
        names = ["0000-d.diff", "0001-a.patch", "0002-b.patch", "0003-c.diff"]
        self.assertEqual([one.name for one in operands.patches_in(self.folder)], names)
        (self.folder / "series").write_text("# of quilt\n0002-b.patch -p1\n\n0001-a.patch # first\n")
        self.assertEqual([one.name for one in operands.patches_in(self.folder)], names[2:0:-1])

    def test_an_image_and_a_patch_need_a_base(self) -> None:
        image, patch = self.folder / "bzImage", self.folder / "x.patch"
        image.write_bytes(b"MZ")
        patch.touch()
        words = (str(image), str(patch))
        with self.assertRaisesRegex(Usage, "name the source of .*bzImage by --base"):
            Operands(self.folder).check_base(*words)
        Operands(self.folder, "6.1").check_base(*words)
        Operands(self.folder, "6.1").check_base(str(patch), str(image))
        Operands(self.folder, "6.1").check_base("6.1", str(patch))
        for wrong in (("6.12", str(patch)), (str(image), str(image))):
            with self.assertRaisesRegex(Usage, "--base has no effect"):
                Operands(self.folder, "6.1").check_base(*wrong)

    def test_configurations(self) -> None:
        path = self.folder / "config"
        for data in (b"CONFIG_A=y\n", gzip.compress(b"CONFIG_A=y\n")):
            path.write_bytes(data)
            self.assertEqual(builds.read_config(path), "CONFIG_A=y\n")
        for data in (b"hello\n", b"\x7fELF\xff", gzip.compress(b"CONFIG_A=y\n")[:-4]):
            path.write_bytes(data)
            with self.assertRaises(Usage):
                builds.read_config(path)

    def test_the_environment_of_a_build(self) -> None:
        given = {
            "LLVM": "1",
            "KCFLAGS": "-O0",
            "MAKEFLAGS": "k",
            "ARCH": "um",
            "V": "1",
            "KCONFIG_CONFIG": "x",
        }
        with mock.patch.dict(os.environ, given):
            found = tree.environment({"KCONFIG_ALLCONFIG": "y"})
        self.assertEqual((set(given) & set(found), found["KCONFIG_ALLCONFIG"]), (set(), "y"))
        self.assertEqual(found["PATH"], os.environ["PATH"])

    def test_an_operation_has_a_name_of_its_own(self) -> None:
        for name in ("empty", "null"):
            file = self.folder / f"{name}.c"
            file.touch()
            with self.assertRaisesRegex(Usage, "there is an operation"):
                runner.Program().with_own(file)


class Sources(unittest.TestCase):
    """A repository of a user, with a tree that has the one file by which Linux is known."""

    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name) / "user"
        self.folder.mkdir()
        place = mock.patch("kmark.cache.place", return_value=Path(scratch.name) / "cache")
        place.start()
        self.addCleanup(place.stop)
        self.git("init", "-q")
        (self.folder / "scripts").mkdir()
        self.write("scripts/Kbuild.include", "\n")
        self.write("a.c", "one\n")
        self.git("add", ".")
        self.git("commit", "-q", "-m", "first")

    def git(self, *words: str) -> None:
        subprocess.run([*tree.GIT, *words], cwd=self.folder, check=True, stdout=subprocess.DEVNULL)

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text)

    def commit(self, text: str, title: str) -> None:
        self.write("a.c", text)
        self.git("commit", "-q", "-a", "-m", title)

    def test_files_of_commits_and_files_that_are_not_committed(self) -> None:
        self.commit("two\n", "second")
        found = source.of_repository(self.folder)
        head = found.snapshot("HEAD")
        self.assertEqual((head.text("a.c"), found.snapshot("HEAD~1").text("a.c")), ("two", "one"))
        self.assertEqual(found.files().tree, head.tree)
        self.write("a.c", "\nthree\n")
        self.write("untracked.c", "x\n")
        files = found.files()
        self.assertEqual((files.text("a.c"), files.text("untracked.c")), ("\nthree", ""))
        status = subprocess.check_output(["git", "status", "--porcelain"], cwd=self.folder, text=True)
        self.assertEqual(status, " M a.c\n?? untracked.c\n")
        self.assertEqual(changes.changed_lines(head.diff(files)), ({"a.c": {1}}, {"a.c": {1, 2}}))
        self.assertEqual(
            [found.title(one).partition(" ")[2] for one in found.commits("HEAD~1", "HEAD")], ["second"]
        )

    def test_the_work_tree_gets_the_files_of_any_tree(self) -> None:
        self.commit("two\n", "second")
        found = source.of_repository(self.folder)
        for word, text in (("HEAD", "two\n"), ("HEAD~1", "one\n"), ("HEAD", "two\n")):
            (found.work / "a.c").unlink(missing_ok=True)
            (found.work / ".git/index.lock").touch()
            found.check_out(found.snapshot(word).tree)
            self.assertEqual((found.work / "a.c").read_text(), text)

    def test_an_edit_in_the_second_of_the_index(self) -> None:
        found = source.of_repository(self.folder)
        self.git("config", "core.trustctime", "false")
        os.utime(self.folder / "a.c", (7, 7))
        self.git("update-index", "--refresh")
        self.write("a.c", "two\n")
        for name in ("a.c", ".git/index"):
            os.utime(self.folder / name, (7, 7))
        self.assertEqual(found.files().text("a.c"), "two")

    def test_leftovers_are_removed_and_times_in_the_index_renewed(self) -> None:
        found = source.of_repository(self.folder)
        files = found.snapshot("HEAD").tree
        found.check_out(files)
        (found.work / "left").mkdir()
        (found.work / "left/x.o").touch()
        os.utime(found.work / "a.c", (1, 1))
        found.check_out(files)
        self.assertFalse((found.work / "left").exists())
        self.assertEqual((found.work / "a.c").stat().st_mtime, 1)

    def test_conflicts(self) -> None:
        found = source.of_repository(self.folder)
        self.git("checkout", "-q", "-b", "other")
        self.commit("two\n", "second")
        self.git("checkout", "-q", "-")
        self.commit("three\n", "third")
        subprocess.run(
            [*tree.GIT, "merge", "other"], cwd=self.folder, check=False, stdout=subprocess.DEVNULL
        )
        with self.assertRaisesRegex(Failure, "conflicts in a.c$"):
            found.files()

    def test_names_of_folders(self) -> None:
        strange = self.folder.with_name("my linux:7")
        self.folder.rename(strange)
        self.assertRegex(source.of_repository(strange).folder.name, "^my-linux-7-[0-9a-f]{8}$")

    def test_a_folder_may_have_the_name_of_a_commit(self) -> None:
        self.git("branch", "net")
        (self.folder / "net").mkdir()
        words = Operands(self.folder)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        found = words.resolve("net")
        assert isinstance(found, source.Snapshot)
        self.assertEqual(found.tree, words.repository.snapshot("HEAD").tree)
        for word in ("x.patch", "../typo"):
            with self.assertRaisesRegex(Usage, "no such file"):
                words.check(word)
        with self.assertRaisesRegex(Usage, "neither a built kernel nor patches"):
            words.check("scripts")

    def bisected(self, word: str, broken: tuple[str, ...] = (), operation: str = "null") -> str:
        """Bisect with kernels in which an operation takes as many instructions as a.c has bytes."""
        made = Session.__new__(Session)
        made.operands, made.program = Operands(self.folder), runner.Program()

        def differs(old: str, new: str, _: str) -> bool:
            texts = [made.commit(one).text("a.c") for one in (old, new)]
            if texts[1] in broken:
                raise Failure(texts[1])
            return len(texts[0]) != len(texts[1])

        self.said = self.enterContext(mock.patch("sys.stderr", io.StringIO()))
        with mock.patch.multiple(made, differs=differs, report=mock.Mock()):
            return made.bisect(word, operation).name.partition(" ")[2]

    def test_bisect(self) -> None:
        self.git("checkout", "-q", "-b", "topic")
        for text in ("two", "six", "seven", "eight", "nine5"):
            self.commit(f"{text}\n", text)
        self.git("checkout", "-q", "-b", "other", "topic~5")
        self.commit("a longer text\n", "other")
        # One commit of `topic` has another length than the one before, also if seen from another branch.
        self.assertEqual(self.bisected("other..topic"), "seven")
        self.assertEqual(self.bisected("topic~5..topic", ("two", "eight")), "seven")
        self.assertEqual(self.bisected("topic~5..topic"), "seven")
        self.assertRegex(
            self.said.getvalue(), "^kmark: 5 commits left: .* six\nkmark: 3 commits left: .* seven\n$"
        )
        self.assertEqual(self.bisected("topic~1.."), "other")
        for word, operation, why in (
            (
                "topic~4..topic~3",
                "null",
                "null takes the same before and after topic~4..topic~3, or is in none",
            ),
            ("topic..topic", "null", r"topic..topic: no commit in this range"),
            ("topic~1..", "nul", r"no operation nul \(--list\); did you mean 'null'\?"),
        ):
            with self.assertRaisesRegex((Failure, Usage), f"^kernel-cost: {why}$"):
                self.bisected(word, operation=operation)
        with self.assertRaisesRegex(Failure, "no commit between the two can be built"):
            self.bisected("topic~5..topic", ("six", "seven"))
        said = re.sub(r"left: [0-9a-f]+ ", "left: ", self.said.getvalue())
        lines = ["5 commits left: six", "skipped: six", "5 commits left: seven", "skipped: seven",
                 "5 commits left: eight", "4 commits left: two"]  # fmt: skip
        self.assertEqual(said, "".join(f"kmark: {line}\n" for line in lines))
        with self.assertRaisesRegex(Usage, "two dots"):
            self.bisected("other...topic")

    def test_each_row_has_a_name_and_its_error(self) -> None:
        made = Session.__new__(Session)
        made.operands = Operands(self.folder)
        diff = "--- a/a.c\n+++ b/a.c\n@@ -1 +1 @@\n-one\n+two\n"
        for name, text in (("x/a.patch", diff), ("y/a.patch", diff.replace("one", "1")), ("b.patch", diff)):
            (self.folder / name).parent.mkdir(exist_ok=True)
            self.write(name, text)
        words = [str(self.folder / name) for name in ("x/a.patch", "y/a.patch", "b.patch")]
        cover = self.folder / "0000-cover-letter.patch"
        cover.write_text("Subject: [PATCH 0/3] x\n")
        said = self.enterContext(mock.patch("sys.stderr", io.StringIO()))
        with mock.patch.object(made, "report", side_effect=OSError("full")):
            rows = list(made.each("HEAD", *words, str(cover)))
        lines = [f"{cover}: left out, as a cover letter has no change", rows[1].error]
        lines += [f"{number} of 3: {word}" for number, word in enumerate(words, 1)]
        self.assertEqual(said.getvalue(), "".join(f"kmark: {line}\n" for line in lines))
        with self.assertRaisesRegex(Usage, "^kernel-cost: --each: no patch or kernel is left$"):
            list(made.each("HEAD", str(cover)))
        with self.assertRaisesRegex(Usage, f"^kernel-cost: {words[0]}: want a second kernel to compare it"):
            made.pair(words[0])
        self.assertEqual([row.name for row in rows], [*words[:2], "b.patch"])
        self.assertEqual([row.error for row in rows][::2], ["full", "full"])
        self.assertIn("does not apply", rows[1].error)

    def test_the_same_change_is_the_same_kernel(self) -> None:
        found = source.of_repository(self.folder)
        head = found.snapshot("HEAD")
        diff = "--- a/a.c\n+++ b/a.c\n@@ -1 +1 @@\n-one\n+two\n"
        keys = []
        for name, text in (
            ("x.diff", diff), ("y.patch", f"From: a <a@b>\nSubject: [PATCH] x\n\ny\n---\n{diff}-- \n2\n"),
            ("z.diff", diff.replace("+two", "+Two")), ("p0.diff", diff.replace("a/", "").replace("b/", "")),
        ):  # fmt: skip
            path = self.folder / name
            path.write_text(text)
            keys.append(builds.key(head.with_patches(name, [path]), Config()))
        self.commit("two\n", "second")
        keys.append(builds.key(found.snapshot("HEAD"), Config()))
        self.assertEqual(len(set(keys)), 2)
        self.assertEqual({keys[0]}, {keys[1], keys[3], keys[4]})

    def test_a_patch_that_is_applied_already(self) -> None:
        # Three versions are known here, and the merge of them is what there is.
        self.commit("two\n", "second")
        diff = subprocess.check_output(["git", "diff", "HEAD~1", "HEAD"], cwd=self.folder)
        (self.folder / "c.diff").write_bytes(diff)
        later = source.of_repository(self.folder).snapshot("HEAD")
        with self.assertRaisesRegex(Failure, "c.diff changes no file of HEAD: it is applied already"):
            later.with_patches("c.diff", [self.folder / "c.diff"])

    def test_what_is_no_tree_of_linux(self) -> None:
        found = source.of_repository(self.folder)
        with self.assertRaisesRegex(Usage, "nowhere: no commit of Linux"):
            found.snapshot("nowhere")
        self.git("rm", "-q", "scripts/Kbuild.include")
        self.git("commit", "-q", "-m", "other")
        with self.assertRaisesRegex(Usage, "no commit of Linux"):
            found.snapshot("HEAD")
        with self.assertRaisesRegex(Usage, "no git repository of Linux: .* not a git repository"):
            source.of_repository(self.folder.parent)

    def test_no_folder_is_made_for_another_repository(self) -> None:
        self.git("rm", "-q", "scripts/Kbuild.include")
        self.git("commit", "-q", "-m", "other")
        with self.assertRaisesRegex(Usage, "no git repository of Linux"):
            source.of_repository(self.folder)
        self.assertFalse((self.folder.parent / "cache").exists())

    def test_old_sources_are_removed(self) -> None:
        cache = self.folder.parent / "cache/kernel-cost"
        places = [cache / name for name in ("own/kernels/1", "old/kernels", "interrupted", "built")]
        for place in places:
            place.mkdir(parents=True)
            for folder in (place, place.parent):
                os.utime(folder, (1, 1))
        with lock.hold(cache / "built.lock", "builds"):
            builds.prune(places[0])
        self.assertEqual([place.exists() for place in places], [True, False, False, True])

    def test_old_kernels_are_removed(self) -> None:
        cache = self.folder.parent / "cache/kernel-cost"
        kernels = [cache / f"linux/kernels/{number}" for number in range(3)]
        for days, path in zip((40, 1, 0), kernels, strict=True):
            path.mkdir(parents=True)
            (path / "vmlinux").write_bytes(bytes(8192))
            os.utime(path, (time.time() - days * 86400,) * 2)
        builds.prune(kernels[2])
        self.assertEqual([path.exists() for path in kernels], [False, True, True])
        with mock.patch.object(builds, "MOST_BYTES", 8192):
            builds.prune(kernels[2])
        self.assertEqual([path.exists() for path in kernels], [False, False, True])
