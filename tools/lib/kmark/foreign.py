# SPDX-License-Identifier: GPL-2.0-only
"""Text that other programs, machines or users have chosen: how it is split into lines, decoded from the
kernel's tables, shown on a terminal, and written into a file."""

from __future__ import annotations

import re

# Escapes of a cell in the tables of debugfs: other backslashes stand for themselves.
ESCAPE = re.compile(r"\\(?:([ntr\\])|(0[0-3][0-7]|177))")
LETTERS = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\"}
LONE = re.compile("[\ud800-\udfff]")
NAMES = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}
# Control characters, what turns the direction of a text or is invisible, lone halves of a pair, which
# stand for bytes that are not UTF-8, and other ends of lines.
ACTIVE = {"Cc", "Cf", "Cs", "Zl", "Zp"}


def lines(text: str) -> list[str]:
    """The lines of a text, each of which ends with a newline. str.splitlines() also splits at ten other
    characters, which can be part of a foreign text."""
    found = text.split("\n")
    if not found[-1]:
        found.pop()
    return found


def whole_lines(text: str) -> list[str]:
    """The lines of a text, each with its newline, which the last one may lack."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _character(match: re.Match[str]) -> str:
    letter, octal = match.groups()
    return LETTERS[letter] if letter else chr(int(octal, 8))


def unescaped(cell: str) -> str:
    """The text that a cell of a table in debugfs stands for."""
    return ESCAPE.sub(_character, cell) if "\\" in cell else cell


def _escaped(character: str) -> str:
    import unicodedata

    code = ord(character)
    if unicodedata.category(character) not in ACTIVE:
        return character
    if character in NAMES:
        return NAMES[character]
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def shown(text: str) -> str:
    """The text for a terminal, a log or a label: in one line, and without an effect on the terminal."""
    return text if text.isascii() and text.isprintable() else "".join(map(_escaped, text))


def valid(text: str) -> str:
    """The text with U+FFFD for each byte that was not UTF-8, so that it can be encoded."""
    return LONE.sub("\ufffd", text)
