# SPDX-License-Identifier: GPL-2.0-only
"""The disk of the workloads `compile` and `kernel`: an ext4 image with gcc, a fixed part of
the kernel's source and the headers that it includes, and nothing else. The same image
serves every kernel that is compared, so all of them do the same work."""

from __future__ import annotations

import functools
import hashlib
import os
import shlex
import shutil
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from kmark import cache
from kmark.errors import Failure

VERSION = "6.1"
PARTS = ("lib/ctype.c", "lib/sort.c", "lib/list_sort.c")
PARTS_TEXT = "lib/{ctype,sort,list_sort}.c of Linux 6.1"
# The workload compiles the first files of this folder that the flags compile; other files need headers
# that a build of the whole kernel makes.
FOLDER_OF_KERNEL = "lib"
FILES_OF_KERNEL = 200
KERNEL_TEXT = f"the first {FILES_OF_KERNEL} files of {FOLDER_OF_KERNEL} that compile, of Linux 6.1"
GCC = Path("/usr/bin/gcc")
PROGRAMS = ("cc1", "as")  # started by gcc
SCRIPTS = {"compile": "/compile.sh", "kernel": "/kernel.sh"}
FOLDERS = ("tmp", "proc", "dev")
FLAGS = (
    *("-nostdinc", "-D__KERNEL__", "-std=gnu11", "-O2", "-m64", "-mcmodel=kernel", "-mno-sse"),
    *("-mno-red-zone", "-fno-strict-aliasing", "-fno-pie", "-fcf-protection=none", "-pg", "-mfentry"),
    *("-DCC_USING_FENTRY", '-DKBUILD_MODNAME="x"', '-DKBUILD_BASENAME="x"'),
)
INCLUDED = ("compiler-version.h", "kconfig.h", "compiler_types.h")
SPARE = 1.3  # factor for the file system itself
BLOCK = 4096
BATCH = 16  # files, between two looks at whether there are enough


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


def unpacked(names: tuple[str, ...], label: str) -> Path:
    """The folder with those files or folders of the distribution's source."""
    folder = cache.place("cache") / "macro" / f"{label}-{VERSION}"
    if not all((folder / name).exists() for name in names):
        source = cache.place(f"linux-source-{VERSION}")
        folder.parent.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
            inside = [f"linux-source-{VERSION}/{name}" for name in names]
            command = ["tar", "-xf", str(source), "--strip-components=1", "-C", scratch, *inside]
            if subprocess.run(command, check=False).returncode:
                raise Failure(f"{source}: {' '.join(names)} cannot be unpacked")
            shutil.copytree(scratch, folder, dirs_exist_ok=True)
    return folder


def compiles(path: Path) -> bool:
    command = [str(GCC), *flags(), "-w", "-c", "-o", "/dev/null", str(path)]
    return subprocess.run(command, check=False, capture_output=True).returncode == 0


def first_that_compile(paths: list[Path], wanted: int) -> list[Path]:
    """Return the first `wanted` files that compile. Failure if there are fewer."""
    found: list[Path] = []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for start in range(0, len(paths), BATCH):
            batch = paths[start : start + BATCH]
            found += [path for path, good in zip(batch, pool.map(compiles, batch), strict=True) if good]
            if len(found) >= wanted:
                return found[:wanted]
    raise Failure(f"only {len(found)} of {len(paths)} files of the kernel compile, of {wanted} wanted")


def listed(name: str, tree: Path) -> list[str]:
    """Return the files that a workload compiles, by path in the tree. For `kernel` the files are tried
    first, in minutes, and their list is kept."""
    if name == "compile":
        return list(PARTS)
    known = hashlib.sha256(" ".join([*flags(), tree_gcc()]).encode()).hexdigest()[:16]
    kept = cache.place("cache") / "macro" / f"files-{FOLDER_OF_KERNEL}-{FILES_OF_KERNEL}-{known}"
    if not kept.exists():
        paths = sorted((tree / FOLDER_OF_KERNEL).rglob("*.c"))
        found = first_that_compile(paths, FILES_OF_KERNEL)
        cache.write_whole(kept, "".join(f"{path.relative_to(tree)}\n" for path in found).encode())
    return kept.read_text().split()


