# SPDX-License-Identifier: GPL-2.0-only
"""The answer of a report in one screen: what a site costs disabled and enabled, an event,
toggling, in comparison with a static key; and what this machine could not resolve. It is what
`make bench` prints, and the head of report.txt, report.html and the mail.

Every figure is one of report.json, written by figure()."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any

from kmark.analysis.notation import WIDTH, number
from kmark.analysis.shapes import TWICE
from kmark.analysis.site import TWINS
from kmark.analysis.stats import Estimate
from kmark.report.breakeven import THREAD_ENV

MOST_LINES = 45
ROUNDING = 1e-6  # of a difference in instructions that is none
VARIANTS = (
    "mark", "key", "generic", "imm", "nop5", "flip", "pun", "nop14", "nop23", "jcc", "xor", "call",
    "direct", "tracepoint", "static-call", "lttng",
)  # fmt: skip
NAMES = {"mark": "MARK()", "key": "the static key", "tracepoint": "the tracepoint", "sink": "the probe ctf"}
STATES = ("disabled", "enabled")
EVENTS, EVENTS_SHOWN = "event", ("sink", "ring", "relay", "lttng", "ring-buffer", "trace-event")
TOGGLES = {"together": "in one transaction", "single": "one by one", "keys": "static keys one by one"}
BENT, BOUND, ABSENT = "~", "<", "-"
LEGEND = (
    f"{BENT}: another cost in loops of 1, 8 or 64 sites. {BOUND}: not resolved, below that. 2006: the "
    "mails' Pentium 4, disabled. bytes: passed while disabled, and out of line."
)

Entry = dict[str, Any]
Report = dict[str, Any]
Fact = tuple[str, str]  # what it is about, and what is to be said


def figure(value: float, unit: str, sign: str = "+") -> str:
    """A figure as this page writes it; instructions are whole numbers, nearly always."""
    return f"{value:{sign}.5g}" if unit == "instructions" else number(value, sign)


def bounds(entry: Entry, unit: str) -> str:
    """The interval of an estimate's entry."""
    return f"[{figure(entry['lo'], unit)}, {figure(entry['hi'], unit)}]"


def envs(report: Report) -> tuple[str | None, str | None]:
    """The environments in cycles and in instructions; None: not measured."""
    units = {case["env"]: case["unit"] for case in reversed(report["cases"])}
    found = [
        next((env for env in units if units[env] == unit), None) for unit in ("cycles", "instructions")
    ]
    if "native" in units:
        found[0] = "native"
    return found[0], found[1]


def cost(entry: Entry | None) -> str:
    """A site's cost in a column."""
    if entry is None:
        return ABSENT
    value, unit = entry["cost"], entry["unit"]
    if value["lo"] <= 0 <= value["hi"] and value["lo"] != value["hi"]:
        return BOUND + figure(Estimate(**value).bound, unit, "")
    return figure(value["median"], unit) + (BENT if entry.get("linear") is False else "")


def site_rows(report: Report) -> Iterator[list[str]]:
    """Of each variant that was measured: its name, a site disabled and enabled in cycles and in
    instructions, its bytes, and the figure of 2006."""
    sites = {(e["env"], e["variant"], e["state"]): e for e in report.get("site", [])}
    sizes = {e["variant"]: e for e in reversed(report.get("size", []))}
    thread = {
        case["variant"]: case["thread"]["added"]
        for case in report["cases"]
        if case["shape"] == "empty"
        and case["state"] == "disabled"
        and case["unit"] == "cycles"
        and case["thread"]
    }
    timed, counted = envs(report)
    for variant in VARIANTS:
        cells = [
            cost(sites.get((str(env), variant, state))) for env in (timed, counted) for state in STATES
        ]
        if set(cells) == {ABSENT}:
            continue
        size = f"{sizes[variant]['hot']}+{sizes[variant]['cold']}" if variant in sizes else ABSENT
        printed = f"{thread[variant]:+.2f}" if variant in thread else ""
        yield [variant, *cells, size, printed]


def site_lines(report: Report) -> Iterator[str]:
    """The table of the variants that were measured."""
    yield f"{'one site of 128':<16}{'cycles':>18}{'instructions':>20}{'bytes':>10}{'2006':>8}"
    yield f"{'':<15}{'disabled':>9} {'enabled':>9}{'disabled':>10} {'enabled':>9}{'':>10}{'cycles':>8}"
    for variant, a, b, c, d, size, printed in site_rows(report):
        yield f"{variant:<15}{a:>9} {b:>9}{c:>10} {d:>9}{size:>10}{printed:>8}".rstrip()


def event_facts(report: Report) -> Iterator[Fact]:
    """What a complete event costs, and what it did in the mails."""
    words = []
    for env in filter(None, envs(report)):
        cases = {c["variant"]: c for c in report["cases"] if c["env"] == env and c["shape"] == EVENTS}
        found = [
            f"{name} {figure(cases[name]['added']['median'], cases[name]['unit'])}"
            for name in EVENTS_SHOWN
            if name in cases
        ]
        if found:
            words.append(f"{', '.join(found)} {cases['none']['unit']} ({env})")
    thread = next((one for one in report.get("breakeven", []) if one["env"] == THREAD_ENV), None)
    if words and thread:
        unit = thread["unit"]
        words.append(f"{thread['stored_by']} in {THREAD_ENV} {figure(thread['stored'], unit)} {unit}")
    if words:
        yield "complete event", "; ".join(words)


