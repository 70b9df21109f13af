# SPDX-License-Identifier: GPL-2.0-only
"""Compare kernels with `kmark kernel-cost` in many boots, and report wrong results.

        gate_runs.py plants N [KERNEL]   N images with one planted instruction each
        gate_runs.py selves N [KERNEL]   a kernel against itself, N comparisons of an operation

Each boot starts the operations at another phase of the timer, as a kernel of another length
would. Prints a line for each failure and one with the sums; exit status 1 if there was one.
KERNEL: a folder of `kmark dev kernel`; default: the kernel of the distribution."""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "guest/gate"))

import plant as planting
from kmark.kernel_cost import compare, figures, runner
from kmark.kernel_cost.operands import Subject
from kmark.make import make
from kmark.progress import Progress

LARGEST_PHASE = 1 << 20
PROGRAM = runner.Program()


def wrong_rows(rows: list[figures.Row], added: dict[str, int]) -> list[str]:
    """Return the rows that differ from the planted instructions. For an operation that is not exact, only a
    reported difference where none was planted is wrong."""
    found = []
    for row in rows:
        right = added.get(row.name, 0)
        if not row.old or not row.new or row.difference == right:
            continue
        if (row.old.exact and row.new.exact) or (row.verdict == figures.DIFFERS and not right):
            found.append(f"{row.name}: {row.difference} instead of {right}")
    return found


def booted(subject: Subject, chance: random.Random, before: list[runner.Boot]) -> compare.Measured:
    """With two more boots than `before`."""
    more = [PROGRAM.boot(subject, chance.randrange(LARGEST_PHASE)) for _ in range(2)]
    return compare.Measured(subject, before + more)


def plants(number: int, words: list[str]) -> bool:
    chance = random.Random(2)
    good = 0
    exact = set()
    with tempfile.TemporaryDirectory() as scratch, Progress("plants") as progress:
        folder = Path(scratch)
        old, image, text, all_plants = planting.prepare(folder, words)
        base = booted(old, chance, [])
        all_of_base = booted(old, chance, base.boots)

        def again(measured: compare.Measured) -> compare.Measured:
            return all_of_base if measured is base else booted(measured.subject, chance, measured.boots)

        for i, plant in enumerate(chance.sample(all_plants, number)):
            new = planting.write_subject(folder / "new", planting.planted(image, plant), text)
            rows = compare.confirm(base, booted(new, chance, []), again)
            exact |= {row.name for row in rows if row.old and row.old.exact}
            wrong = wrong_rows(rows, plant.added)
            differs = any(row.verdict == figures.DIFFERS for row in rows)
            good += differs and not wrong
            if wrong or not differs:
                print(f"{plant.function} {plant.address:x}: {'; '.join(wrong) or 'not found'}", flush=True)
            progress.show(i + 1, number)
    print(
        f"plants: found {good} of {number}, of {len(all_plants)} places; exact: {' '.join(sorted(exact))}"
    )
    return good == number


def selves(number: int, words: list[str]) -> bool:
    """Two boots are compared with the two that follow, as the verb does it, then the same from
    the next boot on."""
    chance = random.Random(3)
    compared = alarms = inexact = 0
    given = planting.kernel_of(words)
    done: list[runner.Boot] = []
    with Progress("selves") as progress:
        while compared < number:
            done.append(PROGRAM.boot(given, chance.randrange(LARGEST_PHASE)))
            if len(done) < 4:
                continue
            one, other = compare.Measured(given, done[-4:-2]), compare.Measured(given, done[-2:])
            for row in compare.confirm(one, other, lambda m: booted(given, chance, m.boots)):
                compared += 1
                inexact += not (row.old and row.new and row.old.exact and row.new.exact)
                if row.verdict not in (figures.SAME, figures.NOT_RESOLVED):
                    alarms += 1
                    print(f"{row.name}: {row.old} {row.new}", flush=True)
            progress.show(compared, number)
    print(
        f"selves: {alarms} false alarms in {compared} comparisons of {len(done)} boots; {inexact} not exact"
    )
    return alarms == 0


if __name__ == "__main__":
    make("operations")
    kind = {"plants": plants, "selves": selves}[sys.argv[1]]
    sys.exit(not kind(int(sys.argv[2]), sys.argv[3:]))
