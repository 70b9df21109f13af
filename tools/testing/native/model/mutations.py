# SPDX-License-Identifier: GPL-2.0-only
"""Checks of the models: as the code is, and with one error planted in each.

A planted error has to yield a counterexample with the violation that it `shows`. One that is
`harmless` must not: there the code does more than the model needs, and `text` says for what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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

# Violations, each a part of what the model says.
MIXED = "executes old and new bytes mixed"
SECOND_PART = "executes the second part of a new gate"
UNDEFINED = "executes a gate that was changed under it"
NOT_OURS = "meets an int3 that is not ours"
FREED_LIST = "searches a freed list"
FREED_COPY = "searches a freed copy"
OLD_TARGET = "calls the old target"
MIXED_CALL = "executes a call of mixed bytes"
HARMLESS = "harmless"

# Violations that the int3 protects from, by form.
BY_INT3 = {"FIRST": UNDEFINED, "TAIL": UNDEFINED, "MANY": MIXED, "SPLIT": MIXED}
TEXT_FORMS = ("FIRST", "TAIL", "MANY", "SPLIT")


def each(violation: str, forms: Iterable[str] = TEXT_FORMS) -> dict[str, str]:
    return dict.fromkeys(forms, violation)


# Each sync, wait and order of the patcher, in each form that has it.
PATCHER = [
    ("NO_SYNC_INT3", "no sync after int3", BY_INT3),
    ("NO_SYNC_TAIL", "no sync between tail and first byte", {"MANY": MIXED, "SPLIT": SECOND_PART}),
    ("NO_SYNC_FIRST", "no sync at the end", each(FREED_LIST)),
    ("NO_SYNC_QUIET", "no sync after a call that no CPU executes", {"DATA": MIXED_CALL}),
    ("NO_SYNC_TIDY", "the next opening has a sync of its own", each(HARMLESS, (*TEXT_FORMS, "DATA"))),
    ("NO_QUIESCE_SPLIT", "no wait for CPUs between two instructions", {"SPLIT": SECOND_PART}),
    ("NO_QUIESCE_TIDY", "no wait before a call is reset", each(OLD_TARGET) | {"DATA": MIXED_CALL}),
    ("SWAP_QUIET_INT3", "int3 before the call behind the gate", each(OLD_TARGET)),
    ("SWAP_QUIET_PUBLISH", "no int3 stands there yet", each(HARMLESS)),
    ("SWAP_PUBLISH_INT3", "int3 before the list is published", each(NOT_OURS)),
    (
        "SWAP_INT3_TAIL",
        "tail before int3",
        {"TAIL": UNDEFINED, "MANY": MIXED, "SPLIT": SECOND_PART},
    ),
    (
        "SWAP_TAIL_FIRST",
        "first byte before the tail",
        {"TAIL": UNDEFINED, "MANY": MIXED, "SPLIT": MIXED},
    ),
    ("SWAP_FIRST_CLEAR", "the list is taken back before the first byte", each(NOT_OURS)),
    ("LATE_CLEAR", "the list is taken back after the last sync", each(FREED_LIST)),
    ("FREE_EARLY", "the list is freed before the last sync", each(FREED_LIST)),
]
# With marker_text_write_twice the sync before the old copy is freed comes behind all of them.
ALSO_BY_KEEP = "the sync before the old copy is freed does that, too"
TWICE = {
    "NO_SYNC_FIRST": (ALSO_BY_KEEP, each(HARMLESS)),
    "LATE_CLEAR": (ALSO_BY_KEEP, each(HARMLESS)),
}
ONLY_TWICE = [
    ("NO_SYNC_ENDS", "only for emulators", each(HARMLESS)),
    ("NO_SYNC_KEEP", "no sync before the old copy is freed", each(FREED_COPY)),
]
# The short form has an error of each kind.
SHORT = {
    "FORM=FIRST NO_SYNC_INT3",
    "FORM=MANY NO_SYNC_INT3",
    "FORM=MANY NO_SYNC_TAIL",
    "FORM=MANY NO_SYNC_FIRST",
    "FORM=DATA NO_SYNC_QUIET",
    "FORM=SPLIT NO_QUIESCE_SPLIT",
    "FORM=MANY SWAP_QUIET_INT3",
    "FORM=MANY SWAP_PUBLISH_INT3",
    "FORM=MANY SWAP_TAIL_FIRST",
}


def planted(model: str, options: str, text: str, violation: str) -> Check:
    harmless = violation == HARMLESS
    return Check(model, options, text, "" if harmless else violation, harmless, options in SHORT)


def of_patcher() -> Iterator[Check]:
    """Yield checks of the tables above: for each form, and for each but DATA with TWICE, too."""
    for option, text, forms in PATCHER:
        for form, violation in forms.items():
            yield planted("patch", f"FORM={form} {option}", text, violation)
    rows = [(option, *TWICE.get(option, (text, forms))) for option, text, forms in PATCHER]
    for option, text, forms in [*rows, *ONLY_TWICE]:
        for form, violation in forms.items():
            if form != "DATA":
                yield planted("patch", f"FORM={form} TWICE {option}", text, violation)


FREED_DATA = "runs a probe whose data is freed"
FREED_LINK = "uses a freed link"
WRONG_LINK = "with link"
CALL_USED = "a call is written while a CPU may be at it"
NULL_LINK = "calls through a NULL link"
NULL_TO_ALL = "calls the dispatcher with NULL"

# Each wait and order of a site's link, call and gate, in each form that has it.
DISPATCH = [
    (
        "SWAP_LINK_CALL",
        "link before the dispatcher is called",
        each(WRONG_LINK, ("CODE", "CALL", "CODE FOREIGN")),
    ),
    ("SWAP_LINK_GATE", "gate before the link", each(WRONG_LINK, ("CODE", "CODE FOREIGN"))),
    ("SWAP_LINK_GATE SWAP_LINK_FLAG", "flag before the link", {"POINTER": NULL_LINK}),
    ("SWAP_CALL_GATE", "gate before the call", each(CALL_USED, ("CODE", "CODE FOREIGN"))),
    (
        "EARLY_NULL",
        "the link is reset before the wait",
        {"CODE": WRONG_LINK, "POINTER": NULL_LINK, "CODE FOREIGN": WRONG_LINK},
    ),
    (
        "NO_DISPATCHER",
        "a call is changed without the dispatcher between",
        each(WRONG_LINK, ("CODE", "CALL", "CODE FOREIGN")),
    ),
    (
        "NO_WAIT",
        "no wait",
        {"CODE": FREED_DATA, "CALL": FREED_LINK, "POINTER": FREED_DATA, "CODE FOREIGN": FREED_LINK},
    ),
    (
        "NO_TASKS",
        "no wait for tasks",
        {"CODE": FREED_DATA, "CALL": FREED_LINK, "POINTER": FREED_DATA, "CODE FOREIGN": FREED_LINK},
    ),
    (
        "NO_VISITS",
        "no wait for interrupts and idle tasks",
        {"CODE": FREED_DATA, "CALL": FREED_LINK, "POINTER": FREED_DATA, "CODE FOREIGN": FREED_LINK},
    ),
    (
        "FREE_EARLY",
        "links are freed before the wait",
        each(FREED_LINK, ("CODE", "CALL", "POINTER", "CODE FOREIGN")),
    ),
    (
        "OPEN_PASSED_DIRECTLY",
        "a site that is passed is opened as others",
        {"CALL": WRONG_LINK, "CODE FOREIGN": FREED_LINK},
    ),
    (
        "LATE_NULL",
        "a site that is passed keeps its link until the wait is over",
        each(FREED_LINK, ("CALL", "CODE FOREIGN")),
    ),
    ("NO_NULL_CHECK", "the dispatcher does not take NULL", each(NULL_TO_ALL, ("CALL", "CODE FOREIGN"))),
    ("SWAP_LINK_FLAG", "the link is published twice", {"POINTER": HARMLESS}),
]
SHORT |= {
    "FORM=CODE SWAP_LINK_CALL",
    "FORM=CODE SWAP_LINK_GATE",
    "FORM=CODE SWAP_CALL_GATE",
    "FORM=POINTER SWAP_LINK_GATE SWAP_LINK_FLAG",
    "FORM=CODE NO_DISPATCHER",
    "FORM=CODE NO_WAIT",
    "FORM=CODE NO_TASKS",
    "FORM=CODE NO_VISITS",
    "FORM=CODE FREE_EARLY",
    "FORM=POINTER SWAP_LINK_FLAG",
}


def of_dispatch() -> Iterator[Check]:
    for option, text, forms in DISPATCH:
        for form, violation in forms.items():
            yield planted("dispatch", f"FORM={form} {option}", text, violation)


MUTATIONS = [
    *of_patcher(),
    patch("FORM=MANY HOTPLUG NO_LOCK", "text is not locked", FREED_LIST),
    patch(
        "FORM=MANY NEIGHBOUR VERIFY_EARLY",
        "old bytes are verified before text is locked",
        "bytes of another are overwritten",
    ),
    *of_dispatch(),
    dispatch(
        "FORM=CODE FOREIGN FOREIGN_CALL REFUSED_WITHOUT_LINK",
        "a site whose call is foreign when it opens gets its link when the call is written",
        "with link",
        short=True,
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
]
