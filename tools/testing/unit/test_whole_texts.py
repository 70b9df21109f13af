# SPDX-License-Identifier: GPL-2.0-only
"""Whole texts of reports about made-up measurements: each line is that of whole_texts.txt.

After a wanted change, `WRITE_TEXTS=1 tools/testing/unit/unit.t` writes that file; read the difference."""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import unittest
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from unittest import mock

import made_trace
import test_arguments
import test_convert
import test_macro
import test_report
import test_series
import test_summary
import test_vmlinux
from kmark import cli
from kmark.analysis import raw
from kmark.analysis.cases import Estimate
from kmark.analysis.cold import ColdSite
from kmark.analysis.scale import Point
from kmark.binary import vmlinux
from kmark.cache import TOP
from kmark.commands import help as pages_of_help
from kmark.convert import headers, tree
from kmark.convert.target import MODULE, TREE, Target
from kmark.kernel_cost import functions
from kmark.kernel_cost import report as cost
from kmark.kernel_cost.changes import Changed
from kmark.kernel_cost.figures import Figure, Row
from kmark.macro import report as macro
from kmark.record import clock, ctf, ctf2, layout
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


def of_trace(metadata: Callable[..., str]) -> str:
    """The metadata of a trace with an event of all contexts and types, and one with nothing."""
    fields = "s8:10,u16:8,ptr:16,str:10,enum:IDLE=0;GONE_2=-1,bytes:6"
    row = {"id": "70000", "marker": 'a/"b"\\\n\t', "fields": fields, "names": "pid,kstack,p,s,e,b"}
    rows = [
        {**row, "context": ",".join([*layout.STACKS, *layout.CONTEXT])},
        {"id": "0", "marker": "none", "fields": "-", "names": "-", "context": "-"},
    ]
    found = clock.Clock("tsc", 2_000_000_000, 5_000_000_000, 1_700_000_000_250_000_000)
    return metadata(made_trace.TRACE, found, made_trace.BOOT, rows, {"hostname": "box", "domain": "x"})


EVENTS = {
    "plain": ("__field(u64, a) __field(bool, b)", "__entry->a = n; __entry->b = !n;",
              '"of a=%llx, b: %d", __entry->a, __entry->b'),
    "texts": ("__string(a, p->a) __array(char, b, LEN) __array(u16, c, 3) __sockaddr(d, n)",
              "__assign_str(a); strscpy(__entry->b, p->b, LEN); memcpy(__entry->c, p->c, 6); "
              "__assign_sockaddr(d, p->d, n);"),
    "condition": ("__field(int, a) __string(b, p->x)",
                  "int m = n; if (m) __entry->a = m; else __assign_str(b, p->x);"),
    "varies": ("__dynamic_array(u16, a, n) __dynamic_array(char, b, n + 1) __bitmask(c, n) __cpumask(d)",
               "memcpy(__get_dynamic_array(a), p->a, __get_dynamic_array_len(a)); "
               "memcpy(__get_str(b), p->b, n); __get_str(b)[n] = 0; "
               "__assign_bitmask(c, p->c, n); __assign_cpumask(d, p->d);"),
    "parts": ("__string_len(a, p->a, n) __vstring(b, p->f, p->v) __string(c, p->c)",
              "__assign_str(a); __assign_vstr(b, p->f, p->v); __assign_str(c, p->c); "
              "(void)strreplace(__get_str(c), ' ', '_');"),
    "structure": ("__field_struct(struct x, a) __array(u8, b, 8)",
                  "__entry->a = p->x; fill(__entry->b, n);"),
    "refused": ("__field(struct x, a)", ""),
    "line": ("__field(int, line)", "__entry->line = n;"),
}  # fmt: skip


def of_conversion(target: Target) -> str:
    """The summary, the JSON, and for modules the header of C."""
    events = (test_convert.event(*words).replace("(own,", f"({name},", 1) for name, words in EVENTS.items())
    inner = "\n#ifdef CREATE_TRACE_POINTS\nstatic inline void own_inner(void) { }\n#endif\n"
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, headers.FOLDER)
        place.mkdir(parents=True)
        (Path(folder, "include") / "types.h").write_text(test_convert.TYPES)
        place.joinpath("own.h").write_text(test_convert.HEADER.replace("EVENTS", inner + "\n".join(events)))
        found = tree.convert(Path(folder), target)
        (made,) = tree.write(found, Path(folder, "made"))
        lines = [tree.as_text(found)]
        for key, value in tree.as_json(found, Path("linux")).items():
            parts = value if isinstance(value, list) else [value]
            lines += [f"{key} {json.dumps(part)}" for part in parts]
        return "\n".join([*lines, "" if target.is_tree else made.read_text()])


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


def of_vmlinux() -> str:
    test_vmlinux.Vmlinux.setUpClass()
    found = test_vmlinux.Vmlinux.growth
    return "\n".join([*vmlinux.lines(found, "x86-64"), json.dumps(vmlinux.record(found, "x86-64"))])


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


def of_option(action: argparse.Action) -> str:
    facts = {
        "choices": "|".join(action.choices or ()), "type": getattr(action.type, "__name__", ""),
        "default": str(action.default).removeprefix(f"{TOP}/"), "const": action.const,
        "nargs": action.nargs, "required": action.option_strings and action.required and "yes",
    }  # fmt: skip
    shown = [f"{name} {fact}" for name, fact in facts.items() if fact not in ("None", "False") and fact]
    words = [*action.option_strings, str(action.metavar or action.dest), *shown]
    return f"  {' '.join(words)}: {action.help}"


def of_options() -> str:
    """Return all that the help of the verbs says, in a form that no version of Python changes."""
    lines = []
    with mock.patch("os.cpu_count", return_value=12):
        for verb, parser in test_arguments.leaves():
            lines += [verb, f"  {parser.description}", f"  {parser.epilog}"]
            lines += [of_option(action) for action in parser._actions[1:]]
            for group in parser._mutually_exclusive_groups:
                lines.append(f"  one of {' '.join(one.dest for one in group._group_actions)}")
    return "\n".join(lines) + "\n"


def of_verbs() -> str:
    groups = cli.groups(installed=False)
    below = [pages_of_help.table(verb.verbs) for verbs in groups.values() for verb in verbs.values()]
    return pages_of_help.overview(groups) + "".join(below)


TEXTS: dict[str, Callable[[], str]] = {
    "macro": of_macro,
    "kernel-cost": lambda: cost.render(of_kernel_cost()),
    "kernel-cost-table": of_costs,
    "convert-module": lambda: of_conversion(MODULE),
    "convert-tree": lambda: of_conversion(TREE),
    "ctf": lambda: of_trace(ctf.metadata),
    "ctf2": lambda: of_trace(ctf2.metadata),
    "kernel-cost-json": of_cost_entry,
    "method": of_method,
    "kbest": of_kbest,
    "vmlinux": of_vmlinux,
    "report": of_report,
    "summary": lambda: "\n".join(summary.lines(test_summary.full_report(), "report.txt")) + "\n",
    "compare": of_comparison,
    "history": of_history,
    "mail": of_mail,
    "rates": of_rates,
    "verbs": of_verbs,
    "options": of_options,
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
