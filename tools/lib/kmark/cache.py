# SPDX-License-Identifier: GPL-2.0-only
"""Where downloaded and derived files are kept, and how files are replaced as a whole."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

from kmark.errors import Failure

TOOLS = Path(__file__).resolve().parents[2]
TOP = TOOLS.parent


@cache
def place(name: str) -> Path:
    """The path of NAME, from tools/setup, which fetches what is missing. Failure if it cannot."""
    command = [str(TOOLS / "setup"), "--path", name]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise Failure(f"tools/setup --path {name} failed")
    return Path(done.stdout.strip())


def write_whole(path: Path, data: bytes, mode: int = 0o644) -> None:
    """Writes a file with that mode so that no one ever sees part of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
        os.chmod(temporary, mode)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def write_results(files: dict[str, str], results: Path, stamp: str) -> Path:
    """Writes the folder `stamp` of `results`, whose `latest` then points to it, and
    returns it. It appears with all its files (content by relative path) or not at all.
    Failure if the disk refuses."""
    try:
        results.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(dir=results, prefix=".new."))
        try:
            work.chmod(0o755)
            for name, content in files.items():
                (work / name).parent.mkdir(exist_ok=True)
                (work / name).write_text(content)
            folder = results / stamp
            os.rename(work, folder)
            link = results / f".latest.{os.getpid()}"
            link.symlink_to(stamp)
            os.replace(link, results / "latest")
        finally:
            with suppress(FileNotFoundError):
                shutil.rmtree(work)
    except OSError as problem:
        raise Failure(f"{results}: {problem}") from None
    return folder
