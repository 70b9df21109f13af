# SPDX-License-Identifier: GPL-2.0-only
"""Makes the patches for a kernel tree. It needs none: new files are written whole, changes are kept
as pieces."""

from __future__ import annotations

import hashlib
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from kmark import foreign
from kmark.cache import TOP
from kmark.errors import Usage

PATCHES = TOP / "patches"
COMMON = PATCHES / "common"
AUTHOR = "kmark <kmark@localhost>"
DATE = "Fri, 20 Nov 2026 00:00:00 +0000"
COMMIT = "From 0000000000000000000000000000000000000000 Mon Sep 17 00:00:00 2001"

CHANGED = re.compile(r"^\+\+\+ b/(.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Step:
    """One patch; the fields are those of patches/steps.toml."""

    name: str
    subject: str
    body: str
    tree: tuple[str, ...] = ()


def versions() -> list[str]:
    """The kernels that have pieces, oldest first."""
    found = [path.parent.name.removeprefix("linux-") for path in PATCHES.glob("linux-*/pieces")]
    return sorted(found, key=lambda version: [int(part) for part in version.split(".")])


def of(version: str, path: str) -> Path | None:
    """A file of that version, else of the next older one that has it."""
    known = versions()
    for older in reversed(known[: known.index(version) + 1]):
        found = PATCHES / f"linux-{older}" / path
        if found.exists():
            return found
    return None


def patches_in(folder: Path) -> list[Path]:
    """The patches of a series in their order, less its cover letter."""
    return sorted(path for path in folder.glob("*.patch") if "0000-" not in path.name)


def folder(version: str) -> Path:
    """Usage if there are no patches for that version."""
    if version not in versions():
        raise Usage(f"no patches for kernel {version} (there are: {' '.join(versions())})")
    return PATCHES / f"linux-{version}"


def steps() -> list[Step]:
    entries = tomllib.loads((PATCHES / "steps.toml").read_text())["step"]
    return [Step(**{**entry, "tree": tuple(entry.get("tree", ()))}) for entry in entries]


def new_files(version: str, step: Step) -> dict[str, str]:
    """The files that a step creates, by path in the kernel tree."""
    return {path: (of(version, f"tree/{path}") or COMMON / path).read_text() for path in sorted(step.tree)}


def as_new(path: str, text: str) -> str:
    """The hunk that creates a file, as git writes it."""
    lines = foreign.lines(text)
    data = text.encode()
    blob = hashlib.sha1(b"blob %d\0%s" % (len(data), data)).hexdigest()
    mode = "100755" if text.startswith("#!") else "100644"
    head = f"diff --git a/{path} b/{path}\nnew file mode {mode}\nindex 000000000000..{blob[:12]}\n"
    head += f"--- /dev/null\n+++ b/{path}\n@@ -0,0 +1,{len(lines)} @@\n"
    return head + "".join(f"+{line}\n" for line in lines)


def pieces(version: str, step: Step) -> str:
    path = of(version, f"pieces/{step.name}.diff")
    return path.read_text() if path else ""


def changes(diff: str) -> list[tuple[str, int, int]]:
    """The files of a diff, and how many lines it adds to each and removes."""
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
    diff = "".join(as_new(path, text) for path, text in new_files(version, step).items())
    diff += pieces(version, step)
    head = mail(f"[PATCH {number:02d}/{total}] {step.subject}", step.body)
    return f"{head}---\n{summary(diff)}\n{diff}-- \nkmark\n\n"


def cover_subject(version: str) -> str:
    return f"markers: Static tracing markers for Linux {version}"


def cover(version: str, all_steps: list[Step]) -> str:
    body = (PATCHES / "cover.txt").read_text()
    body += f"\nFor Linux {version}; `kmark patches --mail {version}` makes what can be sent:\n\n"
    body += "".join(f"  {step.subject}\n" for step in all_steps)
    return mail(f"[PATCH 00/{len(all_steps)}] {cover_subject(version)}", body) + "\n-- \nkmark\n\n"


def series(version: str) -> dict[str, str]:
    """The files of a series by name, the cover letter first."""
    all_steps = steps()
    made = {"0000-cover-letter.patch": cover(version, all_steps)}
    for number, step in enumerate(all_steps, 1):
        made[f"{number:04d}-markers-{step.name}.patch"] = patch(version, number, len(all_steps), step)
    return made


def unlisted_files() -> list[str]:
    """Files that patches/steps.toml does not name, and names in it without a file."""
    listed = {path for step in steps() for path in step.tree}
    there = {COMMON, *PATCHES.glob("linux-*/tree")}
    found = {str(path.relative_to(top)) for top in there for path in top.rglob("*") if path.is_file()}
    return sorted(found ^ listed)


def stale_files(version: str) -> list[str]:
    """The files that differ from what the sources make."""
    made = series(version)
    kept = {path.name: path.read_text() for path in folder(version).glob("*.patch")}
    return sorted(name for name in made.keys() | kept.keys() if made.get(name) != kept.get(name))


def write(version: str) -> None:
    """Replaces the series of that version."""
    made = series(version)
    for path in folder(version).glob("*.patch"):
        if path.name not in made:
            path.unlink()
    for name, text in made.items():
        (folder(version) / name).write_text(text)
