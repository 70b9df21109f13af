# SPDX-License-Identifier: GPL-2.0-only
"""Builds targets of the project's Makefile, and runs the programs that they make."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from kmark import cache
from kmark.errors import Failure
from kmark.progress import Progress, parse_progress

# Guests and programs end with kmark, even if that is killed.
DIE_WITH_PARENT = ["setpriv", "--pdeathsig", "KILL", "--"]


def make(target: str, *words: str) -> None:
    """Brings a target up to date, given more targets or variables as VARIABLE=VALUE; what make
    prints goes to stderr. Failure if it fails."""
    command = ["make", "-s", f"-j{os.cpu_count()}", target, *words]
    done = subprocess.run(command, cwd=cache.TOP, stdout=sys.stderr, check=False)
    if done.returncode:
        raise Failure(f"make {target} failed")


def make_modules(modules: Iterable[str], *words: str) -> None:
    """Brings kernel modules up to date, and no others: paths in the tree, with those whose
    symbols they use. `words` as of make()."""
    make("modules", f"MODULES={' '.join(modules)}", *words)


def run_quietly(failed: str, *command: str | Path) -> None:
    """Run a command. If it fails, Failure: `failed`, and the end of the output on stdout and stderr."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        raise Failure(f"{failed}:\n{done.stdout.decode(errors='replace')[-2000:]}")


def run_program(
    command: list[str],
    progress: Progress,
    part: int = 0,
    parts: int = 1,
    environment: dict[str, str] | None = None,
) -> str:
    """Returns what the program prints on stdout. Lines DONE/TOTAL on its stderr move
    `progress`, as those of part number `part` of `parts` equal ones; other lines are
    passed on. Failure if the program fails."""
    with tempfile.TemporaryFile("w+") as out:
        with subprocess.Popen(
            [*DIE_WITH_PARENT, *command],
            stdout=out,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        ) as runner:
            assert runner.stderr
            try:
                for line in runner.stderr:
                    if numbers := parse_progress(line):
                        progress.show_part(part, parts, *numbers)
                    else:
                        sys.stderr.write(line)
            except BaseException:
                runner.kill()
                raise
        if runner.returncode:
            raise Failure(f"{Path(command[0]).relative_to(cache.TOP)} ended with {runner.returncode}")
        out.seek(0)
        return out.read()
