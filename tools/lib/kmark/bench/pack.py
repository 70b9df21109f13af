# SPDX-License-Identifier: GPL-2.0-only
"""One archive that measures on a machine without the repository: the benchmark's programs,
linked statically, and the part of this package that runs them, on the system's Python."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Iterator
from modulefinder import ModuleFinder
from pathlib import Path

from kmark import cache
from kmark.bench import native
from kmark.make import make

ARCHIVE = Path("build/kmark-bench.tar.xz")
LIBRARY = cache.TOOLS / "lib"
START = LIBRARY / "start.py"
PROGRAM = LIBRARY / "kmark/bench/native.py"  # the program that measures there
FOLDER = "kmark-bench"  # in the archive
PROGRAMS = Path("build/pack")  # without the library of the peer lttng, which is never static
SCRIPT = f"""#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Measures every case on this machine; --help says more.
here=$(dirname "$(readlink -f "$0")")
exec python3 -I -B "$here/tools/lib/{START.name}" {native.__name__} "$@"
"""


def modules() -> list[Path]:
    """The files of this package that the measuring module needs."""
    finder = ModuleFinder(path=[str(LIBRARY)])
    finder.run_script(str(PROGRAM))
    paths = (getattr(module, "__file__", None) for module in finder.modules.values())
    found = {Path(path) for path in paths if path}
    return sorted(found | {LIBRARY / "kmark/__init__.py", START})


def files() -> Iterator[tuple[Path, bytes, int]]:
    """Yield the files of the archive: path, content and mode."""
    yield Path("measure"), SCRIPT.encode(), 0o755
    for program in native.PROGRAMS:
        content = (cache.TOP / PROGRAMS / program.name).read_bytes()
        yield program.relative_to(cache.TOP), content, 0o755
    for path in modules():
        yield path.relative_to(cache.TOP), path.read_bytes(), 0o644
    licence = Path("LICENSES/GPL-2.0-only.txt")
    yield licence, (cache.TOP / licence).read_bytes(), 0o644


def build(archive: Path) -> int:
    """Builds the programs and writes the archive (tar, xz), the same for the same sources; returns
    its bytes. Failure if make fails."""
    targets = [str(PROGRAMS / program.name) for program in native.PROGRAMS]
    make(*targets, f"NATIVE={PROGRAMS}", "native-lttng=no-lttng", "NATIVE_LDFLAGS=-static -s")
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:xz") as tar:
        for path, content, mode in files():
            entry = tarfile.TarInfo(f"{FOLDER}/{path}")
            entry.size, entry.mode = len(content), mode
            tar.addfile(entry, io.BytesIO(content))
    cache.write_whole(archive, buffer.getvalue())
    return buffer.tell()
