# SPDX-License-Identifier: GPL-2.0-only
"""A writer of newc archives, the format of an initramfs."""

from __future__ import annotations

import os
import stat
from pathlib import Path, PurePosixPath
from typing import BinaryIO


class Archive:
    """Adds files under absolute paths of the guest, with their parent folders. close() ends it."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out
        self._inode = 0
        self._folders = {PurePosixPath("/")}

    def _entry(self, path: str, mode: int, data: bytes = b"", rdev: tuple[int, int] = (0, 0)) -> None:
        for above in reversed(PurePosixPath(path).parents):
            self.folder(str(above))
        self._inode += 1
        name = path.lstrip("/").encode() + b"\0"
        fields = (self._inode, mode, 0, 0, 1, 0, len(data), 0, 0, *rdev, len(name), 0)
        header = b"070701" + b"".join(b"%08x" % field for field in fields)
        self._out.write(header + name + b"\0" * (-(len(header) + len(name)) % 4))
        self._out.write(data + b"\0" * (-len(data) % 4))

    def folder(self, path: str) -> None:
        if PurePosixPath(path) not in self._folders:
            self._folders.add(PurePosixPath(path))
            self._entry(path, stat.S_IFDIR | 0o755)

    def file(self, path: str, data: bytes, executable: bool = False) -> None:
        self._entry(path, stat.S_IFREG | (0o755 if executable else 0o644), data)

    def link(self, path: str, target: str) -> None:
        self._entry(path, stat.S_IFLNK | 0o777, target.encode())

    def character_device(self, path: str, major: int, minor: int) -> None:
        self._entry(path, stat.S_IFCHR | 0o600, rdev=(major, minor))

    def copy(self, source: Path, path: str) -> None:
        """Copies a host file, or a folder with all below it. Links are followed."""
        if source.is_dir():
            self.folder(path)
            for child in sorted(source.iterdir()):
                self.copy(child, str(PurePosixPath(path) / child.name))
        else:
            self.file(path, source.read_bytes(), os.access(source, os.X_OK))

    def close(self) -> None:
        self._entry("/TRAILER!!!", 0)
