# SPDX-License-Identifier: GPL-2.0-only
"""A copy of the tree, with what is built, in which errors are planted and taken out again."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

import suites
from kmark.errors import Failure

TOP = Path(__file__).resolve().parents[4]
BUILT = ("build/native", "build/tsan")


class Planted(Protocol):
    """A change of a file, and the suites that should see it."""

    @property
    def name(self) -> str: ...

    @property
    def file(self) -> str: ...

    @property
    def suites(self) -> tuple[str, ...]: ...

    def planted(self, text: str) -> str:
        """Return the text of the file with the change. Failure if there is no place for it."""


def make(tree: Path, targets: Iterable[str]) -> str:
    """ "" if all is built, else the end of what was printed."""
    words = ["make", "-s", "-C", str(tree), *sorted(set(targets))]
    if len(words) == 4:
        return ""
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    return "" if not done.returncode else (done.stderr + done.stdout)[-800:] or "make failed"


def files_below(folder: Path) -> dict[str, Path]:
    return {
        str(Path(place, name).relative_to(folder)): Path(place, name)
        for place, _, names in os.walk(folder)
        for name in names
    }


def copy(name: str, origin: Path, to: Path) -> None:
    """Times are kept to the nanosecond, so that make builds only what an error changes."""
    (to / name).parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(origin / name, to / name)


def planted(tree: Path, mutant: Planted) -> str:
    """The file with the error. Failure if there is no place for it: the list is stale."""
    path = tree / mutant.file
    if not path.is_file():
        raise Failure(f"{mutant.name}: no file {mutant.file}")
    return mutant.planted(path.read_text(encoding="utf-8"))


def changed_files(top: Path) -> set[str]:
    """The files that the last commit and the working tree change; without a history, all files of
    the tree. Failure if git lists none."""
    for words in (("diff", "--name-only", "HEAD~1"), ("ls-files",)):
        done = subprocess.run(["git", "-C", str(top), *words], capture_output=True, text=True, check=False)
        if not done.returncode:
            return set(done.stdout.splitlines())
    raise Failure(f"{top}: {done.stderr.strip()}")


class Tree:
    """`work`, in which errors are planted, and a clean copy, since the tree itself may be edited
    meanwhile."""

    def __init__(self, top: Path, folder: Path) -> None:
        self.clean, self.work = folder / "clean", folder / "work"
        listed = subprocess.run(
            ["git", "-C", str(top), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        if listed.returncode:
            raise Failure(f"{top}: {listed.stderr.strip()}")
        names = [name for name in listed.stdout.split("\0") if name and (top / name).exists()]
        names += [f"{built}/{name}" for built in BUILT for name in files_below(top / built)]
        for name in names:
            copy(name, top, self.clean)
            copy(name, self.clean, self.work)
        # Some suites ask git for the files, and `make dist` for the last commit.
        author = ("-c", "user.name=mutants", "-c", "user.email=mutants@localhost")
        for words in (("init", "--quiet"), ("add", "--all"), (*author, "commit", "--quiet", "-m", "tree")):
            subprocess.run(["git", "-C", str(self.work), *words], check=True)

    def plant(self, mutant: Planted) -> None:
        path = self.work / mutant.file
        path.write_text(planted(self.work, mutant), encoding="utf-8")

    def restore(self, mutant: Planted) -> None:
        """The source, and whatever was built meanwhile, are as in the clean copy again.  Modules,
        which are not copied, are built anew of a source that is newer than they are."""
        copy(mutant.file, self.clean, self.work)
        if any(suites.find(name).guest for name in mutant.suites):
            (self.work / mutant.file).touch()
        for built in BUILT:
            pristine = files_below(self.clean / built)
            for name, path in files_below(self.work / built).items():
                if name not in pristine:
                    path.unlink()
                elif path.stat().st_mtime_ns != pristine[name].stat().st_mtime_ns:
                    copy(f"{built}/{name}", self.clean, self.work)
