# SPDX-License-Identifier: GPL-2.0-only
"""Builds and runs the benchmark in its environments, and files the results."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from kmark import cache, guest, kernel, kvm, lttng, pages, raw, samples, text, uml
from kmark import environment as machine
from kmark import report as reports
from kmark.errors import Failure
from kmark.progress import Progress

NATIVE = cache.TOP / "build/native/bench"
NATIVE_BULK = cache.TOP / "build/native/bulk"
ATTACH_BPF = "build/native/attach_bpf"  # what the guest's script calls for the variant bpf
NATIVE_METHOD = cache.TOP / "build/native/method"
MODULES = (
    "markers/markers.ko",
    "markers/selftest/marker_bulk.ko",
    "probes/probe_empty.ko",
    "probes/probe_copy.ko",
    "probes/probe_ctf.ko",
    "bench/marker_bench.ko",
)
GUEST_SCRIPT = cache.TOOLS / "vm/bench.sh"
GUEST_METHOD = cache.TOOLS / "vm/method.sh"
GUEST_TOGGLES = cache.TOOLS / "vm/toggle.sh"
GUEST_TIMEOUT_S = 900
SHORT = (("offset", 100), ("stores", 200))  # test, ensembles
SHORT_SAMPLES, SHORT_SAMPLES_VM = (1000, 200), (20, 2)  # under icount all samples are the same
DROPPED_NOTE = 0.1  # of the samples; from here on it is worth a line
ROUNDS = {"native": 40, "vm": 2, "uml": 40}  # under icount every round is the same
USUAL = ("native", "vm")
MOST_TOGGLES = 10  # rounds; each is over 20,000 transactions
PROCESSES = 10  # that share the native rounds: in each, code and data lie in other pages
BOOTS = 4  # that share the rounds of User-Mode Linux, for the same reason
UML_MODULES = tuple(module for module in MODULES if "selftest" not in module)
# Short samples, as natively: the host's interrupts cannot be held off.
UML_PARAMETERS = ("most_loops=1000000",)


def make(target: str) -> None:
    done = subprocess.run(
        ["make", "-s", f"-j{os.cpu_count()}", target], cwd=cache.TOP, stdout=sys.stderr, check=False
    )
    if done.returncode:
        raise Failure(f"make {target} failed")


def told_progress(line: str) -> tuple[int, int] | None:
    """The numbers of a line DONE/TOTAL."""
    done, _, total = line.strip().partition("/")
    return (int(done), int(total)) if done.isdigit() and total.isdigit() else None


def run_program(
    command: list[str],
    progress: Progress,
    part: int = 0,
    parts: int = 1,
    environment: dict[str, str] | None = None,
) -> str:
    """What it prints; its progress lines, as a part of the whole, go to the terminal."""
    with tempfile.TemporaryFile("w+") as out:
        with subprocess.Popen(
            command, stdout=out, stderr=subprocess.PIPE, text=True, env=environment
        ) as runner:
            assert runner.stderr
            try:
                for line in runner.stderr:
                    if numbers := told_progress(line):
                        progress.show(part * numbers[1] + numbers[0], parts * numbers[1])
                    else:
                        sys.stderr.write(line)
            except BaseException:
                runner.kill()
                raise
        if runner.returncode:
            raise Failure(f"{Path(command[0]).relative_to(cache.TOP)} ended with {runner.returncode}")
        out.seek(0)
        return out.read()


def short_method(env: str, fence: str) -> list[str]:
    """The series that judge the fence before each bench: a second, or less."""
    chosen = f"fence={fence} " if fence else ""
    samples = SHORT_SAMPLES_VM if env == "vm" else SHORT_SAMPLES
    return [
        f"{chosen}test={test} ensembles={ensembles} samples={count} tolerance={0 if env == 'vm' else 4}"
        for (test, ensembles), count in zip(SHORT, samples, strict=True)
    ]


def run_native(rounds: int, fence: str) -> str:
    make("native")
    parts = min(PROCESSES, rounds)
    runs = []
    method = [str(NATIVE_METHOD), "--records", *short_method("native", fence)]
    options = ["--fence", fence] if fence else []
    with Progress("native") as progress:
        judged = run_program(method, progress)
        with lttng.recording() as environment:
            for part in range(parts):
                share = (rounds + part) // parts
                command = [str(NATIVE), "--progress", "--rounds", str(share), "--seed", str(part + 1)]
                command += options
                runs.append(run_program(command, progress, part, parts, environment))
        bulk = run_program([str(NATIVE_BULK), "--repeat", str(min(rounds, MOST_TOGGLES))], progress)
        return raw.join_runs(runs) + judged + bulk


class GuestOutput:
    """Keeps what the guest prints; its progress lines go to the terminal."""

    def __init__(self, progress: Progress, part: int = 0, parts: int = 1) -> None:
        self._progress = progress
        self._part, self._parts = part, parts
        self._kept: list[bytes] = []
        self._partial = b""

    def write(self, data: bytes) -> None:
        *whole, self._partial = (self._partial + data).split(b"\n")
        for line in whole:
            if numbers := told_progress(line.decode(errors="replace")):
                self._progress.show(self._part * numbers[1] + numbers[0], self._parts * numbers[1])
            else:
                self._kept.append(line)

    def flush(self) -> None:
        """Lines are passed on as they come."""

    def text(self) -> str:
        return b"\n".join([*self._kept, self._partial]).decode(errors="replace")


def told_by(env: str, outcome: guest.Outcome, output: GuestOutput, script: str = GUEST_SCRIPT.name) -> str:
    """What a guest printed, if all went well."""
    if outcome.trouble:
        raise Failure(f"{env}: {outcome.trouble}\n{outcome.excerpt}")
    if outcome.status:
        raise Failure(f"{env}: {script} ended with {outcome.status}:\n{output.text()[-2000:]}")
    return output.text()


def run_guest(words: list[str], files: tuple[tuple[Path, str], ...] = ()) -> str:
    """What GUEST_SCRIPT prints, told WORDS; `files` are there besides the modules."""
    make("modules")
    make(ATTACH_BPF)
    stock = kernel.stock()
    modules = tuple((cache.TOP / path, "/" + Path(path).name) for path in (*MODULES, ATTACH_BPF))
    command, script = guest.script_command([str(GUEST_SCRIPT), *words])
    wanted = guest.Guest(command, files=(*modules, *script, *files), icount=True, timeout_s=GUEST_TIMEOUT_S)
    with Progress("vm") as progress:
        output = GuestOutput(progress)
        outcome = guest.run(wanted, stock, output)
    return told_by("vm", outcome, output)


def guest_words(env: str, rounds: int, fence: str, parameters: list[str]) -> list[str]:
    """For GUEST_SCRIPT, the fence's judgement included."""
    more = [*parameters, *([f"fence={fence}"] if fence else [])]
    return [str(rounds), "1", *more, "--", *short_method(env, fence)]


