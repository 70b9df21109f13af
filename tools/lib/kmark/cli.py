# SPDX-License-Identifier: GPL-2.0-only
"""The command line: the verbs in the order of --help, and exit statuses."""

from __future__ import annotations

import argparse
import errno
import io
import os
import signal
import sys
from importlib import import_module
from types import FrameType
from typing import NoReturn

import kmark
from kmark.commands.common import nearest
from kmark.errors import Failure, Usage, say

# The verbs in the order of --help, each with the module in kmark.commands that adds it. Only the
# module of the verb that runs is imported: to import all of them takes longer than most verbs do.
VERBS = {
    "bench": "bench", "report": "report", "mail": "mail", "compare": "compare", "history": "history",
    "baseline": "baseline", "method": "method", "time": "kbest", "kbest": "kbest", "thread": "thread",
    "size": "size", "disassemble": "disassemble", "vm": "vm", "kernel": "kernel", "macro": "macro",
    "gate": "gate", "pack": "pack", "fleet": "fleet", "patches": "patches", "convert": "convert",
    "list": "control", "verify": "control", "connect": "control", "arm": "control",
    "disconnect": "control", "stat": "stat", "hist": "stat", "watch": "watch", "record": "record",
    "snapshot": "record", "sessions": "record", "vmcore": "record", "listen": "listen",
    "export": "export", "completion": "completion", "man": "man",
}  # fmt: skip
# They run on any Python, without the cache; the others need packages, which tools/setup keeps.
LIVE = ("control", "stat", "watch", "record", "listen", "completion", "man")
MORE = {"fleet": "fleet", "export": "export", "patches": ""}  # need others, or only the project's files


class Parser(argparse.ArgumentParser):
    """The whole command line's, which also says which verb may have been meant."""

    def error(self, message: str) -> NoReturn:
        verb = next((word for word in sys.argv[1:] if not word.startswith("-")), "")
        if verb and verb not in VERBS:
            message = f"there is no verb {verb!r}{nearest(verb, VERBS)}"
        super().error(message)


def parser(verb: str = "") -> Parser:
    """The parser of the whole command line, or, which is quicker, of one verb and the verbs of the same
    module. Parsed arguments have `run`, the verb's function, `packages`, of tools/setup, or None if it
    runs without the project, `failed`, its exit status where something fails, `whole`, which makes
    the parser of the whole command line, and `usage`."""
    top = Parser(
        prog="kmark",
        description=kmark.__doc__,
        epilog="exit status: 0 done, 1 failed, 2 wrong use; vm: that of the script. "
        "kmark VERB --help shows an example.",
    )
    verbs = top.add_subparsers(metavar="VERB", required=True, parser_class=argparse.ArgumentParser)
    for name in dict.fromkeys([VERBS[verb]] if verb in VERBS else VERBS.values()):
        known = set(verbs.choices)
        packages = None if name in LIVE else MORE.get(name, "python")
        import_module(f"kmark.commands.{name}").add(verbs)
        for added in set(verbs.choices) - known:
            choice = verbs.choices[added]
            choice.set_defaults(
                usage=choice.format_usage, packages=packages, whole=parser,
                failed=choice.get_default("failed") or 1,
            )  # fmt: skip
    return top


def continue_with_packages(name: str) -> None:
    """Starts the same command on the Python `name` of tools/setup, which has the packages, unless
    this is one or the name is "". Failure without the project, or if tools/setup cannot make it."""
    from kmark import cache

    if not (cache.TOOLS / "setup").exists():
        raise Failure(
            "this verb needs Python packages and the project's files, which an installed kmark and "
            "kmark.pyz lack: use tools/kmark of the repository"
        )
    if not name or sys.prefix != sys.base_prefix:
        return
    place = cache.place(name)
    python = str(place / "bin/python")
    start = ["-I", "-X", f"pycache_prefix={place}/pycache", str(cache.TOOLS / "lib/start.py"), "kmark"]
    os.execv(python, [python, *start, *sys.argv[1:]])


def describe(problem: OSError) -> str:
    """What the system refused, in one line, with the file if it is known."""
    what = problem.strerror or str(problem)
    if problem.filename is not None:
        return f"{problem.filename}: {what}"
    if problem.errno in (errno.ENOSPC, errno.EDQUOT):
        import tempfile

        what += f"; temporary files are in {tempfile.gettempdir()}, or where TMPDIR says"
    return what


def on_signal(number: int, _frame: FrameType | None) -> None:
    """Ends the program so that contexts are left."""
    raise SystemExit(128 + number)


def main() -> int:
    """Runs the verb and returns the exit status; a Failure is printed as one line."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, on_signal)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="surrogateescape")  # names of files are bytes
    args = parser(sys.argv[1] if len(sys.argv) > 1 else "").parse_args()
    failed: int = args.failed
    try:
        if args.packages is not None:
            continue_with_packages(args.packages)
        status: int = args.run(args)
    except Failure as failure:
        say(str(failure))
        if isinstance(failure, Usage):
            sys.stderr.write(args.usage())
        return failed if failure.status == 1 else failure.status
    except OSError as problem:
        say(describe(problem))
        return failed
    except Exception as problem:
        # Imported only where needed: the module takes as long as all of `kmark list`.
        from subprocess import CalledProcessError

        if not isinstance(problem, CalledProcessError):
            raise
        say(str(problem))
        return failed
    return status
