# SPDX-License-Identifier: GPL-2.0-only
"""Makes the patches for a kernel tree from the sources in patches/, without a kernel tree: the files that
the patches add are kept whole, and changes of the kernel's own files as diffs."""

from __future__ import annotations

import difflib
import hashlib
import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

from kmark import foreign
from kmark.cache import TOP, write_whole
from kmark.errors import Failure, Usage
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


# Lines of a file in which a step begins what it adds or removes, and the end of that.
PART = re.compile(r"#?//(?:([+-]) ([\w-]+)|(\.))")


@dataclass(frozen=True)
class Step:
    """One patch; the fields are those of patches/steps.toml."""

    set: str
    name: str
    subject: str
    body: str
    tree: tuple[str, ...] = ()


@dataclass(frozen=True)
class Set:
    """Patches that are sent together; the fields are those of patches/steps.toml."""

    name: str
    subject: str
    after: str = ""
    mailed: bool = True
    since: str = ""  # the first version that has the set
    options: tuple[str, ...] = ()
    steps: tuple[Step, ...] = field(default=())

    @property
    def cover(self) -> str:
        """Return the text of the cover letter."""
        text = (PATCHES / f"cover/{self.name}.txt").read_text()
        return "".join(line for line in foreign.whole_lines(text) if not line.startswith("# SPDX-"))


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


def check(version: str) -> None:
    """Check a version. Usage if there are no patches for it."""
    if version not in versions():
        raise Usage(f"no patches for kernel {version} (there are: {' '.join(versions())})")


def folder(version: str) -> Path:
    """Return the folder that `write` writes the series of that version into."""
    return SERIES / f"linux-{version}"


@cache
def sets() -> list[Set]:
    """Return the sets that have patches, in the order in which a kernel gets them."""
    read = tomllib.loads((PATCHES / "steps.toml").read_text())
    steps = [Step(**{**entry, "tree": tuple(entry.get("tree", ()))}) for entry in read["step"]]
    if unknown := {one.set for one in steps} - {entry["name"] for entry in read["set"]}:
        raise Failure(f"patches/steps.toml: steps of unknown sets: {' '.join(sorted(unknown))}")
    found = []
    for entry in read["set"]:
        own = tuple(one for one in steps if one.set == entry["name"])
        found.append(Set(**{**entry, "options": tuple(entry.get("options", ())), "steps": own}))
    return [one for one in found if one.steps]


def chosen(names: Iterable[str] | None) -> list[Set]:
    """Return the sets of these names and those that they need, or all. Usage if there is no such set."""
    known = {one.name: one for one in sets()}
    wanted = list(known if names is None else names)
    for name in wanted:
        if name not in known:
            raise Usage(f"no set of patches is called {name} (there are: {' '.join(known)})")
        wanted += [known[name].after] if known[name].after else []
    return [one for one in known.values() if one.name in wanted]


def has(version: str, one: Set) -> bool:
    """Return whether a version has a set of patches."""
    known = versions()
    return not one.since or known.index(one.since) <= known.index(version)


def is_option(line: str) -> bool:
    """Return whether a line of a configuration sets an option that only kernels with patches know."""
    return any(line.startswith(f"CONFIG_{name}=") for one in sets() for name in one.options)


def steps() -> list[Step]:
    return [step for one in sets() for step in one.steps]


def before(step: Step) -> set[str]:
    """Return the names of the steps that are applied before a step."""
    names = [one.name for part in chosen([step.set]) for one in part.steps]
    return set(names[: names.index(step.name)])


def stage(text: str, present: set[str]) -> str:
    """Return the text of a file when the steps of these names are applied. In the file, what a step adds is
    between the lines "//+ STEP" and "//.", and what it removes between "//- STEP" and "//."; in a script
    there is a "#" before."""
    kept, is_in = [], True
    for line in foreign.whole_lines(text):
        if "//" in line and (found := PART.fullmatch(line.rstrip("\n"))):
            is_in = bool(found[3]) or (found[1] == "+") == (found[2] in present)
        elif is_in:
            kept.append(line)
    return "".join(kept)


def source(version: str, path: str) -> Path:
    """Return the file with the text of a file that the patches create."""
    return of(version, f"tree/{path}") or COMMON / path


def new_files(version: str, step: Step) -> dict[str, str]:
    """Return the texts of the files that a step creates, by path in the kernel tree."""
    present = before(step) | {step.name}
    return {path: stage(source(version, path).read_text(), present) for path in sorted(step.tree)}


def changed_files(version: str, step: Step) -> str:
    """Return the diff by which a step changes files that steps before it have created."""
    present, found = before(step), ""
    for path in sorted(path for one in steps() if one.name in present for path in one.tree):
        text = source(version, path).read_text()
        old, new = stage(text, present), stage(text, present | {step.name})
        if old != new:
            found += as_change(path, old, new)
    return found


