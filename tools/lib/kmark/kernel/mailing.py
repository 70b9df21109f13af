# SPDX-License-Identifier: GPL-2.0-only
"""A set of patches as a branch of the sender's own tree of Linux, from which b4 makes and sends the mails.
This module does what b4 does not: authorship and trailers, the text of the cover letter, and its
recipients, who are as many as the lists accept. scripts/get_maintainer.pl of that tree names them."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from kmark import foreign
from kmark.cache import TOP, write_whole
from kmark.errors import Failure, Usage
from kmark.kernel import patchset

MAILS = TOP / "build/mail"
RECIPIENTS_MAX = 9  # b4 adds the sender, who is the tenth
LISTS_MAX = 4
ROLE = re.compile(r"^(.+?) \(([a-z ]+)(?::.*)?\)$")
GET_MAINTAINER = ("--no-git", "--no-git-fallback", "--rolestats")
ENTRY = "STATIC TRACING MARKERS\n"


@dataclass(frozen=True)
class Order:
    """Options of a thread. `tree`: the sender's tree, whose HEAD is a commit that others have;
    `assisted_by`: values of the trailers Assisted-by."""

    set: str
    version: str
    tree: Path
    assisted_by: tuple[str, ...] = ()

    def patches(self) -> list[Path]:
        """Return the patches. Usage if the set is not sent or the version has no patches."""
        (one,) = [one for one in patchset.chosen([self.set]) if one.name == self.set]
        if not one.mailed:
            raise Usage(f"dev patches: --mail {self.set}: no mail contains these patches")
        patchset.write(self.version)
        return patchset.patches(self.version, [self.set])


def read_recipients(said: str, sender: str) -> tuple[list[str], list[str]]:
    """Return the maintainers and the lists in the output of get_maintainer.pl, less the sender. Failure if
    the output is not as expected."""
    maintainers, lists = [], []
    for line in foreign.lines(said):
        match = ROLE.match(line)
        if not match:
            raise Failure(f"get_maintainer.pl: a line without a role: {line}")
        if match[2].startswith(("maintainer", "supporter")):
            maintainers.append(match[1])
        elif match[2].endswith("list"):
            lists.append(match[1])
    return [one for one in maintainers if one != sender], lists


def ranked(named: list[list[str]]) -> list[str]:
    """Return the names, of which each patch has some: one of each patch, then those of most patches."""
    order = [name for name, _ in Counter(name for names in named for name in names).most_common()]
    first = [next(name for name in order if name in names) for names in named if names]
    return [*sorted(set(first), key=order.index), *(name for name in order if name not in first)]


def choose(named: list[tuple[list[str], list[str]]]) -> tuple[list[str], list[str]]:
    """Return the maintainers and lists that get the thread: as ranked() has them."""
    lists = ranked([patch[1] for patch in named])[:LISTS_MAX]
    return ranked([patch[0] for patch in named])[: RECIPIENTS_MAX - len(lists)], lists


class Branch:
    """The branch of a set in the sender's tree."""

    def __init__(self, order: Order) -> None:
        self.order = order
        self.name = f"kmark-{order.set}"
        self.patches = order.patches()
        self.sender = f"{self.config('user.name')} <{self.config('user.email')}>"

    def git(self, *words: str | Path) -> str:
        """Run git in the tree and return its output. Failure, with what git says."""
        done = subprocess.run(
            ["git", "-C", self.order.tree, *words], capture_output=True, text=True, check=False
        )
        if done.returncode:
            said = (done.stderr or done.stdout).strip()
            raise Failure(f"{self.order.tree}: git {words[0]}: {said}")
        return done.stdout.strip()

    def config(self, name: str) -> str:
        try:
            return self.git("config", name)
        except Failure:
            raise Failure(f"{self.order.tree}: git config {name} is not set") from None

    def check(self) -> None:
        """Check the tree. Failure if it is changed, or its commit is not public."""
        if self.git("status", "--porcelain", "--untracked-files=no"):
            raise Failure(f"{self.order.tree}: there are changes that are not committed")
        if not self.git("branch", "--remotes", "--contains", "HEAD"):
            raise Failure(f"{self.order.tree}: HEAD is in no branch of a remote; others lack that commit")

    def add(self, patch: Path) -> None:
        """Add a patch, signed off by the sender, who also maintains the files that the series adds."""
        self.git("am", "--quiet", patch)
        if f"+{ENTRY}" in patch.read_text():
            file = self.order.tree / "MAINTAINERS"
            file.write_text(file.read_text().replace(ENTRY, f"{ENTRY}M:\t{self.sender}\n"))
        trailers = [f"--trailer=Assisted-by: {helper}" for helper in self.order.assisted_by]
        words = ["--quiet", "--all", "--amend", "--no-edit", "--reset-author", *trailers, "--signoff"]
        self.git("commit", *words)

    def recipients(self) -> tuple[list[str], list[str]]:
        """Return the recipients of the thread. Failure if get_maintainer.pl names none."""
        named = []
        with tempfile.TemporaryDirectory() as scratch:
            base = f"HEAD~{len(self.patches)}"
            self.git("format-patch", "--quiet", "-o", scratch, base)
            for mail in sorted(Path(scratch).iterdir()):
                command = ["perl", "scripts/get_maintainer.pl", *GET_MAINTAINER, str(mail)]
                done = subprocess.run(
                    command, cwd=self.order.tree, check=False, capture_output=True, text=True
                )
                if done.returncode:
                    raise Failure(f"get_maintainer.pl: {done.stderr.strip()}")
                named.append(read_recipients(done.stdout, self.sender))
        found = choose(named)
        if not found[0] + found[1]:
            raise Failure("get_maintainer.pl names no recipients")
        return found

    def make(self) -> tuple[list[str], list[str]]:
        """Make the branch and return the recipients of its thread; a Failure leaves no branch."""
        before = self.git("rev-parse", "--abbrev-ref", "HEAD")
        if before == "HEAD":  # of no branch
            before = self.git("rev-parse", "HEAD")
        self.git("checkout", "--quiet", "-b", self.name)
        try:
            for patch in self.patches:
                self.add(patch)
            return self.recipients()
        except BaseException:
            command = ["git", "-C", str(self.order.tree), "am", "--abort"]
            subprocess.run(command, capture_output=True, check=False)
            self.git("checkout", "--quiet", "--force", before)
            self.git("branch", "--quiet", "-D", self.name)
            raise


def cover(one: patchset.Set, recipients: tuple[list[str], list[str]]) -> str:
    """Return the cover letter as b4 takes it: its subject, its text, and its recipients."""
    to = "".join(f"To: {address}\n" for address in recipients[0])
    cc = "".join(f"Cc: {address}\n" for address in recipients[1])
    return f"{one.subject}\n\n{one.cover.strip()}\n\n{to}{cc}"


def write(order: Order) -> tuple[Branch, Path]:
    """Make the branch, and the file of the cover letter; return both. Usage and Failure leave no branch."""
    branch = Branch(order)
    branch.check()
    recipients = branch.make()
    (one,) = [one for one in patchset.sets() if one.name == order.set]
    file = MAILS / f"{order.set}.txt"
    write_whole(file, cover(one, recipients).encode())
    return branch, file
