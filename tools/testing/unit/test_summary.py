# SPDX-License-Identifier: GPL-2.0-only
"""The summary: one screen, and each of its figures is one of report.json."""

from __future__ import annotations

import re
import unittest
from dataclasses import replace
from typing import Any, ClassVar

import markupsafe
from kmark.analysis import raw
from kmark.analysis.cases import Case, Estimate, Null
from kmark.analysis.notation import WIDTH
from kmark.analysis.places import Group, Places
from kmark.analysis.site import Versus
from kmark.report import html, mail, model, report, schema, summary, text
from synthetic import ADDS, IMULS, MEMORY, Plan, case, guest_toggles, header, join, native_rows, toggles

SITES = {"empty": 1, "unrolled8": 8, "unrolled64": 64, "unrolled128": 128}
escape = markupsafe.escape
COSTS = {name: 0.25 * (place + 1) for place, name in enumerate(summary.VARIANTS)}
COSTS["nop5"] = COSTS["mark"]  # the same code
EVENTS = {
    "sink": 41.3,
    "ring": 35.1,
    "lttng": 523.2,
    "ring-buffer": 369.8,
    "trace-event": 594.0,
    "relay": 34.0,
}


def rows_of(state: str, guest: bool) -> list[list[str]]:
    rows = []
    for shape, sites in SITES.items():
        shifts = {name: cost * sites * (9 if state == "enabled" else 1) for name, cost in COSTS.items()}
        rows += native_rows(Plan(shape=shape, shifts=shifts, state=state, rounds=4), seed=sites)
    if state == "enabled":
        rows += native_rows(Plan(shape="event", shifts=EVENTS, state=state, rounds=4), seed=3)
    for row in rows:
        row[7] = str(SITES.get(row[2], 1))
        if guest:
            row[9:] = ["0"] * 4
    return rows


def full_report() -> model.Report:
    """All that a run can have, in both environments."""
    both = [row for state in summary.STATES for row in rows_of(state, False)]
    guest = [row for state in summary.STATES for row in rows_of(state, True)]
    chains = {"chain_adds": str(ADDS * 1000), "chain_imuls": str(IMULS * 1000)}
    output = header("native", **chains) + join(both) + toggles() + MEMORY
    output += header("vm") + join(guest) + guest_toggles() + MEMORY
    made = report.build(
        raw.parse(output, "here"), {"cpu": "AMD EPYC (family 26)"}, "2026-01-02T03:04:05+0000"
    )
    made = replace(made, size=[model.SiteSize("native", name, 5, 24) for name in COSTS])
    return report.parse(report.dump(made), "here")


