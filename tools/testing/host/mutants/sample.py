# SPDX-License-Identifier: GPL-2.0-only
"""Draws mutations of this project's code, of all that the generator universalmutator makes of it, and
finds out for each whether the suites of its file see it."""

from __future__ import annotations

import ast
import contextlib
import fnmatch
import hashlib
import io
import random
import subprocess
import tempfile
import time
import types
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import suites
from kmark.errors import Failure
from kmark.progress import Progress
from scipy.stats import binomtest
from tree import TOP, Tree, make

# The files, and the rules of the generator for them.
C, PYTHON = ("universal.rules", "c_like.rules", "c.rules"), ("universal.rules", "python.rules")
PLACES = {"markers/*.[ch]": C, "probes/*.[ch]": C, "tools/lib/*.py": PYTHON}
# Tests, and what is not built for this machine.
LEFT_OUT = ("markers/selftest/*", "*/arm64/*", "*/um/*", "*/generic/*")
NO_CODE = (r"^\s*(#|\*|/\*|//|import |from )", r"^\s*MODULE_", r"\bpr_(err|warn|info|debug)\(")

ORDER = ("native/order",)
NATIVE = ("boundaries", "faults", "calls")
REPLAYS = ("replay-patch", "replay-code", "replay-call", "replay-pointer")
CORE = (
    "guest/where",
    "guest/core",
    "guest/refusals-explained",
    "guest/leaving",
    "guest/refused",
    "guest/bulk",
)
RECORDER = (
    "guest/record",
    "guest/sessions",
    "guest/parts",
    "guest/event-headers",
    "guest/context",
    "guest/panic",
)
EVENTS = ("guest/expose", "guest/probes", "guest/fields", "guest/removed-event-is-read", "guest/wild")
TEXTS = ("guest/probes-print-as-printk", "guest/bad-pointers-print-as-printk", "guest/fields")
DEBUG_SITES = ("native/debug-sites", "guest/debug-sites")
UNIT = ("unit/unit",)
# The suites of a file, the fastest first: those of the first pattern that it matches.
SUITES_OF = {
    "markers/env/user/*": (*NATIVE, *REPLAYS, "wait", "tsan", "native/bulk", "native/hammer"),
    "markers/*operand*": (*NATIVE, "native/operands", *DEBUG_SITES, *CORE),
    "markers/*debug*": (*NATIVE, *DEBUG_SITES, *CORE),
    "markers/debugfs*": (*NATIVE, "native/recorder", *CORE, "guest/tools", "guest/writes"),
    "markers/escape*": ("native/recorder", *CORE, "guest/probes"),
    "markers/quiesce*": ("wait", "tsan", *NATIVE, *REPLAYS, *CORE),
    "markers/expose*": (*NATIVE, "guest/expose", *CORE),
    "markers/kprobe*": (*NATIVE, "guest/kprobe-sites", "guest/kprobes-on-gates-refused",
                        "guest/neighbours", *CORE),
    "markers/filter*": (*NATIVE, "guest/refusals-explained", "guest/core", "guest/probes", "guest/record",
                         "guest/tools"),
    "markers/plan*": (*NATIVE, "fuzz", *TEXTS, "guest/core", "guest/record", *EVENTS),
    "markers/fetch*": (*NATIVE, "fuzz", *TEXTS, "guest/record", *EVENTS),
    "markers/decode*": (*NATIVE, "fuzz", *TEXTS, "guest/record"),
    "markers/*print*": (*NATIVE, "fuzz", *TEXTS),
    "markers/symbol*": (*NATIVE, "fuzz", *TEXTS),
    "markers/arch/x86/text_write*": (*ORDER, *NATIVE, *CORE),
    "markers/context*": (*NATIVE, "guest/context", *CORE, "guest/probes"),
    "markers/marker_*": (*NATIVE, "native/compile", *DEBUG_SITES, "guest/fields", *CORE, "guest/probes"),
    "markers/*": (*NATIVE, *REPLAYS, "hammer", *CORE, *DEBUG_SITES, "guest/systems-of-markers",
                  "guest/disconnect-waits-for-probe", "guest/armed-site-in-init", "guest/far-call",
                  "guest/foreign-gate-leaves-others", "guest/unload-switches-off",
                  "guest/rmmod-waits-for-foreign-bytes", "guest/hammer"),
    "probes/ctf/*": ("ring", *ORDER, "native/recorder", *RECORDER, "guest/addresses-hidden-in-traces",
                     "guest/recorder-memory-refused",
                     "guest/recorder-clock-steps-back", "guest/writes",
                     "guest/record-ends-when-disconnected", "guest/snapshots-while-recording",
                     "guest/stacks-begin-at-site"),
    "probes/event/*": (*ORDER, "native/events", *EVENTS, *TEXTS, "guest/stacks-begin-at-site",
                       "guest/leaving"),
    "probes/arch/*": ("ring", *ORDER, "native/recorder", "native/events", "guest/record", "guest/context",
                      "guest/recorder-clock-steps-back", "guest/stacks-begin-at-site", "guest/probes"),
    "probes/probe_stack*": ("guest/stacks-begin-at-site", "guest/context", "guest/probes"),
    "probes/*": ("guest/probes", "guest/refusals-explained", "guest/thread-probes", "guest/correlate",
                 *TEXTS),
    "tools/lib/kmark/record/*": (*UNIT, "host/simulated", "guest/record", "guest/sessions", "guest/stream",
                                 "guest/panic", "guest/snapshots-while-recording"),
    "tools/lib/kmark/live/*": (*UNIT, "host/kmark", "guest/tools", "guest/kmark", "guest/correlate"),
    "tools/lib/kmark/export/*": (*UNIT, "host/export", "guest/export"),
    "tools/lib/kmark/kernel_cost/*": (*UNIT, "host/kmark", "guest/gate"),
    "tools/lib/kmark/kernel/*": (*UNIT, "host/series-mail", "host/kmark", "guest/gate"),
    "tools/lib/kmark/fleet/*": (*UNIT, "host/fleet"),
    "tools/lib/kmark/timing/kbest*": (*UNIT, "native/kbest"),
    "tools/lib/kmark/timing/*": (*UNIT, "native/method", "host/parsers"),
    "tools/lib/kmark/guest/uml*": (*UNIT, "guest/uml"),
    "tools/lib/kmark/guest/*": (*UNIT, "host/kmark", "guest/vm"),
    "tools/lib/kmark/convert/*": (*UNIT, "guest/convert"),
    "tools/lib/kmark/macro/*": (*UNIT, "native/macro", "host/parsers"),
    "tools/lib/kmark/bench/pack*": (*UNIT, "host/fleet"),
    "tools/lib/kmark/bench/*": (*UNIT, "host/kmark", "guest/bench-gate", "host/parsers"),
    "tools/lib/kmark/binary/*": (*UNIT, "native/site-code", "native/disassembly"),
    "tools/lib/kmark/report/rates*": (*UNIT, "host/simulated"),
    "tools/lib/kmark/report/*": (*UNIT, "host/kmark", "host/agree", "host/mail", "host/page",
                                 "host/parsers"),
    "tools/lib/kmark/commands/record*": (*UNIT, "host/kmark", "host/export", "guest/record", "guest/stream",
                                         "guest/export"),
    "tools/lib/kmark/commands/bench*": (*UNIT, "host/kmark", "host/entry-points", "guest/bench-gate"),
    "tools/lib/kmark/commands/fleet*": (*UNIT, "host/fleet"),
    "tools/lib/kmark/commands/kernel_cost*": (*UNIT, "host/kmark", "guest/gate"),
    "tools/lib/kmark/commands/lab_kbest*": (*UNIT, "native/kbest", "host/kmark"),
    "tools/lib/kmark/commands/lab_method*": (*UNIT, "native/method"),
    "tools/lib/kmark/commands/macro*": (*UNIT, "native/macro"),
    "tools/lib/kmark/commands/dev_convert*": (*UNIT, "guest/convert"),
    "tools/lib/kmark/commands/dev_patches*": (*UNIT, "host/series-mail"),
    "tools/lib/kmark/commands/dev_vm*": (*UNIT, "host/kmark", "guest/vm"),
    "tools/lib/kmark/commands/dev_*": (*UNIT, "host/package", "host/entry-points", "host/kmark"),
    "tools/lib/kmark/commands/report*": (*UNIT, "host/kmark", "host/agree", "host/mail", "host/page",
                                         "native/site-code"),
    "tools/lib/kmark/commands/compare*": (*UNIT, "host/kmark", "host/agree", "host/page"),
    "tools/lib/kmark/commands/*": (*UNIT, "host/kmark", "host/entry-points", "guest/tools", "guest/kmark"),
    "tools/lib/*": (*UNIT, "host/kmark", "host/entry-points", "host/parsers", "host/agree", "host/page",
                    "native/method", "host/package"),
}  # fmt: skip


