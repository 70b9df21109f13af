# SPDX-License-Identifier: GPL-2.0-only
"""The command line: verbs, their options, exit statuses."""

from __future__ import annotations

import argparse
import json
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import TypeAlias

import kmark
from kmark import cache, control
from kmark.errors import Failure, Usage

Verbs: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def say(message: str) -> None:
    print(f"kmark: {message}", file=sys.stderr, flush=True)


def positive(text: str) -> int:
    number = int(text)
    if number <= 0:
        raise ValueError
    return number


def percentage(text: str) -> float:
    number = float(text)
    if not 0 <= number <= 100:
        raise ValueError
    return number


def added_file(text: str) -> tuple[Path, str]:
    """HOST[:GUEST]; a guest path that ends in / is a folder."""
    host, _, inside = text.partition(":")
    inside = inside or "/"
    return Path(host), inside + Path(host).name if inside.endswith("/") else inside


def run_vm(args: argparse.Namespace) -> int:
    from kmark import guest, kernel

    if not args.command:
        raise Usage("vm: what shall the guest run? Give a script or a command after --")
    command, files = guest.script_command(args.command)
    stock = kernel.stock()
    wanted = guest.Guest(
        command=command,
        files=(*files, *args.add),
        modules=tuple(args.modules),
        host_root=args.host_root,
        icount=args.icount,
        cpus=args.smp,
        accel=args.accel,
        timeout_s=args.timeout,
        log=args.log,
    )
    if wanted.accel == "auto" and not wanted.icount:
        accel, why = guest.choose_accel(wanted, stock)
        if accel == "tcg":
            say(why)
    outcome = guest.run(wanted, stock, sys.stdout.buffer)
    if outcome.trouble:
        print(outcome.excerpt, file=sys.stderr)
        say(f"vm: {outcome.trouble}")
    return outcome.status


def add_vm(verbs: Verbs) -> None:
    vm = verbs.add_parser(
        "vm",
        help="run a script or a command in a guest with the distribution's kernel",
        description="Boots Debian's kernel in QEMU with a small initramfs and runs a script there. "
        "What it prints on stdout and stderr comes out on stdout; its exit status is returned. "
        "124: the guest did not end in time; 125: the guest's kernel complained or died.",
        epilog="example: tools/kmark vm --smp 2 --add markers/markers.ko -- 'insmod /markers.ko'",
    )
    vm.add_argument("--icount", action="store_true", help="one CPU whose TSC counts instructions")
    vm.add_argument("--smp", type=positive, default=1, metavar="N", help="CPUs (default 1)")
    vm.add_argument("--timeout", type=float, default=120, metavar="S", help="seconds (default 120)")
    vm.add_argument("--accel", choices=("auto", "tcg", "tcg-single", "kvm"), default="auto")
    vm.add_argument(
        "--add", type=added_file, action="append", default=[], metavar="HOST[:GUEST]",
        help="put a file or folder into the guest (default: into /)",
    )  # fmt: skip
    vm.add_argument(
        "--modules", nargs="+", default=[], metavar="NAME",
        help="modules of the distribution that modprobe shall find",
    )  # fmt: skip
    vm.add_argument("--host-root", action="store_true", help="the host's root, read-only, at /host")
    vm.add_argument("--log", type=Path, metavar="FILE", help="keep the guest's console log")
    vm.add_argument("command", nargs="*", metavar="SCRIPT_OR_COMMAND")
    vm.set_defaults(run=run_vm)


def run_bench(args: argparse.Namespace) -> int:
    from kmark import bench, report, text

    envs = [env for env in bench.RUNNERS if env in (args.env or bench.USUAL)]
    folder, result = bench.bench(envs, args.rounds, args.out or cache.TOP / "results")
    sys.stdout.write(report.dump(result) if args.json else text.render(result))
    if note := bench.dropped_note(result):
        say(note)
    say(f"results in {folder}")
    return 0


