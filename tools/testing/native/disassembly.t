#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Check the machine code of the measured loops, in the program and the module.

For every shape and variant, in all layouts: the loop begins where its layout
says; its body is the bytes of the gates as markers/arch/x86/gates.h and bench/gates/ have them,
and nothing else; what is around the body is the same as around that of `none`;
each gate is in its table; and each cold block is behind the end of the loop's
function, so that a closed gate never jumps over it. In the shape "cold" the body is
calls, and the same holds for the functions that they lead to. What the peers call is the
same function as the empty probe. MARK() and nop5 are the same code, the programs that
share the rounds natively have all of it at addresses of their own, and the chain that
converts ticks to cycles has multiplications of 32 bits."""

from __future__ import annotations

import csv
import re
import subprocess
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

TOP = Path(__file__).resolve().parents[3]
OBJECTS = {  # and how to build them
    "native": (TOP / "build/native/obj/sites.o", "make native"),
    "module": (TOP / "bench/marker_bench.ko", "make modules"),
}
# Functions that do nothing, as (object, name): the empty probe, then its equals.
EMPTY = {
    "native": [
        (TOP / "build/native/obj/bench/probes/probe_empty.o", "empty"),
        (TOP / "build/native/obj/bench/loops/direct.o", "marker_bench_direct_probe"),
    ],
    "module": [
        (TOP / "bench/probes/probe_empty.ko", "empty"),
        (TOP / "bench/marker_bench.ko", "marker_bench_direct_probe"),
        (TOP / "bench/marker_bench.ko", "empty"),  # the tracepoint's
    ],
}
# Objects with the chain of multiplications that converts ticks to cycles.
CHAINS = {
    "native": TOP / "build/native/obj/bench/runner/fence.o",
    "module": TOP / "bench/marker_bench.ko",
}
# Variants of the same code, as tools/lib/kmark/analysis/site.py has it.
TWINS = ("mark", "nop5")
# Gates whose cold block begins in the next line where its call would cross one (MARKER_GATE_FAR).
PADDED = ("mark", "nop5", "flip", "pun", "nop14", "nop23", "jcc", "xor")
# The program, and the same with its code at other addresses.
PLACES = [TOP / "build/native" / name for name in ("bench", *(f"bench-{place}" for place in range(1, 10)))]
CALL = re.compile(rb"(?<=\x48\x8b\x3e\xe8)....", re.DOTALL)  # behind mov link(%rsi),%rdi; call
LAST_STEP = "step33333"
# push of a word in the frame; if it was stored in parts just before, it takes a dozen cycles
PUSH_OF_FRAME = re.compile(rb"\xff\x74\x24", re.DOTALL)
LINE, PAGE = 64, 4096
FUNCTION_ALIGN = 16
LAYOUTS, LAYOUT_STEP = 4, 16


def read_list(path: str) -> dict[str, list[str]]:
    """The columns of bench/loops/shapes.list or bench/peers/peers.list, by the first of them."""
    lines = [line.split("\t") for line in (TOP / path).read_text().splitlines()]
    return {columns[0]: columns[1:] for columns in lines if columns[0] and columns[0][0] != "#"}


def read_sites(shape: str) -> int:
    """How many sites the source of a shape says that it has."""
    source = (TOP / f"bench/loops/cases_{shape}.c").read_text()
    found = re.search(r"^#define BENCH_SITES\s+(\d+)$", source, re.MULTILINE)
    return int(found[1]) if found else 0


SHAPES, PEERS = read_list("bench/loops/shapes.list"), read_list("bench/peers/peers.list")
SITES = {shape: read_sites(shape) for shape in SHAPES}
# Shapes in which gcc may not copy the end of the loop into a cold block.
UNCOPIED = {"native": SHAPES.keys() - {"empty"}, "module": {"cold"}}
REL32 = b"...."
JNE = rb"(?:\x75.|\x0f\x85....)"
NOP5 = rb"\x0f\x1f\x44\x00\x00"
# mov $1,%edx; xor %ecx,%ecx; mov $site,%rsi; mov link(%rsi),%rdi
ARGUMENTS = rb"\xba\x01\x00\x00\x00\x31\xc9\x48\xc7\xc6....\x48\x8b\x3e"
IMM = rb"\xb0\x00\x84\xc0" + JNE
FORMS = ("fastcall", "varargs", "pointer", "stack", "expected", "parsed", "kprobe", "uprobe", "uprobe_step")
# mov flag(%rip),%eax; test; jne
FLAG = rb"\x8b\x05" + REL32 + rb"\x85\xc0" + JNE
# xor %esi,%esi; mov $1,%edi; call
CALLING = rb"\x31\xf6\xbf\x01\x00\x00\x00\xe8" + REL32
# Code of sites, by its name in peers.list.
PEER_SITES = {"call": CALLING, "nop5": NOP5, "imm": IMM}


def read_measured() -> list[dict[str, str]]:
    """The gates that exist only to be measured."""
    with (TOP / "bench/gates/gates.tsv").open(encoding="utf-8") as lines:
        return list(csv.DictReader((line for line in lines if not line.startswith("#")), delimiter="\t"))


def as_pattern(code: str) -> bytes:
    """Return a pattern for bytes in hexadecimal, or ".." for any."""
    return b"".join(b"." if byte == ".." else rb"\x" + byte.encode() for byte in code.split())


MEASURED = {row["gate"]: as_pattern(row["closed"]) for row in read_measured()}
MOVED = {f"null{by}": by for by in (2, 5, 8, 11)}  # copies of none, and the bytes that they are moved by
HOT = {  # one site, as a pattern of bytes
    "none": b"",
    "null": b"",
    **dict.fromkeys(MOVED, b""),
    "generic": rb"\x0f\xb6\x05" + REL32 + rb"\x84\xc0" + JNE,
    "imm": IMM,
    **{f"imm_{form}": IMM for form in FORMS},
    "nop5": NOP5,
    "pun": NOP5,
    "mark": NOP5,
    "sink": NOP5,  # MARK(), whose probe is a sink
    "flip": NOP5,  # until it is in the registry, as pun is
    "xor": rb"\x31\xc0\x0f\x85" + REL32,
    "xor8": rb"\x31\xc0\x75.",
    **MEASURED,
    "call": ARGUMENTS + MEASURED["call"],
    "direct": ARGUMENTS + rb"\xe8" + REL32,
    # mov marker_bench_direct_pointer(%rip),%rax; call the retpoline
    "retpoline": ARGUMENTS + rb"\x48\x8b\x05" + REL32 + rb"\xe8" + REL32,
    "lttng": FLAG,
    "flag": FLAG,
    "usdt": rb"\x90",
    "counter": rb"\x0f\x31",
    # One rdtsc among loads and stores as the compiler likes them.
    "ring": rb"(?:(?!\x0f\x31).){4,60}\x0f\x31(?:(?!\x0f\x31).){20,60}",
    "kprobe_site": b"",
    "kprobe_site_jump": NOP5,
    # incl and decl of the count; je to the cold block that calls the scheduler
    "preempt": rb"\x65\xff\x05" + REL32 + rb"\x65\xff\x0d" + REL32 + rb"(?:\x74.|\x0f\x84....)",
    **{name: PEER_SITES.get(site, site.encode()) for name, (*_, site) in PEERS.items() if site != "key"},
}
# Bytes before a function that its alignment counts in: kernels since 6.2 may reserve 16 there.
PADDED = {"native": (0,), "module": (0, 16)}
KEY = {"native": NOP5, "module": rb"(?:\x66\x90|" + NOP5 + b")"}
KEYED = ("key", *(name for name, (*_, site) in PEERS.items() if site == "key"))  # static keys
UNGATED = (
    "none", "null", *MOVED, "direct", "retpoline", "lttng", "flag", "usdt", "ring", "counter", "preempt",
    "kprobe_site", "kprobe_site_jump",
    *(name for name, (*_, site) in PEERS.items() if site not in ("key", "imm")),
)  # fmt: skip
# Variants whose cold blocks need registers or stack, prepared where the function begins.
OWN_FRAME = ("lttng", "imm_stack")
# Instructions behind each site, by shape.
BEHIND = {shape: behind.encode() for shape, (_, behind, _) in SHAPES.items() if behind != "-"}
# Where in a site the jump to the cold block is, if it is there while closed:
# bytes behind the patched one. Then: length of its opcode, and of its operand.
JUMP_AT = {"generic": 9, "imm": 4, **{f"imm_{form}": 4 for form in FORMS},
           **{row["gate"]: int(row["jump"]) for row in read_measured() if row["jump"] != "-"},
           "xor": 0, "xor8": 0}  # fmt: skip
JUMP_SIZE = {0x0F: (2, 4), 0x75: (1, 1)}
LOOP_END = b"\x48\x83\xeb\x01"  # sub $1,%rbx; then jne
# add to %rsp; pop %rbx; pop others; return
POPS = rb"(?:\x48\x83\xc4.)?\x5b(?:\x41?[\x58-\x5f])*"
EPILOGUE = {"native": POPS + rb"\xc3", "module": POPS + rb"(?:\xc3|\xe9....)"}


@dataclass(frozen=True)
class Function:
    """A measured loop: where it lies in .text, and its bytes."""

    start: int
    code: bytes


@dataclass(frozen=True)
class Gate:
    """An entry of the gate table, or of the kernel's jump table."""

    code: int
    cold: int


