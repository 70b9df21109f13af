# SPDX-License-Identifier: GPL-2.0-only
"""Damaged reports and raw data are refused, by file, line and reason."""

from __future__ import annotations

import copy
import json
import lzma
import re
import tempfile
import unittest
from pathlib import Path
from typing import Any, ClassVar

import test_report
from kmark.errors import Failure
from kmark.report import report, schema, text

NAMED = re.compile(r"^here:\d+: \S")
OLDER = ("site", "versus", "size", "toggle", "scale", "memory", "slips", "breakeven")


def spoil(made: Any, where: list[Any], value: Any) -> str:
    """The text of a report in which one value is another."""
    spoilt = copy.deepcopy(made)
    target = spoilt
    for step in where[:-1]:
        target = target[step]
    target[where[-1]] = value
    return json.dumps(spoilt, indent=1) + "\n"


class Reports(unittest.TestCase):
    dumped: ClassVar[str] = report.dump(test_report.sample_report())
    made: ClassVar[Any] = json.loads(dumped)

    def refused(self, source: str) -> str:
        with self.assertRaises(Failure) as caught:
            report.parse(source, "here")
        return str(caught.exception)

    def test_what_is_no_json_is_named_by_line(self) -> None:
        lines = self.dumped.splitlines(keepends=True)
        for change, line, reason in (
            ([*lines[:5], "?\n", *lines[5:]], 6, "Expecting"),
            (lines[:-9], len(lines) - 8, "Expecting"),
            (
                [*lines[:3], ' "created": "2026-01-02T03:04:05",\n', *lines[3:]],
                4,
                "'created' is there twice",
            ),
        ):
            self.assertRegex(self.refused("".join(change)), f"^here:{line}: not JSON: {reason}")
        number = next(n for n, line in enumerate(lines) if '"median"' in line)
        for value in ("NaN", "-Infinity", "1e999"):
            changed = [*lines]
            changed[number] = re.sub(r": [^,]*", f": {value}", lines[number])
            self.assertEqual(self.refused("".join(changed)),
                             f"here:{number + 1}: not JSON: {value} is no number")  # fmt: skip
        self.assertIn("nested too deeply", self.refused("[" * 100_000))

    def test_what_does_not_fit_is_named_by_line_and_place(self) -> None:
        case = self.made["cases"][3]
        env = self.made["cases"][-1]["env"]
        twice = [*self.made["cases"], self.made["cases"][2]]
        wrong: list[tuple[list[Any], Any, str]] = [
            (["schema"], "kmark-report/3", "expected kmark-report/1 or kmark-report/2, found"),
            (["created"], "2026-13-02T03:04:05", "month must be"),
            (["cases", 3, "unit"], "ticks", "'ticks' is not one of"),
            (["cases", 3, "unit"], "instructions", "instructions, where native has cycles"),
            (["cases", 3, "env"], "moon", "there is no run of moon"),
            (["cases", 3, "shape"], "moon", "no null experiment for native moon disabled"),
            (["cases", 3, "added", "lo"], case["added"]["hi"] + 1, "the median"),
            (["cases", 3, "added"], {"median": -50, "lo": -51, "hi": -49}, "-50, where the loops"),
            (["cases", 3, "added", "hi"], 1e300, "1e[+]300 is greater than the maximum"),
            (["cases", 3, "sites"], 1000, "1000, where empty has 1"),
            (["rate", 0, "mhz"], 1e-300, "1e-300 is less than the minimum"),
            (["cases", 3, "dropped"], case["samples"] + 1, "samples are dropped"),
            (["cases"], twice, "is there twice"),
            (["environment", "runs", 0, "env"], env, "there is"),
            (["null", 0], self.made["null"][1], "is there twice|no null experiment"),
            (["memory", 0, "env"], "moon", "there is no run of moon"),
        ]
        for where, value, reason in wrong:
            dumped = spoil(self.made, where, value)
            message = self.refused(dumped)
            self.assertRegex(message, reason)
            self.assertRegex(message, NAMED)
            line = dumped.splitlines()[int(message.split(":")[1]) - 1]
            last = message.split(": ")[2].rpartition(".")[2]
            if re.fullmatch("[a-z]+", last):
                self.assertIn(f'"{last}"', line)

    def test_all_samples_may_be_dropped(self) -> None:
        case = self.made["cases"][3]
        report.parse(spoil(self.made, ["cases", 3, "dropped"], case["samples"]), "here")

    def test_older_reports_are_read(self) -> None:
        old = {key: value for key, value in self.made.items() if key not in OLDER}
        old["schema"] = "kmark-report/1"
        later = ("places", "resolution")
        old["cases"] = [
            {key: one for key, one in case.items() if key not in later} for case in old["cases"]
        ]
        self.assertIn("Cost of markers", text.render(report.parse(json.dumps(old), "here")))

    def test_a_file_that_cannot_be_read_is_named(self) -> None:
        with tempfile.TemporaryDirectory() as work:
            whole = lzma.compress(self.dumped.encode())
            for name, data, reason in (
                ("a.json.xz", whole[:-20], "not xz: "),
                ("b.json.xz", b"no", "not xz: "),
                ("c.json", b"{\n\xff", "2: not UTF-8: "),
                ("d.json.xz", lzma.compress(b" " * (schema.MOST_BYTES + 1), preset=0), " over 64 MiB"),
            ):
                path = Path(work, name)
                path.write_bytes(data)
                with self.assertRaisesRegex(Failure, f"^{path}:\\s?{reason}"):
                    report.load(path)
