# SPDX-License-Identifier: GPL-2.0-only
"""Whether hardware virtualisation works here: found by trying, then remembered."""

from __future__ import annotations

import os
import select
import subprocess
from pathlib import Path

from kmark import cache
from kmark.kernel.package import Kernel

DEVICE = Path("/dev/kvm")
PATIENCE_S = 8
COMMAND_LINE = "earlyprintk=serial,ttyS0 console=ttyS0 panic=-1"
MACHINE = ["-accel", "kvm", "-cpu", "host", "-m", "256", "-nodefaults", "-display", "none", "-no-reboot"]


def verdict(kernel: Kernel) -> str:
    """ "works", or one line that says why not. Tried once per boot of the host; the answer
    is kept in the cache."""
    if not DEVICE.exists():
        return f"there is no {DEVICE}"
    boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    remembered = cache.place("cache") / f"kvm-{boot}"
    if not remembered.exists():
        cache.write_whole(remembered, try_boot(kernel.image()).encode())
    return remembered.read_text()


def try_boot(image: Path, qemu: str = "qemu-system-x86_64", patience_s: float = PATIENCE_S) -> str:
    """The same, by booting `image` until its first output, for at most `patience_s` seconds."""
    command = [qemu, *MACHINE, "-kernel", str(image), "-serial", "stdio", "-append", COMMAND_LINE]
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as guest:
        assert guest.stdout
        assert guest.stderr
        try:
            ready = select.select([guest.stdout], [], [], patience_s)[0]
            if not ready:
                return f"{DEVICE} is there but the guest printed nothing in {patience_s:g} s"
            if os.read(guest.stdout.fileno(), 1):
                return "works"
            lines = guest.stderr.read().decode(errors="replace").splitlines()
            return f"{DEVICE} is there but fails: {lines[0] if lines else 'no message'}"
        finally:
            guest.kill()
