# SPDX-License-Identifier: GPL-2.0-only
"""Checks of the packets of a recording before babeltrace2 reads them."""

from __future__ import annotations

import re
import struct

PACKET = 4096  # bytes, of kmark's recordings
# Head of a packet of kmark: magic, stream, NUMBERS, and the CPU.
HEAD = struct.Struct("<II7Q")
BEGIN = struct.pack("<II", 0xC1FC1FC1, 0)  # magic and stream of a packet
NUMBERS = (
    "timestamp_begin", "timestamp_end", "content_size", "packet_size", "packet_seq_num", "events_discarded",
)  # fmt: skip
MOST_NUMBER = (1 << 63) - 1
# The part of the metadata that says so.
DESCRIBED = re.compile(r"packet\.context := struct \{(.*?)\n    \};", re.DOTALL)
MEMBER = re.compile(r"integer \{ size = 64; align = 8; signed = false;[^{}]*\} (\w+);")


class Damaged(Exception):
    """A packet has a value that no kernel writes."""


def has_heads(metadata: str) -> bool:
    """Return true if the metadata gives packets the head of kmark's packets."""
    found = DESCRIBED.search(metadata)
    return found is not None and tuple(MEMBER.findall(found[1])) == (*NUMBERS, "cpu_id")


def check_heads(data: bytes) -> None:
    """Check the heads of packets of kmark's layout before babeltrace2 reads them, because babeltrace2 2.0.4
    aborts the process at numbers of 64 bits. babeltrace2 itself refuses a packet that begins otherwise.
    Damaged for such a number, and for a length with which the next packet would not begin at a page."""
    for at in range(0, len(data) - HEAD.size + 1, PACKET):
        if data[at : at + len(BEGIN)] != BEGIN:
            continue
        _, _, *numbers, _ = HEAD.unpack_from(data, at)
        for name, number in zip(NUMBERS, numbers, strict=True):
            if number > MOST_NUMBER:
                raise Damaged(f"has {name} {number}")
            if name == "packet_size" and number != PACKET * 8:
                raise Damaged(f"has {name} {number} instead of {PACKET * 8}")
