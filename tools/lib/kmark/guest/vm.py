# SPDX-License-Identifier: GPL-2.0-only
"""Boots a kernel in QEMU, runs one script there, and judges how that went. The results port
is copied as it comes; the console log is kept."""

from __future__ import annotations

import os
import re
import select
import shlex
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Protocol

from kmark import cache
from kmark.errors import Failure, Usage
from kmark.guest import console, kvm
from kmark.guest.cpio import Archive
from kmark.guest.machine import MACHINES, NATIVE, X86_64, Machine
from kmark.kernel.package import Kernel
from kmark.make import DIE_WITH_PARENT

QEMU = X86_64.qemu
COUNTED_CPU = X86_64.counted_cpu
TIMED_OUT, FAILED = 124, 125
EXIT_MARK = b"kmark-vm-exit "
EXIT_LINE = re.compile(EXIT_MARK + rb"(\d+)\n\Z")
# The kernel's crypto self tests take two thirds of a boot under icount.
COMMAND_LINE = "loglevel=5 panic=-1 cryptomgr.notests"
HOST_ROOT_MODULES = ["virtio_pci", "9pnet_virtio", "9p"]
LOOK_S = 1.0  # between two looks at the kernel's log
AFTER_SPLAT_S = 10.0  # time for a guest to end by itself


class Sink(Protocol):
    """A file for the bytes of the results port."""

    def write(self, data: bytes, /) -> object: ...

    def flush(self) -> object: ...


@dataclass(frozen=True)
class Guest:
    """One run. `files`: (of the host, path in the guest); `modules`: of the kernel, for
    modprobe; `accel`: auto, parallel, tcg, tcg-single or kvm; `arch`: one of MACHINES."""

    command: str
    files: tuple[tuple[Path, str], ...] = ()
    modules: tuple[str, ...] = ()
    host_root: bool = False
    icount: bool = False
    icount_sleeps: bool = False  # else idle time is skipped up to the next timer
    cpus: int = 1
    memory_mib: int = 512
    accel: str = "auto"
    timeout_s: float = 120
    append: str = ""  # to the kernel's command line
    disk: Path | None = None  # read-only, /dev/vda in the guest
    log: Path | None = None
    cpu: str = ""  # a model of QEMU, with its options; empty: the counted one with icount, else all it has
    qemu: tuple[str, ...] = ()  # more options of QEMU
    arch: str = "x86_64"


@dataclass(frozen=True)
class Outcome:
    """End of a run. `status`: status of the script, or TIMED_OUT or FAILED; then `trouble` and
    `excerpt` say why, else they are empty."""

    status: int
    accel: str
    trouble: str = ""
    excerpt: str = ""


def choose_accel(guest: Guest, kernel: Kernel) -> tuple[str, str]:
    """tcg (a thread for each CPU), tcg-single (one for all) or kvm, and the reason. Usage
    if that cannot be with icount, Failure if kvm is asked for and does not work."""
    if guest.icount:
        if guest.cpus != 1 or guest.accel == "kvm":
            raise Usage("--icount counts instructions under TCG on one CPU only")
        return "tcg", "icount needs TCG"
    if guest.accel.startswith("tcg"):
        return guest.accel, "asked for"
    verdict = kvm.verdict(kernel) if guest.arch == NATIVE else f"this machine is not {guest.arch}"
    if verdict == kvm.WORKS:
        return "kvm", verdict
    if guest.accel == "kvm":
        raise Failure(f"kvm: {verdict}")
    # QEMU with a thread for each CPU can run stale code where another CPU patches, and stay at an int3 for
    # ever: with four CPUs, Debian's 6.1 does so without any module, within minutes of writing 1 and 0 to
    # events/sched/enable and those of five other systems.
    return (
        "tcg" if guest.accel == "parallel" else "tcg-single",
        f"the guest is emulated, which is slow: {verdict}",
    )


