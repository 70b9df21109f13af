# SPDX-License-Identifier: GPL-2.0-only
"""Blocks of C in the pages: they stand in a file of Documentation/examples or compile."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from pages import TOP, Block

# Code around a block that is part of a function.
FUNCTION = """
#include "env.h"
#include "marker.h"
enum { TRACED };
#define set_bit(nr, word) ((void)(*(word) |= BIT(nr)))
#define clear_bit(nr, word) ((void)(*(word) &= ~BIT(nr)))
static __attribute__((unused)) unsigned long flags;
%s
#define ARGUMENTS int error, int count, void *ptr, void *request, \\
    unsigned int id, unsigned int bytes, const char *name, const u8 *mac, int state
void test(ARGUMENTS);
void test(ARGUMENTS)
{
%s
}
"""
MARKERS = ["-Imarkers/env/user", "-Imarkers", "-Imarkers/arch/x86", "-mno-red-zone"]
BENCH = [
    "-Ibench/env/user/no-lttng", "-Ibench/env/user/no-usdt", "-Imarkers/env/user",
    "-Imarkers",
    "-Imarkers/arch/x86", "-Imarkers/selftest", "-Iprobes", "-mgeneral-regs-only", "-fno-strict-aliasing",
    "-mno-red-zone", "-D__NO_INLINE__", "-Wno-unused-parameter",
]  # fmt: skip


def bench_folders() -> list[str]:
    """Every folder of bench/ with headers, those of the program before those of kernels."""
    folders = {path.parent for path in (TOP / "bench").rglob("*.h")}
    ours = [
        folder for folder in sorted(folders)
        if not {"arm64", "generic", "kernel", "um", "tsc", "kbest", "macro", "sample"} & set(folder.parts)
    ]  # fmt: skip
    return [f"-I{folder}" for folder in ours]


def squeezed(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def is_in_examples(text: str) -> bool:
    """True if each paragraph stands in an example, but for white space."""
    files = [squeezed(path.read_text()) for path in (TOP / "Documentation/examples").rglob("*.c")]
    parts = [squeezed(part) for part in re.split(r"\n\n(?=\S)", text)]
    return any(all(part in file for part in parts) for file in files)


def compiled(source: str, flags: list[str], work: Path) -> list[str]:
    file = work / "block.c"
    file.write_text(source)
    command = ["/usr/bin/gcc", "-c", "-O2", "-std=gnu11", "-Wall", "-Werror", "-fno-pie", "-D_GNU_SOURCE"]
    ended = subprocess.run(
        [*command, *flags, "-o", str(work / "block.o"), str(file)],
        cwd=TOP, check=False, capture_output=True, text=True,
    )  # fmt: skip
    return ended.stderr.split("\n")[:5] if ended.returncode else []


def problems(block: Block, work: Path) -> list[str]:
    text = block.text
    if is_in_examples(text):
        return []
    if "BENCH_BODY" in text:
        declared = text.replace(
            '#include "loop.h"', '#include "loop.h"\nextern const struct bench_shape SHAPE;'
        )
        name = re.search(r"BENCH_SHAPE\s+(\w+)", text)
        shape = f"marker_bench_shape_{name[1] if name else ''}"
        return compiled(declared.replace("SHAPE;", f"{shape};"), [*BENCH, *bench_folders()], work)
    if "<tsc.h>" in text:
        head, _, body = text.partition("\n\n")
        head += "\n#include <stdio.h>\nvoid work(void);"
        return compiled(
            f"{head}\nvoid test(void);\nvoid test(void)\n{{\n{body}}}\n", ["-Ibench/timing/tsc"], work
        )
    # Functions of the block, then the rest of it as a body; "..." is left out.
    text = re.sub(r"^\s*\.\.\.$", "", text, flags=re.MULTILINE)
    match = re.match(r"(static .*?\n}\n)", text, re.DOTALL)
    functions = match[1] if match else ""
    return compiled(FUNCTION % (functions, text[len(functions) :]), MARKERS, work)
