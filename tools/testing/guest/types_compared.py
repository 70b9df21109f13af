# SPDX-License-Identifier: GPL-2.0-only
"""types_compared.py FILE N: whether a tool's output has the events of `echo N
>fire` of marker_types.ko, each once and in order, with the right arguments.

Lines that hold "types_ints: " or "types_texts: " count, whatever stands before;
what stands behind has to be the arguments with blanks between them, or as
babeltrace2 has them, "{ ... }, { arg0 = 1, arg1 = 2, ... }"."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import marker_types

FIELD = re.compile(r'\barg\d+ = ("(?:[^"\\]|\\.)*"|[^,} ]+)')


def plain(text: str) -> str:
    """A field of babeltrace2."""
    if text.startswith('"'):
        return re.sub(r"\\(.)", r"\1", text[1:-1])
    return text.lower()


def arguments(rest: str, number: int) -> str:
    """As the tools print them."""
    if not rest.startswith("{"):
        return rest
    fields = [plain(text) for text in FIELD.findall(rest)]
    # babeltrace2 2.0.4 now and then prints an older text for an empty one, of any
    # writer; check_trace.py looks at the trace itself.
    if fields[-1].startswith("0x") and len(fields) > 1 and marker_types.texts(number)[1] == "":
        fields[1] = ""
    return " ".join(fields)


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
    for number, rest in enumerate(seen[:count]):
        text = arguments(rest, number)
        if text != expected(marker, number):
            yield f"{marker}: event {number} is {text!r}, not {expected(marker, number)!r}"


def main() -> int:
    path, count = Path(sys.argv[1]), int(sys.argv[2])
    bad = [line for marker in ("types_ints", "types_texts") for line in problems(path, marker, count)]
    print("\n".join(bad[:10]))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
