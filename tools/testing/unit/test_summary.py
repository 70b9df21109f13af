# SPDX-License-Identifier: GPL-2.0-only
"""The summary: one screen, and each of its figures is one of report.json."""

from __future__ import annotations

import functools
import re
import unittest
from dataclasses import replace
from typing import Any, ClassVar

import markupsafe
from kmark.analysis import raw
from kmark.analysis.cases import Case, Estimate, Null
from kmark.analysis.cold import ColdSite
from kmark.analysis.notation import WIDTH
from kmark.analysis.places import Group, Places
from kmark.analysis.site import LOOPS, Versus
from kmark.report import facts, figures, html, mail, model, report, summary, tables, text
from synthetic import ADDS, IMULS, MEMORY, Plan, case, guest_toggles, header, join, native_rows, toggles

SITES = {"empty": 1, "unrolled8": 8, "unrolled64": 64, "unrolled128": 128}
escape = markupsafe.escape
COSTS = {name: 0.25 * (place + 1) for place, name in enumerate((*figures.CHOICE, "nop5"))}
COSTS["nop5"] = COSTS["mark"]  # the same code
EVENTS = {
    "sink": 41.3,
    "counter": 35.2,
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
    for shape in ("event", "eventfiller") if state == "enabled" else ():
        rows += native_rows(Plan(shape=shape, shifts=EVENTS, state=state, rounds=4), seed=3)
    for row in rows:
        row[7] = str(SITES.get(row[2], 1))
        if guest:  # exact, and in instructions
            plan_costs = EVENTS if row[2].startswith("event") else COSTS
            shift = 100 * plan_costs.get(row[3], 0) * int(row[7]) * (9 if state == "enabled" else 1)
            row[8:] = [str(round((2 + shift) * int(row[6]))), *["0"] * 4]
    return rows


@functools.cache
def full_report() -> model.Report:
    """Return a report with all parts that a run can have, in both environments."""
    both = [row for state in figures.STATES for row in rows_of(state, False)]
    guest = [row for state in figures.STATES for row in rows_of(state, True)]
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
        linked = "\n".join(summary.lines(self.made, "https://example.org/"))
        self.assertIn(linked, mail.body(self.made, mail.Envelope(link="https://example.org/")))
        found = html.render(self.made, [])
        for head, words in facts.of(self.made):
            self.assertIn(f"<dt>{escape(head)}</dt><dd>{escape(words)}</dd>", found)
        self.assertIn(f"<p>{escape(summary.recommendation(self.made))}</p>", found)
        for table in summary.cost_tables(self.made):
            self.assertIn(f"<h4>{table.title}</h4>", found)
            for row in table.rows:
                cells = "".join(f"<td>{escape(cell)}" for cell in row[1:])
                self.assertIn(f'<tr><th scope="row">{escape(row[0])}{cells}', found)

    def test_each_cost_is_that_of_the_json(self) -> None:
        """One site: what the loop of 1, 8 or 64 adds, divided by the sites; ns by the clock's rate."""
        cases = {(c.env, c.shape, c.variant, c.state): c for c in self.made.cases}
        (rate,) = self.made.rate
        tables = list(summary.cost_tables(self.made))
        self.assertEqual([len(table.rows) for table in tables], [9, 7, 7])
        for shape, table in zip(LOOPS, tables, strict=True):
            for (variant, name), row in zip(figures.CHOICE.items(), table.rows, strict=False):
                wanted = [name]
                for state in figures.STATES:
                    native, guest = (cases[env, shape, variant, state] for env in ("native", "vm"))
                    cycles = native.added.median / native.sites
                    wanted += [
                        figures.figure(cycles, "cycles"), figures.figure(1000 * cycles / rate.mhz, "ns"),
                        figures.figure(guest.added.median / guest.sites, "instructions"),
                    ]  # fmt: skip
                self.assertEqual(row, wanted)

    def test_a_cheaper_kind_of_site_is_recommended(self) -> None:
        dear = Estimate(40.0, 39.0, 41.0)  # of 64 sites; a static key adds 32
        for env, names in (("native", "static key"), ("vm", "")):
            cases = [
                replace(one, added=dear)
                if (one.env, *one.name) == (env, LOOPS[-1], "mark", "disabled") else one
                for one in self.made.cases
            ]  # fmt: skip
            found = summary.recommendation(replace(self.made, cases=cases))
            self.assertEqual(found.startswith(f"Consider {names}, which costs less"), bool(names), found)

    def test_a_site_in_cold_code(self) -> None:
        cost = Estimate(0.3, 0.2, 0.4)
        entry = ColdSite("native", "cold", "mark", "disabled", "cycles", 1024, cost, 0.05)
        entries = [
            entry, replace(entry, state="enabled", cost=Estimate(17.04, 16.0, 18.0)),
            replace(entry, variant="key", cost=Estimate(0.01, -0.02, 0.03)), replace(entry, variant="imm"),
        ]  # fmt: skip
        ((head, words),) = facts.cold_facts(replace(self.made, cold=entries))
        self.assertEqual(head, "Cold, a site in code of 128 KB")
        self.assertEqual(
            words,
            "MARK() disabled 0.30; MARK() enabled 17.0; static key disabled <0.05 cycles (native, the "
            "fastest process).",
        )

    def test_a_site_in_code_of_several_sizes(self) -> None:
        made = replace(self.made, cold=[
            ColdSite("native", shape, "mark", "disabled", "cycles", sites, Estimate(n, n, n), 0.05, 9.0)
            for n, (shape, sites) in enumerate((("cold8k", 64), ("cold4m", 32768), ("coldmem", 1024)), 1)
        ])  # fmt: skip
        made.runs["native"]["caches"] = "L1 32K, L2 1024K"
        self.addCleanup(made.runs["native"].pop, "caches")
        ((head, words),) = facts.cold_facts(made)
        self.assertEqual(head, "Cold, a site in code of 8 KB, 4 MB, 128 KB in memory")
        self.assertIn("MARK() disabled 1.00, 2.00, 3.00 cycles", words)
        self.assertIn("caches: L1 32K, L2 1024K", words)
        rows = tables.of_cold(made.cold).rows
        self.assertEqual(rows, [
            ["8 KB", "9.0000", "+1.0000"], ["4,096 KB", "9.0000", "+2.0000"],
            ["memory", "9.0000", "+3.0000"],
        ])  # fmt: skip

    def test_an_event_by_way_of_storing(self) -> None:
        table = facts.event_table(self.made)
        self.assertEqual([row[0] for row in table.rows], [
            "a relay channel alone", "nothing: a bare read of the counter", "MARK(), recorder",
            "ftrace's buffer alone", "TRACE_EVENT(), ftrace",
        ])  # fmt: skip
        self.assertEqual([table.rows[2][at] for at in (1, 3)], ["41.3", "37,170"])
        alone = replace(self.made, cases=[one for one in self.made.cases if one.env == "vm"], rate=[])
        self.assertEqual(facts.event_table(alone).columns, ["way to store", "instructions"])

    def test_a_figure_has_three_digits_at_most(self) -> None:
        for value, unit, wanted in (
            (0.0077969, "cycles", "0.01"), (9.994, "cycles", "9.99"), (99.94, "ns", "99.9"),
            (99.96, "ns", "100"), (2.004, "instructions", "2"), (2.006, "instructions", "2.01"),
            (5.0049, "cycles", "5.00"), (9.996, "cycles", "10.0"),
            (34.52, "cycles", "34.5"), (277.91, "cycles", "278"), (29273.4, "ns", "29,300"),
            (-0.001, "cycles", "0.00"), (20363.0, "instructions", "20,363"), (1.5, "instructions", "1.50"),
        ):  # fmt: skip
            self.assertEqual(figures.figure(value, unit), wanted)
        found = re.findall(r"\d[\d,]*(?:\.\d+)?", " ".join(self.lines[2 : self.lines.index("")]))
        self.assertGreater(len(found), 60)

    def test_what_is_equal_has_a_bound(self) -> None:
        more = Estimate(0.0, -0.002, 0.001)
        entry = Versus("native", "empty", None, "mark", "key", "disabled", "cycles", 1, more, 0.0015, False)
        self.assertEqual(facts.difference(entry, "a key"), "equals a key")
        more = Estimate(0.0, -0.02, 0.01)
        entry = replace(entry, difference=more)
        self.assertEqual(facts.difference(entry, "a key"), "equals a key within 0.02")
        entry = replace(entry, difference=Estimate(0.0, -0.024, 0.01))
        self.assertEqual(facts.difference(entry, "a key"), "equals a key within 0.03")

    def test_a_further_site_that_is_not_resolved_has_a_bound(self) -> None:
        small = [
            replace(one, cost=Estimate(0.001, 0.0, 0.002))
            if (one.env, one.variant, one.state) == ("native", "mark", "disabled")
            else replace(one, cost=Estimate(0.0, -0.034, 0.02)) if one.variant == "null" else one
            for one in self.made.site
        ]  # fmt: skip
        ((_, words),) = facts.beyond_facts(replace(self.made, site=small))
        self.assertEqual(words, "each further MARK() takes <0.04 cycles disabled and 2.25 cycles enabled.")

    def test_a_bound_is_rounded_up(self) -> None:
        for value, words in (
            (0.0, "<0.01"), (0.021, "<0.03"), (9.991, "<10.0"), (12.31, "<12.4"), (999.5, "<1,000"),
            (1233.2, "<1,240"), (30040.0, "<30,100"),
        ):  # fmt: skip
            self.assertEqual(figures.bound(value), words)

    def test_a_tiny_difference_is_none(self) -> None:
        """Even one that is resolved: no reader would choose by it."""
        more = Estimate(-0.0077969 / 8, -0.0078 / 8, -0.0077 / 8)
        entry = Versus(
            "vm", "unrolled64", None, "mark", "key", "enabled", "instructions", 64, more, 0.0, True
        )
        self.assertEqual(facts.difference(entry, "that"), "equals that")

    def test_older_reports_have_one_too(self) -> None:
        old = replace(self.made, site=[], versus=[], size=[], toggle=[], rate=[])
        for line in summary.lines(old):
            self.assertLessEqual(len(line), WIDTH)


def cell(status: str, added: tuple[float, float, float], places: int = 1, **more: Any) -> Case:
    groups = Places(places, 1.0, 1.0, 1.0, (Group(1, 1.0),) * places)
    return case(status=status, added=Estimate(*added), places=groups, **{"resolution": 0.1, **more})


class Cells(unittest.TestCase):
    """Cells of the cost table, for one of 8 sites in a row."""

    def cost(self, status: str, added: tuple[float, float, float], **more: Any) -> str:
        return figures.cost(cell(status, added, sites=8, **more), 8)

    def test_a_figure_that_holds_everywhere(self) -> None:
        self.assertEqual(self.cost("ok", (41.3, 41.2, 41.5)), "5.16")

    def test_an_interval_where_places_disagree(self) -> None:
        self.assertEqual(self.cost("ok", (41.3, 40.0, 48.8)), "5.00..6.10")
        groups = Places(4, 1.0, 1.0, 1.0, (Group(2, 0.0), Group(2, 4.0)))
        split = cell("split", (0.0, 0.0, 0.0), sites=8)
        self.assertEqual(figures.cost(replace(split, places=groups), 8), "0.00..0.50")

    def test_a_bound_where_nothing_is_resolved(self) -> None:
        self.assertEqual(self.cost("unresolved", (0.05, -0.02, 0.09), resolution=0.1), "<0.02")
        self.assertEqual(self.cost("unresolved", (0.00001, -0.00002, 0.00001), resolution=0.0), "<0.01")

    def test_noise_is_no_figure(self) -> None:
        self.assertEqual(self.cost("noisy", (41.3, 41.2, 41.5)), "noisy")

    def test_instructions_are_exact(self) -> None:
        exact = {"unit": "instructions", "env": "vm"}
        self.assertEqual(self.cost("ok", (0.0, 0.0, 0.0), **exact), "0")
        self.assertEqual(self.cost("ok", (56.0, 56.0, 56.0), **exact), "7")


class Conditions(unittest.TestCase):
    def words(self, **run: str) -> str:
        exact = cell("ok", (1, 1, 1), env="vm", unit="instructions")
        host = {"hypervisor": "KVM"}
        runs = [{"env": "native"}, {"env": "vm", "kernel": "Linux 6.1", "guest_cpu": "EPYC-v1,+x", **run}]
        made = replace(
            report.of([], {}, ""), cases=[cell("ok", (1.0, 0.5, 1.5)), exact],
            environment=model.Environment(host, runs),
        )  # fmt: skip
        (found,) = facts.condition_facts(made)
        return found[1]

    def test_virtual_or_not_and_the_guests_cpu(self) -> None:
        found = self.words()
        self.assertTrue(found.startswith("native: virtual machine (KVM), user space without retpolines"))
        self.assertTrue(found.endswith("vm: Linux 6.1 on EPYC-v1, mitigations unknown"))

    def test_peers_that_the_kernel_could_not_enable(self) -> None:
        self.assertNotIn("could not enable", self.words())
        self.assertTrue(
            self.words(missing_peers="debug_site bpf").endswith(
                "not measured, because this kernel could not enable it: debug_site, bpf"
            )
        )

    def test_what_the_kernel_does_at_calls_and_returns(self) -> None:
        for mitigations, ibt, wanted in (
            ("none", {"ibt": "no"}, "retpolines no, return thunks no, IBT no"),
            ("spectre_v2:Mitigation: Retpolines", {}, "retpolines yes, return thunks no, IBT unknown"),
            ("retbleed:Mitigation: untrained return thunk", {"ibt": "yes"},
             "retpolines no, return thunks yes, IBT yes"),
            ("spec_rstack_overflow:Mitigation: Safe RET", {"ibt": "no"},
             "retpolines no, return thunks yes, IBT no"),
        ):  # fmt: skip
            self.assertTrue(self.words(mitigations=mitigations, **ibt).endswith(wanted))


class Busy(unittest.TestCase):
    """A machine that is not quiet is named in the first line, and its cycles are not shown."""

    made: ClassVar[model.Report] = full_report()

    def noisy(self, share: float, dropped: float) -> list[str]:
        native = [case for case in self.made.cases if case.env == "native" and case.variant != "none"]
        chosen = {id(case) for case in native[: round(share * len(native))]}
        cases = [
            replace(one, dropped=round(dropped * one.samples), status=("ok", "noisy")[id(one) in chosen])
            if one.env == "native" else one
            for one in self.made.cases
        ]  # fmt: skip
        return list(summary.lines(replace(self.made, cases=cases)))

    def test_limits(self) -> None:
        for figures_, busy, hides in (
            ((99, 9, 10, 2), False, False), ((90, 9, 10, 0), True, False), ((99, 0, 9, 2), True, True),
        ):  # fmt: skip
            found = figures.Noise("native", *figures_)
            self.assertEqual((found.busy, found.hides), (busy, hides))

    def test_a_quiet_machine_is_not_named(self) -> None:
        found = self.noisy(0.1, 0.05)
        self.assertTrue(found[0].startswith("Cost of markers"))

    def test_disturbed_samples_are_the_first_line(self) -> None:
        found = self.noisy(0.15, 0.12)
        self.assertRegex(found[0], "^THE MACHINE WAS BUSY: 12 % of the samples were disturbed")
        self.assertIn("cycles enabled", " ".join(found))

    def test_noisy_cells_hide_the_cycles(self) -> None:
        found = self.noisy(0.3, 0.4)
        self.assertIn("No cycles are shown", " ".join(found[:3]))
        row, *_ = (
            line.split() for line in found if line.startswith("MARK()") and line.split()[-1] == "225"
        )
        self.assertEqual(row, ["MARK()", "-", "-", "25", "-", "-", "225"])
        self.assertNotIn("Beyond 64", " ".join(found))


class Doubts(unittest.TestCase):
    def test_the_clock_is_that_of_the_first_environment_in_cycles_or_the_native_one(self) -> None:
        guest, uml, native = (
            cell("ok", (1, 1, 1), env=env, unit=unit)
            for env, unit in (("vm", "instructions"), ("uml", "cycles"), ("native", "cycles"))
        )
        for cases, wanted in (
            ([], None),
            ([guest], None),
            ([guest, uml], "uml"),
            ([uml, native], "native"),
        ):
            self.assertEqual(figures.timed_env(replace(report.of([], {}, ""), cases=cases)), wanted)

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
            list(facts.doubt_facts(replace(report.of([], {}, ""), cases=cases, null=null))),
            [
                ("Of 6 native cells", "2 noisy, 2 not resolved, 1 split by place, 1 negative"),
                ("Not resolved", "less than empty 0.13, cold 2.50 cycles a loop, disabled"),
            ],
        )

    def test_without_a_clock_there_are_none(self) -> None:
        exact = cell("ok", (1, 1, 1), env="vm", unit="instructions")
        self.assertEqual(list(facts.doubt_facts(replace(report.of([], {}, ""), cases=[exact]))), [])
