# SPDX-License-Identifier: GPL-2.0-only
"""Whole texts of reports about made-up measurements: each line is that of whole_texts.txt.

After a wanted change, `WRITE_TEXTS=1 tools/testing/unit/unit.t` writes that file; read the difference."""

from __future__ import annotations

import os
import tempfile
import unittest
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import test_macro
import test_report
import test_series
import test_summary
from kmark.analysis import raw
from kmark.analysis.cases import Estimate
from kmark.analysis.cold import ColdSite
from kmark.analysis.scale import Point
from kmark.kernel_cost import functions
from kmark.kernel_cost import report as cost
from kmark.kernel_cost.changes import Changed
from kmark.kernel_cost.figures import Figure, Row
from kmark.macro import report as macro
from kmark.report import compare, history, mail, rates, report, summary, text
from kmark.timing import kbest, method_text
from test_compare import made

FILE = Path(__file__).resolve().parent / "whole_texts.txt"
HEAD = "==== "  # in the file: the name of a text follows
CREATED = "2026-01-02T03:04:05+0000"
FACTS = {"cpu": "AMD EPYC (family 26)", "kernel": "6.1.0"}
KBEST = {
    "counter": "speed\tround\tsleep_ms\tby_sleep_hz\tby_clock_hz\tempty_cycles\n"
    "speed\t0\t40\t2309000000\t2299999851\t31\nspeed\t1\t40\t2312000000\t2300000451\t29\n"
    "speed\t2\t40\t2305000000\t2299999551\t37\n",
    "interval": "#tick_ns\t4000000\n#interrupt_cycles\t25000\n"
    "interval\tround\tdelta_us\tticks\tactual_us\n"
    "interval\t0\t10000\t7\t71250.5\ninterval\t1\t10000\t6\t68000.25\ninterval\t0\t10000\t2\t17500\n",
    "cache": "order\tround\tfirst\tplace\tfunction\tcycles\n"
    "order\t0\tfoo1\t1\tfoo1\t38120\norder\t0\tfoo1\t2\tfoo2\t25318\n"
    "order\t0\tfoo2\t1\tfoo2\t38964\norder\t0\tfoo2\t2\tfoo1\t12806\n",
    "scheme": "#scheme\tN 20, K 3, epsilon 0.001, CMIN 50000\n"
    "best\tclock\tus\texpected_ns\tns\truns\tcalls\tspread\tconverged\n"
    "best\tcounter\t100\t99999.728\t100328.7\t5\t1\t0.000026\t1\n"
    "best\tgettime\t100\t99999.728\t100643.0\t20\t4\t0.002500\t0\n",
}


def of_macro() -> str:
    documents = raw.parse(test_macro.text(null=70), "test")
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


def of_method() -> str:
    documents = [test_series.document(), test_series.document(invariant="no", skew="100\t300")]
    return method_text.render(documents, CREATED, {"cpu": "AMD EPYC", "kernel": "6.1.0"})


def of_kbest() -> str:
    head = "#kmark-raw/1\n#env\tnative\n#tsc_hz\t2300000000\n#tsc_invariant\tyes\n"
    lines = []
    for name, rows in KBEST.items():
        (document,) = raw.parse(head + rows, name)
        lines += [name, *kbest.LINES[name](document)]
    row = {"load": "2", "us": "2000", "expected": "1000", "measured": "1040", "compensated": "1002",
           "runs": "20", "converged": "0"}  # fmt: skip
    (point,) = kbest.points([row])
    points = [replace(point, load=load, us=us) for load in kbest.LOADS for us in (500, 2000)]
    return "\n".join([*lines, "validate", *kbest.validation_lines(points)]) + "\n"


def of_comparison() -> str:
    a, b = made(), made({"generic": 9999.0, "flip": 0.8, "key": 0.25}, guest={"generic": 9, "nop5": 1})
    b.environment.host["cpu"] = "another"
    return compare.render(compare.compare(a, b), a, b)


def of_history() -> str:
    with tempfile.TemporaryDirectory() as folder:
        for number, costs in enumerate(({"flip": 0.5}, {"flip": 0.8}, {"flip": 0.3})):
            kept = replace(made(costs, seed=number + 1), created=f"2026-01-02T0{number}:00:00+0000")
            Path(folder, str(number)).mkdir()
            Path(folder, str(number), "report.json").write_text(report.dump(kept))
        found = history.trace(history.load(Path(folder), []), ["flip", "generic"])
        return "\n".join(history.lines(found, ["flip", "generic"])) + "\n"


def of_report() -> str:
    """The tables that sample_report() has, and those of cold code and of many sites."""
    cost = Estimate(3.25, 3.0, 3.5)
    resolved = ColdSite("native", "cold8k", "mark", "disabled", "cycles", 64, cost, 0.5, 9.0)
    less = Estimate(0.25, -0.125, 0.375)
    cold_sites = [
        resolved, replace(resolved, variant="key"), replace(resolved, variant="key", state="enabled"),
        replace(resolved, shape="coldmem", sites=1024, cost=less, step=77.5),
    ]  # fmt: skip
    point = Point("native", "connect", 100, 12, Estimate(40.0, 39.0, 42.0))
    many = [point, replace(point, sites=10000, per_site=Estimate(50.0, 48.0, 51.0))]
    return text.render(replace(test_report.sample_report(), cold=cold_sites, scale=many))


def of_mail() -> str:
    return mail.body(test_summary.full_report(), mail.Envelope(cover="Two words.\n\n> a quoted line\n"))


def of_rates() -> str:
    found = [
        rates.Rate(rates.HALVES, 100, 7, 9, 2800, 98.75, 99.5),
        rates.Rate(rates.SIMULATED, 50, 0, 0, 800, 100, 100),
    ]
    return "\n".join(rates.lines(found)) + "\n"


TEXTS: dict[str, Callable[[], str]] = {
    "macro": of_macro,
    "kernel-cost": lambda: cost.render(of_kernel_cost()),
    "kernel-cost-table": of_costs,
    "method": of_method,
    "kbest": of_kbest,
    "report": of_report,
    "summary": lambda: "\n".join(summary.lines(test_summary.full_report(), "report.txt")) + "\n",
    "compare": of_comparison,
    "history": of_history,
    "mail": of_mail,
    "rates": of_rates,
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
