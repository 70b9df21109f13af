# SPDX-License-Identifier: GPL-2.0-only
"""Runs the tests of runs.toml, long forms included, and keeps what each has printed; prints a
table of that, without --run that of all: figures, and when and on which commit they were seen,
here or in what git has of other machines."""

from __future__ import annotations

import argparse
import itertools
import json
import re
import subprocess
import sys
import textwrap
import time
import tomllib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kmark import host
from kmark.errors import Failure
from kmark.progress import Progress

USAGE_EXAMPLE = """example:
  tools/testing/trust/run                   the table
  tools/testing/trust/run --run gate        runs one, then prints its row
  tools/testing/trust/run --run suite-      those whose name begins so, on each architecture
  tools/testing/trust/run --run all         hours
  tools/testing/trust/run --keep            the table, which is also kept for git

exit status: 0 all that is in the table and was run has passed; 1 some has failed; 2 wrong use"""
HERE = Path(__file__).resolve().parent
TOP = HERE.parents[2]
KEPT = TOP / "build/trust"
IN_GIT = HERE / "seen.json"
TEST_LINE = re.compile(r"^(not )?ok \d+(.*)$", re.MULTILINE)
NO_FIGURE = re.compile(r"^(# *|ok \d+ - )")  # what TAP has before one
SKIPPED = re.compile(r"# SKIP", re.IGNORECASE)
ALL_SKIPPED = re.compile(r"^1\.\.0 # SKIP (.*)$", re.MULTILINE)
WIDTH = 100
GAP = 2  # columns after the names


@dataclass(frozen=True)
class Run:
    """One of the list.  `figures`: a pattern for the lines that say what was seen; "": those of
    TAP are counted."""

    name: str
    command: str
    figures: str = ""


@dataclass(frozen=True)
class Seen:
    """What a run has shown.  `commit`: of the tree, "+" if it had changes; `date`: in UTC; `cpu`: of
    the machine."""

    name: str
    command: str
    figures: list[str]
    passed: bool
    seconds: float
    commit: str
    date: str
    cpu: str


def expand(entry: dict[str, Any]) -> Iterator[Run]:
    """The runs of an entry: one for each combination of the words of its `each`."""
    each: dict[str, list[str]] = entry.get("each", {})
    for words in itertools.product(*each.values()):
        fields = {key: value for key, value in entry.items() if key != "each"}
        for name, word in zip(each, words, strict=True):
            fields = {key: value.replace(f"{{{name}}}", word) for key, value in fields.items()}
        yield Run(**fields)


def load(path: Path) -> tuple[list[Run], dict[str, str]]:
    """The runs, and the commands that build what runs need whose command contains the key. Failure
    for an entry that is not complete, or a name twice."""
    try:
        entries = tomllib.loads(path.read_text())
        runs = [run for entry in entries["run"] for run in expand(entry)]
        builds = {entry["for"]: entry["command"] for entry in entries.get("build", [])}
    except (tomllib.TOMLDecodeError, AttributeError, KeyError, TypeError) as error:
        raise Failure(f"{path}: {error}") from error
    names = [run.name for run in runs]
    for name in names:
        if names.count(name) > 1:
            raise Failure(f"{path}: {name} is there twice")
    return runs, builds


def build(builds: dict[str, str], runs: list[Run]) -> None:
    """What the runs need. Failure if it is not built."""
    log = KEPT / "build.log"
    KEPT.mkdir(parents=True, exist_ok=True)
    with log.open("w") as out:
        for words, command in builds.items():
            if not any(words in run.command for run in runs):
                continue
            done = subprocess.run(["sh", "-c", command], cwd=TOP, stdin=subprocess.DEVNULL, stdout=out,
                                  stderr=out, check=False)  # fmt: skip
            if done.returncode:
                raise Failure(f"{command}: exit status {done.returncode}: see {log}")


def count_tap(text: str) -> list[str]:
    """How many tests passed, failed and were skipped."""
    tests = TEST_LINE.findall(text)
    if skipped := ALL_SKIPPED.search(text):
        return [f"skipped: {skipped[1]}"]
    if not tests:
        return []
    failed = sum(bool(bad) for bad, _ in tests)
    skips = sum(bool(SKIPPED.search(rest)) for _, rest in tests)
    return [f"{len(tests) - failed - skips} passed, {failed} failed, {skips} skipped"]


def find_figures(run: Run, text: str) -> list[str]:
    if not run.figures:
        return count_tap(text)
    return [
        " ".join(NO_FIGURE.sub("", found.group(0)).split())
        for found in re.finditer(run.figures, text, re.MULTILINE)
    ]


def git(*words: str) -> str:
    return subprocess.run(
        ["git", "-C", str(TOP), *words], capture_output=True, text=True, check=True
    ).stdout.strip()


