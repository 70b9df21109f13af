# SPDX-License-Identifier: GPL-2.0-only
"""Writes copies of a kernel module whose section tables are wrong, one for each error: what
a cut file or a tool that rewrites objects could leave.

    python spoil.py marker_types.ko FOLDER
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

TABLES = ".discard_markers"  # markers.lds puts all of them there
SITES, GATES, CALLS, ABI = ("__marker_" + table for table in ("sites", "gates", "calls", "abi"))
SYMTAB = ".symtab"
SITE_BYTES, GATE_BYTES, CALL_BYTES = 40, 12, 8
RELA = struct.Struct("<QQq")
SYMBOL = struct.Struct("<IBBHQQ")
FLAGS_AT, OFFSET_AT, SIZE_AT = 8, 24, 32  # of a section header
WRITABLE = 1
FAR = 1 << 26  # no module is as large, and what is added still reaches


class Module:
    """The bytes of a module, to be changed in place."""

    def __init__(self, path: Path) -> None:
        self.data = bytearray(path.read_bytes())
        with path.open("rb") as stream:
            elf = ELFFile(stream)
            self.sections = {section.name: dict(section.header) for section in elf.iter_sections()}
            self.headers = {
                section.name: elf["e_shoff"] + number * elf["e_shentsize"]
                for number, section in enumerate(elf.iter_sections())
            }
            self.names = [section.name for section in elf.iter_sections()]
            symbols = elf.get_section_by_name(SYMTAB)
            assert isinstance(symbols, SymbolTableSection)
            self.symbols = {symbol.name: number for number, symbol in enumerate(symbols.iter_symbols())}
            self.starts = {symbol.name: symbol["st_value"] for symbol in symbols.iter_symbols()}

    def relocation(self, table: str, field: int) -> int:
        """Where in the file the relocation is of the field at that byte of TABLE."""
        rela = self.sections[".rela" + TABLES]
        for at in range(rela["sh_offset"], rela["sh_offset"] + rela["sh_size"], RELA.size):
            if RELA.unpack_from(self.data, at)[0] == self.starts[table] + field:
                return at
        raise SystemExit(f"{table}+{field:#x} has no relocation")

    def lead_away(self, table: str, field: int) -> None:
        at = self.relocation(table, field)
        offset, info, addend = RELA.unpack_from(self.data, at)
        RELA.pack_into(self.data, at, offset, info, addend + FAR)

    def lead_as(self, table: str, field: int, other: int) -> None:
        """One field leads to where the OTHER does.  Both are relative to their own places, and
        so are their relocations."""
        at = self.relocation(table, field)
        offset, info, _ = RELA.unpack_from(self.data, at)
        _, _, addend = RELA.unpack_from(self.data, self.relocation(table, other))
        RELA.pack_into(self.data, at, offset, info, addend)

    def lead_to_new(self, table: str, field: int, text: bytes) -> None:
        """The field leads to TEXT, which its section gets behind what it has."""
        at = self.relocation(table, field)
        offset, info, _ = RELA.unpack_from(self.data, at)
        symbol = self.sections[SYMTAB]["sh_offset"] + (info >> 32) * SYMBOL.size
        _, _, _, section, value, _ = SYMBOL.unpack_from(self.data, symbol)
        header, place = self.sections[self.names[section]], self.headers[self.names[section]]
        start, size = header["sh_offset"], header["sh_size"]
        RELA.pack_into(self.data, at, offset, info, size - value)
        self.data += bytes(-len(self.data) % header["sh_addralign"])
        struct.pack_into("<Q", self.data, place + OFFSET_AT, len(self.data))
        struct.pack_into("<Q", self.data, place + SIZE_AT, size + len(text))
        self.data += self.data[start : start + size] + text

    def move_symbol(self, name: str, by: int) -> None:
        at = self.sections[SYMTAB]["sh_offset"] + self.symbols[name] * SYMBOL.size
        *head, value, size = SYMBOL.unpack_from(self.data, at)
        SYMBOL.pack_into(self.data, at, *head, value + by, size)

    def make_read_only(self) -> None:
        at = self.headers[TABLES] + FLAGS_AT
        (flags,) = struct.unpack_from("<Q", self.data, at)
        struct.pack_into("<Q", self.data, at, flags & ~WRITABLE)

    def change_version(self) -> None:
        self.data[self.sections[TABLES]["sh_offset"] + self.starts[ABI]] ^= 0x80


ERRORS: dict[str, Callable[[Module], None]] = {
    "name": lambda module: module.lead_away(SITES, 8),
    "long": lambda module: module.lead_to_new(SITES, 8, b"x" * 4096 + b"\0"),
    "format": lambda module: module.lead_away(SITES, SITE_BYTES + 16),
    "file": lambda module: module.lead_away(SITES, SITE_BYTES + 24),
    "gate": lambda module: module.lead_away(GATES, 0),
    "cold": lambda module: module.lead_away(GATES, GATE_BYTES + 4),
    "site": lambda module: module.lead_away(GATES, GATE_BYTES + 8),
    "twice": lambda module: module.lead_as(GATES, GATE_BYTES, 0),
    "call": lambda module: module.lead_away(CALLS, CALL_BYTES),
    "owner": lambda module: module.lead_away(CALLS, 4),
    "bounds": lambda module: module.move_symbol("__marker_sites_end", 1000000 * SITE_BYTES),
    "part": lambda module: module.move_symbol("__marker_gates_end", -1),
    "readonly": Module.make_read_only,
    "version": Module.change_version,
}


def main() -> int:
    if len(sys.argv) != 3:
        print("usage: spoil.py MODULE.ko FOLDER", file=sys.stderr)
        return 2
    for name, plant in ERRORS.items():
        module = Module(Path(sys.argv[1]))
        plant(module)
        (Path(sys.argv[2]) / f"wild_{name}.ko").write_bytes(module.data)
    return 0


if __name__ == "__main__":
    sys.exit(main())
