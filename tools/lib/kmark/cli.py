# SPDX-License-Identifier: GPL-2.0-only
"""The command line: the verbs in the order of --help, and exit statuses."""

from __future__ import annotations

import argparse
import errno
import io
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from types import FrameType
from typing import NoReturn

import kmark
from kmark import cache
from kmark.commands import (
    baseline,
    bench,
    compare,
    completion,
    control,
    convert,
    disassemble,
    export,
    fleet,
    gate,
    history,
    kbest,
    kernel,
    listen,
    macro,
    mail,
    man,
    method,
    pack,
    patches,
    record,
    report,
    size,
    stat,
    thread,
    vm,
    watch,
)
from kmark.commands.common import nearest
from kmark.errors import Failure, Usage, say

VERBS = (
    bench, report, mail, compare, history, baseline, method, kbest, thread, size, disassemble, vm,
    kernel, macro, gate, pack, fleet, patches, convert, control, stat, watch, record, listen, export,
    completion, man,
)  # fmt: skip
# They run on any Python, without the cache; the others need packages, which tools/setup keeps.
LIVE = (control, stat, watch, record, listen, man)
MORE = {fleet: "fleet", export: "export"}  # need others


class Parser(argparse.ArgumentParser):
    """The whole command line's, which also says which verb may have been meant."""

    verbs: Sequence[str] = ()

    def error(self, message: str) -> NoReturn:
        verb = next((word for word in sys.argv[1:] if not word.startswith("-")), "")
        if verb and verb not in self.verbs:
            message = f"there is no verb {verb!r}{nearest(verb, self.verbs)}"
        super().error(message)


def parser() -> Parser:
    """The parser of the whole command line. Parsed arguments have `run`, the verb's
    function, `packages`, of tools/setup, or "" if it needs none, `failed`, its exit status where
    something fails, `parser` and `usage`."""
    top = Parser(
        prog="kmark",
        description=kmark.__doc__,
        epilog="exit status: 0 done, 1 failed, 2 wrong use; vm: that of the script. "
        "kmark VERB --help shows an example.",
    )
    verbs = top.add_subparsers(metavar="VERB", required=True, parser_class=argparse.ArgumentParser)
    for verb in VERBS:
        known = set(verbs.choices)
        packages = "" if verb in LIVE else MORE.get(verb, "python")
        verb.add(verbs)
        for name in set(verbs.choices) - known:
            choice = verbs.choices[name]
            choice.set_defaults(
                parser=top, usage=choice.format_usage, packages=packages,
                failed=choice.get_default("failed") or 1,
            )  # fmt: skip
    top.verbs = tuple(verbs.choices)
    return top


def continue_with_packages(name: str) -> None:
    """Starts the same command on the Python `name` of tools/setup, which has the packages, unless
    this is one. Failure if there is none and tools/setup cannot make it."""
    if not (cache.TOOLS / "setup").exists():
        raise Failure(
            "this verb needs Python packages and the project's files, which an installed kmark and "
            "kmark.pyz lack: use tools/kmark of the repository"
        )
    if sys.prefix != sys.base_prefix:
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
    args = parser().parse_args()
    failed: int = args.failed
    try:
        if args.packages:
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
    except subprocess.CalledProcessError as problem:
        say(str(problem))
        return failed
    return status
