# SPDX-License-Identifier: GPL-2.0-only
"""Runs the micro-operations in guests, which count instructions."""

from __future__ import annotations

import atexit
import gzip
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from kmark import cache, foreign, lock
from kmark.errors import Failure, Usage
from kmark.guest import vm
from kmark.guest.machine import MACHINES, Machine
from kmark.guest.output import Output, checked_text
from kmark.kernel import tree
from kmark.kernel_cost.operands import Subject
from kmark.make import make

TIMEOUT_S = 300
# Everything random that a kernel uses is the same in each boot: addresses, the emulator's
# random numbers, the clock.
APPEND = (
    "quiet nokaslr norandmaps randomize_kstack_offset=off transparent_hugepage=never "
    "kunit.enable=0 slub_max_order=0"
)
REPEATABLE = ("-seed", "1", "-rtc", "base=2026-01-01T00:00:00,clock=vm")
COMMAND = (
    "uname -r | sed 's/^/release\\t/'; "
    "(cd /sys/devices/system/cpu/vulnerabilities && grep . *) 2>/dev/null | sed 's/^/cpu\\t/; s/:/\\t/'; "
    "exec /operations {phase} {own}"
)
EMPTY, TOTAL = "empty", "total"
OPERATIONS = {
    "null": "getppid()",
    "read": "a byte of /dev/zero",
    "write": "a byte to /dev/null",
    "open": "open() and close() of a file in memory",
    "stat": "stat() of a file in memory",
    "name": "prctl(PR_SET_NAME), which has a tracepoint",
    "timer": "a POSIX timer armed and disarmed",
    "signal": "a signal to the process itself, with a handler",
    "udp": "64 bytes by UDP on loopback, sent and received",
    "udp6": "the same by IPv6",
    "tcp": "64 bytes by TCP on loopback and 64 bytes back",
    "epoll": "a byte into a pipe, epoll_wait() and the byte read",
    "tmpfs": "openat() and close() of a file on tmpfs",
    "ext4": "openat() and close() of a file on ext4",
    "io_uring": "a byte of /dev/zero, submitted and completed",
    "mmap": "a page mapped and unmapped, not touched",
    "fault": "the first write to a page",
    "fork": "fork(), exit and wait",
    "exec": "vfork(), execve() of a static program, exit and wait",
    "pipe": "a byte to another process and back",
    "switch": "to another process and back by sched_yield()",
    "futex": "a sleeping process is woken",
    "tracepoint": "name, with the trace event task_rename enabled",
    "key": "udp, with the static key of receive time stamps enabled",
    "marker": "pipe, with all markers of the kernel enabled",
    "events": "name, with all trace events of the kernel enabled",
    "cgroup": "fault, in a cgroup whose memory and CPU time are controlled",
    "seccomp": "null, with a filter of four instructions",
}


@dataclass
class Boot:
    """The output of a guest. `runs`: instructions of each run, by operation; those of an empty operation
    are subtracted. `order`: all operations, also those that are lacking."""

    release: str = "unknown"
    mitigations: dict[str, str] = field(default_factory=dict)
    runs: dict[str, list[int]] = field(default_factory=dict)
    order: list[str] = field(default_factory=list)


def parse(text: str, totals: dict[int, list[int]] | None = None) -> Boot:
    """Return the counts in a guest's output, or those of a plugin, by number of the operation. Failure if
    the empty operation is missing or varies, because then ticks are no instructions."""
    boot = Boot()
    for line in foreign.lines(text):
        kind, *words = line.split("\t")
        if kind == "release":
            boot.release = words[0]
        elif kind == "cpu":
            boot.mitigations[words[0]] = words[1]
        elif kind == "lacking":
            boot.order.append(words[0])
        elif kind == "operation":
            boot.order.append(words[0])
            counted = [int(word) for word in words[1:]]
            boot.runs[words[0]] = counted if totals is None else totals[len(boot.order) - 1]
    empty = boot.runs.pop(EMPTY, [])
    if not empty or min(empty) <= 0:
        raise Failure(f"kernel-cost: the guest counted nothing: {text[-500:]}")
    boot.runs = {name: [count - min(empty) for count in runs] for name, runs in boot.runs.items()}
    return boot


Trace = dict[str, dict[int, int]]  # by operation: how often each address was executed


def parse_trace(text: str, order: list[str]) -> Trace:
    found: Trace = {}
    for line in foreign.lines(text):
        number, address, count = line.split("\t")
        if number != TOTAL:
            counts = found.setdefault(order[int(number)], {})
            where = int(address, 16)
            counts[where] = counts.get(where, 0) + int(count)
    return found


def parse_totals(text: str) -> dict[int, list[int]]:
    """Return the instructions of each run, by number of the operation, as the plugin counts them."""
    found: dict[int, list[int]] = {}
    for line in foreign.lines(text):
        if line.startswith(TOTAL):
            _, number, count = line.split("\t")
            found.setdefault(int(number), []).append(int(count))
    return found


