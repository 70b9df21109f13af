# SPDX-License-Identifier: GPL-2.0-only
"""Computes the figures of a report once more from its raw data, by what Documentation/measuring.md says and
without the package's arithmetic, and names each figure of the report that differs.

        estimator.py RAW.TSV REPORT.JSON

Medians and exact intervals have to be the same. A bootstrap draws at random, so the end of an interval that
is one may lie where the quantiles 0.8 % to 5 % lie here."""

from __future__ import annotations

import json
import math
import random
import sys
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from statistics import fmean, median
from typing import Any, TypeAlias

Sample: TypeAlias = dict[str, Any]
Pairs: TypeAlias = dict[tuple[int, int, int], float]  # by layout, round and number
FEWEST, DRAWS = 6, 2000
LOW, HIGH = 0.008, 0.05  # quantiles between which that of 2.5 % of 2000 draws lies


def sign_interval(values: Iterable[float]) -> tuple[float, float]:
    """The values that the sign test does not reject at 95 %."""
    ordered = sorted(values)
    count, rank, outside = len(ordered), 0, 0.0
    for at in range(count):
        outside += math.comb(count, at) / 2**count
        if outside > 0.025:
            break
        rank = at
    return ordered[rank], ordered[count - 1 - rank]


class Document:
    """The raw data of one environment."""

    def __init__(self, lines: list[list[str]]) -> None:
        self.facts = {cells[0][1:]: cells[1] for cells in lines if cells[0][0] == "#" and len(cells) > 1}
        self.rows: dict[str, list[Sample]] = defaultdict(list)
        heads: dict[str, list[str]] = {}
        for cells in lines:
            if cells[0][0] != "#" and heads.setdefault(cells[0], cells) != cells:
                row = dict(zip(heads[cells[0]], cells, strict=True))
                self.rows[cells[0]].append({key: int(v) if v.isdigit() else v for key, v in row.items()})
        self.offset, self.slice = (int(self.facts.get(key, 0)) for key in ("fence_ticks", "slice_loops"))
        self.layouts = int(self.facts["layouts"]) if int(self.facts.get("processes", 1)) > 1 else 0
        self.groups: dict[tuple[str, str], dict[str, list[Sample]]] = defaultdict(dict)
        for sample in self.rows["case"]:
            if sample["add0"] or not sample["variant"].startswith("null") or sample["variant"] == "null":
                group = self.groups[sample["shape"], sample["state"]]
                group.setdefault(sample["variant"], []).append(sample)

    def rate(self, sample: Sample) -> float:
        """Cycles of a tick: the add chains take a cycle for each add."""
        if not sample["add0"]:
            return 1.0
        ticks: int = sample["add0"] + sample["add1"] - 2 * self.offset
        return 2 * int(self.facts["chain_adds"]) / ticks

    def loop(self, sample: Sample) -> float:
        slices = math.ceil(sample["loops"] / self.slice) if self.slice else 1
        return float((sample["ticks"] - slices * self.offset) * self.rate(sample) / sample["loops"])

    def is_good(self, sample: Sample) -> bool:
        if not sample["add0"]:
            return True

        def apart(one: float, other: float) -> float:
            return abs(one - other) / ((one + other) / 2)

        imuls = int(self.facts["chain_imuls"]) * int(self.facts["imul_latency"])
        by_imul = 2 * imuls / (sample["imul0"] + sample["imul1"] - 2 * self.offset)
        drift = max(apart(sample[f"{name}0"], sample[f"{name}1"]) for name in ("add", "imul"))
        return drift <= 0.01 and apart(self.rate(sample), by_imul) <= 0.02

    def numbered(self, samples: list[Sample]) -> tuple[Pairs, set[tuple[int, int, int]]]:
        """The samples by place, and which are good."""
        values: Pairs = {}
        good = set()
        seen: dict[tuple[int, int], int] = defaultdict(int)
        for sample in samples:
            place = sample["layout"], sample["round"]
            key = (*place, seen[place])
            seen[place] += 1
            values[key] = self.loop(sample)
            if self.is_good(sample):
                good.add(key)
        return values, good

    def less(self, one: list[Sample], other: list[Sample]) -> Pairs:
        (a, good_a), (b, good_b) = self.numbered(one), self.numbered(other)
        both = good_a & good_b
        if len(both) < FEWEST:
            both = a.keys() & b.keys()
        return {key: a[key] - b[key] for key in both}

    def process(self, layout: int) -> int:
        return layout // self.layouts if self.layouts else 0


