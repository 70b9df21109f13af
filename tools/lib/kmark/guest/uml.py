# SPDX-License-Identifier: GPL-2.0-only
"""User-Mode Linux: a kernel that is a program. Builds the modules for it, boots
it without root, runs one script there, and judges what came of it."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from kmark import cache, lock
from kmark.errors import Failure
from kmark.guest import console, vm
from kmark.kernel import tree
from kmark.kernel.package import Kernel
from kmark.make import DIE_WITH_PARENT, run_quietly

BUILD = cache.TOP / "build/uml"
SOURCES = ("markers", "probes", "bench")
SUFFIXES = {".c", ".h", ".S", ".mk", ".lds", ".list", ".awk", ".tsv"}
MADE = (".mod.c", "_list.h")  # by the build in the tree, for its kernel
# The first console is not connected, the second is the results port; stderr has the log.
COMMAND_LINE = "mem=96M con=null con1=null,fd:1 stderr=1 console=stderr0 loglevel=5 panic=-1 results=tty1"


def sources() -> list[Path]:
    """Files that modules are made of, relative to the top."""
    found = [path for name in SOURCES for path in sorted((cache.TOP / name).rglob("*"))]
    kept = [path for path in found if path.name == "Kbuild" or path.suffix in SUFFIXES]
    kept = [path for path in kept if not path.name.endswith(MADE)]
    return [Path("Kbuild"), *(path.relative_to(cache.TOP) for path in kept)]


def copy_sources(build: Path) -> None:
    """Copy the sources to `build`, because objects there are for another kernel than those of the tree.
    Times are kept, so that only changed files are built again."""
    for path in sources():
        source, target = cache.TOP / path, build / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists() or target.stat().st_mtime_ns != source.stat().st_mtime_ns:
            shutil.copy2(source, target)


def build_modules(kernel: Path | None = None, build: Path = BUILD, arch: str = "um") -> Path:
    """Builds the modules for the kernel in that folder (default: User-Mode Linux) and
    returns the folder that has them, at the same paths as in the tree. Failure if make
    fails, or cannot work there."""
    if " " in str(build):
        raise Failure(f"{build}: the kernel's kbuild cannot build modules where the path has a space")
    kernel = kernel or cache.place("uml")
    command = ["make", "-s", "-C", str(kernel), f"ARCH={arch}", f"M={build}"]
    command += tree.toolchain(kernel, arch)
    command += [f"-j{os.cpu_count()}", "modules"]
    with lock.hold(build.with_name(f"{build.name}.lock"), f"builds in {build}"):
        copy_sources(build)
        run_quietly(f"{arch}: the modules cannot be built", *command)
    return build


def build_modules_for(kernel: Path, arch: str = tree.X86) -> Path:
    """Build the modules for a folder of `kmark dev kernel`: a tree, or a kernel of the distribution, which
    has its headers. Return the folder that has them. Failure as above."""
    headers = Kernel(kernel).modules / "build"
    if headers.exists():
        return build_modules(headers, cache.TOP / "build" / f"stock-{kernel.name}", arch)
    return build_modules(kernel, cache.TOP / "build" / kernel.name, arch)


def last_cpu() -> int:
    """Return the allowed CPU that is least likely to get interrupts."""
    return max(os.sched_getaffinity(0))


def linux_command(initramfs: Path, kernel: Path | None, append: str) -> list[str]:
    # With address space randomisation off, all modules lie below 2 GB.
    pinned = ["setarch", "-R", "taskset", "-c", str(last_cpu())]
    program = (kernel or cache.place("uml")) / "linux"
    words = [f"initrd={initramfs}", *COMMAND_LINE.split(), *append.split()]
    return [*DIE_WITH_PARENT, *pinned, str(program), *words]


def run(
    command: str,
    files: tuple[tuple[Path, str], ...],
    sink: vm.Sink,
    timeout_s: float,
    kernel: Path | None = None,
    append: str = "",
) -> vm.Outcome:
    """Boot User-Mode Linux and run `command` with `files` (of the host, path in the guest) there. Its
    output goes to `sink`. `kernel`: the folder of the program; `append`: more words for the kernel. The
    outcome has the reason of a failure."""
    with tempfile.TemporaryDirectory(prefix="kmark-uml.") as scratch:
        initramfs, log = Path(scratch) / "initramfs", Path(scratch) / "console.log"
        with initramfs.open("wb") as out:
            vm.build_initramfs(vm.Guest(command, files), None, out)
        with (
            log.open("wb") as stderr,
            subprocess.Popen(
                linux_command(initramfs, kernel, append),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=stderr,
                env={**os.environ, "TMPDIR": scratch, "HOME": scratch},
            ) as process,
        ):
            try:
                pending = vm.copy_results(process, sink, timeout_s, log)
            finally:
                process.kill()
        if pending and not vm.EXIT_LINE.search(pending):
            sink.write(pending)
        text = log.read_text(errors="replace")
        status, trouble = vm.judge(pending, text, timeout_s, "")
        return vm.Outcome(status, "uml", trouble, console.excerpt(text) if trouble else "")
