# SPDX-License-Identifier: GPL-2.0-only
"""kmark dev conversions: the conversions of printk() in a kernel's source, and what markers record."""

from __future__ import annotations

import argparse
import dataclasses
import json

from kmark.commands.common import describe, json_option


def execute(args: argparse.Namespace) -> None:
    from kmark import cache
    from kmark.kernel import conversions, patchset

    patchset.check(args.version)
    total, found = conversions.count(conversions.sources(cache.place(f"linux-source-{args.version}")))
    rows = conversions.rows(found)
    if args.json:
        made = {"formats": total, "conversions": [dataclasses.asdict(row) for row in rows]}
        print(json.dumps(made, indent=1))
        return
    print(f"Linux {args.version}: {total:,} formats, {sum(row.count for row in rows):,} conversions")
    print(f"{'conversion':<14}{'count':>9}  {'series':<10}markers.ko")
    for row in rows:
        print(f"{row.name:<14}{row.count:>9,}  {row.series:<10}{row.markers_ko}")


def add_conversions(parser: argparse.ArgumentParser) -> None:
    describe(
        parser,
        "Counts the conversions in the formats of printk(), pr_*(), dev_*(), netdev_*() and netif_*() in "
        "the source of a kernel, and prints for each what a marker records: in a kernel with the series, "
        "and with markers.ko. A minute or two.",
        "kmark dev conversions 6.1",
    )
    parser.add_argument("version", metavar="VERSION", help="a version that has patches")
    json_option(parser)
    parser.set_defaults(run=execute)
