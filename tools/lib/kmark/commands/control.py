# SPDX-License-Identifier: GPL-2.0-only
"""kmark list, connect, disconnect: the verbs that talk to markers.ko."""

from __future__ import annotations

import argparse
import sys

from kmark.commands.common import (
    MARKER_NAMES,
    PROBE_NAMES,
    complete,
    describe,
    json_option,
    root_option,
)
from kmark.errors import Usage
from kmark.foreign import shown
from kmark.live import control

TABLES = tuple(control.TABLES)
DEBUG_SITES = "debug_sites"


def as_json(found: object) -> str:
    import json

    return json.dumps(found, indent=1) + "\n"


def run_list(args: argparse.Namespace) -> int:
    if args.verify:
        return verify(args)
    if args.debug and args.what:
        raise Usage(f"list: --debug or {args.what}, not both")
    table = control.read(args.root, DEBUG_SITES if args.debug else args.what or TABLES[0])
    sys.stdout.write(as_json(table.typed()) if args.json else table.aligned())
    return 0


def verify(args: argparse.Namespace) -> int:
    """Exit status 1 if a site is not as it should be."""
    if args.what or args.debug:
        raise Usage("list: --verify is about all sites")
    well, lines = control.verify(args.root)
    sys.stdout.write(
        as_json({"well": well, "lines": lines}) if args.json else "\n".join([*map(shown, lines), ""])
    )
    return 0 if well else 1


def run_change(args: argparse.Namespace) -> None:
    words = [args.command, args.selector, *filter(None, [args.probe]), *args.words]
    control.command(args.root, " ".join(words))


def add_list(parser: argparse.ArgumentParser) -> None:
    describe(
        parser,
        "Shows the markers, sites or probes of the running kernel. A site is a place in the code that has "
        "a marker; a marker may have several sites. With --verify, the kernel decodes the instructions of "
        "each site again; exit status 1 if they are not the expected ones.",
        "kmark list sites --json",
    )
    root_option(parser)
    parser.add_argument("what", nargs="?", choices=TABLES, help="(default: markers)")
    parser.add_argument(
        "--debug", action="store_true",
        help="show the pr_debug() messages of the kernel and its modules, which can be connected, too",
    )  # fmt: skip
    parser.add_argument("--verify", action="store_true", help="check the instructions of each site instead")
    json_option(parser, "print a JSON list; with --verify, an object")
    parser.set_defaults(run=run_list)


def add_change(parser: argparse.ArgumentParser, command: str) -> None:
    """Add the arguments that connect and disconnect have in common."""
    root_option(parser)
    selector = parser.add_argument(
        "selector", metavar="SELECTOR", help="name of a marker, or a pattern such as 'net_*'"
    )
    complete(selector, MARKER_NAMES)
    parser.set_defaults(run=run_change, command=command, words=[])


def add_connect(parser: argparse.ArgumentParser) -> None:
    describe(
        parser,
        "Connects a probe to markers: from now on each marker calls the probe when it is executed, until "
        "kmark disconnect. The probe count, for example, counts the calls; kmark list probes shows the "
        "numbers. Probes are modules: probe_count has the probe count.",
        "kmark connect hello count",
    )
    add_change(parser, "connect")
    parser.add_argument(
        "--arm", dest="command", action="store_const", const="arm",
        help="also connect markers of modules that are loaded later; SELECTOR may match nothing yet",
    )  # fmt: skip
    probe = parser.add_argument(
        "probe", metavar="PROBE", help="name of a probe; kmark list probes has those that are loaded"
    )
    complete(probe, PROBE_NAMES)
    words = parser.add_argument(
        "words", nargs=argparse.REMAINDER, metavar="ARGUMENT", help="arguments of the probe"
    )
    words.required = False  # argparse names it among what is missing otherwise


def add_disconnect(parser: argparse.ArgumentParser) -> None:
    describe(parser, "", "kmark disconnect hello")
    add_change(parser, "disconnect")
    probe = parser.add_argument("probe", nargs="?", metavar="PROBE", help="only this probe")
    complete(probe, PROBE_NAMES)
