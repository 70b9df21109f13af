# SPDX-License-Identifier: GPL-2.0-only
"""formats.py FILE [LEAST]: compares the trace events of converted markers with those that the kernel has
of the same names; at least LEAST of them. FILE holds what the guest printed: a line "@ marker NAME" or
"@ kernel NAME" and the event's `format` file after it. Those that the event probe makes have a
field `line` more. Prints TAP."""

from __future__ import annotations

import re
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

FIELD = re.compile(r"\tfield:(.*?)\b(\w+)(\[[^\]]*\])?;\toffset:\d+;\tsize:(\d+);\tsigned:(\d);")
LEAST = 250  # of the stock kernel


@dataclass(frozen=True)
class Field:
    name: str
    size: int
    signed: bool
    kind: str  # string, array, number or structure

    @property
    def plain(self) -> tuple[int, bool]:
        return self.size, self.signed


LINE = Field("line", 2, False, "number")  # of the probe


def read_field(match: re.Match[str]) -> Field:
    written, name, length, size, signed = match.groups()
    kind = "string" if "__data_loc char" in written else "number"
    if length or ("__data_loc" in written and kind != "string"):
        kind = "array"
    elif written.startswith("struct ") and "*" not in written:
        kind = "structure"
    return Field(name, int(size), signed == "1", kind)


def read(text: str) -> dict[tuple[str, str], list[Field]]:
    """The fields of each event, less those that all events have."""
    found = {}
    for part in re.split(r"^@ ", text, flags=re.MULTILINE)[1:]:
        head, _, body = part.partition("\n")
        which, name = head.split()
        fields = [read_field(match) for match in FIELD.finditer(body)]
        kept = [field for field in fields if not field.name.startswith("common_")]
        found[which, name] = kept[1:] if which == "marker" and kept[:1] == [LINE] else kept
    return found


def difference(was: list[Field], now: list[Field]) -> str:
    """Return the difference in names, their order, sizes and signs, or "". A field that is neither a string
    nor a number may become a text, or as many bytes."""
    if [field.name for field in was] != [field.name for field in now]:
        return f"fields {[field.name for field in now]}, of the kernel {[field.name for field in was]}"
    for old, new in zip(was, now, strict=True):
        as_many = new.kind == "array" and new.size == old.size
        if old.kind != "number" and new.kind != "string" and not as_many:
            return f"{old.name} is {new}, of the kernel {old}"
        if old.kind == "number" and (new.kind != "number" or old.plain != new.plain):
            return f"{old.name} is {new}, of the kernel {old}"
    return ""


def main() -> int:
    found = read(Path(sys.argv[1]).read_text(errors="replace"))
    names = sorted(name for which, name in found if which == "marker")
    both = [name for name in names if ("kernel", name) in found]
    problems = {name: difference(found["kernel", name], found["marker", name]) for name in both}
    wrong = [f"{name}: {problem}" for name, problem in problems.items() if problem]
    fields = Counter(field.kind for name in both for field in found["kernel", name])
    counts = ", ".join(f"{count} {kind}s" for kind, count in sorted(fields.items()))
    enough = len(both) >= (int(sys.argv[2]) if len(sys.argv) > 2 else LEAST)
    print(f"{'' if enough else 'not '}ok 1 - {len(both)} events are compared with the kernel's ({counts})")
    print(f"{'not ' if wrong else ''}ok 2 - fields have their names, sizes and signs")
    for line in wrong:
        print(f"# {line}", file=sys.stderr)
    print("1..2")
    return int(bool(wrong) or not enough)


if __name__ == "__main__":
    sys.exit(main())
