# SPDX-License-Identifier: GPL-2.0-only
"""checkpatch.py VERSION FOLDER: what `checkpatch --strict` of a kernel's own source says to the
series for it, and whether tools/lint.exceptions or checkpatch.exceptions has all of that. Prints
TAP; FOLDER is empty."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections import Counter
from fnmatch import fnmatch
from pathlib import Path

from kmark import cache
from kmark.kernel import patchset

SCRIPTS = ("checkpatch.pl", "spelling.txt", "const_structs.checkpatch")
FINDING = re.compile(r"^([^:]+):\d+: (ERROR|WARNING|CHECK):(\w+):", re.MULTILINE)
READ = re.compile(r"^total: ", re.MULTILINE)
EXCEPTION = re.compile(r"^([A-Z_,]+)\s+(\S+)\s", re.MULTILINE)
EXCEPTIONS = (cache.TOOLS / "lint.exceptions", Path(__file__).with_suffix(".exceptions"))
LEVELS = {"ERROR": "errors", "WARNING": "warnings", "CHECK": "checks"}


def unpack(version: str, folder: Path) -> Path:
    """The script, out of that version's source."""
    names = [f"*/scripts/{name}" for name in SCRIPTS]
    command = ["tar", "-xf", str(cache.place(f"linux-source-{version}")), "-C", str(folder)]
    command += ["--strip-components=2", "--wildcards", "--exclude=*/tools/*", *names]
    subprocess.run(command, check=True)
    return folder / SCRIPTS[0]


def check(script: Path, patches: list[Path], folder: Path) -> str:
    """Return what the script prints, which names the patches as SET/NAME."""
    names = [f"{path.parent.name}/{path.name}" for path in patches]
    for path, name in zip(patches, names, strict=True):
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copyfile(path, folder / name)
    command = ["perl", str(script), "--strict", "--no-tree", "--terse", "--show-types", *names]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stdout


def count(output: str) -> str:
    levels = Counter(level for _, level, _ in FINDING.findall(output))
    return ", ".join(f"{levels[level]} {name}" for level, name in LEVELS.items())


def unexpected(output: str, exceptions: str, folder: str) -> Counter[str]:
    """The types that are not among the exceptions for a patch of that folder."""
    known = [
        (types.split(","), glob)
        for types, globs in EXCEPTION.findall(exceptions)
        for glob in globs.split(",")
    ]
    return Counter(
        kind
        for name, _, kind in FINDING.findall(output)
        if not any(kind in types and fnmatch(f"{folder}/{name}", glob) for types, glob in known)
    )


def main() -> int:
    version, work = sys.argv[1], Path(sys.argv[2])
    patches = patchset.write(version)
    output = check(unpack(version, work), patches, work)
    exceptions = "".join(path.read_text() for path in EXCEPTIONS)
    found = unexpected(output, exceptions, str(patchset.folder(version).relative_to(cache.TOP)))
    is_read = len(READ.findall(output)) == len(patches)
    print(f"# {count(output)}")
    if found:
        kinds = ", ".join(f"{number} {kind}" for kind, number in found.most_common())
        print(f"# no exceptions: {kinds}")
    print(f"{'' if is_read else 'not '}ok 1 - it has read each of {len(patches)} patches")
    print(f"{'not ' if found else ''}ok 2 - the exceptions have what it finds")
    print("1..2")
    return int(bool(found) or not is_read)


if __name__ == "__main__":
    sys.exit(main())
