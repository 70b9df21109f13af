# SPDX-License-Identifier: GPL-2.0-only
"""The rows of the documents about timing (B, C and D of bench/data/rows.tsv): how to
see each, what the document prints, and what this machine gave when it was last
measured by `kmark lab method --all`."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from pathlib import Path

from kmark import cache
from kmark.analysis.raw import Raw
from kmark.reference import rows
from kmark.timing import kbest, method, method_text, tsc, verdict
from kmark.timing.verdict import Verdict

ENVS = ("native", "uml", "vm")
LETTERS = ("B", "C", "D")
FILE = "today.json"
NOT_MEASURED = "not measured here yet"
# Words before the cells of a row in text, and the cells.
NAMES = {"see": "shown_by", "document": "document", "today": "today", "repeats": "repeats"}
METHODS = {"B2": "cpuid", "B3": "rdtscp", "B4": "cr0"}
SUITES = {"B9": "prove tools/testing/native/method.t", "D4": "prove tools/testing/native/kbest.t"}


def table(out: Path) -> list[dict[str, str]]:
    """Return the rows, with today's figure where `out` has one."""
    try:
        found: dict[str, str] = json.loads((out / FILE).read_text())
    except (OSError, ValueError):
        found = {}
    return [
        {
            "row": row.row,
            "what": row.what,
            "shown_by": row.shown_by,
            "document": row.printed,
            "today": found.get(row.row, NOT_MEASURED),
            "repeats": row.repeats,
        }
        for row in rows.load()
        if row.row[0] in LETTERS
    ]


def lines(table_: list[dict[str, str]]) -> Iterator[str]:
    for row in table_:
        yield f"{row['row']:<4}{row['what']}"
        for key, text in NAMES.items():
            yield from textwrap.wrap(
                row[text], 90, initial_indent=f"    {key:<10}", subsequent_indent=" " * 14
            )


def figures(found: Verdict) -> str:
    """In the order of the paper."""
    one = found.evaluation
    unit = "instructions" if found.unit.name == "instructions" else "ticks"
    return (
        f"{float(one.total_variance):.3g}, {one.max_deviation}, {float(one.variance_of_variances):.3g}, "
        f"{float(one.variance_of_minima):.3g}, min {found.offset.least} {unit} ({found.env})"
    )


def ensembles(verdicts: list[Verdict]) -> str:
    parts = [
        f"{one.env} {one.fence}: {len(one.offset.ensembles)} x {one.offset.samples}, "
        f"{'ergodic' if one.evaluation.ergodic else 'not ergodic'}"
        for one in verdicts
    ]
    return "; ".join(parts)


def resolved(one: Verdict) -> str:
    if one.resolution is None:
        return f"{one.env} {one.fence}: none"
    amount = one.resolution.ticks * one.unit.per_tick
    return f"{one.env} {one.fence}: {one.resolution.stores} stores, {amount:.3g} {one.unit.name}"


def of_methods(documents: list[Raw], folder: Path) -> dict[str, str]:
    """Return the rows B1 to B9. `folder`: folder of the results."""
    by_env = {raw.env: verdict.judge(raw) for raw in documents}
    native = by_env.get("native", [])
    every = [one for verdicts in by_env.values() for one in verdicts]
    faults = [text for raw in documents for text in method_text.naive(raw, by_env[raw.env])]
    there = "there" if any(one.fence == "rdtscp" for one in native) else "missing"
    found = {"B1": "; ".join([*faults, f"rdtscp is {there}"]), "B5": ensembles(every)}
    for row, fence in METHODS.items():
        found[row] = "; ".join(figures(one) for one in every if one.fence == fence) or "no such fence here"
    found["B4"] += f"; in time only in a kernel: {method.host_obstacle() or 'kmark lab method --env host'}"
    found["B6"] = "; ".join(resolved(one) for one in every)
    drawn = len(list(folder.glob("figure-*.svg")))
    found["B7"] = f"{drawn} files figure-01 to figure-10 and more in {folder.name}/"
    default = next((one for one in native if one.fence == "lfence"), None)
    if default:
        found["B8"] = f"{default.sentence()}; {default.quality()}"
    kept = max((len(one.offset.ensembles) for one in every), default=0)
    found["B9"] = f"none of the three: {SUITES['B9']}; {kept} ensembles take {kept * 128 / 1e6:.2f} MB"
    return found


def measure(documents: list[Raw], folder: Path) -> list[dict[str, str]]:
    """Measures all rows again, keeps them beside the folders of results, and returns them."""
    out = folder.parent
    found = of_methods(documents, folder) | tsc.today() | skews(documents)
    found |= kbest.today(short=True, out=out / "kbest")
    found = {row: " ".join(text.split()) for row, text in found.items()}
    cache.write_whole(out / FILE, (json.dumps(found, indent=1) + "\n").encode())
    return table(out)


def skews(documents: list[Raw]) -> dict[str, str]:
    native = next(raw for raw in documents if raw.env == "native")
    return {"C8": f"{verdict.counter_fact(native)}; tsc_pin() binds a thread to one"}
