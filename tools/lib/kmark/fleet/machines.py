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
from kmark.fleet import inventories

PLAYBOOK = cache.TOOLS / "fleet/playbook.yml"
CONFIG = cache.TOOLS / "fleet/ansible.cfg"


def ansible(program: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Runs a program of Ansible with the settings of tools/fleet; its output goes to stderr."""
    changed = {"ANSIBLE_CONFIG": str(CONFIG), "LC_ALL": "C.UTF-8"}
    # The programs of Ansible import nothing else than their own packages.
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    command = [str(Path(sys.prefix) / "bin" / program), *words]
    return subprocess.run(
        command,
        env=kept | changed,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        errors="replace",
        check=False,
    )


def measure(inventory: Path, archive: Path, out: Path, rounds: int, limit_s: int, forks: int) -> list[str]:
    """Brings `archive` to all hosts, `forks` at a time, and gathers raw.tsv.xz and host.json in a folder of
    `out` for each; returns a line for each host that failed. Failure if the inventory is malformed, or if
    Ansible fails itself."""
    inventories.check(inventory)
    cache.own_folder(out)
    stamp = time.strftime("%Y%m%d-%H%M%S")
    variables = {"archive": str(archive.resolve()), "out": str(out.resolve()), "rounds": rounds,
                 "limit_s": limit_s, "stamp": stamp}  # fmt: skip
    words = ["--inventory", str(inventory), "--forks", str(forks), "--extra-vars", json.dumps(variables)]
    done = ansible("ansible-playbook", *words, str(PLAYBOOK))
    for line in foreign.lines(done.stdout):
        print(foreign.shown(line), file=sys.stderr)
    failed = out / f"failed-{stamp}.txt"
    if not failed.exists():
        raise Failure(f"{PLAYBOOK.name}: Ansible ended with {done.returncode}")
    return [line for line in foreign.lines(failed.read_text(errors="replace")) if not line.startswith("#")]
