# SPDX-License-Identifier: GPL-2.0-only
"""Parts around a guest: its archive, its verdict, its log, KVM's trial."""

from __future__ import annotations

import contextlib
import io
import lzma
import os
import select
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock
from pathlib import Path

from kmark import cache, make
from kmark.errors import Failure, Usage
from kmark.guest import console, kvm, machine, vm
from kmark.guest.cpio import Archive
from kmark.guest.output import Output, checked_text
from kmark.kernel import package


class Command(unittest.TestCase):
    def test_only_a_failure_shows_the_output(self) -> None:
        make.run_quietly("not built", "sh", "-c", "echo said")
        with self.assertRaises(Failure) as raised:
            make.run_quietly("not built", "sh", "-c", "printf 'caf\\351, '; echo on stderr >&2; exit 3")
        self.assertEqual(str(raised.exception), "not built:\ncaf\ufffd, on stderr\n")

    def test_what_a_program_prints_is_returned_but_for_its_progress(self) -> None:
        progress = unittest.mock.Mock()
        script = ["sh", "-c", "echo 1/4 >&2; echo note >&2; echo said; echo $A"]
        with contextlib.redirect_stderr(io.StringIO()) as errors:
            self.assertEqual(make.run_program(script, progress, environment={"A": "b"}), "said\nb\n")
            with self.assertRaisesRegex(Failure, "^tools/setup ended with 2$"):
                make.run_program([str(cache.TOOLS / "setup"), "--path", "moon"], progress)
        self.assertEqual(errors.getvalue(), "note\nsetup: --path: no such thing: moon\n")
        self.assertEqual(progress.mock_calls, [unittest.mock.call.show_part(0, 1, 1, 4)])

    def test_make(self) -> None:
        done: subprocess.CompletedProcess[str] = subprocess.CompletedProcess([], 0)
        with (
            unittest.mock.patch("subprocess.run", return_value=done) as run,
            unittest.mock.patch("os.cpu_count", return_value=3),
        ):
            make.make_modules(["a", "b"], "ARCH=arm64")
            done.returncode = 2
            with self.assertRaisesRegex(Failure, "^make all failed$"):
                make.make("all")
        words = ["make", "-s", "-j3", "modules", "MODULES=a b", "ARCH=arm64"]
        self.assertEqual(
            run.call_args_list[0],
            unittest.mock.call(words, cwd=cache.TOP, stdout=sys.stderr, check=False),
        )


class Copying(unittest.TestCase):
    """copy_results() of a program in the place of a guest."""

    def copied(self, script: str, timeout_s: float) -> tuple[bytes | None, bytes, float]:
        """Return what it returned and copied, and the seconds that it took."""
        sink, start = io.BytesIO(), time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder, "log")
            with subprocess.Popen(["sh", "-c", script, "sh", log], stdout=subprocess.PIPE) as guest:
                pending = vm.copy_results(guest, sink, timeout_s, log)
                guest.kill()
        return pending, sink.getvalue(), time.monotonic() - start

    def test_all_but_the_exit_line_is_copied(self) -> None:
        script = "echo one; printf 'kmark-vm-'; sleep 0.1; echo exit 3"
        self.assertEqual(self.copied(script, 30)[:2], (b"kmark-vm-exit 3\n", b"one\n"))

    def test_it_ends_after_its_time_and_looks_rarely(self) -> None:
        with unittest.mock.patch("select.select", wraps=select.select) as waits:
            pending, copied, took_s = self.copied("echo one; exec sleep 20", 0.5)
        self.assertEqual((pending, copied), (None, b"one\n"))
        self.assertTrue(0.5 <= took_s < 10, took_s)
        self.assertLess(waits.call_count, 9)

    def test_it_ends_soon_after_a_splat(self) -> None:
        with unittest.mock.patch.object(vm, "AFTER_SPLAT_S", 0.3):
            pending, _, took_s = self.copied("echo BUG: x >$1; exec sleep 20", 15)
        self.assertIsNone(pending)
        self.assertLess(took_s, 10)

    def test_a_guest_that_failed_is_named(self) -> None:
        out = Output()
        out.write(b"a\nb\377")
        for outcome, message in (
            (vm.Outcome(125, "tcg", "a splat", "BUG: x"), "vm: a splat\nBUG: x"),
            (vm.Outcome(3, "tcg"), "vm: run.sh ended with 3:\na\nb\N{REPLACEMENT CHARACTER}"),
        ):
            with self.assertRaises(Failure) as raised:
                checked_text("vm", outcome, out, "run.sh")
            self.assertEqual(str(raised.exception), message)
        text = checked_text("vm", vm.Outcome(0, "tcg"), out, "run.sh")
        self.assertEqual(text, "a\nb\N{REPLACEMENT CHARACTER}")