def blob(text: str) -> str:
    """Return the name that git gives to the content of a file."""
    data = text.encode()
    return hashlib.sha1(b"blob %d\0%s" % (len(data), data)).hexdigest()[:12]


def mode(text: str) -> str:
    return "100755" if text.startswith("#!") else "100644"


def as_change(path: str, old: str, new: str) -> str:
    """Return the part of a patch that changes a file, as git writes it."""
    lines = difflib.unified_diff(
        foreign.whole_lines(old), foreign.whole_lines(new), f"a/{path}", f"b/{path}"
    )
    return f"diff --git a/{path} b/{path}\nindex {blob(old)}..{blob(new)} {mode(new)}\n" + "".join(lines)


def as_new(path: str, text: str) -> str:
    """Return the part of a patch that creates a file, as git writes it."""
    lines = foreign.lines(text)
    head = f"diff --git a/{path} b/{path}\nnew file mode {mode(text)}\nindex 000000000000..{blob(text)}\n"
    head += f"--- /dev/null\n+++ b/{path}\n@@ -0,0 +1,{len(lines)} @@\n"
    return head + "".join(f"+{line}\n" for line in lines)


def diff(version: str, step: Step) -> str:
    """Return the diff by which a step changes files of the kernel; "" if it changes none."""
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
    changed += changed_files(version, step) + diff(version, step)
    head = mail(f"[PATCH {number:02d}/{total:02d}] {step.subject}", step.body)
    return f"{head}---\n{summary(changed)}\n{changed}-- \nkmark\n\n"


def cover(version: str, one: Set) -> str:
    body = one.cover + f"\nFor Linux {version}"
    body += f"; `kmark dev patches --mail {one.name}` makes the mails" if one.mailed else ""
    body += ":\n\n" + "".join(f"  {step.subject}\n" for step in one.steps)
    return mail(f"[PATCH 00/{len(one.steps):02d}] {one.subject}", body) + "\n-- \nkmark\n\n"


def series(version: str, names: Iterable[str] | None = None) -> dict[str, str]:
    """Return the texts of the patches of the chosen sets by the name below the folder of the version,
    SET/NUMBER-STEP.patch, each set with its cover letter first."""
    made = {}
    for one in chosen(names):
        if not has(version, one):
            continue
        made[f"{one.name}/0000-cover-letter.patch"] = cover(version, one)
        for number, step in enumerate(one.steps, 1):
            name = f"{one.name}/{number:04d}-{step.name}.patch"
            made[name] = patch(version, number, len(one.steps), step)
    return made


def files(version: str) -> list[tuple[Step, list[Path]]]:
    """Return for each step the files of patches/ that a version uses."""
    found: list[tuple[Step, list[Path]]] = []
    known = {one.name for one in sets() if has(version, one)}
    for step in steps():
        if step.set not in known:
            found.append((step, []))
            continue
        own = of(version, f"{step.name}.diff")
        paths = sorted(path for one in steps() if one.name in before(step) for path in one.tree)
        changed = [source(version, path) for path in paths]
        parts = [path for path in changed if re.search(rf"^#?//[+-] {step.name}$", path.read_text(), re.M)]
        created = [source(version, path) for path in step.tree]
        found.append((step, [*created, *parts, *([own] if own else [])]))
    return found


def unlisted_files() -> list[str]:
    """Return the files that patches/steps.toml does not name, and the names in it that have no file."""
    listed = {path for step in steps() for path in step.tree}
    there = {COMMON, *PATCHES.glob("linux-*/tree")}
    found = {str(path.relative_to(top)) for top in there for path in top.rglob("*") if path.is_file()}
    names = {f"{step.name}.diff" for step in steps()}
    unknown = {str(path.relative_to(PATCHES)) for path in PATCHES.glob("linux-*/*.diff")
               if path.name not in names}  # fmt: skip
    return sorted((found ^ listed) | unknown)


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


def patches(version: str, names: Iterable[str] | None = None) -> list[Path]:
    """Return the patches of the chosen sets in their order, without cover letters. `write` makes them."""
    made = (folder(version) / name for name in series(version, names))
    return [path for path in made if not COVER_LETTER.match(path.name)]


def write(version: str) -> list[Path]:
    """Write the series of that version and return its patches in their order, without cover letters. Its
    file `series` lists them for quilt. A file that is up to date stays as it is, because other
    processes may be reading the file. Usage if there are no patches for that version."""
    check(version)
    top = folder(version)
    made = series(version)
    order = [name for name in made if not COVER_LETTER.match(Path(name).name)]
    made["series"] = "".join(f"{name}\n" for name in order)
    for path in top.rglob("*"):
        if path.is_file() and str(path.relative_to(top)) not in made:
            path.unlink(missing_ok=True)
    for name, text in made.items():
        path = top / name
        if not path.exists() or path.read_text() != text:
            write_whole(path, text.encode())
    return [top / name for name in order]
