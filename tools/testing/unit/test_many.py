# SPDX-License-Identifier: GPL-2.0-only
"""Several reports, each compared with the first; and a folder of them in the order of time."""

from __future__ import annotations

import json
import tempfile
import unittest
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

from kmark.analysis import notation
from kmark.analysis.cases import Estimate
from kmark.errors import Failure, Incomparable, Usage
from kmark.report import compare_plot, draw, history, history_plot, many, model, page, report
from kmark.report.compare import FASTER, SLOWER, Verdict
from test_compare import NATIVE, made


def named(*reports: model.Report) -> list[many.Named]:
    return [many.Named(letter, Path(f"/{letter}.json"), one)
            for letter, one in zip(many.LETTERS, reports, strict=False)]  # fmt: skip


class Several(unittest.TestCase):
    def setUp(self) -> None:
        slower = made(NATIVE | {"flip": 0.8}, {"generic": 3, "flip": 2}, seed=2)
        faster = made(NATIVE | {"generic": 2.0}, {"generic": 3, "flip": 1, "pun": 4}, seed=3)
        self.found = many.compare_all(named(made(), slower, faster), 1.0, 0.25)

    def test_each_is_compared_with_the_first(self) -> None:
        found = [(len(one.with_verdict(SLOWER)), len(one.with_verdict(FASTER))) for one in self.found.made]
        self.assertEqual(found, [(7, 0), (0, 1)])
        self.assertEqual(self.found.count(SLOWER), 7)

    def test_text_has_a_column_for_each_and_fits_a_mail(self) -> None:
        output = list(many.lines(self.found))
        text = "\n".join(output)
        self.assertLessEqual(max(map(len, text.splitlines())), notation.WIDTH)
        self.assertRegex(text, r"\nvariant +A +B +C\n")
        self.assertRegex(text, r"\nflip +\+1\.0000 +\+2\.0000 \+ +\+1\.0000 =\n")
        self.assertRegex(text, r"\ngeneric +\+[23]\.\d+ +\+[23]\.\d+ = +\+[12]\.\d+ -\n")
        self.assertRegex(text, r"\npun +\? *\n")
        self.assertRegex(text, r"\nB +0 +7 +\d+ +0\nC +1 +0 ")

    def test_more_reports_than_a_line_has_room_for(self) -> None:
        found = many.compare_all(named(*(made(seed=n + 1) for n in range(7))), 1.0, 0.25)
        text = "\n".join(many.lines(found))
        self.assertLessEqual(max(map(len, text.splitlines())), notation.WIDTH)
        self.assertRegex(text, r"\nvariant +A +B +C +D +E\n")
        self.assertRegex(text, r"\nvariant +A +F +G\n")
        with self.assertRaises(Usage):
            many.load([Path("x")] * 27)

    def test_each_shape_is_there_once_although_the_reports_differ(self) -> None:
        places = [place for place, _ in self.found.rows()]
        self.assertEqual(len(places), len(set(places)))
        rows = dict(self.found.rows())
        names = [name for name, _ in rows["vm", "empty", "disabled"]]
        self.assertEqual(names, ["generic", "flip", "pun"])

    def test_the_record_follows_its_schema(self) -> None:
        record = json.loads(json.dumps(many.record(self.found)))
        self.assertEqual([one["letter"] for one in record["reports"]], ["A", "B", "C"])
        first = record["comparisons"][0]
        self.assertEqual(first["counts"]["slower"], 7)
        self.assertEqual(sum(first["counts"].values()), len(first["cases"]))
        case = next(case for case in first["cases"] if case["verdict"] == "slower")
        self.assertEqual(case["difference"], case["b"]["median"] - case["a"]["median"])

    def test_plots_have_a_mark_for_each_report(self) -> None:
        drawn = list(compare_plot.draw_all(self.found))
        self.assertEqual({plot.section for plot in drawn}, {"native", "vm"})
        content = page.render(many.page(self.found, drawn))
        for plot in drawn:
            self.assertIn(f'id="plot-{plot.name}"', content)
            for letter in "ABC":
                self.assertIn(f">{letter}</text>", plot.svg)

    def test_each_mark_is_the_figure_of_a_report(self) -> None:
        def case(variant: str, a: float | None, b: float | None) -> Verdict:
            figures = [None if value is None else Estimate(value, value - 1, value + 1) for value in (a, b)]
            return Verdict(
                "vm", "empty", variant, "disabled", "same", unit="cycles", a=figures[0], b=figures[1]
            )

        rows: compare_plot.Rows = [
            ("flip", [case("flip", 3, 4), case("flip", 3, 6)]),
            ("pun", [None, case("pun", 5, None)]),
            ("key", [case("key", None, 8), None]),
        ]
        with mock.patch("kmark.report.draw.range_and_mark") as mark, draw.style():
            _, (axes,) = draw.figure(1, [3])
            compare_plot.draw_rows(axes, rows, ["A", "B", "C"])
        found = [(round(call.args[1], 2), call.args[2].median) for call in mark.call_args_list]
        self.assertEqual(found, [(-0.32, 3), (0, 4), (0.32, 6), (0.68, 5), (2, 8)])

    def test_one_that_has_nothing_in_common_is_named(self) -> None:
        with self.assertRaisesRegex(Incomparable, "^/B.json: compare: no case can be compared"):
            many.compare_all(named(made({"flip": 1.0}, {"flip": 1}), made({"pun": 1.0}, {"pun": 1})), 1, 1)


