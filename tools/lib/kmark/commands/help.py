# SPDX-License-Identifier: GPL-2.0-only
"""kmark help: the verbs, and all about one."""

from __future__ import annotations

import argparse
import sys

import kmark
from kmark.commands.common import Groups, Verb, describe, sentence
from kmark.errors import Usage, nearest

USAGE = "usage: kmark VERB [ARGUMENT...]\n       kmark --version\n"
EXIT_STATUS = "0 done, 1 failed, 2 wrong use; for a verb that runs a COMMAND, the status of the command."


def table(verbs: dict[str, Verb]) -> str:
    return "".join(f"  {name:<13}{verb.about}\n" for name, verb in verbs.items())


def overview(groups: Groups) -> str:
    """The verbs of the command line."""
    parts = "".join(f"\n{title}:\n{table(verbs)}" for title, verbs in groups.items())
    return (
        f"{USAGE}\n{kmark.__doc__}\n{parts}\nexit status: {EXIT_STATUS}\n"
        "kmark help VERB describes a verb and its options; for example: kmark help record\n"
    )


def verb_of(groups: Groups, name: str) -> Verb:
    """Return the verb of that name. Usage if there is none."""
    verbs = {name: verb for group in groups.values() for name, verb in group.items()}
    if name not in verbs:
        raise Usage(f"help: there is no verb {name!r}{nearest(name, verbs)}")
    return verbs[name]


def short(groups: Groups, name: str) -> str:
    """Return the text of --help: for a verb with other verbs, their list and the help of the usual one."""
    if not name:
        return overview(groups)
    verb = verb_of(groups, name)
    if not verb.usual:
        return full(groups, name)
    return (
        f"verbs of kmark {name}, {verb.usual} if none is given:\n{table(verb.verbs)}\n"
        + verb.parser(name, verb.usual).format_help()
    )


def full(groups: Groups, name: str, below: str = "") -> str:
    """The help of a verb and of all its verbs."""
    verb = verb_of(groups, name)
    if below and below not in verb.verbs:
        raise Usage(f"help: {name} has no verb {below!r}{nearest(below, verb.verbs)}")
    if below or not verb.verbs:
        return verb.parser(name, below).format_help()
    intro = f"usage: kmark {name} VERB [ARGUMENT...]\n\n{sentence(verb.about)}\n\n{table(verb.verbs)}"
    return "\n".join([intro, *(parser.format_help() for _, parser in verb.parsers(name))])


def execute(args: argparse.Namespace) -> None:
    groups = args.groups()
    sys.stdout.write(full(groups, args.verb, args.below) if args.verb is not None else overview(groups))


def add_help(parser: argparse.ArgumentParser) -> None:
    describe(parser, "", "kmark help record snapshot")
    parser.add_argument("verb", nargs="?", metavar="VERB", help="the verb to describe")
    parser.add_argument("below", nargs="?", default="", metavar="VERB", help="a verb below VERB")
    parser.set_defaults(run=execute)
