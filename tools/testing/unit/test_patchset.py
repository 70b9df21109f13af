# SPDX-License-Identifier: GPL-2.0-only
"""The patches for kernel trees: how they are made of their sources, and what they contain."""

from __future__ import annotations

import hashlib
import itertools
import re
import subprocess
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from kmark import cli
from kmark.cache import TOP
from kmark.errors import Usage
from kmark.kernel import patchset

# Where the figures of a verb are.
PAGES = {"bench paths": "recording.md", "bench run": "measuring.md",
         "bench paths --kernel": "kernel-debug-events.md",
         "kernel-cost": "kernel-cost-counts.md", "macro": "macro.md",
         "report size": "kernel-tree.md"}  # fmt: skip
KERNEL = re.compile(r"(?:Linux|Debian's|gcc|EPYC) [\d.]+[-\d.]*|x86-64|arm64|shift=0")
FIGURE = re.compile(r"[-+]?\d+(?:,\d{3})*(?:\.\d+)?")


def places(version: str, one: patchset.Set) -> set[tuple[str, ...]]:
    """Return all that four lines in a row are before a set changes them, or beside its changes, each behind
    the path of the file."""
    found = set()
    for part in "".join(patchset.diff(version, step) for step in one.steps).split("diff --git ")[1:]:
        for hunk in re.split(r"^@@ .*\n", part, flags=re.MULTILINE)[1:]:
            old = [line for line in hunk.split("\n") if not line.startswith("+")]
            found |= {(part.split()[0], *old[i : i + 4]) for i in range(len(old) - 4)}
    return found


