# SPDX-License-Identifier: GPL-2.0-only
"""Compares kernels as a user asks: two of them, each of several with one, or the commits of a range. A
kernel that takes part in several comparisons is booted once for all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kmark.errors import Failure, Usage, nearest, say
from kmark.kernel_cost import compare, runner
from kmark.kernel_cost.compare import Measured
from kmark.kernel_cost.figures import NOT_RESOLVED, SAME
from kmark.kernel_cost.operands import FILES, Operand, Operands
from kmark.kernel_cost.report import Comparison, Report
from kmark.kernel_cost.runner import Program
from kmark.kernel_cost.source import Snapshot


class Session:
    """The comparisons of one command. `operation`: a file with an operation of the user."""

    def __init__(
        self, operands: Operands, program: Program, operation: Path | None, boots: int, with_functions: bool
    ) -> None:
        self.operands = operands
        self.boots, self.with_functions = boots, with_functions
        program.build()
        self.program = program.with_own(operation) if operation else program
        self._measured: dict[Path | str, Measured] = {}

    def measured(self, operand: Operand) -> Measured:
        subject = self.operands.subject(operand)
        # The same files have one name in each comparison, and are one kernel.
        place = subject.built or subject.name
        if place not in self._measured:
            self._measured[place] = Measured(subject, [], self.program)
        return self._measured[place]

    def report(self, old: Operand, new: Operand) -> Report:
        one, other = self.measured(old), self.measured(new)
        if one is other:  # a kernel is compared with itself to see what a difference of nothing is
            other = Measured(one.subject, [], self.program)
        return compare.measure(one, other, self.boots, self.with_functions)

    def pair(self, old_word: str, new_word: str = FILES) -> Report:
        """Compare two kernels, or a commit with the files of the user's tree."""
        self.operands.check(old_word)
        if new_word == FILES and not self.operands.is_commit(old_word):
            raise Usage(f"kernel-cost: {old_word}: want a second kernel to compare it with")
        self.operands.check(new_word)
        old = self.operands.resolve(old_word)
        return self.report(old, self.operands.resolve(new_word, old))

    def each(self, old_word: str, *words: str) -> Iterator[Comparison]:
        """Compare each of several kernels or patches alone with the first."""
        self.operands.check(old_word, *words)
        old = self.operands.resolve(old_word)
        for number, word in enumerate(words, 1):
            say(f"{number} of {len(words)}: {word}")
            yield self.row(Path(word).name or word, old, word)

    def row(self, name: str, old: Operand, word: str) -> Comparison:
        try:
            return Comparison(name, self.report(old, self.operands.resolve(word, old)))
        except Failure as problem:
            if isinstance(problem, Usage):
                raise
            return Comparison(name, None, str(problem))

    def range(self, word: str) -> tuple[str, list[str]]:
        """Return the commit before a range, and the commits in it. Usage if there is none."""
        since, _, until = word.partition("..")
        since, until = since or "HEAD", until.lstrip(".") or "HEAD"
        self.operands.repository.snapshot(since), self.operands.repository.snapshot(until)
        found = self.operands.repository.commits(since, until)
        if not found:
            raise Usage(f"kernel-cost: {word}: no commit in this range")
        return since, found

    def commits(self, word: str) -> Iterator[Comparison]:
        """Compare each commit of a range with its first parent, oldest first."""
        _, found = self.range(word)
        for number, commit in enumerate(found, 1):
            title = self.operands.repository.title(commit)
            say(f"{number} of {len(found)}: {title}")
            yield self.row(title, self.commit(f"{commit}^"), commit)

    def commit(self, word: str) -> Snapshot:
        return self.operands.repository.snapshot(word)

    def bisect(self, word: str, operation: str) -> Comparison:
        """Return the comparison of the commit in a range from which on the operation takes another number
        of instructions, with the commit before. Failure if both ends of the range take the same."""
        since, found = self.range(word)
        every = [*runner.OPERATIONS, *filter(None, [self.program.own])]
        if operation not in every:
            raise Usage(f"kernel-cost: no operation {operation} (--list){nearest(operation, every)}")
        places = [since, *found]
        good, bad = 0, len(found)
        if not self.differs(places[good], places[bad], operation):
            raise Failure(f"kernel-cost: {operation} takes the same before and after {word}")
        while bad - good > 1:
            middle = (good + bad) // 2
            say(f"{bad - good} commits left: {self.operands.repository.title(places[middle])}")
            if self.differs(places[good], places[middle], operation):
                bad = middle
            else:
                good = middle
        return Comparison(
            self.operands.repository.title(places[bad]),
            self.report(self.commit(places[good]), self.commit(places[bad])),
        )

    def differs(self, old: str, new: str, operation: str) -> bool:
        one, other = self.measured(self.commit(old)), self.measured(self.commit(new))
        found = compare.measure(one, other, self.boots, with_functions=False)
        rows = [row for row in found.rows if row.name == operation]
        if not rows:
            raise Failure(f"kernel-cost: neither {old} nor {new} has what the operation {operation} needs")
        return rows[0].verdict not in (SAME, NOT_RESOLVED)
