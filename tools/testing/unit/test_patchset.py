# SPDX-License-Identifier: GPL-2.0-only
"""The patches for kernel trees are what the sources make of them."""

from __future__ import annotations

import hashlib
import subprocess
import tempfile
import unittest
from pathlib import Path

from kmark.errors import Usage
from kmark.kernel import patchset


class Patches(unittest.TestCase):
    def test_steps_name_every_source(self) -> None:
        self.assertEqual(patchset.mismatched_sources(), [])

    def test_they_are_up_to_date(self) -> None:
        for version in patchset.versions():
            self.assertEqual(patchset.stale_files(version), [], f"tools/kmark patches --write {version}")

    def test_drift_is_seen(self) -> None:
        version = patchset.versions()[0]
        step = patchset.steps()[0]
        changed = patchset.Step(step.name, step.subject, step.body + "more", step.tree, step.shared)
        name = f"0001-markers-{step.name}.patch"
        kept = (patchset.folder(version) / name).read_text()
        self.assertEqual(patchset.patch(version, 1, len(patchset.steps()), step), kept)
        self.assertNotEqual(patchset.patch(version, 1, len(patchset.steps()), changed), kept)

    def test_unknown_version(self) -> None:
        with self.assertRaises(Usage):
            patchset.folder("2.6.17")


class InTree(unittest.TestCase):
    def test_includes_that_others_use_are_the_kernel_s(self) -> None:
        self.assertEqual(
            patchset.in_tree('#include "marker_abi.h"\n'), "#include <linux/markers/marker_abi.h>\n"
        )

    def test_others_stay(self) -> None:
        for line in ('#include "patch.h"\n', "#include <linux/list.h>\n", ' * "site.h"\n'):
            self.assertEqual(patchset.in_tree(line), line)

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


if __name__ == "__main__":
    unittest.main()