def tree_gcc() -> str:
    return subprocess.check_output([GCC, "-dumpfullversion"], text=True).strip()


def parts(name: str) -> tuple[Path, list[str]]:
    """Return the tree for the workload, and the files to compile there."""
    tree = unpacked(*((PARTS, "source") if name == "compile" else ((FOLDER_OF_KERNEL,), "tree")))
    return tree, listed(name, tree)


def libraries(program: Path) -> list[Path]:
    """Return the files that the dynamic linker maps for a program, itself included, by requested name."""
    text = subprocess.check_output(["ldd", str(program)], text=True)
    return [Path(word) for word in text.split() if word.startswith("/")]


def included(tree: Path, files: list[str]) -> set[Path]:
    """Return the files that sources include, in the tree and outside of it: headers, and some sources."""
    rule = subprocess.check_output([GCC, *flags(), "-w", "-M", *(tree / name for name in files)], text=True)
    return {Path(word) for word in rule.split() if word.startswith("/") and word.endswith((".h", ".c"))}


def needed(names: tuple[str, ...]) -> dict[str, Path]:
    """Every file by its path on the disk that serves those workloads."""
    wanted = {GCC}
    for name in PROGRAMS:
        found = subprocess.check_output([GCC, f"-print-prog-name={name}"], text=True).strip()
        wanted.add(Path(shutil.which(found) or found))
    for program in list(wanted):
        wanted.update(libraries(program))
    files = {}
    for name in names:
        tree, sources = parts(name)
        for path in [*(tree / source for source in sources), *included(tree, sources)]:
            inside = path.resolve()
            if inside.is_relative_to(tree.resolve()):
                files[f"/linux/{inside.relative_to(tree.resolve())}"] = path
            else:
                wanted.add(path)
    files |= {os.path.normpath(path): path for path in wanted}
    files["/bin/sh"] = cache.place("busybox") / "bin/busybox"
    return files


def script(name: str) -> str:
    """Return a script in which gcc compiles all files, or, for `kernel`, the file of the round, $1."""
    command = shlex.join([str(GCC), *flags(), "-w", "-c"])
    sources = [f"/linux/{part}" for part in parts(name)[1]]
    if name == "compile":
        return f"cd /tmp && exec {command} {shlex.join(sources)}\n"
    return f'file=$1\nset -- {shlex.join(sources)}\nshift $((file % $#))\ncd /tmp && exec {command} "$1"\n'


def fill(folder: Path, files: dict[str, Path], names: tuple[str, ...]) -> None:
    for name in FOLDERS:
        (folder / name).mkdir()
    for place, path in sorted(files.items()):
        target = folder / place.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    for name in names:
        (folder / SCRIPTS[name].lstrip("/")).write_text(script(name))


@functools.cache
def image(names: tuple[str, ...] = ("compile",)) -> Path:
    """Return the image for those workloads. A missing image is made first, in a minute, or in several for
    `kernel`."""
    files = needed(names)
    digest = hashlib.sha256("".join(script(name) for name in names).encode())
    for name, path in sorted(files.items()):
        digest.update(f"{name} {path.stat().st_size}\n".encode())
    place = cache.place("cache") / "macro" / f"disk-{digest.hexdigest()[:16]}"
    if place.exists():
        return place
    size = int(sum(path.stat().st_size + BLOCK for path in files.values()) * SPARE) // BLOCK
    with tempfile.TemporaryDirectory(dir=place.parent) as scratch:
        folder, made = Path(scratch) / "root", Path(scratch) / "image"
        folder.mkdir()
        fill(folder, files, names)
        command = ["mke2fs", "-q", "-t", "ext4", "-O", "^has_journal", "-b", str(BLOCK)]
        command += ["-d", str(folder), str(made), str(size)]
        environment = {**os.environ, "PATH": f"{os.environ['PATH']}:/usr/sbin:/sbin"}
        done = subprocess.run(command, check=False, capture_output=True, text=True, env=environment)
        if done.returncode:
            raise Failure(f"the disk image cannot be made: {done.stderr.strip()[-500:]}")
        made.rename(place)
    return place
