# SPDX-License-Identifier: GPL-2.0-only
"""kmark dev completion: a script with which a shell completes verbs, options and names."""

from __future__ import annotations

import argparse
import shlex
import sys
from typing import TypeAlias

from kmark.commands.common import Groups, Verb, describe, installed_option

MANY = ("*", "+")
ROOT = "/sys/kernel/debug/markers"
# Names of the running kernel, for either shell. NAME@FUNCTION is a marker in one function. Markers come
# with and without the SYSTEM/ of their names; debug sites only with it.
NAMES = f"""\
_kmark_parts() {{ sed -n 'p;/^debug_/!s/^[^\\/]*\\/\\([^\\/]*\\)$/\\1/p'; }}
_kmark_names() {{
  case $1 in
  copies)
    sed -n 's/^[0-9]*\\t\\([^\\t]*\\)\\t[^\\t]*\\t\\([^+\\t]*\\)+.*/\\1@\\2/p' "{ROOT}/sites" |
      _kmark_parts ;;
  markers) sed -n '/^#/!s/\\t.*//p' "{ROOT}/$1" | _kmark_parts ;;
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


Known: TypeAlias = dict[str, Verb]


def known(groups: Groups) -> Known:
    return {name: verb for group in groups.values() for name, verb in group.items()}


def names_of(action: argparse.Action) -> str:
    """Return the file of markers.ko with the names that complete an argument, or ""."""
    return getattr(action, "completes", "")


def choices(action: argparse.Action) -> str:
    return " ".join(map(str, action.choices or ()))


def bash(known: Known) -> str:
    cases, values = [f"  '') options='--help --version' words={shlex.quote(' '.join(known))} ;;"], []
    verbs = list(known)
    for verb, one in known.items():
        if one.verbs and not one.usual:
            cases.append(f"  {verb}) options=--help words={shlex.quote(' '.join(one.verbs))} ;;")
        for name, parser in one.parsers(verb):
            usual = name == f"{verb} {one.usual}"
            verbs += [name] if one.verbs else []
            options = " ".join(word for action in parser._actions for word in action.option_strings)
            free = [action for action in parser._actions if not action.option_strings]
            words = " ".join(
                filter(None, [*one.verbs, *map(choices, free)] if usual else map(choices, free))
            )
            names = " ".join(filter(None, map(names_of, free)))
            case = f"options={shlex.quote(options)} words={shlex.quote(words)} names=({names})"
            case += "".join(f" more={names_of(action)}" for action in free if action.nargs in MANY)
            spelled = [name, verb] if usual else [name]
            cases.append(f"  {' | '.join(map(shlex.quote, spelled))}) {case} ;;")
            for action in parser._actions:
                if action.option_strings and (action.choices or names_of(action)):
                    pattern = " | ".join(
                        shlex.quote(f"{words} {option}")
                        for words in spelled
                        for option in action.option_strings
                    )
                    given = f"words={shlex.quote(choices(action))} names=({names_of(action)})"
                    values.append(f"  {pattern}) {given} ;;")
    script = BASH.replace("@VERBS@", "|".join(verbs))
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


def zsh_verbs(function: str, verbs: Known, usual: str = "") -> str:
    """A function that completes one of the verbs, or the usual one's arguments, and then its arguments."""
    about = " ".join(shlex.quote(f"{name}:{verb.about}") for name, verb in verbs.items())
    calls = "".join(f"  {name}) shift words; (( CURRENT-- )); {function}_{name} ;;\n" for name in verbs)
    other = f"{function}_{usual}" if usual else ""
    return (
        f"{function}() {{\n  local -a verbs=({about})\n"
        f"  if (( CURRENT == 2 )); then _describe verb verbs; {other or ':'}; return; fi\n"
        f"  case $words[2] in\n{calls}{f'  *) {other} ;;{chr(10)}' if usual else ''}  esac\n}}\n"
    )


def zsh(known: Known) -> str:
    parts = ["#compdef kmark\n", NAMES, ZSH_NAMES, zsh_verbs("_kmark", known)]
    for verb, one in known.items():
        if one.verbs:
            parts.append(zsh_verbs(f"_kmark_{verb}", one.verbs, one.usual))
        for name, parser in one.parsers(verb):
            arguments = [word for action in parser._actions for word in zsh_argument(parser, action)]
            parts.append(f"_kmark_{name.replace(' ', '_')}() {{\n  _arguments {' '.join(arguments)}\n}}\n")
    return "".join([*parts, '_kmark "$@"\n'])


SHELLS = {"bash": bash, "zsh": zsh}


def execute(args: argparse.Namespace) -> int:
    sys.stdout.write(SHELLS[args.shell](known(args.groups(args.installed))))
    return 0


def add_completion(completion: argparse.ArgumentParser) -> None:
    describe(completion, "", "kmark dev completion bash >/tmp/kmark && . /tmp/kmark")
    completion.add_argument("shell", choices=tuple(SHELLS))
    installed_option(completion)
    completion.set_defaults(run=execute)