class Check:
    """The comparison of a document with the part of the report that is of its environment."""

    def __init__(self, document: Document, report: dict[str, Any]) -> None:
        self.document, self.env = document, document.facts["env"]
        self.report = {
            key: [one for one in value if one.get("env") == self.env]
            for key, value in report.items()
            if isinstance(value, list)
        }
        self.problems: list[str] = []
        self.count = 0

    def same(self, where: str, low: float, theirs: float, high: float | None = None) -> None:
        """Check a figure that has to be `low`, or with `high` lie between these."""
        high = low if high is None else high
        self.count += 1
        room = 1e-7 * max(1.0, abs(low))
        if not low - room <= theirs <= high + room:
            self.problems.append(f"{self.env} {where}: {theirs} is not in [{low}, {high}]")

    def estimate(
        self, where: str, pairs: Pairs, shape: str, theirs: dict[str, float], by: int = 1
    ) -> list[float]:  # fmt: skip
        """Check a median of places and its interval; return the medians."""
        document = self.document
        shared = shape.startswith("cold") and document.layouts
        places: dict[int, list[float]] = defaultdict(list)
        for (layout, _, _), value in pairs.items():
            places[document.process(layout) if shared else layout].append(value)
        medians = {place: median(values) for place, values in places.items()}
        self.same(f"{where} median", median(medians.values()) / by, theirs["median"])
        clusters = [[value] for value in medians.values()]
        of_processes: dict[int, list[float]] = defaultdict(list)
        for place, value in medians.items():
            of_processes[place if shared else document.process(place)].append(value)
        kinds = (
            [clusters, list(of_processes.values())] if len(of_processes) > 1 and not shared else [clusters]
        )
        lo, hi = sign_interval(medians.values() if shared else pairs.values())
        lows, highs = [[lo], [lo]], [[hi], [hi]]
        chance = random.Random(1)
        for kind in kinds:
            drawn = sorted(
                median(value for part in chance.choices(kind, k=len(kind)) for value in part)
                for _ in range(DRAWS)
            )
            for number, quantile in enumerate((LOW, HIGH)):
                lows[number].append(drawn[int(quantile * DRAWS)])
                highs[number].append(drawn[-1 - int(quantile * DRAWS)])
        self.same(f"{where} lo", min(lows[0]) / by, theirs["lo"], min(lows[1]) / by)
        self.same(f"{where} hi", max(highs[1]) / by, theirs["hi"], max(highs[0]) / by)
        return list(medians.values())

    def cases(self) -> None:
        for case in self.report["cases"]:
            group = self.document.groups[case["shape"], case["state"]]
            samples, where = group[case["variant"]], f"{case['shape']} {case['state']} {case['variant']}"
            values, good = self.document.numbered(samples)
            kept = [values[key] for key in (good if len(good) >= FEWEST else values)]
            self.same(f"{where} samples", len(samples), case["samples"])
            self.same(f"{where} dropped", len(samples) - len(good), case["dropped"])
            loop = median(kept), *sign_interval(kept)
            for name, value in zip(("median", "lo", "hi"), loop, strict=True):
                self.same(f"{where} per_loop {name}", value, case["per_loop"][name])
            pairs = self.document.less(samples, group["none"])
            medians = self.estimate(where, pairs, case["shape"], case["added"])
            mine = len(medians), fmean(medians), min(medians), max(medians)
            for name, value in zip(("count", "mean", "best", "worst"), mine, strict=True):
                self.same(f"{where} places {name}", value, case["places"][name])

    def nulls(self) -> None:
        """The copy that differs most decides what is not resolved."""
        for null in self.report["null"]:
            group = self.document.groups[null["shape"], null["state"]]
            where = f"{null['shape']} {null['state']} {null['variant']}"
            pairs = self.document.less(group[null["variant"]], group["none"])
            self.estimate(where, pairs, null["shape"], null["added"])
            step = int(self.document.facts.get("tsc_step", 1)) / group["null"][0]["loops"]
            step *= self.document.rate(group["null"][0])
            bound = max(abs(null["added"]["lo"]), abs(null["added"]["hi"]))
            self.same(f"{where} resolution", bound, null["resolution"], max(bound, step * 1.5))

    def sites(self) -> None:
        for site in self.report["site"]:
            once, twice = (self.document.groups[site[key], site["state"]] for key in ("shape", "twice"))
            pairs = self.document.less(twice[site["variant"]], once[site["variant"]])
            where = f"one of {2 * site['sites']} {site['state']} {site['variant']}"
            self.estimate(where, pairs, site["shape"], site["cost"], site["sites"])
        for pair in self.report["versus"]:
            group = self.document.groups[pair["shape"], pair["state"]]
            where = f"{pair['shape']} {pair['state']} {pair['variant']} less {pair['against']}"
            if pair["twice"]:
                more, names = self.document.groups[pair["twice"], pair["state"]], ("variant", "against")
                one, other = (self.document.less(more[pair[n]], group[pair[n]]) for n in names)
                pairs = {key: one[key] - other[key] for key in one.keys() & other.keys()}
            else:
                pairs = self.document.less(group[pair["variant"]], group[pair["against"]])
            self.estimate(where, pairs, pair["shape"], pair["difference"], pair["sites"])

    def fastest(self, samples: list[Sample]) -> tuple[float, float]:
        values, good = self.document.numbered(samples)
        processes: dict[int, list[float]] = defaultdict(list)
        for key in good or values:
            processes[self.document.process(key[0])].append(values[key])
        ordered = sorted(map(median, processes.values()))
        return ordered[0], ordered[min(3, len(ordered)) - 1]

    def cold(self) -> None:
        for cold in self.report["cold"]:
            group, sites = self.document.groups[cold["shape"], cold["state"]], cold["sites"]
            (least, third), (base, base_third) = (self.fastest(group[v]) for v in (cold["variant"], "none"))
            mine = {"median": least - base, "lo": least - base_third, "hi": third - base}
            where = f"cold {cold['shape']} {cold['state']} {cold['variant']}"
            for name, value in mine.items():
                self.same(f"{where} {name}", value / sites, cold["cost"][name])
            self.same(f"{where} step", base / sites, cold["step"])

    def rest(self) -> None:
        """Toggling, growth with sites, and the rate of the core's clock."""
        toggles = self.document.rows["toggle"]
        for cost in self.report["toggle"]:
            rows = [row for row in toggles if (row["what"], row["state"]) == (cost["what"], cost["state"])]
            where = f"toggle {cost['what']} {cost['state']}"
            self.same(
                where, median(row["amount"] / row["sites"] for row in rows), cost["per_site"]["median"]
            )
            base = {row["round"]: row["amount"] for row in toggles
                    if (row["what"], row["state"]) == ("together", cost["state"])}  # fmt: skip
            if cost["ratio"]:
                ratios = [row["amount"] / base[row["round"]] for row in rows if row["round"] in base]
                self.same(f"{where} ratio", median(ratios), cost["ratio"]["median"])
            for row in self.document.rows["interrupts"]:
                if (row["what"], row["state"]) == (cost["what"], cost["state"]):
                    self.same(f"{where} interrupts", row["count"], cost["interrupts"])
        for point in self.report["scale"]:
            grown = [row["amount"] / row["sites"] for row in self.document.rows["scale"]
                    if (row["what"], row["sites"]) == (point["what"], point["sites"])]  # fmt: skip
            self.same(f"scale {point['what']} {point['sites']}", median(grown), point["per_site"]["median"])
        for rate in self.report["rate"]:
            rates = [self.document.rate(sample) for sample in self.document.rows["case"]]
            self.same("rate", median(rates) * int(self.document.facts["tsc_khz"]) / 1000, rate["mhz"])


def compare(raw: str, report: dict[str, Any]) -> tuple[int, list[str]]:
    """How many figures were compared, and which differ."""
    documents: list[list[list[str]]] = []
    for line in filter(None, raw.split("\n")):
        if line.startswith("#kmark-raw/"):
            documents.append([])
        documents[-1].append(line.split("\t"))
    checks = [Check(Document(lines), report) for lines in documents]
    for check in checks:
        for part in (check.cases, check.nulls, check.sites, check.cold, check.rest):
            part()
    return sum(check.count for check in checks), [line for check in checks for line in check.problems]


if __name__ == "__main__":
    count, problems = compare(Path(sys.argv[1]).read_text(), json.loads(Path(sys.argv[2]).read_text()))
    print("\n".join([*problems, f"{count - len(problems)} of {count} figures are the same"]))
    sys.exit(bool(problems))
