# SPDX-License-Identifier: GPL-2.0-only
"""The size that the patches add to vmlinux, from two small images with known numbers."""

from __future__ import annotations

import subprocess
import tempfile
import unittest
from pathlib import Path

from kmark.binary import vmlinux

# As in a vmlinux: bounds, tables, functions with cold parts, an event's symbols.
SOURCE = """
	.macro func name, size
	.type \\name, @function
	.size \\name, \\size
	\\name: .fill \\size, 1, 0x90
	.endm
	.text
	.globl _stext
_stext:
	func same, 64
	func marked, (100+5*MARKERS)
	func marked.cold, (10+20*MARKERS)
	.if MARKERS
	func core, 300
	.endif
	func trace_raw_output_sched_switch, 50
	.data
	.type event_class_sched_switch, @object
	.size event_class_sched_switch, 72
event_class_sched_switch: .fill 72
	.section .orc_unwind_ip, "a"
__start_orc_unwind_ip:
	.long same - ., marked - .
	.if MARKERS
	.long marked.cold - .
	.endif
	.long trace_raw_output_sched_switch - .
__stop_orc_unwind_ip:
	.section __ex_table, "a"
__start___ex_table:
	.long same - ., same - ., 0
__stop___ex_table:
	.section __jump_table, "aw"
__start___jump_table:
	.long same - ., same - .
	.quad same - .
	.if MARKERS
	.long marked + 8 - ., marked.cold - .
	.quad __tracepoint_mark_a.1 + 8 - .
	.endif
__stop___jump_table:
	.if MARKERS
	.section .rodata, "a"
name:	.asciz "markers:sched_switch"
format:	.asciz "%d"
file:	.asciz "a.c"
	.data
	.balign 8
	.type __tracepoint_mark_a.1, @object
	.size __tracepoint_mark_a.1, 128
__start___markers:
__tracepoint_mark_a.1:
	.quad name, 0, 0, 0, 0, 0, 0, 0, 0
	.quad format, 0, file, 0, 0, 5
	.long 7, 0
__stop___markers:
	.endif
"""


def build(folder: Path, name: str, markers: int) -> Path:
    source, place = folder / f"{name}.S", folder / name
    source.write_text(SOURCE)
    options = [
        "-nostdlib",
        "-static",
        "-no-pie",
        "-Wl,-e,_stext",
        "-Wl,-Ttext=0x200000000",
        "-Wl,--build-id=none",
    ]
    options += ["-Wl,-z,max-page-size=4096", "-Wl,--no-warn-rwx-segments", "-Wl,-Tdata=0x210000000"]
    options += ["-Wl,--section-start=.rodata=0x220000000", "-Wl,--section-start=__ex_table=0x230000000"]
    options += ["-Wl,--section-start=.orc_unwind_ip=0x240000000"]
    options += ["-Wl,--section-start=__jump_table=0x250000000"]
    subprocess.run(["gcc", f"-Wa,--defsym,MARKERS={markers}", *options, "-o", place, source], check=True)
    return place


class Vmlinux(unittest.TestCase):
    growth: vmlinux.Growth

    @classmethod
    def setUpClass(cls) -> None:
        with tempfile.TemporaryDirectory() as folder:
            paths = [build(Path(folder), f"image{markers}", markers) for markers in (0, 1)]
            cls.growth = vmlinux.compare(*paths)

    def test_an_event(self) -> None:
        (event,) = self.growth.events
        self.assertEqual((event.name, event.sites), ("sched_switch", 1))
        self.assertEqual(event.text, 5 + 20)
        self.assertEqual(event.tables, 128)
        self.assertEqual(event.strings, len("markers:sched_switch\0%d\0a.c\0"))
        self.assertEqual((event.unwind, event.branches), (10, 16))
        self.assertEqual(event.marker, 25 + 128 + 28 + 26)
        self.assertEqual(event.trace, 50 + 72 + 10)

    def test_the_rest(self) -> None:
        self.assertEqual(self.growth.core, 300)
        without, patched = self.growth.groups["code"]
        self.assertEqual((without, patched), (64 + 100 + 10 + 50, without + 5 + 20 + 300))

    def test_report(self) -> None:
        text = "\n".join(vmlinux.lines(self.growth, "conditions"))
        self.assertIn("A site: 207 bytes in the mean.", text)
        self.assertIn("- core and KUnit suite: 300", text)
