# SPDX-License-Identifier: GPL-2.0-only
"""What a report has to be beyond its schema: figures that fit each other. Whoever keeps reports
asks here, through report.load()."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from kmark.report.schema import Where

THREAD_ENV = "2006"  # of break-even, which the mails have, too
ESTIMATE = {"median", "lo", "hi"}
UNITS = ("cases", "null", "site", "versus", "breakeven")  # whose unit is that of their environment

Report = dict[str, Any]
Problem = tuple[Where, str]


def entries(report: Report) -> Iterator[tuple[Where, dict[str, Any]]]:
    """Of all lists that belong to environments; the bytes of a site are also those of the kernel."""
    for key, found in report.items():
        if isinstance(found, list) and key != "size":
            yield from (((key, n), one) for n, one in enumerate(found) if "env" in one)


def estimates(value: Any, where: Where) -> Iterator[Problem]:
    if isinstance(value, list):
        for number, one in enumerate(value):
            yield from estimates(one, (*where, number))
    elif isinstance(value, dict):
        if value.keys() == ESTIMATE and not value["lo"] <= value["median"] <= value["hi"]:
            yield where, f"the median {value['median']:g} is not from {value['lo']:g} to {value['hi']:g}"
        for key, one in value.items():
            yield from estimates(one, (*where, key))


def environments(report: Report) -> Iterator[Problem]:
    """Each has one run and one unit."""
    runs = [run["env"] for run in report["environment"]["runs"]]
    for number, env in enumerate(runs):
        if env in runs[:number]:
            yield ("environment", "runs", number, "env"), f"there is another run of {env}"
    units: dict[str, str] = {}
    for where, one in entries(report):
        env = one["env"]
        if env not in runs and not (where[0] == "breakeven" and env == THREAD_ENV):
            yield (*where, "env"), f"there is no run of {env}"
        elif where[0] in UNITS and units.setdefault(env, one["unit"]) != one["unit"]:
            yield (*where, "unit"), f"{one['unit']}, where {env} has {units[env]}"


def cases(report: Report) -> Iterator[Problem]:
    """Each is there once, and its null experiment, too."""
    known: set[tuple[str, ...]] = set()
    for number, one in enumerate(report["null"]):
        key = (one["env"], one["shape"], one["state"])
        if key in known:
            yield ("null", number), f"{' '.join(key)} is there twice"
        known.add(key)
    seen: set[tuple[str, ...]] = set()
    for number, one in enumerate(report["cases"]):
        key = (one["env"], one["shape"], one["state"])
        if key not in known:
            yield ("cases", number), f"no null experiment for {' '.join(key)}"
        if (*key, one["variant"]) in seen:
            yield ("cases", number), f"{' '.join((*key, one['variant']))} is there twice"
        seen.add((*key, one["variant"]))
    for where, one in entries(report):
        if one.get("dropped", 0) > one.get("samples", 0):
            yield (*where, "dropped"), f"{one['dropped']} of {one['samples']} samples are dropped"


def problems(report: Report) -> Iterator[Problem]:
    """What is wrong with a report that its schema allows, and where."""
    try:
        datetime.fromisoformat(report["created"])
    except ValueError as problem:
        yield ("created",), str(problem)
    yield from environments(report)
    yield from cases(report)
    yield from estimates(report, ())
