# SPDX-License-Identifier: GPL-2.0-only
"""Several reports, each compared with the first; and a folder of them in the order of time."""

from __future__ import annotations

import json
import tempfile
import unittest
from dataclasses import replace
from pathlib import Path
from typing import Any

from kmark.analysis import notation
from kmark.errors import Failure, Incomparable, Usage
from kmark.report import compare, compare_plot, history, history_plot, many, model, page, report
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

    def test_plots_have_a_mark_for_each_report(self) -> None:
        drawn = list(compare_plot.draw_all(self.found))
        self.assertEqual({plot.section for plot in drawn}, {"native", "vm"})
        content = page.render(many.page(self.found, drawn))
        for plot in drawn:
            self.assertIn(f'id="plot-{plot.name}"', content)
            for letter in "ABC":
                self.assertIn(f">{letter}</text>", plot.svg)

    def test_of_many_slower_cases_20_are_named(self) -> None:
        for count, end in ((20, "flip"), (21, "flip; and 1 more")):
            cases = [Verdict("vm", "empty", "flip", "disabled", SLOWER)] * count
            found = many.Comparisons(self.found.reports[:2], [compare.Comparison(1.0, [], cases)])
            (part,) = many.summary_section(found).parts
            ((_, names),) = part.facts
            self.assertEqual(
                names, "; ".join(["B: vm empty disabled flip"] * 19) + f"; B: vm empty disabled {end}"
            )

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
