# SPDX-License-Identifier: GPL-2.0-only
"""The marked my_open() with every kind of gate, and the probe do_mark1(), as
objdump disassembles them, beside the listings of the 2006 mails (row A13)."""

from __future__ import annotations

import csv
import re
import subprocess
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kmark import foreign
from kmark.binary import objects, size
from kmark.cache import TOP
from kmark.errors import Failure, Usage

NAME = "kmark-disassembly/1"
TABLE = TOP / "bench/data/lkml-2006-listing.tsv"
WIDTH = 72
# The probe that copies its arguments is the thread's do_mark1().
PROBES = {
    "native": TOP / "build/native/obj/bench/probes/probe_copy.o",
    "kernel": TOP / "bench/probes/probe_copy.o",
}
PROBE = "do_mark1"
THREAD = {"imm": "optimized", "generic": "generic"}  # gates by the names of the mails
# The hot path of those in the mails: `..` is an address or a displacement.
HOT_2006 = {"imm": "b0 00 84 c0 75 ..", "generic": "0f b6 05 .. .. .. .. 84 c0 75 .."}
LINE = re.compile(r"^\s*([0-9a-f]+):\t([0-9a-f ]+?)\s*(?:\t(.*))?$")
RELOCATION = re.compile(r"^[0-9a-f]+: R_")


@dataclass(frozen=True)
class Instruction:
    """An instruction. `offset`: bytes from the start of the function; `to`: the symbol of its relocation,
    if it has one."""

    offset: int
    code: str
    text: str
    to: str = ""


@dataclass(frozen=True)
class Listing:
    """A function. `hot`: bytes of the site that are executed while it is closed."""

    env: str
    function: str
    gate: str
    hot: int
    instructions: list[Instruction]

    @property
    def hot_path(self) -> list[Instruction]:
        return [one for one in self.instructions if one.offset < self.hot]


