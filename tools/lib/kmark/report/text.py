# SPDX-License-Identifier: GPL-2.0-only
"""report.txt: a report as plain text, laid out like the 2006 mail.

Made from the report alone, so the same text can be made again later."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from kmark.analysis import shapes
from kmark.analysis.notation import WIDTH, fact, fit, interval, named, number
from kmark.analysis.stats import Estimate, interval_name
from kmark.foreign import shown
from kmark.report import sections, summary
from kmark.report.report import Report

ENVIRONMENTS = {
    "native": "Native: user space on this machine, in core cycles",
    "vm": "Guest: the distribution's kernel under emulation, in instructions",
    "uml": "User-Mode Linux: real modules in a kernel, in core cycles",
}
PER_LOOP = {"cycles": "cycles/loop", "instructions": "instr./loop"}
THREAD = {
    "cycles": "thread: cycles added in the mails of 2006 (Pentium 4, 3 GHz), for none the cycles per loop.",
    "instructions": "thread: instructions of one disabled site in the listings of the mails of 2006.",
}
LEGEND = (
    "added: median of the differences to none in the same round and layout. "
    "not resolved (< x): the interval contains 0, or it is below what none against none shows in this "
    "run; its size is below x, with its sign. "
    "noisy: over a fifth of the samples dropped, or the rest too far apart. "
    "split: places, each a layout in one process, fall into groups, which stand below: no loop "
    "has the median. negative: the loop is faster with the site, which where other code "
    "lies can do; it is no gain. mean, worst: over places, where one of them is outside the interval "
    "by more than this run resolves. "
    "A wide interval that is not noisy: it matters where the loop lies in its cache line."
)


TOGGLES = {"together": "together", "single": "one by one", "keys": "static keys"}
PER_SITE = {"ns": "ns/site", "instructions": "instr./site", "cycles": "cycles/site"}
TOGGLE_NOTES = {
    "ns": "ns: of whole commands on this machine, less the wait for probes to return after closing.",
    "instructions": "instructions: of whole commands on the guest's only CPU. What it costs to interrupt "
    "others is not in them, and that is what several CPUs pay for each round.",
}
TOGGLE_LEGEND = (
    "together: all sites in one transaction; one by one: each in its own. "
    "rounds: times that all CPUs were synchronised. "
    "int3: times that a CPU met a breakpoint of ours. -: not known. "
)
MEMORY = {
    "site.bytes": "entry of a site in its section table",
    "site.gate.bytes": "entry of its gate",
    "site.call.bytes": "entry of its call",
    "site.runtime.bytes": "kept of a site with one gate and one call",
    "marker.runtime.bytes": "kept of a marker",
}


def row(variant: str, per_loop: str, added: str, bounds: str, status: str, last: str) -> str:
    return f"{named(variant, 12)}{per_loop:>11}{added:>9} {bounds:>20} {status:<10} {last:>7}".rstrip()


def last_column(case: dict[str, Any]) -> str:
    """The thread's figure; where it has none, the cost of one of several sites."""
    entry, variant = case["thread"], case["variant"]
    if variant == "none":
        return f"{entry['per_loop']:.2f}" if entry and "per_loop" in entry else ""
    if case["sites"] > 1:
        return number(case["added"]["median"] / case["sites"], "+")
    if entry is None:
        return ""
    added = entry["added"]
    return f"{added:+d}" if case["unit"] != "cycles" and isinstance(added, int) else f"{added:+.2f}"


def bound(case: dict[str, Any], resolution: float) -> float:
    """What the size of a case that is not resolved is below."""
    return Estimate(**case["added"]).limit(case.get("resolution", resolution))


def places_text(case: dict[str, Any], resolution: float) -> str:
    """Mean, worst place and groups of places, where they say what the median does not; else ""."""
    places = case.get("places")  # older reports have none
    if places is None or case["variant"] == "none":
        return ""
    least, added = case.get("resolution", resolution), case["added"]
    if (
        added["lo"] - least <= places["mean"]
        and max(places["mean"], places["worst"]) <= added["hi"] + least
    ):
        return ""
    words = f"mean {number(places['mean'], '+')}, worst {number(places['worst'], '+')}"
    if len(places["groups"]) == 1:
        return words
    groups = [f"{group['places']} at {number(group['median'], '+')}" for group in places["groups"]]
    return f"{words}; places: {', '.join(groups)}"


def case_rows(case: dict[str, Any], resolution: float) -> Iterator[str]:
    yield case_row(case, resolution)
    if words := places_text(case, resolution):
        yield from textwrap.wrap(words, WIDTH, initial_indent=" " * 12, subsequent_indent=" " * 14)


def case_row(case: dict[str, Any], resolution: float) -> str:
    per_loop = number(case["per_loop"]["median"])
    if case["variant"] == "none":
        return row("none", per_loop, "", "", case["status"], last_column(case))
    if case["status"] == "unresolved":
        sign = "-" if case["added"]["median"] < 0 else "+"
        text = f"{sign} not resolved (< {number(bound(case, resolution))})"
        thread = last_column(case) if case["thread"] else ""
        return f"{named(case['variant'], 12)}{per_loop:>11}  {text:<39} {thread:>7}".rstrip()
    added = number(case["added"]["median"], "+")
    return row(case["variant"], per_loop, added, interval(case["added"]), case["status"], last_column(case))


