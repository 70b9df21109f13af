# SPDX-License-Identifier: GPL-2.0-only
"""Runs the workloads of macro-benchmarks in boots of two kernels, one with the
patches and one without, in turns; what comes of it are raw lines for macro.py."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from kmark import bench, cache, guest, macro, macro_disk, tree, uml
from kmark.kernel import Kernel
from kmark.progress import Progress

PROGRAM = cache.TOP / "build/macro/macro"
SCRIPT = cache.TOOLS / "vm/macro.sh"
PROBE = "count"
TIMEOUT_S = 3600  # of one boot; a busy host makes them long
UML_WORDS = "mem=512M"
ROUNDS = {"vm": 6, "uml": 20}  # shared by the boots; with fewer than 6 there is no interval
# Time drifts from boot to boot with all else that the host does, so each round of
# User-Mode Linux has a boot of its own, which takes a second.
BOOTS = {"vm": 3}
SHORT = 20  # times fewer operations


@dataclass(frozen=True)
class Workload:
    """What is done, what one operation of it is, and how many a run has."""

    name: str
    what: str
    operation: str
    row: str  # of the 2006 thread, or nothing
    ops: dict[str, int]

    def operations(self, env: str, short: bool) -> int:
        return max(self.ops[env] // (SHORT if short else 1), 1)


WORKLOADS = (
    Workload(
        "compile",
        f"gcc -O2 -c of {macro_disk.PARTS_TEXT}, gcc, source and headers on an ext4 disk, "
        "caches dropped before",
        "compile", "A15", {"vm": 1, "uml": 1},
    ),
    Workload(
        "ping",
        "64 bytes of ICMP echo to 127.0.0.1, the next when the reply is there (own program)",
        "echo and reply", "A16", {"vm": 10000, "uml": 5000},
    ),
    Workload(
        "pipe", "a byte to another process and back through two pipes, batch scheduling (own program)",
        "round trip", "", {"vm": 10000, "uml": 2500},
    ),
    Workload(
        "syscall", "perf bench syscall basic, by its own clock (resolves 1 us of the whole)",
        "getppid", "", {"vm": 200000, "uml": 20000},
    ),
    Workload(
        "metadata",
        "on tmpfs: mkdir, create, close, stat, rename, stat, unlink, rmdir (own program)",
        "life of a file", "", {"vm": 2000, "uml": 1000},
    ),
)  # fmt: skip


@dataclass(frozen=True)
class Plan:
    """What to run: kernel version, workloads, rounds in all, boots of each kernel."""

    version: str
    workloads: tuple[Workload, ...]
    rounds: int | None = None
    short: bool = False
    own: dict[str, Path] | None = None  # folders of kernels, instead of what is built

    def boots(self, env: str) -> int:
        rounds = self.rounds or ROUNDS[env]
        return min(BOOTS.get(env, rounds), rounds)

    def share(self, env: str, boot: int) -> int:
        """The rounds of one boot."""
        return ((self.rounds or ROUNDS[env]) + boot) // self.boots(env)

    def words(self, env: str, boot: int) -> list[str]:
        loads = [f"{one.name}={one.operations(env, self.short)}" for one in self.workloads]
        # By its number a round runs closed or open first.
        return [str(SCRIPT), env, str(boot), str(self.share(env, boot)), PROBE, *loads]

    def has(self, name: str) -> bool:
        return any(one.name == name for one in self.workloads)


Boot = Callable[[Plan, Path, int, bench.GuestOutput], guest.Outcome]


def files(plan: Plan, env: str, boot: int) -> tuple[str, tuple[tuple[Path, str], ...]]:
    command, script = guest.script_command(plan.words(env, boot))
    return command, (*script, (PROGRAM, "/macro"))


def boot_vm(plan: Plan, kernel: Path, boot: int, output: bench.GuestOutput) -> guest.Outcome:
    command, inside = files(plan, "vm", boot)
    wanted = guest.Guest(
        command,
        files=inside,
        host_root=plan.has("syscall"),
        icount=True,
        icount_sleeps=True,
        timeout_s=TIMEOUT_S,
        disk=macro_disk.image() if plan.has("compile") else None,
    )
    return guest.run(wanted, Kernel(kernel), output)


def boot_uml(plan: Plan, kernel: Path, boot: int, output: bench.GuestOutput) -> guest.Outcome:
    command, inside = files(plan, "uml", boot)
    disk = f" ubd0r={macro_disk.image()}" if plan.has("compile") else ""
    return uml.run(command, inside, output, TIMEOUT_S, kernel, UML_WORDS + disk)


RUNNERS: dict[str, Boot] = {"vm": boot_vm, "uml": boot_uml}


def kernels(plan: Plan, env: str) -> dict[str, Path]:
    """A folder for each; built first if need be, which takes minutes."""
    if plan.own:
        return plan.own
    make = tree.Recipe if env == "vm" else tree.Recipe.uml
    return {name: tree.build(make(plan.version, name == macro.MARKED)) for name in macro.KERNELS}


def told(kernel: str, boot: int, text: str) -> str:
    """The raw lines of one boot, with what they cannot know."""
    lines = [line for line in text.splitlines() if line]
    return "\n".join([*lines, f"#condition\t{kernel}", f"#boot\t{boot}"]) + "\n"


def measure(env: str, plan: Plan) -> str:
    """Raw lines: a document for each boot, the kernels in turns first."""
    bench.make("macro")
    places = kernels(plan, env)
    runs = []
    boots = plan.boots(env)
    with Progress(f"macro, {env}") as progress:
        for boot in range(boots):
            order = macro.KERNELS if boot // 2 % 2 == 0 else macro.KERNELS[::-1]
            for turn, kernel in enumerate(order):
                output = bench.GuestOutput(progress, 2 * boot + turn, 2 * boots)
                outcome = RUNNERS[env](plan, places[kernel], boot, output)
                text = bench.told_by(f"{env}, {kernel}", outcome, output, SCRIPT.name)
                runs.append(told(kernel, boot, text))
    return "".join(runs)
