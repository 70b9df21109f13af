# SPDX-License-Identifier: GPL-2.0-only
"""Find reports of trouble in a guest's kernel log."""

from __future__ import annotations

import re
from pathlib import Path

from kmark import foreign

SPLAT = re.compile(
    r"\bBUG:|\bWARNING:|\bOops\b|general protection|\bRIP:|Call Trace"
    r"|Kernel panic|kmemleak: \d+ new|possible recursive locking|possible circular locking"
    r"|inconsistent lock state|suspicious RCU usage|self-detected stall|detected stalls"
    r"|soft lockup|hard LOCKUP|blocked for more than|\bUBSAN:|refcount_t:"
)
# Lines of a healthy boot that match the pattern above.
HARMLESS = re.compile(r"Spectre|Speculative Return Stack Overflow|Unprivileged eBPF")


def splats(log: str) -> list[str]:
    """The lines of a console log that report a kernel fault."""
    return [line for line in foreign.lines(log) if SPLAT.search(line) and not HARMLESS.search(line)]


class Growing:
    """The console log of a running guest. Each line is read once, because the log of an hour has
    megabytes."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._seen = 0

    def splats(self) -> list[str]:
        """Return the splats in the lines that have come since the last call."""
        if not self._path.exists():
            return []
        with self._path.open("rb") as log:
            log.seek(self._seen)
            lines = b"".join(line for line in log if line.endswith(b"\n"))
        self._seen += len(lines)
        return splats(lines.decode(errors="replace"))


def excerpt(log: str, lines: int = 25) -> str:
    """The part of a log to show, at most `lines` long: from its first splat on, else its end."""
    found = splats(log)
    whole = foreign.lines(log)
    start = whole.index(found[0]) if found else max(len(whole) - lines, 0)
    return "\n".join(foreign.shown(line.expandtabs().rstrip("\r")) for line in whole[start : start + lines])
