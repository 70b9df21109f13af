# SPDX-License-Identifier: GPL-2.0-only
"""The steps of a model's writer, compared with those of the code, compiled for a program."""

from __future__ import annotations

import itertools
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import spin
import walk

TOP = Path(__file__).resolve().parents[4]
FORMS = ("FIRST", "TAIL", "MANY", "SPLIT")
# Forms to walk: each command in each state; SINGLE is CODE where a connection has no other site.
WALKS = (
    walk.Form("CODE", "FORM=CODE"),
    walk.Form("CALL", "FORM=CALL"),
    walk.Form("POINTER", "FORM=POINTER"),
    walk.Form("SINGLE", "FORM=CODE FOREIGN", walk.FOREIGN, only_site=True),
    walk.Form("CODE", "FORM=CODE FOREIGN", walk.FOREIGN),
    walk.Form("CODE", "FORM=CODE FOREIGN FOREIGN_CALL", walk.FOREIGN | walk.FOREIGN_CALL),
)
# Connections are freed in the order in which they were made, which the models do not know.
ANY_ORDER = "free hooks "


@dataclass
class Replay:
    program: str
    words: list[str]
    options: str
    model: str

    @property
    def name(self) -> str:
        return f"{self.program} {' '.join(self.words)}"

    @property
    def title(self) -> str:
        return self.name if len(self.name) < 80 else self.name[:76] + " ..."


@dataclass
class Outcome:
    replays: int = 0
    steps: int = 0
    transitions: int = 0
    problems: list[str] = field(default_factory=list)


def plan(transactions: list[int]) -> str:
    values = ",".join(map(str, [*transactions, 0]))
    return f"LENGTH={len(transactions)} PLAN={{{values}}}"


def of_patch() -> list[Replay]:
    found = [Replay("replay_patch", ["DATA"], "FORM=DATA", "patch")]
    for form in FORMS:
        for twice in ([], ["twice"]):
            options = " ".join([f"FORM={form}", *twice]).replace("twice", "TWICE")
            found.append(Replay("replay_patch", [form, *twice], options, "patch"))
            for number in (1, 2):
                words = [form, *twice, f"found-{number}"]
                found.append(Replay("replay_patch", words, f"{options} FOUND={number}", "patch"))
    return found


def of_dispatch(only: str) -> list[Replay]:
    """Walks are planned for the forms only that can have `only` in their name."""
    found = []
    for form in WALKS:
        program = f"replay_dispatch {form.name}"
        if only not in program and program not in only:
            continue
        for one in walk.Walk(form).plans():
            options = f"{form.options} {plan(one.model)}"
            found.append(
                Replay("replay_dispatch", [form.name, *map(str, one.program)], options, "dispatch")
            )
    return found


def sorted_frees(steps: list[str]) -> list[str]:
    """Return the steps, with those sorted that may come in any order."""
    found: list[str] = []
    for is_free, group in itertools.groupby(steps, lambda step: step.startswith(ANY_ORDER)):
        together = list(group)
        found += sorted(together) if is_free else together
    return found


def done_by(replay: Replay, build: Path) -> list[str]:
    done = subprocess.run(
        [str(build / replay.program), *replay.words], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise spin.SpinError(f"{replay.title}: exit {done.returncode}: {done.stderr[-400:]}")
    return [line.removeprefix("STEP ") for line in done.stdout.splitlines()]


def difference(model: list[str], code: list[str]) -> str:
    at = next((i for i, (a, b) in enumerate(zip(model, code, strict=False)) if a != b), None)
    if at is None:
        at = min(len(model), len(code))
    before = ", ".join(model[max(0, at - 4) : at])
    step, other = [*model, "its end"][at], [*code, "its end"][at]
    return f'after "{before}": the model has "{step}", the code "{other}"'


def run_all(build: Path, only: str = "") -> Outcome:
    """Run the replays with `only` in their name. In a run of all replays, a step of a model that no replay
    covers is a problem, too."""
    outcome = Outcome()
    covered: dict[str, set[str]] = {"patch": set(), "dispatch": set()}
    pairs = set()
    chosen = [replay for replay in of_patch() + of_dispatch(only) if only in replay.name]
    if not chosen:
        raise spin.SpinError(f"no replay has {only!r} in its name")
    for replay in chosen:
        model, code = (
            sorted_frees(steps)
            for steps in (spin.steps(replay.model, replay.options), done_by(replay, build))
        )
        outcome.replays += 1
        outcome.steps += len(code)
        if model != code:
            outcome.problems.append(f"{replay.title}: {difference(model, code)}")
            continue
        covered[replay.model] |= set(model)
        pairs |= {(replay.model, *pair) for pair in zip(["", *model], [*model, ""], strict=True)}
    for model_name, seen in covered.items() if not only else ():
        for step in sorted(spin.named_steps(model_name) - seen):
            outcome.problems.append(f'{model_name}.pml: no replay covers the step "{step}"')
    outcome.transitions = len(pairs)
    return outcome
