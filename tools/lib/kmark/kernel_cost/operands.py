# SPDX-License-Identifier: GPL-2.0-only
"""Operands OLD and NEW of `kmark kernel-cost`: an image, a built tree, a version, patches."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from kmark.errors import Usage
from kmark.kernel import patchset, tree
from kmark.kernel.package import Image, Kernel

PATCH_SUFFIXES = (".patch", ".diff")
PATCH_START = re.compile(rb"From |From: |diff |--- |Index: ")
IN_TREE = Path("arch/x86/boot/bzImage")
MAPS = ("System.map", "vmlinux")  # files with symbols, the better one first


@dataclass(frozen=True)
class Subject:
    """A kernel to be measured. `symbols`: System.map or vmlinux, if there is one."""

    name: str
    kernel: Kernel
    symbols: Path | None


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


def patched(name: str, base: str, patches: list[Path]) -> Callable[[], Subject]:
    """Return a function that builds the kernel `base` with those patches, if the cache has none. Failure,
    in seconds, if they do not apply. The series of this project is built as by `kmark dev kernel`."""
    if patchset.is_series(patches, base):
        return lambda: built(name, tree.Recipe(base))
    recipe = tree.Recipe(base, patched=False, more=tuple(path.resolve() for path in patches))
    tree.check_patches(recipe)
    return lambda: built(name, recipe)


def built(name: str, recipe: tree.Recipe) -> Subject:
    place = tree.build(recipe)
    return Subject(name, Kernel(place), place / "System.map")


def ready(folder: Path) -> Subject | None:
    """The kernel that a folder has: one of `kmark dev kernel`, or a built tree."""
    if list(folder.glob("boot/vmlinuz-*")):
        kernel = Kernel(folder)
        symbols = [folder / name for name in MAPS if (folder / name).exists()]
        return Subject(str(folder), kernel, symbols[0] if symbols else beside(kernel.bzimage))
    image = folder / IN_TREE
    return Subject(str(folder), Image(image), beside(image)) if image.exists() else None


def resolve(word: str, base: str) -> Callable[[], Subject]:
    """Return a function that makes the kernel, in minutes if it has to be built. Patches are applied to
    the version `base`. Usage, at once, if the word is no operand; Failure, in seconds, if a patch does
    not apply, and later, if the kernel cannot be built."""
    path = Path(word)
    if path.is_file() and is_patch(path):
        return patched(word, base, [path])
    if path.is_file():
        return lambda: Subject(word, Image(path), beside(path))
    if path.is_dir():
        if found := ready(path):
            return lambda: found
        if patches := patchset.patches_in(path):
            return patched(word, base, patches)
        raise Usage(f"kernel-cost: {word}: neither a built kernel nor patches in this folder")
    if word in patchset.versions():
        return lambda: built(word, tree.Recipe(word, patched=False))
    raise Usage(
        f"kernel-cost: {word}: no image, tree, patch or version "
        f"(there are: {' '.join(patchset.versions())})"
    )
