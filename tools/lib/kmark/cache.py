# SPDX-License-Identifier: GPL-2.0-only
"""Where fetched and derived things are kept, and how files appear whole."""

from __future__ import annotations

import os
import subprocess
import tempfile
from functools import cache
from pathlib import Path

from kmark.errors import Failure

TOOLS = Path(__file__).resolve().parents[2]
TOP = TOOLS.parent


@cache
def place(name: str) -> Path:
    """Asks tools/setup where `name` lies; it fetches what is missing."""
    command = [str(TOOLS / "setup"), "--path", name]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise Failure(f"tools/setup --path {name} failed")
    return Path(done.stdout.strip())


def write_whole(path: Path, data: bytes, mode: int = 0o644) -> None:
    """Writes a file so that no one ever sees half of it."""
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
