# SPDX-License-Identifier: GPL-2.0-only
"""kmark patches: the patches for kernel trees."""

from __future__ import annotations

import argparse
from pathlib import Path

from kmark.commands.common import Verbs
from kmark.errors import Failure, Usage

OF_MAILS = ("to", "signed_off_by", "base", "previous")


def mail(args: argparse.Namespace) -> int:
    from kmark.kernel import mailing

    if args.versions or not args.to:
        raise Usage("patches: --mail VERSION --to FOLDER makes mails and nothing else")
    order = mailing.Order(args.mail, args.signed_off_by, args.base, args.previous)
    mails = mailing.write(order, args.to)
    print(f"{args.to}: {len(mails)} mails; to send them: git send-email {args.to}/*.patch")
    if not args.signed_off_by:
        print("not signed off: --signed-off-by 'Name <mail>' does that, and makes you the author")
    if not args.base:
        print("without base-commit: --base names the commit that the series applies to")
    return 0


def execute(args: argparse.Namespace) -> int:
    from kmark.cache import TOP
    from kmark.kernel import patchset

    if args.mail:
        return mail(args)
    if any(getattr(args, name) for name in OF_MAILS):
        raise Usage("patches: --to, --signed-off-by, --base and --previous belong to --mail")
    for version in args.versions:
        patchset.check(version)  # before anything is written
    if mismatched := patchset.unlisted_files():
        raise Failure(f"patches/steps.toml: not listed, or listed without a file: {' '.join(mismatched)}")
    for version in args.versions or patchset.versions():
        written = patchset.write(version)
        added = patchset.lines(path.read_text() for path in written)
        print(
            f"{patchset.folder(version).relative_to(TOP)}: {len(written)} patches, {added.all:,} lines: "
            f"{added.code:,} of code, {added.tests:,} of tests and samples, {added.docs:,} of documentation"
        )
    return 0


def add(verbs: Verbs) -> None:
    parser = verbs.add_parser(
        "patches",
        help="make the patches for kernel trees, or the mails to send them",
        description="Writes the patches for kernel trees to build/series/linux-VERSION, for all versions "
        "without VERSION, and prints the number of lines that they add. "
        "With --mail, makes a thread for git send-email: a cover letter with shortlog and "
        "diffstat, and a mail for each patch, to those that get_maintainer.pl of that kernel names.",
        epilog="example: tools/kmark patches --mail 6.1 --to mails --signed-off-by 'A <a@example.org>'",
    )
    parser.add_argument("--mail", metavar="VERSION", help="make the mails of that series; about a minute")
    parser.add_argument("--to", type=Path, metavar="FOLDER", help="where to, a new or an empty folder")
    parser.add_argument("--signed-off-by", metavar="WHO", help="'Name <mail>' of who sends them")
    parser.add_argument("--base", metavar="COMMIT", help="base-commit of the cover letter")
    parser.add_argument(
        "--previous",
        type=Path,
        metavar="FOLDER",
        help="the thread sent before: adds a range-diff, and a number",
    )
    parser.add_argument("versions", nargs="*", metavar="VERSION")
    parser.set_defaults(run=execute)
