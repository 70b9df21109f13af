# SPDX-License-Identifier: GPL-2.0-only
"""Looks at a page in headless Chromium: look.py PAGE WIDTH light|dark|print [PNG]

Prints one line for each thing that is wrong and nothing when all is well: a
panel (an element of the class `panel`) that is empty or wider than its place,
a text that leaves its plot or lies on another one, a page wider than the
window, a first section that is not the summary, a section below it that is open,
a table that a click does not sort, anything that would have to be fetched, a page
of over 1 MB. Of the page as it is printed: what is wider than the paper, a ground
that is not white, more than 12 sheets, sections that are folded or missing."""

from __future__ import annotations

import html
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from PIL import Image

SCHEMES = {"dark": "0", "light": "1"}
MOST_BYTES = 1_000_000
PIECE = 8000  # pixels
MOST_SHEETS = 12
PAPER = 688  # pixels: A4 without the margins
WHITE = 250  # of 255
TIMEOUT_S = 120
FEW_COLOURS = 8
LEAST_INK = 0.004  # of the pixels of a panel
FETCHES = re.compile(r"""(?:src|href)\s*=\s*["'](?!#)[^"']+|url\((?!["']?#)[^)]+|@import[^;]+""")
MARK = "look-result"
SCRIPT = (
    """
<script>
function name(e) { return e.id || e.getAttribute('aria-label') ||
  (e.querySelector('[aria-label]') || e).getAttribute('aria-label') || e.tagName; }
function rect(e) { const r = e.getBoundingClientRect();
  return [r.left + scrollX, r.top + scrollY, r.width, r.height]; }
function texts(e) { return [...e.querySelectorAll('svg text')].map(
  t => [t.textContent.trim(), ...rect(t)]).filter(t => t[0]); }
const open = [...document.querySelectorAll('main details')].filter(e => e.open).map(e => e.id);
for (const d of document.querySelectorAll('main details')) d.open = true;
const button = (head) => head.querySelector('button');
function sorted(table, column) {
  const head = table.tHead.rows[0].cells[column];
  const cells = () => [...table.tBodies[0].rows].map(row => row.cells[column].textContent);
  if (!button(head)) return {name: name(table), column, up: null, down: null};
  button(head).click(); const up = cells();
  button(head).click(); const down = cells();
  return {name: name(table), column, up, down, says: head.ariaSort};
}
const found = {open,
  first: document.querySelector('main section')?.id,
  width: document.documentElement.scrollWidth, window: innerWidth,
  height: document.documentElement.scrollHeight,
  panels: [...document.querySelectorAll('.panel')].map(e => ({name: name(e), rect: rect(e),
    scroll: e.scrollWidth, client: e.clientWidth, svg: [...e.querySelectorAll('svg')].map(rect),
    texts: texts(e)}))};
found.sorted = [...document.querySelectorAll('table.sortable')].map(table => sorted(table, 1));
const out = document.createElement('script');
out.type = 'application/json'; out.id = '"""
    + MARK
    + """';
out.textContent = JSON.stringify(found);
document.body.append(out);
</script>
"""
)

Panel = dict[str, Any]


def chromium(*options: str) -> str:
    with tempfile.TemporaryDirectory() as profile:
        command = [
            "chromium-headless-shell", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
            "--force-device-scale-factor=1", "--disable-dev-shm-usage",
            f"--user-data-dir={profile}", *options,
        ]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
    if done.returncode:
        sys.exit(f"chromium ended with {done.returncode}: {done.stderr[-500:]}")
    return done.stdout


def measure(page: Path, width: int) -> dict[str, Any]:
    """Where everything is, as the page itself tells once it is laid out."""
    with tempfile.TemporaryDirectory() as folder:
        probed = Path(folder) / "page.html"
        probed.write_text(page.read_text().replace("</body>", SCRIPT + "</body>"))
        dom = chromium(f"--window-size={width},1000", "--dump-dom", probed.as_uri())
        opened = re.sub("<details", "<details open", page.read_text())
        probed.write_text(opened)
    result = re.search(rf'<script type="application/json" id="{MARK}">(.*?)</script>', dom, re.DOTALL)
    if not result:
        sys.exit(f"{page}: the page printed nothing")
    found: dict[str, Any] = json.loads(result[1])
    return found


