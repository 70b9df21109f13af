# SPDX-License-Identifier: GPL-2.0-only
"""Runs the unit tests beside this file, or those in the folder that is given, and prints TAP."""

from __future__ import annotations

import sys
import traceback
import unittest
from pathlib import Path
from types import TracebackType
from typing import TypeAlias

Problem: TypeAlias = (
    tuple[type[BaseException], BaseException, TracebackType] | tuple[None, None, None]
)  # as unittest passes it


class Tap(unittest.TestResult):
    """One line per test; what went wrong as diagnostics below it."""

    in_parts: unittest.TestCase | None = None  # the last test of which a part failed

    def _line(self, test: unittest.TestCase, good: bool, note: str = "") -> None:
        name = test.id().replace("#", "")
        print(f"{'ok' if good else 'not ok'} {self.testsRun} - {name}{note}", flush=True)

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

    @staticmethod
    def _explain(err: Problem, part: str = "") -> None:
        for line in [part, *"".join(traceback.format_exception(err[1])).splitlines()]:
            print(f"# {line}")


def main() -> int:
    folder = sys.argv[1] if len(sys.argv) > 1 else str(Path(__file__).parent)
    suite = unittest.defaultTestLoader.discover(folder)
    print(f"1..{suite.countTestCases()}")
    result = Tap()
    suite.run(result)
    return 0 if result.wasSuccessful() and result.testsRun else 1


sys.exit(main())