@dataclass(frozen=True)
class Mutation:
    """Line `line` of `file`, which is `before`, becomes `after`."""

    file: str
    line: int
    before: str
    after: str

    @property
    def name(self) -> str:
        return f"{self.file}:{self.line}"

    @property
    def suites(self) -> tuple[str, ...]:
        found = next(names for pattern, names in SUITES_OF.items() if fnmatch.fnmatch(self.file, pattern))
        return tuple(dict.fromkeys(found))

    def planted(self, text: str) -> str:
        """Return the text of the file with the change. Failure if it is another text."""
        lines = text.splitlines(keepends=True)
        if lines[self.line - 1 : self.line] != [self.before]:
            raise Failure(f"{self.name}: the file has changed meanwhile")
        lines[self.line - 1] = self.after
        return "".join(lines)

    def lines(self) -> str:
        return f"\n    - {self.before.strip()}\n    + {self.after.strip()}"


def files() -> dict[str, tuple[str, ...]]:
    """The rules of the generator, by file."""
    listed = subprocess.run(["git", "-C", str(TOP), "ls-files"], capture_output=True, text=True, check=True)
    return {
        name: rules
        for pattern, rules in PLACES.items()
        for name in listed.stdout.splitlines()
        if fnmatch.fnmatch(name, pattern) and not any(fnmatch.fnmatch(name, out) for out in LEFT_OUT)
    }


