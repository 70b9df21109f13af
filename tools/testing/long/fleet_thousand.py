# SPDX-License-Identifier: GPL-2.0-only
"""A thousand made-up reports: how long adding them takes, and each ready question.

    fleet_thousand.py FOLDER add|questions

The time of adding is that of a machine that does nothing else: processor time of all processes,
divided by the CPUs, or the time that passed if that is less."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import made_up
from kmark import cache
from kmark.fleet import query
from kmark.report import report

COUNT = 1000
MOST_ADD_S, MOST_QUESTION_S = 60, 1
STORED = cache.TOP / "Documentation/results/one.json.xz"


def add(folder: Path) -> bool:
    """True if all are stored in time."""
    made_up.write(report.load(STORED), folder / "results", COUNT)
    command = [str(cache.TOOLS / "kmark"), "fleet", "add", str(folder / "results"),
               "--store", str(folder / "store")]  # fmt: skip
    start, before = time.monotonic(), os.times()
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    passed, after = time.monotonic() - start, os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    alone = min(passed, used / (os.cpu_count() or 1))
    cases = query.ask(folder / "store", "SELECT count(*) // 1000 FROM cases", made_up.LAST).rows[0][0]
    print(f"# {COUNT} reports of {cases} cases: {passed:.1f} s passed, {used:.1f} s of processors; "
          f"alone {alone:.1f} s")  # fmt: skip
    return done.stdout.startswith(f"{COUNT} added, 0 refused") and alone <= MOST_ADD_S


def questions(folder: Path) -> bool:
    """True if each is answered in time, and with rows."""
    good = True
    for name in query.questions():
        start = time.monotonic()
        rows = query.ask(folder / "store", name, made_up.LAST).rows
        passed = time.monotonic() - start
        print(f"# {name}: {len(rows)} rows in {passed:.2f} s")
        good = good and bool(rows) and passed <= MOST_QUESTION_S
    return good


if __name__ == "__main__":
    raise SystemExit(not {"add": add, "questions": questions}[sys.argv[2]](Path(sys.argv[1])))
