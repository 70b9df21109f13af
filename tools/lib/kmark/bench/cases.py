# SPDX-License-Identifier: GPL-2.0-only
"""Every case that there is, as the built program and the module name them, and
the rows of the documents that it shows."""

from __future__ import annotations

import csv
import io
import subprocess
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from kmark.analysis import variants
from kmark.bench import native
from kmark.errors import Failure
from kmark.guest import uml, vm
from kmark.guest.machine import MACHINES
from kmark.guest.output import Output, checked_text
from kmark.kernel import package
from kmark.make import make, make_modules
from kmark.reference.rows import NOTHING, Name, Row
from kmark.report.text import ENVIRONMENTS

NAME = "kmark-list/1"
WIDTH = 72
MODULES = ("markers/markers.ko", "bench/gates/marker_gates.ko", "bench/marker_bench.ko")
SCRIPT = """set -e
for module in markers marker_gates marker_bench; do insmod /$module.ko; done
cat /sys/kernel/debug/marker_bench/cases"""
TIMEOUT_S = 120


@dataclass(frozen=True)
class Case:
    """A case of the list. `loops`: in one round; `sites`: in one loop."""

    env: str
    shape: str
    variant: str
    state: str
    loops: int
    sites: int

    @property
    def name(self) -> Name:
        return self.shape, self.variant, self.state

    @property
    def kind(self) -> str:
        return variants.kind(self.variant)


def parse(text: str, env: str) -> list[Case]:
    """The list that the program or the module of environment `env` prints. Failure if it is
    malformed or empty."""
    table = csv.DictReader(io.StringIO(text), delimiter="\t")
    try:
        found = [
            Case(env, row["shape"], row["variant"], row["state"], int(row["loops"]), int(row["sites"]))
            for row in table
        ]
    except (KeyError, TypeError, ValueError) as problem:
        raise Failure(f"{env}: the list of cases cannot be read: {problem}") from None
    if not found:
        raise Failure(f"{env}: the list of cases is empty")
    return found


def ask_native() -> str:
    make("native")
    return subprocess.run([native.BENCH, "--list"], check=True, capture_output=True, text=True).stdout


def ask_vm(arch: str) -> str:
    machine = MACHINES[arch]
    make_modules(MODULES, *machine.make_words)
    files = tuple((machine.modules / module, "/" + Path(module).name) for module in MODULES)
    output = Output()
    wanted = vm.Guest(SCRIPT, files=files, icount=True, arch=arch)
    outcome = vm.run(wanted, package.stock(machine.kernel), output)
    return checked_text("vm", outcome, output, "the list of cases")


def ask_uml() -> str:
    built = uml.build_modules()
    files = tuple((built / module, "/" + Path(module).name) for module in MODULES)
    output = Output()
    return checked_text("uml", uml.run(SCRIPT, files, output, TIMEOUT_S), output, "the list of cases")


ASK: dict[str, Callable[..., str]] = {"native": ask_native, "vm": ask_vm, "uml": ask_uml}


def load(envs: list[str], arch: str) -> list[Case]:
    """Return the cases of each environment. A guest of `arch` is booted for those of a guest."""
    of_guest = {"vm": (arch,)}
    return [case for env in envs for case in parse(ASK[env](*of_guest.get(env, ())), env)]


def peers(case: Case, cases: list[Case]) -> list[str]:
    """Return the variants that the case is compared with in the same rounds: `none` and the peers."""
    return [
        other.variant
        for other in cases
        if (other.env, other.shape, other.state) == (case.env, case.shape, case.state)
        and other.variant != case.variant
        and (other.variant == "none" or other.kind == variants.PEER)
    ]


def rows_of(case: Case, rows: list[Row]) -> tuple[list[str], list[str]]:
    """Return the rows that the case shows, and the rows that it shows in another loop than the
    document's."""
    direct = [row.row for row in rows if row.shows(case.name)]
    _, variant, state = case.name
    if direct or case.kind == variants.OF_NO_SITE:
        return direct, []
    return [], [
        row.row for row in rows if any(v == variant and s in (state, "*") for _, v, s in row.selectors)
    ]


def record(cases: list[Case], rows: list[Row]) -> dict[str, Any]:
    """Cases and rows, as JSON."""
    entries = []
    for case in cases:
        direct, elsewhere = rows_of(case, rows)
        entries.append(
            asdict(case)
            | {"kind": case.kind, "rows": direct, "rows_elsewhere": elsewhere, "peers": peers(case, cases)}
        )
    there = [case.name for case in cases]
    row_entries = [row.record() | {"absent": row.absent(there)} for row in rows]
    return {"schema": NAME, "cases": entries, "rows": row_entries}


def paragraph(head: str, text: str, indent: int) -> str:
    return textwrap.fill(
        text, WIDTH, initial_indent=f"{head:<{indent}}", subsequent_indent=" " * indent,
        break_on_hyphens=False, break_long_words=False,
    )  # fmt: skip


def case_lines(cases: list[Case], rows: list[Row]) -> Iterator[str]:
    for env, in_env in groupby(cases, lambda case: case.env):
        yield from ("", "* " + ENVIRONMENTS.get(env, env))
        for (shape, state), group in groupby(
            sorted(in_env, key=lambda case: (case.shape, case.state)), lambda case: (case.shape, case.state)
        ):
            members = list(group)
            first = members[0]
            sites = f"{first.sites} site{'s' if first.sites != 1 else ''}"
            yield from ("", f"- {shape}, {state}: {first.loops} loops of {sites}")
            against = [m.variant for m in members if m.variant == "none" or m.kind == variants.PEER]
            yield paragraph("  peers", " ".join(against), 10)
            for case in members:
                direct, elsewhere = rows_of(case, rows)
                shown = " ".join(direct) or (f"({' '.join(elsewhere)})" if elsewhere else NOTHING)
                yield f"  {case.variant:<20}{case.kind:<10}{shown}"


def row_lines(rows: list[Row], cases: list[Case]) -> Iterator[str]:
    there = [case.name for case in cases]
    for row in rows:
        yield from ("", paragraph(row.row, row.what, 5))
        yield paragraph("", f"{row.document}: {row.printed}", 5)
        yield paragraph("", f"shown by: {row.shown_by}", 5)
        yield paragraph("", f"repeats: {row.repeats}", 5)
        if missing := row.absent(there):
            yield paragraph("", f"no such case here: {' '.join(missing)}", 5)


def lines(cases: list[Case], rows: list[Row]) -> Iterator[str]:
    """Cases and rows, as text."""
    yield "Cases: what is measured, and which rows of the documents it shows. A row"
    yield "in parentheses is one that a case shows in another loop than the"
    yield "document's. All cases of a shape and state are compared with its peers."
    yield from case_lines(cases, rows)
    yield from ("", "", "* Rows of the documents, and what shows them today")
    yield from row_lines(rows, cases)
