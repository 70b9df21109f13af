# SPDX-License-Identifier: GPL-2.0-only
"""Plots are made smaller, and are the same pictures."""

from __future__ import annotations

import random
import re
import unittest

from kmark.report import svg

Way = list[tuple[str, float, float]]
WORD = re.compile(r"[A-Za-z]|-?\d+(?:\.\d+)?")


def way(path: str) -> Way:
    """Where the pen goes, and how; of lines, by the rules of SVG."""
    words, letter, x, y, found = WORD.findall(path), "", 0.0, 0.0, []
    while words:
        if words[0].isalpha():
            letter = words.pop(0)
        if letter == "z":
            found.append(("z", 0.0, 0.0))
            continue
        first = float(words.pop(0))
        if letter in "MLml":
            second = float(words.pop(0))
            x, y = (first, second) if letter.isupper() else (x + first, y + second)
        elif letter in "Hh":
            x = first if letter == "H" else x + first
        elif letter == "V":
            y = first
        else:
            raise AssertionError(f"{letter} in {path}")
        found.append(("M" if letter in "Mm" else "L", round(x, 6), round(y, 6)))
    return found


class Paths(unittest.TestCase):
    def test_lines(self) -> None:
        draw = random.Random(1)
        for _ in range(500):
            points = [(draw.choice("LLM"), *draw.choices((0, 1.5, 10, -2.5, 120.3), k=2)) for _ in range(8)]
            points[0] = ("M", *points[0][1:])
            path = " \n".join(f"{letter} {x} {y}" for letter, x, y in points) + draw.choice(("", " \nz "))
            with self.subTest(path=path):
                self.assertEqual(way(svg.shorter(" ".join(path.split()))), way(path))

    def test_level_and_upright(self) -> None:
        self.assertEqual(svg.shorter("M 0 0 L 10 0 L 10 5 L 11 6 z"), "M0 0H10V5L11 6z")

    def test_dots_of_one_row(self) -> None:
        for places in ((1.5, 3, 4.2, 100), (5, 2.5, 2.5)):
            path = " ".join(f"M {x} 20.5 L {x} 20.5" for x in places)
            short = svg.shorter(path)
            self.assertEqual(way(short), way(path))
            self.assertEqual((short.count("M"), short.count("m")), (1, len(places) - 1))

    def test_behind_a_curve_a_line_is_as_it_was(self) -> None:
        for curve in ("C 0 4 9 4 9 9", "Q 0 4 9 9"):
            self.assertEqual(svg.shorter(f"M 0 0 {curve} L 7 0"), f"M0 0{curve.replace(' ', '', 1)}L7 0")

    def test_one_decimal(self) -> None:
        self.assertEqual(svg.coordinates("M 1.04 -0.04 \nL 2.96 10.0 12"), "M 1 0 L 3 10 12")


class Groups(unittest.TestCase):
    def test_only_those_that_say_something_of_several_members_stay_at_any_depth(self) -> None:
        line = '<path d="M 0 0 L 5 5"/>'
        other = '<path d="M 1 0 L 5 5"/>'
        picture = svg.compact(
            '<svg xmlns="http://www.w3.org/2000/svg">'
            f'<g><g><g opacity="0.5"><g>{line}</g></g><defs/></g></g>'
            f'<g transform="translate(1)"><g>{line}{other}</g></g></svg>'
        )
        self.assertEqual(
            picture.partition("<style/>")[2],
            '<path d="M0 0L5 5" opacity="0.5"/>'
            '<g transform="translate(1)"><path d="M0 0L5 5"/><path d="M1 0L5 5"/></g></svg>',
        )

    def test_a_whole_picture(self) -> None:
        """Styles are classes, neighbours that look alike are one, names are short, numbers are too."""
        line, mark = '<path d="M {0} 0 L {0} 5 " style="stroke: #000; stroke-linejoin: round"/>', (
            '<use xlink:href="#m" x="{0}.04" y="2.96" style="fill: red"/>'
        )  # fmt: skip
        lines, marks = ("".join(one.format(number) for number in range(3)) for one in (line, mark))
        picture = svg.compact(
            '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
            'viewBox="0 0 9.96 4"><metadata>made by</metadata><defs><style>* {}</style></defs><defs>'
            '<clipPath id="clip"><rect x="0.01" width="9" height="2"/></clipPath>'
            f'<path id="m" d="M 0 1 L 1 1 "/></defs><g id="axes"><g id="lines">\n {lines}</g>'
            f'<g clip-path="url(#clip)">{marks}</g><g clip-path="url(#clip)">{mark.format(7)}</g>'
            '<g transform="rotate(-0 1 2)"><text style="font-family: \'DejaVu Sans\', sans-serif"> a '
            "</text></g></g></svg>"
        )
        uses = "".join(f'<use x="{number}" y="3" href="#i1"/>' for number in range(3))
        self.assertEqual(
            picture,
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 4" style="stroke-linejoin:round;'
            "stroke-linecap:butt;font-family:'DejaVu Sans', sans-serif\"><style>.k914d6{stroke:#000}"
            '.kc6b6f{fill:red}</style><defs><clipPath id="i0"><rect x="0" width="9" height="2"/></clipPath>'
            '<path id="i1" d="M0 1H1"/></defs><path d="M0 0V5M1 0V5M2 0V5" class="k914d6"/>'
            f'<g clip-path="url(#i0)"><g class="kc6b6f">{uses}</g></g><g clip-path="url(#i0)">'
            '<use x="7" y="3" href="#i1" class="kc6b6f"/></g><text> a </text></svg>',
        )
        self.assertEqual(svg.styles(picture), [".k914d6{stroke:#000}", ".kc6b6f{fill:red}"])
        self.assertEqual(svg.without_styles("<a><style>.k{}</style></a>"), "<a></a>")
