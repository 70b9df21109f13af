# SPDX-License-Identifier: GPL-2.0-only
"""What stands in the place of a site, by kind: the baseline, a gate of this project, such a
gate with a form of probe or call of the 2006 mails, or a peer. An unknown variant is a
peer, so new peers need no entry."""

from __future__ import annotations

BASELINES = ("none", "null")
GATES = (
    "generic", "imm", "nop5", "flip", "pun", "mark", "jcc", "jcc8", "flip8", "nop2",
    "nop14", "nop23", "call", "kprobe_site", "xor",
)  # fmt: skip
KINDS = BASELINE, GATE, FORM, PEER = "baseline", "gate", "form", "peer"


def kind(variant: str) -> str:
    """One of KINDS."""
    if variant in BASELINES:
        return BASELINE
    if variant in GATES:
        return GATE
    return FORM if variant.partition("-")[0] in GATES else PEER
