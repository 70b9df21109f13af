# SPDX-License-Identifier: GPL-2.0-only
"""The functions that a change of the source touches, and how often each operation executed them: a
difference of 0 says nothing about code that no operation runs."""

from __future__ import annotations

import os
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from kmark.kernel_cost.functions import KERNEL_START, Symbols
from kmark.kernel_cost.runner import EMPTY, Trace
from kmark.kernel_cost.source import Snapshot

HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
CALL = re.compile(r"(\w+)\s*\(\s*(\w*)")
# Words with parentheses that may stand before the name of a function.
ATTRIBUTES = re.compile(r"__(attribute__|printf|scanf|section|aligned|acquires|releases|must_hold)$")
SYSTEM_CALL = re.compile(r"(?:COMPAT_)?SYSCALL_DEFINE\d$")
ENTRIES = ("__do_sys_", "__se_sys_", "__x64_sys_", "__arm64_sys_")  # names of a system call in the symbols
PLACE = re.compile(r"(.*):(\d+)(?: \(discriminator \d+\))?$")
CODE = (".c", ".h", ".S")


@dataclass(frozen=True)
class Span:
    """A function in a file, with its first and last line."""

    name: str
    first: int
    last: int


def name_of(signature: str) -> str:
    """Return the name of the function that a line begins, as a symbol has it; "" if there is none."""
    found: list[tuple[str, str]] = CALL.findall(signature)
    for name, argument in found:
        if SYSTEM_CALL.match(name):
            return f"sys_{argument}"
        if not ATTRIBUTES.match(name):
            return argument if name.isupper() and argument else name
    return ""


def functions_in(text: str) -> list[Span]:
    """Return the functions of a file in C, by the kernel's style: a function begins and ends in the first
    column."""
    found, signature, first, is_body = [], "", 0, False
    for number, line in enumerate(text.split("\n"), 1):
        if is_body:
            if line.startswith("}"):
                found.append(Span(name_of(signature), first, number))
                is_body, signature = False, ""
        elif line.startswith("{") or (line.endswith("{") and "(" in line and "=" not in line):
            if not line.startswith("{"):
                signature, first = line, number
            is_body = bool(signature)
        elif re.match(r"[A-Za-z_].*\(", line):
            signature, first = line, number
            if line.endswith("}"):
                found.append(Span(name_of(line), number, number))
                signature = ""
        elif line.startswith("}"):
            signature = ""
        if not is_body and line.endswith(";"):  # of a declaration, or of a macro such as module_init()
            signature = ""
    return [span for span in found if span.name]


def changed_lines(diff: str) -> tuple[dict[str, set[int]], dict[str, set[int]]]:
    """Return the numbers of the lines that a diff without context removes, and those that it adds, by
    file."""
    removed: dict[str, set[int]] = defaultdict(set)
    added: dict[str, set[int]] = defaultdict(set)
    names = ["", ""]
    body = 0  # lines of a hunk that follow, which may look like the names of files
    for line in diff.split("\n"):
        if body and line[:1] in "-+":
            body -= 1
        elif line.startswith(("--- a/", "+++ b/")):
            names[line[0] == "+"] = line[6:].partition("\t")[0]
        elif found := HUNK.match(line):
            for group, name, lines in ((1, names[0], removed), (3, names[1], added)):
                begin, count = int(found[group]), int(found[group + 1] or 1)
                lines[name].update(range(begin, begin + count))
                body += count
    return removed, added


@dataclass(frozen=True)
class Changed:
    """A function that a change touches; "" for lines outside of all functions, or in a file that is not in
    C. `compiled`: None if the file is compiled, and the function is inlined or left out. `executed`: how
    often an operation entered the function or its changed lines, by operation. `lines`: whether the changed
    lines were executed, not only others of the function."""

    file: str
    function: str
    compiled: bool | None
    executed: dict[str, int]
    lines: bool


