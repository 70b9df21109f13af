# SPDX-License-Identifier: GPL-2.0-only
"""The baseline of instruction counts: what differs is named, whatever it is."""

from __future__ import annotations

import dataclasses
import json
import tempfile
import unittest
from pathlib import Path

from kmark.analysis import raw
from kmark.bench import baseline, paths
from kmark.bench.baseline import Baseline, Change
from kmark.errors import Failure
from synthetic import Plan, native, vm


def of(text: str) -> Baseline:
    (document,) = raw.parse(text, "here")
    return baseline.of(document)


class Counts(unittest.TestCase):
    def test_are_of_each_cell_but_not_of_none_and_what_is_the_kernels(self) -> None:
        found = of(vm({"flip": 1, "generic": 3, "tracepoint": 16}))
        self.assertEqual(found.compiler, "gcc 12.2.0")
        self.assertEqual(len(found.added), 3 * 2 * 3)  # null is counted, too
        self.assertEqual(found.added["unrolled8 enabled generic"], 3)
        self.assertEqual(found.added["empty disabled null"], 0)

    def test_cycles_are_no_counts(self) -> None:
        with self.assertRaisesRegex(Failure, "empty disabled none: in cycles"):
            of(native(Plan()))

    def test_samples_that_do_not_agree_are_none(self) -> None:
        text = vm({"flip": 1}, loops=1000)
        with self.assertRaisesRegex(Failure, r"unrolled8 enabled flip: added .* from 1 to 1\.5"):
            of(text[: text.rindex("3007")] + text[text.rindex("3007") :].replace("3007", "3507"))

    def test_of_what_is_the_kernels_they_need_not(self) -> None:
        text = vm({"ring-buffer": 1}, loops=1000)
        found = of(text[: text.rindex("3007")] + text[text.rindex("3007") :].replace("3007", "3507"))
        self.assertEqual(set(found.added.values()), {0})


class Own(unittest.TestCase):
    """Code that only this project executes is in the baseline."""

    def test_a_site_without_code_is_counted_while_disabled(self) -> None:
        found = of(vm({"kprobe-site": 0, "kprobe-site-jump": 1}))
        self.assertEqual(found.added["empty disabled kprobe-site"], 0)
        self.assertEqual(found.added["empty disabled kprobe-site-jump"], 1)
        self.assertNotIn("empty enabled kprobe-site", found.added)
        grown = baseline.changes(found, of(vm({"kprobe-site": 1, "kprobe-site-jump": 1})))
        self.assertIn(Change("empty disabled kprobe-site", 0, 1), grown)

    def test_an_instruction_of_the_sink_is_found_in_spite_of_its_slow_path(self) -> None:
        def sink(cost: int) -> Baseline:
            rows = [line.split("\t") for line in vm({"sink": cost}).splitlines()]
            for number, row in enumerate(rows):
                if row[0] == "case" and row[3] == "sink" and number % 2:
                    row[5] = "1"
                    row[8] = str(int(row[8]) + 432_100)  # a packet was closed
                    rows[number - 2][5] = rows[number - 1][5] = "1"
            return of("".join("\t".join(row) + "\n" for row in rows))

        found = sink(46)
        self.assertEqual(found.added["empty enabled sink"], 46)
        self.assertIn(Change("empty enabled sink", 46, 47), baseline.changes(found, sink(47)))


class Changes(unittest.TestCase):
    before = of(vm({"flip": 1, "generic": 3}))

    def changed(self, **cells: float | None) -> Baseline:
        added: dict[str, float | None] = {**self.before.added}
        added |= {cell.replace("_", " "): value for cell, value in cells.items()}
        left = {cell: value for cell, value in added.items() if value is not None}
        return dataclasses.replace(self.before, added=left)

    def test_the_same_is_no_change(self) -> None:
        self.assertEqual(baseline.changes(self.before, self.before), [])
        self.assertEqual(list(baseline.lines(self.before, self.before, "it")), ["18 cells, each as in it"])

    def test_a_planted_instruction_is_found(self) -> None:
        now = of(vm({"flip": 1, "generic": 4}))
        found = baseline.changes(self.before, now)
        self.assertEqual(len(found), 6)
        self.assertEqual(found[0], Change("empty disabled generic", 3, 4))
        output = "\n".join(baseline.lines(self.before, now, "it"))
        self.assertRegex(output, r"empty disabled generic +3 +4\n")
        self.assertIn("6 of 18 cells differ", output)

    def test_less_is_a_change_too_and_so_is_a_part_of_an_instruction(self) -> None:
        for value in (2, 3.002, 2.998):
            now = self.changed(empty_disabled_generic=value)
            self.assertEqual(
                baseline.changes(self.before, now), [Change("empty disabled generic", 3, value)]
            )
        for before, value in ((3, 3.0005), (3, 3.001), (5, 5.001)):  # 5.001 - 5 is over 0.001 in binary
            one, other = (self.changed(empty_disabled_generic=each) for each in (before, value))
            self.assertEqual(baseline.changes(one, other), [], value)

    def test_cells_that_came_or_went_are_changes(self) -> None:
        now = self.changed(empty_disabled_generic=None, empty_disabled_pun=1)
        self.assertEqual(
            baseline.changes(self.before, now),
            [Change("empty disabled generic", 3, None), Change("empty disabled pun", None, 1)],
        )
        self.assertEqual(len(baseline.record(self.before, now)["changes"]), 2)

    def test_another_compiler_is_named_beside_them(self) -> None:
        now = dataclasses.replace(self.changed(empty_disabled_flip=2), compiler="gcc 13.1.0")
        self.assertEqual(
            list(baseline.lines(self.before, now, "it"))[-1],
            "compiler: was gcc 12.2.0, now gcc 13.1.0",
        )


class Costs(unittest.TestCase):
    """Other costs of bench/data/paths.tsv."""

    def test_those_that_moved_came_or_went_are_changes(self) -> None:
        stored = [paths.Cost(name, 95, "bytes") for name in ("kept", "moved", "gone")]
        now = [
            paths.Cost(name, value, "bytes") for name, value in (("kept", 100), ("moved", 101), ("new", 1))
        ]
        now.append(paths.Cost("start", 2, "times", gated=False))
        self.assertEqual(
            paths.changed_costs(stored, now),
            [
                paths.Change("moved", 95, 101),
                paths.Change("gone", 95, None),
                paths.Change("new", None, 1),
            ],
        )


class File(unittest.TestCase):
    def test_reads_back_as_it_was_written(self) -> None:
        found = of(vm({"flip": 1}))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "baseline.json"
            path.write_text(baseline.dump(found))
            self.assertEqual(baseline.load(path), found)
            for text, problem in (
                ("{", "not a kmark-baseline/1"),
                ('{"schema": "other"}', "schema other"),
                ("[]", "not a kmark-baseline/1"),
                (json.dumps({"schema": baseline.NAME, "compiler": "", "added": []}), "not a kmark"),
            ):
                path.write_text(text)
                with self.assertRaisesRegex(Failure, problem):
                    baseline.load(path)
            with self.assertRaisesRegex(Failure, "absent: No such file"):
                baseline.load(path.with_name("absent"))

    def test_the_one_in_the_tree_is_one(self) -> None:
        stored = baseline.load(baseline.FILE)
        self.assertEqual(stored.added["empty disabled mark"], stored.added["empty disabled nop5"])
        self.assertEqual(baseline.FILE.read_text(), baseline.dump(stored))
