# SPDX-License-Identifier: GPL-2.0-only
"""Words that no verb can do anything with: each ends with a line, not with a traceback."""

from __future__ import annotations

import argparse
import contextlib
import io
import itertools
import os
import subprocess
import tempfile
import unittest
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest import mock

from kmark import cli
from kmark.commands import common
from kmark.errors import Failure

# These run what their words are, or boot a guest for it, or need the packages of another Python.
LEFT_OUT = ("lab time", "dev vm", "fleet ")
FILES = {"empty": b"", "bytes": b"\0\377\n", "other.json": b'{"schema": "none/1", "n": [1]}'}
WORDS = ("", "\n", "\udcff", "/nonexistent/x", "9.9.9", "-1", "dir", *FILES)


def leaves() -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """By name; none reaches the markers of the kernel that this runs on."""
    for group in cli.GROUPS.values():
        for verb, one in group.items():
            for name, parser in one.parsers(verb):
                if parser.get_default("root"):
                    parser.set_defaults(root=Path("absent"))
                parser.set_defaults(groups=cli.groups)
                yield name, parser


def refuses(parser: argparse.ArgumentParser, words: list[str]) -> bool:
    """True if the command line refuses them; what else is raised ends the test."""
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            args = parser.parse_args(words)
            args.run(args)
    except (Failure, OSError, subprocess.CalledProcessError, SystemExit):
        return True
    return False


def is_number(kind: Callable[[str], object], word: str) -> bool:
    try:
        return isinstance(kind(word), int | float)
    except (ValueError, argparse.ArgumentTypeError):
        return False


class Arguments(unittest.TestCase):
    def setUp(self) -> None:
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.enterContext(mock.patch("kmark.cache.install", side_effect=AssertionError))
        self.addCleanup(os.chdir, Path.cwd())
        os.chdir(folder)
        Path("dir").mkdir()
        for name, text in FILES.items():
            Path(name).write_bytes(text)

    def test_each_verb_refuses_them(self) -> None:
        for (verb, parser), word in itertools.product(leaves(), WORDS):
            for words in ([word], [word, "dir"], ["--json", word]):
                if not verb.startswith(LEFT_OUT):
                    with self.subTest(verb=verb, words=words):
                        self.assertTrue(refuses(parser, words))

    def test_each_number_is_one(self) -> None:
        found = 0
        for verb, parser in leaves():
            for option in parser._actions:
                if not callable(option.type) or not any(is_number(option.type, one) for one in ("1", "1s")):
                    continue
                found += 1
                for word in ("nan", "inf", "-inf", "1e400", "-1", "", "0s", "-1s", "infs", "1e9h", "1 s"):
                    with self.subTest(verb=verb, option=option.option_strings, word=word):
                        self.assertFalse(is_number(option.type, word))
        self.assertGreater(found, 30)

    def test_units(self) -> None:
        for text, seconds in (("200ms", 0.2), ("10s", 10), ("1.5m", 90), ("500h", 1800000)):
            self.assertEqual(common.duration(text), seconds)
        for text, count in (("512", 512), ("64K", 64 << 10), ("4M", 4 << 20), ("1G", 1 << 30)):
            self.assertEqual(common.size(text), count)
        self.assertEqual([common.percentage("0"), common.percentage("100")], [0, 100])
        for kind, words in (
            (common.duration, ("10", "10 s", "10d", "s", "500.1h")),
            (common.size, ("0", "4m", "1.5M")),
        ):
            for word in words:
                with self.subTest(word=word), self.assertRaisesRegex(argparse.ArgumentTypeError, "as in"):
                    kind(word)

    def test_options_have_one_spelling(self) -> None:
        for verb, parser in leaves():
            with self.subTest(verb=verb):
                options = {word: action for action in parser._actions for word in action.option_strings}
                self.assertFalse({"--to", "--out", "--seconds"} & set(options))
                for word, kinds in (
                    ("--output", [Path]),
                    ("--kernel", [common.kernel, common.stock_kernel]),
                    ("--duration", [common.duration]),
                ):
                    if word in options:
                        self.assertIn(options[word].type, kinds)
                self.assertEqual("--output" in options, "-o" in options)
                self.assertRegex(parser.epilog or "", rf"^example: kmark {verb.split()[0]}\b")
