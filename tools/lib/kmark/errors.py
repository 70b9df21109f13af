# SPDX-License-Identifier: GPL-2.0-only
"""The errors that end a command with one line on stderr, messages there, and the signals that end it."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterable
from types import FrameType

from kmark import foreign


class Failure(Exception):
    """Something failed; the message has the reason and the place, in one line. Exit status 1."""

    status = 1


class Usage(Failure):
    """The command line asks for something impossible. Exit status 2."""

    status = 2


class Incomparable(Failure):
    """There is nothing that could be compared. Exit status 3."""

    status = 3


def nearest(word: str, known: Iterable[str]) -> str:
    """Return the end of a message about an unknown word: the most similar known word, if there is one."""
    import difflib

    found = difflib.get_close_matches(word, known, 1)
    return f"; did you mean {found[0]!r}?" if found else ""


def on_signals(handler: Callable[[int, FrameType | None], None]) -> None:
    """Call the handler for the signals that end a command. SIGHUP stays ignored below nohup; SIGINT does
    not below a shell's "&", so that kill -INT ends a recorder of a script."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, handler)


def say(message: str) -> None:
    """Print a message for the user on stderr, as one line without control characters."""
    print(f"kmark: {foreign.shown(message)}", file=sys.stderr, flush=True)
