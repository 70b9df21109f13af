# SPDX-License-Identifier: GPL-2.0-only
"""Runs the unit tests beside this file, or those in a folder that is given, on all CPUs, and prints TAP."""

from __future__ import annotations

import multiprocessing
import os
import sys
import traceback
import unittest
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import TypeAlias

Problem: TypeAlias = (
    tuple[type[BaseException], BaseException, TracebackType] | tuple[None, None, None]
)  # as unittest passes it


class Tap(unittest.TestResult):
    """Lines of TAP: one per test, without its number, and what went wrong as diagnostics below it."""

    in_parts: unittest.TestCase | None = None  # the last test of which a part failed

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def _line(self, test: unittest.TestCase, good: bool, note: str = "") -> None:
        name = test.id().replace("#", "")
        self.lines.append(f"{'ok' if good else 'not ok'} - {name}{note}")

    def addSuccess(self, test: unittest.TestCase) -> None:  # noqa: N802
        self._line(test, True)

    def addSkip(self, test: unittest.TestCase, reason: str) -> None:  # noqa: N802
        super().addSkip(test, reason)
        self._line(test, True, f" # SKIP {reason}")

    def addFailure(self, test: unittest.TestCase, err: Problem) -> None:  # noqa: N802
        super().addFailure(test, err)
        self._fail(test, err)

    def addError(self, test: unittest.TestCase, err: Problem) -> None:  # noqa: N802
        super().addError(test, err)
        self._fail(test, err)

    def addSubTest(  # noqa: N802
        self, test: unittest.TestCase, subtest: unittest.TestCase, err: Problem | None
    ) -> None:
        """One line for the test, and what went wrong in each part of it."""
        super().addSubTest(test, subtest, err)
        if not err:
            return
        if self.in_parts is not test:
            self._line(test, False)
        self.in_parts = test
        self._explain(err, subtest.id())

    def _fail(self, test: unittest.TestCase, err: Problem) -> None:
        self._line(test, False)
        self._explain(err)

    def _explain(self, err: Problem, part: str = "") -> None:
        lines = [part, *"".join(traceback.format_exception(err[1])).splitlines()]
        self.lines += [f"# {line}" for line in lines]


def run(place: int) -> tuple[list[str], bool]:
    """Return the lines of the tests in SUITES[place], and whether all have passed."""
    result = Tap()
    SUITES[place].run(result)
    return result.lines, result.wasSuccessful()


def main() -> int:
    print(f"1..{sum(suite.countTestCases() for suite in SUITES)}")
    number, good = 0, True
    # The tests are imported once: the processes are forked.
    forked = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(len(os.sched_getaffinity(0)), forked) as pool:
        for lines, passed in pool.map(run, range(len(SUITES))):
            good &= passed
            for line in lines:
                number += not line.startswith("#")
                print(line.replace("ok -", f"ok {number} -", 1) if line[0] != "#" else line, flush=True)
    return 0 if good and number else 1


FOLDER = sys.argv[1] if len(sys.argv) > 1 else str(Path(__file__).parent)
# One of each file.
SUITES = list(unittest.defaultTestLoader.discover(FOLDER))
sys.exit(main())
