# SPDX-License-Identifier: GPL-2.0-only
"""The folder of downloaded and derived files, and the replacement of whole files."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

from kmark.errors import Failure, say

TOOLS = Path(__file__).resolve().parents[2]
TOP = TOOLS.parent


@cache
def place(name: str) -> Path:
    """Return the path of NAME from tools/setup, which fetches missing files. Failure if it cannot."""
    command = [str(TOOLS / "setup"), "--path", name]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise Failure(f"tools/setup --path {name} failed")
    return Path(done.stdout.strip())


def install(*profiles: str) -> None:
    """Install what those profiles of tools/setup need and is missing. Failure if it cannot."""
    if subprocess.run([str(TOOLS / "setup"), *profiles], stdout=sys.stderr, check=False).returncode:
        raise Failure(f"tools/setup {' '.join(profiles)} failed")


def usual_mode() -> int:
    """Return the mode of a new file."""
    umask = os.umask(0o077)
    os.umask(umask)
    return 0o666 & ~umask


def write_whole(path: Path, data: bytes | Iterable[bytes], mode: int | None = None) -> None:
    """Writes a file, of bytes or their parts, so that no one ever sees part of it. It gets that mode, or
    keeps the one that it has. The file that a link leads to is replaced, not the link; what is no file,
    as a device or a pipe, is written to. OSError, which names it, if that cannot be."""
    parts = [data] if isinstance(data, bytes) else data
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        found = path.stat() if path.exists() else None
        if found and not stat.S_ISREG(found.st_mode):
            with path.open("wb") as there:
                there.writelines(parts)
            return
        if mode is None:
            mode = stat.S_IMODE(found.st_mode) if found else usual_mode()
        place = Path(os.path.realpath(path))
        handle, temporary = tempfile.mkstemp(dir=place.parent, prefix=f".{place.name}.")
        try:
            with os.fdopen(handle, "wb") as out:
                out.writelines(parts)
            os.chmod(temporary, mode)
            os.replace(temporary, place)
        except BaseException:
            os.unlink(temporary)
            raise
    except OSError as problem:
        raise OSError(problem.errno, problem.strerror, str(path)) from None


def own_folder(path: Path) -> None:
    """Makes the folder, or checks that no other user can place a file there. Failure if one can."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = path.stat()
    except OSError as problem:
        raise Failure(f"{path}: {problem.strerror}") from None
    if found.st_uid != os.geteuid() or found.st_mode & 0o022:
        raise Failure(f"{path}: other users can write there: give a folder of your own")


def rename_new(work: Path, folder: Path) -> Path:
    """Give a folder its name, or NAME-2, NAME-3 and so on if the name exists. Return the name."""
    number, place = 1, folder
    while True:
        try:
            os.rename(work, place)
            return place
        except OSError as problem:
            if problem.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                raise
        number += 1
        place = folder.with_name(f"{folder.name}-{number}")


@contextmanager
def unfinished(results: Path) -> Iterator[Path]:
    """Yield a path in `results` for raw data that exists before the context ends. If the context fails, the
    file stays and is named on stderr; otherwise it is removed."""
    path = results / time.strftime(f"unfinished-%Y%m%d-%H%M%S-{os.getpid()}.raw.tsv")
    try:
        yield path
    except BaseException:
        if path.exists():
            say(f"the measurements so far are in {path}")
        raise
    path.unlink(missing_ok=True)


def write_results(files: dict[str, str], results: Path, stamp: str) -> Path:
    """Write the folder `stamp` of `results` (or `stamp`-2 and so on, if there is one), make `latest` point
    to it, and return it. The folder appears with all its files (content by relative path) or not at all.
    Failure if the disk refuses."""
    try:
        results.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(dir=results, prefix=".new."))
        try:
            work.chmod(0o755)
            for name, content in files.items():
                (work / name).parent.mkdir(exist_ok=True)
                (work / name).write_text(content)
            folder = rename_new(work, results / stamp)
            link = results / f".latest.{os.getpid()}"
            link.symlink_to(folder.name)
            os.replace(link, results / "latest")
        finally:
            with suppress(FileNotFoundError):
                shutil.rmtree(work)
    except OSError as problem:
        raise Failure(f"{results}: {problem}") from None
    return folder
