# SPDX-License-Identifier: GPL-2.0-only
"""Runs the tests of runs.toml, long forms included, and prints their results: what was run in this
checkout, with figures, the date and the commit. The results are kept in build/long/."""

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
from kmark.kernel.version import table
from kmark.progress import Progress

USAGE_EXAMPLE = """example:
  tools/testing/long/run                   the results
  tools/testing/long/run --run gate        runs one, then prints its result
  tools/testing/long/run --run suite-      those whose name begins so, on each architecture
  tools/testing/long/run --run all         hours

exit status: 0 all that is printed and was run has passed; 1 some has failed; 2 wrong use"""
HERE = Path(__file__).resolve().parent
TOP = HERE.parents[2]
KEPT = TOP / "build/long"
TEST_LINE = re.compile(r"^(not )?ok \d+(.*)$", re.MULTILINE)
NO_FIGURE = re.compile(r"^(# *|ok \d+ - )")  # TAP's text before a figure
SKIPPED = re.compile(r"# SKIP", re.IGNORECASE)
ALL_SKIPPED = re.compile(r"^1\.\.0 # SKIP (.*)$", re.MULTILINE)
WIDTH = 100
GAP = 2  # columns after the names


@dataclass(frozen=True)
class Run:
    """A run of the list.  `figures`: a pattern for the lines that say what was seen; "": those of TAP are
    counted."""

    name: str
    command: str
    figures: str = ""


@dataclass(frozen=True)
class Result:
    """The result of a run. `figures`: the lines that say so; `commit`: of the tree, "+" if it had changes;
    `date`: in UTC; `cpu`: of the machine."""

    name: str
    command: str
    figures: list[str]
    passed: bool
    seconds: float
    commit: str
    date: str
    cpu: str


def list_versions(word: str) -> list[str]:
    """Return the versions of tools/kernels.tsv that a word of the list stands for."""
    names = list(table())
    lists = {"all": names, "all but the oldest": names[1:], "oldest and newest": [names[0], names[-1]]}
    return (lists | {"stock": [name for name in names if name in table()[name].stock]})[word]


def expand(entry: dict[str, Any]) -> Iterator[Run]:
    """The runs of an entry: one for each combination of the words of its `each`."""
    each: dict[str, list[str] | str] = entry.get("each", {})
    versions = [list_versions(words) if isinstance(words, str) else words for words in each.values()]
    for words in itertools.product(*versions):
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
    """Build everything that the runs need. Failure if a build fails."""
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


def carry_out(run: Run) -> Result:
    """Carry out a run. Without figures it has failed, too. A tree that is not the same at the end has
    changes."""
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
    return Result(run.name, run.command, figures, passed, round(seconds, 1), commit, date, cpu)


def run_all(runs: list[Run], builds: dict[str, str]) -> None:
    """Carry out the runs and keep their results."""
    with Progress("long tests") as progress:
        build(builds, runs)
        for done, run in enumerate(runs):
            progress.show(done, len(runs))
            result = carry_out(run)
            path_of(run.name).write_text(json.dumps(asdict(result), indent=1) + "\n")


def path_of(name: str) -> Path:
    return KEPT / f"{name}.json"


def last_results(runs: list[Run]) -> dict[str, Result]:
    """Return the results by name. A result of another command than the list has now is left out. Failure
    for a file that this program has not written."""
    found: dict[str, Result] = {}
    for run in runs:
        path = path_of(run.name)
        if not path.exists():
            continue
        try:
            result = Result(**json.loads(path.read_text()))
        except (json.JSONDecodeError, TypeError) as error:
            raise Failure(f"{path}: {error}") from error
        if result.command == run.command:
            found[run.name] = result
    return found


def summary(runs: list[Run], results: dict[str, Result]) -> str:
    """Return rows for Documentation/testing.md: the first word of the names, how many runs there
    are, and how many of them have passed and failed."""
    groups: dict[str, list[Run]] = {}
    for run in runs:
        groups.setdefault(run.name.partition("-")[0], []).append(run)
    rows = []
    for group, members in groups.items():
        passed = [results[run.name].passed for run in members if run.name in results]
        rows.append(f"| `{group}` | {len(members)} | {sum(passed)} | {len(passed) - sum(passed)} |")
    return "\n".join(rows)


def render(run: Run, result: Result | None, width: int) -> list[str]:
    """`width`: of the column of names."""
    if not result:
        return [f"{run.name:<{width}}not run: {run.command}"]
    failed = "" if result.passed else "FAILED  "
    head = f"{failed}{result.seconds:.0f} s, {result.commit}, {result.date}, {result.cpu}"
    lines = [f"{run.name:<{width}}{head}"]
    for figure in result.figures or [f"no figures: see {KEPT / run.name}.log"]:
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
    parser.add_argument("--summary", action="store_true", help="print rows for testing.md instead")
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
        results = last_results(runs)
    except (Failure, OSError) as error:
        print(f"run: {error}", file=sys.stderr)
        return 2
    shown = chosen or runs
    if args.json:
        print(json.dumps([asdict(each) for each in results.values()], indent=1))
    elif args.summary:
        print(summary(runs, results))
    else:
        width = max(len(run.name) for run in shown) + GAP
        print("\n".join(line for run in shown for line in render(run, results.get(run.name), width)))
    return int(any(run.name in results and not results[run.name].passed for run in shown))


if __name__ == "__main__":
    sys.exit(main())
