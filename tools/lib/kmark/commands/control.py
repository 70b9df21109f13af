# SPDX-License-Identifier: GPL-2.0-only
"""kmark list, verify, connect, arm, disconnect: the verbs that talk to markers.ko."""

from __future__ import annotations

import argparse
import errno
import json
import sys
from pathlib import Path

from kmark.commands.common import MARKER_NAMES, PROBE_NAMES, Verbs, complete, nearest, root_option
from kmark.errors import Failure
from kmark.foreign import shown
from kmark.live import control


def run_list(args: argparse.Namespace) -> int:
    table = control.read(args.root, args.what)
    sys.stdout.write(json.dumps(table.records(), indent=1) + "\n" if args.json else table.aligned())
    return 0


def run_verify(args: argparse.Namespace) -> int:
    """Exit status 1 if a site is not as it should be."""
    well, lines = control.verify(args.root)
    print("\n".join(map(shown, lines)))
    return 0 if well else 1


def functions_of(root: Path, marker: str) -> list[str]:
    """The functions that a marker is in now."""
    addresses = [row["address"] for row in control.read(root, "sites").records() if row["marker"] == marker]
    return sorted({address.partition("+")[0] for address in addresses if "+" in address})


def hint(args: argparse.Namespace) -> str:
    """Which probe, marker or function may have been meant, where one of them is unknown."""
    probes = [row["probe"] for row in control.read(args.root, "probes").records()]
    if args.probe and args.probe not in probes:
        return nearest(args.probe, probes)
    markers = [row["marker"] for row in control.read(args.root, "markers").records()]
    marker, at, function = args.selector.partition("@")
    if marker not in markers:
        return nearest(marker, markers)
    if not at:
        return ""
    functions = functions_of(args.root, marker)
    return nearest(function, functions) or f"; {marker} is in {', '.join(functions) or 'no function now'}"


def run_change(args: argparse.Namespace) -> int:
    words = [args.verb, args.selector, *filter(None, [args.probe]), *args.words]
    try:
        control.command(args.root, " ".join(words))
    except control.Refused as refused:
        if refused.errno != errno.ENOENT:
            raise
        raise Failure(f"{refused}{hint(args)}") from None
    return 0


def add(verbs: Verbs) -> None:
    """The verbs that talk to markers.ko."""
    common = root_option()
    listing = verbs.add_parser(
        "list",
        parents=[common],
        help="show the markers, sites or probes of the running kernel",
        epilog="example: tools/kmark list sites --json",
    )
    listing.add_argument("what", nargs="?", choices=tuple(control.TABLES), default="markers")
    listing.add_argument(
        "--debug",
        action="store_const",
        const="debug_sites",
        dest="what",
        help="the pr_debug() sites of the kernel and its modules",
    )
    listing.add_argument("--json", action="store_true", help="as a list of objects")
    listing.set_defaults(run=run_list)

    verify = verbs.add_parser(
        "verify",
        parents=[common],
        help="decode every site again; exit status 1 on a mismatch",
        epilog="example: tools/kmark verify",
    )
    verify.set_defaults(run=run_verify)

    connect = change(verbs, common, "connect", "connect a probe", "connect subsys_mark1 empty")
    arm = change(
        verbs, common, "arm", "connect a probe, also to sites of modules loaded later", "arm 'x_*' count"
    )
    disconnect = change(verbs, common, "disconnect", "disconnect probes", "disconnect subsys_mark1")
    for verb in (connect, arm):
        probe = verb.add_argument("probe", metavar="PROBE", help="a name of `kmark list probes`")
        complete(probe, PROBE_NAMES)
        words = verb.add_argument(
            "words", nargs=argparse.REMAINDER, metavar="ARGUMENT", help="passed to the probe"
        )
        words.required = False  # argparse names it among what is missing otherwise
    probe = disconnect.add_argument("probe", nargs="?", metavar="PROBE", help="only this one")
    complete(probe, PROBE_NAMES)


def change(
    verbs: Verbs, common: argparse.ArgumentParser, verb: str, what: str, example: str
) -> argparse.ArgumentParser:
    parser = verbs.add_parser(verb, parents=[common], help=what, epilog=f"example: tools/kmark {example}")
    selector = parser.add_argument("selector", metavar="SELECTOR", help="which sites: a name, a glob, ...")
    complete(selector, MARKER_NAMES)
    parser.set_defaults(run=run_change, verb=verb, words=[])
    return parser
