# SPDX-License-Identifier: GPL-2.0-only
"""Kernels that are built from the files of a source. A source has a folder for each configuration, so
that make compiles only what differs from the kernel before. Built kernels are kept until they are old, or
too many."""

from __future__ import annotations

import gzip
import hashlib
import os
import shutil
import subprocess
import tempfile
import time
import zlib
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path

from kmark import cache, foreign, lock
from kmark.errors import Usage, say
from kmark.kernel import patchset, tree
from kmark.kernel_cost.source import Snapshot, Source, top
from kmark.progress import Progress

# Nothing of the time, the place or the user is in a kernel; -g1 adds the lines of the source to vmlinux,
# and changes no instruction.
WORDS = [
    "KCFLAGS=-g1", "LOCALVERSION=", "KBUILD_BUILD_VERSION=1", "KBUILD_BUILD_USER=kmark",
    "KBUILD_BUILD_TIMESTAMP=2026-01-01",
]  # fmt: skip
GZIP = b"\x1f\x8b"
UNUSED_DAYS = 30
MOST_BYTES = 6 << 30  # of built kernels


@dataclass(frozen=True)
class Config:
    """A configuration, for one of the names of architectures in Linux. `base`: the text of a .config of the
    user, whose modules are left out."""

    arch: str = tree.X86
    base: str = ""

    @property
    def fragments(self) -> tuple[Path, ...]:
        return tree.fragments(self.arch, *(["distribution"] if self.base else ["small", "cost"]))

    @property
    def words(self) -> list[str]:
        """Return words for make."""
        return [f"ARCH={self.arch}", *tree.compiler_words(self.arch, clang=False), *WORDS]

    def asked(self) -> str:
        return "".join(path.read_text() for path in self.fragments)

    def text(self) -> str:
        return tree.without_modules(self.base) + self.asked()

    def key(self) -> str:
        """Return a name for the configuration and the words for make."""
        return digest(" ".join(self.words), self.text())


def read_config(path: Path) -> str:
    """Return the text of a .config, which gzip may have packed, as in /proc/config.gz. Usage if the file
    has none."""
    if path.exists() and not path.is_file():
        raise Usage(f"kernel-cost: {path}: no regular file")
    try:
        data = path.read_bytes()
        text = (gzip.decompress(data) if data.startswith(GZIP) else data).decode()
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as problem:
        raise Usage(f"kernel-cost: {path}: {getattr(problem, 'strerror', None) or 'no text'}") from None
    if "CONFIG_" not in text:
        raise Usage(f"kernel-cost: {path}: no file with a configuration")
    return text


def digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def key(snapshot: Snapshot, config: Config) -> str:
    """Return a name for all that a kernel depends on: each byte of its source, the configuration, and the
    compiler."""
    compiler = subprocess.check_output([f"{tree.prefix(config.arch)}gcc", "--version"], text=True)
    return digest(snapshot.tree, compiler, config.key())


def kernel(snapshot: Snapshot, config: Config) -> Path:
    """Return the folder of the kernel: boot/, System.map, vmlinux with lines, and .config. It is built
    first if there is none. Failure if it cannot be built."""
    source = snapshot.source
    place = source.folder / "kernels" / key(snapshot, config)
    if not place.exists():
        with lock.hold(source.lock_file, f"builds {source.name}"):
            if not place.exists():
                build(snapshot, config, place)
                prune(place)
    touch(place, place.parent, source.folder / "builds" / config.key())
    return place


def build(snapshot: Snapshot, config: Config, place: Path) -> None:
    cache.install("kernel", *(["cross"] if config.arch == tree.ARM64 else []))
    source = snapshot.source
    built = source.folder / "builds" / config.key()
    log, count = built / "kmark.log", source.folder / f"files-{config.arch}"
    built.mkdir(parents=True, exist_ok=True)
    place.parent.mkdir(exist_ok=True)
    log.unlink(missing_ok=True)
    is_first = not (built / "vmlinux").exists()
    words = [f"O={built}", *config.words]
    with (
        tempfile.TemporaryDirectory(dir=place.parent, prefix="new.") as scratch,
        Progress(f"kernel of {snapshot.name}") as progress,
    ):
        source.check_out(snapshot.tree)
        configure(source, built, config, words, log)
        total = int(count.read_text()) if is_first and count.exists() else 1300 if is_first else 0
        compiled = tree.make([*words, tree.IMAGES[config.arch]], source.work, log, progress, total)
        if is_first:
            cache.write_whole(count, b"%d\n" % compiled)
        collect(built, Path(scratch), config.arch)
        os.rename(scratch, place)
        Path(scratch).mkdir()  # for the context to remove
        place.chmod(0o755)


def configure(source: Source, built: Path, config: Config, words: list[str], log: Path) -> None:
    """Write .config, which says what this kernel does not have of the options that operations need."""
    wanted = built / "kmark.config"
    wanted.write_text(config.text())
    env = {"KCONFIG_ALLCONFIG": str(wanted)}
    tree.run(["make", *words, "allnoconfig"], source.work, log, env)
    have = set(foreign.lines((built / ".config").read_text()))
    if lost := [line for line in tree.dropped(config.asked(), have) if not patchset.is_option(line)]:
        say(f"this kernel does not have: {' '.join(lost)}")


def collect(built: Path, place: Path, arch: str) -> None:
    """Copy what is needed of a build to the folder of the kernel."""
    release = (built / "include/config/kernel.release").read_text().strip()
    (place / "boot").mkdir()
    shutil.copyfile(built / f"arch/{arch}/boot/{tree.IMAGES[arch]}", place / f"boot/vmlinuz-{release}")
    if arch == tree.X86:
        subprocess.run(["objcopy", "-S", built / "vmlinux", place / f"boot/vmlinux-{release}"], check=True)
    for name in ("System.map", "vmlinux", ".config"):
        shutil.copyfile(built / name, place / name)


def size_of(folder: Path) -> int:
    """Return the bytes of a folder on disk, of which another process may remove files meanwhile."""
    found = 0
    for path in folder.rglob("*"):
        with suppress(FileNotFoundError):
            found += path.lstat().st_blocks * 512
    return found


def used(path: Path) -> float:
    """Return when a folder was last used; 0 if there is none."""
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return 0


def touch(*folders: Path) -> None:
    """Note that folders are used now."""
    for folder in folders:
        with suppress(FileNotFoundError):
            os.utime(folder)


def prune(keep: Path) -> None:
    """Remove the sources, builds and kernels that were not used for UNUSED_DAYS, and the kernels used
    longest ago beyond MOST_BYTES, but not `keep`, and nothing of a source in which another process builds.
    The lock of the source of `keep` is held."""
    oldest, bytes_left, own = time.time() - UNUSED_DAYS * 24 * 3600, MOST_BYTES, keep.parents[1]
    for place in sorted(top().glob("*/kernels/*"), key=used, reverse=True):
        bytes_left -= size_of(place)
        if place != keep and (bytes_left < 0 or used(place) < oldest):
            remove(place, place.parents[1], own)
    for folder in top().glob("*/builds/*"):
        if used(folder) < oldest:
            remove(folder, folder.parents[1], own)
    for folder in top().iterdir():
        if folder.is_dir() and folder != own and max(used(folder), used(folder / "kernels")) < oldest:
            remove(folder, folder, own)


def remove(folder: Path, source: Path, own: Path) -> None:
    """Remove a folder of the folder of a source, unless another process builds there."""
    place = Source(source.name, source).lock_file
    with nullcontext(True) if source == own else lock.hold_if_free(place) as is_free:
        if is_free:
            shutil.rmtree(folder, ignore_errors=True)