def photograph(page: Path, width: int, height: int, scheme: str, target: Path) -> Image.Image:
    """The whole page, of pieces that are as high as the browser can make them."""
    whole = Image.new("RGB", (width, height))
    text = page.read_text().replace("<details", "<details open")
    with tempfile.TemporaryDirectory() as folder:
        moved, piece = Path(folder) / "page.html", Path(folder) / "piece.png"
        for top in range(0, height, PIECE):
            moved.write_text(
                text.replace("</head>", f"<style>html {{ margin-top: -{top}px }}</style></head>")
            )
            chromium(
                f"--window-size={width},{min(PIECE, height - top)}", f"--screenshot={piece}",
                f"--blink-settings=preferredColorScheme={SCHEMES[scheme]}", moved.as_uri(),
            )  # fmt: skip
            whole.paste(Image.open(piece).convert("RGB"), (0, top))
    whole.save(target)
    return whole


def overlap(one: list[Any], other: list[Any]) -> bool:
    """True if two texts cover each other by more than their edges."""
    (_, x, y, w, h), (_, p, q, v, g) = one, other
    return min(x + w, p + v) - max(x, p) > 2 and min(y + h, q + g) - max(y, q) > 0.35 * min(h, g)


def judge_texts(panel: Panel) -> Iterator[str]:
    for left, top, width, height in panel["svg"]:
        for text, x, y, w, h in panel["texts"]:
            if x < left - 1 or y < top - 1 or x + w > left + width + 1 or y + h > top + height + 1:
                yield f"{panel['name']}: the text {text!r} leaves its plot"
    texts = panel["texts"]
    for number, one in enumerate(texts):
        for other in texts[number + 1 :]:
            if overlap(one, other):
                yield f"{panel['name']}: the texts {one[0]!r} and {other[0]!r} lie on each other"


def judge_ink(panel: Panel, picture: Image.Image) -> Iterator[str]:
    """Judge the plot of a figure, not the words around it."""
    left, top, width, height = panel["svg"][0] if panel["svg"] else panel["rect"]
    box = (max(0, round(left)), round(top), min(picture.width, round(left + width)), round(top + height))
    if box[2] - box[0] < 10 or box[3] - box[1] < 10:
        yield f"{panel['name']}: it is {width:.0f} by {height:.0f} pixels"
        return
    if box[3] > picture.height:
        yield f"{panel['name']}: it is not in the picture"
        return
    piece = picture.crop(box)
    colours = sorted(((n, c) for n, c in piece.getcolors(piece.width * piece.height) or []), reverse=True)
    ink = 1 - sum(count for count, _ in colours[:2]) / (piece.width * piece.height)
    if len(colours) < FEW_COLOURS or ink < LEAST_INK:
        yield f"{panel['name']}: it is empty ({len(colours)} colours, {100 * ink:.2f} % ink)"


def fetched(text: str) -> Iterator[str]:
    for found in FETCHES.findall(text):
        yield f"the page would fetch {found[:60]!r}"


def judge_sections(found: dict[str, Any]) -> Iterator[str]:
    if found["first"] != "summary":
        yield f"the page begins with {found['first']}"
    for name in found["open"]:
        yield f"the section {name} is not folded"


def numbers(cells: list[str]) -> list[float]:
    """The first number of each cell that has one, as page.js takes it; ValueError for one
    without after one with, which belong at the end."""
    found = [re.search(r"[-+]?\d+(\.\d+)?(e[-+]?\d+)?", cell.replace(",", "")) for cell in cells]
    kept = [match for match in found if match]
    if found[: len(kept)] != kept:
        raise ValueError
    return [float(match[0]) for match in kept]