def run_vm(rounds: int, fence: str) -> str:
    files = ((GUEST_TOGGLES, "/toggle.sh"), (GUEST_METHOD, "/method.sh"))
    return run_guest(guest_words("vm", rounds, fence, []), files)


def run_uml(rounds: int, fence: str) -> str:
    built = uml.build_modules()
    files = tuple((built / module, "/" + Path(module).name) for module in UML_MODULES)
    parts = min(BOOTS, rounds)
    runs = []
    with Progress("uml") as progress:
        for part in range(parts):
            share = (rounds + part) // parts
            parameters = [*UML_PARAMETERS, f"seed={part + 1}"]
            command, script = guest.script_command(
                [str(GUEST_SCRIPT), *guest_words("uml", share, fence, parameters)]
            )
            output = GuestOutput(progress, part, parts)
            outcome = uml.run(
                command, (*files, *script, (GUEST_METHOD, "/method.sh")), output, GUEST_TIMEOUT_S
            )
            runs.append(told_by("uml", outcome, output))
    return raw.join_runs(runs)


RUNNERS = {"native": run_native, "vm": run_vm, "uml": run_uml}


def host_facts(envs: list[str]) -> dict[str, str]:
    facts = machine.host()
    if "vm" in envs:
        version = subprocess.check_output([guest.QEMU, "--version"], text=True)
        facts["emulator"] = version.splitlines()[0] + ", TCG, icount shift=0"
        facts["kvm"] = kvm.verdict(kernel.stock())
    return facts


