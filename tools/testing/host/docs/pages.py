# SPDX-License-Identifier: GPL-2.0-only
"""The pages of the documentation: their code blocks, their commands, their code words."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

TOP = Path(__file__).resolve().parents[4]
PAGES = [
    TOP / "README.md",
    TOP / "CONTRIBUTING.md",
    *sorted(TOP.glob("Documentation/*.md")),
    TOP / "Documentation/results/README.md",
    TOP / "Documentation/ABI/debugfs-markers",
]

# First words of a command line. A block that begins with one of them, with "# " before
# a command, or with ```sh is a block of commands.
PROGRAMS = {
    "apt", "apt-get", "awk", "babeltrace2", "bpftrace", "build/native/bench", "cat", "cd", "cp", "cut",
    "dkms", "dmesg", "dpkg-buildpackage", "echo", "git", "grep", "insmod", "kernelshark", "lttng",
    "make", "modprobe", "nm", "patch", "perf", "prove", "qemu-aarch64-static", "rm", "rmmod", "sh", "tail",
    "tools/kmark", "tools/lint", "tools/setup", "tools/testing/host/mutants/run",
    "tools/testing/long/run", "tools/testing/native/fuzz/run", "tools/testing/native/model/run",
    "tools/vm/kernel-version", "trace-cmd",
    "uname", "xz", "xzcat",
}  # fmt: skip
OPERATORS = {"|", "||", "&&", ";", "&", ";;"}
REDIRECTIONS = {">", ">>", "<", ">|"}


@dataclass
class Block:
    """Lines of a page that are code. Number is that of the first line."""

    page: str
    number: int
    language: str
    lines: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{self.page}:{self.number}"

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"

    @property
    def is_transcript(self) -> bool:
        """True if commands stand behind a prompt, and what they print below them."""
        return bool(re.match(r"# \w", self.lines[0])) and self.language == ""

    @property
    def is_shell(self) -> bool:
        if self.language:
            return self.language == "sh"
        first = first_word(self.lines[0])
        return self.is_transcript or first in PROGRAMS or bool(re.match(r"[a-z]+=[/$]", first))


def first_word(line: str) -> str:
    words = line.split()
    if words and words[0] == "sudo":
        words = words[1:]
    return words[0] if words else ""


class Reader:
    """Takes the lines of a page and collects its blocks."""

    def __init__(self, path: Path) -> None:
        self.name = str(path.relative_to(TOP))
        self.found: list[Block] = []
        self.current: Block | None = None
        self.fenced = False
        self.empty = True

    def take(self, number: int, line: str) -> None:
        if match := re.match(r"```(\w*)$", line):
            self.fenced = not self.fenced
            self.current = None
            if self.fenced:
                self.open(Block(self.name, number + 1, match[1]))
        elif self.fenced and self.current:
            self.current.lines.append(line)
        elif re.match(r"\t| {4}\S", line) and (self.current or self.empty):
            block = self.current or self.open(Block(self.name, number, ""))
            block.lines.append(re.sub(r"^(\t| {4})", "", line))
        elif line.strip():
            self.current = None
        elif self.current:
            self.current.lines.append("")
        self.empty = not line.strip()

    def open(self, block: Block) -> Block:
        self.current = block
        self.found.append(block)
        return block


def examples(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines of the ABI below "Example:", less the tab of all descriptions."""
    inside = False
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if re.match(r"\w+:", line):
            inside = line.startswith("Example:")
            yield number, ""
        elif inside:
            yield number, line.removeprefix("\t")


def blocks(path: Path) -> list[Block]:
    """The fenced blocks of a page, and those that are indented by a tab or by four blanks
    behind an empty line."""
    reader = Reader(path)
    lines = examples(path) if path.suffix == "" else enumerate(path.read_text().splitlines(), 1)
    for number, line in lines:
        reader.take(number, line)
    for block in reader.found:
        while block.lines and not block.lines[-1]:
            block.lines.pop()
    return reader.found


def commands(block: Block) -> Iterator[tuple[int, str]]:
    """The command lines of a block, with their numbers; continued lines are joined, here
    documents are left out, and so is what commands print."""
    end = ""
    pending = ""
    for number, line in enumerate(block.lines, block.number):
        if end:
            if line == end:
                end = ""
            continue
        if block.is_transcript:
            if line.startswith("# "):
                yield number, line[2:]
            continue
        if not pending and (not line.strip() or line.startswith("#")):
            continue
        pending += line.strip()
        if pending.endswith("\\"):
            pending = pending[:-1]
            continue
        if match := re.search(r"<<'?(\w+)'?$", pending):
            end = match[1]
        yield number, pending
        pending = ""


def simple_commands(line: str) -> list[list[str]]:
    """The words of each simple command of a line, without redirections. What a
    substitution is replaced by is the word SUBSTITUTED. ValueError for bad quotes."""
    found: list[list[str]] = []
    while match := re.search(r"\$\(([^()]*)\)", line):
        found += simple_commands(match[1])
        line = line[: match.start()] + "SUBSTITUTED" + line[match.end() :]
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    lexer.commenters = "#"
    words: list[str] = []
    skip = False
    for word in lexer:
        if skip:
            skip = False
        elif word in OPERATORS:
            found.append(words)
            words = []
        elif word in REDIRECTIONS:
            if words and words[-1] in ("1", "2"):
                words.pop()
            skip = True
        else:
            words.append(word)
    found.append(words)
    return [words[1:] if words[0] == "sudo" else words for words in found if words]


def code_words(path: Path) -> Iterator[tuple[int, str]]:
    """Yield texts between backticks outside of blocks, with the numbers of their lines."""
    fenced = False
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.startswith("```"):
            fenced = not fenced
        elif not fenced and not line.startswith("\t"):
            for match in re.finditer(r"`([^`]+)`", line):
                yield number, match[1]
