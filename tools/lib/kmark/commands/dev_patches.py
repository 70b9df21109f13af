# SPDX-License-Identifier: GPL-2.0-only
"""kmark dev patches: the patches for kernel trees."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from kmark.commands.common import describe, json_option
from kmark.errors import Failure, Usage

OF_MAILS = ("output", "signed_off_by", "base", "previous")


def mail(args: argparse.Namespace) -> int:
    from kmark.kernel import mailing

    if args.versions or not args.output:
        raise Usage("dev patches: --mail VERSION -o DIR makes mails and nothing else")
    order = mailing.Order(args.mail, args.signed_off_by, args.base, args.previous)
    mails = mailing.write(order, args.output)
    print(f"{args.output}: {len(mails)} mails; to send them: git send-email {args.output}/*.patch")
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
        raise Usage("dev patches: --output, --signed-off-by, --base and --previous belong to --mail")
    for version in args.versions:
        patchset.check(version)  # before anything is written
    if mismatched := patchset.unlisted_files():
        raise Failure(f"patches/steps.toml: not listed, or listed without a file: {' '.join(mismatched)}")
    made = []
    for version in args.versions or patchset.versions():
        written = patchset.write(version)
        added = patchset.lines(path.read_text() for path in written)
        folder = str(patchset.folder(version).relative_to(TOP))
        made.append({"folder": folder, "patches": len(written), "lines": added.all,
                     "code": added.code, "tests": added.tests, "documentation": added.docs})  # fmt: skip
    line = (
        "{folder}: {patches} patches, {lines:,} lines: {code:,} of code, {tests:,} of tests and samples, "
        "{documentation:,} of documentation"
    )
    print(json.dumps(made, indent=1) if args.json else "\n".join(line.format(**one) for one in made))
    return 0


def add_patches(parser: argparse.ArgumentParser) -> None:
    describe(
        parser,
        "Writes the patches for kernel trees to build/series/linux-VERSION, for all versions "
        "without VERSION, and prints the number of lines that they add. "
        "With --mail, makes a thread for git send-email: a cover letter with shortlog and "
        "diffstat, and a mail for each patch, to those that get_maintainer.pl of that kernel names.",
        "kmark dev patches --mail 6.1 -o mails --signed-off-by 'A <a@example.org>'",
    )
    parser.add_argument("--mail", metavar="VERSION", help="make the mails of that series; about a minute")
    parser.add_argument(
        "-o", "--output", type=Path, metavar="DIR", help="for --mail: a new or an empty folder"
    )
    parser.add_argument("--signed-off-by", metavar="WHO", help="'Name <mail>' of the sender")
    parser.add_argument("--base", metavar="COMMIT", help="base-commit of the cover letter")
    parser.add_argument(
        "--previous",
        type=Path,
        metavar="DIR",
        help="the thread sent before: adds a range-diff, and a number",
    )
    json_option(parser, "print a list of objects: a series each")
    parser.add_argument("versions", nargs="*", metavar="VERSION")
    parser.set_defaults(run=execute)
