#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""kmark report size and kmark report disassemble against a count of their own: sections as
readelf has them, bytes as objcopy takes them out, instructions as objdump
writes them down. And against the listings of the 2006 mails."""

from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

TOP = Path(__file__).resolve().parents[3]
KMARK = TOP / "tools/kmark"
FOLDERS = {"native": TOP / "build/native/obj/bench/site_code", "kernel": TOP / "bench/site_code"}
PROBES = {
    "native": TOP / "build/native/obj/bench/probes/probe_copy.o",
    "kernel": TOP / "bench/probes/probe_copy.o",
}
NAMES = {"native": "subsys_mark1", "kernel": "marker_site_code/subsys_mark1"}
HOT = {  # bytes of a closed gate; of the first two, with a short branch
    "generic": 11, "imm": 6, "nop5": 5, "flip": 5, "pun": 5, "mark": 5, "xor": 8,
}  # fmt: skip
with (TOP / "bench/gates/gates.tsv").open(encoding="utf-8") as lines:
    table = csv.DictReader((line for line in lines if not line.startswith("#")), delimiter="\t")
    HOT |= {row["gate"]: int(row["hot"]) for row in table if row["reach"] != "call"}
ENTRIES = {".discard_markers": "site_entry", ".discard_marker_gates": "gate_entry",
           ".discard_marker_calls": "call_entry"}  # fmt: skip
GENERIC, IMM = r"0f b6 05 (.. ){4}84 c0 (75 ..|0f 85( ..){4})", r"b0 00 84 c0 (75 ..|0f 85( ..){4})"

results: list[tuple[str, str]] = []


def output(*command: object) -> str:
    return subprocess.run(
        [str(word) for word in command], check=True, capture_output=True, text=True
    ).stdout


def check(name: str, test: Callable[[], str]) -> None:
    """`test` returns what is wrong, or nothing."""
    results.append((name, test()))


def path_of(env: str, gate: str) -> Path:
    return FOLDERS[env] / f"my_open_{gate.upper()}.o"


def sections(path: Path) -> dict[str, int]:
    """Return the sizes of sections with the flag A, without those that the linker drops."""
    found: dict[str, int] = {}
    for line in output("readelf", "-SW", path).splitlines():
        match = re.match(r" *\[ *\d+\] (\S+) +\S+ +\w+ +\w+ +(\w+) +\w+ +(\w*A\w*) ", line)
        if match and not match[1].startswith(".discard."):
            found[match[1]] = found.get(match[1], 0) + int(match[2], 16)
    return found


def grown(env: str, gate: str) -> dict[str, int]:
    with_it, without = sections(path_of(env, gate)), sections(path_of(env, "none"))
    names = with_it.keys() | without.keys()
    return {name: with_it.get(name, 0) - without.get(name, 0) for name in names}


def function_bytes(path: Path, name: str) -> bytes:
    """Taken out by objcopy, at the place that nm says."""
    place = re.search(rf"^(\w+) (\w+) t {name}$", output("nm", "-S", path), re.M)
    assert place, name
    start, size = int(place[1], 16), int(place[2], 16)
    with tempfile.NamedTemporaryFile() as text:
        output("objcopy", "-O", "binary", "-j", ".text", path, text.name)
        return Path(text.name).read_bytes()[start : start + size]


def instructions(path: Path) -> list[tuple[int, str]]:
    """Return the instructions of my_open: bytes and text of each, relocation included."""
    text = output("objdump", "-d", "-r", "-w", "--section=.text", path)
    body = text[text.index("<my_open>:\n") :].split("\n\n")[0]
    found = re.findall(r"^ *[0-9a-f]+:\t((?:[0-9a-f]{2} )+) *\t?(.*)$", body, re.M)
    return [(len(code.split()), text) for code, text in found]


def leaves(text: str) -> bool:
    return text.startswith("ret") or "return_thunk" in text


def counted(env: str, gate: str) -> tuple[int, int, int]:
    """Hot, cold and padding, by the words of objdump."""
    listing = instructions(path_of(env, gate))
    error = next(n for n, (_, text) in enumerate(listing) if text.startswith("mov    $0xffffffff,%eax"))
    leave = next(n for n, (_, text) in enumerate(listing) if n > error and leaves(text))
    behind = leave + 1
    while behind < len(listing) and re.match(r"(data16|cs|nop|xchg +%ax,%ax)", listing[behind][1]):
        behind += 1
    hot = sum(size for size, _ in listing[:error])
    pad = sum(size for size, _ in listing[leave + 1 : behind])
    return hot, sum(size for size, _ in listing[behind:]), pad


def check_size(one: dict[str, Any]) -> str:
    env, gate = one["env"], one["gate"]
    wrong = []
    mine = (one["hot"], one["cold"], one["pad"])
    if mine != counted(env, gate):
        wrong.append(f"hot, cold, pad are {mine}, counted {counted(env, gate)}")
    if gate in HOT and one["hot"] != HOT[gate]:
        wrong.append(f"hot is {one['hot']}, not {HOT[gate]}")
    more = grown(env, gate)
    for section, name in ENTRIES.items():
        if one[name] != more.get(section, 0):
            wrong.append(f"{section} grows by {more.get(section, 0)}, not {one[name]}")
    rest = {
        n: s for n, s in more.items() if s and n not in (".text", *ENTRIES) and not n.startswith(".rodata")
    }
    if one["other"] != rest:
        wrong.append(f"other is {one['other']}, counted {rest}")
    strings = sum(size for name, size in more.items() if name.startswith(".rodata"))
    if one["name"] + one["format"] + one["file"] != strings or one["name"] != len(NAMES[env]) + 1:
        wrong.append(f"strings are {strings} bytes")
    return "; ".join(wrong)


def check_listing(one: dict[str, Any]) -> str:
    path = PROBES[one["env"]] if one["function"] == "do_mark1" else path_of(one["env"], one["gate"])
    code = bytes.fromhex("".join(i["code"] for i in one["instructions"]))
    if code != function_bytes(path, one["function"]):
        return f"the bytes are {code.hex(' ')}"
    hot = code[: one["hot"]].hex(" ")
    for gate, pattern in (("generic", GENERIC), ("imm", IMM)):
        if one["gate"] == gate and (not re.fullmatch(pattern, hot) or one["as_in_2006"] is not True):
            return f"the hot path is {hot}, as in 2006: {one['as_in_2006']}"
    return ""


def check_probe(one: dict[str, Any]) -> str:
    """Check that the probe takes two values and keeps both."""
    stores = [i["text"] for i in one["instructions"] if re.match(r"mov %\w+,0x\w+\(%rip\)", i["text"])]
    return "" if len(stores) == 2 else f"it stores {stores}"


def check_thread(listings: dict[str, list[dict[str, Any]]]) -> str:
    """Offsets add up, and the cold blocks are what lkml-2006-size.tsv corrects to."""
    for name, listing in listings.items():
        at = 0
        for one in listing:
            if one["offset"] != at:
                return f"{name}: {one['offset']:#x} follows {at:#x}"
            at += len(one["code"].split())
    colds = [
        sum(len(one["code"].split()) for one in listings[name][9:]) for name in ("optimized", "generic")
    ]
    return "" if colds == [51, 51] else f"the cold blocks have {colds} bytes"


def main() -> int:
    sizes = json.loads(output(KMARK, "report", "size", "--json"))
    for one in sizes["sizes"]:
        check(f"size {one['env']} {one['gate']}", lambda one=one: check_size(one))
    check(
        "a size for each gate in both", lambda: "" if len(sizes["sizes"]) >= 2 * len(HOT) else "some lack"
    )
    corrected = {line["what"]: line for line in sizes["thread"]}["unlikely path"]
    check("the thread's cold bytes are corrected",
          lambda: "" if corrected["optimized_corrected"] == "51" else str(corrected))  # fmt: skip
    shown = json.loads(output(KMARK, "report", "disassemble", "--json"))
    for one in shown["functions"]:
        check(
            f"disassemble {one['env']} {one['function']} {one['gate']}", lambda one=one: check_listing(one)
        )
        if one["function"] == "do_mark1":
            check(f"do_mark1 {one['env']} keeps both values", lambda one=one: check_probe(one))
    check("the listings of the mails are whole", lambda: check_thread(shown["thread"]))
    text = output(KMARK, "report", "disassemble", "--env", "native", "imm")
    wide = [line for line in text.splitlines() if len(line) > 72]
    check("text of at most 72 columns", lambda: "; ".join(wide))
    beside = re.search(r"today +b0 00 84 c0 75 ..\n +2006 +b0 00 84 c0 75 07\n", text)
    check("today's bytes beside those of 2006", lambda: "" if beside else text)
    done = subprocess.run(
        [KMARK, "report", "disassemble", "moon"], capture_output=True, text=True, check=False
    )
    named = done.returncode == 2 and "no gate is called moon (there are: none " in done.stderr
    check("an unknown gate is status 2, named", lambda: "" if named else done.stderr)
    print(f"1..{len(results)}")
    for number, (name, wrong) in enumerate(results, 1):
        print(f"{'not ' if wrong else ''}ok {number} - {name}")
        if wrong:
            print("# " + wrong.replace("\n", "\n# "))
    return 1 if any(wrong for _, wrong in results) else 0


if __name__ == "__main__":
    sys.exit(main())
