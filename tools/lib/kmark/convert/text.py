# SPDX-License-Identifier: GPL-2.0-only
"""Pieces of C: text between parentheses, and lists with commas and semicolons."""

from __future__ import annotations

import re

# Literals, which are skipped as a whole, and brackets and separators.
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|[(){}\[\],;]')
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')


def closing(text: str, start: int) -> int:
    """Return the index of the bracket that closes the one at `start`. ValueError if there is none."""
    depth = 0
    for token in TOKEN.finditer(text, start):
        depth += (token[0] in "({[") - (token[0] in ")}]")
        if depth == 0:
            return token.start()
    raise ValueError(f"not closed: {text[start : start + 40]}")


def split(text: str, separator: str = ",") -> list[str]:
    """The parts between separators that are in no brackets, without blanks around them."""
    parts, depth, start = [], 0, 0
    for token in TOKEN.finditer(text):
        depth += (token[0] in "({[") - (token[0] in ")}]")
        if token[0] == separator and depth == 0:
            parts.append(text[start : token.start()])
            start = token.end()
    parts.append(text[start:])
    return [" ".join(part.split()) for part in parts]


def calls(text: str, name: str) -> list[tuple[int, int, list[str]]]:
    """Return each call whose name matches `name`: begin, end, and arguments."""
    found = []
    for match in re.finditer(rf"\b(?:{name})\s*(?=\()", text):
        end = closing(text, match.end())
        found.append((match.start(), end + 1, split(text[match.end() + 1 : end])))
    return found


def inside(text: str) -> str:
    """Return the text between the parentheses of a single call, NAME(...)."""
    start = text.index("(")
    return text[start + 1 : closing(text, start)].strip()
