# SPDX-License-Identifier: GPL-2.0-only
"""Boots a guest that records, oopses and panics, and has QEMU dump its memory, as `virsh dump
--memory-only` would: panic.py DUMP. Prints what the guest says."""

from __future__ import annotations

import json
import socket
import sys
import tempfile
import threading
import time
from pathlib import Path

from kmark import cache
from kmark.guest import vm
from kmark.kernel import package

MODULES = ("markers/markers.ko", "markers/selftest/marker_types.ko", "probes/probe_ctf.ko",
           "markers/selftest/marker_foreign.ko", "markers/selftest/marker_thousand.ko")  # fmt: skip
WAIT_S = 300

# ud2 at the beginning of a function is an oops of whoever calls it; the guest survives that one.
SCRIPT = r"""
for module in markers marker_types probe_ctf marker_foreign marker_thousand; do
	insmod /$module.ko || exit
done
M=/sys/kernel/debug/markers F=/sys/kernel/debug/marker_types
for session in second closed; do echo create $session >$M/ctf/sessions; done
echo "connect types_ints ctf session=closed" >$M/control
echo 10 >$F/fire
echo "disconnect *" >$M/control
echo close >$M/ctf/instances/closed/control
echo size=256K mode=overwrite >$M/ctf/control
echo size=64K mode=overwrite clock=mono >$M/ctf/instances/second/control
echo "connect types_ints ctf; connect types_ints ctf session=second if arg5 < 200" >$M/control
echo "connect thousand_10?? ctf session=second" >$M/control
# This buffer gets events again after the oops, of which the other one has those before.
taskset 1 sh -c "echo 50 >$F/fire"
cat $M/ctf/snapshot >/dev/null
taskset 1 sh -c "echo 1000 >$F/fire"
at=$(awk '$3 == "fire_packets" { print $1; exit }' /proc/kallsyms)
echo "$at 0f0b" >/sys/kernel/debug/marker_foreign/text
(echo 1 >$F/packets) 2>/dev/null
echo "oops: snapshot $(awk '$1 == "snapshot" { print $2 }' $M/ctf/session) by $(
	awk '$1 == "snapshot.by" { print $2 }' $M/ctf/session)"
taskset 2 sh -c "echo 100 >$F/fire; sleep 0.5; echo 200 >$F/fire"
echo c >/proc/sysrq-trigger
"""


def command(monitor: socket.socket, name: str, **arguments: object) -> None:
    """Send a QMP command, and wait for its result."""
    monitor.sendall(json.dumps({"execute": name, "arguments": arguments}).encode())
    answer = b""
    while b'"return"' not in answer and b'"error"' not in answer:
        answer += monitor.recv(65536)
    if b'"error"' in answer:
        raise SystemExit(f"{name}: {answer.decode()}")


def dump_after_panic(log: Path, path: Path, dump: Path) -> None:
    deadline = time.monotonic() + WAIT_S
    while not log.exists() or b"end Kernel panic" not in log.read_bytes():
        if time.monotonic() > deadline:
            return
        time.sleep(0.2)
    with socket.socket(socket.AF_UNIX) as monitor:
        monitor.connect(str(path))
        command(monitor, "qmp_capabilities")
        command(monitor, "dump-guest-memory", paging=False, protocol=f"file:{dump}")
        command(monitor, "quit")


def main() -> None:
    vm.AFTER_SPLAT_S = WAIT_S
    with tempfile.TemporaryDirectory() as folder:
        log, path = Path(folder, "console"), Path(folder, "qmp")
        guest = vm.Guest(
            command=SCRIPT,
            files=tuple((cache.TOP / name, f"/{Path(name).name}") for name in MODULES),
            cpus=2,
            memory_mib=256,
            timeout_s=WAIT_S,
            append="panic=0",
            log=log,
            qemu=("-qmp", f"unix:{path},server=on,wait=off"),
        )
        arguments = (log, path, Path(sys.argv[1]).absolute())
        dumps = threading.Thread(target=dump_after_panic, args=arguments, daemon=True)
        dumps.start()
        outcome = vm.run(guest, package.stock("kernel"), sys.stdout.buffer)
        dumps.join(10)
        print(f"{outcome.status}: {outcome.trouble}")


main()
