# SPDX-License-Identifier: GPL-2.0-only
"""Runs the packed bench on the machines of an inventory, through Ansible."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

from kmark import cache, foreign
from kmark.errors import Failure

PLAYBOOK = cache.TOOLS / "fleet/playbook.yml"
CONFIG = cache.TOOLS / "fleet/ansible.cfg"


def play(*words: str) -> int:
    """Run the playbook with the settings of tools/fleet. What Ansible prints goes to stderr as it comes,
    because measuring takes hours. Return the exit status of Ansible."""
    changed = {"ANSIBLE_CONFIG": str(CONFIG), "LC_ALL": "C.UTF-8"}
    # The programs of Ansible import nothing else than their own packages.
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    command = [str(Path(sys.prefix) / "bin/ansible-playbook"), *words, str(PLAYBOOK)]
    with subprocess.Popen(
        command, env=kept | changed, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace"
    ) as running:
        assert running.stdout
        try:
            for line in running.stdout:
                print(foreign.shown(line.rstrip("\n")), file=sys.stderr, flush=True)
        except BaseException:
            running.kill()
            raise
    return running.returncode


def measure(inventory: Path, archive: Path, out: Path, rounds: int, limit_s: int, forks: int) -> list[str]:
    """Brings `archive` to all hosts, `forks` at a time, and gathers raw.tsv.xz and host.json in a folder of
    `out` for each; returns a line for each host that failed. Failure if Ansible fails itself."""
    cache.own_folder(out)
    stamp = time.strftime("%Y%m%d-%H%M%S")
    variables = {"archive": str(archive.resolve()), "out": str(out.resolve()), "rounds": rounds,
                 "limit_s": limit_s, "stamp": stamp}  # fmt: skip
    words = ["--inventory", str(inventory), "--forks", str(forks), "--extra-vars", json.dumps(variables)]
    status = play(*words)
    failed = out / f"failed-{stamp}.txt"
    if not failed.exists():
        raise Failure(f"{PLAYBOOK.name}: Ansible ended with {status}")
    return [line for line in foreign.lines(failed.read_text(errors="replace")) if not line.startswith("#")]
