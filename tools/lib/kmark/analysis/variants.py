# SPDX-License-Identifier: GPL-2.0-only
"""Kinds of variants, which take the place of a site: the baseline, a gate of this project, such a gate with
a form of probe or call of the 2006 mails, or a peer. An unknown variant is a peer, so new peers need no
entry."""

from __future__ import annotations

import csv
import functools
import re

from kmark import foreign
from kmark.cache import TOP

BASELINE = "none"
NULL = "null"  # the same loop, built twice; with a number: moved by so many bytes
GATES = ("generic", "imm", "nop5", "flip", "pun", "mark", "kprobe-site", "kprobe-site-jump", "xor", "xor8")
MEASURED = TOP / "bench/gates/gates.tsv"  # and those that exist only to be measured
OF_KERNEL = TOP / "bench/peers/peers.list"
# Names of variants in older raw data and reports, and their names now.
RENAMED = {"ghost": "kprobe-site", "ghost-jump": "kprobe-site-jump"}
KINDS = OF_NO_SITE, GATE, FORM, PEER = "baseline", "gate", "form", "peer"


def current_name(variant: str) -> str:
    """The name of a variant that older data may call by another."""
    return RENAMED.get(variant, variant)


@functools.cache
def measured() -> tuple[str, ...]:
    with MEASURED.open(encoding="utf-8") as lines:
        table = csv.DictReader((line for line in lines if not line.startswith("#")), delimiter="\t")
        return tuple(row["gate"] for row in table)


@functools.cache
def of_kernel() -> frozenset[str]:
    """The peers that are the kernel's own."""
    lines = foreign.lines(OF_KERNEL.read_text(encoding="utf-8"))
    names = (line.partition("\t")[0] for line in lines if not line.startswith("#"))
    return frozenset(name.replace("_", "-") for name in names)


def is_null(variant: str) -> bool:
    """True if a variant is a copy of BASELINE, at the same place or moved."""
    return re.fullmatch(rf"{NULL}\d*", variant) is not None


def is_moved(variant: str) -> bool:
    """True if a variant is a copy of BASELINE at other addresses."""
    return is_null(variant) and variant != NULL


def kind(variant: str) -> str:
    """Return one of KINDS."""
    if variant == BASELINE or is_null(variant):
        return OF_NO_SITE
    gates = GATES + measured()
    if variant in gates:
        return GATE
    return FORM if variant.partition("-")[0] in gates else PEER
