# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the figures that a program has printed."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from kmark.analysis import raw

BUILD = Path(sys.argv[1])
NEAR = 0.01  # two clocks
ROUGH = 0.5  # work beside what else this machine does
TICKS_A_CYCLE = (0.2, 10)  # of any CPU: the counter runs at its nominal rate, the core from idle to turbo


class Wrong(Exception):
    """Two figures do not belong together."""


def claim(what: str, is_so: bool, *figures: object) -> None:
    if not is_so:
        raise Wrong(f"{what}: {', '.join(map(str, figures))}")


def near(what: str, one: float, other: float, by: float, least: float = 0.0) -> None:
    """Both are the same, but for a part BY of them, or LEAST."""
    claim(what, abs(one - other) <= max(by * max(abs(one), abs(other)), least), one, other)


class Run:
    """A program that has run: what it printed, and how long it took by the clock of Python."""

    def __init__(self, *words: str) -> None:
        start = time.perf_counter()
        self.text = subprocess.run(
            [str(BUILD / words[0]), *words[1:]], capture_output=True, text=True, check=True
        ).stdout
        self.seconds = time.perf_counter() - start

    def raw(self, text: str = "") -> raw.Raw:
        (found,) = raw.parse(text or self.text, "columns")
        return found