class Verdict(unittest.TestCase):
    def test_exit_line_at_the_end_only(self) -> None:
        self.assertEqual(vm.judge(b"kmark-vm-exit 7\n", "", 1, ""), (7, ""))
        for ending in (b"", b"kmark-vm-exit 7", b"kmark-vm-exit 7\nmore\n", b"kmark-vm-exit x\n"):
            status, trouble = vm.judge(ending, "", 1, "no such machine")
            self.assertEqual(status, vm.FAILED)
            self.assertIn("no such machine", trouble)

    def test_time_out_and_splat(self) -> None:
        self.assertEqual(vm.judge(None, "", 3, ""), (124, "the guest did not end in 3 s"))
        status, trouble = vm.judge(b"kmark-vm-exit 0\n", "fine\n[ 1.0] BUG: bad page\n", 3, "")
        self.assertEqual(status, 125)
        self.assertIn("BUG: bad page", trouble)

    def test_output_is_passed_on_but_for_what_may_be_the_exit_line(self) -> None:
        for output, kept in (
            (b"plain\n", 0),
            (b"plain\nkmar", 4),
            (b"text kmark-vm-exit 1", 15),
            (b"kmark-vm-exit 12\n", 17),
            (b"kmark-vm-exit 12\nmore\n", 0),
            (b"kmark-vm-exit 12\nmore k", 1),
        ):
            self.assertEqual(vm.held_back(output), kept, output)


class Console(unittest.TestCase):
    def test_splats_are_found(self) -> None:
        for line in (
            "WARNING: CPU: 0 PID: 1 at kernel/x.c:3 f+0x1/0x2",
            "BUG: kernel NULL pointer dereference, address: 0000000000000000",
            "Oops: 0002 [#1] PREEMPT SMP NOPTI",
            "general protection fault, probably for non-canonical address",
            "RIP: 0010:f+0x1/0x2 [markers]",
            "Call Trace:",
            "Kernel panic - not syncing: Fatal exception",
            "possible recursive locking detected",
            "inconsistent lock state",
            "suspicious RCU usage",
            "rcu: INFO: rcu_sched detected stalls on CPUs/tasks:",
            "soft lockup",
            "watchdog: Watchdog detected hard LOCKUP on cpu 0",
            "UBSAN: shift-out-of-bounds in a.c:1:2",
            "watchdog: BUG: soft lockup - CPU#0 stuck for 22s! [insmod:93]",
            "rcu: INFO: rcu_preempt self-detected stall on CPU",
            "INFO: task insmod:93 blocked for more than 120 seconds.",
            "possible circular locking dependency detected",
            "kmemleak: 3 new suspected memory leaks (see /sys/kernel/debug/kmemleak)",
            "refcount_t: underflow; use-after-free.",
        ):
            self.assertEqual(console.splats(f"[    1.000000] {line}\nok\n"), [f"[    1.000000] {line}"])

    def test_a_healthy_log_has_none(self) -> None:
        log = """[    0.1] kmemleak: Kernel memory leak detector disabled
[    0.2] Spectre V2 : WARNING: Unprivileged eBPF is enabled with eIBRS on
[    0.3] markers: loading out-of-tree module taints kernel.
[    0.4] markers: debug: 12 sites"""
        self.assertEqual(console.splats(log), [])

    def test_a_log_that_grows(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "log")
            log = console.Growing(path)
            self.assertEqual(log.splats(), [])
            for more, found in (
                (b"fine\nBUG: a\nBU", ["BUG: a"]), (b"", []), (b"G: b\377", []),
                (b"\nfine\n", ["BUG: b\N{REPLACEMENT CHARACTER}"]), (b"Oops: c\n", ["Oops: c"]),
            ):  # fmt: skip
                with path.open("ab") as out:
                    out.write(more)
                self.assertEqual(log.splats(), found)

    def test_excerpt_starts_at_the_first_splat_or_shows_the_end(self) -> None:
        lines = [f"line {n}" for n in range(100)]
        self.assertEqual(console.excerpt("\n".join(lines), 3), "line 97\nline 98\nline 99")
        lines[10] = "BUG: x"
        self.assertEqual(console.excerpt("\n".join(lines), 2), "BUG: x\nline 11")


