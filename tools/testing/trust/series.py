# SPDX-License-Identifier: GPL-2.0-only
"""Prints a table of the series for kernel trees, a column for each version: its patches and lines,
and what the runs of runs.toml that are about it have shown last."""

from __future__ import annotations

import argparse
import subprocess
import sys
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

import trust
from kmark.errors import Failure
from kmark.kernel import patchset
from trust import Run, Seen

USAGE_EXAMPLE = """example:
  tools/testing/trust/series                         the table
  tools/testing/trust/series --before e3a7a03        and the lines at that commit
  tools/testing/trust/run --run checkpatch-          runs what a row shows, of each version

exit status: 0; 2 wrong use"""
KINDS = ("checkpatch-", "kernel-", "each-patch-", "ftracetest-", "convert-", "size-")
DOCS = ("Documentation/*", "MAINTAINERS")
TESTS = ("samples/*", "tools/testing/*", "*_kunit.c")


@dataclass(frozen=True)
class Lines:
    """What a series adds."""

    patches: int
    code: int
    tests: int
    docs: int

    @property
    def all(self) -> int:
        return self.code + self.tests + self.docs


def count(patches: list[str]) -> Lines:
    """Of the texts of patches."""
    added = {"code": 0, "tests": 0, "docs": 0}
    for path, lines, _ in (change for patch in patches for change in patchset.changes(patch)):
        of_docs, of_tests = (any(fnmatch(path, glob) for glob in globs) for globs in (DOCS, TESTS))
        added["docs" if of_docs else "tests" if of_tests else "code"] += lines
    return Lines(len(patches), **added)


def now(version: str) -> Lines:
    return count([path.read_text() for path in patchset.patches_in(patchset.folder(version))])


def at(commit: str, version: str) -> Lines | None:
    """None if there was no series for that version. Failure if there is no such commit."""
    folder = f"patches/linux-{version}/"
    try:
        names = trust.git("ls-tree", "--name-only", commit, folder).splitlines()
    except subprocess.CalledProcessError as error:
        raise Failure(f"{commit}: {error.stderr.strip()}") from error
    kept = [name for name in names if name.endswith(".patch") and "/0000-" not in name]
    return count([trust.git("show", f"{commit}:{name}") for name in kept]) if kept else None


def rows_of_lines(found: dict[str, Lines | None], when: str) -> list[list[str]]:
    def row(name: str, field: str) -> list[str]:
        return [f"{name}{when}", *(f"{getattr(one, field):,}" if one else "-" for one in found.values())]

    return [
        row("patches", "patches"),
        row("lines of code", "code"),
        row("lines of tests and samples", "tests"),
        row("lines of documentation", "docs"),
        row("all lines", "all"),
    ]


def row_of(run: Run, versions: list[str]) -> tuple[str, str] | None:
    """The name of the row and the version that a run is about, if it is about a series."""
    if not run.name.startswith(KINDS) or "VANILLA=1" in run.command:
        return None
    words = run.name.split("-")
    version = next((word for word in words if word in versions), None)
    return ("-".join(word for word in words if word != version), version) if version else None


def cell(seen: Seen | None) -> str:
    if not seen:
        return "not run"
    figures = "; ".join(figure.removeprefix("- ") for figure in seen.figures) or "no figures"
    return f"{'' if seen.passed else 'FAILED: '}{figures} ({seen.commit}, {seen.date})"


def rows_of_runs(table: list[tuple[Run, Seen | None]], versions: list[str]) -> list[list[str]]:
    rows: dict[str, dict[str, str]] = {}
    for run, seen in table:
        if found := row_of(run, versions):
            rows.setdefault(found[0], {})[found[1]] = cell(seen)
    return [[name, *(cells.get(version, "-") for version in versions)] for name, cells in rows.items()]


def render(versions: list[str], rows: list[list[str]]) -> str:
    """A table in Markdown."""
    lines = [["", *versions], ["---"] * (len(versions) + 1), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def parse(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="series", description=__doc__, epilog=USAGE_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--before", metavar="COMMIT", help="also count the lines that the series had there")
    parser.add_argument(
        "--list", type=Path, default=trust.HERE / "runs.toml", metavar="FILE", help="instead of runs.toml"
    )
    return parser.parse_args(words)


def main() -> int:
    args = parse(sys.argv[1:])
    versions = patchset.versions()
    try:
        runs, _ = trust.load(args.list)
        rows = rows_of_lines({version: now(version) for version in versions}, "")
        if args.before:
            rows += rows_of_lines(
                {version: at(args.before, version) for version in versions}, f", {args.before}"
            )
        seen = trust.last_seen(runs)
        rows += rows_of_runs([(run, seen.get(run.name)) for run in runs], versions)
    except (Failure, OSError) as error:
        print(f"series: {error}", file=sys.stderr)
        return 2
    print(render(versions, rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