def qemu_command(guest: Guest, accel: str, image: Path, initramfs: Path, log: Path) -> list[str]:
    machine = MACHINES[guest.arch]
    command = [machine.qemu, *machine.options, "-nodefaults", "-display", "none", "-no-reboot"]
    words = (machine.words, machine.counted_words if guest.icount else "", COMMAND_LINE, guest.append)
    command += ["-kernel", str(image), "-initrd", str(initramfs), "-append", " ".join(filter(None, words))]
    command += ["-m", str(guest.memory_mib), "-smp", str(guest.cpus), *machine.ports(log)]
    if accel == "kvm":
        command += ["-accel", "kvm", "-cpu", guest.cpu or "host"]
    elif guest.icount:
        sleep = "on" if guest.icount_sleeps else "off"
        command += ["-accel", "tcg", "-icount", f"shift=0,sleep={sleep}"]
        command += ["-cpu", guest.cpu or machine.counted_cpu]
    else:
        threads = "single" if accel == "tcg-single" else "multi"
        command += ["-accel", f"tcg,thread={threads}", "-cpu", guest.cpu or machine.full_cpu]
    if guest.host_root:
        share = "local,path=/,mount_tag=hostroot,security_model=none,readonly=on,multidevs=remap"
        command += ["-virtfs", share]
    if guest.disk:  # read-only, and User-Mode Linux locks it in another way
        command += ["-drive", f"file={guest.disk},file.locking=off,if=virtio,format=raw,readonly=on"]
    return [*command, *guest.qemu]


def build_initramfs(guest: Guest, kernel: Kernel | None, out: BinaryIO) -> None:
    """Writes busybox, the script, the files and the modules. Failure if a file is missing."""
    archive = Archive(out)
    for folder in ("/proc", "/sys", "/dev", "/tmp", *(["/host"] if guest.host_root else [])):
        archive.folder(folder)
    archive.character_device("/dev/console", 5, 1)
    archive.copy(cache.place(MACHINES[guest.arch].busybox) / "bin/busybox", "/bin/busybox")
    # From one package, so its applets are the same on all architectures.
    runs_here = cache.place("busybox") / "bin/busybox"
    for applet in subprocess.check_output([runs_here, "--list"], text=True).split():
        if applet != "busybox":
            archive.link(f"/bin/{applet}", "busybox")
    archive.copy(cache.TOOLS / "vm/init", "/init")
    archive.file("/run.sh", guest.command.encode() + b"\n")
    for source, path in guest.files:
        if not source.exists():
            raise Failure(f"{source}: no such file, to be put into the guest")
        archive.copy(source, path)
    if guest.host_root:
        archive.file("/instead", instead(MACHINES[guest.arch]))
    names = [*guest.modules, *(HOST_ROOT_MODULES if guest.host_root else [])]
    if names and kernel and kernel.modules.exists():
        add_modules(archive, kernel, names)
    archive.close()


def instead(machine: Machine) -> bytes:
    """Return, for init, a line for each replaced folder of the host's root, with its replacement."""
    lines = ""
    for place, other in machine.instead:
        here = place if place.startswith("/") else cache.place(place)
        lines += f"{here} {cache.place(other)}\n"
    return lines.encode()


def add_modules(archive: Archive, kernel: Kernel, names: list[str]) -> None:
    """Return the modules with all their dependencies, and the files that modprobe reads."""
    folder = f"/lib/modules/{kernel.version}"
    needs = kernel.with_dependencies(names)
    for path in needs:
        archive.file(f"{folder}/{path}", kernel.module(path))
    table = "".join(f"{path}: {' '.join(below)}\n" for path, below in needs.items())
    archive.file(f"{folder}/modules.dep", table.encode())
    archive.copy(kernel.modules / "modules.builtin", f"{folder}/modules.builtin")