class Machine(unittest.TestCase):
    def test_programs_of_arm64_stand_in_the_place_of_the_hosts(self) -> None:
        with unittest.mock.patch.object(cache, "place", lambda name: f"/cache/{name}"):
            lines = vm.instead(machine.ARM64).decode().splitlines()
            self.assertEqual(vm.instead(machine.X86_64), b"")
        self.assertIn("/cache/python /cache/python-arm64", lines)
        self.assertEqual(lines[-1], "/usr /cache/usr-arm64")

    def test_icount_wants_one_emulated_cpu(self) -> None:
        none = package.Kernel.__new__(package.Kernel)
        for wanted in (
            vm.Guest("true", icount=True, cpus=2),
            vm.Guest("true", icount=True, accel="kvm"),
        ):
            with self.assertRaises(Usage):
                vm.choose_accel(wanted, none)

    def test_without_kvm_only_parallel_has_a_thread_for_each_cpu(self) -> None:
        none = package.Kernel.__new__(package.Kernel)
        for verdict, accel, expected in (
            ("works", "auto", "kvm"),
            ("works", "parallel", "kvm"),
            ("no /dev/kvm", "auto", "tcg-single"),
            ("no /dev/kvm", "parallel", "tcg"),
        ):
            with unittest.mock.patch.object(kvm, "verdict", return_value=verdict):
                self.assertEqual(vm.choose_accel(vm.Guest("true", cpus=2, accel=accel), none)[0], expected)

    def test_another_architecture_is_always_emulated(self) -> None:
        none = package.Kernel.__new__(package.Kernel)
        foreign = next(name for name in machine.MACHINES if name != machine.NATIVE)
        with unittest.mock.patch.object(kvm, "verdict", return_value="works"):
            self.assertEqual(vm.choose_accel(vm.Guest("true", arch=foreign), none)[0], "tcg-single")
            with self.assertRaises(Failure):
                vm.choose_accel(vm.Guest("true", arch=foreign, accel="kvm"), none)

    def test_each_architecture_has_its_own_qemu_and_ports(self) -> None:
        for arch, qemu, port in (
            ("x86_64", "qemu-system-x86_64", "console=ttyS0"),
            ("arm64", "qemu-system-aarch64", "console=ttyAMA0"),
        ):
            guest = vm.Guest("true", arch=arch, icount=True, append="quiet")
            command = vm.qemu_command(guest, "tcg", Path("image"), Path("cpio"), Path("log"))
            self.assertEqual(command[0], qemu)
            self.assertIn(port, command[command.index("-append") + 1])
            self.assertTrue(command[command.index("-append") + 1].endswith(" quiet"))
            self.assertIn("file:log", command)
            self.assertEqual(command[command.index("-cpu") + 1], machine.MACHINES[arch].counted_cpu)

    def test_modules_of_another_architecture_are_built_apart(self) -> None:
        here, other = machine.X86_64, machine.ARM64
        self.assertEqual((here.make_words, here.modules), ((), cache.TOP))
        self.assertEqual((other.make_words, other.modules), (("ARCH=arm64",), cache.TOP / "build/arm64"))

    def test_a_script_is_carried_into_the_guest(self) -> None:
        with tempfile.NamedTemporaryFile(suffix=".sh") as script:
            command, files = vm.script_command([script.name, "a b"])
        inside = "/" + Path(script.name).name
        self.assertEqual(command, f"exec /bin/sh {inside} 'a b'")
        self.assertEqual(files, ((Path(script.name), inside),))
        self.assertEqual(vm.script_command(["echo $HOME; true"]), ("echo $HOME; true", ()))


