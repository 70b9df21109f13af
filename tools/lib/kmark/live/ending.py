# SPDX-License-Identifier: GPL-2.0-only
"""The end of a verb: with its command, after a time, or by Ctrl-C."""

from __future__ import annotations

import subprocess
import sys
import time
from types import FrameType

from kmark.errors import Usage, on_signals, say

STEP_S = 0.05


def after_dashes(verb: str, words: list[str]) -> tuple[list[str], list[str]]:
    """Splits WORDS into those before "--" and the command after it; argparse, which gives
    both as WORDS, removes the "--". Usage if the command is empty."""
    given = sys.argv[1:]
    if "--" not in given:
        return words, []
    command = given[given.index("--") + 1 :]
    if not command:
        raise Usage(f"{verb}: no command after --")
    return words[: len(words) - len(command)], command


class Ending:
    """Starts the command, if there is one, and catches SIGINT, SIGTERM and SIGHUP.
    `seconds`: at most so long. Usage if the command cannot start."""

    def __init__(self, command: list[str], seconds: float | None = None) -> None:
        self.started = time.monotonic()
        self.seconds = seconds
        self.asked = False
        self.name = command[0] if command else ""
        on_signals(self._on_signal)
        try:
            self.command = subprocess.Popen(command) if command else None
        except OSError as problem:
            raise Usage(f"{command[0]}: {problem.strerror}") from None

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        self.asked = True

    def elapsed(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self.started

    def goes_on(self) -> bool:
        """True if neither the command, nor the time, nor a signal has ended it."""
        timely = self.seconds is None or self.elapsed() < self.seconds
        return not self.asked and timely and (self.command is None or self.command.poll() is None)

    def wait(self, seconds: float | None = None) -> bool:
        """Sleeps until the end, at most `seconds`. Returns whether to continue."""
        until = None if seconds is None else time.monotonic() + seconds
        while self.goes_on() and (until is None or time.monotonic() < until):
            time.sleep(STEP_S if until is None else max(0.0, min(STEP_S, until - time.monotonic())))
        return self.goes_on()

    def status(self) -> int:
        """Return the exit status of the command, 128 + n for signal n; 0 if it still runs, and say that."""
        found = self.command.poll() if self.command else 0
        if self.command and found is None:
            say(f"{self.name} still runs, as process {self.command.pid}")
        return 0 if found is None else found if found >= 0 else 128 - found
