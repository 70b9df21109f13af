# SPDX-License-Identifier: GPL-2.0-only
"""Reader of kmark-raw/1: what the bench module and the native runner print.

Tab-separated. `#kmark-raw/1` opens a document, `#key<TAB>value` lines are its environment,
a line names the columns of a record kind, the lines after it are records; the first column is
the kind. Where several programs print one kind, each names the same columns again. Unknown
kinds are ignored. A file may hold several documents, one for each
environment. `#lines` in a head says how many lines the document has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property

from kmark import foreign
from kmark.analysis import variants
from kmark.errors import Failure

MAGIC = "#kmark-raw/1"
COUNTS = ("round", "layout", "loops", "sites", "ticks", "add0", "imul0", "add1", "imul1")
NAMES = ("shape", "variant", "state")
COLUMNS = {  # required in the records of a kind
    "case": (*NAMES, *COUNTS),
    "toggle": (
        "round", "what", "state", "sites", "transactions", "rounds", "traps", "seen", "peer", "amount",
    ),
    "interrupts": ("what", "state", "sites", "count"),
    "scale": ("round", "what", "sites", "amount"),
    "memory": ("name", "bytes"),
    "series": (
        "number", "fence", "reads", "test", "samples", "tolerance", "step", "stride", "insns",
        "add0", "imul0", "add1", "imul1",
    ),
    "ensemble": (
        "series", "number", "stores", "kept", "sum", "squares", "min", "max", "backwards", "disturbed",
        "worst", "took",
    ),
    "bin": ("series", "from", "width", "count"),
    "fence": ("name", "reads", "has"),
    "skew": ("cpu", "other", "low", "high", "rounds"),
    "speed": ("round", "sleep_ms", "by_sleep_hz", "by_clock_hz", "empty_cycles"),
    "interval": ("round", "delta_us", "ticks", "actual_us"),
    "order": ("round", "first", "place", "function", "cycles"),
    "best": ("clock", "us", "expected_ns", "ns", "runs", "calls", "spread", "converged"),
    "run": ("clock", "us", "number", "value"),
    "validation": ("load", "compensated", "us", "expected", "measured", "runs", "converged"),
    "command": ("number", "cycles", "ns", "user_us", "system_us", "status"),
    "macro": ("workload", "state", "round", "ops", "ticks", "ns", "idle_ns", "events"),
}  # fmt: skip
# Kept as rows: of bench/timing/methods for timing/series.py, of bench/timing/kbest for
# timing/kbest.py, of bench/macro for macro/figures.py, of tools/native/bulk.c for
# analysis/scale.py, of tools/vm/toggle.sh for analysis/toggle.py.
TABLES = (
    "interrupts",
    "scale",
    "series",
    "ensemble",
    "bin",
    "fence",
    "skew",
    "speed",
    "interval",
    "order",
    "best",
    "run",
    "validation",
    "command",
    "macro",
)
# Keys of the environment that are numbers, if they are there, and the least that they may be.
NUMBERS = {
    "layouts": 1, "processes": 1, "chain_adds": 0, "chain_imuls": 0, "imul_latency": 1, "fence_ticks": 0,
    "slice_loops": 0, "tsc_step": 1, "lines": 1,
}  # fmt: skip
MOST = (1 << 63) - 1
NAME = re.compile(r"[A-Za-z0-9_.-]+")
STATES = ("closed", "open")
SITE_STATES = ("disabled", "enabled")
UNKNOWN = "-"


@dataclass(frozen=True)
class Sample:
    """One timed loop, in ticks, and the chains timed just before and just after it: 0 where
    none were."""

    shape: str
    variant: str
    state: str
    round: int
    layout: int
    loops: int
    sites: int
    ticks: int
    add0: int
    imul0: int
    add1: int
    imul1: int

    @property
    def has_chains(self) -> bool:
        return bool(self.add0 and self.imul0 and self.add1 and self.imul1)


@dataclass(frozen=True)
class Toggle:
    """Transactions that opened or closed all sites. `amount`: ns or instructions in all;
    `peer`: percent of the time that the other thread ran. None: not known."""

    what: str
    state: str
    round: int
    sites: int
    transactions: int
    rounds: int | None
    traps: int | None
    peer: int | None
    amount: int


@dataclass
class Raw:
    """One document. `memory`: bytes by name; `tables`: rows of other kinds, as they came; `where`:
    the file and the line that it begins at, for messages."""

    environment: dict[str, str] = field(default_factory=dict)
    samples: list[Sample] = field(default_factory=list)
    toggles: list[Toggle] = field(default_factory=list)
    memory: dict[str, int] = field(default_factory=dict)
    tables: dict[str, list[dict[str, str]]] = field(default_factory=dict)
    where: str = "raw data"

    @contextmanager
    def named(self) -> Iterator[None]:
        """A context: a Failure in it says of which document it is."""
        try:
            yield
        except Failure as failure:
            raise Failure(f"{self.where}: {failure}") from None

    @property
    def env(self) -> str:
        """The environment that it was measured in: native, vm, uml or host."""
        return self.environment["env"]

    @cached_property
    def shortest_chains(self) -> int:
        """Ticks of the shortest two chains around a sample, which no longer change."""
        return min(min(s.add0 + s.add1, s.imul0 + s.imul1) for s in self.samples)

    def number(self, key: str) -> int:
        """The environment value KEY as a number. Failure if it is missing or none."""
        try:
            return int(self.environment[key])
        except (KeyError, ValueError):
            found = self.environment.get(key, "nothing")
            raise Failure(f"{self.env}: #{key} must be a number, found {found}") from None

    def number_or(self, key: str, default: int) -> int:
        """Return number(KEY), or `default` where it is missing, as it is in older raw data."""
        return self.number(key) if key in self.environment else default


def join_runs(outputs: list[str]) -> str:
    """Joins the documents of several runs of the same program into one. Each run has its
    text and data in other pages, so its layouts get numbers of their own."""
    first = foreign.lines(outputs[0])
    columns = next(line.split("\t") for line in first if line.startswith("case\t"))
    place = columns.index("layout")
    layouts = int(next(line.split("\t")[1] for line in first if line.startswith("#layouts\t")))
    joined = [line for line in first if line.startswith("#") and not line.startswith("#lines\t")]
    joined += [f"#processes\t{len(outputs)}", "\t".join(columns)]
    for number, output in enumerate(outputs):
        for line in foreign.lines(output):
            cells = line.split("\t")
            if cells[0] == "case" and cells != columns:
                cells[place] = str(int(cells[place]) + number * layouts)
                joined.append("\t".join(cells))
    joined += [line for line in first if line.split("\t")[0] in TABLES]
    return "\n".join(joined) + "\n"


def counted(text: str) -> str:
    """Return a document with the number of its lines in its head, so that parse() refuses a part of it."""
    first, *others = foreign.lines(text)
    return "\n".join([first, f"#lines\t{len(others) + 2}", *others]) + "\n"


def whole(cell: str, least: int = 0) -> int:
    """Return the number in a cell. ValueError for any other text, a number below `least`, or more than 63
    bits."""
    number = int(cell)
    if not least <= number <= MOST:
        raise ValueError(f"{cell[:24]} is not from {least} to {MOST}")
    return number


def name(cell: str) -> str:
    """Return the name in a cell. ValueError for a name that reports cannot have."""
    if not NAME.fullmatch(cell):
        raise ValueError(f"{cell[:24]!r} is no name")
    return cell


def parse_sample(row: dict[str, str]) -> Sample:
    """Return a sample. ValueError for a negative count, or without loops."""
    if row["state"] not in SITE_STATES:
        raise ValueError("neither disabled nor enabled")
    counts = [whole(row[column], int(column == "loops")) for column in COUNTS]
    return Sample(name(row["shape"]), variants.current_name(name(row["variant"])), row["state"], *counts)


def optional_int(cell: str) -> int | None:
    """A cell that may be "-", for not known."""
    return None if cell == UNKNOWN else whole(cell)


def parse_toggle(row: dict[str, str]) -> Toggle:
    """ValueError for an unknown state, for nothing done, and where the sites seen do not
    fit the state."""
    if row["state"] not in STATES:
        raise ValueError(f"no state {row['state']}")
    toggle = Toggle(
        what=name(row["what"]),
        state=row["state"],
        round=whole(row["round"]),
        sites=whole(row["sites"]),
        transactions=whole(row["transactions"]),
        rounds=optional_int(row["rounds"]),
        traps=optional_int(row["traps"]),
        peer=optional_int(row["peer"]),
        amount=whole(row["amount"]),
    )
    if min(toggle.sites, toggle.transactions, toggle.amount) <= 0:
        raise ValueError("there are no sites, no transactions or no amount")
    if int(row["seen"]) != (toggle.sites if toggle.state == "open" else 0):
        raise ValueError(f"{row['seen']} of {toggle.sites} sites were seen, being {toggle.state}")
    return toggle


def check_columns(kind: str, columns: list[str]) -> None:
    """Check the columns. ValueError if a column that records of the kind need is missing."""
    missing = [column for column in COLUMNS[kind] if column not in columns]
    if missing:
        raise ValueError(f"no column {missing[0]}")


def take_record(document: Raw, columns: dict[str, list[str]], fields: list[str]) -> None:
    """Adds a record to the document, or, if the line names columns, to `columns`."""
    kind = fields[0]
    if kind not in COLUMNS:
        return
    if fields == columns.setdefault(kind, fields):
        check_columns(kind, fields)
        return
    if len(fields) != len(columns[kind]):
        raise ValueError(f"{len(fields)} columns instead of {len(columns[kind])}")
    row = dict(zip(columns[kind], fields, strict=True))
    if kind == "case":
        sample = parse_sample(row)
        if document.samples and sample.has_chains != document.samples[0].has_chains:
            raise ValueError("it has all chains, where others have not, or lacks one")
        document.samples.append(sample)
    elif kind == "toggle":
        document.toggles.append(parse_toggle(row))
    elif kind in TABLES:
        document.tables.setdefault(kind, []).append(row)
    else:
        document.memory[name(row["name"])] = whole(row["bytes"])


def parse(text: str, source: str) -> list[Raw]:
    """Returns all documents of a text. `source` names it in errors. Failure, with the line,
    if it is malformed, or not whole, and if a document has no environment or no samples."""
    documents: list[Raw] = []
    begins: list[int] = []
    columns: dict[str, list[str]] = {}
    lines = foreign.lines(text)
    if text and not text.endswith("\n"):
        raise Failure(f"{source}: ends in the middle of a line: {len(lines)}")
    for number, line in enumerate(lines, 1):
        try:
            if line == MAGIC:
                documents.append(Raw(where=f"{source}:{number}"))
                begins.append(number)
                columns = {}
            elif not documents:
                raise ValueError(f"expected {MAGIC}")
            elif line.startswith("#"):
                key, _, value = line[1:].partition("\t")
                if key in NUMBERS:
                    whole(value, NUMBERS[key])
                if key == "env":
                    name(value)
                documents[-1].environment[key] = value
            else:
                take_record(documents[-1], columns, line.split("\t"))
        except ValueError as problem:
            raise Failure(f"{source}:{number}: {problem}: {line[:60]!r}") from None
    ends = [*begins[1:], len(lines) + 1]
    for document, begin, end in zip(documents, begins, ends, strict=False):
        check_whole(document, end - begin)
    return check_documents(documents, source)


def check_whole(document: Raw, lines: int) -> None:
    """Check that a document of so many lines is as long as its head says, and has samples of all processes
    that shared the rounds. Failure if not."""
    wanted = int(document.environment.get("lines", lines))
    if lines != wanted:
        raise Failure(f"{document.where}: not whole: {lines} lines, and #lines says {wanted}")
    wanted = int(document.environment.get("processes", 1))
    layouts = int(document.environment.get("layouts", 0))
    if document.samples and layouts and wanted > 1:
        found = len({sample.layout // layouts for sample in document.samples})
        if found < wanted:
            raise Failure(
                f"{document.where}: not whole: samples of {found} processes, and #processes says {wanted}"
            )


def check_documents(documents: list[Raw], source: str) -> list[Raw]:
    """Check the documents. Failure for a document without an environment or without samples."""
    if not documents:
        raise Failure(f"{source}:1: empty, expected {MAGIC}")
    for document in documents:
        if "env" not in document.environment:
            raise Failure(f"{document.where}: a document without an #env line")
        if not document.samples and not document.tables:
            raise Failure(f"{document.where}: no samples for {document.env}")
    return documents
