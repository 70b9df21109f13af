# SPDX-License-Identifier: GPL-2.0-only
"""How figures and facts are written in a plain text report."""

from __future__ import annotations

import textwrap

WIDTH = 72
KEY_WIDTH = 14


def named(name: str, width: int) -> str:
    """In a column; a name that is longer stands on a line of its own, above."""
    return f"{name:<{width}}" if len(name) < width else f"{name}\n{'':<{width}}"


def number(value: float, sign: str = "") -> str:
    size = abs(value)
    digits = 4 if size < 10 else 3 if size < 100 else 2 if size < 10000 else 0
    return f"{value:{sign}z.{digits}f}"


def interval(entry: dict[str, float]) -> str:
    return f"[{number(entry['lo'], '+')}, {number(entry['hi'], '+')}]"


def fact(key: str, value: str) -> str:
    return textwrap.fill(
        " ".join(value.split()),
        WIDTH,
        initial_indent=f"{key:<{KEY_WIDTH - 1}} ",
        subsequent_indent=" " * KEY_WIDTH,
        break_on_hyphens=False,
    )
