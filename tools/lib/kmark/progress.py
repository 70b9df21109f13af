# SPDX-License-Identifier: GPL-2.0-only
"""Progress of long work on stderr: a bar on a terminal, else a few lines."""

from __future__ import annotations

import os
import sys
import time

BAR = 30
QUIET_S = 10  # between two lines where there is no terminal


class Progress:
    """A context; show() or show_part() may be called any number of times, also by several threads. With
    `only_terminal`, all of it is silent where there is no terminal."""

    def __init__(self, what: str, only_terminal: bool = False) -> None:
        self._what = what
        self._terminal = sys.stderr.isatty()
        self._silent = only_terminal and not self._terminal
        self._start = time.monotonic()
        self._last = self._start
        self._parts: dict[int, float] = {}

    def __enter__(self) -> Progress:
        self._print("starts")
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._terminal:
            print("\r\033[K", end="", file=sys.stderr)
        self._print(f"{'stopped' if kind else 'done'} after {time.monotonic() - self._start:.1f} s")

    def _print(self, text: str) -> None:
        if not self._silent:
            print(f"{self._what}: {text}", file=sys.stderr, flush=True)

    def _show(self, share: float, label: str) -> None:
        now = time.monotonic()
        if self._terminal:
            # A line that is longer than the terminal would be a new one each time.
            room = (os.get_terminal_size(sys.stderr.fileno()).columns or 80) - 1
            size = max(0, min(BAR, room - len(f"{self._what}: [] {label}")))
            bar = ("#" * int(size * share)).ljust(size, ".")
            print(f"\r{f'{self._what}: [{bar}] {label}'[:room]}", end="", file=sys.stderr, flush=True)
        elif now - self._last >= QUIET_S:
            self._last = now
            self._print(label)

    def show(self, done: int, total: int) -> None:
        """DONE of TOTAL: redraws the bar, or prints a line every QUIET_S seconds."""
        self._show(done / max(total, 1), f"{done}/{total}")

    def show_part(self, part: int, parts: int, done: int, total: int) -> None:
        """Show the progress of part number `part` of `parts`, which may be under way side by side."""
        self._parts[part] = done / max(total, 1)
        share = sum(self._parts.values()) / parts
        self._show(share, f"{100 * share:.0f} %")


def parse_progress(line: str) -> tuple[int, int] | None:
    """DONE and TOTAL of a line DONE/TOTAL, as programs and guests print their progress;
    None for any other line."""
    done, _, total = line.strip().partition("/")
    return (int(done), int(total)) if done.isdecimal() and total.isdigit() else None
