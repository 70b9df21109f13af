# SPDX-License-Identifier: GPL-2.0-only
"""Bytes that a change adds to a kernel: to its text and data, and to each function. `prefix`: of the
binutils for its architecture."""

from __future__ import annotations

import subprocess
from collections import defaultdict
from pathlib import Path

from kmark import foreign
from kmark.kernel_cost.functions import CLONE

TEXT = "tTwW"
KINDS = ("text", "data", "bss")


def totals(vmlinux: Path, prefix: str) -> dict[str, int]:
    """Return the bytes of code and constants, of data, and of data that is zero at first."""
    printed = subprocess.run([f"{prefix}size", vmlinux], capture_output=True, text=True, check=True).stdout
    return dict(zip(KINDS, map(int, foreign.lines(printed)[1].split()), strict=False))


def of_symbols(vmlinux: Path, prefix: str) -> dict[str, int]:
    """Return the bytes of each function and object. Those with the same name are added."""
    printed = subprocess.run(
        [f"{prefix}nm", "-S", vmlinux], capture_output=True, text=True, check=True
    ).stdout
    found: dict[str, int] = defaultdict(int)
    for line in foreign.lines(printed):
        words = line.split()
        if len(words) == 4:
            found[CLONE.sub("", words[3]) + ("()" if words[2] in TEXT else "")] += int(words[1], 16)
    return found


def differences(old: Path, new: Path, prefix: str) -> dict[str, int]:
    """Return the bytes that each function, "name()", and each object grew, less those that did not; the
    largest differences first."""
    one, other = of_symbols(old, prefix), of_symbols(new, prefix)
    found = {name: other.get(name, 0) - one.get(name, 0) for name in one.keys() | other.keys()}
    order = sorted(found, key=lambda name: (-abs(found[name]), name))
    return {name: found[name] for name in order if found[name]}


def added(old: Path, new: Path, prefix: str) -> dict[str, int]:
    one, other = totals(old, prefix), totals(new, prefix)
    return {kind: other[kind] - one[kind] for kind in KINDS}
