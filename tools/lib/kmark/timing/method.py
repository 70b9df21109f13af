# SPDX-License-Identifier: GPL-2.0-only
"""Runs the methods of timing in the environments: how many samples of what, and where.
series.py has the arithmetic, verdict.py the sentences."""

from __future__ import annotations

import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from kmark import cache, lock
from kmark.analysis import raw
from kmark.errors import Failure, Usage, say
from kmark.guest import uml, vm
from kmark.guest.output import Output, checked_text
from kmark.kernel import package
from kmark.make import make, make_modules, run_program
from kmark.progress import Progress
from kmark.timing.fences import FENCES
from kmark.timing.series import BEFORE, INSIDE, OFFSET, STORES

NATIVE = cache.TOP / "build/native/method"
GUEST_SCRIPT = cache.TOOLS / "vm/method.sh"
MODULES = ("markers/markers.ko", "bench/gates/marker_gates.ko", "bench/marker_bench.ko")
ENVS = ("native", "uml", "vm", "host")
# Paoloni's BOUND_OF_LOOP and SIZE_OF_STAT.
ENSEMBLES, SAMPLES = 1000, 100_000
LEAST_SAMPLES = 20
SECONDS = 4.0  # for each test of each fence
TRIAL = "ensembles=2 samples=1000"  # many, because an ensemble begins with 64 that are not counted
CHAIN, ICOUNT_CHAIN = "ensembles=20 samples=1000", "ensembles=2 samples=10"
STORES_S = 3e-6  # seconds of a loop of the test STORES, on average
LEAST_KHZ = 1_000_000  # taken for a counter whose rate is not known
# Times the least sample; a longer one was interrupted by the host, and is left out.
TOLERANCE = {"native": 4, "uml": 4}
TIMEOUT_S = 3600
# Under icount every sample is the same.
ICOUNT_SAMPLES = {OFFSET: 20, STORES: 2}


@dataclass(frozen=True)
class Plan:
    """Options of a measurement. `fences`: empty for all; `seconds`: for each test, None for as many samples
    as the paper has."""

    fences: tuple[str, ...] = ()
    seconds: float | None = SECONDS


def words(env: str, fence: str, test: str, counts: str) -> str:
    """The arguments of one series."""
    return f"fence={fence} test={test} {counts} tolerance={TOLERANCE.get(env, 0)}"


def run_native(series: list[str]) -> str:
    make("native")
    command = [str(NATIVE), "--progress", *series]
    with Progress("native: method") as progress:
        return run_program(command, progress)


def run_vm(series: list[str]) -> str:
    make_modules(MODULES)
    stock = package.stock()
    modules = tuple((cache.TOP / module, "/" + Path(module).name) for module in MODULES)
    command, script = vm.script_command([str(GUEST_SCRIPT), *series])
    wanted = vm.Guest(command, files=(*modules, *script), icount=True, timeout_s=TIMEOUT_S)
    with Progress("vm: method") as progress:
        output = Output(progress)
        return checked_text("vm", vm.run(wanted, stock, output), output, GUEST_SCRIPT.name)


def run_uml(series: list[str]) -> str:
    built = uml.build_modules()
    modules = tuple((built / module, "/" + Path(module).name) for module in MODULES)
    command, script = vm.script_command([str(GUEST_SCRIPT), *series])
    with Progress("uml: method") as progress:
        output = Output(progress)
        return checked_text(
            "uml", uml.run(command, (*modules, *script), output, TIMEOUT_S), output, GUEST_SCRIPT.name
        )


def headers() -> Path:
    """Return the folder of the headers of the running kernel."""
    return Path("/lib/modules") / os.uname().release / "build"


def host_obstacle() -> str:
    """Return the reason why --env host is impossible on this machine; "" if none is known."""
    if not Path("/proc/modules").exists():
        return "impossible here: the running kernel loads no modules"
    if not headers().exists():
        return f"impossible here: {headers()} is missing, the headers of the running kernel"
    return ""


