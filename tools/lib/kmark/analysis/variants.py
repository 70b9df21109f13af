# SPDX-License-Identifier: GPL-2.0-only
"""What stands in the place of a site, by kind: the baseline, a gate of this project, such a
gate with a form of probe or call of the 2006 mails, or a peer. An unknown variant is a
peer, so new peers need no entry."""

from __future__ import annotations

BASELINES = ("none", "null")
GATES = (
    "generic", "imm", "nop5", "flip", "pun", "mark", "jcc", "jcc8", "flip8", "nop2",
    "nop14", "nop23", "call", "kprobe-site", "kprobe-site-jump", "xor",
)  # fmt: skip
# What older raw data and reports call a variant, and its name now.
RENAMED = {"ghost": "kprobe-site", "ghost-jump": "kprobe-site-jump"}
KINDS = BASELINE, GATE, FORM, PEER = "baseline", "gate", "form", "peer"


def current_name(variant: str) -> str:
    """The name of a variant that older data may call by another."""
    return RENAMED.get(variant, variant)


def kind(variant: str) -> str:
    """One of KINDS."""
    if variant in BASELINES:
        return BASELINE
    if variant in GATES:
        return GATE
    return FORM if variant.partition("-")[0] in GATES else PEER
