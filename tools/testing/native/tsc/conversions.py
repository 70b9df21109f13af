#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Judges what `unit conversions` prints (stdin) by integers of any size."""

import math
import sys
from fractions import Fraction

NS = 10**9
# Units of a double's last place: two operations and two conversions, half a unit each.
UNITS = 2


def wrong(line: str) -> str:
    """Say what is wrong with a line, or nothing."""
    fields = line.split()
    hz, cycles, cycles_ci, ns_ci = map(int, fields[:4])
    cycles_d = [float.fromhex(field) for field in fields[4:6]]
    ns_d = [float.fromhex(field) for field in fields[6:]]
    if cycles_ci != cycles:
        return "C2CI"
    if ns_ci != cycles * NS // hz % 2**64:
        return "cycles2Nsec_C2CI"
    if any(value != float(cycles) for value in cycles_d):
        return "C2D, CI2D"
    exact = Fraction(cycles * NS, hz)
    if len(ns_d) != 3 or any(
        abs(Fraction(value) - exact) > UNITS * Fraction(math.ulp(value)) for value in ns_d
    ):
        return "cycles2Nsec_C2D, _CI2D, _D2D"
    return ""


def main() -> int:
    """Return the exit status."""
    lines = sys.stdin.read().splitlines()
    found = [f"{why}: {line}" for line in lines if (why := wrong(line))]
    print("\n".join(found[:20]))
    print(f"{len(lines)} lines, {len(found)} wrong")
    return 1 if found or len(lines) < 1000 else 0


if __name__ == "__main__":
    sys.exit(main())