def held_back(tail: bytes) -> int:
    """Return how many bytes at the end of the output may belong to the exit line."""
    start = tail.rfind(EXIT_MARK)
    if start >= 0 and b"\n" not in tail[start:-1]:
        return len(tail) - start
    return next((n for n in range(len(EXIT_MARK) - 1, 0, -1) if tail.endswith(EXIT_MARK[:n])), 0)


def copy_results(process: subprocess.Popen[bytes], sink: Sink, timeout_s: float, log: Path) -> bytes | None:
    """Copies the results port until the guest is gone. Returns the bytes held back, or None
    after `timeout_s` seconds, or AFTER_SPLAT_S after the first splat in the log."""
    assert process.stdout
    deadline = time.monotonic() + timeout_s
    looked = 0.0
    console_log = console.Growing(log)
    has_splat = False
    pending = b""
    while True:
        now = time.monotonic()
        if not has_splat and now - looked >= LOOK_S:
            looked = now
            has_splat = bool(console_log.splats())
            if has_splat:
                deadline = min(deadline, now + AFTER_SPLAT_S)
        if now >= deadline:
            return None
        if not select.select([process.stdout], [], [], min(deadline - now, LOOK_S))[0]:
            continue
        chunk = os.read(process.stdout.fileno(), 65536)
        if not chunk:
            return pending
        pending += chunk
        ready = len(pending) - held_back(pending)
        sink.write(pending[:ready])
        sink.flush()
        pending = pending[ready:]


def judge(pending: bytes | None, log: str, timeout_s: float, qemu_said: str) -> tuple[int, str]:
    """Exit status and, if the guest itself failed, the reason. `pending`: the bytes held back."""
    found = console.splats(log)
    verdict = EXIT_LINE.search(pending) if pending else None
    if found:
        return (
            FAILED,
            f"the guest's kernel complained ({len(found)} lines), first: {found[0].strip()}",
        )
    if pending is None:
        return TIMED_OUT, f"the guest did not end in {timeout_s:g} s"
    if verdict is None:
        return (
            FAILED,
            f"the guest ended without an exit status{': ' + qemu_said if qemu_said else ''}",
        )
    return int(verdict[1]), ""


def run(guest: Guest, kernel: Kernel, sink: Sink) -> Outcome:
    """Boots the guest, copies its output to `sink`, and ends it after `timeout_s`. How the
    run failed is in the outcome; Failure if it cannot start."""
    accel, _ = choose_accel(guest, kernel)
    with tempfile.TemporaryDirectory(prefix="kmark-vm.") as scratch:
        initramfs = Path(scratch) / "initramfs"
        log = guest.log or Path(scratch) / "console.log"
        errors = Path(scratch) / "qemu.err"
        log.unlink(missing_ok=True)
        with initramfs.open("wb") as out:
            build_initramfs(guest, kernel, out)
        command = qemu_command(guest, accel, kernel.image(), initramfs, log)
        with (
            errors.open("wb") as stderr,
            subprocess.Popen(
                [*DIE_WITH_PARENT, *command],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=stderr,
            ) as process,
        ):
            try:
                pending = copy_results(process, sink, guest.timeout_s, log)
            finally:
                process.kill()
        text = log.read_text(errors="replace") if log.exists() else ""
        qemu_said = errors.read_text(errors="replace").strip()
        status, trouble = judge(pending, text, guest.timeout_s, qemu_said)
        if pending and not EXIT_LINE.search(pending):
            sink.write(pending)
        return Outcome(status, accel, trouble, console.excerpt(text) if trouble else "")


def script_command(words: list[str]) -> tuple[str, tuple[tuple[Path, str], ...]]:
    """Return the command that the guest runs for `kmark dev vm -- WORDS`, and the files it needs: a script
    file of the host with its arguments, else a shell command."""
    script = Path(words[0])
    if script.is_file():
        inside = f"/{script.name}"
        return shlex.join(["exec", "/bin/sh", inside, *words[1:]]), ((script, inside),)
    return (words[0] if len(words) == 1 else shlex.join(words)), ()
