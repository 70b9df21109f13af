# SPDX-License-Identifier: GPL-2.0-only
"""stats.CONFIDENCE is the one place that has the confidence level: every text that
names it, and every interval, follows."""

from __future__ import annotations

import io
import unittest
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from unittest import mock

import kmark
import test_macro
from kmark import cli
from kmark.analysis import raw, stats
from kmark.macro import report as macro_report
from kmark.report import agree, compare, html, plots, samples, text
from test_report import sample_raw, sample_report


def texts() -> Iterator[str]:
    """Everything that names the level, once."""
    made = sample_report()
    documents = raw.parse(sample_raw(), "here")
    yield text.render(made)
    yield compare.render(compare.compare(made, made), made, made)
    yield "\n".join(agree.lines(agree.agreement(made, made), agree.WANTED_PCT))
    drawn = list(plots.make(made, samples.of(documents)))
    yield html.render(made, drawn)
    yield from (plot.caption for plot in drawn if "intervals" in plot.caption)
    macro = macro_report.build(raw.parse(test_macro.text(), "here"), {}, "2026-01-02T03:04:05+0000")
    yield macro_report.render(macro)


class Level(unittest.TestCase):
    def test_every_text_follows(self) -> None:
        before = list(texts())
        with mock.patch.object(stats, "CONFIDENCE", 0.9):
            after = list(texts())
        self.assertEqual(len(before), len(after))
        for old, new in zip(before, after, strict=True):
            self.assertIn("95 % interval", " ".join(old.split()))
            self.assertIn("90 % interval", " ".join(new.split()))
            self.assertNotIn("95 % interval", " ".join(new.split()))

    def test_so_does_every_interval(self) -> None:
        values = [float(value) for value in range(100)]
        wide = stats.estimate(values)
        with mock.patch.object(stats, "CONFIDENCE", 0.5):
            narrow = stats.estimate(values)
        self.assertLess(narrow.hi - narrow.lo, wide.hi - wide.lo)

    def test_enough_is_the_fewest_values_that_have_an_interval(self) -> None:
        for count, has_one in ((stats.ENOUGH - 1, False), (stats.ENOUGH, True)):
            self.assertEqual(2 * 0.5**count <= 1 - stats.CONFIDENCE, has_one)
        with redirect_stdout(io.StringIO()) as printed, self.assertRaises(SystemExit):
            cli.parse(["macro", "--help"])
        self.assertIn(f"with fewer than {stats.ENOUGH} ", " ".join(printed.getvalue().split()))

    def test_no_module_spells_it_out(self) -> None:
        for path in Path(kmark.__file__).parent.rglob("*"):
            if path.suffix in (".py", ".j2", ".json"):
                self.assertNotRegex(path.read_text(), r"\d ?%\s+(confidence )?intervals?\b", str(path))
