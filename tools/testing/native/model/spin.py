# SPDX-License-Identifier: GPL-2.0-only
"""spin: verifies a model, shows a counterexample, lists the steps of its one writer."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
WRITER = {"patch": "patcher", "dispatch": "writer"}
SHOWN = 12  # lines of a counterexample
MEMORY_MIB = 16384
LINE = re.compile(r"\s*(STEP|CPU|reader|VIOLATION|none|A|B|both)\b")


class SpinError(Exception):
    """spin, gcc or the verifier did not do what was asked."""


@dataclass
class Result:
    errors: int
    states: int
    transitions: int
    depth: int
    seconds: float
    counterexample: list[str] = field(default_factory=list)


def run(command: list[str], folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stderr or done.stdout)[-400:]
        raise SpinError(f"{' '.join(command)}: exit {done.returncode}: {said}")
    return done.stdout


def defines(options: str) -> list[str]:
    return [f"-D{name}" for name in options.split()]


def number(pattern: str, text: str) -> int:
    found = re.search(pattern, text)
    if not found:
        raise SpinError(f"the verifier printed no {pattern!r}: {text[-400:]}")
    return int(float(found.group(1)))


def lines_of(output: str) -> list[str]:
    """Return the lines that the model printed; spin indents each process, and breaks no line."""
    return [" ".join(line.split()) for line in output.splitlines() if LINE.match(line)]


def joined(lines: list[str]) -> list[str]:
    return [line.removeprefix("STEP ") for line in lines]


def verify(model: str, options: str, optimise: bool) -> Result:
    """All states. A run that hit a limit is an error, and so is a writer that never ends."""
    source = f"{model}.pml"
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        shutil.copy(HERE / source, folder)
        run(["spin", "-a", *defines(options), source], folder)
        flags = ["-O2" if optimise else "-O0", "-DSAFETY", "-DNOCLAIM", "-DCOLLAPSE", "-DVECTORSZ=1024"]
        run(["gcc", "-w", *flags, f"-DMEMLIM={MEMORY_MIB}", "-o", "pan", "pan.c"], folder)
        output = run(["./pan", "-m2000000", "-w26" if optimise else "-w22"], folder)
        if "max search depth too small" in output or (
            "Search not completed" in output and "errors: 0" in output
        ):
            raise SpinError(f"{model} {options}: not all states were visited")
        result = Result(
            number(r"errors: (\d+)", output),
            number(r"([0-9.e+]+) states, stored", output),
            number(r"([0-9.e+]+) transitions", output),
            number(r"depth reached (\d+)", output),
            0.0,
        )
        if result.errors:
            shown = lines_of(run(["spin", "-t", *defines(options), source], folder))
            result.counterexample = joined(shown)[-SHOWN:]
            if not any(line.startswith("VIOLATION") for line in shown):
                raise SpinError(f"{model} {options}: a process cannot continue: {shown[-SHOWN:]}")
        elif model == "patch":
            part = output.split(f"unreached in proctype {WRITER[model]}")[1].split("unreached in")[0]
            if "-end-" in part:
                raise SpinError(f"{model} {options}: {WRITER[model]} never reaches its end")
    result.seconds = time.monotonic() - start
    return result


def steps(model: str, options: str) -> list[str]:
    """Return the steps of the writer alone, in order."""
    source = HERE / f"{model}.pml"
    with tempfile.TemporaryDirectory() as scratch:
        output = run(["spin", "-T", *defines(f"SHOW {options}"), str(source)], Path(scratch))
    return [" ".join(line.split()[1:]) for line in output.splitlines() if line.startswith("STEP ")]


def transitions(model: str, options: str) -> dict[tuple[int, int], int]:
    """Return the transitions of the writer alone: from a state, by a transaction, to a state; all that spin
    reaches."""
    source = f"{model}.pml"
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        shutil.copy(HERE / source, folder)
        run(["spin", "-a", *defines(f"GRAPH {options}"), source], folder)
        run(["gcc", "-w", "-DSAFETY", "-DNOCLAIM", "-DPRINTF", "-o", "pan", "pan.c"], folder)
        output = run(["./pan", "-m2000000"], folder)
    if number(r"errors: (\d+)", output) or "max search depth too small" in output:
        raise SpinError(f"{model} GRAPH {options}: {output[-400:]}")
    rows = re.findall(r"TRANSITION (\d+) (\d+) (\d+)", output)
    return {(int(state), int(transaction)): int(after) for state, transaction, after in rows}


def named_steps(model: str) -> set[str]:
    """Return all steps of the model: STEP(words), and of step(what, name) each name."""
    text = (HERE / f"{model}.pml").read_text()
    found = set(re.findall(r"\bSTEP\(([a-z0-9AB ]+)\)", text)) - {"what"}
    names = {"link": "none A B both", "call": "none A B both", "free set": "A B both"}
    for what in set(re.findall(r"\bstep\(([a-z ]+), ", text)) - {"what"}:
        found |= {f"{what} {name}" for name in names[what].split()}
    return found
