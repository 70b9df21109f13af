# SPDX-License-Identifier: GPL-2.0-only
"""Carries out, in a guest that has the root of this machine, what the pages have a reader do with
trace-cmd, perf, bpftrace, babeltrace2 and tools/kmark on a kernel with markers.ko, while the
markers that the pages name are passed all the time."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pages
import try_in_guest
from kmark import cli
from pages import TOP, Block

TOOLS = {"babeltrace2", "bpftrace", "perf", "trace-cmd"}
LIVE = {"record run", "record snapshot", "record sessions", "record export", "stat", "hist", "watch"}
# Readers: their output must name a marker of the page, since they always print something.
READERS = re.compile(
    r"(perf (script|list|stat)|trace-cmd report|bpftrace|babeltrace2|tools/kmark (stat|hist))\b"
)
NAMES = re.compile(r"(?m)\b(io|net|subsys)_\w+|\bhello\b|: again$|@\[sda\]|bucket")
PROLOGUE = """
top=%s
M=/sys/kernel/debug/markers
mount -t tmpfs run /host/run
mount -t tmpfs tmp /host/tmp
ln -s $top/tools /host/run/tools
mount -t cgroup2 none /host/sys/fs/cgroup
mkdir -p /host/sys/fs/cgroup/system.slice/ssh.service
for module in markers marker_gates marker_test doc_sites hello io; do
	insmod /$module.ko || exit
done
(while :; do
	echo 1 >/sys/module/doc_sites/parameters/fire
	echo 1 >/sys/kernel/debug/marker_test/fire
	echo 3 >/sys/module/io/parameters/request
	printf again >/sys/module/hello/parameters/say
	usleep 200000
done) &
firing=$!
host() {
	chroot /host /usr/bin/env HOME=%s PERF_BUILDID_DIR=/run PAGER=cat PATH=/usr/sbin:/usr/bin:/sbin:/bin \\
		/bin/sh -c "cd /run; $1"
}
run() {
	echo "@@ $1"
	host "$2" 2>&1
	echo "@= $?"
}
"""


def with_tools(line: str) -> str:
    """Return the line to run with tools in place of a command line, or "": shorter, and with a command to
    wait for where it has no end."""
    words = pages.simple_commands(line)[0]
    # Snapshots depend on what was connected before.
    connects = {"connect", "disconnect"} & set(words[1:2]) and {"ctf", "snapshot"} & set(words)
    is_live = words[0] == "tools/kmark" and bool(cli.find(words[1:])[0] in LIVE or connects)
    if (words[0] not in TOOLS and not is_live) or "--stream" in words:  # needs another machine
        return ""
    text = re.sub(r"\bsleep \d+", "sleep 1", re.sub(r"\s+#.*$", "", line))
    # A trace needs a folder of its own.
    before = f"rm -rf {words[words.index('-o') + 1]}; " if "-o" in words else ""
    if (
        is_live
        and cli.find(words[1:])[0] in ("record run", "stat", "watch")
        and not {"--flight", "sleep"} & set(words)
    ):
        text += " -- sleep 1"
    if words[:2] == ["bpftrace", "-e"]:
        text += " -c '/bin/sleep 3'"
    return before + text


def results(blocks: list[Block], work: Path) -> Iterator[tuple[str, list[str]]]:
    """One boot; a test for each page."""
    lines = [
        (block.page, number, line, text)
        for block in blocks if block.is_shell
        for number, line in pages.commands(block) if (text := with_tools(line))
    ]  # fmt: skip
    script = PROLOGUE % (shlex.quote(str(TOP)), shlex.quote(str(Path.home())))
    for page in dict.fromkeys(page for page, *_ in lines):
        # A file in debugfs has no size; where nothing is connected, it is refused.
        script += 'echo "disconnect *" >$M/control 2>/dev/null\n'
        # The probes that the page loads, and no others.
        script += "for module in /sys/module/probe_*; do rmmod ${module##*/}; done 2>/dev/null\n"
        text = "".join(block.text for block in blocks if block.page == page)
        for module in dict.fromkeys(re.findall(r"insmod \S*?(probe_\w+\.ko)", text)):
            script += f"insmod /{module}\n"
        script += "".join(
            f"run {name}:{number} {shlex.quote(text)}\n" for name, number, _, text in lines if name == page
        )
    shown: dict[str, list[str]] = {}
    for block in blocks:
        if block.is_transcript:
            for number, expected in try_in_guest.expected_output(block).items():
                shown[f"{block.page}:{number}"] = expected
    (work / "tools.sh").write_text(script + "kill $firing\n")
    sites = try_in_guest.build_sites(work)
    examples = [work / f"{name}/{name}.ko" for name in ("hello", "io")]
    adds = [word for path in [*try_in_guest.modules(), sites, *examples]
            for word in ("--add", str(path))]  # fmt: skip
    ran_guest = subprocess.run(
        [TOP / "tools/kmark", "dev", "vm", "--host-root", "--smp", "2", "--timeout", "900s", *adds,
         "--", work / "tools.sh"],
        check=False, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    found = re.findall(r"^@@ (.*)\n((?:(?!@=).*\n)*)@= (\d+)$", ran_guest.stdout, re.MULTILINE)
    ran = {place: (printed, status) for place, printed, status in found}
    wrong: dict[str, list[str]] = {page: [] for page, *_ in lines}
    for page, number, line, _ in lines:
        printed, status = ran.get(f"{page}:{number}", ("it was not carried out", "-"))
        if status != "0" or (READERS.match(line) and not NAMES.search(printed)):
            wrong[page].append(f"{page}:{number}: {line}: status {status}: {printed.strip()[-300:]}")
        elif not try_in_guest.occur(shown.get(f"{page}:{number}", []), printed.split("\n")):
            wrong[page].append(f"{page}:{number}: {line}: other output: {printed.strip()[-500:]}")
    for page, problems in wrong.items():
        yield f"{page}: {sum(name == page for name, *_ in lines)} commands with tools, in a guest", problems
    yield (
        "the guest with tools ends well",
        [f"status {ran_guest.returncode}"] if ran_guest.returncode else [],
    )