def measure(env: str, rounds: int | None, fence: str = "") -> str:
    """The raw text of one environment, labelled with its name."""
    output = RUNNERS[env](rounds or ROUNDS[env], fence)
    found = raw.parse(output, env)
    if len(found) != 1 or found[0].env != env:
        raise Failure(f"{env}: the raw data says it is of {', '.join(one.env for one in found)}")
    return output if output.endswith("\n") else output + "\n"


def add_every_row(report: reports.Report, documents: list[raw.Raw]) -> dict[str, str]:
    """What belongs to the rows of the thread besides the cases: into the report,
    and as files."""
    from kmark import disassemble, plots, size, thread_rows

    with Progress("size and disassembly") as progress:
        sizes = size.load(list(size.ENVS))
        progress.show(1, 2)
        code = [one for env in size.ENVS for one in disassemble.load(env)]
    drawn = plots.count(report, samples.of(documents))
    report["rows"] = thread_rows.table(report, sizes, code, drawn)
    reports.check(report, "the new report")
    return {
        "size.txt": "\n".join(size.lines(sizes)) + "\n",
        "disassembly.txt": "\n".join(disassemble.lines(code)) + "\n",
    }


def bench(
    envs: list[str], rounds: int | None, results: Path, fence: str = "", every: bool = False
) -> tuple[Path, reports.Report]:
    """Measures, then files the report, in all its forms, and raw.tsv in a new folder.
    `every`: with all that belongs to the rows of the thread."""
    host = host_facts(envs)
    output = "".join(measure(env, rounds, fence) for env in envs)
    now = time.localtime()
    documents = raw.parse(output, "raw data")
    report = reports.build(documents, host, time.strftime("%Y-%m-%dT%H:%M:%S%z", now))
    files = add_every_row(report, documents) if every else {}
    files |= {"report.txt": text.render(report), "report.json": reports.dump(report), "raw.tsv": output}
    files |= pages.files(report, samples.of(documents))
    return file_results(files, results, time.strftime("%Y%m%d-%H%M%S", now)), report


def dropped_note(report: reports.Report) -> str:
    """A line about samples that the chains threw out, if they were many."""
    cases = [case for case in report["cases"] if case["env"] == "native"]
    dropped, taken = sum(case["dropped"] for case in cases), sum(case["samples"] for case in cases)
    if not taken or dropped / taken < DROPPED_NOTE:
        return ""
    return f"native: {100 * dropped // taken} % of the samples were disturbed; the machine is not quiet"


def file_results(files: dict[str, str], results: Path, stamp: str) -> Path:
    """A folder appears with all its files or not at all; then `latest` moves."""
    try:
        results.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(dir=results, prefix=".new."))
        try:
            work.chmod(0o755)
            for name, content in files.items():
                (work / name).parent.mkdir(exist_ok=True)
                (work / name).write_text(content)
            folder = results / stamp
            os.rename(work, folder)
            link = results / f".latest.{os.getpid()}"
            link.symlink_to(stamp)
            os.replace(link, results / "latest")
        finally:
            with suppress(FileNotFoundError):
                shutil.rmtree(work)
    except OSError as problem:
        raise Failure(f"{results}: {problem}") from None
    return folder
