# SPDX-License-Identifier: GPL-2.0-only
"""Makes one file of kmark, which Python runs: the same bytes for the same sources, whenever and in
whatever folder it is made, which the standard library's zipapp does not promise.

    pyz.py [--compiled] OUTPUT [INTERPRETER]

With --compiled, it also has what this Python compiles of each file, starts in three quarters of the time,
and is the same only for the same Python. Another Python does not use these parts."""

from __future__ import annotations

import py_compile
import sys
import tempfile
import zipfile
from pathlib import Path

LIBRARY = Path(__file__).resolve().parent / "lib"
INTERPRETER = "/usr/bin/env -S python3 -ISXutf8"
COMPILED = "--compiled"
MADE = (1980, 1, 1, 0, 0, 0)  # the first date that the format has


def sources() -> dict[str, Path]:
    """The files, by their path in the archive."""
    found = {
        str(path.relative_to(LIBRARY)): path
        for path in (LIBRARY / "kmark").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    found |= {"__main__.py": LIBRARY / "kmark/__main__.py", "kmark/VERSION": LIBRARY.parents[1] / "VERSION"}
    return dict(sorted(found.items()))


def compiled(name: str, path: Path) -> bytes:
    """The content of the compiled file, which does not depend on the source's place and time."""
    with tempfile.NamedTemporaryFile(suffix=".pyc") as scratch:
        unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH
        py_compile.compile(str(path), scratch.name, name, doraise=True, invalidation_mode=unchecked)
        return Path(scratch.name).read_bytes()


def files(with_compiled: bool) -> dict[str, bytes]:
    """The content of each file of the archive."""
    found = {}
    for name, path in sources().items():
        found[name] = path.read_bytes()
        if with_compiled and path.suffix == ".py":
            found[f"{name}c"] = compiled(name, path)
    return found


def make(output: Path, interpreter: str = INTERPRETER, with_compiled: bool = False) -> None:
    """Write the file with the INTERPRETER in its first line. To replace that line later would break the
    archive: Python refuses one whose offsets begin before the file."""
    with output.open("wb") as file:
        file.write(f"#!{interpreter}\n".encode())
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in files(with_compiled).items():
                entry = zipfile.ZipInfo(name, MADE)
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.external_attr = 0o644 << 16
                archive.writestr(entry, content)
    output.chmod(0o755)


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != COMPILED]
    make(Path(words[0]), *words[1:2], with_compiled=COMPILED in sys.argv)
