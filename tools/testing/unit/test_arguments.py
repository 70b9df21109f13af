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
from collections.abc import Callable
from pathlib import Path

from kmark import cli
from kmark.errors import Failure

# These run what their words are, or boot a guest for it.
RUN_THEM = {"time", "vm"}
FILES = {"empty": b"", "bytes": b"\0\377\n", "other.json": b'{"schema": "none/1", "n": [1]}'}
WORDS = ("", "\n", "\udcff", "/nonexistent/x", "9.9.9", "-1", "dir", *FILES)


def verbs_of(parser: cli.Parser) -> dict[str, argparse.ArgumentParser]:
    """By name; none reaches the markers of the kernel that this runs on."""
    (verbs,) = (one for one in parser._actions if isinstance(one, argparse._SubParsersAction))
    for verb in verbs.choices.values():
        if verb.get_default("root"):
            verb.set_defaults(root=Path("absent"))
    return dict(verbs.choices)


def refuses(parser: cli.Parser, words: list[str]) -> bool:
    """Whether the command line refuses them; what else is raised ends the test."""
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
        self.addCleanup(os.chdir, Path.cwd())
        os.chdir(folder)
        Path("dir").mkdir()
        for name, text in FILES.items():
            Path(name).write_bytes(text)

    def test_each_verb_refuses_them(self) -> None:
        parser = cli.parser()
        verbs = set(verbs_of(parser)) - RUN_THEM
        for verb, word in itertools.product(sorted(verbs), WORDS):
            for words in ([verb, word], [verb, word, "dir"], [verb, "--json", word]):
                with self.subTest(words=words):
                    self.assertTrue(refuses(parser, words))

    def test_each_number_is_one(self) -> None:
        found = 0
        for verb, parser in verbs_of(cli.parser()).items():
            for option in parser._actions:
                if not callable(option.type) or not is_number(option.type, "1"):
                    continue
                found += 1
                for word in ("nan", "inf", "-inf", "1e400", "-1", ""):
                    with self.subTest(verb=verb, option=option.option_strings, word=word):
                        self.assertFalse(is_number(option.type, word))
        self.assertGreater(found, 30)
