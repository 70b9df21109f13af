# SPDX-License-Identifier: GPL-2.0-only
"""Patches that a user gives: a mail, a mailbox, or a diff as git, diff or quilt prints it. Each becomes the
lines of its diffs alone, so that a mail and a diff of the same change are equal, and no other change is."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kmark.errors import Failure

MAIL = re.compile(rb"From \S+ |(?!Index:)[A-Z][A-Za-z-]*: ")
HUNK = re.compile(rb"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")
# Lines of git between "diff --git" and the first hunk, with the old name if they have one.
EXTENDED = re.compile(
    rb"(?:old mode|new mode|deleted file mode|new file mode|similarity index|dissimilarity index|index|"
    rb"(?:rename|copy) to|(rename|copy) from) (.*)"
)
BOTH_NAMES = re.compile(rb"diff --git (?:a/)?(.+) (?:b/)?\1$")
# Lines that depend on the repository in which the diff was made.
NOT_HASHED = (b"index ", b"similarity index ", b"dissimilarity index ")
NO_FILE = b"/dev/null"
STRIPPED = (1, 0)  # folders in front of the names: a/ and b/ of git, or none


@dataclass(frozen=True)
class GivenPatch:
    """The lines of the diffs of a file, without newlines, and the names of the files that it changes."""

    path: Path
    lines: tuple[bytes, ...]
    names: tuple[bytes, ...]

    def text(self) -> bytes:
        return b"".join(line + b"\n" for line in self.lines)

    def key(self) -> bytes:
        """Return the content, less what is not part of the change: hashes of files and times."""
        kept = (line for line in self.lines if not line.startswith(NOT_HASHED))
        return b"".join(without_time(line) + b"\n" for line in kept)

    def names_in_tree(self, stripped: int) -> list[str]:
        """Return the names in a tree, less so many folders in front, and without names outside of it."""
        found = (name.decode(errors="surrogateescape").split("/", stripped) for name in self.names)
        names = [parts[stripped] for parts in found if len(parts) > stripped]
        return [name for name in names if not {"", ".."} & set(name.split("/"))]


def without_time(line: bytes) -> bytes:
    """Return the line; of the name of a file, without the time that diff puts behind it."""
    return line.partition(b"\t")[0] if line.startswith((b"--- ", b"+++ ")) else line


def diffs_of_mails(path: Path, data: bytes) -> bytes:
    """Return the diffs of a mailbox, decoded from any transfer encoding. Failure if git cannot read it."""
    with tempfile.TemporaryDirectory() as scratch:
        folder, found = Path(scratch), b""
        split = ["git", "mailsplit", "-b", "--mboxrd", f"-o{folder}"]
        done = subprocess.run(split, input=data, capture_output=True, check=False)
        for mail in sorted(folder.iterdir()):
            parts = ["git", "mailinfo", "--encoding=UTF-8", str(folder / "message"), str(folder / "diff")]
            done = done if done.returncode else subprocess.run(
                parts, input=mail.read_bytes(), cwd=folder, capture_output=True, check=False
            )  # fmt: skip
            if not done.returncode:
                found += (folder / "diff").read_bytes()
    if done.returncode:
        raise Failure(f"{path}: git cannot read the mail: {done.stderr.decode(errors='replace').strip()}")
    return found


class Reader:
    """Reads the lines of diffs, and skips all others, such as a diffstat or a signature."""

    def __init__(self, path: Path, data: bytes) -> None:
        self.path = path
        self.all = data.removesuffix(b"\n").split(b"\n")
        if any(HUNK.match(line) and line.endswith(b"\r") for line in self.all):
            self.all = [line.removesuffix(b"\r") for line in self.all]
        self.at = 0
        self.names: list[bytes] = []

    def peek(self) -> bytes:
        return self.all[self.at] if self.at < len(self.all) else b""

    def take(self) -> bytes:
        self.at += 1
        return self.all[self.at - 1]

    def read(self) -> Iterator[bytes]:
        in_git = False  # among the lines of git before a hunk
        while self.at < len(self.all):
            line = self.take()
            if line.startswith(b"diff --git "):
                in_git = True
                if found := BOTH_NAMES.match(line):
                    self.names.append(b"a/" + found[1] if b" a/" in line else found[1])
                yield line
            elif in_git and (found := EXTENDED.match(line)):
                if found[1]:
                    self.names.append(found[2])
                yield line
            elif line.startswith(b"--- ") and self.peek().startswith(b"+++ "):
                in_git = False
                self.names += [name for name in map(name_of, (line, self.peek())) if name != NO_FILE]
                yield line
                yield self.take()
            elif found := HUNK.match(line):
                yield line
                yield from self.hunk(*(int(n or 1) for n in found.groups()))
            elif in_git and line == b"GIT binary patch":
                yield line
                yield from self.binary()

    def hunk(self, old: int, new: int) -> Iterator[bytes]:
        """Yield the lines of a hunk that has so many lines of either file."""
        begin = self.at
        while old or new or self.peek().startswith(b"\\"):
            if self.at >= len(self.all) or self.peek()[:1] not in b" -+\\":
                raise Failure(
                    f"{self.path}: line {begin}: the hunk there ends too early, at line {self.at}"
                )
            # Some mail programs remove the blank of an empty line.
            line = self.take() or b" "
            old -= line[:1] in b" -"
            new -= line[:1] in b" +"
            yield line

    def binary(self) -> Iterator[bytes]:
        while re.match(rb"(literal|delta) \d+$", self.peek()):
            yield self.take()
            while self.peek():
                yield self.take()
            # Some mail programs remove the empty line at the end.
            yield self.take() if self.at < len(self.all) else b""


def name_of(line: bytes) -> bytes:
    """Return the name in a line of "---" or "+++"."""
    return line[4:].partition(b"\t")[0].rstrip()


def read(path: Path) -> GivenPatch:
    """Return the change of a file. Failure if it has none, or is damaged, which names the line."""
    try:
        data = path.read_bytes()
    except OSError as problem:
        raise Failure(f"{path}: {problem.strerror}") from None
    reader = Reader(path, diffs_of_mails(path, data) if MAIL.match(data) else data)
    lines = tuple(reader.read())
    if not lines:
        raise Failure(f"{path}: no diff in this file")
    return GivenPatch(path, lines, tuple(dict.fromkeys(reader.names)))


def is_in_tree(given: GivenPatch, folder: Path, env: dict[str, str] | None) -> bool:
    """Return whether the names may be those of the tree, without a folder in front of them: otherwise a
    patch that creates a file would create the file in a folder b/."""
    tops = {name.partition(b"/")[0] for name in given.names if b"/" in name}
    if not tops:
        return True
    command = [b"git", b"ls-files", b"--error-unmatch", b"--", *(b":(top,literal)" + top for top in tops)]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False, env=env)
    return not done.returncode


def apply(given: GivenPatch, folder: Path, where: str, env: dict[str, str] | None = None) -> None:
    """Apply the change to the repository in that folder: to its index and files (`where` is "--index"),
    or to its index alone ("--cached"). `env`: the variables of git, if not those of this process.
    Failure, which names the file and the line, if it does not apply."""
    errors = []
    for more in (*([f"-p{stripped}"] for stripped in STRIPPED), ["-p1", "--3way"]):
        if more == ["-p0"] and not is_in_tree(given, folder, env):
            continue
        done = subprocess.run(
            ["git", "apply", where, *more, "-"], cwd=folder, input=given.text(), capture_output=True,
            check=False, env=env,
        )  # fmt: skip
        if not done.returncode:
            return
        errors += done.stderr.decode(errors="replace").split("\n")[:1]
    # A file that is not there is so with the wrong number of folders, too.
    no_verdict = ("No such file or directory", "does not exist in index", "-way merge.", "merge...")
    known = [error for error in errors if not error.endswith(no_verdict)]
    raise Failure(f"{given.path} does not apply: {(known or errors)[0]}")
