# SPDX-License-Identifier: GPL-2.0-only
"""each_patch.py VERSION FOLDER [SET|GROUP...]: whether each patch of a series builds, under
each set of options, compiler and architecture, or these only, and leaves alone what it
should. Groups are gcc, clang and architectures. Prints TAP; FOLDER is empty. PATCHES, if it is set, names
the sets of patches, which are applied without the others.

After each patch all objects that the series has touched so far are compiled; the
kernel is linked after each for the options of patches/config/small, and for the
others when all are applied. A warning is a failure. Without CONFIG_MARKERS the
text of objects that have markers is compared with that before the series."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.relocation import RelocationSection
from kmark import cache
from kmark.binary import objects
from kmark.errors import Failure
from kmark.kernel import patchset, tree
from kmark.kernel.version import table

# Options that only the guest needs, and would be two thirds of the compiled files.
LEFT_OUT = {"9P_FS", "ACPI", "EXT4_FS", "HYPERVISOR_GUEST", "INET", "NETWORK_FILESYSTEMS"}
LEFT_OUT |= {"NET_9P", "NET_9P_VIRTIO", "PCI", "PVH", "VIRTIO_BLK", "VIRTIO_MENU", "VIRTIO_PCI"}
# Options of code that markers only stand in or beside, and would be a third of the rest. With EXPERT, a
# kernel has nothing that it does not name.
NOT_BARE = {"ADVISE_SYSCALLS", "BINFMT_ELF", "BINFMT_SCRIPT", "BLK_DEV", "BLK_DEV_INITRD", "BLK_DEV_LOOP"}
NOT_BARE |= {"BLOCK", "DEVTMPFS", "EPOLL", "EVENTFD", "FILE_LOCKING", "FUTEX", "MEMBARRIER", "MULTIUSER"}
NOT_BARE |= {"NET", "POSIX_TIMERS", "SERIAL_8250", "SERIAL_8250_CONSOLE", "SHMEM", "SIGNALFD", "TIMERFD"}
NOT_BARE |= {"BPF_SYSCALL", "TMPFS", "TTY", "UNIX"}


@dataclass(frozen=True)
class Options:
    """Options of one kernel."""

    off: tuple[str, ...] = ()  # options of patches/config/small that are off
    on: tuple[str, ...] = ()  # options that are on besides
    shows: tuple[str, ...] = ()  # one of them has to be on: their names differ between versions
    bare: bool = True  # without NOT_BARE
    arch: str = tree.X86
    words: tuple[str, ...] = ()  # for make: the compiler

    @property
    def fragments(self) -> tuple[Path, ...]:
        return tree.FRAGMENTS.get(self.arch, tree.FRAGMENTS[tree.X86])


RISCV = "riscv"
MITIGATIONS = (
    "SPECULATION_MITIGATIONS",
    "CPU_MITIGATIONS",
    "RETPOLINE",
    "MITIGATION_RETPOLINE",
    "RETHUNK",
    "MITIGATION_RETHUNK",
)
SETS = {
    "small": Options(bare=False),
    "MODULES off": Options(off=("MODULES",)),
    "SMP off": Options(off=("SMP",)),
    "JUMP_LABEL off": Options(off=("JUMP_LABEL",)),
    "KPROBES off": Options(off=("KPROBES",)),
    "MARKERS off": Options(off=("MARKERS",)),
    "debug events": Options(on=("DYNAMIC_DEBUG", "DYNAMIC_DEBUG_EVENTS")),
    "debug events, clang": Options(on=("DYNAMIC_DEBUG", "DYNAMIC_DEBUG_EVENTS"), words=(tree.LLVM,)),
    "PREEMPT_RT": Options(off=("PREEMPT",), on=("PREEMPT_RT",), shows=("PREEMPT_RT",)),
    "return thunks": Options(on=MITIGATIONS, shows=("RETHUNK", "MITIGATION_RETHUNK")),
    "clang, kCFI, IBT": Options(
        on=("CFI_CLANG", "CFI", "X86_KERNEL_IBT"), shows=("CFI_CLANG", "CFI"), words=(tree.LLVM,)
    ),
    "clang, LTO": Options(on=("LTO_CLANG_THIN",), shows=("LTO_CLANG_THIN",), words=(tree.LLVM,)),
    "arm64": Options(arch=tree.ARM64, words=(f"CROSS_COMPILE={tree.CROSS}",)),
    # Where binutils 2.40 links a relocatable kernel, the kernel's check of it complains, of one without
    # the series as well.
    "riscv64": Options(
        off=("PERF_EVENTS", "RANDOMIZE_BASE", "RELOCATABLE"),
        on=("MMU", "ARCH_RV64I"),
        arch=RISCV,
        words=("CROSS_COMPILE=riscv64-linux-gnu-",),
    ),
    "UML": Options(bare=False, arch=tree.UML),
}
EVERYTHING = "allmodconfig"
GROUPS = {
    "gcc": [name for name, one in SETS.items() if one.arch == tree.X86 and tree.LLVM not in one.words]
    + [EVERYTHING],
    "clang": [name for name, one in SETS.items() if tree.LLVM in one.words],
    "architectures": [name for name, one in SETS.items() if one.arch != tree.X86],
}
# The option without which no kernel of a version can have a set.
SUPPORT = {"PREEMPT_RT": "ARCH_SUPPORTS_RT"}
# Files that a kernel without the option does not compile.
ONLY_WITH = {
    "arch/x86/kernel/kprobes/opt.c": "OPTPROBES",
    "block/blk-mq.c": "BLOCK",
    "kernel/entry/common.c": "GENERIC_ENTRY",
    "kernel/entry/syscall-common.c": "GENERIC_ENTRY",
    "kernel/jump_label.c": "JUMP_LABEL",
    "kernel/kprobes.c": "KPROBES",
    "kernel/module/main.c": "MODULES",
    "kernel/static_call_inline.c": "HAVE_STATIC_CALL_INLINE",
    "kernel/trace/bpf_trace.c": "BPF_EVENTS",
    "kernel/static_batch_kunit.c": "STATIC_BATCH_KUNIT_TEST",
    "kernel/trace/trace_dyndbg.c": "DYNAMIC_DEBUG_EVENTS",
    "kernel/trace/trace_events_mark.c": "MARKERS",
    "kernel/trace/trace_events_mark_kunit.c": "",  # a part of the file above
    "lib/dynamic_debug.c": "DYNAMIC_DEBUG_CORE",
    "lib/test_dynamic_debug_events.c": "TEST_DYNAMIC_DEBUG_EVENTS",
    "net/core/dev.c": "NET",
}
FOLDERS = {"samples/markers/": "SAMPLE_MARKERS"}
# Objects whose text is the same without CONFIG_MARKERS as without the series.
SAME = ["kernel/softirq.o", "kernel/irq/handle.o", "kernel/entry/common.o"]
SAME += ["kernel/entry/syscall-common.o"]  # from 7.2 on
SAME += ["arch/x86/mm/fault.o", "kernel/sched/core.o", "kernel/fork.o"]
NEW = re.compile(r"^\+\+\+ b/(.*)$", re.MULTILINE)
COMPLAINT = re.compile(r"\b(warning|WARNING|error|ERROR): |: undefined reference|\*\*\*")
# Said of User-Mode Linux without the series as well.
EXPECTED = re.compile(r"has a LOAD segment with RWX permissions|missing \.note\.GNU-stack section")
# By the version and a word for make, what is not about the series. Built by clang, Linux 6.1 has without
# it as well a preempt_schedule_notrace_thunk() that objtool takes for a function that does not return;
# it names the first call. With LTO, a script of 7.2 and later may be unable to open the pipe of make's job
# server again.
JOB_SERVER = re.compile("WARNING: Unable to reopen jobserver read-side pipe: ")
EXPECTED_WITH = {
    ("6.1", tree.LLVM): re.compile(
        r"objtool: do_(one_initcall|pre_smp_initcalls)\+0x[0-9a-f]+: unreachable instruction"
    ),
}
VERSIONS = list(table())
EXPECTED_WITH |= {(name, tree.LLVM): JOB_SERVER for name in VERSIONS[VERSIONS.index("7.2") :]}
COMPILED = re.compile(r"^  (CC|AS)( \[M\])? +(.*)$", re.MULTILINE)
EXECUTABLE = 4  # SHF_EXECINSTR


class Tap:
    """Numbers the results as they come."""

    def __init__(self) -> None:
        self.count = self.failed = 0

    def check(self, what: str, problem: str) -> None:
        self.count += 1
        self.failed += bool(problem)
        print(f"{'not ok' if problem else 'ok'} {self.count} - {what}", flush=True)
        for line in problem.splitlines():
            print(f"# {line}", flush=True)


@dataclass
class Build:
    """One set of options, built beside the source."""

    name: str
    source: Path
    folder: Path

    @property
    def kind(self) -> Options:
        return SETS.get(self.name, Options())

    def make(self, *words: str, env: dict[str, str] | None = None) -> tuple[int, str]:
        """Exit status and what was said."""
        jobs = f"-j{len(os.sched_getaffinity(0))}"
        done = subprocess.run(
            ["make", jobs, f"O={self.folder}", f"ARCH={self.kind.arch}", *self.kind.words, *words],
            cwd=self.source,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
            env={**os.environ, **(env or {})},
        )
        return done.returncode, done.stdout

    def options(self) -> set[str]:
        """Return the options that are y or m."""
        lines = (self.folder / ".config").read_text().splitlines()
        return {
            line[7:].partition("=")[0]
            for line in lines
            if line.startswith("CONFIG_") and line[-2:] in ("=y", "=m")
        }

    def configure(self) -> str:
        """Configure the kernel; returns the error, or ""."""
        self.folder.mkdir(exist_ok=True)
        if self.name == EVERYTHING:
            return "" if self.make(EVERYTHING)[0] == 0 else "allmodconfig fails"
        wanted = self.folder / "wanted"
        lines = "".join(path.read_text() for path in self.kind.fragments).splitlines()
        left_out = LEFT_OUT | set(self.kind.off) | (NOT_BARE if self.kind.bare else set())
        kept = [line for line in lines if line.partition("=")[0][7:] not in left_out]
        kept += [f"CONFIG_{name}=y" for name in self.kind.on + ("EXPERT",) * self.kind.bare]
        wanted.write_text("\n".join(kept) + "\n")
        status, said = self.make("allnoconfig", env={"KCONFIG_ALLCONFIG": str(wanted)})
        if status:
            return said[-2000:]
        have, off = self.options(), set(self.kind.off)
        known = (self.source / "kernel/trace/trace_events_mark.c").exists()
        wrong = {"MARKERS"} - have - off if known else set()
        wrong |= have & off
        if self.kind.shows and not have & set(self.kind.shows):
            wrong |= set(self.kind.shows)
        return f"{' '.join(sorted(wrong))}: not as wanted" if wrong else ""

    def targets(self, changed: set[str]) -> list[str]:
        """The objects of the changed files that this kernel has."""
        have = self.options()
        there = [
            path
            for path in sorted(changed)
            if path.endswith((".c", ".S")) and (self.source / path).exists()
        ]
        own = f"arch/{self.kind.arch}/"
        here = [path for path in there if path.startswith(own) or not path.startswith("arch/")]
        alone = [path for path in here if not path.startswith(tuple(FOLDERS))]
        found = [path[:-1] + "o" for path in alone if ONLY_WITH.get(path) in have | {None}]
        folders = [
            path for path, option in FOLDERS.items() if option in have and (self.source / path).exists()
        ]
        return found + folders


def complaint(status: int, said: str, *also_expected: re.Pattern[str]) -> str:
    """Return the lines in which make complained, or ""."""
    expected = (EXPECTED, *also_expected)
    lines = [
        line
        for line in said.splitlines()
        if COMPLAINT.search(line) and not any(one.search(line) for one in expected)
    ]
    return "\n".join(lines[:20]) or (said[-1000:] or "make failed" if status else "")


def text(path: Path) -> dict[str, object]:
    """Return the code of an object, section by section, with its relocations."""
    found: dict[str, object] = {}
    with path.open("rb") as file:
        elf = ELFFile(file)
        for section in elf.iter_sections():
            if isinstance(section, RelocationSection):
                target = elf.get_section(section["sh_info"])
                if target["sh_flags"] & EXECUTABLE:
                    found[section.name] = sorted(objects.relocations(elf, target.name))
            elif section["sh_flags"] & EXECUTABLE:
                found[section.name] = section.data()
    return found


def differences(old: dict[str, object], new: dict[str, object]) -> str:
    return "\n".join(
        f"{name} differs" for name in sorted(old.keys() | new.keys()) if old.get(name) != new.get(name)
    )


class Series:
    """The source, and how far it is patched."""

    def __init__(self, version: str, folder: Path, chosen: list[str], sets: tuple[str, ...] | None) -> None:
        self.recipe = tree.Recipe(version, sets=sets)
        self.folder = folder
        self.source = folder / "linux"
        self.log = folder / "log"
        self.changed: set[str] = set()
        self.options_changed = False  # by the last patch
        self.chosen = chosen
        self.builds = {
            name: Build(name, self.source, folder / re.sub(r"\W+", "-", name))
            for name in [*SETS, EVERYTHING]
        }
        self.tap = Tap()
        self.start = time.monotonic()

    def say(self, what: str) -> None:
        print(f"# {time.monotonic() - self.start:5.0f} s: {what}", file=sys.stderr, flush=True)

    def built(self, name: str, when: str, targets: list[str], what: str) -> None:
        """One test: these targets build without a complaint."""
        self.say(f"{when}, {name}: {what}")
        build = self.builds[name]
        status, said = build.make(*targets)
        compiled = len(COMPILED.findall(said))
        keys = [(self.recipe.version, word) for word in build.kind.words]
        expected = [EXPECTED_WITH[key] for key in keys if key in EXPECTED_WITH]
        self.tap.check(f"{when}, {name}: {what} ({compiled} compiled)", complaint(status, said, *expected))

    def objects(self, name: str, when: str) -> None:
        """The objects build, with the options set anew where a patch has added some."""
        build = self.builds[name]
        configured = (build.folder / ".config").exists() and not self.options_changed
        problem = "" if configured else build.configure()
        if problem:
            self.tap.check(f"{when}, {name}: configured", problem)
            return
        targets = build.targets(self.changed)
        # A single object of arch/um is compiled by two of make's jobs, into one file.
        alone = ["-j1"] if build.kind.arch == tree.UML else []
        self.built(name, when, targets + alone, f"{len(targets)} objects and folders")

    def unpack(self) -> None:
        self.say("unpack")
        tree.unpack(cache.place(f"linux-source-{self.recipe.version}"), self.source, self.log)
        tree.track(self.recipe.patches(), self.source, self.log)
        for name in [name for name in self.chosen if name in SUPPORT]:
            if SUPPORT[name] not in (self.source / f"arch/{SETS[name].arch}/Kconfig").read_text():
                self.chosen.remove(name)
                self.tap.check(f"{name} # SKIP Linux {self.recipe.version} has no {SUPPORT[name]}", "")

    def before(self) -> dict[str, dict[str, object]]:
        """The text of objects of the source as it came."""
        build = self.builds["MARKERS off"]
        same = [path for path in SAME if (self.source / f"{path[:-2]}.c").exists()]
        problem = build.configure()
        if not problem:
            self.say(f"without patches: {' '.join(same)}")
            problem = complaint(*build.make(*same))
        self.tap.check(f"without patches: {len(same)} objects", problem)
        return {} if problem else {path: text(build.folder / path) for path in same}

    def step(self, patch: Path) -> None:
        tree.apply([patch], self.source, self.log)
        changed = set(NEW.findall(patch.read_text()))
        self.options_changed = any("Kconfig" in path for path in changed)
        self.changed |= changed
        when = f"{patch.parent.name} {patch.stem.partition('-')[2]}"
        for name in [name for name in self.chosen if name in SETS]:
            self.objects(name, when)
        if "small" in self.chosen:
            self.built("small", when, ["vmlinux"], "vmlinux")

    def after(self, old: dict[str, dict[str, object]]) -> None:
        for name in [name for name in self.chosen if name not in ("small", EVERYTHING)]:
            have = self.builds[name].options()
            self.built(name, "all", ["vmlinux", *(["modules"] if "MODULES" in have else [])], "vmlinux")
        build = self.builds["MARKERS off"]
        for path, before in old.items():
            size = sum(len(part) for part in before.values() if isinstance(part, bytes))
            what = f"MARKERS off: {path} has the text it had, {size} bytes"
            self.tap.check(what, differences(before, text(build.folder / path)) if size else "no text")
        if EVERYTHING in self.chosen:
            self.objects(EVERYTHING, "all")


def main() -> int:
    version, folder, *words = sys.argv[1:]
    patchset.check(version)
    known = {name: [name] for name in [*SETS, EVERYTHING]} | GROUPS
    if unknown := set(words) - known.keys():
        print(f"no such set: {', '.join(unknown)} ({'; '.join(known)})", file=sys.stderr)
        return 2
    chosen = [name for word in words or GROUPS for name in known[word]]
    sets = tuple(os.environ.get("PATCHES", "").split()) or None
    series = Series(version, Path(folder), chosen, sets)
    try:
        series.unpack()
        old = series.before() if "MARKERS off" in series.chosen else {}
        for patch in series.recipe.patches():
            series.step(patch)
        series.after(old)
    except Failure as failure:
        series.tap.check("the series is applied", str(failure))
    print(f"1..{series.tap.count}")
    return 1 if series.tap.failed else 0


sys.exit(main())
