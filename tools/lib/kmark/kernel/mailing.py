# SPDX-License-Identifier: GPL-2.0-only
"""The thread of mails that a series is sent as, for `git send-email`. git makes it of a
temporary repository of the source package; whom a mail goes to, the kernel's own
scripts/get_maintainer.pl says."""

from __future__ import annotations

import re
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from kmark import cache, foreign
from kmark.errors import Failure, Usage
from kmark.kernel import patchset, tree

ADDRESS = re.compile(r"[^<>@]+ <[^<>@\s]+@[^<>@\s]+>")
HASH = re.compile(r"[0-9a-f]{12,40}")
RELEASE = re.compile(r"^(?:VERSION|PATCHLEVEL|SUBLEVEL) = (\d+)$", re.MULTILINE)
ROLE = re.compile(r"^(.+?) \(([a-z ]+)(?::.*)?\)$")
REROLL = re.compile(r"^Subject: \[[^]]*PATCH v(\d+)", re.MULTILINE)
ENTRY = "STATIC TRACING MARKERS\n"
BASE, NEW, OLD = "base", "new", "old"


@dataclass(frozen=True)
class Order:
    """Options of a thread. `sender`: "Name <mail>", who signs off, if it is given; `base`: the commit that
    the cover letter names; `previous`: the folder of the thread before it."""

    version: str
    sender: str | None = None
    base: str | None = None
    previous: Path | None = None

    def check(self) -> None:
        """Check the options. Usage if they cannot be carried out."""
        patchset.check(self.version)
        if self.sender and not ADDRESS.fullmatch(self.sender):
            raise Usage(f"patches: --signed-off-by {self.sender}: not of the form 'Name <mail@host>'")
        if self.base and not HASH.fullmatch(self.base):
            raise Usage(f"patches: --base {self.base}: not a commit: 12 to 40 digits, 0-9 and a-f")
        if self.previous and not patchset.patches_in(self.previous):
            raise Usage(f"patches: --previous {self.previous}: no patches there")


@dataclass
class Recipients:
    """The recipients of one mail: maintainers of the changed files, and readers."""

    to: list[str] = field(default_factory=list)
    cc: list[str] = field(default_factory=list)

    def add(self, other: Recipients) -> None:
        self.to += [one for one in other.to if one not in self.to]
        self.cc += [one for one in other.cc if one not in self.cc]

    def headers(self) -> str:
        cc = [one for one in self.cc if one not in self.to]
        rows = (("To", self.to), ("Cc", cc))
        return "".join(f"{name}: " + ",\n\t".join(who) + "\n" for name, who in rows if who)


def read_recipients(said: str, sender: str | None) -> Recipients:
    """Return the recipients in the output of get_maintainer.pl. Failure if it is not as expected."""
    found = Recipients()
    for line in foreign.lines(said):
        match = ROLE.match(line)
        if not match:
            raise Failure(f"get_maintainer.pl: a line without a role: {line}")
        if match[1] != sender:
            maintains = match[2].startswith(("maintainer", "supporter"))
            (found.to if maintains else found.cc).append(match[1])
    if not found.to + found.cc:
        raise Failure("get_maintainer.pl names nobody")
    return found


