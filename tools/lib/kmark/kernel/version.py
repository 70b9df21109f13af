# SPDX-License-Identifier: GPL-2.0-only
"""The versions of Linux that the project knows, from tools/kernels.tsv."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from kmark import foreign
from kmark.cache import TOOLS


@dataclass(frozen=True)
class Version:
    """A version of Linux. `stock`: the kernels of the distribution; `registers`: true if User-Mode Linux
    needs a patch."""

    name: str
    stock: tuple[str, ...]
    registers: bool


@cache
def table() -> dict[str, Version]:
    """Return the versions by name, oldest first."""
    lines = foreign.lines((TOOLS / "kernels.tsv").read_text())
    rows = (line.split("\t") for line in lines if line and line[0] != "#")
    return {
        name: Version(name, tuple(stock.split(",")) if stock != "-" else (), registers == "yes")
        for name, stock, registers in rows
    }


def stock() -> list[str]:
    """Return the answer of `tools/setup --path stock-NAME`."""
    return [name for version in table().values() for name in version.stock]
