# SPDX-License-Identifier: GPL-2.0-only
"""The list of `make trust`: entries that stand for several runs, and what is read of their output."""

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

SCRIPT = Path(__file__).resolve().parents[1] / "trust/trust.py"
spec = importlib.util.spec_from_file_location("trust", SCRIPT)
assert spec and spec.loader
trust: Any = importlib.util.module_from_spec(spec)
sys.modules["trust"] = trust
spec.loader.exec_module(trust)


def load(text: str) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "runs.toml"
        path.write_text(text)
        return trust.load(path)


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
        runs = [trust.Run(name, "x") for name in ("faults", "faults-kernel", "fuzz")]
        for words, names in (
            (["faults"], ["faults"]),
            (["faults-"], ["faults-kernel"]),
            (["fa"], ["faults", "faults-kernel"]),
            (["fuzz", "faults"], ["faults", "fuzz"]),
            (["all"], ["faults", "faults-kernel", "fuzz"]),
            ([], []),
        ):
            with self.subTest(words):
                self.assertEqual([run.name for run in trust.selected(runs, words)], names)
        with self.assertRaises(Failure):
            trust.selected(runs, ["fault-kernel"])

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
        runs, _ = trust.load(SCRIPT.with_name("runs.toml"))
        for run in runs:
            self.assertNotIn("{", run.command)
            for word in run.command.split():
                if word.startswith("tools/"):
                    self.assertTrue((trust.TOP / word).is_file(), word)


class Figures(unittest.TestCase):
    def test_tap_is_counted(self) -> None:
        text = "ok 1 - a\nok 2 - b # SKIP no\nnot ok 3 - c\n1..3\n"
        self.assertEqual(trust.count_tap(text), ["1 passed, 1 failed, 1 skipped"])
        self.assertEqual(trust.count_tap("1..0 # SKIP not here\n"), ["skipped: not here"])
        self.assertEqual(trust.count_tap("nothing\n"), [])

    def test_lines_are_picked(self) -> None:
        run = trust.Run("a", "x", r"^# \d+ failures.*$")
        self.assertEqual(trust.find_figures(run, "# 3 failures   here\nok\n"), ["3 failures here"])


def seen(name: str, figure: str, commit: str, date: str) -> Any:
    return trust.Seen(name, "x", [figure], True, 1.0, commit, date, "a CPU")


class Table(unittest.TestCase):
    def test_figures_end_where_the_line_ends(self) -> None:
        path = "/sys/kernel/debug/markers/ctf/control:"
        figure = f"{path} 2857 accepted, 97143 EINVAL, {path} 4 accepted"
        first, *rest = trust.render(trust.Run("writes", "x"), seen("writes", figure, "1", "2026-11-26"), 36)
        self.assertEqual(first, f"{'writes':36}1 s, 1, 2026-11-26, a CPU")
        self.assertEqual(
            rest,
            [
                f"{'':36}{path} 2857 accepted, 97143",
                f"{'':38}EINVAL, {path} 4 accepted",
            ],
        )
        self.assertEqual(trust.render(trust.Run("a", "x"), None, 4), ["a   not run: x"])


class Kept(unittest.TestCase):
    """What git has, beside what was seen here."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.here, self.in_git = Path(folder.name) / "trust", Path(folder.name) / "seen.json"
        self.here.mkdir()
        for name, value in (("KEPT", self.here), ("IN_GIT", self.in_git)):
            patch = mock.patch.object(trust, name, value)
            patch.start()
            self.addCleanup(patch.stop)

    def see(self, *runs: Any) -> None:
        for each in runs:
            trust.path_of(each.name).write_text(json.dumps(trust.asdict(each)))

    RUNS = (trust.Run("a", "x"), trust.Run("b", "x"))

    def keep(self, *runs: Any) -> None:
        self.see(*runs)
        trust.keep(self.RUNS)
        for each in runs:
            trust.path_of(each.name).unlink()

    def figures(self) -> dict[str, str]:
        return {name: each.figures[0] for name, each in trust.last_seen(self.RUNS).items()}

    def test_the_newer_counts(self) -> None:
        self.assertEqual(self.figures(), {})
        self.keep(seen("a", "git", "1", "2026-11-02"), seen("b", "git", "1", "2026-11-02"))
        self.assertEqual(self.figures(), {"a": "git", "b": "git"})
        self.see(seen("a", "here", "2", "2026-11-01"), seen("b", "here", "2", "2026-11-03"))
        self.assertEqual(self.figures(), {"a": "git", "b": "here"})

    def test_a_changed_tree_is_not_kept(self) -> None:
        self.keep(seen("a", "1", "1+", "2026-11-02"), seen("b", "2", "1", "2026-11-02"))
        self.assertEqual(self.figures(), {"b": "2"})

    def test_a_changed_tree_leaves_what_was_kept(self) -> None:
        self.keep(seen("a", "1", "1", "2026-11-02"))
        self.keep(seen("a", "2", "1+", "2026-11-03"))
        self.assertEqual(self.figures(), {"a": "1"})

    def test_a_run_that_is_not_in_the_list_any_more_is_left_out(self) -> None:
        self.in_git.write_text(json.dumps([trust.asdict(seen("c", "1", "1", "2026-11-02"))]))
        self.assertEqual(self.figures(), {})

    def test_what_another_command_has_shown_is_left_out(self) -> None:
        self.keep(seen("a", "1", "1", "2026-11-02"))
        self.assertEqual(trust.last_seen([trust.Run("a", "y")]), {})

    def test_a_damaged_file_is_refused(self) -> None:
        for text in ("{", "[{}]", '[{"name": 1}]'):
            self.in_git.write_text(text)
            with self.subTest(text), self.assertRaises(Failure):
                trust.last_seen([])

    def test_the_projects_own_file_is_read(self) -> None:
        trust.IN_GIT = SCRIPT.with_name("seen.json")
        runs, _ = trust.load(SCRIPT.with_name("runs.toml"))
        listed = {(run.name, run.command) for run in runs}
        kept = {(entry["name"], entry["command"]) for entry in trust.read(trust.IN_GIT)}
        self.assertEqual(kept - listed, set())
        trust.last_seen(runs)