def judge_sorting(found: dict[str, Any]) -> Iterator[str]:
    if not found["sorted"]:
        yield "no table can be sorted"
    for table in found["sorted"]:
        try:
            up, down = numbers(table["up"]), numbers(table["down"])
            good = up == sorted(up) and down == sorted(down, reverse=True) and len(up) == len(down)
        except (TypeError, ValueError):
            good = False
        if not good or table["says"] != "descending":
            yield f"{table['name']}: a click does not sort it"


def printed(page: Path, folder: Path) -> tuple[list[str], Image.Image]:
    """The texts of the sheets of the page on paper, and the first sheet."""
    pdf = folder / "page.pdf"
    chromium("--blink-settings=preferredColorScheme=0", "--no-pdf-header-footer",
             f"--print-to-pdf={pdf}", page.absolute().as_uri())  # fmt: skip
    subprocess.run(["pdftoppm", "-r", "50", "-singlefile", "-png", pdf, folder / "sheet"], check=True)
    text = subprocess.run(["pdftotext", pdf, "-"], check=True, capture_output=True, text=True).stdout
    sheets = text.removesuffix("\f").split("\f")
    return sheets, Image.open(folder / "sheet.png").convert("RGB")


def shown_on_paper(source: str) -> list[str]:
    """The heads of the sections that are not folded."""
    heads = re.findall("<section.*?<h2>(.*?)</h2>", source, re.DOTALL)
    return [html.unescape(head) for head in heads]


def judge_print(page: Path, target: Path) -> Iterator[str]:
    """On a system whose colours are dark. What is wider than the paper is cut there, so
    that is measured on a screen that is as wide as paper, with the style for paper."""
    with tempfile.TemporaryDirectory() as folder:
        sheets, sheet = printed(page, Path(folder))
        on_screen = Path(folder) / "screen.html"
        on_screen.write_text(page.read_text().replace("@media print", "@media all"))
        found = measure(on_screen, PAPER)
    sheet.save(target)
    if min(sheet.getpixel((2, 2))) < WHITE:  # type: ignore[type-var, arg-type]
        yield "on paper: the ground is not white"
    if found["width"] > PAPER:
        yield f"on paper: {found['width']} pixels wide where there are {PAPER}"
    if len(sheets) > MOST_SHEETS:
        yield f"on paper: {len(sheets)} sheets"
    text = " ".join(" ".join(sheets).split())
    for folded in re.findall("<summary><h2>(.*?)</h2>", page.read_text()):
        if html.unescape(folded) in text:
            yield f"on paper: {folded}, which is folded"
    for wanted in shown_on_paper(page.read_text()):
        if wanted not in text:
            yield f"on paper: {wanted} is missing"


def judge(page: Path, width: int, scheme: str, target: Path) -> Iterator[str]:
    yield from fetched(page.read_text())
    if (size := page.stat().st_size) > MOST_BYTES:
        yield f"the page has {size:,} bytes"
    if scheme == "print":
        yield from judge_print(page, target)
        return
    found = measure(page, width)
    yield from judge_sections(found)
    yield from judge_sorting(found)
    if found["width"] > found["window"]:
        yield f"the page is {found['width']} pixels wide in a window of {found['window']}"
    if not found["panels"]:
        yield "there are no panels"
    picture = photograph(page, width, found["height"] + 50, scheme, target)
    for panel in found["panels"]:
        if panel["scroll"] > panel["client"]:
            yield f"{panel['name']}: {panel['scroll']} pixels wide where there are {panel['client']}"
        if width > 1000:
            yield from judge_texts(panel)
        yield from judge_ink(panel, picture)
    if scheme == "dark" and sum(picture.getpixel((2, 2))) > 3 * 100:  # type: ignore[arg-type]
        yield "the ground is not dark"


def main() -> int:
    page, width, scheme = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    with tempfile.TemporaryDirectory() as folder:
        target = Path(sys.argv[4]) if len(sys.argv) > 4 else Path(folder) / "page.png"
        troubles = list(judge(page, width, scheme, target))
    print("\n".join(troubles), end="\n" if troubles else "")
    return 1 if troubles else 0


if __name__ == "__main__":
    sys.exit(main())
