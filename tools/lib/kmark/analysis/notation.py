# SPDX-License-Identifier: GPL-2.0-only
"""How figures and facts are written in a plain text report."""

from __future__ import annotations

import textwrap

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


def interval(entry: dict[str, float]) -> str:
    """The bounds `lo` and `hi` of an estimate's entry, with signs."""
    return f"[{number(entry['lo'], '+')}, {number(entry['hi'], '+')}]"


def fact(key: str, value: str) -> str:
    """ "KEY value", wrapped to WIDTH columns with the value in a column of its own."""
    return textwrap.fill(
        " ".join(value.split()),
        WIDTH,
        initial_indent=f"{key:<{KEY_WIDTH - 1}} ",
        subsequent_indent=" " * KEY_WIDTH,
        break_on_hyphens=False,
    )