class Kvm(unittest.TestCase):
    """try_boot() against stand-ins for QEMU."""

    def trial(self, script: str) -> str:
        with tempfile.TemporaryDirectory() as folder:
            qemu = Path(folder) / "qemu"
            qemu.write_text(f"#!/bin/sh\n{script}\n")
            qemu.chmod(0o755)
            return kvm.try_boot(Path("image"), str(qemu), patience_s=0.5, limit_s=2)

    def test_a_hang_is_named(self) -> None:
        self.assertEqual(
            self.trial("exec sleep 20"), "/dev/kvm is there but the guest printed nothing in 0.5 s"
        )

    def test_an_error_is_named(self) -> None:
        self.assertEqual(self.trial("echo no access >&2; exit 1"), "/dev/kvm is there but fails: no access")

    def test_only_what_works_is_remembered_for_long(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            kept = Path(folder) / "kvm"
            self.assertEqual(kvm.remembered(kept, "boot-1"), "")
            for answer, age_s, expected in (
                (kvm.WORKS, 10 * kvm.FAILED_S, kvm.WORKS),
                ("no access", kvm.FAILED_S / 2, "no access"),
                ("no access", kvm.FAILED_S + 1, ""),
                ("no access", -3600, ""),
            ):
                kept.write_text(f"boot-1\n{answer}")
                os.utime(kept, (0, time.time() - age_s))
                self.assertEqual(kvm.remembered(kept, "boot-1"), expected)
                self.assertEqual(kvm.remembered(kept, "boot-2"), "")

    def test_it_is_tried_once_where_the_device_can_be_opened(self) -> None:
        kernel = unittest.mock.Mock()
        with (
            tempfile.TemporaryDirectory() as folder,
            unittest.mock.patch.object(kvm, "DEVICE", Path(folder, "device")),
            unittest.mock.patch.object(cache, "place", return_value=Path(folder)),
            unittest.mock.patch.object(kvm, "try_boot", return_value="no") as trial,
        ):
            self.assertEqual(kvm.verdict(kernel), f"there is no {folder}/device")
            kvm.DEVICE.touch()
            with unittest.mock.patch("os.access", return_value=False) as access:
                self.assertRegex(kvm.verdict(kernel), "this user may not open .*: sudo adduser .USER kvm$")
            self.assertEqual(access.call_args.args, (kvm.DEVICE, os.R_OK | os.W_OK))
            for _ in range(2):
                self.assertEqual(kvm.verdict(kernel), "no")
        trial.assert_called_once_with(kernel.image())

    def test_a_guest_that_boots_to_its_end_works(self) -> None:
        for script in (
            "echo Linux version; sleep 1; echo Kernel panic - not syncing",
            "echo warning >&2; echo Kernel panic; exec sleep 20",
        ):
            self.assertEqual(self.trial(script), "works")

    def test_a_guest_that_stops_on_its_way_is_named(self) -> None:
        fails = "/dev/kvm is there but fails: KVM internal error. Suberror: 1"
        for script, expected in (
            ("echo Linux version; echo KVM internal error. Suberror: 1 >&2; exec sleep 20", fails),
            ("echo Linux version; exec sleep 20", "/dev/kvm is there but the guest did not boot in 2 s"),
            ("echo Linux version", "/dev/kvm is there but fails: no message"),
        ):
            self.assertEqual(self.trial(script), expected)


class Cpio(unittest.TestCase):
    def test_busybox_unpacks_what_was_packed(self) -> None:
        out = io.BytesIO()
        archive = Archive(out)
        archive.file("/a/b/run", b"12345", executable=True)
        archive.file("/a/data", b"")
        archive.link("/c/link", "../a/b/run")
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "d/e").mkdir(parents=True)
            Path(folder, "d/f").write_text("copied")
            archive.copy(Path(folder, "d"), "/d")
        archive.close()
        with tempfile.TemporaryDirectory() as folder:
            busybox = cache.place("busybox") / "bin/busybox"
            subprocess.run(
                [busybox, "cpio", "-i"], cwd=folder, input=out.getvalue(), check=True, capture_output=True
            )
            top = Path(folder)
            self.assertEqual((top / "c/link").read_bytes(), b"12345")
            self.assertEqual(((top / "d/f").read_text(), list((top / "d/e").iterdir())), ("copied", []))
            self.assertEqual((top / "a/b/run").stat().st_mode & 0o777, 0o755)
            self.assertEqual((top / "a/data").read_bytes(), b"")


class Modules(unittest.TestCase):
    def test_depends_field(self) -> None:
        self.assertEqual(package.module_depends(b"ELF\0license=GPL\0depends=a,b_c\0name=x\0"), ["a", "b_c"])
        self.assertEqual(package.module_depends(b"ELF\0depends=\0name=x\0"), [])
        self.assertEqual(package.module_depends(b"ELF\0"), [])
        self.assertEqual(package.module_name("kernel/net/9p/9pnet-virtio.ko"), "9pnet_virtio")

    def test_what_is_needed_is_listed_last_first(self) -> None:
        stock = package.stock()
        needs = stock.with_dependencies(["9p", "virtio_pci"])
        for path, below in needs.items():
            for place, other in enumerate(below):
                self.assertLessEqual(set(needs[other]), set(below[place + 1 :]), path)
        names = {package.module_name(path) for path in needs[stock.module_path("9p")]}
        self.assertLessEqual({"netfs", "9pnet"}, names)

    def test_what_is_packed_is_unpacked_and_what_is_built_in_needs_nothing(self) -> None:
        with tempfile.TemporaryDirectory() as scratch:
            modules = Path(scratch) / "lib/modules/6.12"
            (modules / "fs").mkdir(parents=True)
            (Path(scratch) / "boot").mkdir()
            (Path(scratch) / "boot/vmlinuz-6.12").touch()
            (modules / "modules.order").write_text("fs/a.ko\nfs/b-c.ko\n")
            (modules / "modules.builtin").write_text("kernel/virtio-pci.ko\n")
            (modules / "fs/a.ko").write_bytes(b"\0depends=b_c\0")
            (modules / "fs/b-c.ko.xz").write_bytes(lzma.compress(b"\0depends=\0"))
            kernel = package.Kernel(Path(scratch))
            self.assertEqual(
                kernel.with_dependencies(["virtio_pci", "a"]), {"fs/b-c.ko": [], "fs/a.ko": ["fs/b-c.ko"]}
            )
            self.assertEqual(kernel.module("fs/b-c.ko"), b"\0depends=\0")
            with self.assertRaisesRegex(Failure, "kernel 6.12 has no module virtio_pci_x"):
                kernel.with_dependencies(["virtio_pci_x"])
