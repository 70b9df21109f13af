# SPDX-License-Identifier: GPL-2.0-only
"""The disk of the workload `compile`: an ext4 image with gcc, a fixed part of the
kernel's source and the headers that it includes, and nothing else. The same image
serves every kernel that is compared, so all of them do the same work."""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path

from kmark import cache
from kmark.errors import Failure

VERSION = "6.1"
PARTS = ("lib/ctype.c", "lib/sort.c", "lib/list_sort.c")
PARTS_TEXT = "lib/{ctype,sort,list_sort}.c of Linux 6.1"
GCC = Path("/usr/bin/gcc")
PROGRAMS = ("cc1", "as")  # that gcc starts
SCRIPT = "/compile.sh"
FOLDERS = ("tmp", "proc", "dev")
FLAGS = (
    *("-nostdinc", "-D__KERNEL__", "-std=gnu11", "-O2", "-m64", "-mcmodel=kernel", "-mno-sse"),
    *("-mno-red-zone", "-fno-strict-aliasing", "-fno-pie", "-fcf-protection=none", "-pg", "-mfentry"),
    *("-DCC_USING_FENTRY", '-DKBUILD_MODNAME="x"', '-DKBUILD_BASENAME="x"'),
)
INCLUDED = ("compiler-version.h", "kconfig.h", "compiler_types.h")
SPARE = 1.3  # of the files' size, for the file system itself
BLOCK = 4096


def headers() -> tuple[Path, Path]:
    """Two folders of the installed package: what all its kernels share, and what this one
    is configured to. Failure if they are missing."""
    version = subprocess.check_output([cache.TOOLS / "vm/kernel-version"], text=True).strip()
    modules = Path("/lib/modules") / version
    found = (modules / "source").resolve(), (modules / "build").resolve()
    for folder in found:
        if not (folder / "include").exists():
            raise Failure(f"{folder}: no headers of kernel {version}")
    return found


def flags() -> list[str]:
    common, configured = headers()
    folders = [
        common / "arch/x86/include",
        configured / "arch/x86/include/generated",
        common / "include",
        configured / "include",
        common / "arch/x86/include/uapi",
        configured / "arch/x86/include/generated/uapi",
        common / "include/uapi",
        configured / "include/generated/uapi",
    ]
    before = [word for name in INCLUDED for word in ("-include", str(common / "include/linux" / name))]
    return [*FLAGS, *(f"-I{folder}" for folder in folders), *before]


def parts() -> list[Path]:
    """The files to be compiled, from the distribution's source."""
    folder = cache.place("cache") / "macro" / f"source-{VERSION}"
    if not all((folder / part).exists() for part in PARTS):
        source = cache.place(f"linux-source-{VERSION}")
        folder.parent.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
            names = [f"linux-source-{VERSION}/{part}" for part in PARTS]
            command = ["tar", "-xf", str(source), "--strip-components=1", "-C", scratch, *names]
            if subprocess.run(command, check=False).returncode:
                raise Failure(f"{source}: {PARTS_TEXT} cannot be unpacked")
            shutil.copytree(scratch, folder, dirs_exist_ok=True)
    return [folder / part for part in PARTS]


def libraries(program: Path) -> list[Path]:
    """What the dynamic linker maps for a program, itself included, by the name that it
    looks for."""
    text = subprocess.check_output(["ldd", str(program)], text=True)
    return [Path(word) for word in text.split() if word.startswith("/")]


def needed() -> dict[str, Path]:
    """Every file by its path on the disk."""
    wanted = {GCC}
    for name in PROGRAMS:
        found = subprocess.check_output([GCC, f"-print-prog-name={name}"], text=True).strip()
        wanted.add(Path(shutil.which(found) or found))
    for program in list(wanted):
        wanted.update(libraries(program))
    for part in parts():
        rule = subprocess.check_output([GCC, *flags(), "-M", part], text=True)
        wanted.update(Path(word) for word in rule.split() if word.startswith("/") and word.endswith(".h"))
    files = {os.path.normpath(path): path for path in wanted}
    files.update({f"/linux/{part}": path for part, path in zip(PARTS, parts(), strict=True)})
    files["/bin/sh"] = cache.place("busybox") / "bin/busybox"
    return files


def script() -> str:
    words = [str(GCC), *flags(), "-c", *(f"/linux/{part}" for part in PARTS)]
    return f"cd /tmp && exec {shlex.join(words)}\n"


def fill(folder: Path, files: dict[str, Path]) -> None:
    for name in FOLDERS:
        (folder / name).mkdir()
    for place, path in sorted(files.items()):
        target = folder / place.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    (folder / SCRIPT.lstrip("/")).write_text(script())


def image() -> Path:
    """The image, which is made first, in a minute, if there is none yet."""
    files = needed()
    digest = hashlib.sha256(script().encode())
    for name, path in sorted(files.items()):
        digest.update(f"{name} {path.stat().st_size}\n".encode())
    place = cache.place("cache") / "macro" / f"disk-{digest.hexdigest()[:16]}"
    if place.exists():
        return place
    size = int(sum(path.stat().st_size + BLOCK for path in files.values()) * SPARE) // BLOCK
    with tempfile.TemporaryDirectory(dir=place.parent) as scratch:
        folder, made = Path(scratch) / "root", Path(scratch) / "image"
        folder.mkdir()
        fill(folder, files)
        command = ["mke2fs", "-q", "-t", "ext4", "-O", "^has_journal", "-b", str(BLOCK)]
        command += ["-d", str(folder), str(made), str(size)]
        environment = {**os.environ, "PATH": f"{os.environ['PATH']}:/usr/sbin:/sbin"}
        done = subprocess.run(command, check=False, capture_output=True, text=True, env=environment)
        if done.returncode:
            raise Failure(f"the disk image cannot be made: {done.stderr.strip()[-500:]}")
        made.rename(place)
    return place
