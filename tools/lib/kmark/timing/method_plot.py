# SPDX-License-Identifier: GPL-2.0-only
"""The figures of Paoloni's paper, of this machine's samples, as SVG."""

from __future__ import annotations

import io

import matplotlib as mpl
from matplotlib.figure import Figure

from kmark.timing.series import OFFSET, STORES, Series

MINIMA, VARIANCES = "minima", "variances"
# The paper's numbers, by fence, test and plotted quantity of the ensembles.
NUMBERS = {
    ("cpuid", OFFSET, MINIMA): 1, ("cpuid", OFFSET, VARIANCES): 2,
    ("rdtscp", OFFSET, MINIMA): 3, ("rdtscp", OFFSET, VARIANCES): 4,
    ("cr0", OFFSET, MINIMA): 5, ("cr0", OFFSET, VARIANCES): 6,
    ("rdtscp", STORES, MINIMA): 7, ("rdtscp", STORES, VARIANCES): 8,
    ("cr0", STORES, MINIMA): 9, ("cr0", STORES, VARIANCES): 10,
}  # fmt: skip
DEFAULT = "lfence"  # has no number, and is drawn as well


def unit(series: Series) -> str:
    return "instructions" if not any(series.chains) else "ticks"


def draw(series: Series, what: str) -> str:
    """One figure as SVG; the same samples give the same text."""
    with mpl.rc_context({"svg.hashsalt": "kmark", "svg.fonttype": "none"}):
        figure = Figure(figsize=(7, 3.5), layout="constrained")
        axes = figure.subplots()
        if series.test == STORES:
            places = [ensemble.stores for ensemble in series.ensembles]
            axes.set_xlabel("stores between the reads")
        else:
            places = [ensemble.number for ensemble in series.ensembles]
            axes.set_xlabel(f"ensemble, of {series.samples} samples")
        if what == MINIMA:
            values = [float(least) for least in series.minima]
            axes.set_ylabel(f"minimum, {unit(series)}")
        else:
            values = [float(ensemble.variance) for ensemble in series.ensembles]
            axes.set_ylabel(f"variance, {unit(series)} squared")
        axes.plot(places, values, ".", markersize=2, gid=what)
        axes.set_ylim(bottom=0)
        axes.grid(alpha=0.3)
        number = NUMBERS.get((series.fence, series.test, what))
        axes.set_title(f"{f'Figure {number}: ' if number else ''}{series.reads} ({series.env})", fontsize=9)
        out = io.StringIO()
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": "kmark lab method"})
        return out.getvalue()


def figures(all_series: list[Series]) -> dict[str, str]:
    """Return the figures by name of file: those of the paper, and the same for the default fence."""
    found = {}
    for series in all_series:
        if series.test not in (OFFSET, STORES):
            continue
        for what in (MINIMA, VARIANCES):
            number = NUMBERS.get((series.fence, series.test, what))
            if number:
                found[f"figure-{number:02}-{series.env}.svg"] = draw(series, what)
            elif series.fence == DEFAULT:
                found[f"{series.fence}-{series.test}-{what}-{series.env}.svg"] = draw(series, what)
    return found
