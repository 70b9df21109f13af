# SPDX-License-Identifier: GPL-2.0-only
"""Builds and runs the benchmark in its environments, and writes the results."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from kmark import cache, foreign, lock
from kmark import host as machine
from kmark.analysis import raw
from kmark.bench import lttng, native
from kmark.errors import Failure
from kmark.guest import kvm, uml, vm
from kmark.guest.machine import MACHINES
from kmark.guest.output import Output, checked_text
from kmark.kernel import package
from kmark.make import make, make_modules
from kmark.progress import Progress
from kmark.report import html, model, samples, text
from kmark.report import report as reports
from kmark.timing import method

COUNTS_ARM64 = "#fence\tpmccntr:"  # how the raw data says that a tick is an instruction there
ATTACH_BPF = "native/attach_bpf"  # in build/: what the guest's script calls for the variant bpf
MODULES = (
    "markers/markers.ko",
    "markers/selftest/marker_bulk.ko",
    "bench/probes/probe_empty.ko",
    "bench/probes/probe_copy.ko",
    "probes/probe_ctf.ko",
    "bench/gates/marker_gates.ko",
    "bench/marker_bench.ko",
)
GUEST_SCRIPT = cache.TOOLS / "vm/bench.sh"
GUEST_TOGGLES = cache.TOOLS / "vm/toggle.sh"
INSTRUCTIONS, INTERRUPTS = ([str(GUEST_TOGGLES), *what] for what in (("sites", "keys"), ("interrupts",)))
GUEST_TIMEOUT_S = 900
ROUNDS = {"native": native.ROUNDS, "vm": 1, "uml": 40}  # under icount every round is the same
USUAL = ("native", "vm")
HERE = "x86_64"  # one of MACHINES: that of the guests which are not asked to be another
SIZES = {"native": "native", "vm": "kernel"}  # builds with the objects of an environment
BOOTS = 4  # share the rounds of User-Mode Linux, for the same reason
SCALES = {"vm": "0.05", "uml": "1"}  # scale of the loops; more loops hardly say more under icount
VM_PARAMETERS = ["least_loops=500"]  # so that what surrounds a loop adds less than 0.1 to it
UML_MODULES = tuple(module for module in MODULES if "selftest" not in module)
# Short samples, as natively: interrupts of the host cannot be disabled.
UML_PARAMETERS = ("most_loops=1000000",)


def run_native(rounds: int, fence: str) -> str:
    """Returns raw text. Raises Failure if a program fails, as all of these do."""
    make(*(str(program.relative_to(cache.TOP)) for program in native.PROGRAMS))
    return native.measure(rounds, fence, lttng.recording)


def run_guests(
    jobs: list[list[str]], files: tuple[tuple[Path, str], ...] = (), cpu: str = "",
    kernel: Path | None = None, arch: str = HERE, modules: tuple[str, ...] = (), host_root: bool = False,
    cpus: int = 1, memory_mib: int = 512,
) -> list[str]:  # fmt: skip
    """Runs each of `jobs`, a script and its arguments, in a guest of its own under icount, one for each
    CPU at a time, and returns what they print. `files` (of the host, path in the guest) and `modules`
    are there besides MODULES. `cpu`: the model of the guest's; `kernel`: the folder of one that was
    built; None: the distribution's. `arch`: one of MACHINES. The job that counts interrupts has two
    CPUs, on which instructions are not counted."""
    of_guest = MACHINES[arch]
    attach_bpf = Path("build", of_guest.cross, ATTACH_BPF)
    make(str(attach_bpf), *of_guest.make_words)
    if kernel:
        chosen = package.Kernel(kernel)
        built = uml.build_modules_for(kernel)
    else:
        make_modules((*MODULES, *modules), *of_guest.make_words)
        chosen, built = package.stock(of_guest.kernel), of_guest.modules
    places = [(built / path, "/" + Path(path).name) for path in (*MODULES, *modules)]
    places.append((cache.TOP / attach_bpf, "/" + attach_bpf.name))

    def run(part: int) -> str:
        command, script = vm.script_command(jobs[part])
        counted = jobs[part] != INTERRUPTS and cpus == 1
        wanted = vm.Guest(
            command,
            files=(*places, *script, *files),
            icount=counted,
            cpus=1 if counted else max(cpus, 2),
            memory_mib=memory_mib,
            timeout_s=GUEST_TIMEOUT_S,
            cpu=cpu if counted else "",
            arch=arch,
            host_root=host_root,
        )
        output = Output(progress, part, len(jobs))
        outcome = vm.run(wanted, chosen, output)
        return checked_text("vm", outcome, output, Path(jobs[part][0]).name)

    with Progress("vm") as progress, ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(run, range(len(jobs))))


def run_cases(words: list[str], cpu: str) -> str:
    """Returns the raw data of GUEST_SCRIPT alone, in the distribution's kernel for HERE."""
    (output,) = run_guests([[str(GUEST_SCRIPT), *words]], cpu=cpu)
    return output + guest_cpu(cpu, HERE)


def guest_cpu(cpu: str, arch: str) -> str:
    """The model, as raw data has it."""
    return f"#guest_cpu\t{cpu or MACHINES[arch].counted_cpu}\n"


def guest_job(env: str, rounds: int, fence: str, parameters: list[str], is_first: bool) -> list[str]:
    """GUEST_SCRIPT and its arguments; the first of several guests judges the fence for all."""
    series = ["--", *native.short_method(env, fence)] if is_first else []
    more = [*parameters, *([f"fence={fence}"] if fence else []), *series]
    return [str(GUEST_SCRIPT), str(rounds), SCALES[env], *more]


