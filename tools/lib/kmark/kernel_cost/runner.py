# SPDX-License-Identifier: GPL-2.0-only
"""Runs the micro-operations in guests, which count instructions."""

from __future__ import annotations

import gzip
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from kmark import cache, foreign
from kmark.errors import Failure
from kmark.guest import vm
from kmark.guest.output import Output, checked_text
from kmark.kernel_cost.operands import Subject

FOLDER = cache.TOP / "build/operations"
PROGRAM, PLUGIN = FOLDER / "operations", FOLDER / "trace.so"
CPU = vm.COUNTED_CPU
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
    "exec /operations {phase}"
)
EMPTY = "empty"


@dataclass
class Boot:
    """The output of a guest. `runs`: instructions of each run, by operation; those of an empty operation
    are subtracted. `order`: all operations, also those that are lacking."""

    release: str = "unknown"
    mitigations: dict[str, str] = field(default_factory=dict)
    runs: dict[str, list[int]] = field(default_factory=dict)
    lacking: dict[str, str] = field(default_factory=dict)
    order: list[str] = field(default_factory=list)


def parse(text: str) -> Boot:
    """Return the counts in a guest's output. Failure if the empty operation is missing or varies, because
    then ticks are no instructions."""
    boot = Boot()
    for line in foreign.lines(text):
        kind, *words = line.split("\t")
        if kind == "release":
            boot.release = words[0]
        elif kind == "cpu":
            boot.mitigations[words[0]] = words[1]
        elif kind == "lacking":
            boot.order.append(words[0])
            boot.lacking[words[0]] = words[1]
        elif kind == "operation":
            boot.order.append(words[0])
            boot.runs[words[0]] = [int(word) for word in words[1:]]
    empty = boot.runs.pop(EMPTY, [])
    if not empty or min(empty) <= 0:
        raise Failure(f"kernel-cost: the guest counted nothing: {text[-500:]}")
    boot.runs = {name: [count - min(empty) for count in runs] for name, runs in boot.runs.items()}
    return boot


def guest(command: str, more: tuple[str, ...] = (), icount: bool = True) -> vm.Guest:
    return vm.Guest(
        command,
        files=((PROGRAM, "/operations"),),
        icount=icount,
        accel="auto" if icount else "tcg",
        timeout_s=TIMEOUT_S,
        append=APPEND,
        cpu=CPU,
        qemu=(*REPEATABLE, *more),
    )


def run(subject: Subject, wanted: vm.Guest) -> Output:
    output = Output()
    outcome = vm.run(wanted, subject.kernel, output)
    checked_text(f"kernel-cost, {subject.name}", outcome, output, "operations")
    return output


def boot(subject: Subject, phase: int) -> Boot:
    """Boot the kernel once and return the counts of all operations. `phase` varies when operations start,
    relative to the timer's ticks. Failure if the guest fails."""
    return parse(run(subject, guest(COMMAND.format(phase=phase))).text())


Trace = dict[str, dict[int, int]]  # by operation: how often each address was executed


def parse_trace(text: str, order: list[str]) -> Trace:
    found: Trace = {}
    for line in foreign.lines(text):
        number, address, count = line.split("\t")
        counts = found.setdefault(order[int(number)], {})
        where = int(address, 16)
        counts[where] = counts.get(where, 0) + int(count)
    return found


def trace(subject: Subject) -> Trace:
    """Boot once more, and return how often the shortest run of each operation executed each instruction.
    Failure if the guest fails, or QEMU has no plugins."""
    with tempfile.TemporaryDirectory(prefix="kmark-kernel-cost.") as scratch:
        out = Path(scratch) / "trace"
        output = run(subject, guest(COMMAND.format(phase=0), ("-plugin", f"{PLUGIN},out={out}")))
        if not out.exists():
            raise Failure("kernel-cost: QEMU did not run its plugin")
        return parse_trace(out.read_text(), parse(output.text()).order)


class Bytes:
    """Keeps the output of a guest as it arrives."""

    def __init__(self) -> None:
        self.data = b""

    def write(self, data: bytes) -> None:
        self.data += data

    def flush(self) -> None:
        """All is kept at once."""


def kallsyms(subject: Subject) -> str:
    """/proc/kallsyms of the kernel, from a boot of its own. Empty if the kernel has none."""
    printed = Bytes()
    outcome = vm.run(guest("gzip -c /proc/kallsyms", icount=False), subject.kernel, printed)
    if outcome.trouble:
        raise Failure(f"kernel-cost, {subject.name}: {outcome.trouble}\n{outcome.excerpt}")
    return gzip.decompress(printed.data).decode() if outcome.status == 0 else ""
