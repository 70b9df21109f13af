# SPDX-License-Identifier: GPL-2.0-only
"""Sources of Linux in the cache: the distribution's source of a version, or a git repository of the user.
Each has a repository of its own, a work tree, and a folder of builds that is kept, so that a second kernel
compiles only what differs from the first. Nothing is written into the repository of the user."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from kmark import cache, foreign, lock
from kmark.errors import Failure, Usage
from kmark.kernel import given_patch
from kmark.progress import Progress

# The same names and dates for all commits, so that a commit is named by its files alone; and no
# configuration of the user, which might change the ends of lines.
OWN = {
    "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "kmark", "GIT_AUTHOR_EMAIL": "kmark@localhost",
    "GIT_COMMITTER_NAME": "kmark", "GIT_COMMITTER_EMAIL": "kmark@localhost",
    "GIT_AUTHOR_DATE": "1700000000 +0000", "GIT_COMMITTER_DATE": "1700000000 +0000",
}  # fmt: skip
NOTHING: dict[str, str] = {}
BRANCH = "refs/heads/source"  # the unchanged source of a version
OF_LINUX = "scripts/Kbuild.include"  # a file that each tree of Linux has

UNUSUAL = re.compile(r"[^\w.-]", re.ASCII)  # among them blanks and colons, with which Linux cannot be built


def top() -> Path:
    return cache.place("cache") / "kernel-cost"


def own_variables() -> dict[str, str]:
    """Return the variables for git in a repository of ours: none of a git that has started this program."""
    return {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | OWN


def git(words: Iterable[str], folder: Path, env: Mapping[str, str]) -> str:
    """Return what git prints. Failure, with its error in one line."""
    done = subprocess.run(["git", *words], cwd=folder, capture_output=True, check=False, env=env)
    if done.returncode:
        error = foreign.shown(" ".join(done.stderr.decode(errors="replace").split()))
        raise Failure(f"{folder}: {error or 'git failed'}")
    return done.stdout.decode(errors="replace").removesuffix("\n")


@dataclass(frozen=True)
class Source:
    """A source, and its folder in the cache. `user`: the repository of the user whose objects it shares;
    None for a version of the distribution."""

    name: str
    folder: Path
    user: Path | None = None

    @property
    def lock_file(self) -> Path:
        return self.folder.with_name(f"{self.folder.name}.lock")

    @property
    def work(self) -> Path:
        return self.folder / "linux"

    @property
    def objects(self) -> Path:
        return self.work / ".git/objects"

    def own(self, words: Iterable[str], more: dict[str, str] = NOTHING) -> str:
        return git(words, self.work, own_variables() | more)

    def asked(self, words: Iterable[str], more: dict[str, str] = NOTHING) -> str:
        """Return what git prints in the repository of the user."""
        assert self.user
        return git(words, self.user, os.environ | more)

    def snapshot(self, word: str) -> Snapshot:
        """Return the files of a commit of the user, or of the version. Usage if there is none."""
        if self.user is None:
            return Snapshot(self, self.own(["rev-parse", f"{BRANCH}^{{tree}}"]), word)
        try:
            tree = self.asked(["rev-parse", "--verify", "--quiet", f"{word}^{{tree}}"])
            self.asked(["cat-file", "-e", f"{tree}:{OF_LINUX}"])
        except Failure:
            raise Usage(f"kernel-cost: {word}: no commit of Linux in {self.user}") from None
        return Snapshot(self, tree, word)

    def files(self) -> Snapshot:
        """Return the files of the user as they are now, with all changes that are not committed. Files that
        git does not track are left out. Failure if a merge has left conflicts."""
        index = Path(self.asked(["rev-parse", "--path-format=absolute", "--git-path", "index"]))
        if not index.exists():
            raise Usage(f"kernel-cost: {self.user}: no files are checked out")
        if conflicts := self.asked(["ls-files", "-u"]):
            names = dict.fromkeys(line.partition("\t")[2] for line in conflicts.split("\n"))
            raise Failure(f"{self.user}: a merge has left conflicts in {' '.join(names)}")
        with tempfile.TemporaryDirectory() as scratch:
            own = Path(scratch) / "index"
            # With its time, by which git knows files that were changed in the same second.
            shutil.copy2(index, own)
            places = {"GIT_INDEX_FILE": str(own), "GIT_OBJECT_DIRECTORY": str(self.objects)}
            places["GIT_ALTERNATE_OBJECT_DIRECTORIES"] = self.shared()
            self.asked(["add", "-u", ":/"], places)
            return Snapshot(self, self.asked(["write-tree"], places), "files")

    def commits(self, since: str, until: str) -> list[str]:
        """Return the short names of the commits of a range, oldest first; a merge is one commit."""
        return self.asked(
            ["rev-list", "--abbrev-commit", "--reverse", "--first-parent", f"{since}..{until}"]
        ).split()

    def title(self, commit: str) -> str:
        """Return the short name of a commit, and its subject."""
        return self.asked(["log", "-1", "--format=%h %s", commit])

    def check_out(self, tree: str) -> None:
        """Give the work tree the files of `tree`, and no others. Only files that differ are written."""
        (self.work / ".git/index.lock").unlink(missing_ok=True)  # of a process that was killed
        commit = self.own(["commit-tree", tree, "-m", "kmark"])
        # Files that were restored from an archive have other times than in the index. The status says only
        # that some files differ.
        with suppress(Failure):
            self.own(["update-index", "-q", "--refresh"])
        self.own(["checkout", "-q", "-f", "--detach", commit])
        self.own(["clean", "-ffdxq"])  # removes the files that an interrupted checkout has left

    def shared(self) -> str:
        """Return the folder with the objects of the user."""
        return self.asked(["rev-parse", "--path-format=absolute", "--git-path", "objects"])


@dataclass(frozen=True)
class Snapshot:
    """All files of a source at one time: a git tree. `name`: as the user wrote it."""

    source: Source
    tree: str
    name: str

    def with_patches(self, name: str, patches: Iterable[Path]) -> Snapshot:
        """Return the files with the patches applied, which takes a second. Failure, with the patch, the
        file and the line, if one does not apply."""
        with tempfile.TemporaryDirectory() as scratch:
            place = {"GIT_INDEX_FILE": str(Path(scratch) / "index")}
            self.source.own(["read-tree", self.tree], place)
            for path in patches:
                given_patch.apply(
                    given_patch.read(path), self.source.work, "--cached", own_variables() | place
                )
            tree = self.source.own(["write-tree"], place)
        if tree == self.tree:  # found by the merge of three versions
            raise Failure(f"{name} changes no file of {self.name}: it is applied already")
        return Snapshot(self.source, tree, name)

    def diff(self, new: Snapshot) -> str:
        """Return the lines that differ, without any around them."""
        return self.source.own(["diff", "--no-color", "--no-ext-diff", "-U0", "-M", self.tree, new.tree])

    def text(self, file: str) -> str:
        """Return a file; empty if there is none."""
        try:
            return self.source.own(["cat-file", "blob", f"{self.tree}:{file}"])
        except Failure:
            return ""


def of_version(version: str) -> Source:
    """Return the distribution's source of a version, which is unpacked first, in a minute."""
    archive = cache.place(f"linux-source-{version}")
    place = top() / f"linux-{version}-{archive.stat().st_size}"
    source = Source(version, place)
    with lock.hold(source.lock_file, f"unpacks Linux {version}"):
        if not place.exists():
            with tempfile.TemporaryDirectory(dir=top(), prefix="new.") as scratch:
                new = Source(version, Path(scratch))
                new.work.mkdir()
                with Progress(f"source of Linux {version}"):
                    unpack(archive, new)
                new.folder.chmod(0o755)
                os.rename(new.folder, place)
                new.folder.mkdir()  # for the context to remove
    return source


