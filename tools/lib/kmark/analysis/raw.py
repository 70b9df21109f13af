# SPDX-License-Identifier: GPL-2.0-only
"""Reader of kmark-raw/1: what the bench module and the native runner print.

Tab-separated. `#kmark-raw/1` opens a document, `#key<TAB>value` lines are its environment,
one line names the columns of a record kind, the others are records; the first column is the
kind. Unknown kinds are ignored. A file may hold several documents, one for each
environment."""

from __future__ import annotations

from dataclasses import dataclass, field

from kmark.analysis import variants
from kmark.errors import Failure

MAGIC = "#kmark-raw/1"
COUNTS = ("round", "layout", "loops", "sites", "ticks", "add0", "imul0", "add1", "imul1")
NAMES = ("shape", "variant", "state")
COLUMNS = {  # that the records of a kind must have
    "case": (*NAMES, *COUNTS),
    "toggle": (
        "round", "what", "state", "sites", "transactions", "rounds", "traps", "seen", "peer", "amount",
    ),
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
    "run": ("clock", "us", "number", "cycles"),
    "validation": ("load", "compensated", "us", "expected", "measured", "runs", "converged"),
    "command": ("number", "cycles", "ns", "user_us", "system_us", "status"),
    "macro": ("workload", "state", "round", "ops", "ticks", "ns", "idle_ns", "events"),
}  # fmt: skip
# Kept as rows: of bench/timing/methods for timing/series.py, of bench/timing/kbest for
# timing/kbest.py, of bench/macro for macro/figures.py, of tools/native/bulk.c for
# analysis/scale.py.
TABLES = (
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
STATES = ("closed", "open")
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
    """One document. `memory`: bytes by name; `tables`: rows of other kinds, as they came."""

    environment: dict[str, str] = field(default_factory=dict)
    samples: list[Sample] = field(default_factory=list)
    toggles: list[Toggle] = field(default_factory=list)
    memory: dict[str, int] = field(default_factory=dict)
    tables: dict[str, list[dict[str, str]]] = field(default_factory=dict)

    @property
    def env(self) -> str:
        """The environment that it was measured in: native, vm, uml or host."""
        return self.environment["env"]

    def number(self, key: str) -> int:
        """The environment value KEY as a number. Failure if it is missing or none."""
        try:
            return int(self.environment[key])
        except (KeyError, ValueError):
            found = self.environment.get(key, "nothing")
            raise Failure(f"raw data of {self.env}: #{key} must be a number, found {found}") from None

    def number_or(self, key: str, default: int) -> int:
        """The same, and `default` where it is missing, as it is in older raw data."""
        return self.number(key) if key in self.environment else default


def join_runs(outputs: list[str]) -> str:
    """Joins the documents of several runs of the same program into one. Each run has its
    text and data in other pages, so its layouts get numbers of their own."""
    first = outputs[0].splitlines()
    columns = next(line.split("\t") for line in first if line.startswith("case\t"))
    place = columns.index("layout")
    layouts = int(next(line.split("\t")[1] for line in first if line.startswith("#layouts\t")))
    joined = [line for line in first if line.startswith("#")]
    joined += [f"#processes\t{len(outputs)}", "\t".join(columns)]
    for number, output in enumerate(outputs):
        for line in output.splitlines():
            cells = line.split("\t")
            if cells[0] == "case" and cells != columns:
                cells[place] = str(int(cells[place]) + number * layouts)
                joined.append("\t".join(cells))
    joined += [line for line in first if line.split("\t")[0] in TABLES]
    return "\n".join(joined) + "\n"


def parse_sample(row: dict[str, str]) -> Sample:
    """ValueError for a negative count, or without loops."""
    counts = [int(row[name]) for name in COUNTS]
    sample = Sample(row["shape"], variants.current_name(row["variant"]), row["state"], *counts)
    if sample.loops == 0 or min(counts) < 0:
        raise ValueError("a count is negative, or there are no loops")
    return sample


def optional_int(cell: str) -> int | None:
    """A cell that may be "-", for not known."""
    return None if cell == UNKNOWN else int(cell)


def parse_toggle(row: dict[str, str]) -> Toggle:
    """ValueError for an unknown state, for nothing done, and where the sites seen do not
    fit the state."""
    if row["state"] not in STATES:
        raise ValueError(f"no state {row['state']}")
    toggle = Toggle(
        what=row["what"],
        state=row["state"],
        round=int(row["round"]),
        sites=int(row["sites"]),
        transactions=int(row["transactions"]),
        rounds=optional_int(row["rounds"]),
        traps=optional_int(row["traps"]),
        peer=optional_int(row["peer"]),
        amount=int(row["amount"]),
    )
    if min(toggle.sites, toggle.transactions, toggle.amount) <= 0:
        raise ValueError("there are no sites, no transactions or no amount")
    if int(row["seen"]) != (toggle.sites if toggle.state == "open" else 0):
        raise ValueError(f"{row['seen']} of {toggle.sites} sites were seen, being {toggle.state}")
    return toggle


def check_columns(kind: str, columns: list[str]) -> list[str]:
    """Returns the columns of a record kind. ValueError if one that is needed is missing."""
    missing = [name for name in COLUMNS[kind] if name not in columns]
    if missing:
        raise ValueError(f"no column {missing[0]}")
    return columns


def take_record(document: Raw, columns: dict[str, list[str]], fields: list[str]) -> None:
    """Adds a record to the document, or, if it is the first line of its kind, to `columns`."""
    kind = fields[0]
    if kind not in COLUMNS:
        return
    if kind not in columns:
        columns[kind] = check_columns(kind, fields)
        return
    if len(fields) != len(columns[kind]):
        raise ValueError(f"{len(fields)} columns instead of {len(columns[kind])}")
    row = dict(zip(columns[kind], fields, strict=True))
    if kind == "case":
        document.samples.append(parse_sample(row))
    elif kind == "toggle":
        document.toggles.append(parse_toggle(row))
    elif kind in TABLES:
        document.tables.setdefault(kind, []).append(row)
    else:
        document.memory[row["name"]] = int(row["bytes"])


def parse(text: str, source: str) -> list[Raw]:
    """Returns all documents of a text. `source` names it in errors. Failure, with the line,
    if it is malformed, and if a document has no environment or no samples."""
    documents: list[Raw] = []
    columns: dict[str, list[str]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        try:
            if line == MAGIC:
                documents.append(Raw())
                columns = {}
            elif not documents:
                raise ValueError(f"expected {MAGIC}")
            elif line.startswith("#"):
                key, _, value = line[1:].partition("\t")
                documents[-1].environment[key] = value
            else:
                take_record(documents[-1], columns, line.split("\t"))
        except ValueError as problem:
            raise Failure(f"{source}:{number}: {problem}: {line[:60]!r}") from None
    return check_documents(documents, source)


def check_documents(documents: list[Raw], source: str) -> list[Raw]:
    """Failure for a document without an environment or without samples."""
    if not documents:
        raise Failure(f"{source}: empty, expected {MAGIC}")
    for document in documents:
        if "env" not in document.environment:
            raise Failure(f"{source}: a document without an #env line")
        if not document.samples and not document.tables:
            raise Failure(f"{source}: no samples for {document.env}")
    return documents
