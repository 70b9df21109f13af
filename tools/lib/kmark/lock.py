# SPDX-License-Identifier: GPL-2.0-only
"""One process at a time: other processes wait, with a message that names the work."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kmark import cache
from kmark.errors import say


@contextmanager
def hold(path: Path, what: str) -> Iterator[None]:
    """Hold the lock of the file while the context lasts, also against other processes; the lock ends with
    the process. `what`: the work of this process, for the message of waiting processes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"waiting for another kmark, which {what}")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextmanager
def hold_if_free(path: Path) -> Iterator[bool]:
    """Hold the lock of the file while the context lasts, and yield True; yield False if it is held."""
    with path.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True


@contextmanager
def measuring(env: str) -> Iterator[None]:
    """Hold a lock while times in that environment are measured, because two measurements of the same user
    would disturb each other. Guests of the environment vm count instructions, which nothing disturbs, so
    they hold no lock; nor does a process that cannot write to the cache."""
    place = cache.place("cache")
    if env == "vm" or not os.access(place, os.W_OK):
        yield
        return
    with hold(place / "measuring.lock", "measures"):
        yield
