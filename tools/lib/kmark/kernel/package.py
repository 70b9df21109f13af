# SPDX-License-Identifier: GPL-2.0-only
"""The distribution's kernel in the cache: its image and its modules."""

from __future__ import annotations

import lzma
import struct
from functools import cached_property
from pathlib import Path

from kmark import cache
from kmark.errors import Failure

XZ_MAGIC = b"\xfd7zXZ\0"
SETUP_SECTORS, PAYLOAD = 0x1F1, 0x248  # offsets in the x86 boot header


class Kernel:
    """A kernel package, unpacked at `root`. Failure if it has no image."""

    def __init__(self, root: Path) -> None:
        images = sorted(root.glob("boot/vmlinuz-*"))
        if not images:
            raise Failure(f"no kernel image under {root}/boot")
        self.bzimage = images[-1]
        self.version = self.bzimage.name.removeprefix("vmlinuz-")
        self.modules = root / "lib/modules" / self.version
        self._vmlinux = root / "boot" / f"vmlinux-{self.version}"

    @property
    def config(self) -> Path:
        """The file with the kernel's configuration."""
        return self.bzimage.with_name(f"config-{self.version}")

    def image(self) -> Path:
        """Return the image to boot: vmlinux, unpacked once and kept beside bzImage, which saves seconds of
        every boot under emulation; bzImage itself where that cannot be unpacked."""
        if not self._vmlinux.exists():
            payload = elf_payload(self.bzimage.read_bytes())
            if payload is None:
                return self.bzimage
            cache.write_whole(self._vmlinux, payload)
        return self._vmlinux

    @cached_property
    def _module_paths(self) -> dict[str, str]:
        order = (self.modules / "modules.order").read_text().split()
        return {module_name(path): path for path in order}

    @cached_property
    def _builtin(self) -> set[str]:
        """Return the names of built-in code that is a module in other kernels."""
        return set(map(module_name, (self.modules / "modules.builtin").read_text().split()))

    def module_path(self, name: str) -> str:
        """Path of a module below lib/modules/<version>. Failure if there is none."""
        try:
            return self._module_paths[module_name(name)]
        except KeyError:
            raise Failure(f"kernel {self.version} has no module {name}") from None

    def module(self, path: str) -> bytes:
        """Return the content of the module at that path below lib/modules/<version>, unpacked."""
        packed = self.modules / f"{path}.xz"
        if packed.exists():
            return lzma.decompress(packed.read_bytes())
        return (self.modules / path).read_bytes()

    def with_dependencies(self, names: list[str]) -> dict[str, list[str]]:
        """Return the paths of the modules and of all their dependencies; each with its own dependencies, in
        the order of modules.dep. Built-in code needs nothing."""
        needs: dict[str, list[str]] = {}

        def visit(name: str) -> list[str]:
            path = self.module_path(name)
            if path not in needs:
                below: list[str] = []
                for dependency in module_depends(self.module(path)):
                    for found in [*visit(dependency), self.module_path(dependency)]:
                        if found not in below:
                            below.append(found)
                needs[path] = below
            return needs[path]

        for name in names:
            if module_name(name) not in self._builtin:
                visit(name)
        return {path: below[::-1] for path, below in needs.items()}


class Image(Kernel):
    """A kernel that is one file, and has no modules."""

    def __init__(self, path: Path) -> None:
        self.bzimage = path
        self.version = path.name
        self.modules = path / "none"

    @property
    def config(self) -> Path:
        """The file with the kernel's configuration."""
        return self.bzimage.with_name(f"config-{self.version}")

    def image(self) -> Path:
        return self.bzimage


def module_name(path: str) -> str:
    """Return the name of a module for modprobe: without folders, .ko and dashes."""
    return Path(path).name.removesuffix(".ko").replace("-", "_")


def module_depends(data: bytes) -> list[str]:
    """The names in the `depends` field of a module's .modinfo."""
    start = data.find(b"\0depends=") + len(b"\0depends=")
    if start < len(b"\0depends="):
        return []
    return [name for name in data[start : data.index(b"\0", start)].decode().split(",") if name]


def elf_payload(bzimage: bytes) -> bytes | None:
    """The vmlinux of an xz-compressed bzImage, else None."""
    if len(bzimage) < PAYLOAD + 8:
        return None
    offset, size = struct.unpack_from("<II", bzimage, PAYLOAD)
    start = (bzimage[SETUP_SECTORS] + 1) * 512 + offset
    packed = bzimage[start : start + size]
    if not packed.startswith(XZ_MAGIC):
        return None
    return lzma.LZMADecompressor().decompress(packed)


def stock(place: str = "kernel") -> Kernel:
    """The kernel that the installed headers belong to, or the same of another architecture:
    a name of tools/setup --path."""
    return Kernel(cache.place(place))
