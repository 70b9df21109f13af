# SPDX-License-Identifier: GPL-2.0-only
"""kmark completion: a script with which a shell completes verbs, options and names."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Iterator

from kmark.commands import manual
from kmark.commands.common import Verbs

MANY = ("*", "+")
ROOT = "/sys/kernel/debug/markers"
# Names of the running kernel, for either shell. NAME@FUNCTION is a marker in one function.
NAMES = f"""\
_kmark_names() {{
  case $1 in
  copies) sed -n 's/^[0-9]*\\t\\([^\\t]*\\)\\t[^\\t]*\\t\\([^+\\t]*\\)+.*/\\1@\\2/p' "{ROOT}/sites" ;;
  *) sed -n '/^#/!s/\\t.*//p' "{ROOT}/$1" ;;
  esac 2>/dev/null | sort -u
}}
"""
BASH = """\
# NAME@FUNCTION is one word.
COMP_WORDBREAKS=${COMP_WORDBREAKS//@}
_kmark() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
  local verb= options= words= more= names=() given=0 i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "|@VERBS@|" in
    *"|${verb:+$verb }${COMP_WORDS[i]}|"*) verb=${verb:+$verb }${COMP_WORDS[i]} ;;
    *) [[ ${COMP_WORDS[i]} == -* ]] || given=$((given + 1)) ;;
    esac
  done
  case $verb in
@CASES@
  esac
  case "$verb $prev" in
@VALUES@
  esac
  i=${names[given]:-$more}
  case $i:$cur in
  *:-*) words=$options ;;
  markers:*@*) words=$(_kmark_names copies) ;;
  *:*) words+=" ${i:+$(_kmark_names "$i")}" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o bashdefault -o default -F _kmark kmark
"""
ZSH_NAMES = """\
_kmark_markers() {
  case $PREFIX in
  *@*) compadd -- ${(f)"$(_kmark_names copies)"} ;;
  *) compadd -- ${(f)"$(_kmark_names markers)"} ;;
  esac
}
_kmark_probes() { compadd -- ${(f)"$(_kmark_names probes)"} }
"""


def parsers(
    parser: argparse.ArgumentParser, name: str = ""
) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """The verbs and their own verbs, by their words; the whole command line is ""."""
    yield name, parser
    for verb, below in manual.verbs_of(parser).items():
        yield from parsers(below, f"{name} {verb}".strip())


def names_of(action: argparse.Action) -> str:
    """Which file of markers.ko has the names that an argument may have, or nothing."""
    return getattr(action, "completes", "")


def choices(action: argparse.Action) -> str:
    return " ".join(map(str, action.choices or ()))


def bash(top: argparse.ArgumentParser) -> str:
    cases, values, verbs = [], [], []
    for name, parser in parsers(top):
        verbs.append(name)
        options = " ".join(word for action in parser._actions for word in action.option_strings)
        free = [action for action in parser._actions if not action.option_strings]
        words = " ".join(filter(None, map(choices, free)))
        names = " ".join(filter(None, map(names_of, free)))
        case = f"options={shlex.quote(options)} words={shlex.quote(words)} names=({names})"
        case += "".join(f" more={names_of(action)}" for action in free if action.nargs in MANY)
        cases.append(f"  {shlex.quote(name)}) {case} ;;")
        for action in parser._actions:
            if action.option_strings and (action.choices or names_of(action)):
                pattern = " | ".join(shlex.quote(f"{name} {word}") for word in action.option_strings)
                given = f"words={shlex.quote(choices(action))} names=({names_of(action)})"
                values.append(f"  {pattern}) {given} ;;")
    script = BASH.replace("@VERBS@", "|".join(verbs[1:]))
    return NAMES + script.replace("@CASES@", "\n".join(cases)).replace("@VALUES@", "\n".join(values))


def zsh_argument(parser: argparse.ArgumentParser, action: argparse.Action) -> list[str]:
    """The words of _arguments for one argument of a verb."""
    about = parser._get_formatter()._expand_help(action) if action.help else ""
    for special in "\\[]:":
        about = about.replace(special, f"\\{special}")
    if names_of(action):
        what = f"_kmark_{names_of(action)}"
    else:
        what = f"({choices(action)})" if action.choices else "_files"
    value = "" if action.nargs == 0 else f":{action.dest}:{what}"
    if not action.option_strings:
        many = "*" if action.nargs in MANY else ""
        return [shlex.quote(f"{many}:{action.dest}:{what}")]
    return [shlex.quote(f"{word}[{about}]{value}") for word in action.option_strings]


def zsh(top: argparse.ArgumentParser) -> str:
    parts = ["#compdef kmark\n", NAMES, ZSH_NAMES]
    for name, parser in parsers(top):
        function = "_".join(["_kmark", *name.split()]) if name else "_kmark"
        if below := manual.verbs_of(parser):
            about = (f"{verb}:{manual.summary(parser, verb)}" for verb in below)
            calls = "".join(f"  {verb}) {function}_{verb} ;;\n" for verb in below)
            parts.append(
                f"{function}() {{\n  local -a verbs=({' '.join(map(shlex.quote, about))})\n"
                "  if (( CURRENT == 2 )); then _describe verb verbs; return; fi\n"
                f"  shift words; (( CURRENT-- ))\n  case $words[1] in\n{calls}  esac\n}}\n"
            )
        else:
            arguments = [word for action in parser._actions for word in zsh_argument(parser, action)]
            parts.append(f"{function}() {{\n  _arguments {' '.join(arguments)}\n}}\n")
    return "".join([*parts, '_kmark "$@"\n'])


SHELLS = {"bash": bash, "zsh": zsh}


def execute(args: argparse.Namespace) -> int:
    sys.stdout.write(SHELLS[args.shell](args.whole()))
    return 0


def add(verbs: Verbs) -> None:
    completion = verbs.add_parser(
        "completion",
        help="print the completion of a shell",
        epilog='example: eval "$(tools/kmark completion bash)"',
    )
    completion.add_argument("shell", choices=tuple(SHELLS))
    completion.set_defaults(run=execute)
