# SPDX-License-Identifier: GPL-2.0-only
"""kmark completion: what makes a shell complete verbs, options and names."""

from __future__ import annotations

import argparse
import sys

from kmark.commands.common import Verbs

ROOT = "/sys/kernel/debug/markers"
# The words NAME@FUNCTION of the running kernel, for either shell.
COPIES = f"""\
_kmark_copies() {{
  sed -n 's/^[0-9]*\\t\\([^\\t]*\\)\\t[^\\t]*\\t\\([^+\\t]*\\)+.*/\\1@\\2/p' "{ROOT}/sites" 2>/dev/null |
    sort -u
}}
"""
BASH = f"""\
_kmark_words() {{ compgen -W "$(sed -n '/^#/!s/\\t.*//p' "{ROOT}/$1" 2>/dev/null)" -- "$2"; }}
_kmark_markers() {{
  case $1 in
  *@*) compgen -W "$(_kmark_copies)" -- "$1" ;;
  *) _kmark_words markers "$1" ;;
  esac
}}
_kmark_probes() {{ _kmark_words probes "$1"; }}
# NAME@FUNCTION is one word.
COMP_WORDBREAKS=${{COMP_WORDBREAKS//@}}
"""
ZSH = f"""\
_kmark_words() {{ compadd -- ${{(f)"$(sed -n '/^#/!s/\\t.*//p' "{ROOT}/$1" 2>/dev/null)"}}; }}
_kmark_markers() {{
  case $PREFIX in
  *@*) compadd -- ${{(f)"$(_kmark_copies)"}} ;;
  *) _kmark_words markers ;;
  esac
}}
_kmark_probes() {{ _kmark_words probes; }}
"""
PREAMBLES = {"bash": COPIES + BASH, "zsh": COPIES + ZSH}


def execute(args: argparse.Namespace) -> int:
    import shtab

    from kmark import cli

    sys.stdout.write(shtab.complete(cli.parser(), args.shell, preamble=PREAMBLES[args.shell]))
    return 0


def add(verbs: Verbs) -> None:
    completion = verbs.add_parser(
        "completion",
        help="print the completion of a shell",
        epilog='example: eval "$(tools/kmark completion bash)"',
    )
    completion.add_argument("shell", choices=tuple(PREAMBLES))
    completion.set_defaults(run=execute)
