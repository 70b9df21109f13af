# SPDX-License-Identifier: GPL-2.0-only
"""The markers of the series for kernel trees: each has one format in all versions and on all
architectures, in which each argument has a name."""

from __future__ import annotations

import re
import unittest

from kmark.kernel import patchset

SITE = re.compile(r'\bMARK(?:_SYSCALL)?\((\w+),\s*"([^"]*)"')
NAMED = re.compile(r"\w+=%\w+( \w+=%\w+)*")
# Beside these a tracepoint of the kernel stands, whose arguments of the same name they have.
EXPECTED = {
    "sched_switch": {
        "prev_comm",
        "prev_pid",
        "prev_prio",
        "prev_state",
        "next_comm",
        "next_pid",
        "next_prio",
    },
    "sched_wakeup": {"comm", "pid", "prio", "target_cpu"},
    "sched_wakeup_new": {"comm", "pid", "prio", "target_cpu"},
    "block_issue": {"dev", "op", "sector", "bytes"},
    "block_complete": {"dev", "op", "sector", "bytes"},
    "page_fault": {"address", "ip", "error_code", "user"},
    "trap_entry": {"number", "ip", "user"},
    "sys_enter": {"number", "regs"},
    "sys_exit": {"number", "result"},
}


def instrumented(version: str) -> dict[str, dict[str, set[str]]]:
    """The formats of each marker, and the files of the kernel that have each."""
    found: dict[str, dict[str, set[str]]] = {}
    for patch, mail in patchset.series(version).items():
        if not patch.startswith("instrumentation/"):
            continue
        for part in mail.split("\ndiff --git a/")[1:]:
            path = part.split()[0]
            # Markers in the kernel's own files, not in those that the series adds.
            if "\nnew file mode " in part or path.startswith("Documentation/"):
                continue
            added = "\n".join(line[1:] for line in part.splitlines() if line.startswith("+"))
            for name, text in SITE.findall(added):
                found.setdefault(name, {}).setdefault(text, set()).add(path)
    return found


class Formats(unittest.TestCase):
    def setUp(self) -> None:
        self.versions = {version: instrumented(version) for version in patchset.versions()}

    def test_all_versions_have_the_same_markers(self) -> None:
        names = {version: sorted(markers) for version, markers in self.versions.items()}
        first = names["6.1"]
        self.assertEqual(len(first), 19)
        for version, found in names.items():
            self.assertEqual(found, first, version)

    def test_a_marker_has_one_format(self) -> None:
        formats: dict[str, dict[str, list[str]]] = {}
        for version, markers in self.versions.items():
            for name, texts in markers.items():
                for text, paths in texts.items():
                    places = [f"{version} {path}" for path in sorted(paths)]
                    formats.setdefault(name, {}).setdefault(text, []).extend(places)
        self.assertEqual({name: texts for name, texts in formats.items() if len(texts) != 1}, {})

    def test_each_argument_has_a_name(self) -> None:
        for name, texts in self.versions["6.1"].items():
            (text,) = texts
            self.assertRegex(text, NAMED, name)
            names = set(re.findall(r"(\w+)=", text))
            self.assertEqual(names, EXPECTED.get(name, names), name)

    def test_traps_on_x86_that_do_error_trap_does_not_see(self) -> None:
        traps = {"BR", "AC", "GP", "BP", "DB", "NM"}  # not seen by do_error_trap()
        for version in self.versions:
            made = patchset.series(version)
            (text,) = (mail for name, mail in made.items() if name.endswith("-x86-events.patch"))
            found = re.findall(
                r"^\+\t+(?:mark_trap\(regs|MARK\(trap_entry.*), .*X86_TRAP_(\w+)\b", text, re.M
            )
            self.assertEqual(set(found), traps, version)