def table(cases: list[dict[str, Any]], resolution: float) -> Iterator[str]:
    """One shape in one state."""
    first = cases[0]
    title = f"- {shapes.title(first['shape'])}, sites {first['state']}"
    yield from textwrap.wrap(title, WIDTH, subsequent_indent="  ")
    yield f"NR_LOOPS : {first['loops']}"
    yield f"samples  : {first['samples']} of each variant"
    dropped = [f"{case['variant']} {case['dropped']}" for case in cases if case["dropped"]]
    if dropped:
        yield fact("dropped  :", ", ".join(dropped) + " (their chains disagree)")
    yield ""
    last = "a site" if any(case["sites"] > 1 for case in cases) else "thread"
    yield row("variant", PER_LOOP[first["unit"]], "added", interval_name(), "status", last)
    for case in cases:
        yield from case_rows(case, resolution)
    yield ""


def spread(entry: dict[str, float]) -> str:
    """An interval; "-" if its bounds are the same."""
    return "-" if entry["lo"] == entry["hi"] else f"[{number(entry['lo'])}, {number(entry['hi'])}]"


def toggle_row(entry: dict[str, Any]) -> str:
    rounds, traps = ("-" if entry[key] is None else str(entry[key]) for key in ("rounds", "traps"))
    return (
        f"{TOGGLES.get(entry['what'], entry['what'])[:11]:<12}{entry['state']:<7}{entry['transactions']:>7}"
        f"{rounds:>7}{traps:>6} {number(entry['per_site']['median']):>11} {spread(entry['per_site']):>20}"
    )


def toggle_facts(entries: list[dict[str, Any]]) -> Iterator[str]:
    for entry in entries:
        if ratio := entry["ratio"]:
            how = f"{TOGGLES.get(entry['what'], entry['what'])}, {entry['state']}"
            bounds = "" if ratio["lo"] == ratio["hi"] else f" [{ratio['lo']:.2f}, {ratio['hi']:.2f}]"
            yield fact("ratio", f"{how}: {ratio['median']:.2f} times together{bounds}")
    shares = sorted({round(100 * entry["peer"]) for entry in entries if entry["peer"] is not None})
    if shares:
        span = f"{shares[0]} to {shares[-1]}" if len(shares) > 1 else f"{shares[0]}"
        yield fact("other thread", f"ran {span} % of the time")


def toggle_table(entries: list[dict[str, Any]]) -> Iterator[str]:
    """What it costs to change many sites, in one environment."""
    first = entries[0]
    yield f"- Toggle cost: open and close {first['sites']} sites"
    yield f"samples  : {first['samples']} of each"
    yield ""
    yield (
        f"{'how':<12}{'state':<7}{'trans.':>7}{'rounds':>7}{'int3':>6} {PER_SITE[first['unit']]:>11}"
        f" {interval_name():>20}"
    )
    yield from map(toggle_row, entries)
    yield ""
    yield from toggle_facts(entries)
    yield ""
    yield textwrap.fill(TOGGLE_LEGEND + TOGGLE_NOTES[first["unit"]], WIDTH)


def scale_row(entry: dict[str, Any]) -> str:
    cost = entry["per_site"]
    return f"{entry['what']:<12}{entry['sites']:>7} {number(cost['median']):>11} {spread(cost):>20}"


def scale_table(entries: list[dict[str, Any]]) -> Iterator[str]:
    """One write with a rule for each site, for more and more sites."""
    yield "- Scale: one write with a rule for each site"
    yield f"samples  : {entries[0]['samples']} of each"
    yield ""
    yield f"{'what':<12}{'sites':>7} {PER_SITE['ns']:>11} {interval_name():>20}"
    yield from map(scale_row, entries)
    yield ""
    for what, group in groupby(entries, lambda entry: entry["what"]):
        least, *_, most = group
        ratio = most["per_site"]["median"] / least["per_site"]["median"]
        sizes = f"a site of {most['sites']} takes {ratio:.2f} times one of {least['sites']}"
        yield fact("growth", f"{what}: {sizes}")


def site_row(variant: str, by_state: dict[str, dict[str, float]]) -> str:
    cells = [f"{variant[:15]:<16}"]
    for state in ("disabled", "enabled"):
        cost = by_state.get(state)
        cells.append(f"{number(cost['median'], '+'):>9} {interval(cost):>18}" if cost else " " * 28)
    return "".join(cells).rstrip()


