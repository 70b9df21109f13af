# SPDX-License-Identifier: GPL-2.0-only
"""kmark report mail: a report for git send-email."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from kmark import cache
from kmark.commands.common import describe
from kmark.errors import say


def execute(args: argparse.Namespace) -> None:
    from datetime import datetime

    from kmark.report import mail, report, schema

    cover = schema.read(args.cover) if args.cover else ""
    envelope = mail.Envelope(args.recipient, args.cc, args.sender, args.subject, cover, args.link)
    made = mail.mbox(report.load(args.report), envelope, datetime.now().astimezone())
    if args.output:
        cache.write_whole(args.output, made)
        say(f"mail in {args.output}; git send-email {args.output} sends it")
    else:
        sys.stdout.buffer.write(made)


def add_mail(mail: argparse.ArgumentParser) -> None:
    describe(
        mail,
        "Makes an mbox with the summary of a report as plain text, of at most 72 columns and not "
        "flowed, as kernel lists expect it. The full report is attached. Nothing is sent.",
        "kmark report mail results/latest --recipient linux-trace-kernel@vger.kernel.org "
        "--cover notes.txt -o report.mbox && git send-email report.mbox",
    )
    mail.add_argument(
        "report", type=Path, nargs="?", default=cache.TOP / "results/latest", metavar="REPORT",
        help="report.json, or the folder with it (default results/latest)",
    )  # fmt: skip
    mail.add_argument("--recipient", action="append", default=[], metavar="ADDRESS")
    mail.add_argument("--cc", action="append", default=[], metavar="ADDRESS")
    mail.add_argument(
        "--from", dest="sender", default="", metavar="ADDRESS", help="default: the identity in git"
    )
    mail.add_argument("--subject", default="", metavar="TEXT", help="default: the machine and the day")
    mail.add_argument("--cover", type=Path, metavar="FILE", help="text to put above the summary")
    mail.add_argument(
        "--link", default="", metavar="URL", help="address of the full report, which is then not attached"
    )
    mail.add_argument("-o", "--output", type=Path, metavar="FILE", help="default: standard output")
    mail.set_defaults(run=execute)
