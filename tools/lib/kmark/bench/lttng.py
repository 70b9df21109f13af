# SPDX-License-Identifier: GPL-2.0-only
"""A recording session of LTTng-UST around programs, for the peer of that name.

The session daemon of the user is used if one runs; else one is started, with a home folder
of its own, and stopped afterwards. What is recorded goes to files of a bounded size, in
memory if possible, and is deleted."""

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

Environment = dict[str, str]


def is_there() -> bool:
    """Whether LTTng is installed."""
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
    """Whether a session daemon answers."""
    try:
        control(environment, "list")
    except Failure:
        return False
    return True


@contextmanager
def own_daemon(environment: Environment) -> Iterator[None]:
    """A session daemon for the context. Failure if it does not answer in PATIENCE_S seconds."""
    command = ["lttng-sessiond", "--no-kernel", "--quiet"]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as daemon:
        try:
            deadline = time.monotonic() + PATIENCE_S
            while not daemon_runs(environment):
                if daemon.poll() is not None or time.monotonic() > deadline:
                    daemon.kill()
                    said = daemon.stderr.read().strip() if daemon.stderr else ""
                    raise Failure(f"lttng-sessiond does not start: {said}")
                time.sleep(0.05)
            yield
        finally:
            daemon.terminate()


def check_kept(listing: str) -> None:
    """Failure if events were lost: losing one costs less than storing it."""
    counts = re.findall(r"(Discarded events|Lost packets): +(\d+)", listing)
    if not counts:
        raise Failure("LTTng does not say how many events it lost")
    for what, count in counts:
        if int(count):
            raise Failure(f"LTTng: {what}: {count}, so the figure would be the cost of losing events")


@contextmanager
def session(environment: Environment, folder: Path) -> Iterator[None]:
    """A session that records EVENT into FOLDER while the context lasts."""
    name = f"kmark-{os.getpid()}"
    control(environment, "create", name, f"--output={folder / 'trace'}")
    try:
        control(environment, "enable-channel", "--userspace", f"--session={name}", *CHANNEL, "bench")
        control(environment, "enable-event", "--userspace", f"--session={name}", "--channel=bench", EVENT)
        control(environment, "start", name)
        yield
        control(environment, "stop", name)
        check_kept(control(environment, "list", name))
    finally:
        control(environment, "destroy", name)


@contextmanager
def recording() -> Iterator[Environment]:
    """Yields the environment for programs whose events are recorded; an unchanged one where
    LTTng is not installed."""
    environment = dict(os.environ)
    if not is_there():
        yield environment
        return
    place = SCRATCH if os.access(SCRATCH, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="kmark-lttng.", dir=place) as scratch:
        if daemon_runs(environment):
            with session(environment, Path(scratch)):
                yield environment
            return
        environment["LTTNG_HOME"] = scratch
        with own_daemon(environment), session(environment, Path(scratch)):
            yield environment
