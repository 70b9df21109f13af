# SPDX-License-Identifier: GPL-2.0-only
"""Verbs and options, and the texts of their help, for test_whole_texts.py."""

from __future__ import annotations

import argparse
from unittest import mock

import test_arguments
from kmark import cli
from kmark.cache import TOP
from kmark.commands import help as pages_of_help


def of_option(action: argparse.Action) -> str:
    facts = {
        "choices": "|".join(action.choices or ()), "type": getattr(action.type, "__name__", ""),
        "default": str(action.default).removeprefix(f"{TOP}/"), "const": action.const,
        "nargs": action.nargs, "required": action.option_strings and action.required and "yes",
    }  # fmt: skip
    shown = [f"{name} {fact}" for name, fact in facts.items() if fact not in ("None", "False") and fact]
    return " ".join([*(action.option_strings or [action.dest]), *shown])


def of_options() -> str:
    """Return what the options and words of each verb may be, without the sentences of its help: a line for
    each that takes values of a kind, and one for all others."""
    lines = []
    with mock.patch("os.cpu_count", return_value=12):
        for verb, parser in test_arguments.leaves():
            kinds: list[str] = []
            others: list[str] = []
            for action in parser._actions[1:]:
                is_of_kind = action.nargs != 0 and (action.type or action.choices or action.default)
                (kinds if is_of_kind else others).append(of_option(action))
            lines += [f"{verb}: {', '.join(others)}", *(f"  {word}" for word in kinds)]
            for group in parser._mutually_exclusive_groups:
                lines.append(f"  one of {' '.join(one.dest for one in group._group_actions)}")
    return "\n".join(lines) + "\n"


def of_verbs() -> str:
    groups = cli.groups(installed=False)
    below = [pages_of_help.table(verb.verbs) for verbs in groups.values() for verb in verbs.values()]
    return pages_of_help.overview(groups) + "".join(below)