class History(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def keep(self, name: str, one: model.Report, **changes: Any) -> None:
        kept = replace(one, **changes)
        (self.folder / name).mkdir(exist_ok=True)
        (self.folder / name / "report.json").write_text(report.dump(kept))

    def test_by_machine_in_the_order_of_time(self) -> None:
        other = made()
        other.environment.host["cpu"] = "other"
        self.keep("z", made(), created="2026-01-02T03:00:00+0000")
        self.keep("y", made(NATIVE | {"flip": 0.8}, seed=2), created="2026-01-02T03:30:00+0000")
        self.keep("x", other, created="2026-01-02T05:10:00+0200")
        (self.folder / "latest").symlink_to("z")
        found = history.trace(history.load(self.folder, []), ["flip", "mark"])
        guest = ("vm", "x86_64, Synthetic 9000", 3)
        series = [(one.env, one.machine, len(one.points)) for one in found]
        self.assertEqual(series, [("native", "one", 2), guest, ("native", "other", 1)])
        self.assertEqual(found[0].points[1].slower, ["native empty disabled flip"])
        self.assertEqual([point.created[11:16] for point in found[1].points], ["03:00", "05:10", "03:30"])
        text = "\n".join(history.lines(found, ["flip", "mark"]))
        self.assertLessEqual(max(map(len, text.splitlines())), notation.WIDTH)
        self.assertIn("2026-01-02T03:30 slower: native empty disabled flip", text)
        record = json.loads(json.dumps(history.record(found)))
        self.assertEqual(record["schema"], "kmark-history/1")
        drawn = list(history_plot.draw_all(found, ["flip", "mark"]))
        self.assertIn("native: one", page.render(history.page(found, ["flip", "mark"], drawn)))

    def test_a_plot_has_each_cost_that_is_known(self) -> None:
        def point(disabled: float | None, enabled: float | None) -> history.Point:
            costs = {state: None if value is None else Estimate(value, value, value)
                     for state, value in (("disabled", disabled), ("enabled", enabled))}  # fmt: skip
            return history.Point("a", "2026-01-02T03:00:00+0000", "6.1", {"flip": costs})

        known = history.Series("vm", "one", "instructions", [point(1, 2), point(None, 4), point(3, None)])
        unknown = history.Series("uml", "one", "cycles", [point(None, None)])
        with mock.patch("kmark.report.draw.range_and_mark") as mark:
            drawn = list(history_plot.draw_all([unknown, known], ["flip"]))
        self.assertEqual([(plot.name, plot.section) for plot in drawn], [("history-1", "vm")])
        found = [(round(call.args[1], 2), call.args[2].median) for call in mark.call_args_list]
        self.assertEqual(found, [(-0.2, 1), (1.8, 3), (-0.2, 2), (0.8, 4)])

    def test_what_is_no_report_is_named_and_other_documents_are_left_out(self) -> None:
        with self.assertRaisesRegex(Incomparable, "no report in"):
            history.load(self.folder, [])
        self.keep("a", made())
        (self.folder / "b").mkdir()
        (self.folder / "b" / "report.json").write_text('{"schema": "kmark-macro/1"}')
        refused: list[str] = []
        self.assertEqual(len(history.load(self.folder, refused)), 1)
        self.assertEqual(refused, [])
        (self.folder / "b" / "report.json").write_text('{"schema":\n "kmark-report/1"}')
        (self.folder / "a" / "report.json.xz").write_bytes(b"cut")
        found = history.load(self.folder, refused)
        self.assertEqual(len(found), 1)
        self.assertRegex(refused[0], "a/report.json.xz: ")
        self.assertRegex(refused[1], "b/report.json:1: not a kmark-report/2: ")
        history.check_variants(found, ["flip"])
        with self.assertRaisesRegex(Usage, "no report has a variant 'flop'; did you mean 'flip'"):
            history.check_variants(found, ["flop"])
        with self.assertRaisesRegex(Failure, "absent: not a folder"):
            history.load(self.folder / "absent", [])

    def test_compare_is_not_stopped_by_reports_without_common_cases(self) -> None:
        self.keep("a", made({"flip": 1.0}, {"flip": 1}), created="2026-01-02T03:00:00+0000")
        self.keep("b", made({"pun": 1.0}, {"pun": 1}), created="2026-01-03T03:00:00+0000")
        (native, _) = history.trace(history.load(self.folder, []), ["flip"])
        self.assertIsNone(native.points[1].slower)
        self.assertEqual(history.count(None, 1), "?")
