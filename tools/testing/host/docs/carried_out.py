# SPDX-License-Identifier: GPL-2.0-only
"""Checks that each command of the pages is carried out: by docs.t in one of its ways, by another test that
tools/testing/host/docs/exceptions names, or not, for a reason given there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pages
import try_in_guest
import try_with_tools
from kmark import cli
from pages import TOP, Block

# Verbs that neither measure nor build nor need a kernel are run.
QUICK = {"report show", "report history", "report mail", "report lkml-2006", "compare", "dev manual",
         "dev completion", "help"}  # fmt: skip
OF_MAKE = ("MAKELEVEL", "MAKEFLAGS", "MFLAGS")
BUILDS = re.compile(r"make modules$|make hello$|make -C \$k M=\$PWD/Documentation/examples/|k=")


def text_of(line: str) -> str:
    """A command line without its comment."""
    return re.sub(r"\s+#.*$", "", line)


def is_quick(line: str) -> bool:
    words = pages.simple_commands(line)[0]
    return words[0] == "xzcat" or (
        words[0] == "tools/kmark" and (cli.find(words[1:])[0] in QUICK or "--list" in words)
    )  # fmt: skip


def is_run_as_block(block: Block) -> bool:
    """A block that boots a guest, or builds an example."""
    lines = [text_of(line) for _, line in pages.commands(block)]
    return "tools/kmark dev vm " in block.text or all(BUILDS.match(line) for line in lines)


def scratch_tree(work: Path) -> Path:
    """A folder like the top of this tree, where commands may write, with the reports of two runs."""
    place = work / "scratch"
    place.mkdir()
    for name in ("tools", "Documentation", "bench", "patches", "Makefile"):
        (place / name).symlink_to(TOP / name)
    for name, run in (("one", "20260101-120000"), ("two", "latest")):
        (place / "results" / run).mkdir(parents=True)
        unpacked = subprocess.run(
            ["xzcat", TOP / f"Documentation/results/{name}.json.xz"], check=True, capture_output=True
        )
        (place / "results" / run / "report.json").write_bytes(unpacked.stdout)
    return place


class Commands:
    """All commands of the pages. `excepted(kind, word)` is whether the exceptions name it."""

    def __init__(self, blocks: list[Block], excepted: Callable[[str, str], bool]) -> None:
        self.excepted = excepted
        self.all = [
            (block, number, text_of(line))
            for block in blocks if block.is_shell
            for number, line in pages.commands(block)
        ]  # fmt: skip
        self.blocks = {id(block): block for block, *_ in self.all if self.is_run(block)}
        self.ways = Counter(self.way(block, line) for block, _, line in self.all)

    def is_run(self, block: Block) -> bool:
        return is_run_as_block(block) and not self.excepted("block", block.lines[0].strip())

    def way(self, block: Block, line: str) -> str:
        """How it is carried out; nothing: it is not, and no exception says why."""
        ways = (
            ("in a guest", lambda: not self.excepted("guest", line) and bool(try_in_guest.in_guest(line))),
            ("with tools, in a guest", lambda: bool(try_with_tools.with_tools(line))),
            ("here, with its block", lambda: id(block) in self.blocks or self.is_elsewhere_in_pages(line)),
            ("here", lambda: is_quick(line) and not self.excepted("run", line)),
            ("by other tests", lambda: self.excepted("elsewhere", line)),
            ("not", lambda: self.excepted("unrun", line) or self.excepted("run", line)),
        )
        return next((name for name, holds in ways if holds()), "")

    def is_elsewhere_in_pages(self, line: str) -> bool:
        """In a block that is run."""
        return any(line == text_of(other) for block in self.blocks.values()
                   for _, other in pages.commands(block))  # fmt: skip

    def not_carried_out(self) -> list[str]:
        return [
            f"{block.page}:{number}: no test carries it out: {line}"
            for block, number, line in self.all if not self.way(block, line)
        ]  # fmt: skip

    def summary(self) -> str:
        counted = ", ".join(
            f"{count} {way or 'without a reason not'}" for way, count in sorted(self.ways.items())
        )
        return f"{len(self.all)} commands, carried out: {counted}"

    def run_quick(self, work: Path) -> list[str]:
        problems = []
        place = scratch_tree(work)
        for block, number, line in self.all:
            if not is_quick(line) or self.excepted("run", line):
                continue
            ended = subprocess.run(
                pages.simple_commands(line)[0], cwd=TOP if line.startswith("make") else place, check=False,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            )  # fmt: skip
            if ended.returncode:
                problems.append(f"{block.page}:{number}: status {ended.returncode}: {ended.stdout[-300:]}")
        shutil.rmtree(place)
        return problems

    def run_blocks(self, shown: dict[int, Block]) -> Iterator[str]:
        """Run the blocks and yield what fails. `shown`: by block, the output that the page shows."""
        # A `make` within a `make` prints the folders that it enters and leaves.
        env = {name: value for name, value in os.environ.items() if name not in OF_MAKE}
        for block in self.blocks.values():
            ended = subprocess.run(
                ["sh", "-e"], input=block.text, cwd=TOP, check=False, capture_output=True, text=True,
                env=env,
            )  # fmt: skip
            if ended.returncode or not ended.stdout:
                yield f"{block}: status {ended.returncode}: {ended.stdout[-500:]} {ended.stderr[-300:]}"
            elif id(block) in shown and not prints(ended.stdout, shown[id(block)]):
                yield f"{block}: it does not end with what the page shows: {ended.stdout[-500:]}"


def prints(printed: str, shown: Block) -> bool:
    """True if that is its end, but for addresses and times."""
    changing = r"(?<=0x)[0-9a-f]+|(?<=\be9)[0-9a-f]{8}\b|(?<=sh-)\d+|\s+\d+\.\d{6}(?=:)"
    plain = [re.sub(changing, "", text) for text in (printed[-2000:], shown.text)]
    last = plain[0].split("\n")[-len(shown.lines) - 1 : -1]
    return try_in_guest.matches(plain[1].split("\n")[:-1], last)


def unfounded(rules: list[list[str]]) -> list[str]:
    """Return the exceptions "elsewhere GLOB<tab>FILE: TEXT" whose file does not have the text."""
    problems = []
    for kind, rest in rules:
        file, _, text = rest.partition("\t")[2].partition(": ")
        if kind == "elsewhere" and (not (TOP / file).is_file() or text not in (TOP / file).read_text()):
            problems.append(f"exceptions: {rest.split(chr(9))[0]}: {file} does not have {text!r}")
    return problems


def stands_in_tree(block: Block) -> bool:
    """True if a block of make, a difference or an entry of a list stands in a file that a test
    builds, applies or reads; names of modules may differ."""
    if block.language == "diff":
        return "block diff" in (TOP / "tools/testing/guest/driver.t").read_text()
    places = [*TOP.glob("Documentation/examples/*/Kbuild"), TOP / "tools/testing/host/package.t",
              *TOP.glob("tools/testing/host/mutants/*.toml")]  # fmt: skip

    def plain(text: str) -> str:
        without = re.sub(r" --define-prefix|^(export )?", "", text, flags=re.MULTILINE)
        return re.sub(r"\s+", " ", re.sub(r"\b\w+\.o\b", "x.o", without)).strip()

    return any(plain(block.text) in plain(path.read_text()) for path in places)