class Screen(unittest.TestCase):
    made: ClassVar[model.Report] = full_report()
    lines: ClassVar[list[str]] = list(
        summary.lines(made, "results/20260102-030405/report.txt, report.html")
    )

    def test_fits(self) -> None:
        self.assertLessEqual(len(self.lines), summary.MOST_LINES)
        self.assertLessEqual(max(map(len, self.lines)), WIDTH)
        self.assertTrue(all(line == line.rstrip() for line in self.lines))

    def test_it_is_the_same_everywhere(self) -> None:
        page = "\n".join(summary.lines(self.made))
        self.assertIn(page, text.render(self.made))
        self.assertIn(page, mail.body(self.made, ""))
        found = html.render(self.made, [])
        for head, words in summary.facts(self.made):
            self.assertIn(f"<dt>{escape(head)}</dt><dd>{escape(words)}</dd>", found)
        for row in summary.site_rows(self.made):
            cells = "".join(f"<td>{escape(cell)}" for cell in row[1:])
            self.assertIn(f'<tr><th scope="row">{row[0]}{cells}', found)

    def test_each_site_is_that_of_the_json(self) -> None:
        costs = {(e.env, e.variant, e.state): e for e in self.made.site}
        rows = {line.split()[0]: line.split() for line in self.lines[3 : self.lines.index("")]}
        shown = [variant for variant in summary.VARIANTS if variant in rows]
        self.assertEqual(shown, list(summary.VARIANTS[: len(shown)]))
        self.assertGreater(len(shown), 8)
        for variant in shown:
            cells = rows[variant]
            wanted = []
            for env, unit in (("native", "cycles"), ("vm", "instructions")):
                for state in summary.STATES:
                    entry = costs[env, variant, state]
                    bent = "" if entry.linear else summary.BENT
                    wanted.append(summary.figure(entry.cost.median, unit) + bent)
            self.assertEqual(cells[1:6], [*wanted, "5+24"])

    def test_every_figure_is_in_the_json(self) -> None:
        """Each number of the prose is one of report.json, as figure() writes it."""
        known: set[str] = set()

        def visit(value: Any) -> None:
            if isinstance(value, dict):
                for each in value.values():
                    visit(each)
            elif isinstance(value, list):
                for each in value:
                    visit(each)
            elif isinstance(value, int | float):
                for unit in ("cycles", "instructions"):
                    known.update(
                        summary.figure(one, unit, sign) for one in (value, abs(value)) for sign in ("+", "")
                    )

        visit(schema.plain(replace(self.made, slips=[], breakeven=[])))
        visit([one.stored for one in self.made.breakeven if one.env == "2006"])
        start = self.lines.index("") + 1
        end = next(n for n, line in enumerate(self.lines) if line.startswith("of "))
        prose = " ".join(self.lines[start:end])
        figures = re.findall(
            r"(?<![\w,.-])[+-]?\d+(?:\.\d+)?(?:e[+-]\d+)?(?![\w,]|\.\d)",
            prose.replace("10,000", "").replace("in 2006", ""),
        )
        self.assertGreater(len(figures), 20)
        self.assertEqual([one for one in figures if one not in known], [])

    def test_verdicts_are_sentences_with_intervals(self) -> None:
        prose = " ".join(" ".join(self.lines).split())
        self.assertRegex(
            prose, r"MARK\(\) disabled costs 0\.2\d+ less than the static key \[-0\.2\S+, -0\.2\S+\]"
        )
        self.assertRegex(prose, r"An event by the probe ctf costs 481\.\d+ less than lttng \[-48")
        self.assertRegex(prose, r"complete event: sink \+41\.300, .*; LTTng in 2006 \+278\.00 cycles")
        self.assertRegex(prose, r"of \d+ native cells: \d+ noisy, \d+ not resolved")
        self.assertIn("full report: results/20260102-030405/report.txt, report.html", prose)

    def test_what_is_equal_has_a_bound(self) -> None:
        more = Estimate(0.0, -0.002, 0.001)
        entry = Versus("native", "empty", None, "mark", "key", "disabled", "cycles", 1, more, 0.0015, False)
        self.assertEqual(summary.difference(entry, "a key"), "equals a key within 0.0020")

    def test_older_reports_have_one_too(self) -> None:
        old = replace(self.made, site=[], versus=[], size=[], toggle=[])
        for line in summary.lines(old):
            self.assertLessEqual(len(line), WIDTH)


def cell(status: str, added: tuple[float, float, float], places: int = 1, **more: Any) -> Case:
    groups = Places(places, 1.0, 1.0, 1.0, (Group(1, 1.0),) * places)
    return case(status=status, added=Estimate(*added), places=groups, **{"resolution": 0.1, **more})


class Doubts(unittest.TestCase):
    def test_cells_are_counted(self) -> None:
        ok = (1.0, 0.5, 1.5)
        cases = [
            cell("ok", ok), cell("split", ok, places=2), cell("noisy", ok), cell("noisy", (1.0, -0.5, 2.0)),
            cell("unresolved", (0.05, 0.01, 0.09)), cell("negative", (-1.0, -1.5, -0.5)),
            cell("ok", ok, variant="none"), cell("ok", ok, env="vm", unit="instructions"),
        ]  # fmt: skip
        null = [
            Null.of(cell("ok", ok, shape=shape, state=state, resolution=resolution))
            for shape, state, resolution in (
                ("cold", "disabled", 2.5), ("empty", "disabled", 0.125), ("empty", "enabled", 9),
                ("unrolled8", "disabled", 9),
            )
        ]  # fmt: skip
        self.assertEqual(
            list(summary.doubt_facts(replace(report.of([], {}, ""), cases=cases, null=null))),
            [
                ("of 6 native cells", "2 noisy, 2 not resolved, 1 split by place, 1 negative"),
                (
                    "none against none, disabled",
                    "empty 0.1250, cold 2.5000 cycles a loop; less is not resolved",
                ),
            ],
        )

    def test_without_a_clock_there_are_none(self) -> None:
        exact = cell("ok", (1, 1, 1), env="vm", unit="instructions")
        self.assertEqual(list(summary.doubt_facts(replace(report.of([], {}, ""), cases=[exact]))), [])
