# SPDX-License-Identifier: GPL-2.0-only
"""Notation of figures and facts in a plain text report."""

from __future__ import annotations

import re
import textwrap
from unicodedata import combining, east_asian_width

from kmark.analysis.cases import Estimate

WIDTH = 72
KEY_WIDTH = 14


def named(name: str, width: int) -> str:
    """NAME padded to WIDTH columns; a longer one stands on a line of its own, above."""
    return f"{name:<{width}}" if len(name) < width else f"{name}\n{'':<{width}}"


def number(value: float, sign: str = "") -> str:
    """VALUE with fewer decimals the larger it is; `sign` is the format's, "+" or nothing."""
    size = abs(value)
    digits = 4 if size < 10 else 3 if size < 100 else 2 if size < 10000 else 0
    return f"{value:{sign}z.{digits}f}"


def columns(line: str) -> int:
    """Return the width of a line on a terminal: wide characters take two columns, combining marks none."""
    widths = (0 if combining(one) else 2 if east_asian_width(one) in "WF" else 1 for one in line)
    return sum(widths)


def fit(line: str, begin: str | None = None) -> list[str]:
    """Return the line in at most WIDTH columns. A wider line is broken between words, or within a word that
    has no room. `begin`: start of the further lines; None: the line's own indentation and two more."""
    if columns(line) <= WIDTH:
        return [line]
    indent = line[: len(line) - len(line.lstrip())]
    begin = (indent + "  " if begin is None else begin)[: WIDTH // 2]
    broken = [indent[: WIDTH // 2]]
    for word in re.findall(r"\s*\S+", line.strip()):
        rest = word
        if columns(broken[-1] + word) > WIDTH and broken[-1].strip():
            broken.append(begin)
            rest = word.lstrip()
        for character in rest:
            if columns(broken[-1] + character) > WIDTH:
                broken.append(begin)
            broken[-1] += character
    return [one.rstrip() for one in broken]


def interval(value: Estimate) -> str:
    """The bounds of an estimate, with signs."""
    return f"[{number(value.lo, '+')}, {number(value.hi, '+')}]"


def spread(value: Estimate) -> str:
    """The bounds without signs; "-" if they are the same."""
    return "-" if value.lo == value.hi else f"[{number(value.lo)}, {number(value.hi)}]"


def with_interval(value: Estimate) -> str:
    """The median of an estimate, with its interval if that shows anything else."""
    median, lo, hi = (number(one, "+") for one in (value.median, value.lo, value.hi))
    return median if lo == median == hi else f"{median} {interval(value)}"


def fact(key: str, value: str) -> str:
    """ "KEY value", wrapped to WIDTH columns with the value in a column of its own."""
    return textwrap.fill(
        " ".join(value.split()),
        WIDTH,
        initial_indent=f"{key:<{KEY_WIDTH - 1}} ",
        subsequent_indent=" " * KEY_WIDTH,
        break_on_hyphens=False,
    )
