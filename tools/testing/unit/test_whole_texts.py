# SPDX-License-Identifier: GPL-2.0-only
"""Whole texts of reports about made-up measurements: each line is that of whole_texts.txt.

After a wanted change, `WRITE_TEXTS=1 tools/testing/unit/unit.t` writes that file; read the difference."""

from __future__ import annotations

import json
import os
import tempfile
import unittest
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from pprint import pformat
from unittest import mock

import asked
import converted
import drawn
import measured
import offered
import test_lkml_2006_rows
import test_macro
import test_many
import test_plots
import test_report
import test_summary
import timed
from kmark import host
from kmark.analysis import raw
from kmark.analysis.cases import Estimate
from kmark.analysis.cold import ColdSite
from kmark.analysis.scale import Point
from kmark.bench import baseline, native, padding
from kmark.convert import target
from kmark.kernel_cost import functions
from kmark.kernel_cost import report as cost
from kmark.kernel_cost.changes import Changed
from kmark.kernel_cost.figures import Figure, Row
from kmark.macro import report as macro
from kmark.record import ctf, ctf2
from kmark.reference import slips
from kmark.report import (
    agree,
    breakeven,
    breakeven_plot,
    choice_plot,
    compare,
    compare_plot,
    draw,
    history,
    history_plot,
    html,
    mail,
    many,
    model,
    plots,
    rates,
    report,
    samples,
    summary,
    text,
    thread_tables,
)
from kmark.report.breakeven import Breakeven, Term
from synthetic import ADDS, IMULS, Plan, changed, guest_toggles, header, join, native_rows, toggles, vm
from test_breakeven import CASES
from test_compare import made

FILE = Path(__file__).resolve().parent / "whole_texts.txt"
HEAD = "==== "  # in the file: the name of a text follows
CREATED = "2026-01-02T03:04:05+0000"
FACTS = {"cpu": "AMD EPYC (family 26)", "kernel": "6.1.0"}


def of_macro() -> str:
    more = test_macro.text(null=70, env="uml", workload="flood") + test_macro.text(workload="compile")
    documents = raw.parse(test_macro.text(null=70) + more, "test")
    return macro.render(macro.build(documents, FACTS, CREATED))


def of_kernel_cost() -> cost.Report:
    rows = [
        Row("null", Figure(1000, 1), Figure(1002, 1)),
        Row("open", Figure(2345, 1), Figure(2345, 1)),
        Row("fork", Figure(50000, 90), Figure(50010, 70)),
        Row("exec", Figure(70000, 60), Figure(70100, 75)),
        Row("marker", None, Figure(5, 1)),
    ]
    old, new = (cost.Facts(name, "6.1.0", digit * 64, {}) for name, digit in (("old", "1"), ("new", "2")))
    shares = {"null": [functions.Share(f"f{n:02}", 3 * n, 5 * n + 1) for n in range(10)]}
    changed = [
        Changed("fs/a.c", "ran", True, {"null": 3}, True),
        Changed("fs/a.c", "entered", True, {"null": 1}, False),
        Changed("fs/a.c", "inlined", None, {}, False),
        Changed("drivers/b.c", "far", False, {}, False),
    ]
    size = cost.Size(48, -16, 8, {"grown()": 48, "flag": 8})
    return cost.Report("QEMU 7.2", "max", 2, old, new, rows, shares, size, changed)


def of_costs() -> str:
    one = of_kernel_cost()
    same = replace(one, rows=one.rows[1:2], functions={}, size=None, changed=None)
    found = [
        cost.Comparison("0001-null.patch", one),
        cost.Comparison("0002-same.patch", same),
        cost.Comparison("0003-none.patch", None, "it does not apply"),
    ]
    return "\n".join(
        [cost.table(found), cost.markdown_table(found), cost.junit(found, 9), cost.markdown(one)]
    )


def of_cost_entry() -> str:
    """Each key of the JSON in a line."""
    return "".join(f"{key} {json.dumps(value)}\n" for key, value in cost.entry(of_kernel_cost()).items())


