# SPDX-License-Identifier: GPL-2.0-only
"""Instructions of one event by the way in which it is recorded against those in bench/data/paths.tsv."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kmark import cache, foreign
from kmark.bench import lttng_modules, runner
from kmark.errors import Failure
from kmark.make import make

SCRIPT = cache.TOOLS / "vm/paths.sh"
MODULES = ("probes/probe_count.ko", "probes/probe_event.ko")  # besides those of all guests
PEER = "TRACE_EVENT()"
PROGRAM = cache.TOP / "build/native/attach_perf"  # besides those of all guests, as MODULES
OWN = ("recorder", "trace event")  # ways that execute this project's code begin so
# A way through ftrace executes the kernel's code, too, which TRACE_EVENT() executes as well.
OF_FTRACE = "trace event"

HEAD = """# SPDX-License-Identifier: GPL-2.0-only
# Instructions of one event, by way; `kmark bench paths --write` writes it.
"""

Figures = dict[str, int]  # instructions of one event, by the way


@dataclass(frozen=True)
class Change:
    """A way of the project that does not have its stored figure. None: not stored, or gone."""

    way: str
    before: int | None
    now: int | None


def read(text: str, name: str) -> Figures:
    """Read lines of a way, a tab and its instructions. Failure, which names NAME, at any other line."""
    found: Figures = {}
    for number, line in enumerate(foreign.lines(text), 1):
        if line.startswith("#"):
            continue
        way, _, instructions = line.partition("\t")
        if not instructions.isdecimal():
            raise Failure(f"{name}: line {number}: want a way, a tab and a number of instructions")
        found[way] = int(instructions)
    return found


def parse(text: str, name: str) -> Figures:
    """The same of a table that has PEER. Failure if it has not."""
    found = read(text, name)
    if PEER not in found:
        raise Failure(f"{name}: there is no figure of {PEER}")
    return found


def load(path: Path) -> Figures:
    """Read stored figures. Failure if they cannot be read."""
    try:
        return parse(path.read_text(), str(path))
    except (OSError, UnicodeDecodeError) as problem:
        raise Failure(f"{path}: {getattr(problem, 'strerror', None) or problem}") from None


def dump(figures: Figures) -> str:
    """Return the text of the file."""
    return HEAD + "".join(f"{way}\t{instructions}\n" for way, instructions in figures.items())


def measure(kernel: Path | None = None) -> Figures:
    """Return the figures of the kernel in a folder, or the distribution's, in a guest that counts
    instructions. Failure if it cannot be run."""
    make(str(PROGRAM.relative_to(cache.TOP)))
    (output,) = runner.run_guests(
        [[str(SCRIPT)]], ((PROGRAM, f"/{PROGRAM.name}"),), kernel=kernel, modules=MODULES
    )
    return parse(output, SCRIPT.name)


def measure_lttng() -> Figures:
    """Return the figures of LTTng-modules in the distribution's kernel. Failure if they cannot be built or
    the guest cannot be run."""
    job = [str(SCRIPT), str(lttng_modules.build())]
    (output,) = runner.run_guests([job], modules=MODULES, host_root=True)
    return read(output, SCRIPT.name)


def own(figures: Figures) -> Figures:
    """Return the figures of the project's ways, those of ftrace less what TRACE_EVENT() takes that way."""
    found = {way: value for way, value in figures.items() if way.startswith(OWN)}
    for way in found:
        if way.startswith(OF_FTRACE):
            found[way] -= figures.get(PEER + way.removeprefix(OF_FTRACE), 0)
    return found


def changes(before: Figures, now: Figures) -> list[Change]:
    """Return the project's ways that are not as before."""
    one, other = own(before), own(now)
    return [
        Change(way, one.get(way), other.get(way))
        for way in dict.fromkeys([*one, *other])
        if one.get(way) != other.get(way)
    ]


def lines(now: Figures) -> Iterator[str]:
    """Yield a table."""
    yield "instructions that one event of an int and a pointer adds to a loop, in a guest"
    yield ""
    yield f"{'way':<44}{'instructions':>14}{'of ' + PEER:>20}"
    for way, value in now.items():
        yield f"{way:<44}{value:>14}{value / now[PEER]:>20.2f}"


def change_lines(found: list[Change], name: str) -> Iterator[str]:
    """Yield the ways that are not as in the file NAME; those of ftrace are less TRACE_EVENT()."""
    for change in found:
        yield f"{change.way}: {change.before} in {name}, {change.now} now"
