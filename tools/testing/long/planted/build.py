# SPDX-License-Identifier: GPL-2.0-only
"""Builds the programs that measure.py runs, in a copy of the tree: those without an error, those with one
NOP or eight behind each site of one variant, and one whose open gates have lost their padding.

        build.py [FOLDER]       default: build/planted; leaves programs.tar.xz there"""

from __future__ import annotations

import lzma
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import measure
from kmark.bench import native
from kmark.errors import Failure
from kmark.make import make

TOP = Path(__file__).resolve().parents[4]
FOLDER = TOP / "build/planted"
PARTS = ("Makefile", "VERSION", "modules.list", "markers", "bench", "probes", "tools")  # of the tree
SHAPES = ("empty", measure.SHAPE_OF_NOP)
SHAPES_LIST, LOOP, GATES = "bench/loops/shapes.list", "bench/loops/loop.h", "markers/arch/x86/gates.h"
SITE = "BENCH_BODY(BENCH_SITE(KIND));"
NOPS = 'if (!__builtin_strcmp(#variant, "{}")) asm volatile(".rept {}; nop; .endr")'
SITE_WITH_NOPS = f"BENCH_BODY(BENCH_SITE(KIND); {NOPS});"
PEERS, UPROBES = "bench/env/user/peers.h", "BENCH_UPROBES(X)"  # slow, and not looked at
PADDING, NO_PADDING = 'asm volatile(".p2align 6, , 21");', 'asm volatile("");'
DICTIONARY = 128 << 20  # bytes; the programs are much the same


def copy_tree(tree: Path) -> None:
    """Copy the files that git knows, with fewer shapes."""
    listed = subprocess.run(
        ["git", "-C", str(TOP), "ls-files", "-z", *PARTS],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    for name in filter(None, listed.split("\0")):
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(TOP / name, tree / name)
    lines = (tree / SHAPES_LIST).read_text().splitlines(keepends=True)
    kept = [line for line in lines if line.startswith("#") or line.split("\t")[0] in SHAPES]
    (tree / SHAPES_LIST).write_text("".join(kept))


def plant(tree: Path, name: str, old: str, new: str) -> None:
    """Replace a text of the original file. Failure if the file does not have it once."""
    text = (TOP / name).read_text()
    if text.count(old) != 1:
        raise Failure(f"{name}: {text.count(old)} times {old}, not once")
    (tree / name).write_text(text.replace(old, new))


def build(tree: Path, kept: Path, places: int) -> None:
    """Build the programs of that many places and move them to `kept`."""
    names = [program.name for program in native.BENCHES[:places]]
    make(
        f"native/{names[0]}", *(f"native/{name}" for name in names[1:]), "NATIVE=native",
        "native-lttng=no-lttng", "native-usdt=no-usdt", "NATIVE_LDFLAGS=-static -s", "-C", str(tree),
    )  # fmt: skip
    kept.mkdir(parents=True)
    for name in names:
        os.rename(tree / "native" / name, kept / name)


def main() -> None:
    folder = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else FOLDER
    tree, programs = folder / "tree", folder / "programs"
    shutil.rmtree(folder, ignore_errors=True)
    copy_tree(tree)
    plant(tree, PEERS, UPROBES, "")
    build(tree, programs / measure.CLEAN, measure.PROCESSES)
    for variant in measure.PLANTED:
        for number in measure.NOPS.values():
            plant(tree, LOOP, SITE, SITE_WITH_NOPS.format(variant, number))
            build(tree, programs / f"{variant}-{number}", measure.PROCESSES)
    shutil.copy2(TOP / LOOP, tree / LOOP)
    (tree / LOOP).touch()
    plant(tree, GATES, PADDING, NO_PADDING)
    build(tree, programs / measure.LOST_PROGRAMS, 1)
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 3, "dict_size": DICTIONARY}]
    archive = folder / "programs.tar.xz"
    with lzma.open(archive, "w", filters=filters) as out, tarfile.open(fileobj=out, mode="w") as tar:
        tar.add(programs, arcname=".")
    shutil.rmtree(programs)
    print(f"{archive}: {archive.stat().st_size} bytes")


if __name__ == "__main__":
    main()
