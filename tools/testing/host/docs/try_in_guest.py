# SPDX-License-Identifier: GPL-2.0-only
"""Carries out, in a guest, what the pages have a reader do on a kernel with markers.ko:
commands of the shell on debugfs, tracefs and modules; of tools/kmark, which needs Python,
the connections that it makes. A page's commands run in order, on a fresh markers.ko."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pages
from pages import TOP, Block

DEBUGFS = "/sys/kernel/debug/markers"
EXAMPLES = ("hello", "io", "marked", "probe_last")
# The markers that the pages connect, with arguments as the pages have them.
SITES = """// SPDX-License-Identifier: GPL-2.0-only
#define MARK_SYSTEM net

#include <linux/module.h>
#include "marker.h"

static noinline void run_net(void)
{
	MARK(net_xmit, "len=%u dev=%s", 1500U, "eth0");
}

/* The system of markers beside tracepoints in a kernel tree. */
#undef MARK_SYSTEM
#define MARK_SYSTEM markers

static noinline void run_sites(void)
{
	MARK(sched_switch, "%d", 1);
	MARK(sys_enter, "%d", 1);
	run_net();
}

static int fire(const char *text, const struct kernel_param *param)
{
	run_sites();
	return 0;
}

static const struct kernel_param_ops fire_ops = { .set = fire };
module_param_cb(fire, &fire_ops, NULL, 0200);

static int __init sites_init(void)
{
	run_sites();
	return 0;
}

static void __exit sites_exit(void)
{
}

