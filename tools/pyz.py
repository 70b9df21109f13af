# SPDX-License-Identifier: GPL-2.0-only
"""Makes one file of kmark, which Python runs: the same bytes for the same sources, whenever and in
whatever folder it is made, which the standard library's zipapp does not promise.

    pyz.py OUTPUT [INTERPRETER]"""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

LIBRARY = Path(__file__).resolve().parent / "lib"
INTERPRETER = "/usr/bin/env -S python3 -I"
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


def make(output: Path, interpreter: str = INTERPRETER) -> None:
    """Write the file with the INTERPRETER in its first line. To replace that line later would break the
    archive: Python refuses one whose offsets begin before the file."""
    with output.open("wb") as file:
        file.write(f"#!{interpreter}\n".encode())
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, path in sources().items():
                entry = zipfile.ZipInfo(name, MADE)
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.external_attr = 0o644 << 16
                archive.writestr(entry, path.read_bytes())
    output.chmod(0o755)


if __name__ == "__main__":
    make(Path(sys.argv[1]), *sys.argv[2:3])