def mutations() -> list[Mutation]:
    """Return all that the generator makes; nearly all of them can be built."""
    from universalmutator import mutator

    found = []
    for name, rules in files().items():
        lines = (TOP / name).read_text(encoding="utf-8").splitlines(keepends=True)
        with contextlib.redirect_stdout(io.StringIO()):
            made = mutator.mutants_regexp(lines, list(rules), ignorePatterns=NO_CODE, ignoreStringOnly=True)
        found += [Mutation(name, line, lines[line - 1], after) for line, after, *_ in made]
    return found


def drawn(seed: int, within: str) -> Iterator[Mutation]:
    """Yield mutations of different lines in a random order, each line with the same chance, of files that
    match WITHIN."""
    of_line: dict[tuple[str, int], list[Mutation]] = {}
    for mutation in mutations():
        if fnmatch.fnmatch(mutation.file, within):
            of_line.setdefault((mutation.file, mutation.line), []).append(mutation)
    chance = random.Random(seed)
    for place in chance.sample(sorted(of_line), len(of_line)):
        yield chance.choice(of_line[place])


def digest_of_code(path: Path) -> bytes:
    """A digest of what a program or module does, without the places of lines and digests of sources."""
    with tempfile.NamedTemporaryFile() as stripped:
        words = ["--strip-debug", "-R", ".note.gnu.build-id", "-R", ".modinfo", str(path), stripped.name]
        subprocess.run(["objcopy", *words], check=False, stderr=subprocess.DEVNULL)
        return hashlib.sha256(Path(stripped.name).read_bytes() or path.read_bytes()).digest()


def code_of(tree: Path, since_ns: int = 0) -> dict[str, bytes]:
    """Digests of the modules and programs that were built in a tree since then."""
    found = [*tree.glob("markers/**/*.ko"), *tree.glob("probes/**/*.ko"), *tree.glob("build/native/*")]
    return {
        str(path.relative_to(tree)): digest_of_code(path)
        for path in found
        if path.is_file() and path.stat().st_mtime_ns >= since_ns
    }


def without_end(body: list[ast.stmt]) -> None:
    """Take "continue" off the end of the body of a loop and of its branches: it changes nothing there."""
    while len(body) > 1 and isinstance(body[-1], ast.Continue):
        body.pop()
    if isinstance(body[-1], ast.If):
        without_end(body[-1].body)
        if body[-1].orelse:
            without_end(body[-1].orelse)


def essence(code: types.CodeType) -> tuple[object, ...]:
    """Return what is executed of code, without the numbers of its lines."""
    constants = [essence(one) if isinstance(one, types.CodeType) else repr(one) for one in code.co_consts]
    return (
        code.co_code, constants, code.co_names, code.co_varnames, code.co_freevars, code.co_exceptiontable,
        code.co_flags, code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount,
    )  # fmt: skip


