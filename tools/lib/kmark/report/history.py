# SPDX-License-Identifier: GPL-2.0-only
"""The reports of a folder in the order of their time: what a site costs, machine by machine, and
where it changed. Each report is compared with the one before it of the same machine."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kmark.analysis import notation
from kmark.analysis.cases import Estimate
from kmark.analysis.stats import interval_name
from kmark.errors import Failure, Incomparable, Usage, nearest
from kmark.report import compare, report, schema
from kmark.report.compare import FASTER, SLOWER
from kmark.report.model import Report
from kmark.report.page import Page, Part, Section
from kmark.report.tables import Table

if TYPE_CHECKING:
    from kmark.report.draw import Plot

NAME = "kmark-history/1"
SCHEMA = Path(__file__).with_name("history.schema.json")
STATES = ("disabled", "enabled")
PATTERNS = ("report.json", "*.json.xz")
LEGEND = (
    "disabled, enabled: one site of 128 in a row, the median, with {interval}s in --json and --html; -: "
    "not measured. slower, faster: cases of this report, compared with the one above it; ?: none can be "
    "compared."
)


@dataclass(frozen=True)
class Point:
    """One report in one environment. `cost`: of a site of each variant, by variant and state;
    `slower`, `faster`: cases, compared with the point before; None: there is none, or nothing that
    could be compared."""

    file: str
    created: str
    kernel: str
    cost: dict[str, dict[str, Estimate | None]]
    slower: list[str] | None = None
    faster: list[str] | None = None


@dataclass(frozen=True)
class Series:
    """The points of one machine in one environment, the oldest first."""

    env: str
    machine: str
    unit: str
    points: list[Point]


def find(folder: Path) -> list[Path]:
    """Reports in a folder and the folders in it, each once. Failure if it is no folder."""
    if not folder.is_dir():
        raise Failure(f"{folder}: not a folder")
    found = (path.resolve() for pattern in PATTERNS for path in folder.rglob(pattern))
    return sorted(set(found))


def load(folder: Path, refused: list[str]) -> list[tuple[Path, Report]]:
    """Return the reports in the order of their time, without other documents of this project. `refused`
    gets what is wrong with what is no JSON or no valid report. Incomparable if there is no report."""
    found = []
    for path in find(folder):
        try:
            text = schema.read(path)
            document = schema.parse(text, str(path))
            name = document.get("schema") if isinstance(document, dict) else None
            if isinstance(name, str) and name.startswith("kmark-") and not name.startswith("kmark-report/"):
                continue
            found.append((path, report.checked(document, str(path), text)))
        except Failure as problem:
            refused.append(str(problem))
    if not found and not refused:
        raise Incomparable(f"history: no report in {folder}")
    return sorted(found, key=lambda one: datetime.fromisoformat(one[1].created).astimezone())


def check_variants(reports: list[tuple[Path, Report]], variants: list[str]) -> None:
    """Usage for a variant that no report has."""
    known = sorted({case.variant for _, made in reports for case in made.cases})
    for name in variants:
        if known and name not in known:
            raise Usage(f"history: no report has a variant {name!r}{nearest(name, known)}")


def machine(made: Report, env: str) -> tuple[str, str]:
    """Return the machine by which figures may be compared, in cycles and in instructions; and its unit."""
    run, unit = made.runs[env], made.units.get(env, "")
    if unit == "instructions":
        return (
            f"{run.get('arch', compare.OLDER_ARCH)}, {run.get('guest_cpu', run.get('cpu', 'unknown'))}",
            unit,
        )
    return made.cpu or "unknown", unit


def costs(made: Report, env: str, variants: list[str]) -> dict[str, dict[str, Estimate | None]]:
    known = {(e.variant, e.state): e.cost for e in made.site if e.env == env}
    return {name: {state: known.get((name, state)) for state in STATES} for name in variants}


def changes(before: Report | None, after: Report) -> tuple[list[str] | None, list[str] | None]:
    """Names of slower and of faster cases."""
    if before is None:
        return None, None
    try:
        found = compare.compare(before, after)
    except Incomparable:
        return None, None
    return [c.name for c in found.with_verdict(SLOWER)], [c.name for c in found.with_verdict(FASTER)]


def trace(reports: list[tuple[Path, Report]], variants: list[str]) -> list[Series]:
    """Return the series of each machine. `reports`: result of load()."""
    found: dict[tuple[str, str, str], list[Point]] = {}
    last: dict[tuple[str, str, str], Report] = {}
    for path, made in reports:
        for env in made.units:
            key = (env, *machine(made, env))
            mine = made.of_env(env)
            slower, faster = changes(last.get(key), mine)
            kernel = made.runs[env].get("kernel", "unknown")
            point = Point(str(path), made.created, kernel, costs(made, env, variants), slower, faster)
            found.setdefault(key, []).append(point)
            last[key] = mine
    return [Series(*key, points) for key, points in found.items()]


def figure(entry: Estimate | None) -> str:
    return "-" if entry is None else notation.number(entry.median, "+")


def count(names: list[str] | None, number: int) -> str:
    return ("?" if number else "") if names is None else str(len(names))


def lines(found: list[Series], variants: list[str]) -> Iterator[str]:
    for one in found:
        yield from notation.fit(f"- {one.env}: {one.machine}; one site in {one.unit}")
        for variant in variants:
            yield ""
            yield f"{variant:<17}{'kernel':<21}{'disabled':>9}{'enabled':>9}{'slower':>8}{'faster':>8}"
            for number, point in enumerate(one.points):
                figures = "".join(f"{figure(point.cost[variant][state]):>9}" for state in STATES)
                judged = f"{count(point.slower, number):>8}{count(point.faster, number):>8}"
                kernel = point.kernel.removeprefix("Linux ")[:20]
                yield f"{point.created[:16].replace('T', ' '):<17}{kernel:<21}{figures}{judged}".rstrip()
        yield ""
        for point in one.points:
            for what, names in (("slower", point.slower), ("faster", point.faster)):
                if names:
                    shown = ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")
                    yield from textwrap.wrap(f"{point.created[:16]} {what}: {shown}", notation.WIDTH,
                                             subsequent_indent="  ", break_on_hyphens=False)  # fmt: skip
        yield ""
    yield textwrap.fill(LEGEND.format(interval=interval_name()), notation.WIDTH)


def record(found: list[Series]) -> dict[str, Any]:
    """Return the series as JSON."""
    made = {"schema": NAME, "series": [asdict(one) for one in found]}
    schema.check(made, NAME, SCHEMA, "the new history")
    return made


def table(one: Series, variants: list[str]) -> Table:
    columns = ["made", "kernel"]
    for variant in variants:
        for state in STATES:
            columns.append(f"{variant} {state}")
    rows = []
    for number, point in enumerate(one.points):
        row = [point.created[:16].replace("T", " "), point.kernel]
        for variant in variants:
            for state in STATES:
                entry = point.cost[variant][state]
                row.append("-" if entry is None else notation.with_interval(entry))
        rows.append([*row, count(point.slower, number), count(point.faster, number)])
    return Table(f"one site, {one.unit}", [*columns, "slower", "faster"], rows)


def page(found: list[Series], variants: list[str], drawn: list[Plot]) -> Page:
    """Return the page of a history. `drawn`: plots of history_plot.draw_all()."""
    parts = [
        Part(f"{one.env}: {one.machine}", [table(one, variants)],
             plots=[plot for plot in drawn if plot.name == f"history-{number}"])
        for number, one in enumerate(found)
    ]  # fmt: skip
    counts = [
        [f"{one.env}: {one.machine}", str(len(one.points)), one.points[0].created[:10],
         one.points[-1].created[:10]]
        for one in found
    ]  # fmt: skip
    head = Part("", [Table("", ["series", "reports", "from", "to"], counts)],
                notes=[LEGEND.format(interval=interval_name())])  # fmt: skip
    sections = [
        Section("summary", "Summary", [head], folded=False),
        Section("series", "One site, in the course of time", parts, folded=False),
    ]
    return Page("Cost of markers in the course of time", "", sections)
