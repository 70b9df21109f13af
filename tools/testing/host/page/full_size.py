# SPDX-License-Identifier: GPL-2.0-only
"""The report of a whole native run, with its samples, on a machine that does not exist:
full_size.py REPORT FOLDER

Every case of the stored REPORT has as many samples as in a run of all rounds, so the page has all
tables and plots, and as many marks in them."""

from __future__ import annotations

import sys
from pathlib import Path

import made_up
from kmark.analysis import raw
from kmark.report import report

ROUNDS = 75  # of 4 layouts: 300 samples of each case
NOISE = 0.05  # cycles of a loop


def main() -> None:
    stored, folder = report.load(Path(sys.argv[1])), Path(sys.argv[2])
    made_up.ROUNDS, made_up.NOISE = ROUNDS, NOISE
    cases = [case for case in stored.cases if case.env == "native"]
    text = made_up.raw_text(list(made_up.cycles(cases, 0, 0)), 0, 1, made_up.RATE)
    made = report.build(raw.parse(text, "made up"), {"cpu": "x"}, "2026-01-02T03:04:05+0000")
    folder.mkdir()
    (folder / "raw.tsv").write_text(text)
    (folder / "report.json").write_text(report.dump(made))


if __name__ == "__main__":
    main()
