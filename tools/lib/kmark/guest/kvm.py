# SPDX-License-Identifier: GPL-2.0-only
"""Finds out if hardware virtualisation works here, by trying, and remembers the answer."""

from __future__ import annotations

import os
import select
import subprocess
import time
from pathlib import Path

from kmark import cache, foreign
from kmark.kernel.package import Kernel

DEVICE = Path("/dev/kvm")
BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
WORKS = "works"
FAILED_S = 600  # then it is tried again: rights, QEMU or the load may have changed
PATIENCE_S, LIMIT_S = 8, 30
BOOTED = b"Kernel panic"
STUCK = b"KVM internal error"  # then QEMU waits for ever
COMMAND_LINE = "earlyprintk=serial,ttyS0 console=ttyS0 panic=-1"
MACHINE = ["-accel", "kvm", "-cpu", "host", "-m", "256", "-nodefaults", "-display", "none", "-no-reboot"]


def verdict(kernel: Kernel) -> str:
    """WORKS, or one line that says why not. The answer is kept in the cache: WORKS until the host
    boots again, another one for FAILED_S seconds."""
    if not DEVICE.exists():
        return f"there is no {DEVICE}"
    if not os.access(DEVICE, os.R_OK | os.W_OK):
        return f"this user may not open {DEVICE}, as the group kvm may: sudo adduser $USER kvm"
    boot = BOOT_ID.read_text().strip()
    kept = cache.place("cache") / "kvm"
    if answer := remembered(kept, boot):
        return answer
    answer = try_boot(kernel.image())
    cache.write_whole(kept, f"{boot}\n{answer}".encode())
    return answer


def remembered(kept: Path, boot: str) -> str:
    """Return the answer in that file; empty if there is none, or the answer is of another boot or too
    old."""
    try:
        then, _, answer = kept.read_text().partition("\n")
        age_s = time.time() - kept.stat().st_mtime
    except FileNotFoundError:
        return ""
    return answer if then == boot and (answer == WORKS or 0 <= age_s < FAILED_S) else ""


def try_boot(
    image: Path, qemu: str = "qemu-system-x86_64", patience_s: float = PATIENCE_S, limit_s: float = LIMIT_S
) -> str:
    """Return WORKS or the reason why KVM does not work, by booting `image` until it panics, as it finds no
    root: where instructions have to be emulated a guest prints something, too, and ends soon after. Wait
    `patience_s` seconds for its first output, and `limit_s` for all of it."""
    command = [qemu, *MACHINE, "-kernel", str(image), "-serial", "stdio", "-append", COMMAND_LINE]
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as guest:
        try:
            return watch(guest, patience_s, limit_s)
        finally:
            guest.kill()


def watch(guest: subprocess.Popen[bytes], patience_s: float, limit_s: float) -> str:
    assert guest.stdout
    assert guest.stderr
    start, said, complaint = time.monotonic(), b"", b""
    while True:
        wait_s = start + (limit_s if said else patience_s) - time.monotonic()
        ready = select.select([guest.stdout, guest.stderr], [], [], max(wait_s, 0))[0]
        if not ready and not said:
            return f"{DEVICE} is there but the guest printed nothing in {patience_s:g} s"
        if not ready:
            return f"{DEVICE} is there but the guest did not boot in {limit_s:g} s"
        if guest.stderr in ready:
            complaint += os.read(guest.stderr.fileno(), 65536)
        more = os.read(guest.stdout.fileno(), 65536) if guest.stdout in ready else None
        said += more or b""
        if BOOTED in said:
            return WORKS
        if more == b"" or STUCK in complaint:
            lines = foreign.lines(complaint.decode(errors="replace"))
            return f"{DEVICE} is there but fails: {lines[0] if lines else 'no message'}"
