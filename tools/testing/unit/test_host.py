# SPDX-License-Identifier: GPL-2.0-only
"""The facts of a machine that a report names."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path
from unittest import mock

from kmark import host

CPUINFO = """\
processor	: 0
cpu family	: 6
model		: 143
model name	: A CPU
stepping	: 8
flags		: fpu tsc constant_tsc

processor	: 1
model name	: Another
"""


class Host(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        (self.folder / "vulnerabilities").mkdir()
        self.enterContext(mock.patch.object(host, "CPU", self.folder))

    def test_the_first_processor_describes_all(self) -> None:
        fields = host.first_processor(CPUINFO)
        self.assertEqual(host.describe_cpu(fields), "A CPU (family 6, model 143, stepping 8)")
        self.assertEqual(fields["flags"].split()[-1], "constant_tsc")
        self.assertRegex(host.describe_cpu({}), r"^\S+ \(family \?, model \?, stepping \?\)$")

    def test_mitigations_are_of_what_the_cpu_has(self) -> None:
        self.assertEqual(host.mitigations(), "not affected by any known")
        for name, text in (
            ("meltdown", "Not affected"), ("spectre_v2", "Mitigation: IBRS"), ("mds", "Vulnerable"),
        ):  # fmt: skip
            (self.folder / "vulnerabilities" / name).write_text(f"{text}\n")
        self.assertEqual(host.mitigations(), "mds: Vulnerable | spectre_v2: Mitigation: IBRS")

    def test_what_cannot_be_read_is_said(self) -> None:
        absent = self.folder / "absent"
        self.assertEqual((host.read(absent), host.read(absent, "none")), ("unknown", "none"))
        self.assertEqual(host.caches(), "unknown")
        with mock.patch.object(host, "CPUINFO", absent), mock.patch.object(host, "CLOCKSOURCE", absent):
            found = host.host()
        self.assertEqual(
            [found[key] for key in ("clocksource", "governor", "microcode", "tsc")],
            ["unknown", "not visible", "unknown", "none of its flags"],
        )

    def test_all_facts(self) -> None:
        for name, text in (
            ("cpuinfo", CPUINFO), ("smt/control", "on\n"), ("clocksource", "tsc\n"),
            ("cpu0/cpufreq/scaling_governor", "powersave\n"), ("vulnerabilities/mds", "Vulnerable\n"),
            ("cpu0/cache/index0/type", "Data\n"), ("cpu0/cache/index1/type", "Instruction\n"),
            ("cpu0/cache/index1/level", "1\n"), ("cpu0/cache/index1/size", "32K\n"),
            ("cpu0/cache/index2/level", "2\n"), ("cpu0/cache/index2/size", "2M\n"),
        ):  # fmt: skip
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        self.assertEqual(host.caches(), "L1 32K, L2 2M")
        with (
            mock.patch.object(host, "CPUINFO", self.folder / "cpuinfo"),
            mock.patch.object(host, "CLOCKSOURCE", self.folder / "clocksource"),
            mock.patch.multiple("os", cpu_count=lambda: 4, getloadavg=lambda: (0.5, 1, 2.25)),
            mock.patch.multiple(
                "platform", release=lambda: "6.1.0", version=lambda: "#1", freedesktop_os_release=dict
            ),
        ):
            self.assertEqual(host.host(), {
                "cpu": "A CPU (family 6, model 143, stepping 8)", "cpus": "4, SMT on",
                "microcode": "unknown", "hypervisor": "none", "kernel": "6.1.0 #1",
                "distribution": "unknown", "mitigations": "mds: Vulnerable", "governor": "powersave",
                "clocksource": "tsc", "tsc": "constant_tsc", "load": "0.50 1.00 2.25",
            })  # fmt: skip

    def test_no_hypervisor_without_its_flag(self) -> None:
        self.assertEqual(host.hypervisor({"tsc"}), "none")
        with (
            mock.patch.object(host, "DMI", self.folder),
            mock.patch("shutil.which", return_value=None),
        ):
            self.assertEqual(host.hypervisor({"hypervisor"}), "unnamed")
            (self.folder / "sys_vendor").write_text("QEMU\n")
            self.assertEqual(host.hypervisor({"hypervisor"}), "QEMU")

    def test_the_hypervisor_is_found_in_any_language(self) -> None:
        lscpu = self.folder / "lscpu"
        lscpu.write_text(
            "#!/bin/sh\n[ \"$LC_ALL\" = C ] && echo 'Hypervisor vendor: KVM' || echo 'Anbieter: KVM'\n"
        )
        lscpu.chmod(0o755)
        with (
            mock.patch.object(host, "DMI", self.folder),
            mock.patch.dict("os.environ", {"PATH": str(self.folder), "LC_ALL": "de_DE.UTF-8"}),
        ):
            self.assertEqual(host.hypervisor({"hypervisor"}), "KVM")
