# SPDX-License-Identifier: GPL-2.0-only
"""Ansible, whose place a script takes."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path
from unittest import mock

from kmark.fleet import machines

PLAYING = """\
#!/bin/sh
printf 'TASK \\033[2J\\n'
for _ in $(seq 100); do
	[ ! -e "$2" ] || exit 4
	sleep 0.1
done
"""


class Machines(unittest.TestCase):
    def test_the_output_of_ansible_comes_at_once(self) -> None:
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        seen = folder / "seen"
        (folder / "bin").mkdir()
        (folder / "bin/ansible-playbook").write_text(PLAYING)
        (folder / "bin/ansible-playbook").chmod(0o755)
        said = mock.Mock()
        said.write.side_effect = lambda _: seen.touch()
        with mock.patch("sys.prefix", str(folder)), mock.patch("sys.stderr", said):
            self.assertEqual(machines.play("--inventory", str(seen)), 4)
        self.assertEqual(said.write.call_args_list[0], mock.call("TASK \\x1b[2J"))
