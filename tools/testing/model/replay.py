# SPDX-License-Identifier: GPL-2.0-only
"""The steps of a model's writer, compared with those of the code, compiled for a program."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import spin

TOP = Path(__file__).resolve().parents[3]
FORMS = ("FIRST", "TAIL", "MANY", "SPLIT")
# Each change of what a site has, once.
ALL_CHANGES = "1 2 3 0 2 0 3 1 3 2 1 0"
# The transactions of the program, and of the model, which has a transaction of its own where
# the program tries again what is busy.
FOREIGN = [
    ("CODE", "1 4 6 2 0", "1 4 4 6 2 2 0"),
    ("CODE", "5 1 0", "5 1 1 0"),
    ("CODE", "5 4", "5 5 4"),
    ("SINGLE", "5 1 0", "9 0 1 0"),
]
FOREIGN_CALL = [
    ("CODE", "1 4 22 6 2 0", "1 4 20 22 6 6 2 2 0"),
]


@dataclass
class Replay:
    program: str
    words: list[str]
    options: str
    model: str

    @property
    def name(self) -> str:
        return f"{self.program} {' '.join(self.words)}"


@dataclass
class Outcome:
    replays: int = 0
    steps: int = 0
    transitions: int = 0
    problems: list[str] = field(default_factory=list)


def plan(transactions: str) -> str:
    values = transactions.split()
    return f"LENGTH={len(values)} PLAN={{{','.join([*values, '0'])}}}"


def replays() -> list[Replay]:
    found = [Replay("replay_patch", ["DATA"], "FORM=DATA", "patch")]
    for form in FORMS:
        found += [
            Replay("replay_patch", [form], f"FORM={form}", "patch"),
            Replay("replay_patch", [form, "twice"], f"FORM={form} TWICE", "patch"),
            Replay("replay_patch", [form, "found-1"], f"FORM={form} FOUND=1", "patch"),
            Replay("replay_patch", [form, "found-2"], f"FORM={form} FOUND=2", "patch"),
        ]
    for form in ("CODE", "CALL", "POINTER"):
        words = [form, *ALL_CHANGES.split()]
        found.append(Replay("replay_dispatch", words, f"FORM={form} {plan(ALL_CHANGES)}", "dispatch"))
    for transactions, options in ((FOREIGN, "FOREIGN"), (FOREIGN_CALL, "FOREIGN FOREIGN_CALL")):
        for form, program, model in transactions:
            words = [form, *program.split()]
            found.append(Replay("replay_dispatch", words, f"FORM=CODE {options} {plan(model)}", "dispatch"))
    return found


def done_by(replay: Replay, build: Path) -> list[str]:
    done = subprocess.run(
        [str(build / replay.program), *replay.words], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise spin.SpinError(f"{replay.name}: exit {done.returncode}: {done.stderr[-400:]}")
    return [line.removeprefix("STEP ") for line in done.stdout.splitlines()]


def difference(model: list[str], code: list[str]) -> str:
    at = next((i for i, (a, b) in enumerate(zip(model, code, strict=False)) if a != b), None)
    if at is None:
        at = min(len(model), len(code))
    before = ", ".join(model[max(0, at - 4) : at])
    step, other = [*model, "its end"][at], [*code, "its end"][at]
    return f'after "{before}": the model has "{step}", the code "{other}"'


def run_all(build: Path, only: str = "") -> Outcome:
    """Those with `only` in their name. Of all: a step of a model that none covers is a problem,
    too."""
    outcome = Outcome()
    covered: dict[str, set[str]] = {"patch": set(), "dispatch": set()}
    pairs = set()
    chosen = [replay for replay in replays() if only in replay.name]
    if not chosen:
        raise spin.SpinError(f"no replay has {only!r} in its name")
    for replay in chosen:
        model, code = spin.steps(replay.model, replay.options), done_by(replay, build)
        outcome.replays += 1
        outcome.steps += len(code)
        if model != code:
            outcome.problems.append(f"{replay.name}: {difference(model, code)}")
            continue
        covered[replay.model] |= set(model)
        pairs |= {(replay.model, *pair) for pair in zip(["", *model], [*model, ""], strict=True)}
    for model_name, seen in covered.items() if not only else ():
        for step in sorted(spin.named_steps(model_name) - seen):
            outcome.problems.append(f'{model_name}.pml: no replay covers the step "{step}"')
    outcome.transitions = len(pairs)
    return outcome
