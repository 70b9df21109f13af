# SPDX-License-Identifier: GPL-2.0-only
"""The command line: the table of the verbs, and exit statuses."""

from __future__ import annotations

import argparse
import errno
import io
import os
import signal
import sys
from types import FrameType

from kmark.commands.common import Groups, Verb
from kmark.errors import Failure, Usage, nearest, on_signals, say
from kmark.release import IN_TREE, version

# Help, manual pages and completion come from this table, too. Verbs without `packages` run on any
# Python and without the project's files; "" is a verb that needs these files only, and other names are
# those of tools/setup.
PYTHON, EXPORT, FLEET, FILES = "python", "export", "fleet", ""
GROUPS: Groups = {
    "markers of the running kernel": {
        "list": Verb("control", "show which markers, places in the code, and probes there are"),
        "connect": Verb("control", "connect a probe to markers, which then call it"),
        "disconnect": Verb("control", "disconnect probes from markers"),
        "stat": Verb("stat", "count events of markers while a command runs, or until Ctrl-C"),
        "hist": Verb("stat", "show histograms of arguments and latencies"),
        "watch": Verb("watch", "show events as they happen"),
    },
    "recordings": {
        "record": Verb("", "record events into files", usual="run", verbs={
            "run": Verb("record", "record events into a trace that babeltrace2 reads"),
            "snapshot": Verb("record", "write what the flight recorder has into a trace"),
            "sessions": Verb("record", "list the sessions of the recorder, or remove one"),
            "vmcore": Verb("record", "read the events of the recorder out of a memory dump"),
            "listen": Verb("record_listen", "receive what kmark record --stream sends from other machines"),
            "export": Verb(
                "record_export", "write a recording for trace-cmd, KernelShark or Perfetto", EXPORT
            ),
        }),
    },
    "run-time cost": {
        "bench": Verb("", "measure what a marker costs", usual="run", verbs={
            "run": Verb("bench", "measure every variant and write a report", PYTHON),
            "baseline": Verb(
                "bench_baseline",
                "count the instructions that sites add, and compare with bench/data/baseline.json", PYTHON,
            ),
            "paths": Verb("bench_paths", "count the instructions of each way to record an event", PYTHON),
        }),
        "report": Verb("", "show what was measured", usual="show", verbs={
            "show": Verb("report", "print a report.json as text, or make the page and the plots", PYTHON),
            "mail": Verb("report_mail", "make a mail of a report, for git send-email", PYTHON),
            "history": Verb("report_history", "show what a site cost in all reports of a folder", PYTHON),
            "size": Verb(
                "report_size", "show what a site adds to the memory image, for each kind of gate", PYTHON
            ),
            "disassemble": Verb(
                "report_disassemble",
                "show the code of a marked function with each kind of gate, and of a probe", PYTHON,
            ),
            "lkml-2006": Verb(
                "report_lkml_2006", "show the figures of the 2006 mails, as printed and recomputed", PYTHON
            ),
            "rows": Verb(
                "report_rows", "show every row of the documents with today's figure, and what differs",
                PYTHON,
            ),
        }),
        "compare": Verb(
            "compare", "say for each case of reports whether it is faster, slower or the same", PYTHON
        ),
        "kernel-cost": Verb(
            "kernel_cost", "compare two kernels in instructions for each operation, exactly", PYTHON
        ),
        "macro": Verb("macro", "compare whole workloads on a kernel without and with markers", PYTHON),
        "fleet": Verb("", "measure on many machines, and store and ask their reports", verbs={
            "run": Verb("fleet", "measure on the machines of an inventory", FLEET),
            "report": Verb("fleet", "make report.json wherever raw.tsv and host.json have none", FLEET),
            "add": Verb("fleet", "check reports against their raw data and store them", FLEET),
            "query": Verb("fleet", "ask the store in SQL, or a ready question", FLEET),
            "export": Verb("fleet", "print the newest reports as KCIDB or OpenMetrics", FLEET),
            "pack": Verb(
                "fleet_pack", "make one archive that measures on a machine without the repository", PYTHON
            ),
        }),
        "lab": Verb("", "examine how well this machine can be timed", verbs={
            "method": Verb(
                "lab_method", "measure how small a time this machine can resolve, with which fence", PYTHON
            ),
            "kbest": Verb("lab_kbest", "run the timing experiments of CMU 15-213", PYTHON),
            "time": Verb("lab_kbest", "time a command, by the method that fits how long it takes", PYTHON),
        }),
    },
    "more": {
        "dev": Verb("", "guests, kernels and patches, for work on the project itself", verbs={
            "vm": Verb(
                "dev_vm", "run a script or a command in a guest with the distribution's kernel or another",
                FILES,
            ),
            "kernel": Verb("dev_kernel", "build a kernel from source with the patches applied", PYTHON),
            "patches": Verb(
                "dev_patches", "make the patches for kernel trees, or a branch to send them from", FILES
            ),
            "conversions": Verb(
                "dev_conversions", "count the conversions of printk() in a kernel's source", FILES
            ),
            "convert": Verb("dev_convert", "replace trace events by markers", PYTHON),
            "completion": Verb("dev_completion", "print the completion of a shell", FILES),
            "manual": Verb("dev_manual", "write the manual pages", FILES),
        }),
        "help": Verb("help", "list the verbs, or show all about one"),
    },
}  # fmt: skip
TREE_ONLY = "tools/kmark in a clone of the project's repository, where all verbs are"
# Earlier spellings of verbs; verbs that have moved below another verb are in the table.
EARLIER = {
    "verify": "list --verify", "arm": "connect --arm", "gate": "kernel-cost",
    "thread": "report lkml-2006", "man": "dev manual",
}  # fmt: skip


