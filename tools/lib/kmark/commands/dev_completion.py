# SPDX-License-Identifier: GPL-2.0-only
"""kmark dev completion: a script with which a shell completes verbs, options and names."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path
from typing import TypeAlias

from kmark.commands.common import Groups, Verb, describe, installed_option, kernel, stock_kernel
from kmark.commands.dev_vm import added_file

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
# A kind of words that complete an argument: words, or :files, :command, or :NAME of a file of names.
BASH = """\
_kmark() {
  local given=() option= place=0 prefix= verb= helped= word words=
  # Properties of the verb: its verbs, options, options with a value, kinds of arguments, of more arguments.
  local below= options= valued= kinds=() more=
  # readline cuts words at @ and = of COMP_WORDBREAKS. It replaces what is behind =, or begins with @.
  for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if [[ ${#given[@]} != 0 && ($word == [@=]* || ${given[-1]} == *[@=]) ]]; then
      given[-1]+=$word
    else
      given+=("$word")
    fi
  done
  local cur=${given[-1]} kept=${given[-1]}
  [[ $word == [@=] ]] || kept=${cur%"$word"}
  kept=${kept%@}
  unset 'given[-1]'
  while [[ ${given[0]} && "|@VERBS@|" == *"|${verb:+$verb }${given[0]}|"* && $verb != help ]]; do
    verb+=${verb:+ }${given[0]}
    given=("${given[@]:1}")
  done
  [[ $verb != help || $cur == -* ]] || { helped=1 verb=${given[*]} given=(); }
  case $verb in
@CASES@
  esac
  for word in "${given[@]}"; do
    if [[ $option == -- ]]; then
      words=given
    elif [[ $option ]]; then
      option=
    elif [[ " $valued -- " == *" $word "* ]]; then
      option=$word
    elif [[ $word != -* ]]; then
      place=$((place + 1))
    fi
  done
  if [[ ! $option && $cur == --*=* ]]; then
    option=${cur%%=*} prefix=${cur%%=*}=
    cur=${cur#*=}
  fi
  case "$verb $option" in
@VALUES@
  *" --") kinds=${words:+:files} kinds=${kinds:-:command} ;;
  *" -"*) kinds= ;;
  *) kinds=${kinds[place]:-$more}
    ((place)) || kinds+=" $below"
    [[ ! $helped ]] || kinds=$below
    [[ $cur != -* ]] || kinds=$options ;;
  esac
  COMPREPLY=() words=
  for word in $kinds; do
    case $word in
    :files)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -f -- "$cur") ;;
    :command) mapfile -t COMPREPLY < <(compgen -c -- "$cur") ;;
    :markers) [[ $cur == *@* ]] && words+=" $(_kmark_names copies)" || words+=" $(_kmark_names markers)" ;;
    :*) words+=" $(_kmark_names "${word#:}")" ;;
    *) words+=" $word" ;;
    esac
  done
  COMPREPLY+=($(compgen -W "$words" -- "$cur"))
  COMPREPLY=("${COMPREPLY[@]/#/$prefix}")
  COMPREPLY=("${COMPREPLY[@]#"$kept"}")
}
complete -F _kmark kmark
"""
ZSH_NAMES = """\
_kmark_markers() {
  case $PREFIX in
  *@*) compadd -- ${(f)"$(_kmark_names copies)"} ;;
  *) compadd -- ${(f)"$(_kmark_names markers)"} ;;
  esac
}
_kmark_probes() { compadd -- ${(f)"$(_kmark_names probes)"} }
# Behind --, a COMMAND.
_kmark_command() {
  local i=${words[(ie)--]}
  (( i < CURRENT )) || return
  shift $i words
  (( CURRENT -= i ))
  _normal
}
"""


Known: TypeAlias = dict[str, Verb]


def known(groups: Groups) -> Known:
    return {name: verb for group in groups.values() for name, verb in group.items()}


def kind(action: argparse.Action) -> str:
    """Return what completes an argument: see BASH."""
    if action.choices:
        return " ".join(map(str, action.choices))
    names = getattr(action, "completes", "")
    if names:
        return f":{names}"
    if action.dest == "command":
        return ":command"
    return ":files" if action.type in (Path, kernel, stock_kernel, added_file) else ""


def bash(known: Known) -> str:
    cases = [f"  '') options='--help --version' below={shlex.quote(' '.join(known))} ;;"]
    values = []
    verbs = list(known)
    for verb, one in known.items():
        if one.verbs and not one.usual:
            cases.append(f"  {verb}) options=--help below={shlex.quote(' '.join(one.verbs))} ;;")
        for name, parser in one.parsers(verb):
            usual = name == f"{verb} {one.usual}"
            spelled = [name, verb] if usual else [name]
            verbs += [name] if one.verbs else []
            given = [action for action in parser._actions if not action.option_strings]
            valued = [action for action in parser._actions if action.option_strings and action.nargs != 0]
            parts = {
                "below": one.verbs if usual else [],
                "options": [word for action in parser._actions for word in action.option_strings],
                "valued": [word for action in valued for word in action.option_strings],
                "more": [kind(action) for action in given if action.nargs in MANY],
            }
            case = " ".join(f"{part}={shlex.quote(' '.join(words))}" for part, words in parts.items())
            kinds = " ".join(shlex.quote(kind(action)) for action in given)
            cases.append(f"  {' | '.join(map(shlex.quote, spelled))}) {case} kinds=({kinds}) ;;")
            for action in filter(kind, valued):
                options = [f"{words} {option}" for words in spelled for option in action.option_strings]
                pattern = " | ".join(map(shlex.quote, options))
                values.append(f"  {pattern}) kinds={shlex.quote(kind(action))} ;;")
    script = BASH.replace("@VERBS@", "|".join(verbs))
    return NAMES + script.replace("@CASES@", "\n".join(cases)).replace("@VALUES@", "\n".join(values))


def zsh_argument(parser: argparse.ArgumentParser, action: argparse.Action) -> list[str]:
    """The words of _arguments for one argument of a verb."""
    about = parser._get_formatter()._expand_help(action) if action.help else ""
    for special in "\\[]:":
        about = about.replace(special, f"\\{special}")
    words = kind(action)
    functions = {"": " ", ":files": "_files", ":command": "_command_names -e"}
    what = functions.get(words) or (f"_kmark_{words[1:]}" if words[0] == ":" else f"({words})")
    value = "" if action.nargs == 0 else f":{action.dest}:{what}"
    if not action.option_strings:
        many = "*" if action.nargs in MANY else ""
        if words == ":command" and many:
            return ["'*::command:_normal'"]
        return [shlex.quote(f"{many}:{action.dest}:{what}")]
    return [
        shlex.quote(f"{word}{'=' if value and word[:2] == '--' else ''}[{about}]{value}")
        for word in action.option_strings
    ]


def zsh_verbs(function: str, verbs: Known, usual: str = "") -> str:
    """A function that completes one of the verbs, or the usual one's arguments, and then its arguments.
    With $helped, only verbs."""
    about = " ".join(shlex.quote(f"{name}:{verb.about}") for name, verb in verbs.items())
    calls = "".join(
        f"  {name}) {'' if verb.verbs else '[[ $helped ]] || '}{function}_{name} ;;\n"
        for name, verb in verbs.items()
    )
    other = f"[[ $helped ]] || {function}_{usual}" if usual else ":"
    return (
        f"{function}() {{\n  local -a verbs=({about})\n"
        f"  if (( CURRENT == 2 )); then _describe verb verbs; {other}; return; fi\n"
        f"  if (( ! ${{verbs[(I)$words[2]:*]}} )); then {other}; return; fi\n"
        f"  shift words; (( CURRENT-- ))\n"
        f"  case $words[1] in\n{calls}  esac\n}}\n"
    )


def zsh(known: Known) -> str:
    parts = ["#compdef kmark\n", NAMES, ZSH_NAMES, zsh_verbs("_kmark_verbs", known)]
    for verb, one in known.items():
        if one.verbs:
            parts.append(zsh_verbs(f"_kmark_verbs_{verb}", one.verbs, one.usual))
        for name, parser in one.parsers(verb):
            arguments = [word for action in parser._actions for word in zsh_argument(parser, action)]
            body = "local helped=1; _kmark_verbs" if name == "help" else f"_arguments {' '.join(arguments)}"
            parts.append(f"_kmark_verbs_{name.replace(' ', '_')}() {{\n  {body}\n}}\n")
    return "".join([*parts, '_kmark() { _kmark_command || _kmark_verbs }\n_kmark "$@"\n'])


SHELLS = {"bash": bash, "zsh": zsh}


def execute(args: argparse.Namespace) -> None:
    sys.stdout.write(SHELLS[args.shell](known(args.groups(args.installed))))


def add_completion(completion: argparse.ArgumentParser) -> None:
    describe(completion, "", "kmark dev completion bash >/tmp/kmark && . /tmp/kmark")
    completion.add_argument("shell", choices=tuple(SHELLS))
    installed_option(completion)
    completion.set_defaults(run=execute)