def objdump(path: Path, function: str) -> str:
    """The disassembly of one function. Failure if objdump fails."""
    command = ["objdump", "-d", "-r", "-w", "-z", f"--disassemble={function}", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failure(f"objdump {path}: {done.stderr.strip()}")
    return done.stdout


def parse(text: str, start: int) -> list[Instruction]:
    """The instructions of objdump's output; relocations follow on the same line (-w).
    `start`: the address of the function."""
    found = []
    for line in foreign.lines(text):
        if not (match := LINE.match(line)):
            continue
        at, code = int(match[1], 16), match[2].strip()
        text, *rest = (match[3] or "").split("\t")
        while rest and not RELOCATION.match(rest[0]):
            text += " " + rest.pop(0)
        inside = range(at, at + len(code.split()))
        to = [
            name for place, name in zip(rest[::2], rest[1::2], strict=False) if offset_of(place) in inside
        ]
        found.append(Instruction(at - start, code, tidy(text, to), to[0] if to else ""))
    return found


def offset_of(relocation: str) -> int:
    return int(relocation.partition(":")[0], 16)


def tidy(text: str, to: list[str]) -> str:
    """Without objdump's comments, and without the address that a relocation replaces."""
    text = re.sub(r"\s+", " ", re.sub(r"\s*#.*", "", text)).strip()
    text = re.sub(r" [0-9a-f]+ (<[^>]*>)", r" \1", text)
    return re.sub(r" <[^>]*>", "", text) if to else text


def listing(env: str, path: Path, function: str, gate: str = "", hot: int = 0) -> Listing:
    """Return the listing of a function. Failure if objdump does not show every byte of it."""
    start, code = objects.read_function(path, function)
    found = [one for one in parse(objdump(path, function), start) if one.offset < len(code)]
    if "".join(one.code.replace(" ", "") for one in found) != code.hex():
        raise Failure(f"{path}: objdump does not show all of {function}")
    return Listing(env, function, gate, hot, found)


def load(env: str, gates: list[str] | None = None, build: bool = True) -> list[Listing]:
    """my_open() with each gate, then the probe. `gates`: only these, Usage if one is
    unknown; `build`: bring the objects up to date first."""
    by_gate = objects.load(env, build)
    without = by_gate[objects.WITHOUT]
    unknown = [gate for gate in gates or [] if gate not in by_gate]
    if unknown:
        raise Usage(f"disassemble: no gate is called {unknown[0]} (there are: {' '.join(by_gate)})")
    found = []
    for gate in gates or by_gate:
        one = by_gate[gate]
        hot = 0 if gate == objects.WITHOUT else size.code(one, without)[0]
        found.append(listing(env, one.path, objects.FUNCTION, gate, hot))
    return [*found, listing(env, PROBES[env], PROBE)]


def thread() -> dict[str, list[Instruction]]:
    """The listings of the 2006 mails, by function."""
    lines = (line for line in foreign.lines(TABLE.read_text()) if not line.startswith("#"))
    found: dict[str, list[Instruction]] = {}
    for row in csv.DictReader(lines, delimiter="\t"):
        one = Instruction(int(row["offset"], 16), row["bytes"], row["instruction"])
        found.setdefault(row["function"], []).append(one)
    return found


def hot_2006(function: str) -> list[Instruction]:
    """The site as the mails print it: load or move, test, branch."""
    return thread()[function][3:6]


def same_as_2006(one: Listing) -> bool | None:
    """True if the hot path is that of the mails but for addresses; None if the mails have none."""
    pattern = HOT_2006.get(one.gate)
    if pattern is None:
        return None
    code = " ".join(instruction.code for instruction in one.hot_path)
    return re.fullmatch(pattern, code) is not None


def describe(one: Instruction) -> str:
    to = f"  <{one.to}>" if one.to else ""
    return f"{one.text}{to}"


def rows(instructions: list[Instruction], hot: int) -> Iterator[str]:
    """One line for each instruction; * marks the hot path of the site."""
    for one in instructions:
        mark = "*" if one.offset < hot else " "
        line = f"{mark}{one.offset:>4x}: {one.code:<24} {describe(one)}"
        yield line if len(line) <= WIDTH else line[: WIDTH - 2] + ".."


def beside(one: Listing) -> Iterator[str]:
    """The bytes of the hot path, today's and the mails'."""
    for when, path in (("today", one.hot_path), ("2006", hot_2006(THREAD[one.gate]))):
        yield f"  {when:<7}{' '.join(instruction.code for instruction in path)}"
    yield f"  {'the same but for addresses' if same_as_2006(one) else 'not the same instructions'}"


def function_lines(one: Listing) -> Iterator[str]:
    if one.function == PROBE:
        yield f"- {PROBE}, today a function of probe_copy"
    else:
        hot = f"{one.hot} bytes hot" if one.hot else "no site"
        yield f"- {one.function}, {one.gate}: {hot}"
    yield ""
    if one.gate in THREAD:
        yield from (*beside(one), "")
    yield from rows(one.instructions, one.hot)


def lines(listings: list[Listing]) -> Iterator[str]:
    """All listings, as text."""
    for env in dict.fromkeys(one.env for one in listings):
        yield f"* {size.ENVS[env]}"
        for one in listings:
            if one.env == env:
                yield from ("", *function_lines(one))
        yield ""
    yield "* The 2006 mails (i386)"
    for function, instructions in thread().items():
        name = function if function == PROBE else f"{objects.FUNCTION}, {function}"
        yield from ("", f"- {name}", "", *rows(instructions, 0))
    yield from ("", "*: the site's hot path. <...>: what the linker or markers.ko puts in.")


def record(listings: list[Listing]) -> dict[str, Any]:
    """All listings, as JSON."""
    found = [asdict(one) | {"as_in_2006": same_as_2006(one)} for one in listings]
    mails = {name: [asdict(one) for one in instructions] for name, instructions in thread().items()}
    return {"schema": NAME, "functions": found, "thread": mails}