class Bytes:
    """Keeps the output of a guest as it arrives."""

    def __init__(self) -> None:
        self.data = b""

    def write(self, data: bytes) -> None:
        self.data += data

    def flush(self) -> None:
        """All is kept at once."""


@dataclass(frozen=True)
class Program:
    """The program that runs the operations, for one of MACHINES. `own`: the name of the user's operation in
    it; `path`: None for the program without one."""

    arch: str = "x86_64"
    own: str = ""
    path: Path | None = None

    @property
    def machine(self) -> Machine:
        return MACHINES[self.arch]

    @property
    def folder(self) -> Path:
        return cache.TOP / f"build/operations{'-arm64' if self.machine.cross else ''}"

    @property
    def prefix(self) -> str:
        """Return what stands before the names of compiler and binutils."""
        return tree.prefix(self.machine.cross)

    def build(self) -> None:
        """Install what building and counting need, and build the program."""
        cache.install("kernel", f"vm-{self.machine.cross}" if self.machine.cross else "vm")
        with lock.hold(self.folder.with_name(f"{self.folder.name}.lock"), "builds the operations"):
            make("operations", *self.machine.make_words)

    def with_own(self, file: Path) -> Program:
        """Build the program with an operation of the user, a file in C that has `void operation(void)`.
        Failure if it cannot be compiled."""
        name = re.sub(r"\W", "_", file.stem)
        if not file.is_file():
            raise Usage(f"kernel-cost: {file}: no file with an operation in C")
        if name in (*OPERATIONS, EMPTY):
            raise Usage(f"kernel-cost: {file}: there is an operation {name} already")
        path = self.folder / f"own-{os.getpid()}"
        objects = [str(one) for one in sorted(self.folder.glob("*.o"))]
        command = [f"{self.prefix}gcc", "-O2", "-static", "-o", str(path), str(file), *objects]
        if subprocess.run(command, check=False, stdout=sys.stderr).returncode:
            raise Failure(f"kernel-cost: {file} cannot be compiled, as the lines above say")
        atexit.register(path.unlink)
        return Program(self.arch, name, path)

    def guest(
        self, command: str, files: tuple[tuple[Path, str], ...] = (), more: tuple[str, ...] = (),
        icount: bool = True,
    ) -> vm.Guest:  # fmt: skip
        return vm.Guest(
            command,
            files=files,
            icount=icount,
            accel="auto" if icount else "tcg",
            timeout_s=TIMEOUT_S,
            append=APPEND,
            cpu=self.machine.counted_cpu,
            qemu=(*REPEATABLE, *more),
            arch=self.arch,
        )

    def run(self, subject: Subject, phase: int, more: tuple[str, ...] = ()) -> str:
        files = [(self.path or self.folder / "operations", "/operations")]
        files += [(self.folder / name, f"/{name}") for name in ("nothing", "ext4")]
        output = Output()
        outcome = vm.run(
            self.guest(COMMAND.format(phase=phase, own=self.own), tuple(files), more),
            subject.kernel,
            output,
        )
        checked_text(f"kernel-cost, {subject.name}", outcome, output, "operations")
        return output.text()

    def run_counted(self, subject: Subject, phase: int) -> tuple[str, str]:
        """Return the output of the guest and that of the plugin. Failure if QEMU has no plugins."""
        with tempfile.TemporaryDirectory(prefix="kmark-kernel-cost.") as scratch:
            out = Path(scratch) / "trace"
            text = self.run(subject, phase, ("-plugin", f"{self.folder / 'trace.so'},out={out}"))
            if not out.exists():
                raise Failure("kernel-cost: QEMU did not run its plugin")
            return text, out.read_text()

    def boot(self, subject: Subject, phase: int) -> Boot:
        """Boot the kernel once and return the counts of all operations. `phase` varies when operations
        start, relative to the timer's ticks. Only x86 has a counter that counts each instruction; elsewhere
        the plugin does. Failure if the guest fails."""
        if not self.machine.cross:
            return parse(self.run(subject, phase))
        text, counted = self.run_counted(subject, phase)
        return parse(text, parse_totals(counted))

    def trace(self, subject: Subject) -> Trace:
        """Boot once more, and return how often the shortest run of each operation executed each
        instruction. Failure if the guest fails, or QEMU has no plugins."""
        text, counted = self.run_counted(subject, 0)
        return parse_trace(counted, parse(text, parse_totals(counted)).order)

    def kallsyms(self, subject: Subject) -> str:
        """/proc/kallsyms of the kernel, from a boot of its own. Empty if the kernel has none."""
        printed = Bytes()
        outcome = vm.run(self.guest("gzip -c /proc/kallsyms", icount=False), subject.kernel, printed)
        if outcome.trouble:
            raise Failure(f"kernel-cost, {subject.name}: {outcome.trouble}\n{outcome.excerpt}")
        return gzip.decompress(printed.data).decode() if outcome.status == 0 else ""