def add_bench(verbs: Verbs) -> None:
    bench = verbs.add_parser(
        "bench",
        help="measure every variant and write a report",
        description="Builds what it needs, measures natively and in a guest, prints the report, and "
        "keeps report.txt, report.json and raw.tsv in a new folder that latest points to.",
        epilog="example: tools/kmark bench --env native --rounds 100",
    )
    bench.add_argument(
        "--env", action="append", choices=("native", "vm", "uml"),
        help="where to measure (default: native and vm)",
    )  # fmt: skip
    bench.add_argument(
        "--rounds", type=positive, metavar="N", help="rounds (default native 40, vm 2, uml 40)"
    )
    bench.add_argument("--out", type=Path, metavar="DIR", help="folder of the results (default results/)")
    bench.add_argument("--json", action="store_true", help="print report.json instead of report.txt")
    bench.set_defaults(run=run_bench)


def run_report(args: argparse.Namespace) -> int:
    from kmark import report, text

    sys.stdout.write(text.render(report.load(args.file)))
    return 0


def add_report(verbs: Verbs) -> None:
    report = verbs.add_parser(
        "report",
        help="print a report.json as text",
        description="Checks a report.json and prints the report.txt that belongs to it.",
        epilog="example: tools/kmark report results/latest/report.json",
    )
    report.add_argument("file", type=Path, metavar="FILE")
    report.set_defaults(run=run_report)


def run_thread(args: argparse.Namespace) -> int:
    from kmark import slips

    found = slips.load()
    text = json.dumps(slips.record(found), indent=1) if args.json else "\n".join(slips.lines(found))
    print(text)
    return 0


def add_thread(verbs: Verbs) -> None:
    thread = verbs.add_parser(
        "thread",
        help="show the figures of the 2006 mails, as printed and recomputed",
        description="Computes every figure of the mails' micro-benchmarks anew from the cycle counts "
        "that they print, and marks those that do not follow from them.",
        epilog="example: tools/kmark thread --json",
    )
    thread.add_argument("--json", action="store_true", help="as an object for programs")
    thread.set_defaults(run=run_thread)


def run_compare(args: argparse.Namespace) -> int:
    from kmark import compare

    a, b = compare.load((args.a, args.b))
    found = compare.compare(a, b, args.margin)
    if args.json:
        print(json.dumps(compare.record(found, a, b), indent=1))
    else:
        sys.stdout.write(compare.render(found, a, b))
    if slower := found.having(compare.SLOWER):
        say(f"compare: {len(slower)} of {len(found.cases)} cases are slower in {args.b}")
    return 1 if slower else 0


def add_compare(verbs: Verbs) -> None:
    compare = verbs.add_parser(
        "compare",
        help="say for each case of two reports whether it became faster or slower",
        description="Compares what each variant adds to a loop in two reports, or folders of results. "
        "Slower is what lies above A, interval above interval, by more than the margin. "
        "Exit status 1 if a case is slower.",
        epilog="example: tools/kmark compare results/20260101-120000 results/latest",
    )
    compare.add_argument("a", type=Path, metavar="A", help="report.json, or the folder with it")
    compare.add_argument("b", type=Path, metavar="B", help="the same, of the later run")
    compare.add_argument(
        "--margin", type=percentage, default=1.0, metavar="PCT",
        help="percent of A's loop that do not matter (default 1); instructions are compared exactly",
    )  # fmt: skip
    compare.add_argument("--json", action="store_true", help="as an object for programs")
    compare.set_defaults(run=run_compare)


def run_baseline(args: argparse.Namespace) -> int:
    from kmark import baseline

    before = None if args.write else baseline.load(args.file)
    now = baseline.measure()
    if before is None:
        cache.write_whole(args.file, baseline.dump(now).encode())
        say(f"{len(now.added)} cells written to {args.file}")
        return 0
    if args.json:
        print(json.dumps(baseline.record(before, now), indent=1))
    else:
        print("\n".join(baseline.lines(before, now, args.file.name)))
    return 1 if baseline.changes(before, now) else 0


