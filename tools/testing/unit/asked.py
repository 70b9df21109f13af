# SPDX-License-Identifier: GPL-2.0-only
"""A list of the programs, guests and targets of make that measurements ask for, made by stand-ins."""

from __future__ import annotations

import contextlib
import io
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any
from unittest import mock

import test_lkml_2006_rows
import test_series
from kmark import cache, host, lock
from kmark.bench import baseline, cases, lttng, lttng_modules, native, padding, paths, runner
from kmark.binary import disassemble, size
from kmark.errors import Failure, Usage
from kmark.guest import kvm, uml, vm
from kmark.kernel import package
from kmark.report import html, report
from kmark.timing import method
from synthetic import Plan, guest_toggles, toggles
from synthetic import native as native_raw
from synthetic import vm as guest_raw

LTTNG = {"LTTNG_HOME": "/home"}
LIST = "shape\tvariant\tstate\tloops\tsites\nempty\tnone\tdisabled\t10\t1\n"
PLAN = Plan(rounds=1, layouts=1)
SITES = (*padding.PADDED, *padding.WITHOUT)
PADDED = Plan(rounds=1, layouts=2, shifts=dict.fromkeys(SITES, 3.0), state="enabled")
FACTS = ("#guest_cpu", "#addresses", "#caches", "#clocksources", "#lines", "#processes")