@dataclass
class Side:
    """One of the two kernels: its files, its symbols, and what each operation executed. `prefix`: of the
    binutils for its architecture."""

    snapshot: Snapshot
    vmlinux: Path
    symbols: Symbols
    trace: Trace
    prefix: str = ""

    @cached_property
    def times(self) -> dict[tuple[str, int], dict[str, int]]:
        """How often each operation executed each line, by file and number."""
        counts: dict[int, dict[str, int]] = defaultdict(dict)
        for operation, by_address in self.trace.items():
            for address, count in by_address.items():
                if address >= KERNEL_START and operation != EMPTY:
                    counts[address][operation] = count
        found: dict[tuple[str, int], dict[str, int]] = defaultdict(dict)
        for place, by_operation in zip(self.places(counts), counts.values(), strict=True):
            for operation, count in by_operation.items():
                found[place][operation] = max(found[place].get(operation, 0), count)
        return found

    def places(self, addresses: Iterable[int]) -> list[tuple[str, int]]:
        """Return the file and the line of each address."""
        text = "".join(f"{address:x}\n" for address in addresses)
        command = [f"{self.prefix}addr2line", "-e", str(self.vmlinux)]
        printed = subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout
        found = (PLACE.match(line) for line in printed.removesuffix("\n").split("\n") if text)
        return [(self.file_in_tree(one[1]), int(one[2])) if one else ("", 0) for one in found]

    def file_in_tree(self, path: str) -> str:
        return os.path.relpath(path, self.snapshot.source.work) if path.startswith("/") else path

    def entered(self, file: str, function: str) -> dict[str, int]:
        """How often each operation entered a function of that file that is not inlined."""
        starts = [start for name in symbol_names(function) for start in self.symbols.starts(name)]
        if len(starts) > 1:  # in other files, or of clones
            starts = [
                one for one, place in zip(starts, self.places(starts), strict=True) if place[0] == file
            ]
        found = {}
        for operation, counts in self.trace.items():
            if operation != EMPTY and (total := sum(counts.get(start, 0) for start in starts)):
                found[operation] = total
        return found

    def has(self, function: str) -> bool:
        """Return whether a function has code of its own."""
        return any(self.symbols.starts(name) for name in symbol_names(function))

    def changed(self, file: str, lines: set[int]) -> dict[str, Changed]:
        """Return the functions that have those lines."""
        text = self.snapshot.text(file)
        spans = functions_in(text)
        rows = text.split("\n")
        found = {}
        by_function = defaultdict(set)
        symbols = sum(self.has(span.name) for span in spans)
        # Functions of a header are inlined, and those of other files may have names of this one's.
        is_compiled = file.endswith(".h") or 4 * symbols >= max(len(spans), 1)
        for line in lines:
            owner = next((span.name for span in spans if span.first <= line <= span.last), "")
            by_function[owner].add(line)
        for function, own in by_function.items():
            times: dict[str, int] = {}
            for number in {above for line in own for above in statement(rows, line)}:
                for operation, count in self.times.get((file, number), {}).items():
                    times[operation] = max(times.get(operation, 0), count)
            entered = self.entered(file, function) if function else {}
            compiled = True if times or self.has(function) else None if is_compiled else False
            executed = {
                name: max(times.get(name, 0), entered.get(name, 0)) for name in {**entered, **times}
            }
            found[function] = Changed(file, function, compiled, executed, bool(times))
        return found


def statement(rows: list[str], number: int) -> range:
    """Return the lines of the statement that a line continues, up to that line: the compiler may have the
    whole statement in the first one."""
    first = number
    while (
        first > 1 and (above := rows[first - 2].rstrip()) and not above.endswith((";", "{", "}", ":", "/"))
    ):
        first -= 1
    return range(first, number + 1)


def symbol_names(function: str) -> list[str]:
    call = function.removeprefix("sys_")
    return [function, *(f"{entry}{call}" for entry in ENTRIES if call != function)]


def better(one: Changed, other: Changed) -> Changed:
    """Return that of two sides which says more about a function: the new one, unless only the old one
    ran."""
    return other if other.executed or not one.executed else one


def changes(old: Side, new: Side) -> list[Changed]:
    """Return the functions in which the files of two kernels differ, in the order of files and lines."""
    found: dict[tuple[str, str], Changed] = {}
    for side, by_file in zip((old, new), changed_lines(old.snapshot.diff(new.snapshot)), strict=True):
        for file, lines in by_file.items():
            if not lines:
                continue
            if not file.endswith(CODE):
                found[file, ""] = Changed(file, "", None, {}, False)
                continue
            for function, one in side.changed(file, lines).items():
                before = found.get((file, function))
                found[file, function] = better(before, one) if before else one
    return list(found.values())
