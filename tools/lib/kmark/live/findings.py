# SPDX-License-Identifier: GPL-2.0-only
"""Results of connected probes: the file `results` of markers.ko, by connection; counts and histograms made
of it."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from kmark import foreign
from kmark.errors import say
from kmark.live import control

TEXTS = ("selector", "probe", "what", "key")
NUMBERS = ("id", "value")
BAR = 40  # characters of the longest


class Finding(NamedTuple):
    """One connection, with its values by what and key."""

    number: int
    selector: str
    probe: str  # with its words
    values: dict[str, dict[str, int]]

    def title(self) -> str:
        """Return the selector and the probe of the connection, for a terminal."""
        return foreign.shown(f"{self.selector} {self.probe}")

    def one(self, what: str) -> int:
        """Return the value without a key; 0 if there is none."""
        return self.values.get(what, {}).get("-", 0)


def read(root: Path) -> list[Finding]:
    """All connections that have results."""
    found: dict[int, Finding] = {}
    for row in control.read(root, "results", TEXTS, NUMBERS).records():
        number = int(row["id"])
        entry = found.setdefault(number, Finding(number, row["selector"], row["probe"], {}))
        entry.values.setdefault(row["what"], {})[row["key"]] = int(row["value"])
    return list(found.values())


def label(verb: str) -> str:
    """Distinguishes connections of this process from those of others."""
    return f"label={verb}-{os.getpid()}"


def connect_possible(root: Path, lines: list[str]) -> None:
    """Connects all lines in one transaction. If the kernel refuses that, connects each line alone, and
    says which lines the kernel refuses. Refused if it refuses all of them."""
    try:
        control.command(root, "; ".join(f"connect {line}" for line in lines))
        return
    except control.Refused:
        if len(lines) == 1:
            raise
    refusals = []
    for line in lines:
        try:
            control.command(root, f"connect {line}")
        except control.Refused as problem:
            refusals.append(problem)
    if len(refusals) == len(lines):
        raise refusals[0]
    for refused in refusals:
        say(f"left out: {refused}")


def words(line: str) -> tuple[str, ...]:
    """Return the words that tell a connection from others: without first=N, which the kernel moves."""
    return tuple(word for word in line.split() if not word.startswith("first="))


@contextmanager
def connected(root: Path, lines: list[str], possible: bool = False) -> Iterator[set[int]]:
    """Connects each line for the time of the context, in one transaction, and yields the
    numbers of the connections. `possible`: as connect_possible() does."""
    before = {entry.number for entry in read(root)}
    wanted = set(map(words, lines))

    def own() -> set[int]:
        return {
            entry.number
            for entry in read(root)
            if entry.number not in before and words(f"{entry.selector} {entry.probe}") in wanted
        }

    try:
        if possible:
            connect_possible(root, lines)
        elif lines:
            control.command(root, "; ".join(f"connect {line}" for line in lines))
        yield own()
    finally:
        disconnect(root, own)


def disconnect(root: Path, numbers: Callable[[], set[int]]) -> None:
    """Disconnects the connections with these numbers, in one transaction. The kernel refuses all of it if
    another program has disconnected one of them meanwhile; then the others are disconnected."""
    while present := numbers():
        try:
            control.write(root / "control", "; ".join(f"disconnect id:{one}" for one in sorted(present)))
        except control.Refused as refused:
            if refused.errno != errno.ENOENT or numbers() == present:
                raise
        else:
            return


def histogram(entry: Finding) -> str:
    """Lines of LOW..HIGH, count and a bar; "" without buckets."""
    buckets = entry.values.get("bucket", {})
    if not buckets:
        return ""
    most = max(buckets.values())
    buckets = {foreign.shown(key): count for key, count in buckets.items()}
    width = max(len(key) for key in buckets)
    digits = len(str(most))
    lines = [entry.title()]
    for what, keys in entry.values.items():
        if what != "bucket" and list(keys) == ["-"]:
            lines.append(f"  {foreign.shown(what)} {keys['-']}")
    pairs = entry.one("events")
    if "sum_ns" in entry.values and pairs:
        lines.append(f"  mean_ns {entry.one('sum_ns') / pairs:.0f}")
    for key, count in buckets.items():
        bar = "#" * max(1, round(BAR * count / most))
        lines.append(f"  {key:>{width}}  {count:>{digits}}  {bar}")
    return "\n".join(lines) + "\n"