def carry_out(run: Run) -> Seen:
    """One without figures has failed, too. A tree that is not the same at the end has changes."""
    commit = git("rev-parse", "--short=12", "HEAD")
    changes = git("status", "--porcelain")
    date = time.strftime("%Y-%m-%d %H:%M", time.gmtime())
    start = time.monotonic()
    log = KEPT / f"{run.name}.log"
    with log.open("w") as out, log.with_suffix(".err").open("w") as err:
        done = subprocess.run(["sh", "-c", run.command], cwd=TOP, stdin=subprocess.DEVNULL, stdout=out,
                              stderr=err, check=False)  # fmt: skip
    seconds = time.monotonic() - start
    figures = find_figures(run, log.read_text(errors="replace"))
    passed = done.returncode == 0 and bool(figures)
    cpu = host.describe_cpu(host.first_processor(host.read(host.CPUINFO)))
    changes += git("status", "--porcelain") + git("diff", "--stat", commit)
    commit += "+" if changes else ""
    return Seen(run.name, run.command, figures, passed, round(seconds, 1), commit, date, cpu)


def run_all(runs: list[Run], builds: dict[str, str]) -> None:
    """What each has shown is kept."""
    with Progress("trust") as progress:
        build(builds, runs)
        for done, run in enumerate(runs):
            progress.show(done, len(runs))
            seen = carry_out(run)
            path_of(run.name).write_text(json.dumps(asdict(seen), indent=1) + "\n")


def path_of(name: str) -> Path:
    return KEPT / f"{name}.json"


def read(path: Path) -> Any:
    """None without the file. Failure if it is no JSON."""
    try:
        return json.loads(path.read_text()) if path.exists() else None
    except json.JSONDecodeError as error:
        raise Failure(f"{path}: {error}") from error


def last_seen(runs: list[Run], clean: bool = False) -> dict[str, Seen]:
    """By name, the newer of what was seen here and what git has; not what another command has shown
    than the list has now, nor, if `clean`, what ran on a tree with changes. Failure for a file that
    this program has not written."""
    found: dict[str, Seen] = {}
    commands = {run.name: run.command for run in runs}
    try:
        for entry in [*(read(IN_GIT) or []), *(read(path_of(run.name)) for run in runs)]:
            if entry is None or commands.get((seen := Seen(**entry)).name) != seen.command:
                continue
            if not clean or not seen.commit.endswith("+"):
                found[seen.name] = max(seen, found.get(seen.name, seen), key=lambda each: each.date)
    except TypeError as error:
        raise Failure(f"what was seen is not understood: {error}") from error
    return {name: found[name] for name in commands if name in found}


def keep(runs: list[Run]) -> None:
    """Writes the file for git. What ran on a tree with changes cannot be repeated, so it is not
    kept: what was kept before of that run stays."""
    kept = [asdict(each) for each in last_seen(runs, clean=True).values()]
    IN_GIT.write_text(json.dumps(kept, indent=1) + "\n")


def render(run: Run, seen: Seen | None, width: int) -> list[str]:
    """`width`: of the column of names."""
    if not seen:
        return [f"{run.name:<{width}}not run: {run.command}"]
    head = (
        f"{'' if seen.passed else 'FAILED  '}{seen.seconds:.0f} s, {seen.commit}, {seen.date}, {seen.cpu}"
    )
    lines = [f"{run.name:<{width}}{head}"]
    for figure in seen.figures or [f"no figures: see {KEPT / run.name}.log"]:
        lines += textwrap.wrap(
            figure, WIDTH, initial_indent=width * " ", subsequent_indent=(width + 2) * " "
        )
    return lines


def parse(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="run", description=__doc__, epilog=USAGE_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument(
        "--run",
        metavar="NAME",
        action="append",
        default=[],
        help="run it first; or those whose names begin so; or all",
    )
    parser.add_argument(
        "--list", type=Path, default=HERE / "runs.toml", metavar="FILE", help="instead of runs.toml"
    )
    parser.add_argument(
        "--keep", action="store_true", help="write the table to seen.json, less what ran on a changed tree"
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")
    return parser.parse_args(words)


def selected(runs: list[Run], words: list[str]) -> list[Run]:
    """A word is a name, or the beginning of several.  Failure if it is neither."""
    names = {run.name for run in runs}
    chosen: set[str] = set()
    for word in words:
        found = {name for name in names if word == "all" or name.startswith(word)}
        if not found:
            raise Failure(f"{word}: there is no such run; there are {', '.join(run.name for run in runs)}")
        chosen |= {word} if word in names else found
    return [run for run in runs if run.name in chosen]


def main() -> int:
    args = parse(sys.argv[1:])
    try:
        runs, builds = load(args.list)
        chosen = selected(runs, args.run)
        if chosen:
            run_all(chosen, builds)
        seen = last_seen(runs)
        if args.keep:
            keep(runs)
    except (Failure, OSError) as error:
        print(f"trust: {error}", file=sys.stderr)
        return 2
    shown = chosen or runs
    if args.json:
        print(json.dumps([asdict(each) for each in seen.values()], indent=1))
    else:
        width = max(len(run.name) for run in shown) + GAP
        print("\n".join(line for run in shown for line in render(run, seen.get(run.name), width)))
    return int(any(run.name in seen and not seen[run.name].passed for run in shown))


if __name__ == "__main__":
    sys.exit(main())
