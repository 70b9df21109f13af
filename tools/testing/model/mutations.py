# SPDX-License-Identifier: GPL-2.0-only
"""What is checked: the models as the code is, and with one error planted in each.

A planted error has to yield a counterexample. One that is `harmless` must not: there the
code does more than the model needs, and `why` says for what."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Check:
    model: str
    options: str  # names that are defined
    text: str = ""
    harmless: bool = False
    short: bool = False  # also in the short form

    @property
    def name(self) -> str:
        return f"{self.model} {self.options}"


def patch(options: str, text: str = "", harmless: bool = False, short: bool = False) -> Check:
    return Check("patch", options, text, harmless, short)


def dispatch(options: str, text: str = "", harmless: bool = False, short: bool = False) -> Check:
    return Check("dispatch", options, text, harmless, short)


# As the code is: no counterexample.
MODELS = [
    patch("FORM=FIRST", "pun, flip: two rounds", short=True),
    patch("FORM=TAIL", "imm: two rounds"),
    patch("FORM=MANY", "nop5: three rounds", short=True),
    patch("FORM=SPLIT", "a closed gate of two instructions"),
    patch("FORM=DATA", "only the call is text", short=True),
    patch("FORM=MANY TWICE", "bytes are written twice"),
    patch("FORM=MANY HOTPLUG", "a CPU starts and stops"),
    patch("FORM=SPLIT HOTPLUG", "a CPU starts while text is unlocked"),
    patch("FORM=MANY NEIGHBOUR", "a kprobe is set on the gate"),
    dispatch("FORM=CODE", "gate, link, call", short=True),
    dispatch("FORM=CALL", "the gate is the call", short=True),
    dispatch("FORM=POINTER", "flag, link", short=True),
    dispatch("FORM=CODE FOREIGN", "gates with foreign bytes", short=True),
    dispatch("FORM=CODE FOREIGN FOREIGN_CALL", "gates and calls with foreign bytes", short=True),
    dispatch("FORM=CODE FOREIGN GOING", "the module of the site is unloaded", short=True),
]

# Too long with three CPUs, so these are of two, also in the full form.
DEEP = [patch("FORM=MANY LEVELS=3", "interrupts, and NMIs in them")]

MUTATIONS = [
    patch("FORM=FIRST NO_SYNC_INT3", "no sync after int3", short=True),
    patch("FORM=TAIL NO_SYNC_INT3", "no sync after int3"),
    patch("FORM=MANY NO_SYNC_INT3", "no sync after int3", short=True),
    patch("FORM=SPLIT NO_SYNC_INT3", "no sync after int3"),
    patch("FORM=MANY NO_SYNC_TAIL", "no sync between tail and first byte", short=True),
    patch("FORM=SPLIT NO_SYNC_TAIL", "no sync between tail and first byte"),
    patch("FORM=FIRST NO_SYNC_FIRST", "no sync at the end"),
    patch("FORM=TAIL NO_SYNC_FIRST", "no sync at the end"),
    patch("FORM=MANY NO_SYNC_FIRST", "no sync at the end", short=True),
    patch("FORM=SPLIT NO_SYNC_FIRST", "no sync at the end"),
    patch("FORM=DATA NO_SYNC_QUIET", "no sync after a call that no CPU executes", short=True),
    patch("FORM=MANY TWICE NO_SYNC_KEEP", "no sync before the old copy is freed"),
    patch("FORM=SPLIT NO_QUIESCE_SPLIT", "no wait for CPUs between two instructions", short=True),
    patch("FORM=MANY NO_QUIESCE_TIDY", "no wait before a call is reset"),
    patch("FORM=MANY HOTPLUG NO_LOCK", "text is not locked"),
    patch("FORM=MANY NEIGHBOUR VERIFY_EARLY", "old bytes are verified before text is locked"),
    patch("FORM=MANY LATE_CLEAR", "the list is taken back after the last sync"),
    patch("FORM=MANY FREE_EARLY", "the list is freed before the last sync"),
    patch("FORM=MANY SWAP_QUIET_INT3", "int3 before the call behind the gate", short=True),
    patch("FORM=MANY SWAP_PUBLISH_INT3", "int3 before the list is published", short=True),
    patch("FORM=MANY SWAP_INT3_TAIL", "tail before int3"),
    patch("FORM=TAIL SWAP_INT3_TAIL", "tail before int3"),
    patch("FORM=MANY SWAP_TAIL_FIRST", "first byte before the tail", short=True),
    patch("FORM=TAIL SWAP_TAIL_FIRST", "first byte before the tail"),
    patch("FORM=MANY SWAP_FIRST_CLEAR", "the list is taken back before the first byte"),
    dispatch("FORM=CODE SWAP_LINK_CALL", "link before the dispatcher is called", short=True),
    dispatch("FORM=CODE SWAP_LINK_GATE", "gate before the link", short=True),
    dispatch("FORM=CODE SWAP_CALL_GATE", "gate before the call", short=True),
    dispatch("FORM=POINTER SWAP_LINK_GATE SWAP_LINK_FLAG", "flag before the link", short=True),
    dispatch("FORM=CODE EARLY_NULL", "the link is reset before the wait"),
    dispatch("FORM=CODE NO_DISPATCHER", "a call is changed without the dispatcher between", short=True),
    dispatch("FORM=CODE NO_WAIT", "no wait", short=True),
    dispatch("FORM=CALL NO_WAIT", "no wait"),
    dispatch("FORM=POINTER NO_WAIT", "no wait"),
    dispatch("FORM=CODE NO_TASKS", "no wait for tasks", short=True),
    dispatch("FORM=CODE NO_VISITS", "no wait for interrupts and idle tasks", short=True),
    dispatch("FORM=CODE FREE_EARLY", "links are freed before the wait", short=True),
    dispatch("FORM=CALL OPEN_PASSED_DIRECTLY", "a site that is passed is opened as others"),
    dispatch("FORM=CODE FOREIGN OPEN_PASSED_DIRECTLY", "a site that is passed is opened as others"),
    dispatch("FORM=CALL LATE_NULL", "a site that is passed keeps its link until the wait is over"),
    dispatch("FORM=CODE FOREIGN LATE_NULL", "a site that is passed keeps its link until the wait is over"),
    dispatch(
        "FORM=CODE FOREIGN FOREIGN_CALL REFUSED_WITHOUT_LINK",
        "a site whose call is foreign when it opens gets its link when the call is written",
        short=True,
    ),
    dispatch("FORM=CALL NO_NULL_CHECK", "the dispatcher does not take NULL"),
    dispatch("FORM=CODE GOING FORGET_KEEPS", "a site that is gone stays in the transaction"),
    dispatch("FORM=CODE GOING NO_MUTEX", "a module goes without marker_mutex", short=True),
    patch("FORM=MANY SWAP_QUIET_PUBLISH", "no int3 stands there yet", harmless=True),
    patch("FORM=MANY NO_SYNC_TIDY", "the next opening has a sync of its own", harmless=True),
    patch("FORM=MANY TWICE NO_SYNC_ENDS", "only for emulators", harmless=True),
    dispatch("FORM=POINTER SWAP_LINK_FLAG", "the link is published twice", harmless=True, short=True),
]
