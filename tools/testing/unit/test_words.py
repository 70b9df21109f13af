# SPDX-License-Identifier: GPL-2.0-only
"""Words that the command line does not have, and which one may have been meant."""

from __future__ import annotations

import contextlib
import io
import unittest
from unittest import mock

from kmark import cli
from kmark.commands.common import nearest


def complaint(*words: str) -> str:
    """What the command line says about `words`, which it refuses with exit status 2."""
    said = io.StringIO()
    with mock.patch("sys.argv", ["kmark", *words]), contextlib.redirect_stderr(said):
        try:
            cli.parser().parse_args()
        except SystemExit as end:
            assert end.code == 2
    return said.getvalue()


class Words(unittest.TestCase):
    def test_nearest(self) -> None:
        self.assertEqual(nearest("cuont", ["count", "hist"]), "; did you mean 'count'?")
        self.assertEqual(nearest("frobnicate", ["count", "hist"]), "")

    def test_verbs(self) -> None:
        self.assertIn("there is no verb 'lsit'; did you mean 'list'?", complaint("lsit", "sites"))
        self.assertIn("there is no verb 'frobnicate'\n", complaint("frobnicate"))
        self.assertNotIn("there is no verb", complaint("vm", "--frobnicate"))

    def test_what_is_missing(self) -> None:
        self.assertIn("required: SELECTOR, PROBE\n", complaint("connect"))