class Asked:
    """A list of all that is asked for, and the answers. `guest`: what a guest prints, by its command."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.fence = "lfence"

    def note(self, what: str, *words: object) -> None:
        text = " ".join([what, *map(str, words)]).rstrip()
        self.lines.append(text.replace(f"{cache.TOP}/", ""))

    def kept(self, found: list[Any], *words: object) -> list[Any]:
        self.note(*map(str, words))
        return found

    def note_files(self, files: tuple[tuple[Path, str], ...]) -> None:
        self.note("  with", *(source if place == f"/{source.name}" else f"{source} as {place}"
                              for source, place in files))  # fmt: skip

    def program(self, command: list[str], _progress: object, part: int = 0, parts: int = 1,
                environment: dict[str, str] | None = None) -> str:  # fmt: skip
        self.note("run", *command, f"({part} of {parts})" if parts > 1 else "", environment or "")
        name = Path(command[0]).name
        if name == "method":
            return method_text(command)
        if name == "bulk":
            return toggles(1)
        if "--shape" in command:
            return native_raw(PADDED)
        return native_raw(PLAN)

    def guest(self, wanted: vm.Guest, kernel: package.Kernel, output: Any) -> vm.Outcome:
        options = {one.name: getattr(wanted, one.name) for one in fields(wanted) if one.name != "command"}
        usual = {one.name: one.default for one in fields(wanted)}
        self.note(f"guest of {kernel}:", wanted.command)
        self.note_files(options.pop("files"))
        self.note(" ", *(f"{key} {value}" for key, value in options.items() if value != usual[key]))
        return self.answer(wanted.command, output)

    def uml(
        self, command: str, files: tuple[tuple[Path, str], ...], output: Any, timeout_s: float
    ) -> vm.Outcome:
        self.note(f"uml for {timeout_s} s:", command)
        self.note_files(files)
        return self.answer(command, output, "uml")

    def answer(self, command: str, output: Any, env: str = "vm") -> vm.Outcome:
        if "bench.sh" in command and env == "uml":
            text = native_raw(PLAN).replace("#env\tnative", "#env\tuml")
        elif "bench.sh" in command:
            text = guest_raw({"flip": 1}, rounds=1).replace("lfence", self.fence)
        elif "toggle.sh" in command:
            text = guest_toggles() if "sites" in command else ""
        elif "paths.sh" in command:
            text = f"{paths.PEER}\t600\n"
        elif "costs.sh" in command:
            text = "cost\t1.5\tbytes\n"
        elif "method.sh" in command:
            text = method_text(command.split(), env)
        else:
            text = LIST
        output.write(text.encode())
        return vm.Outcome(0, "tcg")


def method_text(command: list[str], env: str = "native") -> str:
    """The output of bench/timing/methods, with samples for a trial only."""
    head = test_series.HEAD.replace("native", env) + "#tsc_khz\t2000000\n"
    head += "fence\tname\treads\thas\nfence\tlfence\tr\t1\nfence\trdtscp\tr\t1\nfence\tcr0\tr\t0\n"
    if method.TRIAL not in " ".join(command):
        return head if "--records" not in command else ""
    return (
        head
        + test_series.COLUMNS
        + "".join(
            f"series\t{number}\t{fence}\tr\toffset\t10\t4\t2\t1\t3\t1\t1\t1\t1\n"
            f"ensemble\t{number}\t0\t0\t9\t4e\td34\t26\t52\t0\t0\t0\t{took}\n"
            f"ensemble\t{number}\t1\t0\t9\t4e\td34\t26\t52\t0\t0\t0\t{2 * took}\n"
            for number, (fence, took) in enumerate((("lfence", 1000), ("rdtscp", 50_000)))
        )
    )


@contextlib.contextmanager
def recording() -> Iterator[dict[str, str]]:
    yield LTTNG


def outline(text: str) -> str:
    """Kinds of the lines of raw data, the layouts of its samples, and facts that measuring adds."""
    lines = [line.split("\t") for line in text.split("\n") if line]
    kinds = dict.fromkeys(line[0] for line in lines if not line[0].startswith("#"))
    layouts = sorted({line[5] for line in lines if line[0] == "case"} - {"layout"})
    facts = [" ".join(line) for line in lines if line[0] in FACTS]
    return f"{len(lines)} lines, {' '.join(kinds)}, layouts {' '.join(layouts)}, {', '.join(facts)}"


def of_bench(asked: Asked) -> str:
    """The parts of a report besides samples, and the files of the results."""
    asked.fence = "pmccntr: instructions"
    sizes = [test_lkml_2006_rows.SIZES[0]]
    with (
        tempfile.TemporaryDirectory() as folder,
        mock.patch.object(size, "load", lambda envs: asked.kept(sizes, "sizes of", *envs)),
        mock.patch.object(disassemble, "load", lambda env: asked.kept([], "code of", env)),
        mock.patch.object(html, "draw", lambda *_: []),
        mock.patch.object(host, "host", lambda: {"cpu": "A CPU"}),
        mock.patch.object(kvm, "verdict", lambda kernel: f"{kernel} runs"),
        mock.patch("subprocess.check_output", lambda words, **_: f"{words} 7.2\nmore"),
    ):
        place, made = runner.bench(["native", "vm"], None, Path(folder), "", True, arch="arm64")
        files = sorted(path.name for path in place.iterdir())
        read = report.load(place)
    return f"{files} {read == made} {made.environment.host} {made.size} {len(made.rows)} rows"


def of_asked() -> str:
    """All measurements, with what each asks for."""
    asked = Asked()
    kernel = Path("/built")
    calls: dict[str, Callable[[], object]] = {
        "native": lambda: runner.measure("native", 3, "lfence"),
        "native, usual": lambda: len(runner.measure("native", None)),
        "vm": lambda: runner.measure("vm", None, "lfence", "EPYC"),
        "vm with a kernel": lambda: runner.measure("vm", 2, kernel=kernel),
        "vm of arm64": lambda: runner.measure("vm", 2, arch="arm64"),
        "uml": lambda: runner.measure("uml", 3),
        "bench": lambda: of_bench(asked),
        "cases": lambda: cases.load(["vm", "uml"], "arm64"),
        "baseline": lambda: baseline.measure("EPYC"),
        "padding": lambda: padding.measure().dearest < 1.1,
        "paths": paths.measure,
        "paths with a kernel": lambda: paths.measure(kernel),
        "paths of LTTng": paths.measure_lttng,
        "costs": lambda: [one.name for one in paths.measure_costs()],
        "method": lambda: method.measure("native", method.Plan(seconds=1.0)),
        "method, full": lambda: method.measure("native", method.Plan(("rdtscp",), None)),
        "method in a guest": lambda: method.measure("vm", method.Plan(("lfence",))),
        "method in User-Mode Linux": lambda: method.measure("uml", method.Plan(("lfence",), 60.0)),
        "one of several": lambda: method.parse_all(guest_raw({}) + native_raw(PLAN), "native").env,
        "method with another fence": lambda: method.measure("native", method.Plan(("cr0",))),
    }
    kept = {
        "run_program": asked.program, "make": lambda *words: asked.note("make", *words),
        "make_modules": lambda *words: asked.note("make modules", *words),
    }  # fmt: skip
    with contextlib.ExitStack() as stack, contextlib.redirect_stderr(io.StringIO()):
        for module in (runner, native, cases, padding, paths, method):
            for name in kept.keys() & vars(module).keys():
                stack.enter_context(mock.patch.object(module, name, kept[name]))
        for place, name, stand_in in (
            (vm, "run", asked.guest), (uml, "run", asked.uml), (uml, "build_modules", lambda: Path("/um")),
            (uml, "build_modules_for", lambda kernel: kernel / "modules"),
            (package, "stock", lambda name="kernel": name), (package, "Kernel", str),
            (lttng_modules, "build", lambda: Path("/lttng")), (lock, "measuring", contextlib.nullcontext),
            (lttng, "recording", recording), (host, "read", lambda *_: "tsc"),
            (host, "caches", lambda: "L1 32K"), (paths, "shortest", lambda words: float(len(words))),
            (method, "say", lambda text: asked.note("say", text)),
        ):  # fmt: skip
            stack.enter_context(mock.patch.object(place, name, stand_in))
        stack.enter_context(mock.patch("os.cpu_count", return_value=1))
        for name, call in calls.items():
            asked.note(f"- {name}")
            try:
                found = call()
            except (Failure, Usage) as problem:
                found = f"{type(problem).__name__}: {problem}"
            asked.note("=", outline(found) if isinstance(found, str) and "\t" in found else found)
    return "\n".join(asked.lines) + "\n"
