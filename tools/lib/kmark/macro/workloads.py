# SPDX-License-Identifier: GPL-2.0-only
"""The workloads of macro-benchmarks; tools/vm/macro.sh runs each by its name."""

from __future__ import annotations

from dataclasses import dataclass

from kmark.macro import disk

SHORT = 20  # times fewer operations


@dataclass(frozen=True)
class Workload:
    """A workload, one operation of it, and how many operations a run has in each environment."""

    name: str
    what: str
    operation: str
    row: str  # row of the 2006 thread, or nothing
    ops: dict[str, int]
    rounds: int = 0  # each of another part of it, so it runs alone, by name; 0: all rounds are alike

    def operations(self, env: str, short: bool) -> int:
        return max(self.ops[env] // (SHORT if short else 1), 1)


WORKLOADS = (
    Workload(
        "compile",
        f"gcc -O2 -c of {disk.PARTS_TEXT}, gcc, source and headers on an ext4 disk, "
        "caches dropped before",
        "compile", "A15", {"vm": 1, "uml": 1},
    ),
    Workload(
        "kernel",
        f"gcc -O2 -c of each of {disk.KERNEL_TEXT}, in the distribution's configuration, as compile; "
        "a round is a file",
        "compile of a file", "A15", {"vm": 1, "uml": 1}, rounds=disk.FILES_OF_KERNEL,
    ),
    Workload(
        "ping",
        "64 bytes of ICMP echo to 127.0.0.1, the next when the reply is there (own program)",
        "echo and reply", "A16", {"vm": 10000, "uml": 5000},
    ),
    Workload(
        "flood", "ping -f -q of iputils to 127.0.0.1, with its start and its end",
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
