# SPDX-License-Identifier: GPL-2.0-only
"""kmark patches: the patches for kernel trees."""

from __future__ import annotations

import argparse

from kmark.commands.common import Verbs
from kmark.errors import Failure


def execute(args: argparse.Namespace) -> int:
    from kmark.kernel import patchset

    if mismatched := patchset.mismatched_sources():
        raise Failure(f"patches/steps.toml: not listed, or listed without a source: {' '.join(mismatched)}")
    for version in args.versions or patchset.versions():
        if args.write:
            patchset.write(version)
        stale = patchset.stale_files(version)
        if stale:
            raise Failure(
                f"patches/linux-{version}: not what the sources make: {' '.join(stale)}; "
                f"`kmark patches --write {version}` makes them again"
            )
        print(f"linux-{version}: {len(patchset.series(version))} files, as the sources make them")
    return 0


def add(verbs: Verbs) -> None:
    parser = verbs.add_parser(
        "patches",
        help="check or make the patches for kernel trees",
        description="Compares patches/linux-VERSION with what the sources make of it; "
        "exit status 1 when they differ. Without VERSION, all of them.",
        epilog="example: tools/kmark patches --write 6.1",
    )
    parser.add_argument("--write", action="store_true", help="make the patches again")
    parser.add_argument("versions", nargs="*", metavar="VERSION")
    parser.set_defaults(run=execute)