def bare(text: str) -> tuple[object, ...]:
    """Return the code that Python makes of a text, without types, descriptions, asserts, which tell mypy a
    type, and a "continue" where the loop ends anyway. SyntaxError if it makes none."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.For | ast.While):
            without_end(node.body)
        if isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.AnnAssign):
            node.annotation = ast.Constant(None)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.returns = None
    for node in ast.walk(tree):  # in one line, whose instructions are not kept apart for debuggers
        for name in getattr(node, "_attributes", ()):
            setattr(node, name, 1)
    return essence(compile(tree, "", "exec", dont_inherit=True, optimize=2))


def is_other_python(one: str, other: str) -> bool:
    """False if both do the same, or Python refuses one."""
    try:
        return bare(one) != bare(other)
    except SyntaxError:
        return False


@dataclass(frozen=True)
class Result:
    """`by`: the suite that failed, "" if none did; `why`: what it said; `undecided`: why not."""

    mutation: Mutation
    by: str = ""
    why: str = ""
    undecided: str = ""
    seconds: float = 0

    def text(self) -> str:
        mutation = self.mutation
        if self.undecided:
            return f"undecided {mutation.name}: {self.undecided}{mutation.lines()}"
        if self.by:
            return f"killed    {mutation.name}: {self.by}, {self.seconds:.0f} s: {self.why}"
        return f"SURVIVED  {mutation.name}: {self.seconds:.0f} s{mutation.lines()}"


class Sampling:
    """Tries mutations in a copy of the tree."""

    def __init__(self, tree: Tree, guests: bool) -> None:
        self.tree, self.guests = tree, guests
        self.clean: dict[str, suites.Result] = {}  # of suites that have failed once: without a mutation
        self.prepared: set[str] = set()  # suites whose programs and modules were built
        self.code: dict[str, bytes] = {}  # digests of what was built without a mutation
        self.left_out = 0

    def build(self, names: list[str]) -> str:
        """Build what suites need. "" if that is done, else the end of what was printed."""
        return make(self.tree.work, {target for name in names for target in suites.find(name).targets})

    def prepare(self, names: list[str]) -> None:
        """Build what the suites need, without a mutation. Failure if that fails."""
        if said := self.build(names):
            raise Failure(f"a copy of the tree does not build: {said}")
        if not self.prepared.issuperset(names):
            self.code = code_of(self.tree.work) | self.code
            self.prepared.update(names)

    def run(self, name: str) -> str:
        """Run a suite with a mutation. "" if it passes, else how it failed."""
        limit = suites.limit(name, self.clean[name].seconds) if name in self.clean else suites.CLEAN_S
        return suites.run(name, self.tree.work, limit).why

    def confirm(self, name: str) -> None:
        """See once that a suite which has failed passes without a mutation. Failure if it does not."""
        if name not in self.clean:
            self.prepare([name])
            self.clean[name] = suites.run(name, self.tree.work, suites.CLEAN_S)
        if why := self.clean[name].why:
            raise Failure(f"the suite {name} fails without any mutation: {why}")

    def is_a_change(self, mutation: Mutation, names: list[str], planted_ns: int) -> bool:
        """Build the tree with the mutation. False if it cannot be built, or does the same."""
        if mutation.file.endswith(".py"):
            one, other = (
                (tree / mutation.file).read_text(encoding="utf-8")
                for tree in (self.tree.clean, self.tree.work)
            )
            return is_other_python(one, other)
        return not self.build(names) and any(
            self.code.get(name) != digest for name, digest in code_of(self.tree.work, planted_ns).items()
        )

    def suites_of(self, mutation: Mutation) -> list[str]:
        return [name for name in mutation.suites if self.guests or not suites.find(name).guest]

    def try_one(self, mutation: Mutation) -> Result | None:
        """None if the mutation changes nothing, or cannot be built. Failure if that cannot be known."""
        names = self.suites_of(mutation)
        # Leftovers of the last mutation are built again together with this one, where it is C.
        if mutation.file.endswith(".py") or not self.prepared.issuperset(names):
            self.prepare(names)
        start, start_ns = time.monotonic(), time.time_ns()
        self.tree.plant(mutation)
        by = why = ""
        try:
            if not self.is_a_change(mutation, names, start_ns):
                self.left_out += 1
                return None
            for by in names:
                why = self.run(by)
                if why:
                    break
        finally:
            self.tree.restore(mutation)
        if why:
            self.confirm(by)
        return Result(mutation, by if why else "", why, seconds=time.monotonic() - start)

    def results(self, mutations: Iterator[Mutation], number: int) -> Iterator[Result]:
        """Yield the results of the first so many mutations that change the code."""
        done = 0
        with Progress("mutations") as progress:
            for mutation in mutations:
                if done == number:
                    return
                if not self.suites_of(mutation):
                    continue
                progress.show(done, number)
                try:
                    result = self.try_one(mutation)
                except (Failure, OSError) as problem:
                    result = Result(mutation, undecided=str(problem))
                if result:
                    done += 1
                    yield result


def summary(results: list[Result], left_out: int, seed: int) -> str:
    decided = [result for result in results if not result.undecided]
    killed = sum(bool(result.by) for result in decided)
    bounds = binomtest(killed, max(len(decided), 1)).proportion_ci(0.95, method="exact")
    return (
        f"mutations: {killed} of {len(decided)} killed, {100 * killed / max(len(decided), 1):.0f} % "
        f"[{100 * bounds.low:.0f}, {100 * bounds.high:.0f}]; {len(results) - len(decided)} undecided; "
        f"{left_out} left out, as they change nothing or cannot be built; seed {seed}"
    )
