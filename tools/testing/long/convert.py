# SPDX-License-Identifier: GPL-2.0-only
"""convert.py VERSION FOLDER: whether all that `kmark convert` makes of that kernel compiles, in the
kernel's own files and with the series applied. Prints TAP; FOLDER is empty.

A converted header is included at the end of the file that defines the header's tracepoints, so
all that the events use is declared. The configuration is allmodconfig; files that make has no
rule for, such as those of other architectures, are named and are no failure."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

from kmark import cache
from kmark.convert import tree as events
from kmark.kernel import patchset, tree

INCLUDE = re.compile(r"^\s*#\s*include\s*<trace/events/(\w+)\.h>", re.MULTILINE)
POINTS = re.compile(r"^\s*#\s*define\s+CREATE_TRACE_POINTS", re.MULTILINE)
COMPLAINT = re.compile(r"^(\S+?\.[ch]):\d+:\d+: (?:error|warning): (.*)$", re.MULTILINE)


def places(source: Path) -> dict[str, Path]:
    """The file that defines the tracepoints of each header of include/trace/events."""
    found: dict[str, Path] = {}
    for path in sorted(source.rglob("*.c")):
        text = path.read_text(errors="replace")
        if POINTS.search(text) and path.parts[len(source.parts)] not in ("samples", "tools"):
            for name in INCLUDE.findall(POINTS.split(text, maxsplit=1)[1]):
                found.setdefault(name, path)
    return found


def compile_all(source: Path, files: list[Path]) -> str:
    """What make says of the objects of these files."""
    jobs = f"-j{len(os.sched_getaffinity(0))}"
    for words in (["allmodconfig"], ["prepare"]):
        subprocess.run(["make", jobs, *words], cwd=source, check=True, stdout=subprocess.DEVNULL)
    objects = [str(path.relative_to(source).with_suffix(".o")) for path in files]
    done = subprocess.run(
        ["make", "-k", jobs, *objects],
        cwd=source,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    return done.stdout


def main() -> int:
    version, folder = sys.argv[1], Path(sys.argv[2])
    recipe, source, log = tree.Recipe(version), folder / "linux", folder / "log"
    archive = cache.place(f"linux-source-{version}")
    # Whole, as most drivers are files with tracepoints.
    source.mkdir()
    tree.run(["tar", "-xf", archive, "--strip-components=1", "-C", source], folder, log)
    tree.track(recipe.patches(), source, log)
    tree.apply(recipe.patches(), source, log)
    result = events.convert(source)
    made = events.write(result, folder / "mark")
    where = places(source)
    files: dict[Path, list[Path]] = defaultdict(list)
    for header in made:
        if header.stem in where:
            files[where[header.stem]].append(header)
    for path, headers in files.items():
        lines = "".join(f'\n#include "{header}"' for header in headers)
        path.write_text(path.read_text(errors="replace") + lines + "\n")
    said = compile_all(source, list(files))
    (folder / "said").write_text(said)
    compiled = {path for path in files if path.with_suffix(".o").exists()}
    headers_done = {f"include/trace/events/{header.name}" for path in compiled for header in files[path]}
    count = sum(one.event.header in headers_done for one in result.markers)
    left = sorted({one.event.header for one in result.markers} - headers_done)
    wrong = sorted({match[0] for match in COMPLAINT.finditer(said) if "/mark/" in match[1]})
    print(f"# not compiled: {' '.join(Path(name).stem for name in left)}", file=sys.stderr)
    print(f"{'not ' if wrong else ''}ok 1 - {count} of {len(result.markers)} converted events compile")
    for line in wrong:
        print(f"# {line}", file=sys.stderr)
    enough = count >= len(result.markers) * 0.9
    print(f"{'' if enough else 'not '}ok 2 - nine in ten of them have a file in this configuration")
    print("1..2")
    return int(bool(wrong) or not enough)


if __name__ == "__main__":
    patchset.folder(sys.argv[1])
    sys.exit(main())
