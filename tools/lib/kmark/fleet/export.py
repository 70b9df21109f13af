# SPDX-License-Identifier: GPL-2.0-only
"""The store in other formats: KCIDB for collections of test results of kernels, OpenMetrics for monitoring.
Both have the newest report of each host, CPU and environment."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from kcidb_io.schema import V5_3
from prometheus_client import CollectorRegistry
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.openmetrics.exposition import generate_latest

from kmark import foreign
from kmark.errors import Failure
from kmark.fleet import query
from kmark.report.compare import EXACT, MARGIN_PCT, MOST_CYCLES

ORIGIN = "kmark"
NEWEST = """
SELECT * FROM cases
WHERE variant <> 'none'
QUALIFY created = max(created) OVER (PARTITION BY host, cpu_text, env)
ORDER BY host, env, digest, shape, state, variant
"""
LABELS = ("host", "env", "cpu_text", "kernel_text", "shape", "variant", "state")

Row = dict[str, Any]


def newest(store: Path, now: datetime) -> list[Row]:
    """The cases to export. Failure if nothing is stored."""
    found = query.ask(store, NEWEST, now)
    return [dict(zip(found.columns, row, strict=True)) for row in found.rows]


def threshold(row: Row) -> float:
    """Allowed difference of a case to another run of it, in its unit: as `kmark compare` does with
    two runs that resolve the same."""
    if row["unit"] == "instructions":
        return EXACT
    return float(max(min(MARGIN_PCT / 100 * row["per_loop"], MOST_CYCLES), row["resolution"]))


def test_entry(row: Row, build: str) -> Row:
    """Return a case as a test, whose value is the cost that is added to a loop."""
    path = ".".join(("kmark", row["env"], row["shape"], row["state"], row["variant"]))
    bounds = {
        key: row[key] for key in ("added_lo", "added_hi", "resolution", "samples", "status", "digest")
    }
    return {
        "id": f"{ORIGIN}:{row['digest']}.{path}",
        "origin": ORIGIN,
        "build_id": build,
        "path": path,
        "status": "DONE",
        "number": {"value": row["added"], "unit": f"{row['unit']} per loop"},
        "start_time": row["created"].replace(tzinfo=UTC).isoformat(),
        "environment": {"comment": f"{row['host']}: {row['cpu_text']}"},
        "misc": {**bounds, "lower_is_better": True, "threshold": threshold(row)},
    }


def kcidb(rows: Iterable[Row]) -> str:
    """A KCIDB document, version 5.3, of cases; the package of that project has found it valid. Each kernel
    is a checkout and a build. Failure if it is not valid."""
    checkouts, builds, tests = {}, {}, []
    for row in rows:
        name = f"{ORIGIN}:{row['kernel_text']}"
        build = f"{name} {row['arch']}"
        checkouts[name] = {"id": name, "origin": ORIGIN, "comment": row["kernel_text"]}
        builds[build] = {"id": build, "checkout_id": name, "origin": ORIGIN, "architecture": row["arch"]}
        tests.append(test_entry(row, build))
    made = {
        "version": {"major": V5_3.major, "minor": V5_3.minor},
        "checkouts": list(checkouts.values()),
        "builds": list(builds.values()),
        "tests": tests,
    }
    try:
        V5_3.validate(made)
    except Exception as problem:  # exceptions of jsonschema, whose classes the package does not name
        raise Failure(f"fleet: not valid KCIDB: {foreign.lines(str(problem))[0]}") from None
    return json.dumps(made, indent=1) + "\n"


class Cases:
    """The cases as gauges: the added cost, its interval, and its threshold, for each unit."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self.rows = list(rows)

    def collect(self) -> Iterable[GaugeMetricFamily]:
        for unit in sorted({row["unit"] for row in self.rows}):
            names = {
                "added": "What a marker or another gate adds to a loop, the median",
                "added_lo": "The lower bound of its interval",
                "added_hi": "The upper bound of its interval",
                "threshold": "By how much it may differ between two runs and be called the same",
            }
            for name, text in names.items():
                family = GaugeMetricFamily(f"kmark_{name}_{unit}", text, unit=unit,
                                           labels=[*LABELS, "lower_is_better"])  # fmt: skip
                for row in self.rows:
                    value = threshold(row) if name == "threshold" else row[name]
                    if row["unit"] == unit and math.isfinite(value):
                        better = "" if name == "threshold" else "true"
                        labels = [*(foreign.shown(str(row[label])) for label in LABELS), better]
                        family.add_metric(
                            labels, value, timestamp=row["created"].replace(tzinfo=UTC).timestamp()
                        )
                yield family


def openmetrics(rows: Iterable[Row]) -> str:
    """The text of an exposition, OpenMetrics 1.0. `lower_is_better` is a label of figures; the threshold
    of each is a gauge with the same other labels."""
    registry = CollectorRegistry()
    registry.register(Cases(rows))
    text: str = generate_latest(registry).decode()
    return text


FORMATS = {"kcidb": kcidb, "openmetrics": openmetrics}
