# SPDX-License-Identifier: GPL-2.0-only
"""Texts of a trace, of converted events and of a kernel's image, for test_whole_texts.py."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path

import made_trace
import test_convert
import test_vmlinux
from kmark.binary import vmlinux
from kmark.convert import headers, tree
from kmark.convert.target import Target
from kmark.record import clock, layout

EVENTS = {
    "plain": ("__field(u64, a) __field(bool, b)", "__entry->a = n; __entry->b = !n;",
              '"of a=%llx, b: %d", __entry->a, __entry->b'),
    "texts": ("__string(a, p->a) __array(char, b, LEN) __array(u16, c, 3) __sockaddr(d, n)",
              "__assign_str(a); strscpy(__entry->b, p->b, LEN); memcpy(__entry->c, p->c, 6); "
              "__assign_sockaddr(d, p->d, n);"),
    "condition": ("__field(int, a) __string(b, p->x)",
                  "int m = n; if (m) __entry->a = m; else __assign_str(b, p->x);"),
    "varies": ("__dynamic_array(u16, a, n) __dynamic_array(char, b, n + 1) __bitmask(c, n) __cpumask(d)",
               "memcpy(__get_dynamic_array(a), p->a, __get_dynamic_array_len(a)); "
               "memcpy(__get_str(b), p->b, n); __get_str(b)[n] = 0; "
               "__assign_bitmask(c, p->c, n); __assign_cpumask(d, p->d);"),
    "parts": ("__string_len(a, p->a, n) __vstring(b, p->f, p->v) __string(c, p->c)",
              "__assign_str(a); __assign_vstr(b, p->f, p->v); __assign_str(c, p->c); "
              "(void)strreplace(__get_str(c), ' ', '_');"),
    "structure": ("__field_struct(struct x, a) __array(u8, b, 8)",
                  "__entry->a = p->x; fill(__entry->b, n);"),
    "refused": ("__field(struct x, a)", ""),
    "line": ("__field(int, line)", "__entry->line = n;"),
}  # fmt: skip


def of_trace(metadata: Callable[..., str]) -> str:
    """The metadata of a trace with an event of all contexts and types, and one with nothing."""
    fields = "s8:10,u16:8,ptr:16,str:10,enum:IDLE=0;GONE_2=-1,bytes:6"
    row = {"id": "70000", "marker": 'a/"b"\\\n\t', "fields": fields, "names": "pid,kstack,p,s,e,b"}
    rows = [
        {**row, "context": ",".join([*layout.STACKS, *layout.CONTEXT])},
        {"id": "0", "marker": "none", "fields": "-", "names": "-", "context": "-"},
    ]
    found = clock.Clock("tsc", 2_000_000_000, 5_000_000_000, 1_700_000_000_250_000_000)
    return metadata(made_trace.TRACE, found, made_trace.BOOT, rows, {"hostname": "box", "domain": "x"})


def of_conversion(target: Target) -> str:
    """The summary, the JSON, and for modules the header of C."""
    events = (test_convert.event(*words).replace("(own,", f"({name},", 1) for name, words in EVENTS.items())
    inner = "\n#ifdef CREATE_TRACE_POINTS\nstatic inline void own_inner(void) { }\n#endif\n"
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, headers.FOLDER)
        place.mkdir(parents=True)
        (Path(folder, "include") / "types.h").write_text(test_convert.TYPES)
        place.joinpath("own.h").write_text(test_convert.HEADER.replace("EVENTS", inner + "\n".join(events)))
        found = tree.convert(Path(folder), target)
        (made,) = tree.write(found, Path(folder, "made"))
        lines = [tree.as_text(found)]
        for key, value in tree.as_json(found, Path("linux")).items():
            parts = value if isinstance(value, list) else [value]
            lines += [f"{key} {json.dumps(part)}" for part in parts]
        return "\n".join([*lines, "" if target.is_tree else made.read_text()])


def of_vmlinux() -> str:
    test_vmlinux.Vmlinux.setUpClass()
    found = test_vmlinux.Vmlinux.growth
    return "\n".join([*vmlinux.lines(found, "x86-64"), json.dumps(vmlinux.record(found, "x86-64"))])
