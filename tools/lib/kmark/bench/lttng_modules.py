# SPDX-License-Identifier: GPL-2.0-only
"""LTTng-modules, as a peer in the guest: built from the distribution's sources for the guest's kernel."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

from kmark import cache, lock
from kmark.kernel import package
from kmark.make import run_quietly

BUILD = cache.TOP / "build/lttng-modules"
PEER = cache.TOP / "bench/peers/lttng"
PLACES = {  # in the sources of LTTng-modules, of files in PEER
    "Kbuild": "src/probes",
    "lttng-probe-marker-bench.c": "src/probes",
    "bench.h": "include/instrumentation/events",
    "../events.h": "include/instrumentation/events",
}
BUILTIN = ("modules.builtin", "modules.builtin.modinfo", "modules.order")  # of the kernel, for depmod


def run(*words: str) -> None:
    run_quietly("LTTng-modules cannot be built", *words)


def build() -> Path:
    """Build the modules, once for each kernel, and return the folder that has lib/modules with them.
    Failure if they cannot be built or LTTng's tools cannot be installed."""
    cache.install("build")
    kernel = package.stock()
    sources = cache.place("lttng-modules")
    contents = [str(sources).encode(), *((PEER / name).read_bytes() for name in PLACES)]
    place = BUILD / f"{kernel.version}-{hashlib.sha256(b''.join(contents)).hexdigest()[:16]}"
    made = place / "root"
    with lock.hold(BUILD.with_name("lttng-modules.lock"), "builds LTTng-modules"):
        if not made.exists():
            shutil.rmtree(place, ignore_errors=True)
            (source,) = sources.glob("usr/src/lttng-modules-*")
            shutil.copytree(source, place / "source")
            for name, folder in PLACES.items():
                shutil.copy(PEER / name, place / "source" / folder)
            headers = f"/lib/modules/{kernel.version}/build"
            words = ["make", "-s", "-j2", "-C", headers, f"M={place}/source", "CONFIG_LTTNG=m"]
            run(*words, "modules")
            run(*words, f"INSTALL_MOD_PATH={place}/new", "INSTALL_MOD_STRIP=1", "modules_install")
            for name in BUILTIN:
                shutil.copy(kernel.modules / name, place / "new/lib/modules" / kernel.version)
            run("/sbin/depmod", "-b", str(place / "new"), kernel.version)
            (place / "new").rename(made)
    return made
