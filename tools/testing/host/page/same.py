# SPDX-License-Identifier: GPL-2.0-only
"""Checks that plots look the same with and without svg.compact(): same.py FOLDER

FOLDER has report.json and raw.tsv. Prints a line for each plot of which headless Chromium
shows another picture."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

from kmark.report import plots, report, samples, svg
from kmark.report.draw import Plot
from look import chromium
from PIL import Image, ImageChops

HIGH, WIDE = 1600, 700  # pixels
APART = 64  # of 255: a pixel that differs
MOST_PIXELS = 40  # allowed to differ, of a million: the edges of rounded places


def draw(folder: Path, compact: Callable[[str], str]) -> list[Plot]:
    made = report.load(folder / "report.json")
    with patch.object(svg, "compact", compact):
        return list(plots.make(made, samples.load(folder / "raw.tsv")))


def photograph(plot: Plot, folder: Path) -> Image.Image:
    page, picture = folder / "plot.html", folder / "plot.png"
    page.write_text(f"<!DOCTYPE html><meta charset=utf-8>{plot.svg[plot.svg.index('<svg') :]}")
    chromium(f"--window-size={WIDE},{HIGH}", f"--screenshot={picture}", page.as_uri())
    return Image.open(picture).convert("L")


def main() -> int:
    folder = Path(sys.argv[1])
    pairs = zip(draw(folder, lambda source: source), draw(folder, svg.compact), strict=True)
    status = 0
    with tempfile.TemporaryDirectory() as work:
        for whole, small in pairs:
            apart = ImageChops.difference(*(photograph(one, Path(work)) for one in (whole, small)))
            count = sum(apart.histogram()[APART:])
            if count > MOST_PIXELS:
                print(f"{small.name}: {count} pixels differ")
                status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
