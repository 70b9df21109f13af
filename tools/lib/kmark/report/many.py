# SPDX-License-Identifier: GPL-2.0-only
"""Two reports or more, each compared with the first: of several machines, kernels or times.
As text, JSON and a page; the verdicts are those of compare.py."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kmark.analysis import notation, shapes
from kmark.analysis.cases import Estimate
from kmark.errors import Incomparable, Usage
from kmark.report import compare, report, schema, significance, text
from kmark.report.compare import FASTER, SAME, SLOWER, UNKNOWN, VERDICTS, Comparison, Verdict
from kmark.report.model import Report
from kmark.report.page import Page, Part, Section
from kmark.report.tables import Table

if TYPE_CHECKING:
    from kmark.report.draw import Plot

NAME = "kmark-compare/3"
SCHEMA = Path(__file__).with_name("compare.schema.json")
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
MARKS = {SLOWER: "+", FASTER: "-", SAME: "=", UNKNOWN: "?"}
COLUMNS = 5  # columns of figures, in the width of a mail

Place = tuple[str, str, str]  # env, shape, state


@dataclass(frozen=True)
class Named:
    """A report and its letter."""

    letter: str
    path: Path
    report: Report

    @property
    def facts(self) -> list[tuple[str, str]]:
        """Facts that distinguish the report from the others."""
        runs = self.report.environment.runs
        kernels = dict.fromkeys(f"{run['env']}: {run.get('kernel', 'unknown')}" for run in runs)
        return [
            ("report", str(self.path)),
            ("made", self.report.created),
            ("cpu", self.report.cpu or "unknown"),
            ("kernels", ", ".join(kernels)),
        ]


@dataclass(frozen=True)
class Comparisons:
    """Comparisons with the first report. `made[n]`: the first report and report n + 1."""

    reports: list[Named]
    made: list[Comparison]

    def count(self, verdict: str) -> int:
        return sum(len(one.with_verdict(verdict)) for one in self.made)

    def rows(self) -> Iterator[tuple[Place, list[tuple[str, list[Verdict | None]]]]]:
        """Yield, for each shape and state, the variants, and the verdict of each comparison."""
        found = [{case.key: case for case in one.cases} for one in self.made]
        places: dict[Place, dict[str, None]] = {}
        for env, shape, variant, state in (key for cases in found for key in cases):
            places.setdefault((env, shape, state), {})[variant] = None
        for (env, shape, state), names in sorted(places.items(), key=lambda one: order(one[0], [*places])):
            key = (env, shape, state)
            yield key, [(name, [cases.get((env, shape, name, state)) for cases in found]) for name in names]


def order(place: Place, places: list[Place]) -> tuple[int, int, str]:
    """Environments and their shapes as they come first, so that each is there once."""
    envs = list(dict.fromkeys(env for env, _, _ in places))
    shapes_found = list(dict.fromkeys(one[:2] for one in places))
    return envs.index(place[0]), shapes_found.index(place[:2]), place[2]


def load(paths: list[Path]) -> list[Named]:
    """Failure if a report cannot be read, or is not one; Usage if there are too many."""
    if len(paths) > len(LETTERS):
        raise Usage(f"compare: {len(paths)} reports: at most {len(LETTERS)} at once")
    return [Named(letter, path, report.load(path)) for letter, path in zip(LETTERS, paths, strict=False)]


def compare_all(reports: list[Named], margin_pct: float, most: float) -> Comparisons:
    """Incomparable if a report has no case in common with the first."""
    first, *others = reports
    made = []
    for one in others:
        try:
            made.append(compare.compare(first.report, one.report, margin_pct, most))
        except Incomparable as problem:
            raise Incomparable(f"{one.path}: {problem}") from None
    return Comparisons(reports, made)


def cell(found: Verdict | None) -> str:
    """A figure and its mark."""
    if found is None:
        return ""
    if found.b is None:
        return MARKS[UNKNOWN] + " "
    mark = MARKS[found.verdict] + (compare.NOISY if found.noisy else " ")
    return f"{notation.number(found.b.median, '+')} {mark}"


def first_figure(cases: list[Verdict | None]) -> str:
    """Return the figure of the first report, if any comparison has it."""
    known = next((case.a for case in cases if case and case.a), None)
    return notation.number(known.median, "+") if known else ""


def table(rows: list[tuple[str, list[Verdict | None]]], reports: list[Named]) -> Iterator[str]:
    """In blocks of as many reports as a line has room for."""
    others = reports[1:]
    for start in range(0, len(others), COLUMNS - 1):
        letters = [one.letter for one in others[start : start + COLUMNS - 1]]
        yield f"{'variant':<12}{'A':>9}" + "".join(f"{letter:>9}   " for letter in letters).rstrip()
        for variant, cases in rows:
            name = notation.named(variant, 12)
            cells = "".join(f"{cell(case):>12}" for case in cases[start : start + COLUMNS - 1])
            yield f"{name}{first_figure(cases):>9}{cells}".rstrip()


def lines(found: Comparisons) -> Iterator[str]:
    """All of them, as text."""
    first = found.reports[0].letter
    yield f"What markers add to a loop: each report compared with {first}"
    for one in found.reports:
        yield ""
        yield from (notation.fact(f"{one.letter} {key}", value) for key, value in one.facts)
    for one, made in zip(found.reports[1:], found.made, strict=True):
        yield from (notation.fact("warning", f"{one.letter}: {warning}") for warning in made.warnings)
    for (env, shape, state), rows in found.rows():
        unit = next((case.unit for _, cases in rows for case in cases if case and case.unit), "")
        yield from ("", f"- {env}: {shape}, sites {state}" + (f", {unit} per loop" if unit else ""), "")
        yield from table(rows, found.reports)
    legend = f"+: slower than {first}; -: faster; =: no difference; ?: not comparable. "
    margin = compare.LEGEND.format(margin=found.made[0].margin_pct, alpha=significance.alpha())
    yield from ("", textwrap.fill(legend + margin, notation.WIDTH))
    yield ""
    yield f"{'':<10}" + "".join(f"{verdict:>15}" for verdict in VERDICTS)
    for one, made in zip(found.reports[1:], found.made, strict=True):
        yield f"{one.letter:<10}" + "".join(
            f"{len(made.with_verdict(verdict)):>15}" for verdict in VERDICTS
        )


def record(found: Comparisons) -> dict[str, Any]:
    """The comparisons, as JSON."""
    reports = [
        {"letter": one.letter, "file": str(one.path), "created": one.report.created,
         "environment": asdict(one.report.environment)}
        for one in found.reports
    ]  # fmt: skip
    comparisons = [
        {
            "a": found.reports[0].letter,
            "b": one.letter,
            "warnings": made.warnings,
            "counts": {verdict: len(made.with_verdict(verdict)) for verdict in VERDICTS},
            "cases": [asdict(case) | {"noisy": list(case.noisy)} for case in made.cases],
        }
        for one, made in zip(found.reports[1:], found.made, strict=True)
    ]
    made = {
        "schema": NAME, "margin_percent": found.made[0].margin_pct, "reports": reports,
        "comparisons": comparisons,
    }  # fmt: skip
    schema.check(made, NAME, SCHEMA, "the new comparison")
    return made


def figure(entry: Estimate | None) -> str:
    return "" if entry is None else notation.with_interval(entry)


def page_row(variant: str, cases: list[Verdict | None]) -> list[str]:
    known = next((case for case in cases if case and case.a), None)
    row = [variant, figure(known.a if known else None)]
    for case in cases:
        row.append(figure(case.b if case else None))
        row.append("" if case is None or case.difference is None else notation.number(case.difference, "+"))
        row.append("" if case is None else case.words)
    return row


def summary_section(found: Comparisons) -> Section:
    counts = [
        [f"{one.letter} to {found.reports[0].letter}", *(str(len(made.with_verdict(v))) for v in VERDICTS)]
        for one, made in zip(found.reports[1:], found.made, strict=True)
    ]
    names = [
        f"{one.letter}: {case.name}"
        for one, made in zip(found.reports[1:], found.made, strict=True)
        for case in made.with_verdict(SLOWER)
    ]
    slower = "; ".join(names[:20]) + (f"; and {len(names) - 20} more" if len(names) > 20 else "")
    facts = [("slower", slower or "none")]
    part = Part("", [Table("cases", ["compared", *VERDICTS], counts)], facts)
    return Section("summary", "Summary", [part], folded=False)


def page(found: Comparisons, drawn: list[Plot]) -> Page:
    """Return the page of comparisons. `drawn`: plots of compare_plot.draw_all()."""
    parts = [Part(one.letter, facts=one.facts) for one in found.reports]
    sections = [summary_section(found), Section("reports", "Reports", parts)]
    columns = ["variant", found.reports[0].letter]
    for one in found.reports[1:]:
        columns += [one.letter, f"{one.letter} - {found.reports[0].letter}", "verdict"]
    for env, in_env in groupby(found.rows(), lambda row: row[0][0]):
        parts = []
        for shape, group in groupby(in_env, lambda row: row[0][1]):
            tables = [
                Table(f"sites {state}", columns, [page_row(*row) for row in rows])
                for (_, _, state), rows in group
            ]
            mine = [plot for plot in drawn if plot.name == f"{env}-{shape}-compared"]
            parts.append(Part(shapes.title(shape), tables, plots=mine))
        sections.append(Section(env, text.ENVIRONMENTS.get(env, env), parts))
    legend = compare.LEGEND.format(margin=found.made[0].margin_pct, alpha=significance.alpha())
    sections.append(Section("legend", "How to read it", [Part("", notes=[legend])]))
    warnings = [
        f"{one.letter}: {warning}"
        for one, made in zip(found.reports[1:], found.made, strict=True)
        for warning in made.warnings
    ]
    letters = ", ".join(one.letter for one in found.reports)
    return Page(f"What markers add to a loop: {letters}", "", sections, warnings)
