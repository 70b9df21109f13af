# SPDX-License-Identifier: GPL-2.0-only
"""The size and sign of a C type of a field in a record, on 64-bit machines."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

# The rank of an integer: of printf()'s length, and of what int becomes.
SIZES = {"char": 1, "short": 2, "int": 4, "long": 8, "long long": 8}
QUALIFIERS = re.compile(
    r"\b(?:const|volatile|register|__user|__force|__iomem|__rcu|__bitwise(?:__)?|__percpu|__nocast)\b"
)
TYPEDEF = re.compile(r"\btypedef\s+([\w\s]+?)\s*\b(\w+)\s*;")
TYPEDEF_POINTER = re.compile(
    r"\btypedef\s+[\w\s]+\*+\s*(\w+)\s*;|\btypedef\s+[\w\s*]+\(\s*\*\s*(\w+)\s*\)\s*\("
)
TYPEDEF_ENUM = re.compile(r"\btypedef\s+enum\b[^;{}]*\{[^{}]*\}\s*(\w+)\s*;")
# Defined apart for 32 and 64 bits, or by the compiler.
FIXED = {
    **{f"{mark}{word}": meaning for mark in ("", "__") for word, meaning in {
        "u8": "unsigned char", "s8": "signed char", "u16": "unsigned short", "s16": "short",
        "u32": "unsigned int", "s32": "int", "u64": "unsigned long long", "s64": "long long",
    }.items()},
    "size_t": "unsigned long", "ssize_t": "long", "uintptr_t": "unsigned long",
    "phys_addr_t": "u64", "dma_addr_t": "u64", "resource_size_t": "u64",
}  # fmt: skip
MACRO = re.compile(
    r"^#define\s+(\w+_t)\s+((?:unsigned|signed|char|short|int|long|[us]\d+|[ \t])+)$", re.MULTILINE
)
CONSTANT = re.compile(r"^#define[ \t]+([A-Z]\w+)[ \t]+\(?(\d+)\)?[ \t]*(?:/\*.*)?$", re.MULTILINE)
# Sizes in bytes; the written code asserts them, and all constants that are looked up.
SIZEOF = {"sizeof(struct sockaddr_in6)": 28, "sizeof(struct in6_addr)": 16, "sizeof(struct sockaddr)": 16}
# Files of include/ come first.
PLACES = ("include", "arch/x86/include", "fs", "net", "security")
WORDS = {"unsigned", "signed", "char", "short", "int", "long"}


@dataclass(frozen=True)
class Type:
    """A type of C. `size` in bytes; `length`: length modifier of printf(); `pointer`: an address, whatever
    it leads to."""

    size: int
    signed: bool
    length: str = ""
    pointer: bool = False

    @property
    def conversion(self) -> str:
        return "%p" if self.pointer else f"%{self.length}{'d' if self.signed else 'u'}"

    @property
    def shown(self) -> str:
        """Return the name of the type that the probe `event` uses."""
        if self.pointer:
            return "void *"
        name = {1: "char", 2: "short", 4: "int", 8: "long"}[self.size]
        if name == "char" and self.signed:
            return "signed char"
        return name if self.signed else f"unsigned {name}"


POINTER = Type(8, False, pointer=True)
BOOL = Type(1, False)
ENUM = Type(4, False)


def basic(words: list[str]) -> Type | None:
    """Return a type of C's own words, such as unsigned long."""
    if not words or not set(words) <= WORDS:
        return None
    longs = words.count("long")
    name = "long long" if longs == 2 else "long" if longs else ""
    name = name or next((word for word in ("char", "short") if word in words), "int")
    return Type(SIZES[name], "unsigned" not in words, {"long": "l", "long long": "ll"}.get(name, ""))


class Types:
    """The typedefs of a tree, read once, when one is asked for."""

    def __init__(self, tree: Path) -> None:
        self.tree = tree
        self.known: dict[str, str] | None = None
        self.constants: dict[str, int] = {}

    def typedefs(self) -> dict[str, str]:
        if self.known is None:
            self.known = dict(FIXED)
            paths = [path for place in PLACES for path in sorted((self.tree / place).rglob("*.h"))]
            for path in paths:
                self.read(path.read_text(errors="replace"))
        return self.known

    def read(self, source: str) -> None:
        """The first definition stays: asm-generic's comes before those of architectures."""
        assert self.known is not None
        for name, number in CONSTANT.findall(source):
            self.constants.setdefault(name, int(number))
        for name, meaning in MACRO.findall(source):
            self.known.setdefault(name, meaning)
        if "typedef" not in source:
            return
        for meaning, name in TYPEDEF.findall(source):
            self.known.setdefault(name, meaning)
        for names in TYPEDEF_POINTER.findall(source):
            self.known.setdefault(names[0] or names[1], "void *")
        for name in TYPEDEF_ENUM.findall(source):
            self.known.setdefault(name, "enum")

    def constant(self, written: str) -> int | None:
        """Return the value of a length, if it can be computed."""
        self.typedefs()
        return int(written) if written.isdecimal() else SIZEOF.get(written) or self.constants.get(written)

    def find(self, written: str) -> Type | None:
        """Return the type of that C text; None if it is a structure, or unknown."""
        seen: set[str] = set()
        while True:
            if "*" in written:
                return POINTER
            words = QUALIFIERS.sub(" ", written).split()
            if found := basic(words):
                return found
            if words[:1] == ["enum"]:
                return ENUM
            if words in (["bool"], ["_Bool"]):
                return BOOL
            name = words[0] if len(words) == 1 else ""
            if name in seen or name not in self.typedefs():
                return None
            seen.add(name)
            written = self.typedefs()[name]