def of_one_loop(found: model.Report) -> model.Report:
    """Leave out the loops whose figures are those of the empty one."""
    return replace(found, cases=[case for case in found.cases if case.shape == "empty"])


def of_comparison() -> str:
    a, b = made(), made({"generic": 9999.0, "flip": 0.8, "key": 0.25}, guest={"generic": 9, "nop5": 1})
    b.environment.host["cpu"] = "another"
    a, b = of_one_loop(a), of_one_loop(b)
    return compare.render(compare.compare(a, b), a, b)


def of_history() -> str:
    with tempfile.TemporaryDirectory() as folder:
        for number, costs in enumerate(({"flip": 0.5}, {"flip": 0.8}, {"flip": 0.3})):
            kept = replace(made(costs, seed=number + 1), created=f"2026-01-02T0{number}:00:00+0000")
            Path(folder, str(number)).mkdir()
            Path(folder, str(number), "report.json").write_text(report.dump(kept))
        found = history.trace(history.load(Path(folder), []), ["flip", "generic"])
        return "\n".join(history.lines(found, ["flip", "generic"])) + "\n"


def with_all_tables() -> model.Report:
    """sample_report() with cold code and many sites."""
    cost = Estimate(3.25, 3.0, 3.5)
    resolved = ColdSite("native", "cold8k", "mark", "disabled", "cycles", 64, cost, 0.5, 9.0)
    less = Estimate(0.25, -0.125, 0.375)
    cold_sites = [
        resolved, replace(resolved, variant="key"), replace(resolved, variant="key", state="enabled"),
        replace(resolved, shape="coldmem", sites=1024, cost=less, step=77.5),
    ]  # fmt: skip
    point = Point("native", "connect", 100, 12, Estimate(40.0, 39.0, 42.0))
    scales = [point, replace(point, sites=10000, per_site=Estimate(50.0, 48.0, 51.0))]
    return replace(test_report.sample_report(), cold=cold_sites, scale=scales)


def of_report() -> str:
    """A report, and the tables that it has not."""
    bent = replace(test_summary.full_report().of_env("native"), memory=[], toggle=[])
    bent.site[:2] = [replace(one, linear=False) for one in bent.site[:2]]
    rare = [*text.env_tables(bent), *text.breakeven_lines(replace(bent, breakeven=breakeven.load(CASES)))]
    return text.render(with_all_tables()) + "\n".join(rare) + "\n"


def of_mail() -> str:
    return mail.body(test_summary.full_report(), mail.Envelope(cover="Two words.\n\n> a quoted line\n"))


RATES = [
    rates.Rate(rates.HALVES, 100, 7, 9, 2800, 98.75, 99.5),
    rates.Rate(rates.SIMULATED, 50, 0, 0, 800, 100, 100),
]


def of_rates() -> str:
    found = [RATES, RATES[1:], [replace(RATES[0], wrong=20)], [replace(RATES[1], agree_median=94.9)]]
    return "\n".join(line for some in found for line in rates.lines(some)) + "\n"


BREAKEVEN = [
    Breakeven("vm", "instructions", marker, dynamic, Term(1.0, resolved, "cold"), 1.0, 1.0,
              None, "", None, events, None, None, None)
    for marker, dynamic, events, resolved in (
        ("mark", "kprobe-int3", 0.5, True), ("key", "kprobe-int3", 2000.0, False),
        ("imm", "kprobe-int3", None, True), ("other", "ftrace", 9e5, True),
    )
]  # fmt: skip
OTHER_SHAPES = "vm-memcpy4096", "vm-unrolled8"  # as those of the empty loop


