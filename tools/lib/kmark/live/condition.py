# SPDX-License-Identifier: GPL-2.0-only
"""Conditions on events in the kernel's syntax, from the options of a command line. The kernel parses them;
Documentation/ABI/debugfs-markers describes the language."""

from __future__ import annotations

import argparse
from pathlib import Path

from kmark.errors import Usage

CGROUPS = Path("/sys/fs/cgroup")


def numbers(words: list[str] | None, option: str) -> list[int]:
    """Return the numbers of comma-separated lists. Usage if a word is no number."""
    try:
        return [int(word) for words_ in words or [] for word in words_.split(",")]
    except ValueError:
        raise Usage(f"{option}: want numbers, separated by commas: {','.join(words or [])!r}") from None


def quoted(text: str, option: str) -> str:
    if '"' in text:
        raise Usage(f"{option}: {text!r}: a condition has no quote in a text")
    return f'"{text}"'


def cgroup_id(path: str) -> int:
    """Number of a cgroup of version 2: the inode of its folder. PATH is absolute, or below
    /sys/fs/cgroup. Usage if it is not there."""
    folder = CGROUPS / path
    if folder == CGROUPS or CGROUPS not in folder.parents:
        folder = CGROUPS / path.lstrip("/")
    if not (folder / "cgroup.procs").exists():
        raise Usage(f"--cgroup: {folder} is no cgroup of version 2")
    return folder.stat().st_ino


def either(clauses: list[str]) -> list[str]:
    """Join the clauses with "||" into one; without clauses, return none."""
    return [f"({' || '.join(clauses)})"] if len(clauses) > 1 else clauses


def check_ends(text: str, what: str) -> None:
    """Check a part of a command. Usage if it ends the command."""
    for character in ";#\n":
        if character in text:
            raise Usage(f"{what} cannot have {character!r}, which ends a command: {text!r}")


def suffix(args: argparse.Namespace) -> str:
    """Return the end of a `connect` command for the options of add(): " if ...", or "". Usage if it cannot
    be written into one."""
    parts = [
        *either([f"$pid == {number}" for number in numbers(args.pid, "--pid")]),
        *either([f"$tid == {number}" for number in numbers(args.tid, "--tid")]),
        *either([f"$comm ~ {quoted(glob, '--comm')}" for glob in args.comm or []]),
        *either([f"$cgroup == {cgroup_id(path)}" for path in args.cgroup or []]),
    ]
    if args.condition is not None:
        parts.append(f"({args.condition})" if parts else args.condition)
    text = " && ".join(parts)
    check_ends(text, "a condition")
    return f" if {text}" if parts else ""


def add(parser: argparse.ArgumentParser) -> None:
    """The options that choose events."""
    parser.add_argument(
        "--if", dest="condition", metavar="CONDITION",
        help="only events that match, as in 'len > 1024 && dev == \"eth0\"'; fields by name or argN",
    )  # fmt: skip
    parser.add_argument("--pid", action="append", metavar="N,...", help="only events of these processes")
    parser.add_argument("--tid", action="append", metavar="N,...", help="only events of these threads")
    parser.add_argument(
        "--comm", action="append", metavar="GLOB", help="only events of threads of that name"
    )
    parser.add_argument(
        "--cgroup", action="append", metavar="PATH",
        help="only events of threads in that cgroup (v2) itself, as in system.slice/ssh.service",
    )  # fmt: skip