class Patches(unittest.TestCase):
    def test_sets_that_apply_alone_share_no_place(self) -> None:
        for version in patchset.versions():
            alone = [one for one in patchset.sets() if patchset.has(version, one) and not one.after]
            for one, other in itertools.combinations(alone, 2):
                with self.subTest(version=version, sets=(one.name, other.name)):
                    self.assertEqual(places(version, one) & places(version, other), set())

    def test_steps_name_every_file(self) -> None:
        self.assertEqual(patchset.unlisted_files(), [])

    def test_writing_leaves_the_series_and_nothing_else(self) -> None:
        version = patchset.versions()[0]
        with tempfile.TemporaryDirectory() as scratch, mock.patch.object(patchset, "SERIES", Path(scratch)):
            top = patchset.folder(version)
            first, *rest = patchset.write(version)
            names = [
                f"{one.name}/{n:04d}-{step.name}.patch"
                for one in patchset.sets() if patchset.has(version, one)
                for n, step in enumerate(one.steps, 1)
            ]  # fmt: skip
            self.assertEqual([str(path.relative_to(top)) for path in (first, *rest)], names)
            self.assertEqual((top / "series").read_text().splitlines(), names)
            written = rest[0].stat().st_mtime_ns
            first.write_text("changed")
            (first.parent / "0099-gone.patch").touch()
            patchset.write(version)
            there = {str(path.relative_to(top)): path.read_text() for path in top.rglob("*.patch")}
            self.assertEqual(there, patchset.series(version))
            self.assertEqual(rest[0].stat().st_mtime_ns, written)

    def test_a_set_has_the_sets_that_it_needs(self) -> None:
        version = patchset.versions()[-1]
        names = [one.name for one in patchset.chosen(["instrumentation"])]
        self.assertEqual(names, ["markers", "instrumentation"])
        self.assertEqual([one.name for one in patchset.chosen(["markers"])], ["markers"])
        self.assertEqual(
            [path.name for path in patchset.patches(version, ["batching"])],
            ["0001-static-keys.patch", "0002-tracepoints.patch"],
        )
        with self.assertRaisesRegex(Usage, "no set of patches is called other"):
            patchset.chosen(["other"])

    def test_parts_of_a_file_belong_to_steps(self) -> None:
        text = "a\n//+ one\nb\n//.\n//- two\nc\n//.\nd\n//+ two\ne\n//.\n"
        for present, found in ((set(), "acd"), ({"one"}, "abcd"), ({"one", "two"}, "abde")):
            self.assertEqual(patchset.stage(text, present), "".join(f"{c}\n" for c in found))

    def test_no_part_of_an_unknown_step_and_none_that_is_left_open(self) -> None:
        names = {step.name for step in patchset.steps()}
        for path in patchset.COMMON.rglob("*"):
            if path.is_file():
                parts = patchset.PART.findall(
                    "\n".join(x for x in path.read_text().splitlines() if x.lstrip("#")[:2] == "//")
                )
                self.assertTrue({name for _, name, _ in parts if name} <= names, path)
                ends = [bool(end) for _, _, end in parts]
                self.assertEqual(ends, [False, True] * (len(ends) // 2), path)

    def test_lines_are_counted_by_what_a_file_is(self) -> None:
        found = patchset.lines(
            patchset.as_new(path, "new\n" * count)
            for path, count in (
                ("kernel/markers/core.c", 1000), ("init/main.c", 2), ("Documentation/trace/markers", 20),
                ("MAINTAINERS", 3), ("samples/markers/x.c", 7), ("tools/testing/x", 5),
                ("kernel/trace/x_kunit.c", 1),
            )
        )  # fmt: skip
        self.assertEqual(found, patchset.Lines(code=1002, tests=13, docs=23))
        self.assertEqual(found.all, 1038)

    def test_a_version_takes_what_it_has_no_file_of_its_own_for_from_an_older_one(self) -> None:
        oldest, older, *_, newest = patchset.versions()
        with (
            tempfile.TemporaryDirectory() as scratch,
            mock.patch.object(patchset, "PATCHES", Path(scratch)),
        ):
            for name in (f"linux-{oldest}/a.diff", f"linux-{older}/a.diff", f"linux-{older}/tree/b"):
                (Path(scratch) / name).parent.mkdir(parents=True, exist_ok=True)
                (Path(scratch) / name).touch()
            for asked, path, found in (
                (oldest, "a.diff", oldest), (newest, "a.diff", older), (newest, "tree/b", older),
            ):  # fmt: skip
                self.assertEqual(patchset.of(asked, path), Path(scratch) / f"linux-{found}" / path)
            self.assertIsNone(patchset.of(oldest, "tree/b"))
            self.assertIsNone(patchset.of(newest, "none.diff"))

    def test_figures_are_those_of_the_pages(self) -> None:
        texts = [(step.name, step.body) for step in patchset.steps()]
        texts += [(one.name, one.cover) for one in patchset.sets()]
        commands = 0
        for name, text in texts:
            for measured, command in re.findall(r"((?:.+\n)+)\n\t(tools/kmark .*)", text):
                commands += 1
                verb = cli.find(command.split()[1:])[0] + " --kernel" * ("--kernel" in command)
                known = set(FIGURE.findall((TOP / "Documentation" / PAGES[verb]).read_text()))
                for figure in FIGURE.findall(KERNEL.sub("", measured)):
                    self.assertIn(figure, known, f"{name}: {command}")
        self.assertGreater(commands, 3)

    def test_a_set_begins_with_a_version(self) -> None:
        (one,) = patchset.chosen(["debug-events"])
        oldest, newest = patchset.versions()[0], patchset.versions()[-1]
        self.assertFalse(patchset.has(oldest, one))
        self.assertTrue(patchset.has(one.since, one))
        self.assertTrue(patchset.has(newest, one))
        self.assertEqual(patchset.series(oldest, [one.name]), {})
        used = {step.name: paths for step, paths in patchset.files(oldest)}
        self.assertEqual(used["debug-events"], [])

    def test_unknown_version(self) -> None:
        with self.assertRaises(Usage):
            patchset.check("2.6.17")


class Diffs(unittest.TestCase):
    def test_a_new_file_is_what_git_makes_of_it(self) -> None:
        text = "one\n\ntwo\n"
        diff = patchset.as_new("a/b.c", text)
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["git", "apply", "-"], input=diff, text=True, cwd=folder, check=True)
            self.assertEqual((Path(folder) / "a/b.c").read_text(), text)
        blob = hashlib.sha1(b"blob %d\0%s" % (len(text), text.encode())).hexdigest()
        self.assertIn(f"index 000000000000..{blob[:12]}", diff)

    def test_summary_counts_lines(self) -> None:
        change = "diff --git a/y b/y\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n"
        diff = patchset.as_new("x", "1\n2\n") + change
        self.assertEqual(patchset.summary(diff), " x | 2 added, 0 removed\n y | 1 added, 1 removed\n")