def sampled() -> tuple[model.Report, dict[str, list[samples.Group]]]:
    """Samples of both units, on linear and on logarithmic axes, with dots outside the axis."""
    costs = {"imm": 3.0, "key": -0.4, "flip": 1e-5, "imm-varargs": 0.5}
    near = replace(test_plots.PLAN, shifts=costs, noise=0.02)
    rows = native_rows(near)
    rows[5][8] = str(3 * int(rows[5][8]))
    far = Plan(shifts={"imm": 3.0, "kprobe": 4000.0, "key": 0.5}, shape="memcpy4096", state="enabled")
    text = header("native", chain_adds=str(1000 * ADDS), chain_imuls=str(1000 * IMULS))
    text += join([*rows, *native_rows(far)]) + toggles()
    made, groups = test_plots.made(text + vm({"mark": 3, "kprobe": 301}) + guest_toggles())
    return changed(made, lambda case: case.variant == "kprobe", status="noisy"), groups


def of_plots() -> str:
    made, groups = sampled()
    with drawn.as_text():
        found = [plot for maker in plots.makers(made, groups) for plot in plots.run(maker)]
        full = test_summary.full_report()
        cases = [one for one in full.cases if one.shape == "unrolled64"]
        with draw.style():
            found += choice_plot.draw_all(replace(full, cases=cases))
            found += breakeven_plot.draw_all(replace(made, breakeven=BREAKEVEN), "vm")
    return drawn.of_plots(one for one in found if not one.name.startswith(OTHER_SHAPES))


def of_several() -> str:
    """Plots and pages of several reports: compared, and in the course of time."""
    names = ["flip", "key"]
    costs = Estimate(3, 2.5, 3.5), Estimate(4, 4, 4), None, Estimate(0.01, 0, 0.02)
    points = [
        history.Point(
            f"{number}.json", f"2026-01-02T03:0{number}:00+0000", "Linux 6.1.0-a-very-long-name",
            {name: {state: costs[(number + place) % 4] for place, state in enumerate(history.STATES)}
             for name in names}, *(["x"] * count for count in (9 * number, 8)),
        )
        for number in range(2)
    ]  # fmt: skip
    nothing = [replace(points[0], cost={name: dict.fromkeys(history.STATES) for name in names})]
    series = [
        history.Series(env, "AMD EPYC", unit, some)
        for env, unit, some in (("uml", "cycles", nothing), ("native", "cycles", points))
    ]
    others = made(), made({"generic": 2.0, "flip": 0.8}, {"generic": 4, "pun": 1}, seed=2)
    others[1].environment.host["cpu"] = "another"
    compared = many.compare_all(test_many.named(*map(of_one_loop, [*others, made(seed=3)])), 1.0, 0.25)
    with drawn.as_text():
        of_time = list(history_plot.draw_all(series, names))
        of_reports = list(compare_plot.draw_all(compared))
    pages = [history.page(series, names, of_time), many.page(compared, of_reports)]
    lines = [
        *history.lines(series, names),
        *many.lines(compared),
        *(line for page in pages for line in drawn.of_page(page)),
    ]
    return drawn.of_plots([*of_time, *of_reports]) + "\n".join(lines) + "\n"


def of_agreement() -> str:
    a = made({"flip": 0.5, "key": 0.5}, {"imm": 3})
    b = made({"flip": 0.8, "key": 0.5}, {"imm": 4, "pun": 1}, seed=2)
    b.environment.host["cpu"] = "another"
    b = changed(b, lambda case: case.variant == "key", status="noisy")
    return "\n".join(agree.lines(agree.agreement(a, b), 12.5)) + "\n"


def of_mails_of_2006() -> str:
    """The thread's figures, and its rows with those of today."""
    figures = [line for table in thread_tables.of(None) for line in (table.title, *table.lines())]
    found = test_lkml_2006_rows.with_rows()
    return "\n".join([*slips.lines(slips.load()), *figures, *text.row_lines(found)]) + "\n"


def of_page() -> str:
    found = replace(with_all_tables(), breakeven=BREAKEVEN)
    names = "native-empty-added", "native-empty-layout", "native-toggle", "vm-toggle", "vm-breakeven"
    pictures = [draw.Plot(name, name.partition("-")[0], "", "", "") for name in names]
    pictures.append(draw.Plot("choice-enabled", choice_plot.SECTION, "", "", ""))
    return "\n".join(drawn.of_page(html.make(found, pictures))) + "\n"


