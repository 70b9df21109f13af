# SPDX-License-Identifier: GPL-2.0-only
"""Plants one instruction in a kernel's image, where operations execute it.

        plant.py FOLDER [KERNEL]

writes FOLDER/old/image and FOLDER/new/image with their System.map, and FOLDER/expected with
a line "operation difference" for each operation and "function NAME". KERNEL is a folder of
`kmark dev kernel`; default: the kernel of the distribution."""

from __future__ import annotations

import random
import struct
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "lib"))

from kmark.kernel import package
from kmark.kernel_cost import functions, runner
from kmark.kernel_cost.operands import Operands, Subject
from kmark.make import make

PT_LOAD = 1
REX_W, REX_R, REX_B, REX = 0x48, 4, 1, 0x40
MOV_TO, MOV_FROM = 0x89, 0x8B
RSP = 4
SIZE = 3
# Written in assembly: there the stack may be one of several.
ASSEMBLY = ("entry_", "asm_", "__switch_to_asm", "ret_from_fork", "syscall_return", "swapgs", "common_")


@dataclass(frozen=True)
class Plant:
    """Bytes to write into the image of the kernel, the instructions that each operation then executes more,
    and the function that has them."""

    address: int
    code: bytes
    added: dict[str, int]
    function: str


def two_for_one(code: bytes) -> bytes | None:
    """push and pop, which do what this `mov` of a 64-bit register to another does, in as
    many bytes; None for any other instruction."""
    prefix, opcode, modrm = code
    if prefix not in (REX_W, REX_W | REX_R, REX_W | REX_B) or opcode not in (MOV_TO, MOV_FROM):
        return None
    if modrm >> 6 != 3:
        return None
    reg, rm = modrm >> 3 & 7, modrm & 7
    high_reg, high_rm = prefix & REX_R, prefix & REX_B
    (source, high_source), (target, high_target) = (reg, high_reg), (rm, high_rm)
    if opcode == MOV_FROM:
        (source, high_source), (target, high_target) = (target, high_target), (source, high_source)
    if (source == RSP and not high_source) or (target == RSP and not high_target):
        return None
    pop = bytes([REX | REX_B] * bool(high_target) + [0x58 + target])
    push = bytes([REX | (REX_B if high_source else 0)] * (not high_target) + [0x50 + source])
    return push + pop


def offset(image: bytes, address: int) -> int | None:
    """Where the byte for an address lies in an ELF file."""
    table, size, count = (
        struct.unpack_from("<Q", image, 32)[0],
        *struct.unpack_from("<HH", image, 54),
    )
    for i in range(count):
        kind, _, start, virtual, _, length = struct.unpack_from("<IIQQQQ", image, table + i * size)
        if kind == PT_LOAD and virtual <= address < virtual + length:
            return int(start + address - virtual)
    return None


def candidates(image: bytes, traced: runner.Trace, symbols: functions.Symbols) -> list[Plant]:
    """Return all places for an instruction that an exact operation executes."""
    found = []
    for address in sorted({one for counts in traced.values() for one in counts}):
        function = symbols.name(address)
        place = offset(image, address)
        if place is None or address < functions.KERNEL_START or function.startswith(ASSEMBLY):
            continue
        code = two_for_one(image[place : place + SIZE])
        added = {name: counts.get(address, 0) for name, counts in traced.items()}
        if code and any(count for name, count in added.items() if name not in ("empty", "fork", "exec")):
            found.append(Plant(address, code, added, function))
    return found


def planted(image: bytes, plant: Plant) -> bytes:
    place = offset(image, plant.address)
    assert place is not None
    return image[:place] + plant.code + image[place + SIZE :]


def existing(word: str) -> Subject:
    found = Operands(Path(), "6.1").resolve(word)
    assert isinstance(found, Subject)
    return found


def write_subject(folder: Path, image: bytes, symbols: str) -> Subject:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "image").write_bytes(image)
    (folder / "System.map").write_text(symbols)
    return existing(str(folder / "image"))


def kernel_of(words: list[str]) -> Subject:
    if words:
        return existing(words[0])
    return Subject("stock", package.stock(), None)


def prepare(folder: Path, words: list[str]) -> tuple[Subject, bytes, str, list[Plant]]:
    """The kernel, written to FOLDER/old; its image and symbols; what can be planted in it."""
    make("operations")
    given = kernel_of(words)
    image = given.kernel.image().read_bytes()
    text = given.symbols.read_text() if given.symbols else runner.Program().kallsyms(given)
    old = write_subject(folder / "old", image, text)
    plants = candidates(image, runner.Program().trace(old), functions.Symbols(text))
    return old, image, text, plants


def main() -> None:
    folder = Path(sys.argv[1])
    _, image, text, plants = prepare(folder, sys.argv[2:])
    # Choose a plant in the shortest system call.
    plant = random.Random(1).choice([one for one in plants if one.added["null"] == 1])
    write_subject(folder / "new", planted(image, plant), text)
    lines = [f"{name} {count}" for name, count in plant.added.items() if name != "empty"]
    (folder / "expected").write_text("\n".join([*lines, f"function {plant.function}", ""]))


if __name__ == "__main__":
    main()
