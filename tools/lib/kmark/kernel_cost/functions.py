# SPDX-License-Identifier: GPL-2.0-only
"""Maps addresses to functions, and finds the functions that account for a difference."""

from __future__ import annotations

import bisect
import re
import subprocess
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from kmark import foreign

KERNEL_START = 1 << 63
USER, UNKNOWN = "(user space)", "(unknown)"
FEWEST = 100  # symbols; Debian's System.map is a file of one line
# A clone by the compiler has a suffix, which differs between builds.
CLONE = re.compile(r"\.(isra|constprop|part|cold|llvm)(\.\d+)?")


@dataclass(frozen=True)
class Share:
    """Instructions that one operation executes in a function."""

    function: str
    old: int
    new: int

    @property
    def difference(self) -> int:
        return self.new - self.old


class Symbols:
    """The functions of a kernel. `text`: lines of address, type and name."""

    def __init__(self, text: str) -> None:
        found: dict[int, str] = {}
        for line in foreign.lines(text):
            words = line.split()
            if len(words) == 3 and words[1] in "tTwW" and int(words[0], 16) >= KERNEL_START:
                found.setdefault(int(words[0], 16), CLONE.sub("", words[2]))
        self._starts = sorted(found)
        self._names = [found[start] for start in self._starts]
        self._by_name: dict[str, list[int]] = defaultdict(list)
        for start, name in found.items():
            self._by_name[name].append(start)

    def __len__(self) -> int:
        return len(self._starts)

    def starts(self, name: str) -> list[int]:
        """Return the addresses of a function and of its clones; empty if it has no code of its own."""
        return self._by_name.get(name, [])

    def name(self, address: int) -> str:
        """The function that has the address, or where it is if there are no symbols."""
        if address < KERNEL_START:
            return USER
        place = bisect.bisect_right(self._starts, address) - 1
        return self._names[place] if place >= 0 else UNKNOWN


def read_symbols(path: Path | None) -> Symbols:
    """Read the symbols of System.map or vmlinux; none if there are too few for a kernel."""
    if path is None:
        return Symbols("")
    if path.name.startswith("vmlinux"):
        text = subprocess.run(["nm", path], capture_output=True, text=True, check=False).stdout
    else:
        text = path.read_text()
    symbols = Symbols(text)
    return symbols if len(symbols) >= FEWEST else Symbols("")


def by_function(counts: dict[int, int], symbols: Symbols) -> dict[str, int]:
    found: dict[str, int] = defaultdict(int)
    for address, count in counts.items():
        found[symbols.name(address)] += count
    return found


def shares(old: dict[str, int], new: dict[str, int]) -> list[Share]:
    """The functions that differ, the largest differences first."""
    found = [Share(name, old.get(name, 0), new.get(name, 0)) for name in old.keys() | new.keys()]
    found = [share for share in found if share.difference]
    return sorted(found, key=lambda share: (-abs(share.difference), share.function))