def of_records() -> str:
    """Documents in JSON, of all kinds whose other text is short."""
    a, b = made({"flip": 0.5, "key": 0.5}, {}), made({"flip": 0.8, "key": 0.5}, {}, seed=2)
    compared = many.compare_all(test_many.named(a, b), 1.0, 0.25)
    point = history.Point(
        "a", CREATED, "6.1", {"flip": {"disabled": Estimate(1, 0, 2), "enabled": None}}, ["x"], None
    )
    before, now = (baseline.Baseline(f"gcc {n}", {"a": n, "b": 1}, "cpu", f"m {n}") for n in (12, 13))
    with mock.patch.object(host, "host", lambda: {"cpu": "A CPU"}):
        found = {
            "agreement": agree.record(agree.agreement(a, b), a, b),
            "comparison": many.record(compared),
            "history": history.record([history.Series("native", "one", "cycles", [point])]),
            "rates": rates.record(RATES),
            "padding": padding.record(padding.Padding(dict.fromkeys(asked.SITES, 1.0) | {"pun": 1.5})),
            "baseline": baseline.record(before, now),
            "machine": native.description("one", CREATED),
        }
    for one in found["comparison"]["reports"]:
        one["environment"] = list(one["environment"])
    return "".join(f"{name}: {pformat(one, width=100, sort_dicts=False)}\n" for name, one in found.items())


TEXTS: dict[str, Callable[[], str]] = {
    "macro": of_macro,
    "kernel-cost": lambda: cost.render(of_kernel_cost()),
    "kernel-cost-table": of_costs,
    "convert-module": lambda: converted.of_conversion(target.MODULE),
    "convert-tree": lambda: converted.of_conversion(target.TREE),
    "ctf": lambda: converted.of_trace(ctf.metadata),
    "ctf2": lambda: converted.of_trace(ctf2.metadata),
    "kernel-cost-json": of_cost_entry,
    "vmlinux": converted.of_vmlinux,
    "method": timed.of_method,
    "kbest": timed.of_kbest,
    "report": of_report,
    "summary": lambda: "\n".join(summary.lines(test_summary.full_report(), "report.txt")) + "\n",
    "compare": of_comparison,
    "history": of_history,
    "mail": of_mail,
    "rates": of_rates,
    "verbs": offered.of_verbs,
    "options": offered.of_options,
    "plots": of_plots,
    "several": of_several,
    "today": lambda: "\n".join(timed.of_today()) + "\n",
    "timing": timed.of_figures,
    "page": of_page,
    "records": of_records,
    "cases": measured.of_cases,
    "agree": of_agreement,
    "gates": measured.of_gates,
    "list": measured.of_list,
    "lkml-2006": of_mails_of_2006,
    "asked": asked.of_asked,
}


def read() -> dict[str, list[str]]:
    """The lines of each text, by name."""
    found: dict[str, list[str]] = {}
    for line in FILE.read_text(encoding="utf-8").splitlines()[1:]:
        if line.startswith(HEAD):
            found[line.removeprefix(HEAD)] = []
        else:
            found[next(reversed(found))].append(line)
    return found


def write(texts: dict[str, list[str]]) -> None:
    lines = FILE.read_text(encoding="utf-8").splitlines()[:1]  # the license
    for name, text_ in texts.items():
        lines += [f"{HEAD}{name}", *text_]
    FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")


class WholeTexts(unittest.TestCase):
    maxDiff = None

    def test_texts(self) -> None:
        found = {name: make().splitlines() for name, make in TEXTS.items()}
        if os.environ.get("WRITE_TEXTS"):
            write(found)
        expected = read()
        self.assertEqual(list(found), list(expected))
        for name, lines in found.items():
            with self.subTest(name):
                self.assertEqual(lines, expected[name])