def run_vm(rounds: int, fence: str, cpu: str = "", kernel: Path | None = None, arch: str = HERE) -> str:
    """One guest measures the cases; two more open and close sites and static keys, since instructions are
    counted with one CPU and interrupts need two."""
    cases = guest_job("vm", rounds, fence, VM_PARAMETERS, True)
    files = ((method.GUEST_SCRIPT, "/method.sh"),)
    run, *toggles = run_guests([cases, INSTRUCTIONS, INTERRUPTS], files, cpu, kernel, arch)
    if arch == "arm64" and not run.count(COUNTS_ARM64):
        raise Failure(
            "vm: the guest's CPU has no cycle counter, and ticks of its timer are no instructions"
        )
    return run + "".join(toggles) + guest_cpu(cpu, arch)


def run_uml(rounds: int, fence: str) -> str:
    built = uml.build_modules()
    files = tuple((built / module, "/" + Path(module).name) for module in UML_MODULES)
    parts = min(BOOTS, rounds)
    runs = []
    with Progress("uml") as progress:
        for part in range(parts):
            share = (rounds + part) // parts
            parameters = [*UML_PARAMETERS, f"seed={part + 1}"]
            command, script = vm.script_command(guest_job("uml", share, fence, parameters, not part))
            output = Output(progress, part, parts)
            outcome = uml.run(
                command, (*files, *script, (method.GUEST_SCRIPT, "/method.sh")), output, GUEST_TIMEOUT_S
            )
            runs.append(checked_text("uml", outcome, output, GUEST_SCRIPT.name))
    return raw.join_runs(runs)


RUNNERS: dict[str, Callable[..., str]] = {"native": run_native, "vm": run_vm, "uml": run_uml}


def host_facts(envs: list[str], arch: str) -> dict[str, str]:
    """The machine, and with a guest of `arch` the emulator, for the head of the report."""
    facts = machine.host()
    if "vm" in envs:
        version = subprocess.check_output([MACHINES[arch].qemu, "--version"], text=True)
        facts["emulator"] = foreign.lines(version)[0] + ", TCG, icount shift=0"
        facts["kvm"] = kvm.verdict(package.stock())
    return facts


def measure(
    env: str, rounds: int | None, fence: str = "", cpu: str = "", kernel: Path | None = None,
    arch: str = HERE,
) -> str:  # fmt: skip
    """Return the raw text of one environment. `rounds`: None: its usual number. `cpu`: the model in the
    guest; `kernel`: the folder of the guest's kernel; `arch`: the guest's architecture. Failure if the text
    is of another environment."""
    more = (cpu, kernel, arch) if env == "vm" else ()
    with lock.measuring(env):
        output = RUNNERS[env](rounds or ROUNDS[env], fence, *more)
    found = raw.parse(output, env)
    if len(found) != 1 or found[0].env != env:
        raise Failure(f"{env}: the raw data says it is of {', '.join(one.env for one in found)}")
    return raw.counted(output)


def with_every_row(report: model.Report, documents: list[raw.Raw]) -> tuple[model.Report, dict[str, str]]:
    """Return the report with the rows of the 2006 mails, and the files that they need besides the cases."""
    from kmark.bench import lkml_2006_rows
    from kmark.binary import disassemble, size
    from kmark.report import plots

    with Progress("size and disassembly") as progress:
        sizes = size.load(list(size.ENVS))
        progress.show(1, 2)
        code = [one for env in size.ENVS for one in disassemble.load(env)]
    drawn = plots.count(report, samples.of(documents))
    return replace(report, rows=lkml_2006_rows.table(report, sizes, code, drawn)), {
        "size.txt": "\n".join(size.lines(sizes)) + "\n",
        "disassembly.txt": "\n".join(disassemble.lines(code)) + "\n",
    }


def size_entries(envs: list[str]) -> list[model.SiteSize]:
    """Bytes of a site, by kind of gate, for report.json; of the objects of those environments."""
    from kmark.binary import size

    of_objects = [SIZES[env] for env in envs if env in SIZES]
    return [model.SiteSize(one.env, one.gate, one.hot, one.cold) for one in size.load(of_objects)]


def bench(
    envs: list[str], rounds: int | None, results: Path, fence: str = "", every: bool = False,
    cpu: str = "", kernel: Path | None = None, arch: str = HERE,
) -> tuple[Path, model.Report]:  # fmt: skip
    """Measures in ENVS, then writes the report, in all its forms, and raw.tsv into a new
    folder of `results`; returns the folder and the report. `every`: with all that belongs
    to the rows of the thread. `cpu`: the model in the guest; `kernel`: the folder of the guest's,
    `arch`: its architecture; of modules for another the bytes of sites are not listed."""
    host = host_facts(envs, arch)
    with cache.unfinished(results) as kept:
        output = ""
        for env in envs:
            output += measure(env, rounds, fence, cpu, kernel, arch)
            cache.write_whole(kept, output.encode())
        now = time.localtime()
        documents = raw.parse(output, "raw data")
        report = reports.build(documents, host, time.strftime("%Y-%m-%dT%H:%M:%S%z", now))
        sizes = size_entries([env for env in envs if env != "vm" or (not kernel and arch == HERE)])
        report, files = replace(report, size=sizes), dict[str, str]()
        if every:
            report, files = with_every_row(report, documents)
        files |= {"report.txt": text.render(report), "report.json": reports.dump(report), "raw.tsv": output}
        files[html.FILE] = html.render(report, html.draw(report, samples.of(documents)))
        return cache.write_results(files, results, time.strftime("%Y%m%d-%H%M%S", now)), report
