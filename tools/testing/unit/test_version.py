# SPDX-License-Identifier: GPL-2.0-only
"""The table of kernel versions is the only place that a new version has to be added to."""

from __future__ import annotations

import re
import subprocess
import unittest

from kmark.cache import TOP
from kmark.kernel import version

# Beside these a new version has its diffs, figures in pages and messages, and a line in CHANGELOG.md.
PLACES = {"tools/kernels.tsv", "tools/packages.lock"}
FREE = re.compile(
    r"Documentation/|CHANGELOG\.md$|LICENSES/|patches/(linux-|cover/|steps\.toml$)|tools/uv\.lock$|"
    r"tools/testing/unit/whole_texts\.txt$"  # figures
)


class Table(unittest.TestCase):
    def test_rows(self) -> None:
        names = list(version.table())
        self.assertEqual(names, sorted(names, key=lambda name: [int(part) for part in name.split(".")]))
        self.assertEqual(version.table()["6.1"], version.Version("6.1", ("6.1", "6.1-rt"), True))
        self.assertEqual(version.table()[names[-1]].stock, ())
        self.assertEqual(version.stock()[:2], ["6.1", "6.1-rt"])

    def test_no_other_file_names_the_newest_version(self) -> None:
        newest = re.escape(list(version.table())[-1])
        done = subprocess.run(
            ["git", "grep", "-lIP", rf"(?<![\d.]){newest}(?![\d])"], cwd=TOP, capture_output=True,
            text=True, check=True,
        )  # fmt: skip
        self.assertEqual({name for name in done.stdout.splitlines() if not FREE.match(name)}, PLACES)
