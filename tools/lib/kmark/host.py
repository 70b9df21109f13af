# SPDX-License-Identifier: GPL-2.0-only
"""Facts about the machine that matter for a measurement."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from pathlib import Path

from kmark import foreign

CPUINFO = Path("/proc/cpuinfo")
CPU = Path("/sys/devices/system/cpu")
CLOCKSOURCE = Path("/sys/devices/system/clocksource/clocksource0/current_clocksource")
CLOCKSOURCES = CLOCKSOURCE.with_name("available_clocksource")
UNKNOWN = "unknown"
DMI = Path("/sys/class/dmi/id")
TSC_FLAGS = ("constant_tsc", "nonstop_tsc", "tsc_known_freq", "tsc_reliable", "rdtscp")


def read(path: Path, otherwise: str = UNKNOWN) -> str:
    try:
        return path.read_text().strip()
    except OSError:
        return otherwise


def first_processor(cpuinfo: str) -> dict[str, str]:
    fields = {}
    for line in foreign.lines(cpuinfo.strip().split("\n\n")[0]):
        key, _, value = line.partition(":")
        fields[key.strip()] = value.strip()
    return fields


def describe_cpu(fields: dict[str, str]) -> str:
    numbers = [f"{name} {fields.get(key, '?')}" for name, key in CPU_NUMBERS]
    return f"{fields.get('model name', platform.machine())} ({', '.join(numbers)})"


CPU_NUMBERS = (("family", "cpu family"), ("model", "model"), ("stepping", "stepping"))


def hypervisor(flags: set[str]) -> str:
    """Return the name of the hypervisor, "unnamed", or "none"."""
    if "hypervisor" not in flags:
        return "none"
    product = [read(DMI / name, "") for name in ("sys_vendor", "product_name")]
    lines: list[str] = []
    if shutil.which("lscpu"):
        # Not in the user's language.
        english = {**os.environ, "LC_ALL": "C"}
        done = subprocess.run(["lscpu"], capture_output=True, text=True, check=False, env=english)
        lines = foreign.lines(done.stdout)
    vendor = [line.split(":", 1)[1].strip() for line in lines if line.startswith("Hypervisor vendor")]
    return " ".join(filter(None, [*vendor, *product])) or "unnamed"


def caches() -> str:
    """Return the caches of the first CPU that hold code, such as "L1 32K, L2 1024K"."""
    found = []
    for cache in sorted((CPU / "cpu0/cache").glob("index*")):
        if read(cache / "type") != "Data":
            found.append(f"L{read(cache / 'level')} {read(cache / 'size')}")
    return ", ".join(found) or UNKNOWN


def mitigations() -> str:
    """Return the vulnerabilities of this CPU, and the mitigation of each."""
    found = {path.name: read(path) for path in sorted((CPU / "vulnerabilities").glob("*"))}
    entries = [f"{name}: {text}" for name, text in found.items() if text != "Not affected"]
    return " | ".join(entries) or "not affected by any known"


def distribution() -> str:
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        return "unknown"


def host() -> dict[str, str]:
    """Return facts about the machine that the tools run on; an unreadable fact is "unknown"."""
    fields = first_processor(read(CPUINFO, ""))
    flags = set(fields.get("flags", "").split())
    return {
        "cpu": describe_cpu(fields),
        "cpus": f"{os.cpu_count()}, SMT {read(CPU / 'smt/control')}",
        "microcode": fields.get("microcode", "unknown"),
        "hypervisor": hypervisor(flags),
        "kernel": f"{platform.release()} {platform.version()}",
        "distribution": distribution(),
        "mitigations": mitigations(),
        "governor": read(CPU / "cpu0/cpufreq/scaling_governor", "not visible"),
        "clocksource": read(CLOCKSOURCE),
        "tsc": " ".join(flag for flag in TSC_FLAGS if flag in flags) or "none of its flags",
        "load": "{:.2f} {:.2f} {:.2f}".format(*os.getloadavg()),
    }
