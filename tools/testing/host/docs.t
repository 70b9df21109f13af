#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Check README.md, CONTRIBUTING.md and Documentation/ against the tree.

Commands of tools/kmark go through its parser, targets and variables of make are looked
up, paths and names of code exist, blocks of C compile or stand so in the examples. What
is quick is run here; what a reader types on a kernel with markers.ko is run in a guest,
each page in order on a fresh markers.ko, and where a page shows the output it must be
that; tracers and our own tools run in a second one. tools/testing/host/docs/exceptions has what other
tests carry out, and what is left out, with reasons; a line of it that nothing needs any more is a
failure, too.

docs.t PAGE... tries only these pages, and leaves out whether each exception is needed."""

from __future__ import annotations

import contextlib
import fnmatch
import io
import itertools
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

TOP = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(TOP / "tools/lib"), str(TOP / "tools/testing/host/docs")]

import carried_out  # noqa: E402
import code_blocks  # noqa: E402
import figures  # noqa: E402
import pages  # noqa: E402
import try_in_guest  # noqa: E402
import try_with_tools  # noqa: E402
from kmark import cli  # noqa: E402
from kmark.commands import help as pages_of_help  # noqa: E402
from kmark.errors import Usage  # noqa: E402
from pages import Block  # noqa: E402

EXTENSIONS = "c|h|S|py|t|tsv|toml|sh|mk|json|xz|md|lds|diff|patch|txt|list"


class Suite:
    """Prints TAP; each problem is a line "page:line: what is wrong"."""

    def __init__(self) -> None:
        self.count = 0
        self.failed = 0

    def check(self, name: str, problems: list[str]) -> None:
        self.count += 1
        self.failed += bool(problems)
        print(f"{'not ' if problems else ''}ok {self.count} - {name}", flush=True)
        for problem in problems:
            print(f"# {problem}", file=sys.stderr, flush=True)


class Exceptions:
    """The file tools/testing/host/docs/exceptions, and which of its lines were of use."""

    def __init__(self) -> None:
        lines = (TOP / "tools/testing/host/docs/exceptions").read_text().splitlines()
        self.rules = [line.split(None, 1) for line in lines if line and line[0] != "#"]
        self.used: set[int] = set()

    def has(self, kind: str, word: str) -> bool:
        for number, (rule_kind, rest) in enumerate(self.rules):
            pattern = rest.split("\t")[0]
            if rule_kind == kind and (pattern == word or fnmatch.fnmatchcase(word, pattern)):
                self.used.add(number)
                return True
        return False

    def problems(self) -> list[str]:
        unused = [" ".join(rule) for number, rule in enumerate(self.rules) if number not in self.used]
        bare = [rule for rule in (" ".join(rule) for rule in self.rules) if "\t" not in rule]
        return [f"no page needs: {rule}" for rule in unused] + [f"no reason: {rule}" for rule in bare]


def tracked_files() -> list[str]:
    listed = ["git", "ls-files", "-co", "--exclude-standard"]
    return subprocess.run(listed, cwd=TOP, check=True, capture_output=True, text=True).stdout.split("\n")[
        :-1
    ]


def make_database() -> str:
    """The rules and variables of the Makefile; nothing is made."""
    listed = ["make", "-pqrR", "list-modules"]
    return subprocess.run(listed, cwd=TOP, check=False, capture_output=True, text=True).stdout


class Pages:
    def __init__(self) -> None:
        self.exceptions = Exceptions()
        self.files = tracked_files()
        self.blocks = [block for page in pages.PAGES for block in pages.blocks(page)]
        self.commands = carried_out.Commands(self.blocks, self.exceptions.has)
        self.make = make_database()
        self.targets = set(re.findall(r"^([\w./-]+):", self.make, re.MULTILINE))
        self.built = [TOP / name for name in re.findall(r"[\w/]+\.ko\b", self.make)]
        self.source = "\n".join(
            (TOP / name).read_text(errors="ignore")
            for name in self.files
            if not name.endswith((".md", ".xz", "docs/exceptions"))
        )
        self.words = set(re.findall(r"\w+", self.source))

    def command_lines(self) -> list[tuple[Block, int, str]]:
        shell = [block for block in self.blocks if block.is_shell]
        return [(block, number, line) for block in shell for number, line in pages.commands(block)]

    def simple_commands(self) -> list[tuple[Block, int, list[str]]]:
        return [
            (block, number, words)
            for block, number, line in self.command_lines()
            for words in pages.simple_commands(line)
        ]

    # Commands

    def unknown_commands(self) -> list[str]:
        """A block of commands has nothing else in it."""
        return [
            f"{block.page}:{number}: {words[0]}: unknown command"
            for block, number, words in self.simple_commands()
            if not re.match(r"\w+=", words[0]) and words[0] not in pages.PROGRAMS
            and not self.exceptions.has("command", words[0])
        ]  # fmt: skip

    def parse_kmark(self, words: list[str]) -> str:
        """Why the parser refuses the words behind "tools/kmark", or nothing. What the shell would put
        in their place is a folder here."""
        words = ["." if word == "SUBSTITUTED" or word.startswith("$") else word for word in words]
        printed = io.StringIO()
        with contextlib.redirect_stderr(printed), contextlib.redirect_stdout(io.StringIO()):
            try:
                cli.parse(words)
            except Usage as wrong:
                return str(wrong)
            except SystemExit as end:
                if end.code:
                    return printed.getvalue().strip().split("\n")[-1]
        return ""

    def bad_kmark_commands(self) -> list[str]:
        return [
            f"{block.page}:{number}: {why}"
            for block, number, words in self.simple_commands()
            if words[0] == "tools/kmark" and (why := self.parse_kmark(words[1:]))
        ]

    def bad_kmark_words(self) -> list[str]:
        """In the text: the verb and its options exist."""
        problems = []
        for page in pages.PAGES:
            for number, text in pages.code_words(page):
                words = re.sub(r"^tools/", "", text).split()
                if words[:1] != ["kmark"] or len(words) < 2 or words[1].isupper():
                    continue
                try:
                    options = pages_of_help.full(cli.GROUPS, *cli.find(words[1:])[0].split())
                except Usage:
                    options = ""
                missing = [
                    word for word in words[2:] if word[0] == "-" and word.split("=")[0] not in options
                ]
                if not options or (missing and "--" not in words[:-1]):
                    problems.append(f"{page.name}:{number}: no such verb or option: {text}")
        return problems

    def bad_make(self) -> list[str]:
        problems = []
        spans = [
            (f"{page.name}:{number}", text.split())
            for page in pages.PAGES for number, text in pages.code_words(page) if text.startswith("make ")
        ]  # fmt: skip
        lines = [
            (f"{block.page}:{number}", words)
            for block, number, words in self.simple_commands() if words[0] == "make" and "-C" not in words
        ]  # fmt: skip
        for place, words in spans + lines:
            for word in words[1:]:
                name, assigned, _ = word.partition("=")
                known = re.search(rf"\$\({name}[):]", self.make) if assigned else name in self.targets
                if not known and name[0] not in "-(" and not self.exceptions.has("target", name):
                    problems.append(f"{place}: make has no {'variable' if assigned else 'target'} {name}")
        return problems

    # Paths and names

    def is_there(self, word: str) -> bool:
        """A file of the tree or one that make makes, by its path or the end of it; * and
        {a,b} are as in a shell, and a part in upper case stands for any."""
        if match := re.search(r"\{([^{}]*)\}", word):
            return all(
                self.is_there(word[: match.start()] + part + word[match.end() :])
                for part in match[1].split(",")
            )
        if word.endswith(".ko"):
            return any(fnmatch.fnmatch(f"/{path}", f"*/{word}") for path in self.built)
        patterns = [f"*/{word.rstrip('/')}"] if not word.endswith("/") else []
        patterns.append(f"*/{word.rstrip('/')}/*")
        wild = re.sub(r"\b[A-Z_]+(?=[/.]|$)", "*", word)
        return (
            any(fnmatch.fnmatch(f"/{name}", pattern) for pattern in patterns for name in self.files)
            or word in self.targets
            or (wild != word and self.is_there(wild))
        )

    def missing_paths(self) -> list[str]:
        """Return paths in commands that do not exist."""
        problems = []
        roots = "tools|bench|markers|probes|Documentation|patches"
        for block, number, words in self.simple_commands():
            for text in words:
                word = text.replace("$PWD/", "").replace("~/marker/", "")
                for path in re.findall(rf"(?:^|[=\s'\"])((?:{roots})/[\w./*{{}}\[\]-]+)", word):
                    if not self.is_there(path) and not self.exceptions.has("path", path):
                        problems.append(f"{block.page}:{number}: no {path}")
        return problems

    def missing_names(self) -> list[str]:
        """Files, functions, macros and other names of code in the text."""
        problems = []
        for page in pages.PAGES:
            if self.exceptions.has("page", page.name):
                continue
            for number, text in pages.code_words(page):
                place = f"{page.name}:{number}"
                if re.fullmatch(rf"[\w.*{{}},-]*(/[\w.*{{}},-]*)+|[\w*{{}},-]+\.({EXTENSIONS})", text):
                    if (
                        not re.match(r"/|.*/\d$", text)
                        and not self.is_there(text)
                        and not self.exceptions.has("path", text)
                    ):
                        problems.append(f"{place}: no file {text}")
                    continue
                names = re.findall(r"\b([A-Za-z_]\w+)\(\)", text)
                names += re.findall(r"^[A-Z][A-Z0-9_]{3,}$|^[a-z0-9]+(?:_[a-z0-9]+)+$", text)
                problems += [
                    f"{place}: no {name} in the sources"
                    for name in names if name not in self.words and not self.exceptions.has("name", name)
                ]  # fmt: skip
        return problems

    def missing_places(self) -> list[str]:
        """CONTRIBUTING's table "Where a change goes": each row names files that exist."""
        problems = []
        text = (TOP / "CONTRIBUTING.md").read_text()
        rows = re.findall(
            r"^\| (.*) \| (.*) \|$", text.partition("## Where a change goes")[2], re.MULTILINE
        )
        for change, place in rows[1:]:
            files = [word for word in re.findall(r"`([^`]+)`", place) if re.search(r"[/.]", word)]
            absent = [
                word for word in files if not self.is_there(word) and not self.exceptions.has("path", word)
            ]
            problems += [f"CONTRIBUTING.md: {change}: no {word}" for word in absent]
            if not files:
                problems.append(f"CONTRIBUTING.md: {change}: no file is named")
        return problems if len(rows) > 1 else ["CONTRIBUTING.md: no table"]

    def untrue_lists(self) -> list[str]:
        """CONTRIBUTING's table "What a typical change touches": each file has the word of its row, in
        its text or its name."""
        table = (TOP / "CONTRIBUTING.md").read_text().partition("## What a typical change touches")[2]
        rows = re.findall(r"^\| (.*) \| `(.*)` \| (`.*`) \|$", table.partition("\n## ")[0], re.MULTILINE)
        problems = [
            f"CONTRIBUTING.md: {change}: {name} does not have {word}"
            for change, word, files in rows for name in re.findall(r"`([^`]+)`", files)
            if not (TOP / name).exists() or (word not in name and word not in (TOP / name).read_text())
        ]  # fmt: skip
        return problems if len(rows) == 14 else [f"CONTRIBUTING.md: {len(rows)} typical changes, not 14"]

    # Blocks that are run

    def other_output(self) -> list[str]:
        """Blocks that are run, with what they print in the next block."""
        shown = {
            id(block): following
            for block, following in itertools.pairwise(self.blocks)
            if block.language and not following.language and not following.is_shell
        }
        return list(self.commands.run_blocks(shown))

    def bad_blocks(self) -> list[str]:
        """Blocks of make, differences, entries of lists."""
        return [
            f"{block}: no test has it: {block.lines[0]}"
            for block in self.blocks
            if block.language in ("make", "diff", "toml") and not carried_out.stands_in_tree(block)
        ]

    def bad_code(self, work: Path) -> list[str]:
        problems = []
        for block in self.blocks:
            if (
                block.language not in ("", "c")
                or block.is_shell
                or not (block.language == "c" or "MARK(" in block.text or ";" in block.text)
            ):
                continue
            if not self.exceptions.has("code", block.lines[0].strip()):
                problems += [f"{block}: {why}" for why in code_blocks.problems(block, work)]
        return problems