def unpack(archive: Path, new: Source) -> None:
    command = ["tar", "-xf", str(archive), "--strip-components=1", "-C", str(new.work)]
    if subprocess.run(command, check=False).returncode:
        raise Failure(f"{archive}: cannot be unpacked")
    new.own(["init", "-q", "."])
    new.own(["-c", "core.fsync=none", "add", "-A", "-f", "."])
    new.own(["update-ref", BRANCH, new.own(["commit-tree", new.own(["write-tree"]), "-m", "source"])])


def of_repository(folder: Path) -> Source:
    """Return the source that shares the objects of the user's repository at that folder. Usage if the
    folder is in none, or not in one of Linux."""
    try:
        names = ["--path-format=absolute", "--show-toplevel", "--git-common-dir"]
        user, common = git(["rev-parse", *names], folder, os.environ).split("\n")
    except Failure as problem:
        raise Usage(f"kernel-cost: no git repository of Linux: {problem}") from None
    if not (Path(user) / OF_LINUX).exists():
        try:
            git(["cat-file", "-e", f"HEAD:{OF_LINUX}"], Path(user), os.environ)
        except Failure:
            raise Usage(f"kernel-cost: {user}: no git repository of Linux") from None
    short = hashlib.sha256(os.path.realpath(common).encode()).hexdigest()[:8]
    name = UNUSUAL.sub("-", Path(user).name)
    source = Source(user, top() / f"{name}-{short}", Path(user))
    if not source.objects.exists():
        source.work.mkdir(parents=True, exist_ok=True)
        source.own(["init", "-q", "."])
    os.utime(source.folder)  # is in use
    alternates = source.objects / "info/alternates"
    cache.write_whole(alternates, f"{source.shared()}\n".encode())
    return source
