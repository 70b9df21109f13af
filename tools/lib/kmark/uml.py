# SPDX-License-Identifier: GPL-2.0-only
"""User-Mode Linux: a kernel that is a program. Builds the modules for it, boots
it without root, runs one script there, and judges what came of it."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from kmark import cache, console, guest, tree
from kmark.errors import Failure

BUILD = cache.TOP / "build/uml"
SOURCES = ("markers", "probes", "bench")
SUFFIXES = {".c", ".h", ".S", ".mk", ".lds"}
# The first console is nobody's, the second the results port, stderr has the log.
COMMAND_LINE = "mem=96M con=null con1=null,fd:1 stderr=1 console=stderr0 loglevel=5 panic=-1 results=tty1"


def sources() -> list[Path]:
    """What modules are made of, below the top."""
    found = [path for name in SOURCES for path in sorted((cache.TOP / name).rglob("*"))]
    kept = [path for path in found if path.name == "Kbuild" or path.suffix in SUFFIXES]
    kept = [path for path in kept if not path.name.endswith(".mod.c")]
    return [Path("Kbuild"), *(path.relative_to(cache.TOP) for path in kept)]


def copy_sources(build: Path) -> None:
    """Beside the tree, since its objects are another kernel's; times are kept, so
    that only what changed is built again."""
    for path in sources():
        source, target = cache.TOP / path, build / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists() or target.stat().st_mtime_ns != source.stat().st_mtime_ns:
            shutil.copy2(source, target)


def build_modules(kernel: Path | None = None, build: Path = BUILD, arch: str = "um") -> Path:
    """The folder that has them, at the same places as in the tree. For User-Mode
    Linux unless another kernel's folder is given."""
    kernel = kernel or cache.place("uml")
    copy_sources(build)
    command = ["make", "-s", "-C", str(kernel), f"ARCH={arch}", f"M={build}"]
    command += tree.toolchain(kernel)
    command += [f"-j{os.cpu_count()}", "modules"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        raise Failure(f"{arch}: the modules cannot be built:\n{done.stdout[-2000:]}")
    return build


def last_cpu() -> int:
    """Of those allowed, the one that interrupts are least likely to go to."""
    return max(os.sched_getaffinity(0))


def linux_command(initramfs: Path, kernel: Path | None, append: str) -> list[str]:
    # Without a random gap behind the program all modules lie below 2 GB.
    pinned = ["setarch", "-R", "taskset", "-c", str(last_cpu())]
    program = (kernel or cache.place("uml")) / "linux"
    words = [f"initrd={initramfs}", *COMMAND_LINE.split(), *append.split()]
    return [*guest.DIE_WITH_PARENT, *pinned, str(program), *words]


def run(
    command: str,
    files: tuple[tuple[Path, str], ...],
    sink: guest.Sink,
    timeout_s: float,
    kernel: Path | None = None,
    append: str = "",
) -> guest.Outcome:
    """Boots the kernel in that folder, runs `command` with `files` there; what it
    prints goes to `sink`. `append` has more words for the kernel."""
    with tempfile.TemporaryDirectory(prefix="kmark-uml.") as scratch:
        initramfs, log = Path(scratch) / "initramfs", Path(scratch) / "console.log"
        with initramfs.open("wb") as out:
            guest.build_initramfs(guest.Guest(command, files), None, out)
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
                pending = guest.copy_results(process, sink, timeout_s)
            finally:
                process.kill()
        if pending and not guest.EXIT_LINE.search(pending):
            sink.write(pending)
        text = log.read_text(errors="replace")
        status, trouble = guest.judge(pending, text, timeout_s, "")
        return guest.Outcome(status, "uml", trouble, console.excerpt(text) if trouble else "")
