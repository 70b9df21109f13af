# SPDX-License-Identifier: GPL-2.0-only
"""Measures two kernels, and finds the functions that account for the difference."""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from kmark import foreign
from kmark.guest import vm
from kmark.kernel_cost import functions, report, runner
from kmark.kernel_cost.figures import DIFFERS, Row, compare, figures
from kmark.kernel_cost.operands import Subject
from kmark.make import make
from kmark.progress import Progress


@dataclass(frozen=True)
class Measured:
    """The boots of one kernel."""

    subject: Subject
    boots: list[runner.Boot]

    def facts(self) -> dict[str, Any]:
        image = self.subject.kernel.bzimage
        return {
            "name": self.subject.name,
            "release": self.boots[0].release,
            "sha256": hashlib.sha256(image.read_bytes()).hexdigest(),
            "mitigations": self.boots[0].mitigations,
        }


def rows_of(old: Measured, new: Measured) -> list[Row]:
    one, other = (figures([boot.runs for boot in measured.boots]) for measured in (old, new))
    order = [name for name in old.boots[0].order if name != runner.EMPTY]
    return compare(one, other, order)


def differing(rows: list[Row]) -> list[str]:
    return [row.name for row in rows if row.verdict == DIFFERS]


def confirm(old: Measured, new: Measured, again: Callable[[Measured], Measured]) -> list[Row]:
    """Return the rows of both kernels. If one differs, return those of `again` for both, which adds boots:
    in some boots all runs of an operation take a path that is rare in others."""
    rows = rows_of(old, new)
    return rows_of(again(old), again(new)) if differing(rows) else rows


def symbols_of(subject: Subject) -> functions.Symbols:
    """Read symbols from a file, else from /proc/kallsyms of the kernel."""
    found = functions.read_symbols(subject.symbols)
    return found if len(found) else functions.Symbols(runner.kallsyms(subject))


def functions_of(subject: Subject) -> dict[str, dict[str, int]]:
    """Instructions by operation and function."""
    symbols = symbols_of(subject)
    traced = runner.trace(subject)
    return {name: functions.by_function(counts, symbols) for name, counts in traced.items()}


def attribute(old: Subject, new: Subject, names: list[str]) -> report.Functions:
    """Return the functions that account for the differences of the operations with those names."""
    one, other = functions_of(old), functions_of(new)
    return {name: functions.shares(one.get(name, {}), other.get(name, {})) for name in names}


def measure(old: Subject, new: Subject, boots: int, with_functions: bool) -> report.Report:
    """The report of `boots` boots of each kernel, of as many again if something differs, and then
    of one more with an account of functions, if `with_functions`. Failure if a guest fails."""
    make("operations")
    measured = [Measured(old, []), Measured(new, [])]
    with Progress("kernel-cost") as progress:

        def again(one: Measured) -> Measured:
            for phase in range(len(one.boots), len(one.boots) + boots):
                one.boots.append(runner.boot(one.subject, phase))
                progress.show(sum(len(each.boots) for each in measured), 4 * boots)
            return one

        rows = confirm(again(measured[0]), again(measured[1]), again)
        names = differing(rows)
        found = attribute(old, new, names) if names and with_functions else {}
    version = foreign.lines(subprocess.check_output([vm.QEMU, "--version"], text=True))[0]
    facts = {"emulator": version, "cpu": runner.CPU, "boots": len(measured[0].boots)}
    facts |= {"old": measured[0].facts(), "new": measured[1].facts()}
    return report.build(rows, found, facts)
