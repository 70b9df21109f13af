# SPDX-License-Identifier: GPL-2.0-only
"""Makes the patches for a kernel tree from the sources in patches/, without a kernel tree: new files
are written whole, and changes of the kernel's own files are kept as diffs."""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from kmark import foreign
from kmark.cache import TOP, write_whole
from kmark.errors import Usage
from kmark.kernel.version import table

PATCHES = TOP / "patches"
COMMON = PATCHES / "common"
SERIES = TOP / "build/series"
AUTHOR = "kmark <kmark@localhost>"
DATE = "Fri, 20 Nov 2026 00:00:00 +0000"
COMMIT = "From 0000000000000000000000000000000000000000 Mon Sep 17 00:00:00 2001"

COVER_LETTER = re.compile(r"(v\d+-)?0000-")
CHANGED = re.compile(r"^\+\+\+ b/(.*)$", re.MULTILINE)
OF_DOCS = ("Documentation/*", "MAINTAINERS")
OF_TESTS = ("samples/*", "tools/testing/*", "*_kunit.c")


@dataclass(frozen=True)
class Step:
    """One patch; the fields are those of patches/steps.toml."""

    name: str
    subject: str
    body: str
    tree: tuple[str, ...] = ()


def versions() -> list[str]:
    """The kernels that there is a series for, oldest first."""
    return list(table())


def of(version: str, path: str) -> Path | None:
    """Return the file of that version, else of the next older version that has the file."""
    known = versions()
    for older in reversed(known[: known.index(version) + 1]):
        found = PATCHES / f"linux-{older}" / path
        if found.exists():
            return found
    return None


def patches_in(folder: Path) -> list[Path]:
    """The patches of a series in their order, less its cover letter."""
    return sorted(path for path in folder.glob("*.patch") if not COVER_LETTER.match(path.name))


def check(version: str) -> None:
    """Check a version. Usage if there are no patches for it."""
    if version not in versions():
        raise Usage(f"no patches for kernel {version} (there are: {' '.join(versions())})")


def folder(version: str) -> Path:
    """Return the folder that `write` writes the series of that version into."""
    return SERIES / f"linux-{version}"


def steps() -> list[Step]:
    entries = tomllib.loads((PATCHES / "steps.toml").read_text())["step"]
    return [Step(**{**entry, "tree": tuple(entry.get("tree", ()))}) for entry in entries]


def new_files(version: str, step: Step) -> dict[str, str]:
    """Return the texts of the files that a step creates, by path in the kernel tree."""
    return {path: (of(version, f"tree/{path}") or COMMON / path).read_text() for path in sorted(step.tree)}


def as_new(path: str, text: str) -> str:
    """Return the part of a patch that creates a file, as git writes it."""
    lines = foreign.lines(text)
    data = text.encode()
    blob = hashlib.sha1(b"blob %d\0%s" % (len(data), data)).hexdigest()
    mode = "100755" if text.startswith("#!") else "100644"
    head = f"diff --git a/{path} b/{path}\nnew file mode {mode}\nindex 000000000000..{blob[:12]}\n"
    head += f"--- /dev/null\n+++ b/{path}\n@@ -0,0 +1,{len(lines)} @@\n"
    return head + "".join(f"+{line}\n" for line in lines)


def diff(version: str, step: Step) -> str:
    """Return the diff by which a step changes files of the kernel; "" if it only adds files."""
    path = of(version, f"{step.name}.diff")
    return path.read_text() if path else ""


def changes(diff: str) -> list[tuple[str, int, int]]:
    """Return for each file of a diff its path, and the numbers of lines that the diff adds and removes."""
    found = []
    for part in re.split(r"^(?=diff --git )", diff, flags=re.MULTILINE)[1:]:
        body = foreign.lines(part[part.index("\n@@") :])
        added = sum(line.startswith("+") for line in body)
        found.append((CHANGED.findall(part)[0], added, sum(line.startswith("-") for line in body)))
    return found


def summary(diff: str) -> str:
    return "".join(
        f" {path} | {added} added, {removed} removed\n" for path, added, removed in changes(diff)
    )


def mail(subject: str, body: str) -> str:
    return f"{COMMIT}\nFrom: {AUTHOR}\nDate: {DATE}\nSubject: {subject}\n\n{body.strip()}\n"


def patch(version: str, number: int, total: int, step: Step) -> str:
    changed = "".join(as_new(path, text) for path, text in new_files(version, step).items())
    changed += diff(version, step)
    head = mail(f"[PATCH {number:02d}/{total}] {step.subject}", step.body)
    return f"{head}---\n{summary(changed)}\n{changed}-- \nkmark\n\n"


def cover_subject(version: str) -> str:
    return f"markers: Static tracing markers for Linux {version}"


def cover(version: str, all_steps: list[Step]) -> str:
    body = (PATCHES / "cover.txt").read_text()
    body += f"\nFor Linux {version}; `kmark dev patches --mail {version}` makes what can be sent:\n\n"
    body += "".join(f"  {step.subject}\n" for step in all_steps)
    return mail(f"[PATCH 00/{len(all_steps)}] {cover_subject(version)}", body) + "\n-- \nkmark\n\n"


def series(version: str) -> dict[str, str]:
    """Return the texts of the patches of a series by file name, with the cover letter first."""
    all_steps = steps()
    made = {"0000-cover-letter.patch": cover(version, all_steps)}
    for number, step in enumerate(all_steps, 1):
        made[f"{number:04d}-markers-{step.name}.patch"] = patch(version, number, len(all_steps), step)
    return made


def unlisted_files() -> list[str]:
    """Return the files that patches/steps.toml does not name, and the names in it that have no file."""
    listed = {path for step in steps() for path in step.tree}
    there = {COMMON, *PATCHES.glob("linux-*/tree")}
    found = {str(path.relative_to(top)) for top in there for path in top.rglob("*") if path.is_file()}
    return sorted(found ^ listed)


@dataclass(frozen=True)
class Lines:
    """Number of lines that a series adds, by the kind of the changed file."""

    code: int
    tests: int
    docs: int

    @property
    def all(self) -> int:
        return self.code + self.tests + self.docs


def lines(patches: Iterable[str]) -> Lines:
    """Count the lines that patches add, which are given as texts."""
    added = {"code": 0, "tests": 0, "docs": 0}
    for path, count, _ in (change for text in patches for change in changes(text)):
        of_docs, of_tests = (any(fnmatch(path, glob) for glob in globs) for globs in (OF_DOCS, OF_TESTS))
        added["docs" if of_docs else "tests" if of_tests else "code"] += count
    return Lines(**added)


def write(version: str) -> list[Path]:
    """Write the series of that version and return its patches in their order, without the cover letter.
    A file that is up to date stays as it is, because other processes may be reading the file. Usage if
    there are no patches for that version."""
    check(version)
    made = series(version)
    for path in folder(version).glob("*.patch"):
        if path.name not in made:
            path.unlink(missing_ok=True)
    for name, text in made.items():
        path = folder(version) / name
        if not path.exists() or path.read_text() != text:
            write_whole(path, text.encode())
    return patches_in(folder(version))
