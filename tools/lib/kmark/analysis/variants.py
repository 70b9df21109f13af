# SPDX-License-Identifier: GPL-2.0-only
"""What stands in the place of a site, by what it is to us: the baseline, a gate
of ours, a gate of ours with a form of probe or call of the 2006 mails, or a
peer. What is not known here is a peer, so new ones need no entry."""

from __future__ import annotations

BASELINES = ("none", "null")
GATES = (
    "generic", "imm", "nop5", "flip", "pun", "mark", "jcc", "jcc8", "flip8", "nop2",
    "nop14", "nop23", "call", "ghost", "xor",
)  # fmt: skip
KINDS = BASELINE, GATE, FORM, PEER = "baseline", "gate", "form", "peer"


def kind(variant: str) -> str:
    if variant in BASELINES:
        return BASELINE
    if variant in GATES:
        return GATE
    return FORM if variant.partition("-")[0] in GATES else PEER
