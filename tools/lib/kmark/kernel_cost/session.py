# SPDX-License-Identifier: GPL-2.0-only
"""Compares kernels as a user asks: two of them, each of several with one, or the commits of a range. A
kernel that takes part in several comparisons is booted once for all."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from kmark.errors import Failure, Usage, nearest, say
from kmark.kernel_cost import compare, runner
from kmark.kernel_cost.compare import Measured
from kmark.kernel_cost.figures import NOT_RESOLVED, SAME
from kmark.kernel_cost.operands import Operand, Operands, is_cover_letter
from kmark.kernel_cost.report import Comparison, Report
from kmark.kernel_cost.runner import Program
from kmark.kernel_cost.source import Snapshot

# Errors of a kernel that cannot be built or booted.
ERRORS = (Failure, OSError, subprocess.SubprocessError)


class Session:
    """The comparisons of one command. `operation`: a file with an operation of the user."""

    def __init__(
        self, operands: Operands, program: Program, operation: Path | None, boots: int, with_functions: bool
    ) -> None:
        self.operands = operands
        self.boots, self.with_functions = boots, with_functions
        self._program, self._operation = program, operation
        self._measured: dict[Path | str, Measured] = {}

    @cached_property
    def program(self) -> Program:
        """The program that is counted. It is built when it is first asked for, after the words of the user
        were checked."""
        self._program.build()
        return self._program.with_own(self._operation) if self._operation else self._program

    def measured(self, operand: Operand) -> Measured:
        program = self.program  # a mistake in it is found before a kernel is built
        subject = self.operands.subject(operand)
        # The same files have one name in each comparison, and are one kernel.
        place = subject.built or subject.name
        if place not in self._measured:
            self._measured[place] = Measured(subject, [], program)
        return self._measured[place]

    def report(self, old: Operand, new: Operand) -> Report:
        one, other = self.measured(old), self.measured(new)
        if one is other:  # a kernel is compared with itself to see what a difference of nothing is
            other = Measured(one.subject, [], self.program)
        return compare.measure(one, other, self.boots, self.with_functions)

    def pair(self, old_word: str, new_word: str | None = None) -> Report:
        """Compare two kernels, or a commit with the files of the user's tree."""
        if new_word is None and not self.operands.is_commit(old_word):
            raise Usage(f"kernel-cost: {old_word}: want a second kernel to compare it with")
        words = [new_word] if new_word else []
        self.operands.check_base(old_word, *words)
        self.operands.check(old_word, *words)
        old = self.operands.resolve(old_word)
        return self.report(old, self.operands.resolve(new_word, old))

    def each(self, old_word: str, *words: str) -> Iterator[Comparison]:
        """Compare each of several kernels or patches alone with the first. All words are checked, and all
        patches applied, before the first kernel is built."""
        wanted = [word for word in words if not is_cover_letter(Path(word))]
        for word in words:
            if word not in wanted:
                say(f"{word}: left out, as a cover letter has no change")
        if not wanted:
            raise Usage("kernel-cost: --each: no patch or kernel is left")
        self.operands.check_base(old_word, *wanted)
        self.operands.check(old_word, *wanted)
        old = self.operands.resolve(old_word)
        found = [self.resolved(word, old) for word in wanted]
        names = [Path(word).name for word in wanted]
        for number, (name, word, new) in enumerate(zip(names, wanted, found, strict=True), 1):
            say(f"{number} of {len(wanted)}: {word}")
            yield self.row(name if name and names.count(name) == 1 else word, old, new)

    def resolved(self, word: str, old: Operand) -> Operand | Failure:
        """Return what a word means; or, if a patch does not apply, the Failure, which is printed, too."""
        try:
            return self.operands.resolve(word, old)
        except Usage:
            raise
        except Failure as problem:
            say(str(problem))
            return problem

    def row(self, name: str, old: Operand, new: Operand | Failure) -> Comparison:
        try:
            if isinstance(new, Failure):
                raise new
            return Comparison(name, self.report(old, new))
        except Usage:
            raise
        except ERRORS as problem:
            return Comparison(name, None, str(problem))

    def range(self, word: str) -> list[str]:
        """Return the commits of a range A..B, oldest first. Usage if there is none."""
        since, _, until = word.partition("..")
        if until.startswith("."):
            raise Usage(f"kernel-cost: {word}: want a range of two dots, A..B")
        since, until = since or "HEAD", until or "HEAD"
        self.operands.repository.snapshot(since), self.operands.repository.snapshot(until)
        found = self.operands.repository.commits(since, until)
        if not found:
            raise Usage(f"kernel-cost: {word}: no commit in this range")
        return found

    def commits(self, word: str) -> Iterator[Comparison]:
        """Compare each commit of a range with its first parent, oldest first."""
        found = self.range(word)
        for number, commit in enumerate(found, 1):
            title = self.operands.repository.title(commit)
            say(f"{number} of {len(found)}: {title}")
            yield self.row(title, self.commit(f"{commit}^"), self.commit(commit))

    def commit(self, word: str) -> Snapshot:
        return self.operands.repository.snapshot(word)

    def bisect(self, word: str, operation: str) -> Comparison:
        """Return the comparison of the commit in a range from which on the operation takes another number
        of instructions, with the commit before. A commit that cannot be built or booted is skipped. Failure
        if both ends of the range take the same, or if only such commits are left."""
        found = self.range(word)
        every = [*runner.OPERATIONS, *filter(None, [self.program.own])]
        if operation not in every:
            raise Usage(f"kernel-cost: no operation {operation} (--list){nearest(operation, every)}")
        title = self.operands.repository.title
        # The first parent of the first commit; A itself may be on another branch.
        places = [f"{found[0]}^", *found]
        good, bad, skipped = 0, len(found), set()
        if not self.differs(places[good], places[bad], operation):
            raise Failure(f"kernel-cost: {operation} takes the same before and after {word}, or is in none")
        while left := [number for number in range(good + 1, bad) if number not in skipped]:
            middle = next((number for number in left if number >= (good + bad) // 2), left[-1])
            say(f"{bad - good} commits left: {title(places[middle])}")
            try:
                differs = self.differs(places[good], places[middle], operation)
            except ERRORS as problem:
                say(f"skipped: {problem}")
                skipped.add(middle)
                continue
            good, bad = (good, middle) if differs else (middle, bad)
        if bad - good > 1:
            raise Failure(
                f"kernel-cost: {operation} changes in {places[good]}..{places[bad]}; no commit between "
                "the two can be built and booted"
            )
        return Comparison(
            title(places[bad]), self.report(self.commit(places[good]), self.commit(places[bad]))
        )

    def differs(self, old: str, new: str, operation: str) -> bool:
        one, other = self.measured(self.commit(old)), self.measured(self.commit(new))
        found = compare.measure(one, other, self.boots, with_functions=False)
        rows = [row for row in found.rows if row.name == operation]
        return bool(rows) and rows[0].verdict not in (SAME, NOT_RESOLVED)
