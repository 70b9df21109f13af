# SPDX-License-Identifier: GPL-2.0-only
"""Version of the project."""

from __future__ import annotations

import functools
import os

FOLDER = os.path.dirname(__file__)
IN_TREE = os.path.exists(f"{FOLDER}/../../setup")  # else this is installed, or in kmark.pyz


@functools.cache
def version() -> str:
    """Return the version of the file VERSION, with the commit in a git tree."""
    if not IN_TREE:
        from pkgutil import get_data

        return (get_data("kmark", "VERSION") or b"").decode().strip()
    import shutil
    import subprocess

    from kmark.cache import TOP

    found = (TOP / "VERSION").read_text().strip()
    if not (TOP / ".git").exists() or not shutil.which("git"):
        return found
    command = ["git", "-C", str(TOP), "rev-parse", "--short", "HEAD"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return f"{found} ({done.stdout.strip()})" if not done.returncode else found
