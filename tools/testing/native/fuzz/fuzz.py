# SPDX-License-Identifier: GPL-2.0-only
"""Gives each parser of the core inputs that libFuzzer makes, from those that are kept in
corpus/: one file a parser, one input a line, as a Python bytes literal."""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

from kmark.errors import Failure
from kmark.progress import Progress

USAGE_EXAMPLE = """example:
  tools/testing/native/fuzz/run                     2,500,000 inputs for each parser: minutes
  tools/testing/native/fuzz/run 20000               fewer
  tools/testing/native/fuzz/run --only filter       one parser
  tools/testing/native/fuzz/run --keep              adds what has found new code to corpus/

exit status: 0 nothing was found; 1 an input that fails, whose path is printed;
2 wrong use, or the programs do not build"""
HERE = Path(__file__).resolve().parent
TOP = HERE.parents[3]
BUILD = TOP / "build/fuzz"
PARSERS = ("command", "filter", "format", "table")
RUNS = 2_500_000
LONGEST = 512  # bytes of an input
SLOWEST_S = 10  # an input that takes longer is a finding
STATUS = re.compile(r"^#(\d+)\s+\w+\s+cov: (\d+)", re.MULTILINE)
FOUND = re.compile(r"Test unit written to (\S+)")
REASON = re.compile(r"^(?:SUMMARY: .*|.*runtime error: .*|==\d+== ?ERROR: .*)$", re.MULTILINE)
HEAD = """# SPDX-License-Identifier: GPL-2.0-only
# Inputs of fuzz_{name} that each reach other code; `fuzz/run --keep` makes this file.
"""


@dataclass(frozen=True)
class Result:
    """The result of one parser.  `edges`: edges of code that an input has reached; `kept`: inputs in
    the corpus; `found`: the file with the input that fails, or ""; `why`: its error message."""

    parser: str
    inputs: int
    edges: int
    kept: int
    seconds: float
    found: str = ""
    why: str = ""


def read_corpus(path: Path) -> list[bytes]:
    """Failure, with file and line, for what is no bytes literal."""
    inputs = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.startswith("#"):
            continue
        try:
            value = ast.literal_eval(line)
        except (SyntaxError, ValueError):
            value = None
        if not isinstance(value, bytes):
            raise Failure(f"{path}:{number}: expected a bytes literal, found {line!r}")
        inputs.append(value)
    return inputs


def corpus_of(parser: str) -> Path:
    return HERE / "corpus" / f"{parser}.txt"


def write_inputs(folder: Path, inputs: list[bytes]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for data in inputs:
        (folder / hashlib.sha1(data).hexdigest()).write_bytes(data)


def run_program(parser: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(BUILD / f"fuzz_{parser}"), *words],
        capture_output=True, text=True, errors="replace", check=False,
    )  # fmt: skip


def fuzz(parser: str, runs: int) -> Result:
    inputs = BUILD / "corpus" / parser
    write_inputs(inputs, read_corpus(corpus_of(parser)))
    start = time.monotonic()
    done = run_program(
        parser, f"-runs={runs}", f"-max_len={LONGEST}", f"-timeout={SLOWEST_S}",
        f"-dict={HERE / 'dictionary' / parser}", f"-artifact_prefix={BUILD}/{parser}-", str(inputs),
    )  # fmt: skip
    seconds = time.monotonic() - start
    status = STATUS.findall(done.stderr)
    found, why = FOUND.search(done.stderr), REASON.search(done.stderr)
    if done.returncode and not found:
        raise Failure(f"fuzz_{parser}: status {done.returncode}: {done.stderr[-500:]}")
    return Result(
        parser, int(status[-1][0]) if status else 0, int(status[-1][1]) if status else 0,
        len(list(inputs.iterdir())), round(seconds, 1),
        found[1] if found else "", why[0] if found and why else "",
    )  # fmt: skip


def keep(parser: str) -> None:
    """Writes the fewest inputs that together reach what all do."""
    fewest = BUILD / "fewest" / parser
    write_inputs(fewest, [])
    for path in fewest.iterdir():
        path.unlink()
    done = run_program(
        parser, "-merge=1", f"-max_len={LONGEST}", str(fewest), str(BUILD / "corpus" / parser)
    )
    if done.returncode:
        raise Failure(f"fuzz_{parser} -merge=1: {done.stderr[-500:]}")
    inputs = sorted(path.read_bytes() for path in fewest.iterdir())
    corpus_of(parser).write_text(HEAD.format(name=parser) + "".join(f"{data!r}\n" for data in inputs))


def positive(word: str) -> int:
    number = int(word)
    if number < 1:
        raise ValueError
    return number


def parse(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="run", description=__doc__, epilog=USAGE_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("runs", nargs="?", type=positive, default=RUNS, help="inputs for each parser")
    parser.add_argument("--only", choices=PARSERS, help="one parser")
    parser.add_argument("--keep", action="store_true", help="write what reaches new code to corpus/")
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")
    return parser.parse_args(words)


def build() -> None:
    words = ["make", "-s", "-C", str(TOP), "fuzz-build"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failure(f"the programs do not build: {done.stderr[-2000:]}")


def fuzz_all(args: argparse.Namespace) -> list[Result]:
    parsers = (args.only,) if args.only else PARSERS
    results = []
    with Progress("fuzz") as progress, ThreadPoolExecutor(os.cpu_count()) as pool:
        for result in pool.map(lambda parser: fuzz(parser, args.runs), parsers):
            results.append(result)
            progress.show(len(results), len(parsers))
    if args.keep:
        for parser in parsers:
            keep(parser)
    return results


def show(result: Result) -> None:
    print(
        f"{result.parser}: {result.inputs} inputs in {result.seconds} s, "
        f"{result.edges} edges of code reached, {result.kept} inputs kept"
    )
    if result.found:
        print(f"{result.parser}: FAILS with the input in {result.found}: {result.why}")


def main() -> int:
    args = parse(sys.argv[1:])
    try:
        build()
        results = fuzz_all(args)
    except (Failure, OSError) as error:
        print(f"fuzz: {error}", file=sys.stderr)
        return 2
    found = sum(bool(result.found) for result in results)
    if args.json:
        print(json.dumps([asdict(result) for result in results], indent=1))
        return found > 0
    for result in results:
        show(result)
    print(f"fuzz: {sum(result.inputs for result in results)} inputs, {found} parsers fail")
    return found > 0


if __name__ == "__main__":
    sys.exit(main())
