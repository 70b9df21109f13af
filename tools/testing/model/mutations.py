# SPDX-License-Identifier: GPL-2.0-only
"""What is checked: the models as the code is, and with one error planted in each.

A planted error has to yield a counterexample with the violation that it `shows`. One that is
`harmless` must not: there the code does more than the model needs, and `text` says for what."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Check:
    model: str
    options: str  # names that are defined
    text: str = ""
    shows: str = ""  # the violation of a planted error, or a part of it
    harmless: bool = False
    short: bool = False  # also in the short form

    @property
    def name(self) -> str:
        return f"{self.model} {self.options}"


def patch(
    options: str, text: str = "", shows: str = "", *, harmless: bool = False, short: bool = False
) -> Check:
    return Check("patch", options, text, shows, harmless, short)


def dispatch(
    options: str, text: str = "", shows: str = "", *, harmless: bool = False, short: bool = False
) -> Check:
    return Check("dispatch", options, text, shows, harmless, short)


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
    patch(
        "FORM=FIRST NO_SYNC_INT3",
        "no sync after int3",
        "executes a gate that was changed under it",
        short=True,
    ),
    patch("FORM=TAIL NO_SYNC_INT3", "no sync after int3", "executes a gate that was changed under it"),
    patch("FORM=MANY NO_SYNC_INT3", "no sync after int3", "executes old and new bytes mixed", short=True),
    patch("FORM=SPLIT NO_SYNC_INT3", "no sync after int3", "executes old and new bytes mixed"),
    patch(
        "FORM=MANY NO_SYNC_TAIL",
        "no sync between tail and first byte",
        "executes old and new bytes mixed",
        short=True,
    ),
    patch(
        "FORM=SPLIT NO_SYNC_TAIL",
        "no sync between tail and first byte",
        "executes the second part of a new gate",
    ),
    patch("FORM=FIRST NO_SYNC_FIRST", "no sync at the end", "searches a freed list"),
    patch("FORM=TAIL NO_SYNC_FIRST", "no sync at the end", "searches a freed list"),
    patch("FORM=MANY NO_SYNC_FIRST", "no sync at the end", "searches a freed list", short=True),
    patch("FORM=SPLIT NO_SYNC_FIRST", "no sync at the end", "searches a freed list"),
    patch(
        "FORM=DATA NO_SYNC_QUIET",
        "no sync after a call that no CPU executes",
        "executes a call of mixed bytes",
        short=True,
    ),
    patch("FORM=MANY TWICE NO_SYNC_KEEP", "no sync before the old copy is freed", "searches a freed copy"),
    patch(
        "FORM=SPLIT NO_QUIESCE_SPLIT",
        "no wait for CPUs between two instructions",
        "executes the second part of a new gate",
        short=True,
    ),
    patch("FORM=MANY NO_QUIESCE_TIDY", "no wait before a call is reset", "calls the old target"),
    patch("FORM=MANY HOTPLUG NO_LOCK", "text is not locked", "searches a freed list"),
    patch(
        "FORM=MANY NEIGHBOUR VERIFY_EARLY",
        "old bytes are verified before text is locked",
        "bytes of another are overwritten",
    ),
    patch("FORM=MANY LATE_CLEAR", "the list is taken back after the last sync", "searches a freed list"),
    patch("FORM=MANY FREE_EARLY", "the list is freed before the last sync", "searches a freed list"),
    patch(
        "FORM=MANY SWAP_QUIET_INT3",
        "int3 before the call behind the gate",
        "calls the old target",
        short=True,
    ),
    patch(
        "FORM=MANY SWAP_PUBLISH_INT3",
        "int3 before the list is published",
        "meets an int3 that is not ours",
        short=True,
    ),
    patch("FORM=MANY SWAP_INT3_TAIL", "tail before int3", "executes old and new bytes mixed"),
    patch("FORM=TAIL SWAP_INT3_TAIL", "tail before int3", "executes a gate that was changed under it"),
    patch(
        "FORM=MANY SWAP_TAIL_FIRST",
        "first byte before the tail",
        "executes old and new bytes mixed",
        short=True,
    ),
    patch(
        "FORM=TAIL SWAP_TAIL_FIRST",
        "first byte before the tail",
        "executes a gate that was changed under it",
    ),
    patch(
        "FORM=MANY SWAP_FIRST_CLEAR",
        "the list is taken back before the first byte",
        "meets an int3 that is not ours",
    ),
    dispatch("FORM=CODE SWAP_LINK_CALL", "link before the dispatcher is called", "with link", short=True),
    dispatch("FORM=CODE SWAP_LINK_GATE", "gate before the link", "with link", short=True),
    dispatch(
        "FORM=CODE SWAP_CALL_GATE",
        "gate before the call",
        "a call is written while a CPU may be at it",
        short=True,
    ),
    dispatch(
        "FORM=POINTER SWAP_LINK_GATE SWAP_LINK_FLAG",
        "flag before the link",
        "calls through a NULL link",
        short=True,
    ),
    dispatch("FORM=CODE EARLY_NULL", "the link is reset before the wait", "with link"),
    dispatch(
        "FORM=CODE NO_DISPATCHER",
        "a call is changed without the dispatcher between",
        "with link",
        short=True,
    ),
    dispatch("FORM=CODE NO_WAIT", "no wait", "runs a probe whose data is freed", short=True),
    dispatch("FORM=CALL NO_WAIT", "no wait", "uses a freed link"),
    dispatch("FORM=POINTER NO_WAIT", "no wait", "runs a probe whose data is freed"),
    dispatch("FORM=CODE NO_TASKS", "no wait for tasks", "runs a probe whose data is freed", short=True),
    dispatch(
        "FORM=CODE NO_VISITS",
        "no wait for interrupts and idle tasks",
        "runs a probe whose data is freed",
        short=True,
    ),
    dispatch("FORM=CODE FREE_EARLY", "links are freed before the wait", "uses a freed link", short=True),
    dispatch("FORM=CALL OPEN_PASSED_DIRECTLY", "a site that is passed is opened as others", "with link"),
    dispatch(
        "FORM=CODE FOREIGN OPEN_PASSED_DIRECTLY",
        "a site that is passed is opened as others",
        "uses a freed link",
    ),
    dispatch(
        "FORM=CALL LATE_NULL",
        "a site that is passed keeps its link until the wait is over",
        "uses a freed link",
    ),
    dispatch(
        "FORM=CODE FOREIGN LATE_NULL",
        "a site that is passed keeps its link until the wait is over",
        "uses a freed link",
    ),
    dispatch(
        "FORM=CODE FOREIGN FOREIGN_CALL REFUSED_WITHOUT_LINK",
        "a site whose call is foreign when it opens gets its link when the call is written",
        "with link",
        short=True,
    ),
    dispatch(
        "FORM=CALL NO_NULL_CHECK", "the dispatcher does not take NULL", "calls the dispatcher with NULL"
    ),
    dispatch(
        "FORM=CODE GOING FORGET_KEEPS",
        "a site that is gone stays in the transaction",
        "the writer touches a module that is gone",
    ),
    dispatch(
        "FORM=CODE GOING NO_MUTEX",
        "a module goes without marker_mutex",
        "the writer touches a module that is gone",
        short=True,
    ),
    patch("FORM=MANY SWAP_QUIET_PUBLISH", "no int3 stands there yet", harmless=True),
    patch("FORM=MANY NO_SYNC_TIDY", "the next opening has a sync of its own", harmless=True),
    patch("FORM=MANY TWICE NO_SYNC_ENDS", "only for emulators", harmless=True),
    dispatch("FORM=POINTER SWAP_LINK_FLAG", "the link is published twice", harmless=True, short=True),
]