def main() -> int:
    os.chdir(TOP)
    if sys.argv[1:]:
        pages.PAGES[:] = [TOP / name for name in sys.argv[1:]]
    suite = Suite()
    found = Pages()
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        tests: list[tuple[str, Callable[[], list[str]]]] = [
            ("blocks of commands have commands only", found.unknown_commands),
            ("tools/kmark takes every command", found.bad_kmark_commands),
            ("the text names verbs and options of tools/kmark that exist", found.bad_kmark_words),
            ("make has every target and variable", found.bad_make),
            ("commands name paths that exist", found.missing_paths),
            ("the text names files and code that exist", found.missing_names),
            ("where a change goes: each file exists", found.missing_places),
            ("what a typical change touches: each file has the word", found.untrue_lists),
            ("figures of README.md are those of the stored run", figures.of_readme),
            ("figures of kernel peers are those of the stored run", figures.of_peers),
            ("figures of other kernels are those of the stored runs", figures.of_kernels),
            ("figures of whole workloads are those of the stored run", figures.of_workloads),
            (
                "each command is carried out by a test, or a reason says why not",
                found.commands.not_carried_out,
            ),
            (
                "tests that carry out others have them",
                lambda: carried_out.unfounded(found.exceptions.rules),
            ),
            ("what is quick and needs no kernel succeeds", lambda: found.commands.run_quick(work)),
            (
                "a block that boots a guest or builds an example prints what the page shows",
                found.other_output,
            ),
            ("blocks of C compile, or stand so in the examples", lambda: found.bad_code(work)),
            ("blocks of make, differences and lists stand in what tests use", found.bad_blocks),
        ]
        print(f"# {found.commands.summary()}", flush=True)
        for what, test in tests:
            suite.check(what, test())
        try:
            guest = try_in_guest.Guest(found.blocks, found.exceptions.has, work)
            for what, problems in (*guest.results(), *try_with_tools.results(found.blocks, work)):
                suite.check(what, problems)
        except subprocess.CalledProcessError as failed:
            suite.check("the guest is prepared", [str(failed), *str(failed.stdout).split("\n")[-20:]])
    if not sys.argv[1:]:
        suite.check("each exception is needed and has a reason", found.exceptions.problems())
    print(f"1..{suite.count}")
    return int(suite.failed > 0)


if __name__ == "__main__":
    sys.exit(main())
