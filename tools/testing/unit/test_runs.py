# SPDX-License-Identifier: GPL-2.0-only
"""The list of long tests: entries that stand for several runs, what is read of their output, and
the results that are kept."""

from __future__ import annotations

import importlib.util
import json
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

from kmark.errors import Failure

SCRIPT = Path(__file__).resolve().parents[1] / "long/runs.py"
spec = importlib.util.spec_from_file_location("long_runs", SCRIPT)
assert spec and spec.loader
long_runs: Any = importlib.util.module_from_spec(spec)
sys.modules["long_runs"] = long_runs
spec.loader.exec_module(long_runs)


def load(text: str) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "runs.toml"
        path.write_text(text)
        return long_runs.load(path)


class List(unittest.TestCase):
    def test_each_is_every_combination(self) -> None:
        runs, _ = load(
            "[[run]]\nname = 'm-{kernel}-{cpus}'\ncommand = 'K={kernel} SMP={cpus} x'\n"
            "figures = '^a{2}$'\neach.kernel = ['6.1', '6.12']\neach.cpus = ['1', '8']\n"
        )
        self.assertEqual(
            [(run.name, run.command) for run in runs],
            [
                ("m-6.1-1", "K=6.1 SMP=1 x"),
                ("m-6.1-8", "K=6.1 SMP=8 x"),
                ("m-6.12-1", "K=6.12 SMP=1 x"),
                ("m-6.12-8", "K=6.12 SMP=8 x"),
            ],
        )
        self.assertEqual({run.figures for run in runs}, {"^a{2}$"})

    def test_a_name_is_one_run_and_its_beginning_several(self) -> None:
        runs = [long_runs.Run(name, "x") for name in ("faults", "faults-kernel", "fuzz")]
        for words, names in (
            (["faults"], ["faults"]),
            (["faults-"], ["faults-kernel"]),
            (["fa"], ["faults", "faults-kernel"]),
            (["fuzz", "faults"], ["faults", "fuzz"]),
            (["all"], ["faults", "faults-kernel", "fuzz"]),
            ([], []),
        ):
            with self.subTest(words):
                self.assertEqual([run.name for run in long_runs.selected(runs, words)], names)
        with self.assertRaises(Failure):
            long_runs.selected(runs, ["fault-kernel"])

    def test_wrong_entries_are_refused(self) -> None:
        for text in (
            "[[run]]\nname = 'a'\n",
            "[[run]]\nname = 'a'\ncommand = 'x'\nfigure = 'y'\n",
            "[[run]]\nname = 'a'\ncommand = 'x'\neach.k = ['1', '2']\n",
            "[[run]]\nname = 'a'\ncommand = 'x'\neach = 1\n",
            "[[run]]\nname = 1\ncommand = 'x'\neach.k = ['1']\n",
            "[[runs]]\n",
        ):
            with self.subTest(text), self.assertRaises(Failure):
                load(text)

    def test_the_projects_own_list_is_complete(self) -> None:
        runs, _ = long_runs.load(SCRIPT.with_name("runs.toml"))
        for run in runs:
            self.assertNotIn("{", run.command)
            for word in run.command.split():
                if word.startswith("tools/"):
                    self.assertTrue((long_runs.TOP / word).is_file(), word)


class Figures(unittest.TestCase):
    def test_tap_is_counted(self) -> None:
        text = "ok 1 - a\nok 2 - b # SKIP no\nnot ok 3 - c\n1..3\n"
        self.assertEqual(long_runs.count_tap(text), ["1 passed, 1 failed, 1 skipped"])
        self.assertEqual(long_runs.count_tap("1..0 # SKIP not here\n"), ["skipped: not here"])
        self.assertEqual(long_runs.count_tap("nothing\n"), [])

    def test_lines_are_picked(self) -> None:
        run = long_runs.Run("a", "x", r"^# \d+ failures.*$")
        self.assertEqual(long_runs.find_figures(run, "# 3 failures   here\nok\n"), ["3 failures here"])


def result(name: str, figure: str, passed: bool = True) -> Any:
    return long_runs.Result(name, "x", [figure], passed, 1.0, "1", "2026-11-26", "a CPU")


class Table(unittest.TestCase):
    def test_figures_end_where_the_line_ends(self) -> None:
        path = "/sys/kernel/debug/markers/ctf/control:"
        figure = f"{path} 2857 accepted, 97143 EINVAL, {path} 4 accepted"
        first, *rest = long_runs.render(long_runs.Run("writes", "x"), result("writes", figure), 36)
        self.assertEqual(first, f"{'writes':36}1 s, 1, 2026-11-26, a CPU")
        self.assertEqual(
            rest,
            [
                f"{'':36}{path} 2857 accepted, 97143",
                f"{'':38}EINVAL, {path} 4 accepted",
            ],
        )
        self.assertEqual(long_runs.render(long_runs.Run("a", "x"), None, 4), ["a   not run: x"])

    def test_summary_counts_by_the_first_word(self) -> None:
        runs = [long_runs.Run(name, "x") for name in ("a-1", "a-2", "b", "a-3")]
        results = {"a-1": result("a-1", ""), "a-3": result("a-3", "", passed=False)}
        self.assertEqual(long_runs.summary(runs, results), "| `a` | 3 | 1 | 1 |\n| `b` | 1 | 0 | 0 |")


class Kept(unittest.TestCase):
    RUNS = (long_runs.Run("a", "x"), long_runs.Run("b", "x"))

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        patch = mock.patch.object(long_runs, "KEPT", Path(folder.name))
        patch.start()
        self.addCleanup(patch.stop)

    def test_results_of_this_command_are_found(self) -> None:
        self.assertEqual(long_runs.last_results(self.RUNS), {})
        kept = result("a", "1")
        long_runs.path_of("a").write_text(json.dumps(long_runs.asdict(kept)))
        self.assertEqual(long_runs.last_results(self.RUNS), {"a": kept})
        self.assertEqual(long_runs.last_results([long_runs.Run("a", "y")]), {})

    def test_a_damaged_file_is_refused(self) -> None:
        for text in ("{", "[{}]", '{"name": 1}'):
            long_runs.path_of("a").write_text(text)
            with self.subTest(text), self.assertRaises(Failure):
                long_runs.last_results(self.RUNS)
