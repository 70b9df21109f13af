# SPDX-License-Identifier: GPL-2.0-only
"""types_compared.py FILE N: whether a tool's output has the events of `echo N
>fire` of marker_types.ko, each once and in order, with the right arguments.

Lines that hold "types_ints: " or "types_texts: " count, whatever stands before;
what stands behind has to be the arguments with blanks between them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import marker_types


def expected(marker: str, number: int) -> str:
    if marker == "types_ints":
        return " ".join(str(value) for value in marker_types.ints(number))
    count, text, nullable, pointer = marker_types.texts(number)
    return f"{count} {text} {nullable} {pointer:#x}"


def found(path: Path, marker: str) -> Iterator[str]:
    with path.open(errors="replace") as lines:
        for line in lines:
            _, mark, rest = line.partition(f"{marker}: ")
            if mark:
                yield rest.strip()


def problems(path: Path, marker: str, count: int) -> Iterator[str]:
    seen = list(found(path, marker))
    if len(seen) != count:
        yield f"{marker}: {len(seen)} events, not {count}"
    for number, text in enumerate(seen[:count]):
        if text != expected(marker, number):
            yield f"{marker}: event {number} is {text!r}, not {expected(marker, number)!r}"


def main() -> int:
    path, count = Path(sys.argv[1]), int(sys.argv[2])
    bad = [line for marker in ("types_ints", "types_texts") for line in problems(path, marker, count)]
    print("\n".join(bad[:10]))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