module_init(sites_init);
module_exit(sites_exit);
MODULE_LICENSE("GPL");
"""
# Modules lie in /. One that is there already is not loaded again.
PROLOGUE = """
M=%s
E=/sys/kernel/tracing/events
insmod() {
	file=${1##*/}
	name=${file%%.ko}
	shift
	[ -d /sys/module/$name ] || command insmod "/$file" "$@"
}
unload_all() {
	cd /
	[ ! -e $M/control ] || echo "disconnect *" >$M/control
	# An event that is enabled holds its module.
	for system in markers hello io marked net marker_test; do
		[ ! -e $E/$system/enable ] || echo 0 >$E/$system/enable
	done
	for file in $E/io/*/trigger; do
		sed 's/ \\[.*//; /^#/d; s/^/!/' "$file" | while read -r trigger; do
			echo "$trigger" >"$file"
		done
	done 2>/dev/null
	# A module of probes is busy until its connections have gone.
	for try in 1 2 3 4 5 6 7 8 9 10; do
		modules=$(cut -d ' ' -f 1 /proc/modules | grep -E '^(marker|probe_|doc_sites)')
		[ "$modules" ] || return 0
		for module in $modules; do
			rmmod $module 2>/dev/null
		done
		[ $try -lt 3 ] || sleep 1
	done
	echo "still loaded: $modules"
	return 1
}
all_probes() {
	insmod markers.ko && insmod marker_gates.ko && insmod marker_test.ko
	for file in /probe_*.ko; do
		case $file in
		# probe_last is a reader's. 6.1 warns where a module that sets a kprobe in its own
		# text, as probe_kprobed does, is loaded again at the same place at once.
		/probe_last.ko | /probe_kprobed.ko) ;;
		*) insmod "$file" || return ;;
		esac
	done
}
run() {
	echo "@@ $1"
	eval "$2" 2>&1
	echo "@= $?"
}
"""


def in_guest(line: str) -> str:
    """Return the line to run in the guest in place of a command line; "" for commands of other machines."""
    try:
        simple = pages.simple_commands(line)
    except ValueError:
        return ""
    words = simple[0]
    if "<<" in line:
        return ""
    if words[0] == "tools/kmark":
        return with_kmark(words)
    if words[0] in ("insmod", "rmmod", "dmesg"):
        return line
    text = re.sub(r"\t+#.*$", "", line)
    reads = words[0] in ("cat", "cut", "awk", "echo", "cd")
    if reads and re.search(
        r"/sys/|/tmp/|\b(control|markers|sites|probes|results|stats|verify|filter|trigger)\b", text
    ):
        return text.rstrip()
    return ""


def with_kmark(words: list[str]) -> str:
    """Return the writes of a tools/kmark command, as a line of the shell."""
    if words[1] == "record" and "--flight" in words:
        return flight_recorder(words)
    return ";".join(f"echo {shlex.quote(text)} > $M/control" for text in connections(words[1:]))


def connections(words: list[str]) -> list[str]:
    """The commands that tools/kmark writes to control."""
    words = words[: words.index("--")] if "--" in words else words
    verb, rest = words[0], words[1:]
    if verb in ("connect", "disconnect"):
        return [" ".join([verb, *rest])]
    if verb in ("hist", "stat"):
        return [f"connect {rest[at + 1]}" for at, word in enumerate(rest) if word == "-c"]
    return []


def flight_recorder(words: list[str]) -> str:
    """Return the writes of `tools/kmark record --flight`, as a line of the shell."""
    name = words[words.index("--session") + 1] if "--session" in words else ""
    folder = f"$M/ctf/instances/{name}" if name else "$M/ctf"
    lines = [f"echo create {name} > $M/ctf/sessions"] if name else []
    lines.append(f"echo mode=overwrite > {folder}/control")
    connect = f"connect {words[-1]} ctf" + (f" session={name}" if name else "")
    return "; ".join([*lines, f"echo {shlex.quote(connect)} > $M/control"])


def expected_output(block: Block) -> dict[int, list[str]]:
    """Return the output of each command in a transcript."""
    found: dict[int, list[str]] = {}
    for number, line in enumerate(block.lines, block.number):
        if line.startswith("# "):
            found[number] = []
        elif found:
            found[max(found)].append(line)
    return found


def matches(expected: list[str], printed: list[str]) -> bool:
    """True if the lines are those; a line "..." stands for any, "..." in one for any text."""
    pattern = ""
    for line in filter(str.strip, expected):
        if line.strip() == "...":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += r"\s*" + re.escape(line.strip()).replace(r"\.\.\.", ".*") + r"\s*\n"
    return bool(re.fullmatch(pattern, "".join(f"{line}\n" for line in printed if line.strip())))


def occur(expected: list[str], printed: list[str]) -> bool:
    """True if each line of the page is among those that were printed; numbers and blanks may differ."""

    def plain(line: str) -> str:
        return re.sub(r"\s+", " ", re.sub(r"\d+", "0", line)).strip()

    return {plain(line) for line in expected} <= {plain(line) for line in printed}


def build_sites(work: Path) -> Path:
    """The module of SITES, built as a reader would."""
    release = subprocess.check_output([TOP / "tools/vm/kernel-version"], text=True).strip()
    sites = work / "doc_sites"
    if not sites.exists():
        sites.mkdir()
        (sites / "main.c").write_text(SITES)
        kbuild = (TOP / "Documentation/examples/marked/Kbuild").read_text()
        (sites / "Kbuild").write_text(kbuild.replace("marked", "doc_sites"))
        build(release, sites)
    return sites / "doc_sites.ko"


def build(release: str, folder: Path) -> None:
    """Build a module. CalledProcessError, with the output of make, if it fails."""
    subprocess.run(
        ["make", "-C", f"/lib/modules/{release}/build", f"M={folder}", f"MARKERS={TOP}/markers",
         f"KBUILD_EXTRA_SYMBOLS={TOP}/Module.symvers", "modules"],
        check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip


def modules() -> list[Path]:
    """Return the modules of this tree that the pages load."""
    listed = subprocess.check_output(["make", "-s", "list-modules"], text=True, cwd=TOP).split()
    wanted = re.compile(r"/(markers|marker_gates|marker_test|marker_bench|probe_\w+)\.ko")
    return [TOP / path for path in listed if wanted.search(path)]


class Guest:
    """One boot; results() has a test for each page."""

    def __init__(self, blocks: list[Block], excepted: Callable[[str, str], bool], work: Path) -> None:
        self.blocks = [block for block in blocks if block.is_shell]
        self.excepted = excepted
        self.work = work
        self.expected: dict[str, list[str]] = {}
        self.script = PROLOGUE % DEBUGFS
        self.pages: dict[str, int] = {}
        for page in dict.fromkeys(block.page for block in self.blocks):
            self.add_page(page)

    def add_page(self, page: str) -> None:
        lines = [
            (block, number, translated)
            for block in self.blocks if block.page == page
            for number, line in pages.commands(block)
            if (translated := in_guest(line)) and not self.excepted("guest", line)
        ]  # fmt: skip
        if not lines:
            return
        modules = ("doc_sites", "io", "marker_gates", "marker_test")
        loads = " && ".join(f"insmod {module}.ko" for module in modules)
        self.script += f"run {page}:0 'unload_all && {loads}'\n"
        if not any("insmod" in line and "markers.ko" in line for _, _, line in lines):
            self.script += f"run {page}:0 all_probes\n"
        for block, number, line in lines:
            place = f"{page}:{number}"
            self.script += f"run {place} {shlex.quote(line)}\n"
            if block.is_transcript:
                self.expected[place] = expected_output(block).get(number, [])
        self.pages[page] = len(lines)

    def build(self) -> list[Path]:
        """Our module of sites and the examples, built as a reader would."""
        release = subprocess.check_output([TOP / "tools/vm/kernel-version"], text=True).strip()
        for name in EXAMPLES:
            (self.work / name).mkdir()
            for file in (TOP / "Documentation/examples" / name).glob("[!.]*"):
                if file.suffix == ".c" or file.name == "Kbuild":
                    (self.work / name / file.name).write_bytes(file.read_bytes())
            build(release, self.work / name)
        built = [self.work / name / f"{name}.ko" for name in EXAMPLES]
        return [build_sites(self.work), *built]

    def output(self) -> str:
        script = self.work / "try.sh"
        script.write_text(self.script)
        adds = [word for path in [*modules(), *self.build()] for word in ("--add", str(path))]
        ended = subprocess.run(
            [TOP / "tools/kmark", "dev", "vm", "--smp", "2", *adds, "--", script],
            check=False, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        return f"{ended.stdout}\n@@ guest\n@= {ended.returncode}\n"

    def results(self) -> Iterator[tuple[str, list[str]]]:
        wrong: dict[str, list[str]] = {page: [] for page in self.pages}
        seen = 0
        ran = re.findall(r"^@@ (.*)\n((?:(?!@=).*\n)*)@= (\d+)$", self.output(), re.MULTILINE)
        for place, printed, status in ran[:-1]:
            page = place.rpartition(":")[0]
            seen += not place.endswith(":0")
            if place in self.expected:
                if not matches(self.expected[place], printed.split("\n")[:-1]):
                    wrong[page].append(f"{place}: other output: {printed.strip()[-500:]}")
            elif status != "0":
                wrong[page].append(f"{place}: status {status}: {printed.strip()[-300:]}")
        for page, count in self.pages.items():
            yield f"{page}: {count} commands in a guest", wrong[page]
        lost = [] if seen == sum(self.pages.values()) else [f"{seen} of {sum(self.pages.values())} ran"]
        if ran[-1][2] != "0":
            lost.append(f"status {ran[-1][2]}")
        yield "the guest ends well, and each command was carried out", lost
