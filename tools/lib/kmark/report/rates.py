# SPDX-License-Identifier: GPL-2.0-only
"""Measures how often chance alone makes a verdict of `kmark compare`, and how well two runs of the same
agree: from the raw data of one run, in two ways.

halves: its processes are divided at random into two runs. simulated: two runs of as many
processes as it has, drawn from its own with replacement, and so are the samples of each place
in them. Whatever differs in such a pair is chance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from scipy.stats import binomtest

from kmark.analysis import notation, raw, stats
from kmark.analysis.cases import OK, Case, Estimate, nulls
from kmark.analysis.raw import Raw
from kmark.analysis.stats import Pair, Scheme
from kmark.analysis.variants import BASELINE, is_null
from kmark.errors import Failure
from kmark.progress import Progress
from kmark.report import agree, compare, report, samples, schema, significance
from kmark.report.model import Report

NAME = "kmark-rates/1"
HALVES, SIMULATED = "halves", "simulated"
LEAST_PROCESSES = 4
BOOTSTRAPS = 300  # resamplings for an interval; a report has more

Values: TypeAlias = "dict[tuple[int, int], np.ndarray[Any, np.dtype[np.float64]]]"  # by process and layout
Random: TypeAlias = np.random.Generator


@dataclass(frozen=True)
class Cell:
    """A case: its differences to `none` by place, and the time of a loop."""

    shape: str
    variant: str
    state: str
    sites: int
    per_loop: Estimate
    scheme: Scheme
    values: Values


@dataclass(frozen=True)
class Rate:
    """Results for `pairs` of runs: the number of pairs with a verdict of compare(), the number of verdicts
    among `cells` cells in all, and the least and the median share of cells that agree, in percent."""

    how: str
    pairs: int
    wrong: int
    verdicts: int
    cells: int
    agree_least: float
    agree_median: float

    @property
    def interval(self) -> tuple[float, float]:
        """Return the exact interval of Clopper and Pearson for the share of pairs with a verdict, as a
        fraction."""
        found = binomtest(self.wrong, self.pairs).proportion_ci(stats.CONFIDENCE, method="exact")
        return float(found.low), float(found.high)

    @property
    def passes(self) -> bool:
        """True if so many pairs do not show that chance makes more verdicts than allowed, and the runs
        agree."""
        return self.interval[0] <= significance.alpha() and self.agree_median >= agree.WANTED_PCT

    @property
    def resolved(self) -> bool:
        """True if the share is not above the limit, or is so with its whole interval."""
        return not self.passes or self.wrong <= significance.alpha() * self.pairs


def cells_of(document: Raw) -> list[Cell]:
    """Return the cells of a document. Failure as from stats.analyse()."""
    clock, cells = stats.Clock.of(document), []
    for (shape, state), group in stats.grouped(document).items():
        of_document = Scheme.of(document, shape)
        scheme = Scheme(of_document.layouts, of_document.shared, BOOTSTRAPS)
        timings = {name: stats.Timings.of(samples, clock) for name, samples in group.items()}
        for name, taken in group.items():
            if name == BASELINE:
                continue
            places: dict[tuple[int, int], list[float]] = {}
            for (layout, _, _), value in timings[name].less(timings[BASELINE]).items():
                process = scheme.process(layout)
                places.setdefault((process, layout - process * scheme.layouts), []).append(value)
            values = {place: np.array(found) for place, found in places.items()}
            cells.append(Cell(shape, name, state, taken[0].sites, timings[name].per_loop(), scheme, values))
    return cells


def run_of(cell: Cell, processes: list[int], random: Random | None) -> Estimate:
    """Return the result of a run of these processes; with `random` the samples of each place are drawn with
    replacement."""
    pairs: dict[Pair, float] = {}
    for number, process in enumerate(processes):
        for (of, layout), values in cell.values.items():
            if of != process:
                continue
            drawn = values if random is None else random.choice(values, len(values))
            for order, value in enumerate(drawn):
                pairs[number * cell.scheme.layouts + layout, order, 0] = float(value)
    if not pairs:
        return Estimate(0.0, 0.0, 0.0)
    return stats.estimate_by_layout(pairs, cell.scheme).added


def report_of(document: Raw, cells: list[Cell], processes: list[int], random: Random | None) -> Report:
    """Return the part of a report that compare() and agreement() read."""
    made = report.of([], {}, "")
    made.environment.runs.append(document.environment | {"processes": str(len(processes))})
    for cell in cells:
        added = run_of(cell, processes, random)
        case = Case(
            env=document.env, shape=cell.shape, variant=cell.variant, state=cell.state, unit="cycles",
            loops=1, sites=cell.sites, samples=1, dropped=0, per_loop=cell.per_loop, added=added,
            resolution=added.bound, status=OK, thread=None,
        )  # fmt: skip
        made.cases.append(case)
    made.null.extend(nulls(made.cases))
    made.cases[:] = [case for case in made.cases if not is_null(case.variant)]
    return made


def divide(how: str, processes: int, random: Random) -> tuple[list[int], list[int]]:
    """The processes of both runs of a pair."""
    if how == HALVES:
        order = [int(number) for number in random.permutation(processes)]
        return order[: processes // 2], order[processes // 2 :]
    one, other = random.integers(processes, size=(2, processes))
    return [int(number) for number in one], [int(number) for number in other]


def rate(document: Raw, cells: list[Cell], how: str, pairs: int) -> Rate:
    """Compute the rate for HALVES or the other way of dividing, with a fixed seed."""
    processes = document.number("processes")
    wrong = verdicts = 0
    shares = []
    with Progress(how) as progress:
        for number in range(pairs):
            random = np.random.default_rng([stats.SEED, number])
            drawn = divide(how, processes, random)
            sampled = random if how == SIMULATED else None
            a, b = (report_of(document, cells, part, sampled) for part in drawn)
            made = compare.compare(a, b)
            found = made.with_verdict(compare.SLOWER) + made.with_verdict(compare.FASTER)
            wrong += bool(found)
            verdicts += len(found)
            shares.append(agree.agreement(a, b).percent)
            progress.show(number + 1, pairs)
    count = sum(not is_null(cell.variant) for cell in cells)
    return Rate(how, pairs, wrong, verdicts, pairs * count, min(shares), float(np.median(shares)))


def measure(path: Path, pairs: int) -> list[Rate]:
    """Return the rates of the raw.tsv in a folder of results, or of the path itself. Failure if the file
    cannot be read, or has no samples in cycles of several processes."""
    found = samples.beside(path)
    documents = raw.parse(schema.read(found), str(found))
    for document in documents:
        if document.samples and document.number_or("processes", 1) >= LEAST_PROCESSES:
            cells = cells_of(document)
            return [rate(document, cells, how, pairs) for how in (HALVES, SIMULATED)]
    raise Failure(f"{found}: no environment in which {LEAST_PROCESSES} processes or more shared the rounds")


def lines(rates: list[Rate]) -> Iterator[str]:
    """The rates, as text."""
    allowed = 100 * significance.alpha()
    yield f"{'pairs of runs':<14}{'pairs':>6}{'with verdicts':>22}{'cells':>13}{'agree, median':>15}"
    for one in rates:
        low, high = one.interval
        share = f"{100 * one.wrong / one.pairs:.1f} % [{100 * low:.1f}, {100 * high:.1f}]"
        cells = f"{one.verdicts}/{one.cells}"
        agreed = f"{one.agree_median:.1f} %"
        yield f"{one.how:<14}{one.pairs:>6}{share:>22}{cells:>13}{agreed:>15}"
    if not all(one.passes for one in rates):
        verdict = "NOT as they may be"
    elif not all(one.resolved for one in rates):
        verdict = "not resolved by so many pairs"
    else:
        verdict = "as they may be"
    yield ""
    yield notation.fact(
        "verdict",
        f"{verdict}: at most {allowed:g} % of pairs with a verdict by chance, and "
        f"{agree.WANTED_PCT:g} % of cells agree",
    )


def record(rates: list[Rate]) -> dict[str, Any]:
    """The rates, as JSON."""
    entries = [asdict(one) | {"interval": one.interval, "passes": one.passes} for one in rates]
    return {"schema": NAME, "alpha": significance.alpha(), "rates": entries}