def add_baseline(verbs: Verbs) -> None:
    baseline = verbs.add_parser(
        "baseline",
        help="count the instructions that sites take, and compare with bench/baseline.json",
        description="Counts in a guest, in seconds, what each of our gates adds to each loop, and names "
        "every cell that is not as in the baseline. Exit status 1 if there is one.",
        epilog="example: tools/kmark baseline --write",
    )
    baseline.add_argument("--write", action="store_true", help="make the baseline anew instead")
    baseline.add_argument(
        "--file", type=Path, default=cache.TOP / "bench/baseline.json", metavar="FILE",
        help="the baseline (default bench/baseline.json)",
    )  # fmt: skip
    baseline.add_argument("--json", action="store_true", help="as an object for programs")
    baseline.set_defaults(run=run_baseline)


def run_list(args: argparse.Namespace) -> int:
    table = control.read(args.root, args.what)
    sys.stdout.write(json.dumps(table.records(), indent=1) + "\n" if args.json else table.aligned())
    return 0


def run_verify(args: argparse.Namespace) -> int:
    well, lines = control.verify(args.root)
    print("\n".join(lines))
    return 0 if well else 1


def run_connect(args: argparse.Namespace) -> int:
    control.command(args.root, " ".join([args.verb, *args.words]))
    return 0


def add_control(verbs: Verbs) -> None:
    """The verbs that talk to markers.ko."""
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument(
        "--root", type=Path, default=control.ROOT, metavar="DIR", help="the debugfs folder of markers.ko"
    )
    listing = verbs.add_parser(
        "list",
        parents=[common],
        help="show the markers, sites or probes of the running kernel",
        epilog="example: tools/kmark list sites --json",
    )
    listing.add_argument("what", nargs="?", choices=control.TABLES, default="markers")
    listing.add_argument("--json", action="store_true", help="as a list of objects")
    listing.set_defaults(run=run_list)

    verify = verbs.add_parser(
        "verify",
        parents=[common],
        help="decode every site again; exit status 1 if one is not as it should be",
        epilog="example: tools/kmark verify",
    )
    verify.set_defaults(run=run_verify)

    for verb, what, words, example in (
        ("connect", "connect a probe", "SELECTOR PROBE [ARGUMENT...]", "connect subsys_mark1 empty"),
        (
            "arm",
            "connect a probe, also to sites to come",
            "SELECTOR PROBE [ARGUMENT...]",
            "arm 'x_*' count",
        ),
        ("disconnect", "take a probe away", "SELECTOR [PROBE]", "disconnect subsys_mark1"),
    ):
        change = verbs.add_parser(
            verb,
            parents=[common],
            help=what,
            usage=f"kmark {verb} [--root DIR] {words}",
            epilog=f"example: tools/kmark {example}",
        )
        change.add_argument("words", nargs="+", metavar="WORD", help="passed on to markers.ko")
        change.set_defaults(run=run_connect, verb=verb)


def run_completion(args: argparse.Namespace) -> int:
    sys.stdout.write((cache.TOOLS / "lib/kmark" / f"completion.{args.shell}").read_text())
    return 0


def add_completion(verbs: Verbs) -> None:
    completion = verbs.add_parser(
        "completion",
        help="print the completion of a shell",
        epilog='example: eval "$(tools/kmark completion bash)"',
    )
    completion.add_argument("shell", choices=("bash",))
    completion.set_defaults(run=run_completion)


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        prog="kmark",
        description=kmark.__doc__,
        epilog="exit status: 0 done, 1 failed, 2 wrong use; vm: that of the script. "
        "kmark VERB --help shows an example.",
    )
    verbs = top.add_subparsers(metavar="VERB", required=True)
    for add in (
        add_bench,
        add_report,
        add_compare,
        add_baseline,
        add_thread,
        add_vm,
        add_control,
        add_completion,
    ):
        add(verbs)
    return top


def on_signal(number: int, _frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


def main() -> int:
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, on_signal)
    args = parser().parse_args()
    try:
        status: int = args.run(args)
    except Failure as failure:
        say(str(failure))
        return failure.status
    return status
