# SPDX-License-Identifier: GPL-2.0-only
"""Locks: against another process, with a word to who waits; two builds of the same kernel."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path
from unittest import mock

from kmark import cache, lock
from kmark.kernel import tree

HOLDER = "from kmark import lock; import pathlib, sys; path = pathlib.Path(sys.argv[1])\n"
HOLDER += "with lock.hold(path, 'is first'):\n print('held', flush=True); sys.stdin.read()\n"
HOLDER += " print(path.with_name('made').write_text('made'))"


class InFolder(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)


class Hold(InFolder):
    def test_the_second_process_waits_and_says_so(self) -> None:
        path = self.folder / "new/lock"
        with subprocess.Popen(
            [sys.executable, "-P", "-c", HOLDER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as first:
            assert first.stdin
            assert first.stdout
            self.assertEqual(first.stdout.readline(), b"held\n")
            timer = threading.Timer(0.3, first.stdin.close)
            timer.start()
            with mock.patch("sys.stderr") as stderr, lock.hold(path, "is second"):
                self.assertTrue(path.with_name("made").exists(), "held by both")
            said = "".join(call.args[0] for call in stderr.write.call_args_list)
            timer.join()
            first.stdin = None
        self.assertEqual(said, "kmark: waiting for another kmark, which is second\n")

    def test_only_what_is_timed_is_alone(self) -> None:
        with mock.patch.object(cache, "place", return_value=self.folder):
            for env, made in (("vm", False), ("native", True), ("uml", True)):
                file = self.folder / "measuring.lock"
                with lock.measuring(env):
                    self.assertEqual(file.exists(), made, env)
                file.unlink(missing_ok=True)


class Kernel(InFolder):
    def test_two_builds_of_one_kernel_are_one(self) -> None:
        built: list[Path] = []

        def build_at(place: Path, *_: object) -> None:
            time.sleep(0.2)
            place.mkdir()
            built.append(place)

        with (
            mock.patch.object(cache, "place", return_value=self.folder),
            mock.patch.object(tree.Recipe, "key", return_value="0"),
            mock.patch.object(tree, "build_at", side_effect=build_at),
            mock.patch("sys.stderr") as stderr,
        ):
            threads = [threading.Thread(target=tree.build, args=(tree.Recipe("6.1"),)) for _ in range(2)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            said = "".join(call.args[0] for call in stderr.write.call_args_list)
        self.assertEqual([place.name for place in built], ["6.1-patched-0"])
        self.assertIn("waiting for another kmark, which builds 6.1-patched-0", said)
