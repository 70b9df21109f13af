# SPDX-License-Identifier: GPL-2.0-only
"""The place of the markers, a tree or a module, and the limits of MARK() there."""

from __future__ import annotations

import re
from dataclasses import dataclass

NAME_MAX = 32  # MARKER_NAME_MAX, MARKER_ARG_NAME_MAX: with the end of the string


@dataclass(frozen=True)
class Target:
    """Limits of a marker. `most`: largest number of arguments; `kept`: forbidden beginnings of names of
    fields; `lines`: true if its record has a field `line`; `switches`: true if there is MARK_BEHIND();
    `address`: the conversion of an address of a socket; `is_tree`: true if bytes are an array of the event,
    and types are called u8 and so on."""

    most: int
    kept: tuple[str, ...]
    lines: bool
    switches: bool
    address: str
    is_tree: bool

    def is_name(self, name: str) -> bool:
        """True if a field can have that name."""
        taken = name.startswith(self.kept) or (self.lines and name == "line")
        return bool(re.fullmatch(r"[A-Za-z_]\w*", name)) and len(name) < NAME_MAX and not taken


# linux/marker.h of the series; an address is the bytes of a struct sockaddr_in6.
TREE = Target(12, ("common_",), lines=False, switches=False, address="%28ph", is_tree=True)
# marker.h of this project, for modules and markers.ko.
MODULE = Target(8, ("arg", "common_"), lines=True, switches=True, address="%pISpc", is_tree=False)