def groups(installed: bool = not IN_TREE) -> Groups:
    """The table; for an installed kmark, only of the verbs that work there."""
    return {title: found for title, verbs in GROUPS.items() if (found := works(verbs, installed))}


def works(verbs: dict[str, Verb], installed: bool) -> dict[str, Verb]:
    """Return the verbs that work in this installation."""
    found = {}
    for name, verb in verbs.items():
        below = works(verb.verbs, installed)
        if below or (not verb.verbs and not (installed and verb.packages is not None)):
            found[name] = Verb(verb.module, verb.about, verb.packages, below, verb.usual)
    return found


def find(words: list[str]) -> tuple[str, list[str]]:
    """Returns the verb, as "record run", and its arguments. Usage if there is no such verb; the message
    names the one that may have been meant."""
    word, *rest = words
    verbs = {name: verb for group in GROUPS.values() for name, verb in group.items()}
    if word not in verbs:
        within = {sub: f"{name} {sub}" for name, verb in reversed(verbs.items()) for sub in verb.verbs}
        shown = {name: verb.verbs for group in groups().values() for name, verb in group.items()}
        meant = {**within, **EARLIER}.get(word)
        if not meant:
            raise Usage(f"there is no verb {word!r}{nearest(word, shown)}")
        top, _, below = meant.partition(" ")
        here = top in shown and (below[:2] in ("", "--") or below in shown[top])
        raise Usage(f"there is no verb {word!r}: use " + (f"kmark {meant}" if here else TREE_ONLY))
    verb = verbs[word]
    if not verb.verbs:
        return word, rest
    if rest and rest[0] in verb.verbs:
        return f"{word} {rest[0]}", rest[1:]
    if verb.usual:
        return f"{word} {verb.usual}", rest
    known = f"{word} has the verbs {', '.join(verb.verbs)}"
    raise Usage(f"{word}: there is no verb {rest[0]!r}{nearest(rest[0], verb.verbs)}" if rest else known)


def parse(words: list[str]) -> argparse.Namespace:
    """Parsed arguments have `run`, the verb's function, which returns an exit status, or None for 0;
    `packages`, see above, `failed`, its exit status where something fails, `usage`,
    and `groups`, the function above."""
    if not words:
        raise Usage("which verb: kmark help lists them")
    asked = [word for word in words[:2] if word in ("-h", "--help")]
    verbs = {name: verb for group in groups().values() for name, verb in group.items()}
    if asked and (words[0] in asked or (words[0] in verbs and verbs[words[0]].verbs)):
        from kmark.commands import help as pages

        sys.stdout.write(pages.short(groups(), "" if words[0] in asked else words[0]))
        raise SystemExit(0)
    if words[:1] == ["--version"]:
        print(f"kmark {version()}")
        raise SystemExit(0)
    name, rest = find(words)
    word, _, below = name.partition(" ")
    verb = next(group[word] for group in GROUPS.values() if word in group)
    parser = verb.parser(word, below)
    parser.set_defaults(
        packages=verb.verbs[below].packages if below else verb.packages, groups=groups,
        failed=parser.get_default("failed") or 1, usage=parser.short_usage,
    )  # fmt: skip
    return parser.parse_args(rest)


