# SPDX-License-Identifier: GPL-2.0-only
"""Operands of `kmark kernel-cost`: an image, a built tree, a version, a commit, patches."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from kmark.errors import Usage
from kmark.kernel import patchset
from kmark.kernel.package import Image, Kernel
from kmark.kernel_cost import builds, source
from kmark.kernel_cost.builds import Config
from kmark.kernel_cost.source import Snapshot, Source

PATCH_SUFFIXES = (".patch", ".diff", ".mbox", ".eml")
PATCH_START = re.compile(rb"From |From: |diff |--- |Index: ")
IN_TREE = Path("arch/x86/boot/bzImage")
MAPS = ("System.map", "vmlinux")  # files with symbols, the better one first
FILES = "files"  # the operand for the files of the user's tree as they are now


@dataclass(frozen=True)
class Subject:
    """A kernel to be measured. `symbols`: System.map or vmlinux, if there is one; `snapshot`: the files
    that it was built from, if they are known; `built`: its folder, if this program built it."""

    name: str
    kernel: Kernel
    symbols: Path | None
    snapshot: Snapshot | None = None
    built: Path | None = None

    @property
    def vmlinux(self) -> Path | None:
        """Return the file with symbols and their sizes, if there is one."""
        found = self.symbols.with_name("vmlinux") if self.symbols else None
        return found if found and found.exists() else None


Operand = Subject | Snapshot  # a kernel that exists, or files that can be built


def beside(image: Path) -> Path | None:
    """The file with the symbols of an image, as a tree or /boot has it."""
    release = image.name.partition("-")[2]
    folders = [image.parent]
    if image.match(str(IN_TREE)):
        folders.append(image.parents[3])
    for folder in folders:
        for name in MAPS:
            for found in (folder / f"{name}-{release}", folder / name):
                if found.exists() and found != image:
                    return found
    return None


def is_patch(path: Path) -> bool:
    if path.suffix in PATCH_SUFFIXES:
        return True
    with path.open("rb") as data:
        return PATCH_START.match(data.read(16)) is not None


def ready(folder: Path) -> Subject | None:
    """The kernel that a folder has: one of `kmark dev kernel`, or a built tree."""
    if list(folder.glob("boot/vmlinuz-*")):
        kernel = Kernel(folder)
        symbols = [folder / name for name in MAPS if (folder / name).exists()]
        return Subject(str(folder), kernel, symbols[0] if symbols else beside(kernel.bzimage))
    image = folder / IN_TREE
    return Subject(str(folder), Image(image), beside(image)) if image.exists() else None


@dataclass(frozen=True)
class Operands:
    """The meaning of words. `tree`: a folder in the user's repository of Linux, for commits; `base`: the
    version or commit that patches are applied to."""

    tree: Path
    base: str
    config: Config = field(default_factory=Config)

    @cached_property
    def repository(self) -> Source:
        return source.of_repository(self.tree)

    def check(self, *words: str) -> None:
        """Check, before anything is unpacked or built, that each word has a meaning. Usage if one has
        none."""
        for word in words:
            if self.is_commit(word):
                self.snapshot(word)

    def is_commit(self, word: str) -> bool:
        """Return whether a word can only be a commit."""
        return word not in patchset.versions() and not Path(word).exists()

    def snapshot(self, word: str) -> Snapshot:
        """Return the files of a version or of a commit. Usage if the word is neither."""
        if word in patchset.versions():
            return source.of_version(word).snapshot(word)
        try:
            repository = self.repository
        except Usage as problem:
            raise Usage(
                f"{problem}; and {word} is no image, tree, patch or version (there are: "
                f"{' '.join(patchset.versions())})"
            ) from None
        return repository.files() if word == FILES else repository.snapshot(word)

    def resolve(self, word: str, old: Operand | None = None) -> Operand:
        """Return what a word means. Patches are applied to `old` if these are files, else to the base; that
        takes a minute if a source has to be unpacked first. Usage if the word is no operand; Failure if a
        patch does not apply."""
        path = Path(word)
        if path.is_file() and not is_patch(path):
            return Subject(word, Image(path), beside(path))
        if path.is_dir() and (found := ready(path)):
            return found
        if path.exists():
            patches = [path] if path.is_file() else patchset.patches_in(path)
            if not patches:
                raise Usage(f"kernel-cost: {word}: neither a built kernel nor patches in this folder")
            below = old if isinstance(old, Snapshot) else self.snapshot(self.base)
            return below.with_patches(word, patches)
        return self.snapshot(word)

    def subject(self, operand: Operand) -> Subject:
        """Return the kernel of an operand, which is built first if need be. Failure if it cannot be
        built."""
        if isinstance(operand, Subject):
            return operand
        place = builds.kernel(operand, self.config)
        return Subject(operand.name, Kernel(place), place / "System.map", operand, place)
