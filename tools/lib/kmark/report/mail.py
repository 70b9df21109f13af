# SPDX-License-Identifier: GPL-2.0-only
"""A report as a mail for `git send-email`: an mbox with one message, whose text is the summary
and whose attachment, or link, is the full report. Plain text of at most 72 columns, not
flowed, so that tables stay tables."""

from __future__ import annotations

import email.policy
import re
import subprocess
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from email.message import EmailMessage
from email.utils import format_datetime, parseaddr

from kmark import foreign
from kmark.analysis import notation
from kmark.analysis.notation import WIDTH
from kmark.errors import Failure, Usage
from kmark.report import summary, text
from kmark.report.model import Report

ATTACHED = "report.txt"
SUBJECT_MOST = 72 - len("Subject: ")
# The first line of a mail of git format-patch; mail programs look for its first word.
ENVELOPE = "From " + 40 * "0" + " Mon Sep 17 00:00:00 2001\n"
# Lines that git takes for the start of a patch, and an mbox for the start of the next mail.
BEGINS_PATCH = re.compile(r"---|diff -|Index: ")
BEGINS_MAIL = re.compile(r">*From ")
KEPT = (" ", ">", "|")  # lines of the cover that are not paragraphs
QUOTED = re.compile(r">[> ]*")


@dataclass(frozen=True)
class Envelope:
    """Options of the command line for a mail; empty: the default. Usage for a control character in one that
    is a line."""

    to: list[str] = field(default_factory=list)
    cc: list[str] = field(default_factory=list)
    sender: str = ""
    subject: str = ""
    cover: str = ""
    link: str = ""  # to the full report, which is then not attached

    def __post_init__(self) -> None:
        for word in (*self.to, *self.cc, self.sender, self.subject, self.link):
            if not word.isprintable():
                raise Usage(f"mail: a control character in {word!r}")


def git_identity() -> str:
    """Name <address>, from git. Failure if git does not know them."""
    done = subprocess.run(["git", "var", "GIT_AUTHOR_IDENT"], capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failure("mail: git does not know your name and address; give --from 'Name <address>'")
    return done.stdout.rsplit(">", 1)[0] + ">"


def address(word: str) -> str:
    """Return an address. Usage if the word is none."""
    if "@" not in parseaddr(word)[1]:
        raise Usage(f"mail: {word!r} is not an address")
    return word


def subject(report: Report) -> str:
    cpu = (report.cpu or "").partition(" (")[0]
    title = f"Cost of markers, disabled and enabled: {cpu or 'a machine'}, {report.created[:10]}"
    return textwrap.shorten(title, SUBJECT_MOST, placeholder=" ...")


def paragraphs(cover: str) -> Iterator[str]:
    """Wraps paragraphs, and quotes with their mark; tables and indented lines stay as they are
    unless they are too wide."""
    block: list[str] = []
    for line in [*foreign.lines(cover.expandtabs()), ""]:
        if line.strip() and not line.startswith(KEPT):
            block.append(line)
            continue
        if block:
            yield from notation.fit(" ".join(block).lstrip(), "")
            block = []
        mark = QUOTED.match(line)
        yield from notation.fit(line.rstrip(), mark[0] if mark else None)


def escape(line: str) -> list[str]:
    """Escapes a line that mail programs or git would take for the start of another mail, or
    of a patch."""
    if BEGINS_MAIL.match(line):
        return notation.fit(">" + line)
    return notation.fit(" " + line) if BEGINS_PATCH.match(line) else [line]


def escaped(lines: Iterable[str]) -> str:
    return "".join(f"{part}\n" for line in lines for part in escape(line))


def body(report: Report, envelope: Envelope) -> str:
    """The cover and the summary."""
    above = [*paragraphs(envelope.cover)] if envelope.cover.strip() else []
    shown = [part for line in summary.lines(report, envelope.link or f"attached, {ATTACHED}")
             for part in notation.fit(foreign.shown(line))]  # fmt: skip
    return escaped([*above, *shown])


def message(report: Report, envelope: Envelope, now: datetime) -> EmailMessage:
    made = EmailMessage(policy=email.policy.default.clone(max_line_length=WIDTH, cte_type="8bit"))
    made["From"] = address(envelope.sender or git_identity())
    if envelope.to:
        made["To"] = ", ".join(map(address, envelope.to))
    if envelope.cc:
        made["Cc"] = ", ".join(map(address, envelope.cc))
    made["Subject"] = envelope.subject or subject(report)
    made["Date"] = format_datetime(now)
    made.set_content(body(report, envelope), charset="utf-8", cte="8bit")
    if not envelope.link:
        whole = escaped(foreign.lines(text.render(report)))
        made.add_attachment(whole, charset="utf-8", cte="8bit", filename=ATTACHED)
    return made


def mbox(report: Report, envelope: Envelope, now: datetime) -> bytes:
    """The report as an mbox of one mail. `now`: its date."""
    return ENVELOPE.encode() + message(report, envelope, now).as_bytes() + b"\n"