class Wrong(Exception):
    """Something is not as it should be."""


def output(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def read_text(path: Path) -> bytes:
    """The bytes of .text; relocatable objects have one, from address 0."""
    for line in output("readelf", "-SW", str(path)).splitlines():
        found = re.search(r" \.text +PROGBITS +\w+ (\w+) (\w+)", line)
        if found:
            offset, size = (int(number, 16) for number in found.groups())
            return path.read_bytes()[offset : offset + size]
    raise Wrong(f"{path} has no .text")


def read_symbols(path: Path) -> dict[str, tuple[int, int]]:
    """Offset in its section and size. (nm would add the section's address,
    which the linker script leaves in even where nothing has one yet.)"""
    found = re.findall(
        r"^ *\d+: (\w+) +(\d+) \w+ +\w+ +\w+ +\d+ (\w+)$", output("readelf", "-sW", str(path)), re.M
    )
    return {name: (int(value, 16), int(size)) for value, size, name in found}


def read_functions(path: Path) -> dict[tuple[str, str, int], Function]:
    """By shape, variant and layout."""
    text = read_text(path)
    functions = {}
    for name, (start, size) in read_symbols(path).items():
        found = re.fullmatch(r"([a-z0-9]+)_([a-z0-9_]+)_(\d)", name)
        if found and found[1] in SITES:
            functions[found[1], found[2], int(found[3])] = Function(start, text[start : start + size])
    return functions


def read_table(path: Path, section: str, where: range) -> list[Gate]:
    """The first two fields of each entry of a table, from relocations: the
    step of `where` is the size of an entry."""
    fields: dict[int, dict[int, int]] = defaultdict(dict)
    wanted = False
    for line in output("readelf", "-rW", str(path)).splitlines():
        if line.startswith("Relocation section"):
            wanted = f"'.rela{section}'" in line
        found = re.match(r"(\w{16}) .* \.text \+ (\w+)$", line)
        if wanted and found and where.start <= int(found[1], 16) < where.stop:
            entry, field = divmod(int(found[1], 16) - where.start, where.step)
            fields[entry][field] = int(found[2], 16)
    return [Gate(field[0], field[4]) for field in fields.values() if {0, 4} <= field.keys()]


def read_own_gates(path: Path) -> list[Gate]:
    symbols = read_symbols(path)
    ours = range(symbols["__marker_gates"][0], symbols["__marker_gates_end"][0], 12)
    return read_table(path, ".discard_markers", ours)


def read_branches(path: Path) -> list[Gate]:
    """Return the branches of static keys in a module."""
    return read_table(path, "__jump_table", range(0, sys.maxsize, 16))


def read_gates(path: Path) -> list[Gate]:
    """Return the gates of our table, and the branches of static keys that are not gates."""
    ours = read_own_gates(path)
    known = {gate.code for gate in ours}
    return ours + [branch for branch in read_branches(path) if branch.code not in known]


def check_reserved(path: Path) -> list[str]:
    """A gate that is a NOP of 2 or 5 bytes is a branch in the kernel's table, to the
    same place; no other is, since the kernel decodes what stands at a branch."""
    text, troubles = read_text(path), []
    branches = {branch.code: branch.cold for branch in read_branches(path)}
    for gate in read_own_gates(path):
        nop = text.startswith((b"\x0f\x1f\x44\x00\x00", b"\x66\x90"), gate.code)
        call = gate.cold == gate.code  # the call is patched, and there is no block
        wanted = (gate.code + 5 if call else gate.cold) if nop else None
        if branches.get(gate.code) != wanted:
            troubles.append(f"the gate at {gate.code:#x}: its branch leads to {branches.get(gate.code)}")
    return troubles


def encoded_target(code: bytes, at: int) -> int:
    """Where the jump at `at`, or the jump that it may become, leads."""
    opcode, operand = JUMP_SIZE[code[at]]
    end = at + opcode + operand
    return end + int.from_bytes(code[at + opcode : end], "little", signed=True)


def loop_of(function: Function) -> tuple[int, int, list[int]]:
    """Where in the function the body begins, and the end of it; and copies of the end, by which
    the compiler saves a jump out of the last cold block."""
    pattern = re.escape(LOOP_END) + rb"(?=\x75|\x0f\x85)"
    ends = [found.start() for found in re.finditer(pattern, function.code)]
    begins = {encoded_target(function.code, end + len(LOOP_END)) for end in ends}
    if len(begins) != 1:
        raise Wrong(f"{len(ends)} ends of loops, {len(begins)} begins")
    return begins.pop(), ends[0], ends[1:]


def check_body(env: str, shape: str, variant: str, body: bytes) -> None:
    if shape == "cold":  # has its sites in functions: check_cold()
        if not re.fullmatch(rb"\xe8....", body, re.DOTALL):
            raise Wrong("the loop is not the call of the first step")
        return
    site = KEY[env] if variant in KEYED else HOT[variant]
    pattern = b"(?:" + site + BEHIND.get(shape, b"") + b"){%d}" % SITES[shape]
    if not re.fullmatch(pattern, body, re.DOTALL):
        raise Wrong(f"the loop is {body.hex(' ')}")


def check_gates(shape: str, variant: str, function: Function, gates: list[Gate], end: int) -> None:
    """`end`: of the hot part of the function, return included."""
    here = [gate for gate in gates if 0 <= gate.code - function.start < end]
    wanted = 0 if variant in UNGATED or shape == "cold" else SITES[shape]
    if len(here) != wanted:
        raise Wrong(f"{len(here)} gates in the tables instead of {wanted}")
    for gate in here:
        code, cold = gate.code - function.start, gate.cold - function.start
        if variant == "call" and code == cold:
            continue  # the call is patched, and there is no block
        if not end <= cold < len(function.code):
            raise Wrong(f"the gate at +{code:#x} leads to +{cold:#x}")
        if variant in PADDED and not shape.startswith("event"):  # has other arguments
            check_padding(function, gate)
        if variant in JUMP_AT:
            encoded = encoded_target(function.code, code + JUMP_AT[variant])
            if encoded != cold:
                raise Wrong(f"the gate at +{code:#x} leads to +{encoded:#x}, by the table to +{cold:#x}")


def check_padding(function: Function, gate: Gate) -> None:
    """The call behind a padded gate, with its arguments, is in one cache line."""
    called = re.compile(ARGUMENTS + rb"\xe8....", re.DOTALL).match(
        function.code, gate.cold - function.start
    )
    if not called:
        raise Wrong(f"no call with the arguments at +{gate.cold - function.start:#x}")
    if gate.cold // LINE != (function.start + called.end() - 1) // LINE:
        raise Wrong(f"the call at +{gate.cold - function.start:#x} crosses a cache line")


def check(env: str, shape: str, variant: str, layout: int, function: Function,
          like: Function, gates: list[Gate]) -> None:  # fmt: skip
    begin, end, copies = loop_of(function)
    if (function.start + begin - MOVED.get(variant, 0)) % 64 != layout * LAYOUT_STEP:
        raise Wrong(f"the loop begins at {(function.start + begin) % 64} of a line")
    check_body(env, shape, variant, function.code[begin:end])
    like_begin, *_ = loop_of(like)
    if variant not in (*OWN_FRAME, *MOVED) and function.code[:begin] != like.code[:like_begin]:
        raise Wrong("what precedes the loop is not what precedes it in none")
    tail = re.compile(re.escape(LOOP_END) + JNE + EPILOGUE[env], re.DOTALL)
    epilogue = tail.match(function.code, end)
    if not epilogue:
        raise Wrong("the function does not return behind the loop")
    if copies and (
        shape in UNCOPIED[env] or copies[0] < epilogue.end() or variant in UNGATED or len(copies) > 1
    ):
        raise Wrong(f"an end of the loop at +{copies[0]:#x}")
    check_gates(shape, variant, function, gates, epilogue.end())
    # In "cold" the call leads to another function.
    if variant == "null" and shape != "cold" and function.code != like.code:
        raise Wrong("null is not the same as none")
    if variant in MOVED and function.code[begin:] != like.code[like_begin:]:
        raise Wrong(f"the loop of {variant} is not that of none")
    if (env, variant) == ("native", "imm_stack") and PUSH_OF_FRAME.search(function.code):
        raise Wrong("an argument is pushed from memory")


def check_cold(env: str, path: Path, gates: list[Gate]) -> dict[str, list[str]]:
    """The sites of the shape "cold": each alone in a step that ends in one jump, to which
    its cold block leads back, at another place in its cache line, and in a table."""
    text, known = read_text(path), {gate.code for gate in gates}
    found: dict[str, list[str]] = defaultdict(list)
    numbers: dict[str, set[str]] = defaultdict(set)
    for name, (start, size) in read_symbols(path).items():
        if not (site := re.fullmatch(r"([a-z0-9]+)_step([0-3]{5})", name)):
            continue
        variant, number = site.groups()
        numbers[variant].add(number)
        nops = int("1" + number) % 7 * 3
        hot = KEY[env] if variant in KEYED else HOT[variant]
        code = text[start + nops : start + size]
        begins = re.match(hot + rb"(?=[\xe9\xeb])", code, re.DOTALL)
        if start % 128 not in PADDED[env] or not begins:
            found[variant].append(f"{name} at {start:#x} is {code[:16].hex(' ')}")
        elif variant not in UNGATED and code[-2:] != bytes([0xEB, begins.end() - len(code) & 0xFF]):
            found[variant].append(f"{name} at {start:#x} ends in {code[-7:].hex(' ')}")
        if (start + nops in known) != (variant not in UNGATED):
            found[variant].append(f"whether {name} has a gate is not as the tables say")
    names = {f"{env}: sites of cold {variant}": found[variant] for variant in numbers}
    for variant, those in numbers.items():
        if len(those) != SITES["cold"]:
            names[f"{env}: sites of cold {variant}"].append(f"there are {len(those)}")
    return names


def check_twins(path: Path) -> list[str]:
    """TWINS are the same code, in each layout and step, but for how far it is to the probe, to the
    first step and from the last; what else the linker fills in is still 0."""
    text = read_text(path)
    code: dict[str, dict[str, bytes]] = {variant: {} for variant in TWINS}
    for name, (start, size) in read_symbols(path).items():
        found = re.fullmatch(r"(?:([a-z0-9]+)_)?([a-z0-9]+)_(\d|step[0-3]{5})", name)
        if not found or found[2] not in code or found[3] == LAST_STEP:
            continue
        if found[1] is None or found[1] in SITES.keys() - {"cold"}:
            code[found[2]][f"{found[1]} {found[3]}"] = CALL.sub(b"", text[start : start + size])
    one, other = code.values()
    troubles = [] if len(one) >= SITES["cold"] else [f"{len(one)} functions"]
    for name in one.keys() | other.keys():
        if one.get(name) != other.get(name):
            troubles.append(f"{name}: {one.get(name, b'').hex()}, {other.get(name, b'').hex()}")
    return troubles


def check_places() -> list[str]:
    """Each of PLACES has all loops of a layout at the same place of a page, which is another one
    in each, and at the same place of a line."""
    troubles, places = [], []
    for path in (path for path in PLACES if path.exists()):
        starts: dict[str, set[int]] = defaultdict(set)
        for name, (start, _) in read_symbols(path).items():
            found = re.fullmatch(r"([a-z0-9]+)_[a-z0-9_]+_(\d)", name)
            if found and found[1] in SITES.keys() - {"cold"}:
                starts[found[2]].add(start % PAGE)
        if sorted(map(len, starts.values())) != [1] * LAYOUTS:
            troubles.append(f"{path.name}: {dict(starts)}")
        places.append(min(starts["0"], default=-1))
    if len(set(places)) != len(PLACES) or {place % LINE for place in places} != {0}:
        troubles.append(f"{len(PLACES)} programs begin at {places}")
    return troubles


def check_object(env: str, path: Path) -> dict[str, list[str]]:
    """Return the errors, by shape and variant."""
    functions = read_functions(path)
    gates = read_gates(path)
    troubles: dict[str, list[str]] = {}
    for (shape, variant, layout), function in sorted(functions.items()):
        name = f"{env}: {shape} {variant}"
        troubles.setdefault(name, [])
        try:
            check(env, shape, variant, layout, function, functions[shape, "none", layout], gates)
        except (Wrong, KeyError) as wrong:
            troubles[name].append(f"layout {layout}: {wrong}")
    return troubles | check_cold(env, path, gates)


def read_function(path: Path, name: str) -> Function:
    start, size = read_symbols(path)[name]
    return Function(start, read_text(path)[start : start + size])


def check_empty(env: str) -> list[str]:
    probe, *others = EMPTY[env]
    like = read_function(*probe)
    troubles = []
    for path, name in others:
        function = read_function(path, name)
        if function.code != like.code:
            troubles.append(f"{name} of {path.name} is {function.code.hex(' ')}, not {like.code.hex(' ')}")
        if (function.start - like.start) % FUNCTION_ALIGN:
            troubles.append(f"{name} of {path.name} is not aligned as the probe is")
    return troubles


def check_chain(env: str) -> list[str]:
    """Return the error if the chain has multiplications of 64 bits, which take more than 3 cycles on some
    cores, such as AMD's Zen 1."""
    code = read_function(CHAINS[env], "run_imuls").code
    found = len(re.findall(rb"\x0f\xaf", code)), len(re.findall(rb"[\x48-\x4f]\x0f\xaf", code))
    return [] if found == (64, 0) else [f"{found[0]} multiplications, of them {found[1]} of 64 bits"]


def main() -> int:
    results: dict[str, list[str]] = {}
    for env, (path, command) in OBJECTS.items():
        if path.exists():
            found = check_object(env, path)
            results[f"{env}: {path.name} has loops"] = [] if found else ["none found"]
            results |= found
            results[f"{env}: peers call what the empty probe is"] = check_empty(env)
            results[f"{env}: {' and '.join(TWINS)} are the same code"] = check_twins(path)
            results[f"{env}: the chain has multiplications of 32 bits"] = check_chain(env)
            if env == "native":
                results["native: each program has all loops at a place of its own in a page"] = (
                    check_places()
                )
            if env == "module":
                results["module: kprobes keep off NOP gates"] = check_reserved(path)
        else:
            results[f"{env}: {path.name} is built"] = [f"{path} is missing: {command}"]
    print(f"1..{len(results)}")
    for number, (name, troubles) in enumerate(results.items(), 1):
        print(f"{'not ' if troubles else ''}ok {number} - {name}")
        for trouble in troubles:
            print(f"# {trouble}")
    return 1 if any(results.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
