# SPDX-License-Identifier: GPL-2.0-only
"""A recording session of LTTng-UST around programs, for the peer of that name.

The session daemon of the user is used if one runs; else one is started, with a home folder
of its own, and stopped afterwards. What is recorded goes to files of a bounded size, in
memory if possible, and is deleted, also where kmark is killed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kmark.errors import Failure

PROGRAMS = ("lttng", "lttng-sessiond")
EVENT = "marker_bench:bench_event"
SCRATCH = Path("/dev/shm")
# Large enough for several samples, so that none is lost while the daemon that writes the
# files does not run.
CHANNEL = ("--subbuf-size=1M", "--num-subbuf=16", "--tracefile-size=4M", "--tracefile-count=4")
PATIENCE_S = 10.0
# Arguments: "own" or nothing, the session, the folder. Its input ends when kmark does, however.
CLEANER = """[ -z "$1" ] || { lttng-sessiond --no-kernel --quiet & daemon=$!; }
cat
lttng --no-sessiond destroy "$2"
[ -z "$1" ] || kill $daemon
wait
rm -rf "$3"
"""

Environment = dict[str, str]


def is_there() -> bool:
    """True if LTTng is installed."""
    return all(shutil.which(program) for program in PROGRAMS)


def control(environment: Environment, *words: str) -> str:
    """Runs lttng and returns its output. Failure if it fails."""
    done = subprocess.run(
        ["lttng", "--no-sessiond", *words], env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise Failure(f"lttng {' '.join(words)}: {(done.stderr or done.stdout).strip()}")
    return done.stdout


def daemon_runs(environment: Environment) -> bool:
    """True if a session daemon answers."""
    try:
        control(environment, "list")
    except Failure:
        return False
    return True


@contextmanager
def cleaned_up(environment: Environment, folder: Path, name: str, own: bool) -> Iterator[None]:
    """Ends the session NAME and removes the folder behind the context; also if this process is
    killed, as a shell that reads from it does both. `own`: that shell also has a session daemon,
    which ends with it. Failure if that does not answer in PATIENCE_S seconds."""
    command = ["sh", "-c", CLEANER, "kmark-lttng", "own" if own else "", name, str(folder)]
    with (
        (folder / "log").open("wb") as log,
        subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=log, stderr=log, start_new_session=True
        ),
    ):
        deadline = time.monotonic() + PATIENCE_S
        while own and not daemon_runs(environment):
            if time.monotonic() > deadline:
                said = (folder / "log").read_text(errors="replace").strip()
                raise Failure(f"lttng-sessiond does not answer in {PATIENCE_S:g} s: {said}")
            time.sleep(0.05)
        yield


def check_kept(listing: str) -> None:
    """Check that no event was lost, because losing one costs less than storing it. Failure if one was."""
    counts = re.findall(r"(Discarded events|Lost packets): +(\d+)", listing)
    if not counts:
        raise Failure("LTTng does not say how many events it lost")
    for what, count in counts:
        if int(count):
            raise Failure(f"LTTng: {what}: {count}, so the figure would be the cost of losing events")


@contextmanager
def session(environment: Environment, folder: Path, name: str) -> Iterator[None]:
    """Record EVENT into FOLDER, in a session of that name, while the context lasts."""
    control(environment, "create", name, f"--output={folder / 'trace'}")
    control(environment, "enable-channel", "--userspace", f"--session={name}", *CHANNEL, "bench")
    control(environment, "enable-event", "--userspace", f"--session={name}", "--channel=bench", EVENT)
    control(environment, "start", name)
    yield
    control(environment, "stop", name)
    check_kept(control(environment, "list", name))


@contextmanager
def recording() -> Iterator[Environment]:
    """Record the events of programs that get the yielded environment. Where LTTng is not installed, yield
    the environment of this process and record nothing."""
    environment = dict(os.environ)
    if not is_there():
        yield environment
        return
    place = SCRATCH if os.access(SCRATCH, os.W_OK) else None
    folder = Path(tempfile.mkdtemp(prefix=f"kmark-lttng.{os.getpid()}.", dir=place))
    own = not daemon_runs(environment)
    if own:
        environment["LTTNG_HOME"] = str(folder)
    name = f"kmark-{os.getpid()}"
    with cleaned_up(environment, folder, name, own), session(environment, folder, name):
        yield environment
