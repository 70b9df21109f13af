# SPDX-License-Identifier: GPL-2.0-only
"""The tables of a report: their rows, which text, mail and HTML show alike."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field

from kmark.analysis.cases import Case, Null
from kmark.analysis.cold import ColdSite
from kmark.analysis.notation import WIDTH, interval, named, number, spread
from kmark.analysis.scale import Point
from kmark.analysis.shapes import COLD_SIZES
from kmark.analysis.site import SiteCost, Versus
from kmark.analysis.stats import interval_name
from kmark.analysis.toggle import Cost
from kmark.reference.slips import Slip
from kmark.report.breakeven import Breakeven
from kmark.report.model import Memory, Row

PER_LOOP = {"cycles": "cycles/loop", "instructions": "instr./loop"}
PER_SITE = {"ns": "ns/site", "instructions": "instr./site", "cycles": "cycles/site"}
TOGGLES = {
    "together": "together", "single": "one by one", "calls": "by calls", "keys": "static keys",
    "key": "one key",
}  # fmt: skip
COLD_BYTES, COLD_MEMORY = 128, "coldmem"  # of a step, as bench/cold lays them; the shape that is flushed
MEMORY = {
    "site.bytes": "entry of a site in its section table",
    "site.gate.bytes": "entry of its gate",
    "site.call.bytes": "entry of its call",
    "site.runtime.bytes": "kept of a site with one gate and one call",
    "marker.runtime.bytes": "kept of a marker",
}


@dataclass(frozen=True, slots=True)
class Table:
    """A table. `layout`: the format of a line of text, which names cells by number; `more`: heads of
    cells that only the text has, behind the others; `prose`: the cells are sentences, and HTML does
    not sort them."""

    title: str
    columns: list[str]
    rows: list[list[str]]
    layout: str = ""
    more: list[str] = field(default_factory=list)
    prose: bool = False

    def lines(self) -> Iterator[str]:
        """The head and the rows as text."""
        yield self.line([*self.columns, *self.more])
        yield from self.body()

    def body(self) -> Iterator[str]:
        """The rows as text."""
        yield from map(self.line, self.rows)

    def line(self, cells: list[str]) -> str:
        return "\n".join(part.rstrip() for part in self.layout.format(*cells).split("\n"))


def last_cell(case: Case) -> str:
    """The figure of the mails; where they have none, the cost of one of several sites."""
    printed = case.thread
    if case.variant == "none":
        return f"{printed.per_loop:.2f}" if printed and printed.per_loop is not None else ""
    if case.sites > 1:
        return number(case.added.median / case.sites, "+")
    if printed is None:
        return ""
    return f"{printed.added:+.2f}" if case.unit == "cycles" else f"{printed.added:+g}"


def groups_text(case: Case) -> str:
    return ", ".join(f"{group.places} at {number(group.median, '+')}" for group in case.groups)


def places_text(case: Case) -> str:
    """Mean, worst place and groups of places, where they say what the median does not; else ""."""
    places, least = case.places, case.resolution
    if places is None or case.variant == "none":
        return ""
    highest = max(places.mean, places.worst)
    if case.added.lo - least <= places.mean and highest <= case.added.hi + least:
        return ""
    words = f"mean {number(places.mean, '+')}, worst {number(places.worst, '+')}"
    return f"{words}; places: {groups_text(case)}" if case.groups else words


def case_row(case: Case) -> list[str]:
    """The text has added, interval and status as one cell, because the words of a case that is not
    resolved are as wide as these three."""
    per_loop, last, status = number(case.per_loop.median), last_cell(case), case.status
    added, bounds, over = "", "", ["", ""]
    if case.variant != "none":
        added, bounds = number(case.added.median, "+"), interval(case.added)
        if case.places:
            over = [number(case.places.mean, "+"), number(case.places.worst, "+")]
    middle = f"{added:>9} {bounds:>20} {status:<10}"
    if status == "unresolved" and case.variant != "none":
        status = f"not resolved (< {number(case.limit)})"
        middle = f"  {'-' if case.added.median < 0 else '+'} {status:<37}"
        last = last if case.thread else ""
    if case.variant != "none" and case.groups:
        status = f"{status}: {groups_text(case)}"
    below = textwrap.wrap(places_text(case), WIDTH, initial_indent=" " * 12, subsequent_indent=" " * 14)
    text = [named(case.variant, 12), middle, last, "".join(f"\n{line}" for line in below)]
    return [case.variant, per_loop, added, bounds, *over, status, last, *text]


def of_cases(cases: list[Case]) -> Table:
    """One shape in one state."""
    first, several = cases[0], any(case.sites > 1 for case in cases)
    columns = [
        "variant", PER_LOOP[first.unit], "added", interval_name(), "mean", "worst", "status",
        "a site" if several else "2006",
    ]  # fmt: skip
    head = f"{'added':>9} {interval_name():>20} {'status':<10}"
    return Table(
        f"sites {first.state}: {first.loops:,} loops, {first.samples} samples of each variant", columns,
        [case_row(case) for case in cases], "{8}{1:>11}{9} {10:>7}{11}",
        [named("variant", 12), head, "a site" if several else "thread", ""],
    )  # fmt: skip


def of_site(entries: list[SiteCost]) -> Table:
    """The cost of one site, without the loop around it."""
    bounds, per_site = interval_name(), PER_SITE[entries[0].unit]
    found: dict[str, dict[str, SiteCost]] = {}
    for entry in entries:
        found.setdefault(entry.variant, {})[entry.state] = entry
    rows = []
    for variant, by_state in found.items():
        cells = [variant]
        for state in ("disabled", "enabled"):
            cost = by_state[state].cost if state in by_state else None
            cells += [number(cost.median, "+"), interval(cost)] if cost else ["", ""]
        bent = [state for state, entry in by_state.items() if entry.linear is False]
        rows.append([*cells, f"not {' and '.join(bent)}" if bent else "", variant])
    return Table(
        per_site, ["variant", "disabled", bounds, "enabled", bounds, "linear"], rows,
        "{6:<16.15}{1:>9} {2:>18}{3:>9} {4:>18}", [per_site],
    )  # fmt: skip


def of_versus(entries: list[Versus]) -> Table:
    """Return the table of how much more a site of one variant costs than a site of another."""
    rows = []
    for entry in entries:
        verdict = "differs" if entry.resolved else f"equal < {number(entry.limit)}"
        more = [number(entry.difference.median, "+"), interval(entry.difference)]
        rows.append(
            [f"{entry.variant} less {entry.against}", entry.where, entry.state, *more, verdict, verdict]
        )
    columns = ["variants", "shape", "state", "more", interval_name(), "verdict"]
    return Table(entries[0].unit, columns, rows, "{1:<12.11}{2:<9}{3:>9} {4:>20} {6}", [""])


def toggle_name(entry: Cost) -> str:
    return TOGGLES.get(entry.what, entry.what)


def toggle_row(entry: Cost) -> list[str]:
    rounds, traps = ("-" if count is None else str(count) for count in (entry.rounds, entry.traps))
    ratio = "" if entry.ratio is None else f"{entry.ratio.median:.2f}"
    return [
        f"{toggle_name(entry)}, {entry.state}", f"{entry.transactions:,}", rounds, traps,
        number(entry.per_site.median), spread(entry.per_site), ratio, toggle_name(entry), entry.state,
        str(entry.transactions),
    ]  # fmt: skip


def interval_of(entries: list[Cost] | list[Point]) -> str:
    """Return the name of the intervals of all entries, by the one with the fewest samples."""
    return interval_name(min(entry.samples for entry in entries))


def of_toggle(entries: list[Cost]) -> Table:
    return Table(
        "", ["how", "transactions", "rounds", "int3", PER_SITE[entries[0].unit], interval_of(entries),
             "to together"],
        [toggle_row(entry) for entry in entries],
        "{7:<12.11}{8:<7}{9:>7}{2:>7}{3:>6} {4:>11} {5:>20}", ["how", "state", "trans."],
    )  # fmt: skip


def of_scale(entries: list[Point]) -> Table:
    rows = [
        [e.what, f"{e.sites:,}", number(e.per_site.median), spread(e.per_site), str(e.sites)]
        for e in entries
    ]
    columns = ["what", "sites", PER_SITE["ns"], interval_of(entries)]
    return Table("", columns, rows, "{0:<12}{4:>7} {2:>11} {3:>20}", ["sites"])


def cold_cell(entry: ColdSite | None) -> str:
    if entry is None:
        return "-"
    if not entry.cost.is_resolved(entry.resolution):
        return f"<{number(entry.cost.limit(entry.resolution))}"
    return number(entry.cost.median, "+")


def of_cold(entries: list[ColdSite]) -> Table:
    """One site in code of each of COLD_SIZES."""
    entries = [entry for entry in entries if entry.shape in COLD_SIZES]
    cells = {(entry.shape, entry.variant, entry.state): entry for entry in entries}
    kinds = list(dict.fromkeys((entry.variant, entry.state) for entry in entries))
    kinds.sort(key=lambda kind: (kind[0] != "mark", kind))
    rows = []
    for shape in COLD_SIZES:
        mine = [entry for entry in entries if entry.shape == shape]
        if mine:
            name = f"{mine[0].sites * COLD_BYTES >> 10:,} KB" if shape != COLD_MEMORY else "memory"
            costs = [cold_cell(cells.get((shape, *kind))) for kind in kinds]
            rows.append([name, number(mine[0].step), *costs])
    columns = ["code", "a step", *(f"{variant}, {state}" for variant, state in kinds)]
    layout = "{0:<9}{1:>8}" + "".join(f"{{{at + 2}:>9}}" for at in range(len(kinds)))
    return Table(entries[0].unit if entries else "", columns, rows, layout)


def of_memory(entries: list[Memory]) -> Table:
    rows = [[MEMORY.get(entry.name, entry.name), str(entry.bytes)] for entry in entries]
    return Table("", ["what", "bytes"], rows, "{1:>6}  {0}")


def of_null(entries: list[Null]) -> Table:
    rows = [
        [e.env, e.shape, e.state, e.unit, number(e.added.median, "+"), interval(e.added),
         number(e.resolution)]
        for e in entries
    ]  # fmt: skip
    columns = ["env", "shape", "state", "unit", "median", interval_name(), "bound"]
    return Table("", columns, rows, "{0:<8.7}{1:<13.12}{2:<10}{4:>9} {5:>20} {6:>9}")


def of_slips(entries: list[Slip]) -> Table:
    rows = [
        [e.row, f"{e.printed:.2f}", f"{e.recomputed:+.4f}", e.unit, e.what,
         "\n" + textwrap.fill(e.what, WIDTH, initial_indent="  ", subsequent_indent="  ")]
        for e in entries
    ]  # fmt: skip
    columns = ["row", "printed", "recomputed", "unit", "what"]
    return Table("", columns, rows, "{0:<10.9}{1:>9}{2:>12}  {3}{5}", [""])


def plain(value: float) -> str:
    """Few digits, for a narrow column."""
    size = abs(value)
    return f"{value:.{4 if size < 1 else 2 if size < 100 else 1 if size < 1000 else 0}f}"


def percent(share: float) -> str:
    """A share as percent, with few digits."""
    return f"{100 * share:.2g}" if share < 0.1 else f"{100 * share:.1f}"


def breakeven_row(entry: Breakeven) -> list[str]:
    bound = "" if entry.disabled.resolved else "< "
    long, short = (
        ["-" if ratio is None else made(ratio) for ratio in (entry.ratio, entry.ratio_stored)]
        for made in (plain, "{:.1f}".format)
    )
    share = "never" if entry.share is None else bound + percent(entry.share)
    disabled = bound + plain(entry.disabled.value)
    return [
        entry.marker, entry.dynamic, disabled, entry.disabled.shape, plain(entry.enabled),
        plain(entry.probe), share, "never" if entry.events is None else f"{bound}{entry.events:,.1f}",
        "-" if entry.most is None else f"{entry.most:,.0f}", *long, entry.stored_by,
        disabled.replace(" ", ""), share.replace(" ", ""), *short,
    ]  # fmt: skip


def of_breakeven(entries: list[Breakeven]) -> Table:
    columns = [
        "marker", "dynamic", "d", "of loop", "m", "k", "share, %", "events/s of 1,000,000",
        "passes/s at 500 events/s", "k/m", "stored", "by",
    ]  # fmt: skip
    layout = "{0:<11.10}{1:<13.12}{12:>9}{4:>8}{5:>8}{13:>9}{14:>7}{15:>7}"
    rows = [breakeven_row(entry) for entry in entries]
    return Table("", columns, rows, layout, ["d", "share %", "k/m", "stored"])


def indented(head: str, text: str, width: int) -> str:
    """A paragraph with a head."""
    return textwrap.fill(
        text, WIDTH, initial_indent=f"{head:<{width}}", subsequent_indent=" " * width,
        break_on_hyphens=False,
    )  # fmt: skip


def of_rows(entries: list[Row]) -> Table:
    """The rows of the 2006 thread."""
    rows = []
    for entry in entries:
        about = [entry.row, entry.what, entry.printed]
        text = f"\n{indented(entry.row, entry.what, 5)}\n{indented('     2006', entry.printed, 13)}\n"
        for one in entry.today:
            text += indented(f"     {one.where[:7]}", one.text, 13)
            rows.append([*about, one.where, one.text, text])
            about, text = ["", "", ""], ""  # only in the row's first line
    return Table("", ["row", "what", "2006", "where", "today"], rows, "{5}", prose=True)