class Thread:
    """A series in a repository of the source."""

    def __init__(self, order: Order, place: Path) -> None:
        self.order = order
        self.source = place / "linux"
        self.log = place / "log"
        name, _, mail = (order.sender or patchset.AUTHOR).rstrip(">").partition(" <")
        # The user's own git configuration must not change the mails.
        self.git = ["git", "-c", f"user.name={name}", "-c", f"user.email={mail}", "-c", "core.abbrev=12"]
        self.git += ["-c", "commit.gpgSign=false", "-c", "format.signature=kmark"]

    def run(self, *words: str | Path) -> None:
        tree.run([*self.git, *words], self.source, self.log)

    def unpack(self) -> None:
        steps = patchset.write(self.order.version)
        old = patchset.patches_in(self.order.previous.resolve()) if self.order.previous else []
        tree.unpack(cache.place(f"linux-source-{self.order.version}"), self.source, self.log)
        tree.track([*steps, *old], self.source, self.log)
        self.run("branch", "-m", BASE)
        if old:
            self.run("checkout", "-q", "-b", OLD)
            self.run("am", "-q", *old)
        self.run("checkout", "-q", "-b", NEW, BASE)
        for patch in steps:
            self.run("am", "-q", "--ignore-date", *(["--signoff"] if self.order.sender else []), patch)
            self.run("commit", "-q", "--amend", "--no-edit", "--reset-author", *self.maintained(patch))

    def maintained(self, patch: Path) -> list[str]:
        """Add the sender as maintainer of the files that the series adds. Returns words for git commit."""
        if not self.order.sender or f"+{ENTRY}" not in patch.read_text():
            return []
        file = self.source / "MAINTAINERS"
        file.write_text(file.read_text().replace(ENTRY, f"{ENTRY}M:\t{self.order.sender}\n"))
        return ["--all"]

    def describe(self) -> None:
        """The text of the cover letter, where git looks for it."""
        release = ".".join(RELEASE.findall((self.source / "Makefile").read_text()))
        body = (patchset.PATCHES / "cover.txt").read_text()
        body += f"\nMade on Linux {release}, as Debian's linux-source-{self.order.version} has it.\n"
        self.run(
            "config", f"branch.{NEW}.description", f"{patchset.cover_subject(self.order.version)}\n\n{body}"
        )

    def format(self, to: Path) -> list[Path]:
        words = ["--thread=shallow", "--cover-letter", "--cover-from-description=subject", "--no-base"]
        words += ["--no-add-header", "--no-to", "--no-cc", "--numbered"]
        if self.order.previous:
            before = [int(n) for path in self.order.previous.glob("*.patch") for n in rerolls(path)]
            words += [f"--range-diff={BASE}..{OLD}", f"--reroll-count={max(before, default=1) + 1}"]
        self.run("format-patch", "-q", *words, "-o", to, f"{BASE}..{NEW}")
        return sorted(to.glob("*.patch"))

    def recipients(self, mail: Path) -> Recipients:
        command: list[str | Path] = [
            "perl",
            "scripts/get_maintainer.pl",
            "--no-git",
            "--no-git-fallback",
            "--rolestats",
            mail,
        ]
        done = subprocess.run(command, cwd=self.source, check=False, capture_output=True, text=True)
        if done.returncode:
            raise Failure(f"get_maintainer.pl: {done.stderr.strip()}")
        return read_recipients(done.stdout, self.order.sender)


def rerolls(mail: Path) -> list[str]:
    """The number of a thread that is not the first one, as its subject has it."""
    return REROLL.findall(mail.read_text())


def with_headers(text: str, headers: str) -> str:
    """A mail with more headers; they end at the first empty line."""
    head, _, body = text.partition("\n\n")
    return f"{head}\n{headers.rstrip()}\n\n{body}"


def with_base(text: str, commit: str) -> str:
    """Return a cover letter with the lines that `git format-patch --base` adds at its end."""
    body, _, signature = text.rpartition("\n-- \n")
    return f"{body.rstrip()}\n\nbase-commit: {commit}\n-- \n{signature}"


def write(order: Order, to: Path) -> list[Path]:
    """Makes the mails in the folder `to`, which is new or empty, and returns them, the cover
    letter first. Usage and Failure leave nothing there."""
    order.check()
    if to.exists() and (not to.is_dir() or any(to.iterdir())):
        raise Usage(f"dev patches: --output {to}: not an empty folder")
    top = cache.place("cache") / "linux"
    top.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=top, prefix="mail.") as scratch:
        thread = Thread(order, Path(scratch))
        thread.unpack()
        thread.describe()
        cover, *patches = thread.format(Path(scratch) / "mails")
        everyone = Recipients()
        texts = {}
        for mail in patches:
            who = thread.recipients(mail)
            everyone.add(who)
            texts[mail.name] = with_headers(mail.read_text(), who.headers())
        text = with_headers(cover.read_text(), everyone.headers())
        texts[cover.name] = with_base(text, order.base) if order.base else text
    to.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (to / name).write_text(text)
    return [to / name for name in sorted(texts)]
