# SPDX-License-Identifier: GPL-2.0-only
"""The objects of bench/site_code: my_open() with each kind of gate, and where in it the site's
hot and cold code lie. Read with pyelftools from symbols and relocations; no instruction is
decoded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.relocation import RelocationSection
from elftools.elf.sections import Section, SymbolTableSection

from kmark import foreign
from kmark.analysis import variants
from kmark.cache import TOP
from kmark.errors import Failure
from kmark.make import make, make_modules

FOLDERS = {"native": TOP / "build/native/obj/bench/site_code", "kernel": TOP / "bench/site_code"}
MODULES = ("markers/markers.ko", "bench/gates/marker_gates.ko", "bench/site_code/marker_site_code.ko")
FUNCTION, PREFIX, WITHOUT = "my_open", "my_open_", "none"
SITES, GATES, KEYS = ".discard_markers", ".discard_marker_gates", "__jump_table"
# Offsets in an entry of these tables: the code of a gate, and where it leads.
CODE_AT, COLD_AT, ENTRY = 0, 4, {GATES: 12, KEYS: 16}


@dataclass(frozen=True)
class Object:
    """One object file. `code`: of the function; `cold`: offset of the cold block in it,
    None where there is none; sizes are in bytes."""

    path: Path
    gate: str
    start: int
    code: bytes
    cold: int | None
    sizes: dict[str, int]  # sizes of the loaded sections
    texts: tuple[str, ...]  # texts that the site points to: name, format, file


def symbols(elf: ELFFile) -> SymbolTableSection:
    table = elf.get_section_by_name(".symtab")
    assert isinstance(table, SymbolTableSection)
    return table


def relocations(elf: ELFFile, section: str) -> Iterator[tuple[int, str, int]]:
    """Yield, for each relocation of a section: offset, the section that it refers to, and the
    offset in that."""
    table = elf.get_section_by_name(".rela" + section)
    if not isinstance(table, RelocationSection):
        return
    for entry in table.iter_relocations():
        symbol = symbols(elf).get_symbol(entry["r_info_sym"])
        index = symbol["st_shndx"]
        name = elf.get_section(index).name if isinstance(index, int) else symbol.name
        yield entry["r_offset"], name, symbol["st_value"] + entry["r_addend"]


def find_cold(elf: ELFFile, where: range) -> int | None:
    """Return the offset of the gate's target from the start of `where` (part of .text), from the gate's own
    table, because a NOP is in the kernel's table, too; None without a gate."""
    for section, size in ENTRY.items():
        fields = {at: place for at, name, place in relocations(elf, section) if name == ".text"}
        for at, place in fields.items():
            cold = fields.get(at - CODE_AT + COLD_AT)
            if at % size == CODE_AT and place in where and cold is not None:
                return cold - where.start if cold != place else None
    return None


def find_texts(elf: ELFFile) -> tuple[str, ...]:
    """The strings that the site's entry refers to, in the order of the entry."""
    found = []
    for _, name, place in sorted(relocations(elf, SITES)):
        section = elf.get_section_by_name(name)
        if isinstance(section, Section) and name.startswith(".rodata"):
            data: bytes = section.data()
            found.append(data[place : data.index(0, place)].decode())
    return tuple(found)


def loaded(section: Section) -> bool:
    """True if the section takes memory; the linker drops those named .discard.*."""
    return bool(section["sh_flags"] & 2) and not section.name.startswith(".discard.")


def read_function(path: Path, name: str) -> tuple[int, bytes]:
    """Start of a function in .text, and its bytes. Failure if there is none."""
    with path.open("rb") as file:
        return find_function(ELFFile(file), path, name)


def find_function(elf: ELFFile, path: Path, name: str) -> tuple[int, bytes]:
    """Start of a function in its section, and its bytes. Failure if there is none."""
    found = symbols(elf).get_symbol_by_name(name)
    if not found:
        raise Failure(f"{path}: no function {name}")
    start, size = found[0]["st_value"], found[0]["st_size"]
    text = elf.get_section(found[0]["st_shndx"])
    data: bytes = text.data()
    return start, data[start : start + size]


def read(path: Path) -> Object:
    with path.open("rb") as file:
        elf = ELFFile(file)
        start, code = find_function(elf, path, FUNCTION)
        sizes: dict[str, int] = {}
        for section in elf.iter_sections():
            if loaded(section):
                sizes[section.name] = sizes.get(section.name, 0) + section["sh_size"]
        return Object(
            path=path,
            gate=path.stem.removeprefix(PREFIX).lower(),
            start=start,
            code=code,
            cold=find_cold(elf, range(start, start + len(code))),
            sizes=sizes,
            texts=find_texts(elf),
        )


def order() -> list[str]:
    """Return the kinds of gate in the order of bench/site_code/gates.mk, in lower case, then those of
    bench/gates/."""
    lines = foreign.lines((TOP / "bench/site_code/gates.mk").read_text().replace("\\\n", " "))
    (words,) = [line.partition(":=")[2].split() for line in lines if line.startswith("site-code-gates ")]
    return [*(word.lower() for word in words if not word.startswith("$")), *variants.measured()]


def load(env: str, build: bool = True) -> dict[str, Object]:
    """Objects by gate. `env`: native or kernel; `build`: bring them up to date first.
    Failure if one is missing."""
    paths = {gate: FOLDERS[env] / f"{PREFIX}{gate.upper()}.o" for gate in order()}
    if build and env == "native":
        make(*(str(path.relative_to(TOP)) for path in paths.values()))
    elif build:
        make_modules(MODULES)
    missing = [path for path in paths.values() if not path.exists()]
    if missing:
        raise Failure(f"{missing[0]}: no such file; make all builds it")
    return {gate: read(path) for gate, path in paths.items()}
