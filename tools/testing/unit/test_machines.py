# SPDX-License-Identifier: GPL-2.0-only
"""Ansible, whose place a script takes."""

from __future__ import annotations

import json
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from kmark.errors import Failure
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

    def test_hosts_that_failed_are_those_that_the_playbook_writes_down(self) -> None:
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        words: list[str] = []

        def play(*given: str) -> int:
            words[:] = given
            variables = json.loads(given[-1])
            Path(variables["out"], f"failed-{variables['stamp']}.txt").write_text("# hosts\none: why\n")
            return 2

        with mock.patch.object(machines, "play", play):
            found = machines.measure(Path("hosts.yml"), folder / "a.tar", folder, 3, 60, 5)
        self.assertEqual(found, ["one: why"])
        self.assertEqual(words[:5], ["--inventory", "hosts.yml", "--forks", "5", "--extra-vars"])
        variables = json.loads(words[5])
        wanted = {"archive": str(folder / "a.tar"), "out": str(folder), "rounds": 3, "limit_s": 60}
        self.assertEqual(variables, {**wanted, "stamp": variables["stamp"]})
        (folder / f"failed-{variables['stamp']}.txt").unlink()
        with (
            mock.patch.object(machines, "play", return_value=4),
            self.assertRaisesRegex(Failure, "^playbook.yml: Ansible ended with 4$"),
        ):
            machines.measure(Path("hosts.yml"), folder / "a.tar", folder, 3, 60, 5)
        folder.chmod(0o777)
        with self.assertRaisesRegex(Failure, "other users can write there"):
            machines.measure(Path("hosts.yml"), folder / "a.tar", folder, 3, 60, 5)
