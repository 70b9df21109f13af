# SPDX-License-Identifier: GPL-2.0-only
"""The size that the patches add to vmlinux, from two small images with known numbers."""

from __future__ import annotations

import subprocess
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from kmark.binary import vmlinux
from kmark.errors import Failure
from kmark.kernel_cost import functions, sizes

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
    image: vmlinux.Image
    added: dict[str, int]
    symbols: dict[str, int]
    few: int
    known: list[int]

    @classmethod
    def setUpClass(cls) -> None:
        with tempfile.TemporaryDirectory() as folder:
            paths = [build(Path(folder), f"image{markers}", markers) for markers in (0, 1)]
            cls.growth = vmlinux.compare(*paths)
            cls.added = sizes.added(paths[0], paths[1], "")
            cls.symbols = sizes.differences(paths[0], paths[1], "")
            image = paths[1].rename(paths[1].with_name("vmlinux"))
            with mock.patch.object(functions, "KERNEL_START", 1):
                cls.few = len(functions.read_symbols(image))
                with mock.patch.object(functions, "FEWEST", 5):
                    cls.known = functions.read_symbols(image).starts("trace_raw_output_sched_switch")
            cls.image = vmlinux.Image(image)

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

    def test_sizes_of_kernel_cost(self) -> None:
        """Strings and tables are constants, which count as text; a part counts as its function."""
        self.assertEqual(self.added, {"text": 325 + 28 + 4, "data": 128 + 16, "bss": 0})
        self.assertEqual(
            list(self.symbols.items()), [("core()", 300), ("__tracepoint_mark_a.1", 128), ("marked()", 25)]
        )
        self.assertEqual((self.few, self.known), (0, [0x200000000 + 499]))

    def test_an_address_in_nothing_is_named(self) -> None:
        code, constants = 0x200000000, 0x220000000
        found = [self.image.function(code + at) for at in (0, 63, 64, 64 + 104, 64 + 105)]
        self.assertEqual(found, ["same", "same", "marked", "marked", "marked"])
        self.assertEqual(self.image.bytes(constants, 28), b"markers:sched_switch\0%d\0a.c\0")
        self.assertEqual(self.image.text(constants + 21), "%d")
        for read, what in (
            (lambda: self.image.function(code - 1), "no function at 0x1ffffffff"),
            (lambda: self.image.function(code + 549), "no function at 0x200000225"),
            (lambda: self.image.bytes(constants - 1, 4), "no section at 0x21fffffff"),
            (lambda: self.image.bytes(constants, 29), "no section at 0x220000000"),
            (lambda: self.image.text(constants - 1), "no text at 0x21fffffff"),
            (lambda: self.image.text(constants + 28), "no text at 0x22000001c"),
        ):
            with self.assertRaisesRegex(Failure, f"/vmlinux: {what}$"):
                read()
