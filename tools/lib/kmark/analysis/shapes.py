# SPDX-License-Identifier: GPL-2.0-only
"""The shapes of the measured loops, from bench/loops/shapes.list and bench/cold/sizes.list."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kmark import cache, foreign

TABLE = cache.TOP / "bench/loops/shapes.list"
SIZES = cache.TOP / "bench/cold/sizes.list"  # code of several sizes


@dataclass(frozen=True)
class Shape:
    """A line of a list."""

    name: str
    half: str  # the shape with the same loop and half the sites, or "-"
    behind: str  # bytes behind each site, for tools/testing/native/disassembly.t
    title: str


def read(table: Path) -> list[Shape]:
    """In the order of reports."""
    lines = foreign.lines(table.read_text())
    return [Shape(*line.split("\t")) for line in lines if line and not line.startswith("#")]


SHAPES, SIZED = read(TABLE), read(SIZES)
COLD_SIZES = tuple(shape.name for shape in SIZED)
TITLES = {shape.name: shape.title for shape in (*SHAPES, *SIZED)}
# Shapes whose layouts share all code but the loop itself, so that they are no places of their own.
SHARED_CODE = ("cold", *COLD_SIZES)
TWICE = {shape.half: shape.name for shape in SHAPES if shape.half != "-"}


def title(shape: str) -> str:
    """Return the title of a shape in reports. A report of another version may have unknown shapes."""
    return TITLES.get(shape, f"Execute the loop {shape}")
