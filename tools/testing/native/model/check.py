# SPDX-License-Identifier: GPL-2.0-only
"""Checks the patch protocol: models by spin, planted errors, replays through the code."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import mutations
import replay
import spin
from kmark.progress import Progress
from mutations import Check

USAGE_EXAMPLE = """example:
  tools/testing/native/model/run --short            what make check runs: 2 CPUs
  tools/testing/native/model/run --cpus 3           all of it; minutes
  tools/testing/native/model/run --replay           only compare the code with the models
  tools/testing/native/model/run --replay --only CODE   only some of these
  tools/testing/native/model/run --only NO_SYNC     the planted errors with that in their name

exit status: 0 all as expected; 1 not; 2 wrong use, or a tool failed"""


def parse(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="run", description=__doc__, epilog=USAGE_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--cpus", type=int, choices=(2, 3), default=2, help="CPUs of the models (2)")
    parser.add_argument("--short", action="store_true", help="the checks of the short form only")
    parser.add_argument("--replay", action="store_true", help="only the replays")
    parser.add_argument("--only", metavar="WORD", default="", help="only checks with WORD in their name")
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")
    parser.add_argument(
        "--build", type=Path, default=replay.TOP / "build/native", help="the folder of the replay programs"
    )
    return parser.parse_args(words)


def sized(check: Check, cpus: int, short: bool = False) -> Check:
    """With interrupts on all of two CPUs, on one of three, and on one in the short form."""
    one = check.model == "patch" and (short or cpus > 2)
    more = f" CPUS={cpus}" + (" INTERRUPTED=1" if one else "")
    return replace(check, options=check.options + more)


def selected(args: argparse.Namespace) -> tuple[list[Check], list[Check]]:
    """The models as they are, and the planted errors, which need no third CPU."""

    def wanted(check: Check) -> bool:
        return args.only in check.name and (check.short or not args.short)

    models = [sized(check, 2, args.short) for check in mutations.MODELS if wanted(check)]
    if args.cpus > 2:
        models += [sized(check, args.cpus) for check in mutations.MODELS if wanted(check)]
        models += [check for check in mutations.DEEP if wanted(check)]
    one = " INTERRUPTED=1" if args.short else ""
    planted = [check for check in mutations.MUTATIONS if wanted(check)]
    return models, [replace(check, options=check.options + one) for check in planted]


def row(check: Check, result: spin.Result, good: bool) -> dict[str, Any]:
    return {"name": check.name, "text": check.text, "good": good, **asdict(result)}


def is_expected(check: Check, result: spin.Result, planted: bool) -> bool:
    """A planted error that is not harmless has to show the violation that it names."""
    if check.harmless or not planted:
        return not result.errors
    return bool(check.shows) and any(
        line.startswith("VIOLATION") and check.shows in line for line in result.counterexample
    )


def show(found: dict[str, Any], planted: bool) -> None:
    mark = "ok  " if found["good"] else "FAIL"
    print(
        f"{mark} {found['name']}: {found['text']}: {found['states']:,} states, "
        f"{found['transitions']:,} transitions, depth {found['depth']:,}, {found['seconds']:.1f} s"
    )
    if planted or not found["good"]:
        for line in found["counterexample"]:
            print(f"       {line}")


def check_all(args: argparse.Namespace) -> dict[str, Any]:
    report: dict[str, Any] = {"models": [], "mutations": [], "replay": None}
    models, planted = ([], []) if args.replay else selected(args)
    if not args.replay and not models and not planted:
        raise spin.SpinError(f"no check has {args.only!r} in its name")
    total = len(models) + len(planted)
    with Progress("model") as progress:
        for done, check in enumerate([*models, *planted]):
            progress.show(done, total)
            is_planted = done >= len(models)
            result = spin.verify(check.model, check.options, optimise=not is_planted and args.cpus > 2)
            found = row(check, result, is_expected(check, result, is_planted))
            report["mutations" if is_planted else "models"].append(found)
            if not args.json:
                show(found, is_planted)
    if args.replay or not args.only:
        outcome = replay.run_all(args.build, args.only)
        report["replay"] = asdict(outcome)
    return report


def summary(report: dict[str, Any]) -> tuple[list[str], bool]:
    lines, good = [], True
    for kind, text in (("models", "as the code is: no counterexample"), ("mutations", "errors planted")):
        rows = report[kind]
        right = sum(found["good"] for found in rows)
        good &= right == len(rows)
        if rows:
            lines.append(
                f"{kind}: {right} of {len(rows)} as expected ({text}); "
                f"{sum(found['states'] for found in rows):,} states, "
                f"{sum(found['transitions'] for found in rows):,} transitions, "
                f"{sum(found['seconds'] for found in rows):.0f} s"
            )
    outcome = report["replay"]
    if outcome:
        good &= not outcome["problems"]
        lines += [f"FAIL {problem}" for problem in outcome["problems"]]
        lines.append(
            f"replay: {outcome['replays']} traces, {outcome['steps']} steps, "
            f"{outcome['transitions']} transitions, {len(outcome['problems'])} problems"
        )
    return lines, good


def main() -> int:
    args = parse(sys.argv[1:])
    try:
        report = check_all(args)
    except (spin.SpinError, OSError) as error:
        print(f"model: {error}", file=sys.stderr)
        return 2
    lines, good = summary(report)
    print(json.dumps(report, indent=1) if args.json else "\n".join(lines))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
