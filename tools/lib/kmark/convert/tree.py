# SPDX-License-Identifier: GPL-2.0-only
"""All trace events of a tree as markers: headers of C, and a list of the events that were not converted."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kmark.convert import headers, marker
from kmark.convert.fields import Refused
from kmark.convert.headers import Event
from kmark.convert.marker import Marker
from kmark.convert.sizes import Types
from kmark.convert.target import TREE, Target
from kmark.errors import Usage

SCHEMA = "kmark-convert/2"
HEAD = """\
/* SPDX-License-Identifier: GPL-2.0-only */
/* Made by `kmark dev convert` of {header}. */
#include <{include}>
#include <linux/marker_beside.h>

#ifndef MARK__TEXT
#define MARK__TEXT
static inline __printf(3, 4) const char *mark__text(char *text, size_t size, const char *format, ...)
{{
	va_list arguments;

	va_start(arguments, format);
	vscnprintf(text, size, format, arguments);
	va_end(arguments);
	return text;
}}
#endif
"""


@dataclass(frozen=True)
class Result:
    """The markers of a tree. `refused`: the events without a marker, with the reasons."""

    markers: list[Marker]
    refused: list[tuple[Event, str]]

    @property
    def total(self) -> int:
        return len(self.markers) + len(self.refused)

    @property
    def share(self) -> float:
        return len(self.markers) / self.total


def convert(tree: Path, target: Target = TREE) -> Result:
    """Return a marker, or the reason for none, for each event of the tree's include/trace/events. Usage if
    the folder is no tree; Failure if one of its headers cannot be read."""
    types = Types(tree)
    markers, refused = [], []
    for event in headers.of_tree(tree):
        try:
            markers.append(marker.make(event, types, target))
        except Refused as reason:
            refused.append((event, str(reason)))
    return Result(markers, refused)


def select(result: Result, names: list[str]) -> Result:
    """Return only the events of these names. Usage if a name has no event."""
    known = {one.event.name for one in result.markers} | {event.name for event, _ in result.refused}
    if unknown := [name for name in names if name not in known]:
        raise Usage(f"convert: no such event: {' '.join(unknown)}")
    return Result(
        [one for one in result.markers if one.event.name in names],
        [(event, reason) for event, reason in result.refused if event.name in names],
    )


def write(result: Result, folder: Path) -> list[Path]:
    """A header for each of the kernel's, with the functions that stand for its tracepoints."""
    folder.mkdir(parents=True, exist_ok=True)
    texts: dict[str, str] = {}
    for one in result.markers:
        header = one.event.header
        head = HEAD.format(header=header, include=header.removeprefix("include/"))
        texts[header] = f"{texts.get(header, head + one.event.inner)}\n{one.code}"
    made = []
    for header, text in texts.items():
        made.append(folder / Path(header).name)
        made[-1].write_text(text)
    return made


def as_json(result: Result, tree: Path) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "tree": str(tree),
        "events": result.total,
        "converted": len(result.markers),
        "alike": sum(one.alike for one in result.markers),
        "same_text": sum(one.same_text for one in result.markers),
        "markers": [
            {
                "name": one.event.name,
                "system": one.event.system,
                "header": one.event.header,
                "format": one.format,
                "alike": one.alike,
                "same_text": one.same_text,
                "fields": [
                    {
                        "name": field.name,
                        "was": field.kind if field.is_text else field.written,
                        "is": shown,
                    }
                    for field, shown in zip(one.fields, one.types, strict=True)
                ],
            }
            for one in result.markers
        ],
        "refused": [
            {"name": event.name, "system": event.system, "header": event.header, "reason": reason}
            for event, reason in result.refused
        ],
    }


def as_text(result: Result) -> str:
    """A summary, and the events without a marker by reason."""
    alike = sum(one.alike for one in result.markers)
    lines = [
        f"{result.total} events, {len(result.markers)} converted ({100 * result.share:.1f} %), "
        f"{len(result.refused)} refused",
        f"of the converted {alike} have the same fields, and {len(result.markers) - alike} another "
        "array or a text where there was an array",
    ]
    reasons = Counter(reason for _, reason in result.refused)
    for reason, count in reasons.most_common():
        names = sorted(event.name for event, why in result.refused if why == reason)
        lines.append(f"refused, {reason} ({count}): {' '.join(names)}")
    return "\n".join(lines)
