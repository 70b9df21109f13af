# SPDX-License-Identifier: GPL-2.0-only
"""Runs the workloads of macro-benchmarks in boots of two kernels, one with the patches and
one without, in turns. Its raw lines are the input of figures.py."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from kmark import cache, foreign, lock
from kmark.guest import uml, vm
from kmark.guest.output import Output, checked_text
from kmark.kernel import tree
from kmark.kernel.package import Kernel
from kmark.macro import disk, figures
from kmark.macro.workloads import Workload
from kmark.make import make
from kmark.progress import Progress

PROGRAM = cache.TOP / "build/macro/macro"
SCRIPT = cache.TOOLS / "vm/macro.sh"
TIMEOUT_S = 3600  # time limit of one boot, on a busy host
UML_WORDS = "mem=512M"
ROUNDS = {"vm": 6, "uml": 20}  # shared by the boots; stats.ENOUGH at least, or there is no interval
# Times drift with the load of the host, so each round of User-Mode Linux has a boot of
# its own, which takes a second.
BOOTS = {"vm": 3}
BOOTS_OF_PARTS = 25  # boots of a workload whose rounds are different parts of it: half a minute each


@dataclass(frozen=True)
class Plan:
    """Options of a run. `rounds`: in all boots of a kernel together, None for the usual number; `own`:
    folders of kernels, instead of building them."""

    version: str
    workloads: tuple[Workload, ...]
    rounds: int | None = None
    short: bool = False
    own: dict[str, Path] | None = None  # folders of kernels, instead of what is built
    distribution: bool = False  # the guest's kernels are configured as those of the distribution
    cpu: str = ""  # CPU model of the guest; empty: the one that counts instructions

    @property
    def parts(self) -> int:
        """The rounds that the workload has of its own, or 0."""
        return self.workloads[0].rounds

    def all_rounds(self, env: str) -> int:
        return self.rounds or self.parts or ROUNDS[env]

    def boots(self, env: str) -> int:
        """Return the number of boots of each kernel."""
        rounds = self.all_rounds(env)
        return min(BOOTS_OF_PARTS if self.parts else BOOTS.get(env, rounds), rounds)

    def share(self, env: str, boot: int) -> int:
        """The rounds of one boot."""
        return (self.all_rounds(env) + boot) // self.boots(env)

    def first(self, env: str, boot: int) -> int:
        """The first of them. Which state a round begins with depends on its number."""
        return sum(self.share(env, before) for before in range(boot)) if self.parts else boot

    def words(self, env: str, boot: int) -> list[str]:
        """The command of one boot."""
        loads = [f"{one.name}={one.operations(env, self.short)}" for one in self.workloads]
        first = str(self.first(env, boot))
        return [str(SCRIPT), env, first, str(self.share(env, boot)), *loads]

    def has(self, name: str) -> bool:
        return any(one.name == name for one in self.workloads)

    def disk(self) -> Path | None:
        """Return the disk with the files for workloads that compile; None if there is no such workload."""
        names = tuple(name for name in disk.SCRIPTS if self.has(name))
        return disk.image(names) if names else None


Boot = Callable[[Plan, Path, int, Output], vm.Outcome]


def files(plan: Plan, env: str, boot: int) -> tuple[str, tuple[tuple[Path, str], ...]]:
    command, script = vm.script_command(plan.words(env, boot))
    return command, (*script, (PROGRAM, "/macro"))


def boot_vm(plan: Plan, kernel: Path, boot: int, output: Output) -> vm.Outcome:
    command, inside = files(plan, "vm", boot)
    wanted = vm.Guest(
        command,
        files=inside,
        host_root=plan.has("syscall") or plan.has("flood"),
        icount=True,
        icount_sleeps=True,
        timeout_s=TIMEOUT_S,
        disk=plan.disk(),
        cpu=plan.cpu,
    )
    return vm.run(wanted, Kernel(kernel), output)


def boot_uml(plan: Plan, kernel: Path, boot: int, output: Output) -> vm.Outcome:
    command, inside = files(plan, "uml", boot)
    image = plan.disk()
    with_disk = f" ubd0r={image}" if image else ""
    return uml.run(command, inside, output, TIMEOUT_S, kernel, UML_WORDS + with_disk)


RUNNERS: dict[str, Boot] = {"vm": boot_vm, "uml": boot_uml}


def kernels(plan: Plan, env: str) -> dict[str, Path]:
    """Return the folder of each kernel. A missing kernel is built first, in minutes."""
    if plan.own:
        return plan.own
    recipe: Callable[[str, bool], tree.Recipe] = tree.Recipe.uml
    if env == "vm":
        recipe = tree.Recipe.distribution if plan.distribution else tree.Recipe
    return {name: tree.build(recipe(plan.version, name == figures.MARKED)) for name in figures.KERNELS}


def labelled(kernel: str, boot: int, text: str) -> str:
    """The raw lines of one boot, with its kernel and number, which a guest does not know."""
    lines = [line for line in foreign.lines(text) if line]
    return "\n".join([*lines, f"#condition\t{kernel}", f"#boot\t{boot}"]) + "\n"


def measure(env: str, plan: Plan) -> str:
    """Raw lines: a document for each boot; the kernels take turns at being first. Failure
    if a guest fails."""
    make("macro")
    places = kernels(plan, env)
    runs = []
    boots = plan.boots(env)
    with lock.measuring(env), Progress(f"macro, {env}") as progress:
        for boot in range(boots):
            order = figures.KERNELS if boot // 2 % 2 == 0 else figures.KERNELS[::-1]
            for turn, kernel in enumerate(order):
                output = Output(progress, 2 * boot + turn, 2 * boots)
                outcome = RUNNERS[env](plan, places[kernel], boot, output)
                text = checked_text(f"{env}, {kernel}", outcome, output, SCRIPT.name)
                runs.append(labelled(kernel, boot, text))
    return "".join(runs)