def site_table(entries: list[dict[str, Any]]) -> Iterator[str]:
    """The cost of one site, without the loop around it."""
    first = entries[0]
    yield f"- One site of {2 * first['sites']}: {first['twice']} less {first['shape']}, by {first['sites']}"
    yield ""
    bounds = interval_name()
    yield f"{PER_SITE[first['unit']]:<16}{'disabled':>9} {bounds:>18}{'enabled':>9} {bounds:>18}"
    variants: dict[str, dict[str, dict[str, float]]] = {}
    bent: dict[str, None] = {}
    for entry in entries:
        variants.setdefault(entry["variant"], {})[entry["state"]] = entry["cost"]
        if entry.get("linear") is False:
            bent[f"{entry['variant']} {entry['state']}"] = None
    for variant in sorted(variants, key=lambda name: (name not in ("none", "null"), name)):
        yield site_row(variant, variants[variant])
    yield ""
    yield "none and null have no sites: what they show is noise."
    if bent:
        yield fact(
            "not linear", f"{', '.join(bent)}: a site costs another amount in the loops of 1, 8 or 64."
        )


def versus_row(entry: dict[str, Any]) -> str:
    where = entry["shape"] if entry["twice"] is None else f"one of {2 * entry['sites']}"
    limit = Estimate(**entry["difference"]).limit(entry["resolution"])
    what = "differs" if entry["resolved"] else f"equal < {number(limit)}"
    figure = number(entry["difference"]["median"], "+")
    bounds = interval(entry["difference"])
    return f"{where[:11]:<12}{entry['state']:<9}{figure:>9} {bounds:>20} {what}"


def versus_table(entries: list[dict[str, Any]]) -> Iterator[str]:
    """What a site of one variant costs more than one of another."""
    yield f"- Side by side: what one site costs more, in {entries[0]['unit']}"
    for (variant, against), group in groupby(
        sorted(entries, key=lambda entry: (entry["variant"], entry["against"])),
        lambda entry: (entry["variant"], entry["against"]),
    ):
        yield from ("", f"{variant} less {against}")
        yield f"{'shape':<12}{'state':<9}{'more':>9} {interval_name():>20}"
        yield from map(versus_row, group)


def memory_table(entries: list[dict[str, Any]]) -> Iterator[str]:
    yield "- Memory, in bytes"
    yield ""
    for entry in entries:
        yield f"{entry['bytes']:>6}  {MEMORY.get(entry['name'], entry['name'])}"


OTHER_TABLES = {
    "site": site_table,
    "versus": versus_table,
    "toggle": toggle_table,
    "scale": scale_table,
    "memory": memory_table,
}


def other_tables(report: Report, env: str) -> Iterator[str]:
    """Reports made before these were measured have none of them."""
    for key, table_of in OTHER_TABLES.items():
        if entries := [entry for entry in report.get(key, []) if entry["env"] == env]:
            yield from ("", *table_of(entries))


def environment(report: Report, env: str) -> Iterator[str]:
    for run in report["environment"]["runs"]:
        if run["env"] == env:
            yield from (fact(key, value) for key, value in run.items() if key != "env")


def null_table(report: Report) -> Iterator[str]:
    yield "* Null experiment: none against none, per loop"
    yield ""
    yield f"{'env':<8}{'shape':<13}{'state':<10}{'median':>9} {interval_name():>20} {'bound':>9}"
    for entry in report["null"]:
        median, bound = number(entry["added"]["median"], "+"), number(entry["resolution"])
        place = f"{entry['env'][:7]:<8}{entry['shape'][:12]:<13}{entry['state']:<10}"
        yield f"{place}{median:>9} {interval(entry['added']):>20} {bound:>9}"
    yield ""
    units = {entry["env"]: entry["unit"] for entry in report["null"]}
    places = ", ".join(f"{env} in {unit}" for env, unit in units.items())
    yield fact("unit", f"{places}; bound is what a difference must exceed to count.")


def warnings(report: Report) -> list[str]:
    """Reasons not to trust a clock; printed first."""
    runs = report["environment"]["runs"]
    return [f"WARNING: {run['env']}: {run['warning']}" for run in runs if "warning" in run]


def lines(report: Report) -> Iterator[str]:
    yield "Cost of markers, disabled and enabled"
    yield report["created"]
    for warning in warnings(report):
        yield from textwrap.wrap(warning, WIDTH)
    yield ""
    yield from summary.lines(report)
    yield from ("", "")
    yield "* Machine"
    yield ""
    yield from (fact(key, value) for key, value in report["environment"]["host"].items())
    resolution = {(e["env"], e["shape"], e["state"]): e["resolution"] for e in report["null"]}
    for env, in_env in groupby(report["cases"], lambda case: case["env"]):
        cases = list(in_env)
        yield from ("", "", "* " + ENVIRONMENTS.get(env, env), "")
        yield from environment(report, env)
        yield ""
        for (shape, state), group in groupby(cases, lambda case: (case["shape"], case["state"])):
            yield from table(list(group), resolution[env, shape, state])
        yield textwrap.fill(THREAD[cases[0]["unit"]], WIDTH)
        yield from other_tables(report, env)
    yield ""
    yield textwrap.fill(LEGEND, WIDTH)
    yield from ("", "")
    for lines_of in sections.ALL:
        if found := list(lines_of(report)):
            yield from (*found, "", "")
    yield from null_table(report)


def render(report: Report) -> str:
    """The whole text, no line of which has over WIDTH columns, whatever the names and figures."""
    return "".join(
        f"{part}\n" for line in "\n".join(lines(report)).split("\n") for part in fit(shown(line))
    )
