# SPDX-License-Identifier: GPL-2.0-only
"""kmark-kernel-cost/1: the result of `kmark kernel-cost` for two kernels, and kmark-kernel-cost-table/1,
for several, as JSON, text, Markdown and JUnit. They do not depend on the host, so two runs print the
same."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from kmark import foreign
from kmark.kernel_cost.changes import Changed
from kmark.kernel_cost.figures import DIFFERS, ONLY_ONE, SAME, Figure, Row
from kmark.kernel_cost.functions import Share
from kmark.kernel_cost.runner import OPERATIONS
from kmark.kernel_cost.sizes import KINDS

SCHEMA = Path(__file__).with_name("kernel_cost.schema.json")
NAME, TABLE_NAME = "kmark-kernel-cost/1", "kmark-kernel-cost-table/1"
SHOWN = 8  # functions of an operation
MOST_CHANGED = 30  # changed functions in text
OWN = "of the user"

Functions = dict[str, list[Share]]  # by operation


@dataclass(frozen=True)
class Facts:
    """A kernel that was measured. `sha256`: of its image."""

    name: str
    release: str
    sha256: str
    mitigations: dict[str, str]


@dataclass(frozen=True)
class Size:
    """Bytes that were added, in all and by symbol."""

    text: int
    data: int
    bss: int
    symbols: dict[str, int]


@dataclass(frozen=True)
class Report:
    """Two kernels. `size`: None if a kernel has no vmlinux; `changed`: None if the source is not known."""

    emulator: str
    cpu: str
    boots: int
    old: Facts
    new: Facts
    rows: list[Row]
    functions: Functions
    size: Size | None = None
    changed: list[Changed] | None = None

    @property
    def differing(self) -> list[Row]:
        return [row for row in self.rows if row.verdict == DIFFERS]

    @property
    def lost(self) -> list[str]:
        """Return the operations that only the old kernel has, which are a difference, too."""
        return [row.name for row in self.rows if not row.new]

    @property
    def touched(self) -> list[Changed]:
        """Return the changed functions, without lines outside of functions."""
        return [one for one in self.changed or [] if one.function]

    @property
    def not_executed(self) -> list[Changed]:
        """Return the changed functions whose changed lines no operation runs."""
        return [one for one in self.touched if not one.lines]


@dataclass(frozen=True)
class Comparison:
    """A row of a table. `error`: why there is no report."""

    name: str
    report: Report | None
    error: str = ""


def figure_entry(figure: Figure | None) -> dict[str, Any] | None:
    return {**asdict(figure), "exact": figure.exact} if figure else None


def row_entry(row: Row, functions: Functions) -> dict[str, Any]:
    return {
        "name": row.name,
        "what": OPERATIONS.get(row.name, OWN),
        "old": figure_entry(row.old),
        "new": figure_entry(row.new),
        "difference": row.difference,
        "verdict": row.verdict,
        "functions": [
            {**asdict(share), "difference": share.difference} for share in functions.get(row.name, [])
        ],
    }


def entry(report: Report) -> dict[str, Any]:
    return {
        "schema": NAME,
        "emulator": report.emulator,
        "cpu": report.cpu,
        "boots": report.boots,
        "old": asdict(report.old),
        "new": asdict(report.new),
        "same": not report.differing and not report.lost,
        "operations": [row_entry(row, report.functions) for row in report.rows],
        "size": asdict(report.size) if report.size else None,
        "changed": None if report.changed is None else [asdict(one) for one in report.changed],
    }


def table_entry(rows: Iterable[Comparison]) -> dict[str, Any]:
    return {
        "schema": TABLE_NAME,
        "rows": [
            {
                "name": row.name,
                "error": row.error or None,
                "report": entry(row.report) if row.report else None,
            }
            for row in rows
        ],
    }


def dump(found: dict[str, Any]) -> str:
    return json.dumps(found, indent=1) + "\n"


def is_more(report: Report, most: int | None) -> bool:
    """Return whether an operation differs or is lost; with `most`, whether one takes more than so many
    instructions more, or is lost."""
    found = [row.difference for row in report.differing if row.difference is not None]
    more = found if most is None else [one for one in found if one > most]
    return bool(report.lost or more)


def one_line(text: str) -> str:
    """Return a text without control characters and newlines, and without the two other characters that XML
    forbids."""
    return foreign.shown(" ".join(text.split())).translate({0xFFFE: 0xFFFD, 0xFFFF: 0xFFFD})


def cell(text: str) -> str:
    """Return a text for a table in Markdown."""
    return one_line(text).replace("|", "\\|")


def count(figure: Figure | None) -> str:
    return f"{'' if figure.exact else '~'}{figure.count:,}" if figure else "-"


def function_lines(shares: list[Share]) -> list[str]:
    lines = [f"    {one.difference:+7,}  {one.function}" for one in shares[:SHOWN]]
    if left := shares[SHOWN:]:
        lines.append(f"    {sum(one.difference for one in left):+7,}  in {len(left)} others")
    return lines


def row_lines(row: Row, shares: list[Share]) -> list[str]:
    difference = "" if row.difference is None else f"{row.difference:+,}"
    verdict = f"only {'old' if row.old else 'new'}" if row.verdict == ONLY_ONE else row.verdict
    line = f"{row.name:<11}{count(row.old):>11}{count(row.new):>11}{difference:>9}  {verdict}"
    return [line, *function_lines(shares)]


def times(one: Changed) -> str:
    """Return in words how often a changed function was executed."""
    if one.compiled is False:
        return "not compiled"
    if not one.executed:
        return "no operation runs it" + ("" if one.compiled else ", inlined or left out by the compiler")
    counts = ", ".join(f"{name} {count}" for name, count in one.executed.items())
    return counts if one.lines else f"not the changed lines, the function: {counts}"


def bytes_text(size: Size) -> str:
    return ", ".join(f"{kind} {getattr(size, kind):+,}" for kind in KINDS)


def size_text(size: Size) -> str:
    grown = [f"{name} {count:+,}" for name, count in size.symbols.items()]
    others = f", and {len(grown) - SHOWN} others" if len(grown) > SHOWN else ""
    return f"bytes: {bytes_text(size)}" + (f"; {', '.join(grown[:SHOWN])}{others}" if grown else "")


def changed_lines(report: Report) -> list[str]:
    """Return the changed functions, with how often an operation runs each."""
    lines = ["", "changed functions, and how often an operation runs them"] if report.touched else []
    for one in report.touched[:MOST_CHANGED]:
        lines.append(f"    {one.function:<31} {one.file}: {times(one)}")
    if left := report.touched[MOST_CHANGED:]:
        lines.append(f"    and {len(left)} others (--json has all)")
    return lines


def warning(report: Report) -> str:
    """Return what the counts say nothing about; "" if every changed function was executed."""
    names = [one.function for one in report.not_executed if one.compiled is not False]
    left_out = sorted({one.file for one in report.touched if one.compiled is False})
    parts = [f"no operation runs the changed lines of {listed(names)}"] if names else []
    parts += [f"not compiled in this configuration: {listed(left_out)}"] if left_out else []
    if report.changed is not None and not report.touched:
        files = list(dict.fromkeys(one.file for one in report.changed))
        more = f"; changed files: {listed(files)}" if files else ""
        parts.append(f"no line in a function is changed{more}")
    return "\n".join(f"warning: {part}" for part in parts)


def listed(names: list[str]) -> str:
    others = f" and {len(names) - SHOWN} others" if len(names) > SHOWN else ""
    return f"{', '.join(names[:SHOWN])}{others}"


def subject_line(which: str, subject: Facts) -> str:
    return f"{which}: {one_line(subject.name)} (Linux {subject.release})"


def verdict(report: Report) -> str:
    parts = [f"differ: {' '.join(row.name for row in report.differing)}"] if report.differing else []
    parts += [f"only the old kernel has: {' '.join(report.lost)}"] if report.lost else []
    return "; ".join(parts) or "no operation differs"


def not_exact(report: Report) -> list[str]:
    found = []
    for row in report.rows:
        figures = [figure for figure in (row.old, row.new) if figure]
        if not all(figure.exact for figure in figures):
            least = max(figure.resolves for figure in figures)
            found.append(f"~ {row.name} is not exact: differences below {least:,} are not resolved")
    return found


def render(report: Report) -> str:
    lines = [subject_line("old", report.old), subject_line("new", report.new)]
    lines.append(f"{report.emulator}, -cpu {report.cpu}, {report.boots} boots of each\n")
    lines.append(f"{'operation':<11}{'old':>11}{'new':>11}{'diff':>9}  instructions")
    for row in report.rows:
        lines += row_lines(row, report.functions.get(row.name, []))
    lines += not_exact(report)
    lines += changed_lines(report)
    lines += ["", size_text(report.size)] if report.size else []
    lines += ["", *filter(None, [warning(report)]), verdict(report)]
    return "\n".join(lines) + "\n"


def where(shares: list[Share]) -> str:
    return ", ".join(f"`{one.function}` {one.difference:+,}" for one in shares[:SHOWN])


def markdown(report: Report) -> str:
    """Return what can stand below the "---" of a patch: what differs, and one line for all that does
    not."""
    lines = [
        f"Instructions of one operation, `kmark kernel-cost`, {report.emulator}, -cpu {report.cpu}:",
        "",
    ]
    if report.differing:
        lines += ["| operation | before | after | | where |", "|---|---:|---:|---:|---|"]
        for row in report.differing:
            shares = where(report.functions.get(row.name, []))
            lines.append(
                f"| {row.name} | {count(row.old)} | {count(row.new)} | {row.difference:+,} | {shares} |"
            )
        lines.append("")
    if same := [row.name for row in report.rows if row.verdict == SAME]:
        lines.append(f"The same before and after: {', '.join(same)}.")
    if report.lost:
        lines.append(f"Only before: {', '.join(report.lost)}.")
    if loose := [row.name for row in report.rows if row.verdict not in (SAME, DIFFERS) and row.new]:
        lines.append(f"Not resolved, or on one kernel only: {', '.join(loose)}.")
    if report.size:
        lines.append(f"Bytes: {bytes_text(report.size)}.")
    lines += [f"{line[:1].upper()}{line[1:]}." for line in warning(report).split("\n") if line]
    return "\n".join(lines) + "\n"


def summary(row: Comparison) -> list[str]:
    """Return the cells of a row: what differs, bytes of text, and how many changed functions were
    executed."""
    if not row.report:
        return [one_line(row.error), "", ""]
    report = row.report
    found = [f"{one.name} {one.difference:+,}" for one in report.differing]
    names = ", ".join([*found, *(f"{name} only old" for name in report.lost)]) or "no difference"
    executed = len(report.touched) - len(report.not_executed)
    coverage = "-" if report.changed is None else f"{executed} of {len(report.touched)}"
    return [names, f"{report.size.text:+,}" if report.size else "-", coverage]


HEAD = ["change", "instructions", "bytes of text", "changed functions executed"]


def table(rows: list[Comparison]) -> str:
    lines = []
    for row in rows:
        names, text, coverage = summary(row)
        lines.append(one_line(row.name))
        lines.append(f"    {names}" + (f"; text {text} bytes" if text else ""))
        if row.report:
            lines.append(f"    changed functions executed: {coverage}")
            lines += [f"    {line}" for line in warning(row.report).split("\n") if line]
    return "\n".join(lines) + "\n"


def markdown_table(rows: list[Comparison]) -> str:
    lines = [f"| {' | '.join(HEAD)} |", "|---|---|---:|---:|"]
    lines += [f"| {' | '.join(map(cell, [row.name, *summary(row)]))} |" for row in rows]
    return "\n".join(lines) + "\n"


def junit(rows: list[Comparison], most: int | None) -> str:
    """Return a test case for each operation of each comparison, as services for continuous integration read
    it. A case fails if the operation differs, or takes more than `most` instructions more."""
    suites = ElementTree.Element("testsuites", name="kmark kernel-cost")
    for row in rows:
        suite = ElementTree.SubElement(suites, "testsuite", name=one_line(row.name))
        if not row.report:
            case = ElementTree.SubElement(suite, "testcase", name="build", classname="kernel-cost")
            ElementTree.SubElement(case, "error", message=one_line(row.error))
            continue
        for one in row.report.rows:
            case = ElementTree.SubElement(suite, "testcase", name=one.name, classname="kernel-cost")
            if not one.new:
                ElementTree.SubElement(case, "failure", message="only the old kernel has it")
            elif not one.old:
                ElementTree.SubElement(case, "skipped", message="only the new kernel has it")
            elif one.verdict == DIFFERS and (most is None or (one.difference or 0) > most):
                text = "\n".join(function_lines(row.report.functions.get(one.name, [])))
                message = f"{one.difference:+,} instructions ({count(one.old)}, {count(one.new)})"
                ElementTree.SubElement(case, "failure", message=message).text = text
    ElementTree.indent(suites)
    return ElementTree.tostring(suites, encoding="unicode", xml_declaration=True) + "\n"