def run_host(series: list[str]) -> str:
    """In this machine's own kernel. Usage unless root; Failure if the modules cannot be built."""
    if os.geteuid():
        raise Usage("method: --env host loads modules into this machine's kernel: run it as root")
    if obstacle := host_obstacle():
        raise Failure(f"host: {obstacle}")
    with tempfile.TemporaryDirectory(prefix="kmark-host.") as folder, Progress("host: method") as progress:
        for name in ("Kbuild", "markers", "probes", "bench"):
            subprocess.run(["cp", "-r", str(cache.TOP / name), folder], check=True)
        build = ["make", "-s", "-C", str(headers()), f"M={folder}", "modules"]
        done = subprocess.run(build, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Failure(f"host: the modules cannot be built:\n{done.stderr[-2000:]}")
        modules = Path(folder) / "modules"
        modules.mkdir()
        for module in MODULES:
            os.link(Path(folder) / module, modules / Path(module).name)
        output = Output(progress)
        environment = {**os.environ, "modules": str(modules), "unload": "yes", "parameters": "env=host"}
        ran = subprocess.run(
            ["sh", str(GUEST_SCRIPT), *series], env=environment, capture_output=True, check=False
        )
        output.write(ran.stdout)
        if ran.returncode:
            raise Failure(f"host: {GUEST_SCRIPT.name} ended with {ran.returncode}: {ran.stderr[-500:]!r}")
        return output.text()


RUNNERS = {"native": run_native, "uml": run_uml, "vm": run_vm, "host": run_host}


def parse(env: str, output: str) -> raw.Raw:
    """The only document of an output."""
    (document,) = raw.parse(output, f"raw data of {env}")
    return document


def parse_all(output: str, env: str) -> raw.Raw:
    """The document of one environment among several."""
    return next(one for one in raw.parse(output, "raw data") if one.env == env)


def fences_there(document: raw.Raw) -> list[str]:
    return [row["name"] for row in document.tables["fence"] if row["has"] == "1"]


def chosen(env: str, there: list[str], wanted: tuple[str, ...]) -> list[str]:
    """Return the fences of `wanted` in the order of `there`; all if none is named. Failure if one is not
    there."""
    for name in wanted:
        if name not in there:
            raise Failure(f"{env}: no fence {name} on this machine (there are: {', '.join(there)})")
    return [name for name in there if name in wanted] if wanted else there


def ticks_per_sample(document: raw.Raw) -> dict[str, float]:
    """Return, for each fence, the ticks of a whole sample, from a trial."""
    names = {row["number"]: (row["fence"], int(row["samples"])) for row in document.tables["series"]}
    found: dict[str, float] = {}
    for row in document.tables["ensemble"]:
        fence, samples = names[row["series"]]
        ticks = int(row["took"]) / samples
        found[fence] = min(found.get(fence, ticks), ticks)
    return found


def counts(env: str, test: str, seconds: float | None, sample_s: float) -> str:
    """Return the counts that fit in `seconds`, at most the paper's. `sample_s`: seconds of one sample."""
    if seconds is None:
        return f"ensembles={ENSEMBLES} samples={SAMPLES}"
    if env == "vm":
        return f"ensembles={ENSEMBLES if test == STORES else 100} samples={ICOUNT_SAMPLES[test]}"
    fitting = int(seconds / (ENSEMBLES * max(sample_s, 1e-9)))
    return f"ensembles={ENSEMBLES} samples={min(max(fitting, LEAST_SAMPLES), SAMPLES)}"


def plan_series(
    env: str, fences: list[str], seconds: float | None, sample_s: dict[str, float]
) -> list[str]:
    """The arguments of all series. `sample_s`: seconds of one sample, by fence."""
    chain = ICOUNT_CHAIN if env == "vm" else CHAIN
    found = []
    for fence in fences:
        one = sample_s.get(fence, 0)
        found += [
            words(env, fence, OFFSET, counts(env, OFFSET, seconds, one)),
            words(env, fence, STORES, counts(env, STORES, seconds, one + STORES_S)),
            words(env, fence, BEFORE, chain),
            words(env, fence, INSIDE, chain),
        ]
    return found


def full_minutes(fences: list[str], sample_s: dict[str, float]) -> float:
    """How long all samples of the paper take, of the tests OFFSET and STORES. `sample_s`: seconds of
    one sample, by fence."""
    return sum(ENSEMBLES * SAMPLES * (2 * sample_s[fence] + STORES_S) for fence in fences) / 60


def measure(env: str, plan: Plan) -> str:
    """The raw text of all tests, for the fences that are available and wanted."""
    run = RUNNERS[env]
    if env == "vm":  # one boot: it takes longer than the tests, and the script leaves out what is missing
        output = run(plan_series(env, list(plan.fences or FENCES), plan.seconds, {}))
        chosen(env, fences_there(parse(env, output)), plan.fences)
        return output
    with lock.measuring(env):
        fences = chosen(env, fences_there(parse(env, run([]))), plan.fences)
        trial = parse(env, run([words(env, fence, OFFSET, TRIAL) for fence in fences]))
        tick_s = 1e-3 / max(int(trial.environment.get("tsc_khz", "0")), LEAST_KHZ)
        sample_s = {fence: ticks * tick_s for fence, ticks in ticks_per_sample(trial).items()}
        if plan.seconds is None:
            say(f"{env}: about {full_minutes(fences, sample_s):.0f} minutes")
        return run(plan_series(env, fences, plan.seconds, sample_s))
