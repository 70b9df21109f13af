# SPDX-License-Identifier: GPL-2.0-only
"""kmark fleet: reports of many machines."""

from __future__ import annotations

import argparse
import json
import os
import sys
from datetime import UTC, datetime
from pathlib import Path

from kmark import cache
from kmark.commands.common import describe, duration, json_option, positive, show
from kmark.errors import Failure, say

STORE = cache.TOP / "results/store"


def time(text: str) -> datetime:
    """Return a time in ISO 8601; without an offset it is UTC. ValueError for any other text."""
    found = datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def run(args: argparse.Namespace) -> int:
    from kmark.bench import pack
    from kmark.fleet import inventories, machines

    archive = args.archive
    inventories.check(args.inventory)
    if archive is None:
        archive = cache.TOP / pack.ARCHIVE
        pack.build(archive)
    elif not archive.is_file():
        raise Failure(f"{archive}: not a file")
    failed = machines.measure(
        args.inventory, archive, args.output, args.rounds, max(1, round(args.limit)), args.forks
    )
    for line in failed:
        say(f"failed: {line}")
    return 1 if failed else 0


def report(args: argparse.Namespace) -> int:
    from kmark.fleet import results

    failed = 0
    for folder in results.find(args.folder, results.RAW):
        if folder.report:
            continue
        try:
            show([str(results.make_report(folder))])
        except Failure as failure:
            say(str(failure))
            failed += 1
    return 1 if failed else 0


def add_reports(args: argparse.Namespace) -> int:
    from kmark.fleet import results, store, verify

    folders = results.find(args.folder, results.REPORT)
    with store.locked(args.store):
        judged = verify.judge_all(folders, min(args.jobs, len(folders)))
        found = list(verify.without_twins(judged, store.known(args.store)))
        accepted = [one for one in found if isinstance(one, verify.Accepted)]
        refused = [one for one in found if isinstance(one, verify.Refused)]
        place = store.add(args.store, accepted) if accepted else None
    for one in refused:
        say(f"refused: {one.reason}")
    if args.json:
        made = {"added": [{"folder": str(one.folder), "digest": one.digest} for one in accepted],
                "refused": [{"folder": str(one.folder), "reason": one.reason} for one in refused],
                "place": str(place) if place else None}  # fmt: skip
        print(json.dumps(made, indent=1))
    else:
        print(f"{len(accepted)} added, {len(refused)} refused" + (f": {place}" if place else ""))
    return 1 if refused else 0


def ask(args: argparse.Namespace) -> int:
    from kmark.fleet import query

    if args.sql is None:
        known = query.questions()
        show([json.dumps(known, indent=1)] if args.json else [f"{name:<16}{known[name]}" for name in known])
        return 0
    answer = query.ask(args.store, args.sql, args.now or datetime.now(UTC))
    if args.json:
        print(json.dumps(query.records(answer), indent=1))
    else:
        show(query.lines(answer))
    return 0


def export(args: argparse.Namespace) -> None:
    from kmark.fleet import export as formats

    rows = formats.newest(args.store, datetime.now(UTC))
    sys.stdout.write(formats.FORMATS[args.format](rows))


def store_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--store", type=Path, default=STORE, metavar="DIR", help="the store (default results/store)"
    )


def add_run(runs: argparse.ArgumentParser) -> None:
    describe(
        runs,
        "Brings the packed bench to all hosts of an Ansible inventory, runs it and gathers "
        "raw.tsv and host.json. Hosts that fail are named at the end: exit status 1.",
        "kmark fleet run tools/fleet/inventory.example.yml -o /tmp/gathered",
    )
    runs.add_argument("inventory", type=Path, metavar="INVENTORY", help="an inventory of Ansible in YAML")
    runs.add_argument(
        "-o", "--output", type=Path, required=True, metavar="DIR", help="folder for the results"
    )
    runs.add_argument("--rounds", type=positive, default=40, metavar="N", help="rounds (default 40)")
    runs.add_argument(
        "--limit", type=duration, default=7200.0, metavar="TIME",
        help="time limit of each host (default 2h)",
    )  # fmt: skip
    runs.add_argument(
        "--forks", type=positive, default=50, metavar="N", help="hosts at a time (default 50)"
    )
    runs.add_argument(
        "--archive", type=Path, metavar="FILE", help="archive of `kmark fleet pack` (default: a new one)"
    )
    runs.set_defaults(run=run)


def add_report(made: argparse.ArgumentParser) -> None:
    describe(
        made,
        "Makes report.json of the raw.tsv and host.json that `measure` leaves, in a folder "
        "and those below it. Exit status 1 if one cannot be made; the others are.",
        "kmark fleet report /tmp/gathered",
    )
    made.add_argument("folder", type=Path, metavar="DIR", help="folder of results")
    made.set_defaults(run=report)


def add_add(more: argparse.ArgumentParser) -> None:
    store_option(more)
    describe(
        more,
        "Stores every report.json in a folder and below it that has the right form, whose "
        "every figure follows from the raw.tsv beside it, and whose raw data is not stored yet. Others are "
        "refused by name, with the reason, and the exit status is 1.",
        "kmark fleet add /tmp/gathered --store /srv/kmark",
    )
    more.add_argument("folder", type=Path, metavar="DIR", help="folder of results")
    more.add_argument(
        "--jobs", type=positive, default=os.cpu_count() or 1, metavar="N",
        help="reports that are checked at a time (default: one for each CPU)",
    )  # fmt: skip
    json_option(more)
    more.set_defaults(run=add_reports)


def add_query(asked: argparse.ArgumentParser) -> None:
    store_option(asked)
    describe(
        asked,
        "Answers SQL, or a ready question by its name; without either it lists the questions. "
        "The tables are reports, cases, nulls, sites, versus and toggles.",
        "kmark fleet query dearer-than-key",
    )
    asked.add_argument("sql", nargs="?", metavar="SQL", help="SQL, or the name of a question")
    asked.add_argument(
        "--now", type=time, metavar="TIME", help="end of the last month, as 2026-11-30 (default: now)"
    )
    json_option(asked)
    asked.set_defaults(run=ask)


def add_export(out: argparse.ArgumentParser) -> None:
    store_option(out)
    describe(
        out,
        "Prints what each case of the newest report of each host adds to a loop: as a KCIDB "
        "document, version 5.3, or as OpenMetrics.",
        "kmark fleet export openmetrics > /tmp/kmark.prom",
    )
    out.add_argument("format", choices=("kcidb", "openmetrics"), help="the format")
    out.set_defaults(run=export)
