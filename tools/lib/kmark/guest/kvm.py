# SPDX-License-Identifier: GPL-2.0-only
"""Whether hardware virtualisation works here: found by trying, then remembered."""

from __future__ import annotations

import os
import select
import subprocess
import time
from pathlib import Path

from kmark import cache
from kmark.kernel.package import Kernel

DEVICE = Path("/dev/kvm")
BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
WORKS = "works"
FAILED_S = 600  # then it is tried again: rights, QEMU or the load may have changed
PATIENCE_S = 8
COMMAND_LINE = "earlyprintk=serial,ttyS0 console=ttyS0 panic=-1"
MACHINE = ["-accel", "kvm", "-cpu", "host", "-m", "256", "-nodefaults", "-display", "none", "-no-reboot"]


def verdict(kernel: Kernel) -> str:
    """WORKS, or one line that says why not. The answer is kept in the cache: WORKS until the host
    boots again, another one for FAILED_S seconds."""
    if not DEVICE.exists():
        return f"there is no {DEVICE}"
    boot = BOOT_ID.read_text().strip()
    kept = cache.place("cache") / "kvm"
    if answer := remembered(kept, boot):
        return answer
    answer = try_boot(kernel.image())
    cache.write_whole(kept, f"{boot}\n{answer}".encode())
    return answer


def remembered(kept: Path, boot: str) -> str:
    """The answer in that file; empty if there is none, or it is of another boot or too old."""
    try:
        then, _, answer = kept.read_text().partition("\n")
        age_s = time.time() - kept.stat().st_mtime
    except FileNotFoundError:
        return ""
    return answer if then == boot and (answer == WORKS or 0 <= age_s < FAILED_S) else ""


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
                return WORKS
            lines = guest.stderr.read().decode(errors="replace").splitlines()
            return f"{DEVICE} is there but fails: {lines[0] if lines else 'no message'}"
        finally:
            guest.kill()
