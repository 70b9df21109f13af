# SPDX-License-Identifier: GPL-2.0-only
"""Operands of `kmark kernel-cost`: an image, a built tree, a version, a commit, patches."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from kmark import foreign
from kmark.errors import Usage
from kmark.kernel import given_patch, patchset
from kmark.kernel.package import Image, Kernel
from kmark.kernel_cost import builds, source
from kmark.kernel_cost.builds import Config
from kmark.kernel_cost.source import Snapshot, Source

PATCH_SUFFIXES = (".patch", ".diff", ".mbox", ".eml")
PATCH_START = re.compile(rb"commit [0-9a-f]{7,}|diff |--- |Index: ")
DIFF = re.compile(rb"^(diff |\+\+\+ )", re.MULTILINE)
IMAGE_START = (b"MZ", b"\x7fELF")
IMAGE_NAME = re.compile(r"(bzImage|vmlinuz)\b|Image$")
BASE = "6.1"  # of patches, if no other is named
IN_TREE = Path("arch/x86/boot/bzImage")
MAPS = ("System.map", "vmlinux")  # files with symbols, the better one first


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
    with path.open("rb") as file:
        data = file.read(256)
    return any(pattern.match(data) for pattern in (given_patch.MAIL, PATCH_START))


def is_image(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4).startswith(IMAGE_START) or IMAGE_NAME.match(path.name) is not None


def is_cover_letter(path: Path) -> bool:
    """Return whether a file has the name of a cover letter, and no diff."""
    if not patchset.COVER_LETTER.match(path.name) or not path.is_file():
        return False
    return not DIFF.search(path.read_bytes())


def patches_in(folder: Path) -> list[Path]:
    """Return the patches of a folder, without cover letters: in the order of its file `series`, which quilt
    writes, else of their names."""
    series = folder / "series"
    if series.is_file():
        rows = (
            line.partition("#")[0].split() for line in foreign.lines(series.read_text(errors="replace"))
        )
        found = [folder / words[0] for words in rows if words]
    else:
        found = sorted(path for path in folder.iterdir() if path.suffix in PATCH_SUFFIXES)
    return [path for path in found if not is_cover_letter(path)]


def patches_of(word: str) -> list[Path]:
    """Return the patches that a word names: a file, or those of a folder."""
    path = Path(word)
    if path.is_dir():
        return patches_in(path)
    return [path] if path.is_file() and is_patch(path) else []


def ready(word: str) -> Subject | None:
    """The kernel that a word names, if it does not have to be built. Usage if the word is a file that is
    neither an image nor a patch."""
    path = Path(word)
    if path.is_dir():
        return ready_in(path)
    if not path.is_file() or is_patch(path):
        return None
    if not is_image(path):
        raise Usage(f"kernel-cost: {word}: this file is neither an image, such as bzImage, nor a patch")
    return Subject(word, Image(path), beside(path))


def ready_in(folder: Path) -> Subject | None:
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
    version or commit that patches are applied to, if the user names one."""

    tree: Path
    base: str | None = None
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

    def check_base(self, old: str, *words: str) -> None:
        """Check, before anything is unpacked or built, that patches have one base. Usage if they have none,
        or if the option --base would be ignored."""
        patches = [word for word in words if not ready(word) and patches_of(word)]
        is_kernel = ready(old) is not None
        if patches and is_kernel and not self.base:
            raise Usage(f"kernel-cost: {patches[0]}: name the source of {old} by --base")
        has_use = patches if is_kernel else patches_of(old)
        if self.base and self.base != old and not has_use:
            raise Usage("kernel-cost: --base has no effect here: patches are applied to OLD")
        if self.base and self.is_commit(self.base):
            self.snapshot(self.base)

    def is_commit(self, word: str) -> bool:
        """Return whether a word can only be a commit."""
        return word not in patchset.versions() and not ready(word) and not patches_of(word)

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
        try:
            return repository.snapshot(word)
        except Usage as problem:
            path = Path(word)
            if path.is_dir():
                more = "; and the folder has neither a built kernel nor patches"
            else:
                is_path = path.suffix in PATCH_SUFFIXES or word.startswith((".", "/"))
                more = "; and there is no such file" if is_path else ""
            raise Usage(f"{problem}{more}") from None

    def resolve(self, word: str | None, old: Operand | None = None) -> Operand:
        """Return what a word means; without a word, the files of the user's tree as they are now. Patches
        are applied to `old` if these are files, else to the base; that takes a minute if a source has to be
        unpacked first. Usage if the word is no operand; Failure if a patch does not apply."""
        if word is None:
            return self.repository.files()
        if found := ready(word):
            return found
        if patches := patches_of(word):
            below = old if isinstance(old, Snapshot) else self.snapshot(self.base or BASE)
            return below.with_patches(word, patches)
        return self.snapshot(word)

    def subject(self, operand: Operand) -> Subject:
        """Return the kernel of an operand, which is built first if need be. Failure if it cannot be
        built."""
        if isinstance(operand, Subject):
            return operand
        place = builds.kernel(operand, self.config)
        return Subject(operand.name, Kernel(place), place / "System.map", operand, place)