def toggle_facts(report: Report) -> Iterator[Fact]:
    """What it costs to open and close many sites."""
    for env in filter(None, envs(report)):
        entries = [entry for entry in report.get("toggle", []) if entry["env"] == env]
        found: dict[str, list[str]] = {}
        for entry in entries:
            opened = "open" if entry["state"] == "open" else "close"
            value = figure(entry["per_site"]["median"], entry["unit"], "")
            found.setdefault(TOGGLES.get(entry["what"], entry["what"]), []).append(f"{opened} {value}")
        if found:
            words = "; ".join(f"{what} {', '.join(values)}" for what, values in found.items())
            sites, unit = entries[0]["sites"], entries[0]["unit"]
            yield f"toggling {sites:,}", f"{words} {unit} a site ({env})"


def difference(entry: Entry, other: str) -> str:
    """What one variant costs beside another, as the rest of a sentence."""
    found, unit = entry["difference"], entry["unit"]
    if not entry["resolved"]:
        limit = Estimate(**found).limit(entry["resolution"])
        if limit < ROUNDING:
            return f"equals {other}"
        return f"equals {other} within {figure(limit, unit, '')}"
    more = "more" if found["median"] > 0 else "less"
    size = figure(abs(found["median"]), unit, "")
    interval = "" if found["lo"] == found["hi"] else f" {bounds(found, unit)}"
    return f"costs {size} {more} than {other}{interval}"


def sentence(entries: list[Entry]) -> str:
    """One variant beside another, in one environment, disabled and enabled."""
    first = entries[0]
    name, other = (str(NAMES.get(first[key], first[key])) for key in ("variant", "against"))
    if first["shape"] == EVENTS:
        return f"An event by {name} {difference(first, other)}"
    words = [f"{name} {first['state']} {difference(first, other)}"]
    words += [f"{entry['state']} it {difference(entry, 'that')}" for entry in entries[1:]]
    return "; ".join(words)


def verdict_facts(report: Report) -> Iterator[Fact]:
    """Sentences: one variant beside another. Those of a site are of one of 128 in a row, where the
    loop drops out without a second one; that two of the same code are equal is no news."""
    groups: dict[str, dict[tuple[str, str], list[Entry]]] = {}
    for entry in sorted(report.get("versus", []), key=lambda entry: str(entry["state"])):
        pair = (entry["variant"], entry["against"])
        if pair != TWINS and entry["twice"] is None and entry["shape"] in (*TWICE.values(), EVENTS):
            groups.setdefault(entry["env"], {}).setdefault(pair, []).append(entry)
    for env in filter(None, envs(report)):
        pairs = groups.get(env, {})
        if pairs:
            unit = next(iter(pairs.values()))[0]["unit"]
            yield f"{env}, {unit}", ". ".join(map(sentence, pairs.values())) + "."


def is_resolved(case: Entry) -> bool:
    """Whether a case is, be it noisy or not."""
    return Estimate(**case["added"]).is_resolved(case.get("resolution", 0))


def doubt_facts(report: Report) -> Iterator[Fact]:
    """How many figures should not be used as they are, and what can be resolved at best. A noisy
    case also counts under its other status."""
    timed, _ = envs(report)
    cases = [c for c in report["cases"] if c["env"] == timed and c["variant"] != "none"]
    if not cases:
        return
    counts = {
        "noisy": sum(c["status"] == "noisy" for c in cases),
        "not resolved": sum(not is_resolved(c) for c in cases),
        "split by place": sum(len(c["places"]["groups"]) > 1 for c in cases if "places" in c),
        "negative": sum(is_resolved(c) and c["added"]["hi"] < 0 for c in cases),
    }
    found = ", ".join(f"{count} {what}" for what, count in counts.items())
    yield f"of {len(cases)} {timed} cells", found
    null = {
        e["shape"]: e["resolution"]
        for e in report["null"]
        if e["env"] == timed and e["state"] == "disabled"
    }
    least = ", ".join(
        f"{shape} {number(null[shape])}" for shape in ("empty", "memcpy4096", "cold") if shape in null
    )
    if least:
        yield "none against none, disabled", f"{least} cycles a loop; less is not resolved"


def facts(report: Report) -> Iterator[Fact]:
    """All that stands below the table."""
    yield from event_facts(report)
    yield from toggle_facts(report)
    yield from verdict_facts(report)
    yield from doubt_facts(report)


def lines(report: Report, where: str = "below") -> Iterator[str]:
    """The page, at most MOST_LINES of WIDTH columns, for which variants at the end of VARIANTS
    are left to the full report. `where`: that report."""
    cpu = report["environment"]["host"].get("cpu", "unknown CPU")
    yield textwrap.shorten(
        f"Cost of markers, {report['created'][:10]}: {cpu.partition(' (')[0]}", WIDTH, placeholder=" ..."
    )
    below = [*textwrap.wrap(LEGEND, WIDTH), ""]
    for head, words in (*facts(report), ("full report", where)):
        below += textwrap.wrap(f"{head}: {words}", WIDTH, subsequent_indent="  ", break_on_hyphens=False)
    yield from [*site_lines(report)][: MOST_LINES - 1 - len(below)]
    yield from below
