# SPDX-License-Identifier: GPL-2.0-only
"""Conditions that are made of the options of a command line."""

from __future__ import annotations

import argparse
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest import mock

from kmark.errors import Usage
from kmark.live import condition


def suffix(*words: str) -> str:
    parser = argparse.ArgumentParser()
    condition.add(parser)
    return condition.suffix(parser.parse_args(words))


class Suffix(unittest.TestCase):
    def test_none(self) -> None:
        self.assertEqual(suffix(), "")

    def test_if_alone_is_passed_as_it_is(self) -> None:
        self.assertEqual(suffix("--if", "a == 1 || b ~ x*"), " if a == 1 || b ~ x*")

    def test_several_values_of_an_option_are_alternatives(self) -> None:
        self.assertEqual(
            suffix("--pid", "1,22", "--pid", "3"), " if ($pid == 1 || $pid == 22 || $pid == 3)"
        )

    def test_options_hold_together(self) -> None:
        self.assertEqual(
            suffix("--tid", "5", "--comm", "a*", "--comm", "b c", "--if", "x == 1 || y == 2"),
            ' if $tid == 5 && ($comm ~ "a*" || $comm ~ "b c") && (x == 1 || y == 2)',
        )

    def test_what_cannot_be_a_condition_is_named(self) -> None:
        for words, named in (
            (("--pid", "1,x"), "--pid: want numbers, separated by commas: '1,x'$"),
            (("--tid", ""), "--tid: "),
            (("--comm", 'a"'), "--comm: 'a\"': a condition has no quote in a text$"),
            (("--comm", "a;b"), "a condition cannot have ';', which ends a command: "),
            (("--if", "a == 1 # b"), "'#'.*'a == 1 # b'$"), (("--if", "a\n== 1"), "n'"),
        ):  # fmt: skip
            with self.assertRaisesRegex(Usage, named):
                suffix(*words)


class Cgroups(unittest.TestCase):
    def test_number_is_that_of_the_folder(self) -> None:
        with TemporaryDirectory() as name, mock.patch.object(condition, "CGROUPS", Path(name)):
            group = Path(name) / "system.slice" / "a.service"
            group.mkdir(parents=True)
            (group / "cgroup.procs").touch()
            expected = f" if $cgroup == {group.stat().st_ino}"
            for path in ("system.slice/a.service", "/system.slice/a.service", str(group)):
                self.assertEqual(suffix("--cgroup", path), expected)
            with self.assertRaisesRegex(Usage, f"^--cgroup: {name}/no/such is no cgroup of version 2$"):
                suffix("--cgroup", "no/such")
