# SPDX-License-Identifier: GPL-2.0-only
"""Values of the events that marker_types.ko fires: the arguments of event number n.
markers/selftest/types.c has the same values in C; the output of readers is compared with these."""

from __future__ import annotations

TEXTS = ("", "a", "four", 'a text of some length, with a comma and "quotes"')
NULL = "(null)"  # how a NULL string is printed
INTS = ((8, True), (8, False), (16, True), (16, False), (32, True), (32, False), (64, True), (64, False))


def integer(value: int, bits: int, signed: bool) -> int:
    """VALUE as C converts it to that type."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if signed and value >> (bits - 1) else value


def ints(number: int) -> tuple[int, ...]:
    """The arguments of types_ints: s8 u8 s16 u16 s32 u32 s64 u64."""
    low = integer(-number, 32, False)  # negated as u32, before it is widened
    words = (
        number, number * 3, low, number * 5, low * 65537,
        number, -number * 0x100000001, number * 0x9E3779B97F4A7C15,
    )  # fmt: skip
    return tuple(integer(word, bits, signed) for word, (bits, signed) in zip(words, INTS, strict=True))


def texts(number: int) -> tuple[int, str, str, int]:
    """The arguments of types_texts: the number, a text, NULL or a text, a pointer."""
    return (number, TEXTS[number % 4], NULL if number % 2 else "even", 0xFFFF800000000000 + 4096 * number)
