# SPDX-License-Identifier: GPL-2.0-only
"""The machines that guests are, one for each architecture: the options of QEMU for them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from kmark import cache


@dataclass(frozen=True)
class Machine:
    """A machine for guests. `kernel`, `busybox`: names of tools/setup --path. `counted_cpu`: CPU model on
    which instructions are counted, which never changes; `full_cpu`: model with all features of QEMU.
    `words`: words for the kernel's command line; `counted_words`: more words where the clock counts
    instructions, because each ms that the kernel waits is a million. `results`: options of the results
    port, which is stdio. `cross`: name of the architecture in the Makefile, if it is not this machine's.
    `instead`: replacements in the host's root at /host, by path of the host or name of tools/setup --path,
    with the name of the replacement."""

    qemu: str
    kernel: str
    busybox: str
    counted_cpu: str
    full_cpu: str
    words: str
    results: tuple[str, ...]
    options: tuple[str, ...] = ()
    counted_words: str = ""
    cross: str = ""
    instead: tuple[tuple[str, str], ...] = ()

    @property
    def make_words(self) -> tuple[str, ...]:
        """Return the words for make that build for this machine."""
        return (f"ARCH={self.cross}",) if self.cross else ()

    @property
    def modules(self) -> Path:
        """The folder whose markers/, probes/ and bench/ have the modules."""
        return cache.TOP / "build" / self.cross if self.cross else cache.TOP

    def ports(self, log: Path) -> list[str]:
        """The console, which `log` keeps, and the results port."""
        return ["-serial", f"file:{log}", *self.results]


# A kernel that does not detect that it is a guest panics when a busy host delays the timer
# it tests.
X86_64 = Machine(
    qemu="qemu-system-x86_64",
    kernel="kernel",
    busybox="busybox",
    counted_cpu="qemu64-v1,+rdtscp,+smep,+smap,+erms,+fsgsbase,+popcnt,+ssse3,+sse4.1,+sse4.2",
    full_cpu="max",
    words="console=ttyS0 no_timer_check",
    counted_words="nolapic_timer",  # to find its frequency takes 200 ms; ticks come from another
    results=("-serial", "stdio"),
    # The interrupt routes of QEMU's default machine are computed by a loop in ACPI's own language. A
    # kernel with KASAN interprets it for more than the 30 s after which Linux gives up.
    options=("-machine", "q35"),
)

# The virt machine has one serial port; the second is on PCI. Pointers are authenticated by a function of
# QEMU's own: the BIOS of Arm takes half of the time of a boot.
ARM64 = Machine(
    qemu="qemu-system-aarch64",
    kernel="kernel-arm64",
    busybox="busybox-arm64",
    counted_cpu="neoverse-n1",
    full_cpu="max,pauth-impdef=on",
    words="console=ttyAMA0 results=ttyS0",
    results=("-chardev", "stdio,id=results", "-device", "pci-serial,chardev=results"),
    options=("-machine", "virt,gic-version=max"),
    cross="arm64",
    instead=(("python", "python-arm64"), ("export", "export-arm64"), ("/usr", "usr-arm64")),
)

MACHINES = {"x86_64": X86_64, "arm64": ARM64}
NATIVE = {"aarch64": "arm64"}.get(os.uname().machine, os.uname().machine)
