# SPDX-License-Identifier: GPL-2.0-only
"""The manual page kmark(1), generated from the parsers, so that no verb and no option is
missing. Written with the man macros, for man, mandoc and groff."""

from __future__ import annotations

import argparse
import re

ENVIRONMENT = {
    "KMARK_CACHE": "Where downloads and what is built of them are kept. Default: kmark in "
    "$XDG_CACHE_HOME or in ~/.cache.",
}
FILES = {
    "/sys/kernel/debug/markers": "The files of markers.ko; Documentation/ABI/debugfs-markers.",
    "/sys/kernel/tracing/events/markers": "The trace events of the probes trace and event.",
}


def roff(text: str) -> str:
    """Escaped, so that it is plain text and no request."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^(?=[.'])", r"\\&", " ".join(text.split()))


def verbs_of(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


def summary(parser: argparse.ArgumentParser, verb: str) -> str:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for choice in action._choices_actions:
                if choice.dest == verb:
                    return choice.help or ""
    return ""


def option(action: argparse.Action) -> list[str]:
    metavar = action.metavar or (
        "|".join(map(str, action.choices)) if action.choices else action.dest.upper()
    )
    value = "" if action.nargs == 0 else f" {metavar if isinstance(metavar, str) else ' '.join(metavar)}"
    names = ", ".join(f"{name}{value}" for name in action.option_strings) or value.strip()
    text = (action.help or "") % {"default": action.default} if action.help else ""
    return [".TP", f"\\fB{roff(names)}\\fR", roff(text) if text else "\\&"]


def section(parser: argparse.ArgumentParser, verb: str) -> list[str]:
    one = verbs_of(parser)[verb]
    usage = " ".join(one.format_usage().removeprefix("usage: ").split())
    about = one.description or summary(parser, verb)
    about = about[:1].upper() + about[1:] + ("" if about.endswith(".") else ".")
    lines = [f".SS {roff(verb)}", f"\\fB{roff(usage)}\\fR", ".PP", roff(about)]
    for action in one._actions:
        if not isinstance(action, argparse._HelpAction):
            lines += option(action)
    if one.epilog:
        head, _, example = one.epilog.partition(": ")
        lines += [".PP", f"{roff(head.capitalize())}:", ".PP", ".RS", ".nf", roff(example), ".fi", ".RE"]
    return lines


def page(parser: argparse.ArgumentParser) -> str:
    """The whole page."""
    lines = [
        '.\\" SPDX-License-Identifier: GPL-2.0-only',
        '.TH KMARK 1 "" "Linux kernel markers" "User Commands"',
        ".SH NAME",
        "kmark \\- connect probes to kernel markers, watch them, and measure",
        ".SH SYNOPSIS",
        "\\fBkmark\\fR \\fIVERB\\fR [\\fIARGUMENT\\fR...]",
        ".SH DESCRIPTION",
        roff(parser.description or ""),
        ".SH VERBS",
    ]
    for verb in verbs_of(parser):
        lines += section(parser, verb)
    lines += [".SH EXIT STATUS", roff(parser.epilog or "")]
    for title, entries in (("ENVIRONMENT", ENVIRONMENT), ("FILES", FILES)):
        lines.append(f".SH {title}")
        for name, text in entries.items():
            lines += [".TP", f"\\fB{roff(name)}\\fR", roff(text)]
    return "\n".join(lines) + "\n"
