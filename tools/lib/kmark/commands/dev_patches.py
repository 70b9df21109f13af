# SPDX-License-Identifier: GPL-2.0-only
"""kmark dev patches: the patches for kernel trees."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from kmark.commands.common import describe, json_option
from kmark.errors import Failure, Usage


def mail(args: argparse.Namespace) -> int:
    from kmark.kernel import mailing, patchset

    if len(args.versions) > 1 or not args.tree:
        raise Usage("dev patches: --mail SET --tree DIR makes the branch of one version")
    version = args.versions[0] if args.versions else patchset.versions()[-1]
    order = mailing.Order(args.mail, version, args.tree, tuple(args.assisted_by))
    branch, cover = mailing.write(order)
    print(f"{args.tree}: branch {branch.name}; to see the mails, and without -o to send them:")
    print(f"\tcd {args.tree}")
    print(f"\tb4 prep --enroll HEAD~{len(branch.patches)}")
    print(f"\tEDITOR='cp {cover}' b4 prep --edit-cover")
    print("\tb4 prep --set-prefixes RFC")
    print("\tb4 send --no-sign -o /tmp/mails")
    return 0


def show_files(versions: list[str], as_json: bool) -> int:
    """Print which files of patches/ each version uses for each patch."""
    from kmark.kernel import patchset

    found: dict[str, dict[str, list[str]]] = {}
    for version in versions:
        for step, used in patchset.files(version):
            names = [str(path.relative_to(patchset.PATCHES)) for path in used]
            found.setdefault(f"{step.set}/{step.name}", {})[version] = names
    if as_json:
        print(json.dumps(found, indent=1))
        return 0
    for name, of_version in found.items():
        print(name)
        for version, files in of_version.items():
            print(f"  {version:<6}{' '.join(files)}")
    return 0


def execute(args: argparse.Namespace) -> int:
    from kmark.cache import TOP
    from kmark.kernel import patchset

    for version in args.versions:
        patchset.check(version)  # before anything is written
    if mismatched := patchset.unlisted_files():
        raise Failure(f"patches/steps.toml: not listed, or listed without a file: {' '.join(mismatched)}")
    if args.mail and args.json:
        raise Usage("dev patches: --mail prints no JSON")
    if args.mail:
        return mail(args)
    if args.tree or args.assisted_by:
        raise Usage("dev patches: --tree and --assisted-by belong to --mail")
    versions = args.versions or patchset.versions()
    if args.files:
        return show_files(versions, args.json)
    made = []
    for version in versions:
        patchset.write(version)
        for one in patchset.sets():
            written = [
                path for path in patchset.patches(version, [one.name]) if path.parent.name == one.name
            ]
            added = patchset.lines(path.read_text() for path in written)
            folder = str((patchset.folder(version) / one.name).relative_to(TOP))
            made.append(
                {
                    "folder": folder,
                    "patches": len(written),
                    "lines": added.all,
                    "code": added.code,
                    "tests": added.tests,
                    "documentation": added.docs,
                }
            )
    line = (
        "{folder}: {patches} patches, {lines:,} lines: {code:,} of code, {tests:,} of tests and samples, "
        "{documentation:,} of documentation"
    )
    print(json.dumps(made, indent=1) if args.json else "\n".join(line.format(**one) for one in made))
    return 0


def add_patches(parser: argparse.ArgumentParser) -> None:
    describe(
        parser,
        "Writes the patches for kernel trees to build/series/linux-VERSION/SET, for all versions "
        "without VERSION, and prints the number of lines that they add. "
        "With --mail, makes a branch with one set in a git tree of Linux, for b4: its commits are by the "
        "user of that tree's git configuration, who signs them off; and writes the cover letter, with at "
        "most ten recipients that get_maintainer.pl of that tree names. Prints the commands of b4.",
        "kmark dev patches --mail batching --tree ~/linux",
    )
    parser.add_argument(
        "--files", action="store_true", help="print which file of patches/ each version uses for each patch"
    )
    parser.add_argument("--mail", metavar="SET", help="make the branch of that set in --tree")
    parser.add_argument("--tree", type=Path, metavar="DIR", help="for --mail: a git tree of Linux")
    parser.add_argument(
        "--assisted-by", action="append", default=[], metavar="WHO",
        help="for --mail: add a trailer Assisted-by to each patch",
    )  # fmt: skip
    json_option(parser, "print a list with an object for each set; with --files, an object of patches")
    parser.add_argument("versions", nargs="*", metavar="VERSION")
    parser.set_defaults(run=execute)
