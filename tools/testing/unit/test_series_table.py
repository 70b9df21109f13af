# SPDX-License-Identifier: GPL-2.0-only
"""The table of the series: lines that are counted, and runs that are shown; and what the checkpatch
of a version finds that tools/lint.exceptions does not have."""

from __future__ import annotations

import sys
import unittest
from collections import Counter
from pathlib import Path

from kmark.kernel import patchset

TESTING = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTING / "trust"), str(TESTING / "long")]

import checkpatch  # noqa: E402
import series  # noqa: E402
import trust  # noqa: E402
from trust import Run, Seen  # noqa: E402

HUNK = "--- a/{0}\n+++ b/{0}\n@@ -1,2 +1,{1} @@\n context\n-gone\n"
FOUND = """\
0001-markers-mark.patch:7: ERROR:SPACING: spaces required
0001-markers-mark.patch:9: WARNING:LONG_LINE: line over 100 columns
0002-markers-core.patch:9: WARNING:LONG_LINE: line over 100 columns
0001-markers-mark.patch:9: CHECK:BIT_MACRO: use BIT
0002-markers-core.patch:12: CHECK:SPACING: blank
total: 1 errors, 2 warnings, 1 checks, 30 lines checked
"""
EXCEPTIONS = """\
# Findings that stay
SPACING,CAMELCASE markers/marker.h,patches/*-mark.patch lists
LONG_LINE patches/*/0001-*.patch as there
"""


def patch(**added: int) -> str:
    """Of files, with so many lines added to each; the message has lines that count for nothing."""
    files = ((name.replace("__", "/").replace("_c", ".c"), lines) for name, lines in added.items())
    return "Subject: x\n\n+++ b/none\n+no line\n---\n" + "".join(
        f"diff --git a/{name} b/{name}\n{HUNK.format(name, lines)}" + "+new\n" * lines
        for name, lines in files
    )


def seen(name: str, figures: list[str], passed: bool = True) -> Seen:
    return Seen(name, "command", figures, passed, 1.5, "0123456789ab+", "2026-11-23 10:00", "a CPU")


class Lines(unittest.TestCase):
    def test_by_what_a_file_is(self) -> None:
        found = series.count(
            [
                patch(kernel__markers__core_c=1000, Documentation__trace__markers=20, MAINTAINERS=3),
                patch(
                    samples__markers__x_c=7,
                    tools__testing__x=5,
                    kernel__trace__x_kunit_c=1,
                    init__main_c=2,
                ),
            ]
        )
        self.assertEqual(found, series.Lines(patches=2, code=1002, tests=13, docs=23))
        self.assertEqual(found.all, 1038)

    def test_rows(self) -> None:
        found = {"6.1": series.Lines(2, 1002, 13, 23), "7.3": None}
        self.assertEqual(
            series.rows_of_lines(found, ", abc"),
            [
                ["patches, abc", "2", "-"],
                ["lines of code, abc", "1,002", "-"],
                ["lines of tests and samples, abc", "13", "-"],
                ["lines of documentation, abc", "23", "-"],
                ["all lines, abc", "1,038", "-"],
            ],
        )

    def test_of_the_series_that_there_are(self) -> None:
        for version in patchset.versions():
            found = series.now(version)
            self.assertEqual(found.patches, len(patchset.steps()))
            added = sum(lines for text in patchset.series(version).values() for _, lines, _ in
                        patchset.changes(text))  # fmt: skip
            self.assertEqual(found.all, added)


class Runs(unittest.TestCase):
    def test_rows_are_kinds_and_columns_are_versions(self) -> None:
        table = [
            (Run("kernel-6.1-x86_64", "K=6.1 patches.t"), seen("x", ["3 passed, 0 failed, 0 skipped"])),
            (Run("kernel-6.12-x86_64", "K=6.12 patches.t"), seen("x", [], passed=False)),
            (Run("kernel-6.1-clang", "VANILLA=1 K=6.1 patches.t"), seen("x", ["not of a series"])),
            (Run("suite-core-x86_64", "vm-core.t"), seen("x", ["not of a series"])),
            (Run("matrix-6.1-smp1", "matrix.t"), seen("x", ["not of a series"])),
            (Run("size-6.12", "kmark size"), seen("x", ["all 1 2 1", "- core: 1"])),
            (Run("ftracetest-6.12", "ftracetest.t"), None),
        ]
        self.assertEqual(
            series.render(["6.1", "6.12"], series.rows_of_runs(table, ["6.1", "6.12"])),
            "|  | 6.1 | 6.12 |\n"
            "| --- | --- | --- |\n"
            "| kernel-x86_64 | 3 passed, 0 failed, 0 skipped (0123456789ab+, 2026-11-23 10:00) "
            "| FAILED: no figures (0123456789ab+, 2026-11-23 10:00) |\n"
            "| size | - | all 1 2 1; core: 1 (0123456789ab+, 2026-11-23 10:00) |\n"
            "| ftracetest | - | not run |",
        )

    def test_each_version_has_each_run_or_the_oldest_and_the_newest(self) -> None:
        runs, _ = trust.load(trust.HERE / "runs.toml")
        versions = patchset.versions()
        rows = [row for row in series.rows_of_runs([(run, None) for run in runs], versions)
                if row[0] != "kernel-debug"]  # fmt: skip
        self.assertEqual(len(rows), 10)
        for name, oldest, *between, newest in rows:
            self.assertEqual([oldest, newest], ["not run"] * 2, name)
            some = name in ("kernel-arm64", "kernel-with-clang")
            self.assertEqual(between, ["-" if some else "not run"] * (len(versions) - 2), name)


class Checkpatch(unittest.TestCase):
    def test_findings_are_counted_by_level(self) -> None:
        self.assertEqual(checkpatch.count(FOUND), "1 errors, 2 warnings, 2 checks")

    def test_what_no_exception_has(self) -> None:
        self.assertEqual(
            checkpatch.unexpected(FOUND, EXCEPTIONS, "patches/linux-6.1"),
            Counter({"LONG_LINE": 1, "SPACING": 1, "BIT_MACRO": 1}),
        )
