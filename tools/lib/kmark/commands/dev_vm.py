# SPDX-License-Identifier: GPL-2.0-only
"""kmark dev vm: a script or a command in a guest."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from kmark.commands.common import describe, duration, positive, size, stock_kernel
from kmark.errors import Usage, say

LEAST_MEMORY = 64 << 20  # bytes that a kernel needs to boot


def added_file(text: str) -> tuple[Path, str]:
    """HOST[:GUEST]; a guest path that ends in / is a folder."""
    host, _, inside = text.partition(":")
    inside = inside or "/"
    return Path(host), inside + Path(host).name if inside.endswith("/") else inside


def execute(args: argparse.Namespace) -> int:
    from kmark.guest import vm
    from kmark.guest.machine import MACHINES
    from kmark.kernel import package

    if not args.command:
        raise Usage("dev vm: nothing to run in the guest: give a script or a command after --")
    command, files = vm.script_command(args.command)
    if args.arch not in MACHINES:
        raise Usage(f"dev vm: no guest of {args.arch}: want {' or '.join(MACHINES)}")
    if args.memory < LEAST_MEMORY:
        raise Usage(f"dev vm: --memory {args.memory}: want at least 64M; M stands for MiB, G for GiB")
    if isinstance(args.kernel, str) and args.arch != "x86_64":
        raise Usage(f"dev vm: --kernel {args.kernel} is for x86_64; with --arch give a folder")
    if isinstance(args.kernel, Path):
        chosen = package.Kernel(args.kernel)
    else:
        chosen = package.stock(f"stock-{args.kernel}" if args.kernel else MACHINES[args.arch].kernel)
    wanted = vm.Guest(
        command=command,
        files=(*files, *args.add),
        modules=tuple(args.modules),
        host_root=args.host_root,
        icount=args.icount,
        cpus=args.smp,
        memory_mib=args.memory >> 20,
        accel=args.accel,
        timeout_s=args.timeout,
        append=args.append,
        log=args.log,
        cpu=args.cpu,
        arch=args.arch,
    )
    if wanted.accel in ("auto", "parallel") and not wanted.icount:
        accel, why = vm.choose_accel(wanted, chosen)
        if accel != "kvm":
            say(why)
    outcome = vm.run(wanted, chosen, sys.stdout.buffer)
    if outcome.trouble:
        print(outcome.excerpt, file=sys.stderr)
        say(f"dev vm: {outcome.trouble}")
    return outcome.status


def add_vm(vm: argparse.ArgumentParser) -> None:
    describe(
        vm,
        "Boots Debian's kernel, or that of --kernel, in QEMU with a small initramfs and "
        "runs a script there. "
        "What it prints on stdout and stderr comes out on stdout; its exit status is returned. "
        "124: the guest did not end in time; 125: the guest's kernel logged a splat or crashed; "
        "after the first splat a guest has 10 s to end.",
        "kmark dev vm --smp 2 --add markers/markers.ko -- 'insmod /markers.ko'",
    )
    vm.add_argument("--icount", action="store_true", help="one CPU whose TSC counts instructions")
    vm.add_argument(
        "--cpu", default="", metavar="MODEL",
        help="CPU model of the guest, by QEMU's name: EPYC, Skylake-Client,+invtsc; default: with --icount "
        "always the same, else all that QEMU has",
    )  # fmt: skip
    vm.add_argument(
        "--arch", default="x86_64", metavar="ARCH", help="x86_64 (default) or arm64, which is emulated"
    )
    vm.add_argument("--smp", type=positive, default=1, metavar="N", help="CPUs (default 1)")
    vm.add_argument("--memory", type=size, default=512 << 20, metavar="BYTES", help="(default 512M)")
    vm.add_argument(
        "--timeout",
        type=duration,
        default=120.0,
        metavar="TIME",
        help="end the guest after this time (default 120s)",
    )
    vm.add_argument(
        "--accel", choices=("auto", "parallel", "kvm", "tcg", "tcg-single"), default="auto",
        help="kvm where it works, else TCG with one thread for all CPUs (auto) or for each (parallel); "
        "default: auto",
    )  # fmt: skip
    vm.add_argument(
        "--add", type=added_file, action="append", default=[], metavar="HOST[:GUEST]",
        help="put a file or folder into the guest (default: into /)",
    )  # fmt: skip
    vm.add_argument(
        "--modules", nargs="+", default=[], metavar="NAME",
        help="modules of the kernel to put into the guest, for modprobe",
    )  # fmt: skip
    vm.add_argument(
        "--host-root", action="store_true",
        help="the host's root, read-only, at /host; with --arch arm64 /usr there is Debian's for arm64",
    )  # fmt: skip
    vm.add_argument(
        "--kernel", type=stock_kernel, metavar="NAME|DIR",
        help="boot that kernel of the distribution, such as 6.12 or 6.1-rt, which is fetched, or that of a "
        "folder of `kmark dev kernel` (default: the one whose headers are installed)",
    )  # fmt: skip
    vm.add_argument(
        "--append", default="", metavar="WORDS", help="more words for the kernel's command line"
    )
    vm.add_argument("--log", type=Path, metavar="FILE", help="keep the guest's console log")
    vm.add_argument("command", nargs="*", metavar="SCRIPT_OR_COMMAND")
    vm.set_defaults(run=execute)
