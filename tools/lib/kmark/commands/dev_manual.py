# SPDX-License-Identifier: GPL-2.0-only
"""kmark dev manual: the manual pages kmark(1) and, for each verb, kmark-VERB(1). The table of verbs and the
parsers are the source, so that no verb and no option is missing. The pages use the man macros, for man,
mandoc and groff."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import kmark
from kmark import cache
from kmark.commands.common import Groups, Verb, describe, installed_option
from kmark.commands.help import EXIT_STATUS
from kmark.errors import say

ENVIRONMENT = {
    "KMARK_CACHE": "Where downloads and what is built of them are kept. Default: kmark in "
    "$XDG_CACHE_HOME or in ~/.cache.",
}
FILES = {
    "/sys/kernel/debug/markers": "The files of markers.ko; ABI/debugfs-markers of the documentation "
    "describes them.",
    "/sys/kernel/tracing/events": "The trace events of the probes: SYSTEM:NAME of event, and "
    "markers:marker of trace.",
}


def roff(text: str) -> str:
    """Escaped, so that it is plain text and no request."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^(?=[.'])", r"\\&", " ".join(text.split()))


def option(action: argparse.Action) -> list[str]:
    metavar = action.metavar or (
        "|".join(map(str, action.choices)) if action.choices else action.dest.upper()
    )
    value = "" if action.nargs == 0 else f" {metavar if isinstance(metavar, str) else ' '.join(metavar)}"
    names = ", ".join(f"{name}{value}" for name in action.option_strings) or value.strip()
    text = (action.help or "") % {"default": action.default} if action.help else ""
    return [".TP", f"\\fB{roff(names)}\\fR", roff(text) if text else "\\&"]


def section(parser: argparse.ArgumentParser) -> list[str]:
    """Return usage, description, options and example of a verb."""
    usage = " ".join(parser.format_usage().removeprefix("usage: ").split())
    lines = [f"\\fB{roff(usage)}\\fR", ".PP", roff(parser.description or "")]
    for action in parser._actions:
        if not isinstance(action, argparse._HelpAction):
            lines += option(action)
    example = (parser.epilog or "").removeprefix("example: ")
    return [*lines, ".PP", "Example:", ".PP", ".RS", ".nf", roff(example), ".fi", ".RE"]


def head(name: str, about: str) -> list[str]:
    return [
        '.\\" SPDX-License-Identifier: GPL-2.0-only',
        f'.TH {name.upper()} 1 "" "Linux kernel markers" "User Commands"',
        ".SH NAME",
        f"{roff(name)} \\- {roff(about)}",
    ]


def page_of(name: str, verb: Verb) -> str:
    """The page of a verb."""
    lines = [*head(f"kmark-{name}", verb.about), ".SH VERBS" if verb.verbs else ".SH DESCRIPTION"]
    for _, parser in verb.parsers(name):
        lines += [f'.SS "{roff(parser.prog)}"'] if verb.verbs else []
        lines += section(parser)
    return "\n".join([*lines, ".SH SEE ALSO", "\\fBkmark\\fR(1)"]) + "\n"


def page(groups: Groups) -> str:
    """The page of the whole command line."""
    lines = [
        *head("kmark", "record, count and watch the events of kernel markers"),
        ".SH SYNOPSIS",
        "\\fBkmark\\fR \\fIVERB\\fR [\\fIARGUMENT\\fR...]",
        ".SH DESCRIPTION",
        roff(kmark.__doc__ or ""),
    ]
    for title, verbs in groups.items():
        lines += [".PP", f"{roff(title.capitalize())}:"]
        for name, verb in verbs.items():
            lines += [".TP", f"\\fBkmark\\-{roff(name)}\\fR(1)", roff(verb.about)]
    lines += [".SH EXIT STATUS", roff(EXIT_STATUS)]
    for title, entries in (("ENVIRONMENT", ENVIRONMENT), ("FILES", FILES)):
        lines.append(f".SH {title}")
        for name, text in entries.items():
            lines += [".TP", f"\\fB{roff(name)}\\fR", roff(text)]
    return "\n".join(lines) + "\n"


def execute(args: argparse.Namespace) -> None:
    groups = args.groups(args.installed)
    made = {"kmark": page(groups)}
    made |= {
        f"kmark-{name}": page_of(name, verb) for group in groups.values() for name, verb in group.items()
    }
    for name, text in made.items():
        cache.write_whole(args.output / f"{name}.1", text.encode())
    say(f"{len(made)} manual pages in {args.output}")


def add_manual(parser: argparse.ArgumentParser) -> None:
    describe(
        parser,
        "Writes kmark.1 and, for each verb, kmark-VERB.1.",
        "kmark dev manual -o /tmp/man && man -l /tmp/man/kmark-record.1",
    )
    parser.add_argument(
        "-o", "--output", type=Path, required=True, metavar="DIR", help="folder of the pages"
    )
    installed_option(parser)
    parser.set_defaults(run=execute)
