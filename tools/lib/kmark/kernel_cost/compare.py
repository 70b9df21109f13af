# SPDX-License-Identifier: GPL-2.0-only
"""Measures kernels, and finds the functions that account for a difference."""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from kmark import foreign
from kmark.kernel_cost import changes, functions, report, runner, sizes
from kmark.kernel_cost.figures import DIFFERS, Row, compare, figures
from kmark.kernel_cost.operands import Subject
from kmark.kernel_cost.runner import Program
from kmark.progress import Progress


@dataclass(frozen=True)
class Measured:
    """A kernel with its boots."""

    subject: Subject
    boots: list[runner.Boot]
    program: Program = field(default_factory=Program)

    def boot_until(self, number: int, progress: Progress) -> Measured:
        """Boot the kernel until it has so many boots."""
        begin = len(self.boots)
        for phase in range(begin, number):
            self.boots.append(self.program.boot(self.subject, phase))
            progress.show(phase - begin + 1, number - begin)
        return self

    @cached_property
    def trace(self) -> runner.Trace:
        return self.program.trace(self.subject)

    @cached_property
    def symbols(self) -> functions.Symbols:
        """Return the symbols of a file, else of /proc/kallsyms of the kernel."""
        found = functions.read_symbols(self.subject.symbols)
        return found if len(found) else functions.Symbols(self.program.kallsyms(self.subject))

    def by_function(self, operation: str) -> dict[str, int]:
        """Return the instructions of an operation by function."""
        return functions.by_function(self.trace.get(operation, {}), self.symbols)

    def facts(self) -> report.Facts:
        digest = hashlib.sha256(self.subject.kernel.bzimage.read_bytes()).hexdigest()
        boot = self.boots[0]
        return report.Facts(self.subject.name, boot.release, digest, boot.mitigations)


def rows_of(old: Measured, new: Measured) -> list[Row]:
    one, other = (figures([boot.runs for boot in measured.boots]) for measured in (old, new))
    return compare(one, other, old.boots[0].order)


def differing(rows: list[Row]) -> list[str]:
    return [row.name for row in rows if row.verdict == DIFFERS]


def confirm(old: Measured, new: Measured, again: Callable[[Measured], Measured]) -> list[Row]:
    """Return the rows of both kernels. If one differs, return those of `again` for both, which adds boots:
    in some boots all runs of an operation take a path that is rare in others."""
    rows = rows_of(old, new)
    return rows_of(again(old), again(new)) if differing(rows) else rows


def size_of(old: Subject, new: Subject, prefix: str) -> report.Size | None:
    if not old.vmlinux or not new.vmlinux:
        return None
    return report.Size(
        **sizes.added(old.vmlinux, new.vmlinux, prefix),
        symbols=sizes.differences(old.vmlinux, new.vmlinux, prefix),
    )


def changed(old: Measured, new: Measured) -> list[changes.Changed] | None:
    """Return the functions in which the sources differ; None if the kernels are not of one source."""
    sides = []
    for one in (old, new):
        snapshot, vmlinux = one.subject.snapshot, one.subject.vmlinux
        if not snapshot or not vmlinux:
            return None
        sides.append(changes.Side(snapshot, vmlinux, one.symbols, one.trace, one.program.prefix))
    if sides[0].snapshot.source != sides[1].snapshot.source:
        return None
    return changes.changes(*sides)


def measure(old: Measured, new: Measured, boots: int, with_functions: bool) -> report.Report:
    """The report of `boots` boots of each kernel, of as many again if something differs, and then of one
    more with an account of functions, if `with_functions`. Failure if a guest fails."""
    with Progress(f"boots of {old.subject.name} and {new.subject.name}") as progress:
        for one in (old, new):
            one.boot_until(boots, progress)
        rows = confirm(old, new, lambda one: one.boot_until(2 * boots, progress))
        shares = {}
        if with_functions:
            for name in differing(rows):
                shares[name] = functions.shares(old.by_function(name), new.by_function(name))
    version = foreign.lines(subprocess.check_output([new.program.machine.qemu, "--version"], text=True))[0]
    return report.Report(
        version,
        new.program.machine.counted_cpu,
        len(new.boots),
        old.facts(),
        new.facts(),
        rows,
        shares,
        size_of(old.subject, new.subject, old.program.prefix),
        changed(old, new) if with_functions else None,
    )
