# SPDX-License-Identifier: GPL-2.0-only
"""Plans that lead the writer of dispatch.pml, and dispatch.c, through each transaction in each state."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace

import spin

BOTH, FOREIGN, DROPPED, FOREIGN_CALL, TRIES_AGAIN = 3, 4, 8, 16, 32  # as in dispatch.pml
BUSY = 1 << 7 | 1 << 8  # of STATE there: the gate, the call
PIECE = 150  # transactions of a plan, as each begins anew


@dataclass(frozen=True)
class Place:
    """Where a walk is: STATE of the model; the probes that are connected; and those that are to leave,
    but stay until their site can be closed."""

    state: int = 0
    connected: int = 0
    leaving: int = 0


@dataclass
class Form:
    name: str  # for the program
    options: str  # for the model
    foreign: int = 0  # allowed foreign bytes: FOREIGN, FOREIGN_CALL
    only_site: bool = False  # a connection has no other, so it fails with this one

    def commands(self) -> list[int]:
        flags = [bits for bits in range(FOREIGN_CALL * 2) if bits & ~self.foreign == 0]
        return [bits | probes for bits in flags for probes in range(BOTH + 1)]


@dataclass
class Plan:
    program: list[int]
    model: list[int]


class Walk:
    def __init__(self, form: Form) -> None:
        self.form = form
        self.graph = spin.transitions("dispatch", form.options)
        self.ways: dict[Place, dict[int, Place]] = {}  # by the command

    def step(self, place: Place, wanted: int) -> tuple[Place, list[int]]:
        """Do a command: busy gates and calls are tried again first. Returns the transactions of the model.
        Probes that leave anyhow are neither disconnected nor connected."""
        done: list[int] = []
        flags = wanted & ~BOTH
        new = wanted & BOTH & ~place.connected & ~place.leaving
        gone = place.connected & ~wanted
        if place.state & BUSY:
            place = self.moved(place, place.connected | flags | TRIES_AGAIN, place.connected, done)
        has = place.state & BOTH
        after = (has & ~gone) | new
        if self.form.only_site and after and not has and flags & FOREIGN:
            return self.moved(place, after | flags | DROPPED, place.connected, done), done
        place = replace(place, leaving=place.leaving | gone)
        return self.moved(place, after | flags, (place.connected & ~gone) | new, done), done

    def moved(self, place: Place, transaction: int, connected: int, done: list[int]) -> Place:
        done.append(transaction)
        state = self.graph[place.state, transaction]
        return Place(state, connected, place.leaving & state & BOTH)

    def ways_from(self, place: Place) -> dict[int, Place]:
        """Not where only the other site of the program has a probe: the model has one site."""
        if place not in self.ways:
            after = {wanted: self.step(place, wanted)[0] for wanted in self.form.commands()}
            self.ways[place] = {
                wanted: there for wanted, there in after.items() if not there.connected & ~there.state
            }
        return self.ways[place]

    def nearest(self, start: Place, left: dict[Place, set[int]]) -> list[int]:
        """The shortest way to a command that is left, with it; none: each was given everywhere."""
        found: deque[tuple[Place, list[int]]] = deque([(start, [])])
        known = {start}
        while found:
            place, way = found.popleft()
            ways = self.ways_from(place)
            if rest := left.setdefault(place, set(ways)):
                return [*way, min(rest)]
            for wanted, there in ways.items():
                if there not in known:
                    known.add(there)
                    found.append((there, [*way, wanted]))
        return []

    def follow(self, plan: Plan, place: Place, wanted: int) -> Place:
        after, done = self.step(place, wanted)
        plan.program.append(wanted)
        plan.model += done
        return after

    def plans(self) -> list[Plan]:
        left: dict[Place, set[int]] = {}
        found: list[Plan] = []
        while way := self.nearest(Place(), left):
            plan, place = Plan([], []), Place()
            while way and len(plan.program) < PIECE:
                for wanted in way:
                    left.setdefault(place, set(self.ways_from(place))).discard(wanted)
                    place = self.follow(plan, place, wanted)
                way = self.nearest(place, left)
            found.append(plan)
        return found
