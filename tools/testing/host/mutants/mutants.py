# SPDX-License-Identifier: GPL-2.0-only
"""Plants one error after the other in a copy of the tree, builds it, and runs the suites that
should see it, up to the first that fails: that one has killed it. The errors are those of a list, or are
drawn at random."""

from __future__ import annotations

import argparse
import itertools
import json
import random
import signal
import sys
import tempfile
import time
from collections import defaultdict
from dataclasses import asdict, dataclass
from pathlib import Path

import catalogue
import sample
import suites
from catalogue import Mutant
from kmark.commands.common import positive
from kmark.errors import Failure
from kmark.progress import Progress
from tree import TOP, Tree, changed_files, make, planted

USAGE_EXAMPLE = """example:
  tools/testing/host/mutants/run                    all of them; long
  tools/testing/host/mutants/run --changed --no-guests      as in make check-slow
  tools/testing/host/mutants/run --tenth today              as in make check-slow: another tenth each day
  tools/testing/host/mutants/run --only patch       those with that in their name
  tools/testing/host/mutants/run --names            only print what there is
  tools/testing/host/mutants/run --sample 100       random ones, not those of the list; hours

exit status: 0 all as listed; 1 one survived that should not have, or the reverse;
2 wrong use, an error that does not apply or build, or a suite that fails without any"""
HERE = Path(__file__).resolve().parent
TENTHS = 10
SEEDS = 1 << 32
LEAST_KILLED = 0.85  # of a sample


@dataclass(frozen=True)
class Verdict:
    """`by`: the suite that failed, "" if none did; `why`: what it said; `seconds`: of the build
    and of all suites that ran."""

    mutant: Mutant
    by: str
    why: str
    seconds: float

    @property
    def good(self) -> bool:
        return bool(self.by) != bool(self.mutant.survives)


def tenth(word: str) -> int:
    """A number, or "today"."""
    number = time.localtime().tm_yday if word == "today" else int(word)
    return number % TENTHS


