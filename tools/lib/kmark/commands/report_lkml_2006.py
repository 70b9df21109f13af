# SPDX-License-Identifier: GPL-2.0-only
"""kmark report lkml-2006: the figures of 2006."""

from __future__ import annotations

import argparse
import json

from kmark.commands.common import describe, json_option


def execute(args: argparse.Namespace) -> int:
    from kmark.reference import slips

    found = slips.load()
    text = json.dumps(slips.record(found), indent=1) if args.json else "\n".join(slips.lines(found))
    print(text)
    return 0


def add_lkml_2006(thread: argparse.ArgumentParser) -> None:
    describe(
        thread,
        "Recomputes every figure of the mails' micro-benchmarks from the cycle counts "
        "that they print, and marks those that do not follow from them.",
        "kmark report lkml-2006 --json",
    )
    json_option(thread)
    thread.set_defaults(run=execute)
