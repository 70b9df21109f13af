# SPDX-License-Identifier: GPL-2.0-only
"""What verbs share, and the types of their options."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from kmark.errors import say
from kmark.foreign import shown
from kmark.live import control

if TYPE_CHECKING:
    from kmark.report.draw import Plot
    from kmark.report.page import Page

Verbs: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"

# The files of markers.ko that have the names of the running kernel.
MARKER_NAMES, PROBE_NAMES = "markers", "probes"


def complete(argument: argparse.Action, names: str) -> None:
    """Have the shell complete an argument with MARKER_NAMES or PROBE_NAMES."""
    setattr(argument, "completes", names)  # noqa: B010


def root_option() -> argparse.ArgumentParser:
    """A parent for the parsers of verbs that use the running kernel: --root."""
    parent = argparse.ArgumentParser(add_help=False)
    parent.add_argument(
        "--root", type=Path, default=control.ROOT, metavar="DIR", help="the debugfs folder of markers.ko"
    )
    return parent


def show(lines: Iterable[str]) -> None:
    """Print lines on stdout, without control characters that a foreign text in them may have."""
    sys.stdout.write("".join(f"{shown(part)}\n" for line in lines for part in line.split("\n")))


def write_page(args: argparse.Namespace, made: Page, drawn: list[Plot]) -> None:
    """Writes what --html and --svg ask for, and says what is in it."""
    from kmark import cache
    from kmark.report import page

    if args.svg:
        for plot in drawn:
            cache.write_whole(args.svg / f"{plot.name}.svg", plot.svg.encode())
        say(f"{len(drawn)} plots in {args.svg}")
    if args.html:
        content = page.render(made)
        cache.write_whole(args.html, content.encode())
        say(f"page in {args.html}: {page.size_note(content)}")


def nearest(word: str, known: Iterable[str]) -> str:
    """What to add to a message about an unknown word: the known one that is most like it, if
    there is one."""
    import difflib

    found = difflib.get_close_matches(word, known, 1)
    return f"; did you mean {found[0]!r}?" if found else ""


def positive(text: str) -> int:
    """ValueError, as of the following, for anything out of range; argparse reports it."""
    number = int(text)
    if number <= 0:
        raise ValueError
    return number


def size(text: str) -> int:
    """A number of bytes, as in 512K or 4M, for argparse."""
    match = re.fullmatch(r"([0-9]+)([KMG]?)", text)
    if not match or not int(match[1]):
        raise argparse.ArgumentTypeError(f"{text!r}: want a number of bytes, as in 512K, 4M or 1G")
    return int(match[1]) << {"": 0, "K": 10, "M": 20, "G": 30}[match[2]]


def percentage(text: str) -> float:
    number = float(text)
    if not 0 <= number <= 100:
        raise ValueError
    return number


def duration(text: str) -> float:
    """Seconds, more than 0."""
    number = float(text)
    if not 0 < number < float("inf"):
        raise ValueError
    return number


def seconds(text: str) -> float:
    """A duration of at most a day."""
    number = duration(text)
    if number > 86400:
        raise ValueError
    return number


def not_negative(text: str) -> float:
    number = float(text)
    if not 0 <= number < float("inf"):
        raise ValueError
    return number