def parse(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="run", description=__doc__, epilog=USAGE_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument(
        "--tenth", type=tenth, metavar="N", help="every tenth, from N; today: by the day of the year"
    )
    parser.add_argument(
        "--changed", action="store_true",
        help="only those in files that the last commit or the working tree changes",
    )  # fmt: skip
    parser.add_argument("--only", metavar="WORD", default="", help="only those with WORD in their name")
    parser.add_argument(
        "--sample", type=positive, metavar="N",
        help="draw N mutations of the code of markers/, probes/ and tools/lib, instead of the list; "
        "exit status 1 if less than 85 %% are killed, 2 if it is not known of any",
    )  # fmt: skip
    parser.add_argument("--seed", type=int, metavar="N", help="of the sample; default: another each time")
    parser.add_argument(
        "--in", dest="within", default="*", metavar="PATTERN", help="draw only from files that match"
    )
    guests = parser.add_mutually_exclusive_group()
    guests.add_argument("--guests", action="store_true", help="only those whose suites boot guests")
    guests.add_argument("--no-guests", action="store_true", help="only the others")
    parser.add_argument("--names", action="store_true", help="print them, and plant none")
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")
    parser.add_argument(
        "--list", type=Path, default=HERE / "errors.toml", metavar="FILE", help="instead of errors.toml"
    )
    return parser.parse_args(words)


def selected(args: argparse.Namespace) -> list[Mutant]:
    """Failure if one does not apply, or none is left."""
    found = catalogue.load(args.list)
    for mutant in found:  # also what is not selected: no list gets stale unseen
        planted(TOP, mutant)
        targets(mutant.suites)
    if args.guests or args.no_guests:
        found = [mutant for mutant in found if needs_guest(mutant) == args.guests]
    if args.changed:
        files = changed_files(TOP)
        found = [mutant for mutant in found if mutant.file in files]
    found = [
        mutant
        for place, mutant in enumerate(found)
        if args.only in mutant.name and args.tenth in (None, place % TENTHS)
    ]
    # Sources that were built into modules are newer then than native programs made of them.
    found.sort(key=needs_guest)
    if not found and not args.changed:
        raise Failure("no planted error is selected")
    return found


def needs_guest(mutant: Mutant) -> bool:
    return any(suites.find(name).guest for name in mutant.suites)


def targets(names: tuple[str, ...]) -> set[str]:
    return {target for name in names for target in suites.find(name).targets}


def try_one(tree: Tree, mutant: Mutant, taken: dict[str, float]) -> Verdict:
    """Failure if it does not apply or build."""
    start = time.monotonic()
    tree.plant(mutant)
    by, why = "", ""
    try:
        for name in mutant.suites:
            if said := make(tree.work, targets((name,))):
                raise Failure(f"{mutant.name}: does not build: {said}")
            why = suites.run(name, tree.work, suites.limit(name, taken[name])).why
            if why:
                by = name
                break
    finally:
        tree.restore(mutant)
    return Verdict(mutant, by, why, time.monotonic() - start)


def time_clean(tree: Tree, names: list[str]) -> dict[str, float]:
    """The seconds of each suite. Failure if one fails without any error: it would kill nothing."""
    taken = {}
    for name in names:
        result = suites.run(name, tree.work, suites.CLEAN_S)
        if result.why:
            raise Failure(f"the suite {name} fails without any planted error: {result.why}")
        taken[name] = result.seconds
    return taken


def show(verdict: Verdict) -> None:
    mutant = verdict.mutant
    name = f"{mutant.name} ({mutant.kind})"
    if verdict.by:
        unexpected = "" if verdict.good else ", though it is listed as surviving"
        print(f"killed    {name}: {verdict.by}, {verdict.seconds:.1f} s{unexpected}: {verdict.why}")
    else:
        reason = mutant.survives or f"not seen by {', '.join(mutant.suites)}"
        print(f"{'survives' if verdict.good else 'SURVIVED'}  {name}: {verdict.seconds:.1f} s: {reason}")
    sys.stdout.flush()


def check_all(chosen: list[Mutant], quiet: bool) -> list[Verdict]:
    names = list(dict.fromkeys(name for mutant in chosen for name in mutant.suites))
    if said := make(TOP, targets(tuple(names))):
        raise Failure(f"the tree does not build: {said}")
    verdicts: list[Verdict] = []
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder, Progress("mutants") as progress:
        tree = Tree(TOP, Path(folder))
        if said := make(tree.work, targets(tuple(names))):
            raise Failure(f"a copy of the tree does not build: {said}")
        taken = time_clean(tree, names)
        for done, mutant in enumerate(chosen):
            progress.show(done, len(chosen))
            verdicts.append(try_one(tree, mutant, taken))
            if not quiet:
                show(verdicts[-1])
    return verdicts


def summary(verdicts: list[Verdict]) -> list[str]:
    """By kind, by suite, and in all."""
    kinds: dict[str, list[Verdict]] = defaultdict(list)
    killers: dict[str, list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        kinds[verdict.mutant.kind].append(verdict)
        killers[verdict.by or "none"].append(verdict)
    lines = [
        f"kind {kind}: {sum(bool(v.by) for v in group)} of {len(group)} killed"
        for kind, group in kinds.items()
    ]
    lines += [
        f"suite {name}: {len(group)}, {sum(v.seconds for v in group):.0f} s"
        for name, group in sorted(killers.items())
    ]
    killed = sum(bool(verdict.by) for verdict in verdicts)
    wrong = sum(not verdict.good for verdict in verdicts)
    lines.append(
        f"mutants: {killed} of {len(verdicts)} killed, {100 * killed / max(len(verdicts), 1):.1f} %; "
        f"{wrong} not as listed; {sum(v.seconds for v in verdicts):.0f} s"
    )
    return lines


def record(verdict: Verdict) -> dict[str, object]:
    return {
        "name": verdict.mutant.name, "kind": verdict.mutant.kind, "file": verdict.mutant.file,
        "killed_by": verdict.by or None, "why": verdict.why, "survives": verdict.mutant.survives or None,
        "good": verdict.good, "seconds": round(verdict.seconds, 2),
    }  # fmt: skip


def try_sample(args: argparse.Namespace) -> int:
    """Exit status 1 if less than LEAST_KILLED are killed."""
    seed = random.randrange(SEEDS) if args.seed is None else args.seed
    drawn = sample.drawn(seed, args.within)
    if args.names:
        for mutation in itertools.islice(drawn, args.sample):
            targets(mutation.suites)  # Failure for a suite that is not there
            print(f"{mutation.name}: {', '.join(mutation.suites)}{mutation.lines()}")
        return 0
    results = []
    print(f"seed {seed}", flush=True)  # also where the run is stopped
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        sampling = sample.Sampling(Tree(TOP, Path(folder)), not args.no_guests)
        for result in sampling.results(drawn, args.sample):
            results.append(result)
            print(result.text(), flush=True)
    print(sample.summary(results, sampling.left_out, seed))
    decided = [result for result in results if not result.undecided]
    if not decided:
        raise Failure("no mutation was decided")
    return int(sum(bool(result.by) for result in decided) < LEAST_KILLED * len(decided))


def main() -> int:
    args = parse(sys.argv[1:])
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(2))  # so that the copies are removed
    try:
        if args.sample:
            return try_sample(args)
        chosen = selected(args)
        if args.names:
            found = [asdict(mutant) for mutant in chosen]
            print(
                json.dumps(found, indent=1)
                if args.json
                else "\n".join(f"{m.name} ({m.kind}): {m.file}" for m in chosen)
            )
            return 0
        verdicts = check_all(chosen, args.json) if chosen else []
    except (Failure, OSError) as error:
        print(f"mutants: {error}", file=sys.stderr)
        return 2
    print(
        json.dumps([record(v) for v in verdicts], indent=1) if args.json else "\n".join(summary(verdicts))
    )
    return 0 if all(verdict.good for verdict in verdicts) else 1


if __name__ == "__main__":
    sys.exit(main())
