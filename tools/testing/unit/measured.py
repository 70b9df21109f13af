# SPDX-License-Identifier: GPL-2.0-only
"""Texts of statistics, of gates on changes, and of the list of cases, for test_whole_texts.py."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pprint import pformat

import asked
import numpy as np
import test_rows
from kmark.analysis import cold, raw, stats
from kmark.analysis.cases import Estimate
from kmark.bench import baseline, cases, padding, paths
from kmark.report import rates
from synthetic import ADDS, IMULS, Plan, header, join, native_rows

PATHS = {
    "TRACE_EVENT()": 600,
    "TRACE_EVENT(), x": 50,
    "recorder": 75,
    "trace event": 610,
    "trace event, x": 655,
}


def shown(found: Estimate) -> str:
    return f"{found.median:.6g} [{found.lo:.6g}, {found.hi:.6g}]"


def of_cases() -> str:
    """Statistics of small documents: one process with disturbed samples, and several of unlike sizes."""
    near = Plan(shifts={"flip": 0.5, "mark": 3.0}, noise=0.05, rounds=7,
                layout_effect=lambda name, layout: (0, 1.5, 0, 0.2)[layout] * (name == "mark"))  # fmt: skip
    far = replace(near, rounds=3, layouts=10, layout_effect=lambda _, layout: layout % 7)
    one = native_rows(near)
    for number, (column, by) in enumerate(((8, 3), (9, 1.011), (10, 1.05), (11, 1.011), (12, 0.97)), 9):
        one[number][column] = str(round(by * int(one[number][column])))
    several = [row for shape in ("cold", "empty") for row in native_rows(replace(far, shape=shape))]
    del several[-3::-5]
    facts = {"chain_adds": str(1000 * ADDS), "chain_imuls": str(1000 * IMULS), "fence_ticks": "40"}
    sliced = {"slice_loops": "300000", "tsc_step": "100000"}
    lines = []
    for head, rows in (
        (header("native", **facts, **sliced), one),
        (header("native", **facts, layouts="2", processes="5"), several),
        (header("uml", **facts), native_rows(Plan(rounds=1, shifts={"flip": 1}))),
    ):
        (document,) = raw.parse(head + join(rows), "here")
        lines += [f"{document.env}, {stats.core_mhz(document) or 0:.6g} MHz"]
        for case in stats.analyse(document):
            lines += [
                f"{' '.join(case.name)}: {case.samples} - {case.dropped}, {case.status}",
                f"  {shown(case.per_loop)}; {shown(case.added)}, {case.resolution:.6g}",
            ]
            if places := case.places:
                groups = ", ".join(f"{group.places} at {group.median:.6g}" for group in places.groups)
                figures = f"{places.mean:.6g}, {places.best:.6g} to {places.worst:.6g}"
                lines += [f"  {places.count} places: {figures}; {groups}"]
        lines += [
            f"{found.shape} {found.variant}: {shown(found.cost)}, {found.resolution:.6g}, {found.step:.6g}"
            for found in cold.sites(document)
        ]
        if document.number_or("processes", 1) > 1:
            lines += of_chance(document)
    return "\n".join(lines) + "\n"


def of_chance(document: raw.Raw) -> Iterator[str]:
    """Yield runs that are drawn from the processes of a document, and how often chance makes a verdict."""
    found = rates.cells_of(document)
    for cell in found:
        parts = rates.run_of(cell, [0, 1, 1], None), rates.run_of(cell, [3, 4], np.random.default_rng(1))
        yield f"{cell.shape} {cell.variant}: {' and '.join(map(shown, parts))}"
    yield from rates.lines([rates.rate(document, found, how, 3) for how in (rates.HALVES, rates.SIMULATED)])


def of_gates() -> str:
    """Baselines of instructions, and of padding."""
    plain = dict.fromkeys(asked.SITES, 1.0)
    edge = dict.fromkeys(asked.SITES, padding.LIMIT)
    places = edge, plain | {"imm": 1.2, "direct": 1.08}, plain | {"pun": 1.5}
    lines = [line for ratios in places for line in padding.lines(padding.Padding(ratios))]
    before, now = (baseline.Baseline(f"gcc {n}", {"a": n, "b": 1}, "cpu", f"m {n}") for n in (12, 13))
    lines += baseline.lines(before, replace(now, added={"a": 12.5, "c": 1}), "a file")
    costs = [paths.Cost("kept", 1.5, "bytes"), paths.Cost("start", 2, "times", gated=False)]
    lines += [paths.dump(PATHS, costs), *paths.lines(PATHS), *paths.cost_lines(costs)]
    lines += paths.change_lines(paths.changes(PATHS, PATHS | {"recorder": 77, "trace event, x": 650}), "it")
    return "\n".join(lines) + "\n"


def of_list() -> str:
    """The list of a made-up benchmark's cases, and rows that they show, as text and as JSON."""
    eight = "".join(f"unrolled8\t{name}\tdisabled\t10\t8\n" for name in ("key", "imm", "none"))
    found = cases.parse(test_rows.LISTED + test_rows.EMPTY + eight, "native")
    found += cases.parse(test_rows.LISTED + "empty\tnone\tenabled\t1\t2\n", "vm")
    rows = [
        test_rows.row("kmark bench: empty/{none,imm}/disabled, moon/imm"),
        replace(test_rows.row("kmark report size", "A14"), repeats="less"),
    ]
    record = cases.record(found, rows)
    record["cases"] = [one for one in record["cases"] if one["variant"] == "imm"]
    return "\n".join([*cases.lines(found, rows), pformat(record, width=100, sort_dicts=False)]) + "\n"
