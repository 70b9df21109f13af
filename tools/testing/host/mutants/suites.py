# SPDX-License-Identifier: GPL-2.0-only
"""The suites that planted errors are shown to: what make builds for one, and its commands."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from kmark.errors import Failure

# How long a suite may take, since an error may keep a program from ending.
CLEAN_S = 600  # without one
LEAST_S, TIMES = 20, 5  # with one: at least, and a multiple of the time without
GUEST_S = 300  # at least, where a guest is booted: a machine that others use is that much slower
TESTS = Path(__file__).resolve().parents[2]
IN_GUEST = "guest/"
FOLDERS = (IN_GUEST, "host/", "native/", "unit/")  # of tests


@dataclass(frozen=True)
class Suite:
    """`targets`: of make; `commands`: each fails on its own; `guest`: it boots one."""

    targets: tuple[str, ...]
    commands: tuple[tuple[str, ...], ...]
    guest: bool = False


def program(name: str, *words: str) -> Suite:
    path = f"build/native/{name}"
    return Suite((path,), ((path, *words),))


def replay(word: str) -> Suite:
    """Return the suite of the replays of model/ with that word in their name."""
    return Suite(("model-programs",), (("tools/testing/native/model/run", "--replay", "--only", word),))


def in_guest(name: str, *before: str) -> Suite:
    return Suite(("modules",), ((*before, f"tools/testing/{name}.t"),), guest=True)


RING = "build/native/ring_stress"
SUITES = {
    "arm64-gates": program("arm64_gates"),
    "boundaries": program("boundaries"),
    "calls": program("calls"),
    "faults": program("faults"),
    "fuzz": Suite((), (("tools/testing/native/fuzz/run", "20000"),)),
    "hammer": program("hammer", "--toggles", "300"),
    "replay-patch": replay("replay_patch"),
    "replay-code": replay("replay_dispatch CODE"),
    "replay-call": replay("replay_dispatch CALL"),
    "replay-pointer": replay("replay_dispatch POINTER"),
    "ring": Suite(
        (RING,),
        tuple(
            (RING, mode, clock, reader, milliseconds)
            for reader, milliseconds in (
                ("live", "100"),
                ("flush", "100"),
                ("snapshot", "100"),
                ("swap", "2000"),
            )
            for mode in ("discard", "overwrite")
            for clock in ("tsc", "step")
        ),
    ),
    "tsan": Suite(("tsan-hammer",), (("build/tsan/hammer", "--toggles", "300"),)),
    "guest/hammer": in_guest("guest/hammer", "env", "TOGGLES=300"),
    "wait": program("wait"),
}


def find(name: str) -> Suite:
    """Failure for an unknown name."""
    if name in SUITES:
        return SUITES[name]
    if name.startswith(FOLDERS) and (TESTS / f"{name}.t").exists():
        return in_guest(name) if name.startswith(IN_GUEST) else Suite((), ((f"tools/testing/{name}.t",),))
    raise Failure(f"no suite {name!r}: expected a test of tools/testing, or {', '.join(SUITES)}")


def environment(tree: Path) -> dict[str, str]:
    """Return the environment with the Python files of that tree. The Python of suites caches nothing: a
    planted error may have the size and the second of the one before. A suite ends at its first failure, in
    a guest, too."""
    paths = [tree / "tools/lib", tree / "tools/testing/unit"]
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(map(str, paths)),
        "PYTHONDONTWRITEBYTECODE": "1",
        "TAP_FIRST": "1",
        "APPEND": "TAP_FIRST=1",
    }


@dataclass(frozen=True)
class Result:
    """`why`: "" if the suite passed, else how it failed, with the end of what it printed."""

    seconds: float
    why: str


def limit(name: str, seconds: float) -> float:
    """Return the seconds for a suite that takes `seconds` without an error."""
    return max(GUEST_S if find(name).guest else LEAST_S, TIMES * seconds)


def run(name: str, tree: Path, seconds: float) -> Result:
    """All commands of a suite in a tree, each for so long, up to the first that fails."""
    start = time.monotonic()
    why = ""
    for command in find(name).commands:
        why = run_one(command, tree, seconds)
        if why:
            break
    return Result(time.monotonic() - start, why)


def run_one(command: tuple[str, ...], tree: Path, seconds: float) -> str:
    with subprocess.Popen(
        command, cwd=tree, env=environment(tree), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, start_new_session=True,
    ) as running:  # fmt: skip
        try:
            output, _ = running.communicate(timeout=seconds)
        except BaseException as problem:
            os.killpg(running.pid, signal.SIGKILL)  # with all that it has started
            if not isinstance(problem, subprocess.TimeoutExpired):
                raise
            return f"no end after {seconds:.0f} s"
    if not running.returncode:
        return ""
    printed = output.decode(errors="replace").strip().splitlines()
    failed = [line for line in printed if line.startswith(("not ok", "FAIL"))]
    return f"status {running.returncode}: {(failed or printed[-1:] or [''])[0][:90]}"