def continue_with_packages(name: str) -> None:
    """Starts the same command on the Python `name` of tools/setup, which has the packages, unless
    this is one or the name is "". Failure without the project, or if tools/setup cannot make it."""
    from kmark import cache

    if not IN_TREE:
        raise Failure(f"this verb needs the project's files: use {TREE_ONLY}")
    if not name or sys.prefix != sys.base_prefix:
        return
    place = cache.place(name)
    python = str(place / "bin/python")
    options = ["-IXutf8", "-X", f"pycache_prefix={place}/pycache"]
    os.execv(python, [python, *options, str(cache.TOOLS / "lib/start.py"), "kmark.cli", *sys.argv[1:]])


class Output(io.FileIO):
    """Standard output, with errors that say that they are of it."""

    NAME = "standard output"

    @classmethod
    def text(cls, instead: io.TextIOWrapper) -> io.TextIOWrapper:
        """Return a stream of text in place of another. Names of files are bytes."""
        raw = cls(instead.fileno(), "wb", closefd=False)
        buffer = io.BufferedWriter(raw)  # type: ignore[type-var] # for write()
        at_once = instead.line_buffering
        return io.TextIOWrapper(buffer, instead.encoding, "surrogateescape", line_buffering=at_once)

    def write(self, data: bytes | memoryview) -> int:  # type: ignore[override] # narrower
        try:
            return super().write(data)
        except OSError as problem:
            raise OSError(problem.errno, problem.strerror, self.NAME) from None


def describe(problem: OSError) -> str:
    """Return a message for an error of the system, in one line, with the file if it is known."""
    what = problem.strerror or str(problem)
    if problem.filename is not None:
        return f"{problem.filename}: {what}"
    if problem.errno in (errno.ENOSPC, errno.EDQUOT):
        import tempfile

        what += f"; temporary files are in {tempfile.gettempdir()}, or where TMPDIR says"
    return what


def status_of(problem: OSError, failed: int) -> int:
    """Say what the problem is, and return `failed`. That the reader of the output has ended is not said."""
    ended = isinstance(problem, BrokenPipeError) and reader_has_ended()
    if problem.filename == Output.NAME:
        # Python writes what is left when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if ended:
        return 128 + signal.SIGPIPE
    say(describe(problem))
    return failed


def reader_has_ended() -> bool:
    """True if the output is a pipe whose reader has ended."""
    import select

    poll = select.poll()
    poll.register(sys.stdout, 0)
    return any(events & select.POLLERR for _, events in poll.poll(0))


def on_signal(number: int, _frame: FrameType | None) -> None:
    """Ends the program so that contexts are left."""
    raise SystemExit(128 + number)


def main() -> int:
    """Runs the verb of the command line and returns the exit status."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    # Streams that the caller has closed.
    sys.stdout = sys.stdout or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", closefd=False)
    sys.stderr = sys.stderr or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", closefd=False)
    on_signals(on_signal)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout = Output.text(sys.stdout)
    try:
        args = parse(sys.argv[1:])
    except Usage as wrong:
        say(str(wrong))
        return wrong.status
    except SystemExit:  # of --help and --version
        try:
            sys.stdout.flush()
        except OSError as problem:
            return status_of(problem, 1)
        raise
    return run(args)


def run(args: argparse.Namespace) -> int:
    """Runs a verb and returns the exit status; a Failure is printed as one line."""
    failed: int = args.failed
    # A write to a pipe without a reader is an error from here on, so that contexts are left.
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    try:
        if args.packages is not None:
            continue_with_packages(args.packages)
        status: int | None = args.run(args)
        sys.stdout.flush()
    except Failure as failure:
        say(str(failure))
        if isinstance(failure, Usage):
            sys.stderr.write(args.usage())
        return failed if failure.status == 1 else failure.status
    except OSError as problem:
        return status_of(problem, failed)
    except Exception as problem:
        # Imported only where needed: the module takes as long as all of `kmark list`.
        from subprocess import CalledProcessError

        if not isinstance(problem, CalledProcessError):
            raise
        say(str(problem))
        return failed
    return status or 0
