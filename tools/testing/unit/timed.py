# SPDX-License-Identifier: GPL-2.0-only
"""Texts and figures of the timing of a made-up machine, for test_whole_texts.py."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from pprint import pformat
from unittest import mock

import drawn
import test_series
from kmark.analysis import raw
from kmark.timing import kbest, method, method_plot, method_text, series, today, tsc

CREATED = "2026-01-02T03:04:05+0000"
# Samples of the ensembles of each test, by fence.
SAMPLES = {
    ("lfence", "offset"): [[26, 26, 30], [26, 28, 26]],
    ("lfence", "stores"): [[26], [26], [28], [30], [32], [34], [36], [38]],
    ("lfence", "before"): [[32]],
    ("lfence", "inside"): [[146]],
    ("rdtscp", "offset"): [[40, 44], [36, 44], [34, 34]],
    ("rdtscp", "stores"): [[40], [40], [40], [40]],
    ("rdtscp", "inside"): [[9000]],
    ("cpuid", "offset"): [[1500, 1600], [1500, 1600]],
    ("rdtsc", "offset"): [[20, 22]],
    ("rdtsc", "inside"): [[23, 25]],
}
KBEST = {
    "counter": "speed\tround\tsleep_ms\tby_sleep_hz\tby_clock_hz\tempty_cycles\n"
    "speed\t0\t40\t2309000000\t2299999851\t31\nspeed\t1\t40\t2312000000\t2300000451\t29\n"
    "speed\t2\t40\t2305000000\t2299999551\t37\n",
    "interval": "#tick_ns\t4000000\n#interrupt_cycles\t25000\n"
    "interval\tround\tdelta_us\tticks\tactual_us\n"
    "interval\t0\t10000\t7\t71250.5\ninterval\t1\t10000\t6\t68000.25\ninterval\t0\t10000\t2\t37500\n",
    "cache": "order\tround\tfirst\tplace\tfunction\tcycles\n"
    "order\t0\tfoo1\t1\tfoo1\t38120\norder\t0\tfoo1\t2\tfoo2\t25318\n"
    "order\t0\tfoo2\t1\tfoo2\t38964\norder\t0\tfoo2\t2\tfoo1\t12806\n",
    "scheme": "#scheme\tN 20, K 3, epsilon 0.001, CMIN 50000\n"
    "best\tclock\tus\texpected_ns\tns\truns\tcalls\tspread\tconverged\n"
    "best\tcounter\t100\t99999.728\t100328.7\t5\t1\t0.000026\t1\n"
    "best\tgettime\t100\t99999.728\t100643.0\t20\t4\t0.002500\t0\n",
    "validate": "validation\tload\tcompensated\tus\texpected\tmeasured\truns\tconverged\n"
    "validation\t1\t1002\t2000\t1000\t1040\t20\t0\nvalidation\t2\t1010\t500\t1000\t1100\t20\t1\n"
    "validation\t1\t1006\t500\t1000\t1060\t20\t1\n",
}
TSC = {
    "test_cpuspeed": "speed 2300\naverage of 5: 2300.1 MHz\n",
    "test_overhead": "tsc_readCycles   31.0  1 2  3\ntsc_readUs  40.5  - - 4\n",
    "test_syscall": "time   101.0  1 2  3\n",
}


def document(env: str, chains: str, **facts: str) -> raw.Raw:
    """`chains`: ticks of those around each series."""
    head = test_series.HEAD.replace("native", env).replace("tsc_step\t26", "tsc_step\t2")
    text = head + "".join(f"#{key}\t{value}\n" for key, value in facts.items()) + test_series.COLUMNS
    text += "bin\tseries\tfrom\twidth\tcount\nbin\t0\t0\t1\t4\nbin\t0\t28\t1\t1\nbin\t0\t30\t1\t1\n"
    for number, ((fence, test), ensembles) in enumerate(SAMPLES.items()):
        text += (
            f"series\t{number}\t{fence}\tread_{fence}\t{test}\t{len(ensembles[0])}\t4\t2\t2\t3\t{chains}\n"
        )
        for place, samples in enumerate(ensembles):
            one = test_series.ensemble(place, samples, 2 * place)
            lost = "2\t1\t99" if (number, place) == (0, 1) else "0\t0\t0"
            text += f"ensemble\t{number}\t{place}\t{one.stores}\t{one.kept}\t{one.sum:x}\t{one.squares:x}"
            text += f"\t{one.min}\t{one.max}\t{lost}\t500\n"
    return raw.parse(text, "test")[0]


def documents() -> list[raw.Raw]:
    facts = {"clocksources": "tsc hpet", "cpu": "A CPU", "kernel": "6.1"}
    return [
        document("native", "41000\t61480\t41000\t61480", tsc_khz="2300000", tsc_invariant="yes",
                 naive_register="2006 1234", **facts),
        document("vm", "0\t0\t0\t0", **facts),
        test_series.document(invariant="no", skew="100\t300", chains="40960\t70000\t40960\t70000"),
    ]  # fmt: skip


def of_method() -> str:
    made = documents()
    made[2].environment["clocksources"] = "hpet"
    facts = {"cpu": "AMD EPYC", "kernel": "6.1.0"}
    record = method_text.record(made[:1], CREATED, facts)
    del record["runs"][0]["fences"][2:]
    shown = pformat(record, width=100, sort_dicts=False, compact=True)
    return method_text.render(made, CREATED, facts) + shown + "\n"


def kbest_document(name: str, *_: str) -> raw.Raw:
    head = "#kmark-raw/1\n#env\tnative\n#tsc_hz\t2300000000\n#tsc_invariant\tyes\n"
    return raw.parse(head + KBEST[name], name)[0]


def of_kbest() -> str:
    lines = []
    for name, lines_of in kbest.LINES.items():
        lines += [name, *lines_of(kbest_document(name))]
    (point, *_) = kbest.points(kbest_document("validate").tables["validation"])
    points = [replace(point, load=load, us=us) for load in kbest.LOADS for us in (500, 2000)]
    lines += ["validate", *kbest.validation_lines(points), "time"]
    for accounting, converged, runs in (
        ("exact", 1, (1_000_000_000,)), ("ticks", 1, (1_320_000_000,)),
        ("exact", 1, (999_999_999, 5_000_000, 4_000_000)), ("exact", 0, (9_000_000, 8_000_000)),
        ("exact", 1, (9_000,)),
    ):  # fmt: skip
        head = f"#kmark-raw/1\n#env\tnative\n#tick_ns\t4000000\n#spread\t0.0005\n#converged\t{converged}\n"
        head += f"#accounting\t{accounting}\ncommand\tnumber\tcycles\tns\tuser_us\tsystem_us\tstatus\n"
        rows = "".join(f"command\t{number}\t1\t{ns}\t82000\t3000\t0\n" for number, ns in enumerate(runs))
        lines += kbest.timed_lines(kbest.judge_command(raw.parse(head + rows, "time")[0], 1.0))
    return "\n".join(lines) + "\n"


def of_today() -> Iterator[str]:
    """Yield the rows of the documents, measured by stand-ins for the programs."""
    with (
        tempfile.TemporaryDirectory() as folder,
        mock.patch.object(kbest, "run", kbest_document),
        mock.patch.object(kbest, "file_validation"),
        mock.patch.object(tsc, "make"),
        mock.patch.object(tsc, "run", lambda name, *_: TSC[name]),
        mock.patch.object(method, "host_obstacle", str),
    ):
        results = Path(folder) / "results"
        results.mkdir()
        (results / "figure-01-native.svg").touch()
        rows = today.measure(documents()[:2], results)
    yield from today.lines(rows[:2])
    yield from (f"{row['row']}: {row['today']}" for row in rows)


def of_figures() -> str:
    """The figures of the methods of timing, and the lecture's."""
    native, guest = map(series.load, documents()[:2])
    points = [
        kbest.Point(load, us, us / 1e5 / load - 0.004, 0.0, load < 2)
        for us in (2000, 500) for load in kbest.LOADS
    ]  # fmt: skip
    with drawn.as_text():
        figures = method_plot.figures(native + guest[:1]) | {
            "validation.svg": kbest.validation_plot(points)
        }
    return "".join(f"{name}: {picture}\n" for name, picture in figures.items())
