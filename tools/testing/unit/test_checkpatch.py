# SPDX-License-Identifier: GPL-2.0-only
"""Findings of the checkpatch of a version that tools/lint.exceptions does not have."""

from __future__ import annotations

import sys
import unittest
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "long"))

import checkpatch

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
SPACING,CAMELCASE markers/marker.h,build/series/*-mark.patch lists
LONG_LINE build/series/*/0001-*.patch as there
"""


class Checkpatch(unittest.TestCase):
    def test_findings_are_counted_by_level(self) -> None:
        self.assertEqual(checkpatch.count(FOUND), "1 errors, 2 warnings, 2 checks")

    def test_what_no_exception_has(self) -> None:
        self.assertEqual(
            checkpatch.unexpected(FOUND, EXCEPTIONS, "build/series/linux-6.1"),
            Counter({"LONG_LINE": 1, "SPACING": 1, "BIT_MACRO": 1}),
        )
