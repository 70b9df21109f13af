# SPDX-License-Identifier: GPL-2.0-only
"""The conversions in the formats of printk() in a kernel's source: how many there are of each, and what
markers record of them."""

from __future__ import annotations

import re
import tarfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

LEVELS = "emerg|alert|crit|err|warn|warning|notice|info|cont|debug|dbg|devel"
CALL = re.compile(
    rf"\b(?:pr|dev|netdev|netif)_(?:{LEVELS})(?:_once|_ratelimited)?\s*\(|\bprintk(?:_once|_ratelimited)?\s*\("
)
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')
# Text before and between the literals of a format: names of levels, and arguments before the format.
BEFORE = re.compile(r"[^\"();]*")
BETWEEN = re.compile(r"[\sA-Za-z0-9_]*")
CONVERSION = re.compile(
    r"%(?P<flags>[-+ #0]*)(?P<width>\*|\d+)?(?P<precision>\.(?:\*|\d*))?(?:hh|h|ll|l|z|Z|t|j|q|L)?"
    r"(?P<letter>[diouxXcs]|p[A-Za-z0-9]*)"
)
NUMBERS = "diouxXc"
ADDRESSES = "KxsS"
# Behind "%p": the bytes that are recorded, by the letters they begin with.
BYTES = ("M", "m", "I4", "i4", "I6", "i6", "U")
NOT_KERNEL = ("tools/", "Documentation/", "scripts/")
# markers.ko refuses these, as no probe can record what they lead to.
REFUSED = ("V", "OF", "fw", "C", "g", "u")


@dataclass(frozen=True)
class Row:
    """One conversion: without flags and digits, and what the series and markers.ko record of it."""

    name: str
    count: int
    series: str
    markers_ko: str


def name_of(match: re.Match[str]) -> str:
    """Return the conversion without its flags, digits and lengths, such as %s, %.*s or %pI4."""
    stars = ("*" if match["width"] == "*" else "") + (".*" if match["precision"] == ".*" else "")
    letter = match["letter"]
    is_bytes = letter[:2] == "ph" and (match["width"] or "").isdigit()
    width = "N" if is_bytes else ""
    return f"%{stars}{width}{'d' if letter in NUMBERS else letter}"


def in_series(name: str) -> str:
    """Return what a kernel with the series records of a conversion with such a name."""
    behind = name[name.index("p") + 1 :] if "p" in name else ""
    if name in ("%s", "%.*s"):
        found = "text"
    elif "*" in name:
        found = "rendered"
    elif name == "%d":
        found = "number"
    elif not behind or behind[0] in ADDRESSES:
        found = "address"
    elif name.startswith("%Nph") or behind.startswith(BYTES):
        found = "bytes"
    else:
        found = "rendered"
    return found


def in_markers_ko(name: str) -> str:
    """Return what markers.ko records of a conversion with such a name."""
    behind = name[name.index("p") + 1 :] if "p" in name else ""
    if behind.startswith(REFUSED):
        return "refused"
    return {"rendered": "decoded", "bytes": "decoded"}.get(in_series(name), in_series(name))


def formats(text: str) -> Iterator[str]:
    """Yield the formats of the calls of printk() and its like in a text of C."""
    for call in CALL.finditer(text):
        at = BEFORE.match(text, call.end())
        place = at.end() if at else call.end()
        found = []
        while literal := LITERAL.match(text, place):
            found.append(literal[1])
            between = BETWEEN.match(text, literal.end())
            place = between.end() if between else literal.end()
        if found:
            yield "".join(found)


def count(texts: Iterator[str]) -> tuple[int, Counter[str]]:
    """Return the number of formats in texts of C, and that of each conversion in them."""
    total, found = 0, Counter[str]()
    for text in texts:
        for one in formats(text):
            total += 1
            found.update(name_of(match) for match in CONVERSION.finditer(one.replace("%%", "")))
    return total, found


def sources(archive: Path) -> Iterator[str]:
    """Yield the files of C in an archive of a kernel's source, without tools and documentation."""
    with tarfile.open(archive, "r|*") as tar:
        for member in tar:
            _, _, path = member.name.partition("/")
            if member.isfile() and path.endswith((".c", ".h")) and not path.startswith(NOT_KERNEL):
                file = tar.extractfile(member)
                if file:
                    yield file.read().decode(errors="replace")


def rows(found: Counter[str]) -> list[Row]:
    """Return a row for each conversion, the most frequent first."""
    return [Row(name, number, in_series(name), in_markers_ko(name)) for name, number in found.most_common()]
