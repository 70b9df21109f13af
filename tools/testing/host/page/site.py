# SPDX-License-Identifier: GPL-2.0-only
"""Looks at the site of the pages: site.py FOLDER [PNG]

Prints one line for each thing that is wrong and nothing when all is well: a link to a page or a
place that is not there, anything that would have to be fetched from elsewhere, and, in headless
Chromium, a page that is wider than a telephone, a picture that is not drawn. PNG gets the first
page as a telephone shows it."""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import look

TELEPHONE = 390  # pixels
HEIGHT = 1600
FETCHED = {("script", "src"), ("img", "src"), ("link", "href"), ("source", "src"), ("iframe", "src")}
# Each page in a frame that is as wide as a telephone; what it comes to is left in the document.
FRAMES = """<!DOCTYPE html>
<title>frames</title>
<script>
const names = %s;
const found = {};
function seen(name, frame) {
  const page = frame.contentDocument;
  // What may be wider scrolls by itself: code and tables. The rest is not to scroll sideways.
  const wide = [...page.querySelectorAll('*')].filter(e => e.scrollWidth > e.clientWidth + 1 &&
    /auto|scroll/.test(getComputedStyle(e).overflowX) &&
    !e.closest('pre, .table-wrapper, .highlight, .sig'));
  found[name] = {width: Math.max(page.documentElement.scrollWidth, ...wide.map(e => e.scrollWidth)),
    blank: [...page.images].filter(image => !image.naturalWidth).map(image => image.src)};
  frame.remove();
  next();
}
function next() {
  const name = names.pop();
  if (!name) {
    const out = document.createElement('script');
    out.type = 'application/json'; out.id = 'site-result';
    out.textContent = JSON.stringify(found);
    document.body.append(out);
    return;
  }
  const frame = document.createElement('iframe');
  frame.width = %d; frame.height = 800; frame.style.border = 0;
  frame.onload = () => seen(name, frame);
  frame.src = name;
  document.body.append(frame);
}
addEventListener('load', next);
</script>
<body></body>
"""


class Page(HTMLParser):
    """The places of a page that links can lead to, its links, and what it fetches."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.places: set[str] = set()
        self.links: list[str] = []
        self.fetched: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.places.add(value)
            elif tag == "a" and name == "href" and value:
                self.links.append(value)
            elif (tag, name) in FETCHED and value:
                self.fetched.append(value)


def judge_links(folder: Path) -> Iterator[str]:
    pages = {path.relative_to(folder): Page(path.read_text()) for path in sorted(folder.rglob("*.html"))}
    for name, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or link.startswith("//"):
                continue
            target = (folder / name).parent / unquote(parts.path) if parts.path else folder / name
            to = pages.get(target.resolve().relative_to(folder.resolve()))
            place = unquote(parts.fragment)
            if not target.exists():
                yield f"{name}: a link leads to {link}, which is not there"
            elif place and to and place not in to.places:
                yield f"{name}: a link leads to {link}, a place that is not there"
        for address in page.fetched:
            if urlsplit(address).netloc:
                yield f"{name}: it would fetch {address}"


def judge_frames(folder: Path) -> Iterator[str]:
    names = [str(path.relative_to(folder)) for path in sorted(folder.rglob("*.html"))]
    frames = folder / "look-at-frames.html"
    frames.write_text(FRAMES % (json.dumps(names), TELEPHONE))
    try:
        dom = look.chromium(
            "--allow-file-access-from-files", f"--window-size={TELEPHONE},1000",
            "--virtual-time-budget=600000", "--dump-dom", frames.absolute().as_uri(),
        )  # fmt: skip
    finally:
        frames.unlink()
    result = re.search(r'<script type="application/json" id="site-result">(.*?)</script>', dom, re.DOTALL)
    found = json.loads(result[1]) if result else {}
    for name in names:
        if name not in found:
            yield f"{name}: the browser does not show it"
            continue
        if found[name]["width"] > TELEPHONE:
            yield f"{name}: it is {found[name]['width']} pixels wide in a window of {TELEPHONE}"
        yield from (f"{name}: the picture {image} is not drawn" for image in found[name]["blank"])


def photograph(page: Path, target: Path) -> None:
    """A window cannot be as narrow as a telephone, so the page is in a frame."""
    with tempfile.NamedTemporaryFile("w", suffix=".html") as framed:
        framed.write(
            f'<body style="margin: 0"><iframe src="{page.absolute().as_uri()}" width="{TELEPHONE}" '
            f'height="{HEIGHT}" style="border: 0"></iframe>'
        )
        framed.flush()
        look.chromium(
            f"--window-size={TELEPHONE},{HEIGHT}", f"--screenshot={target}", Path(framed.name).as_uri()
        )


def main() -> int:
    folder = Path(sys.argv[1])
    if len(sys.argv) > 2:
        photograph(folder / "index.html", Path(sys.argv[2]))
    troubles = [*judge_links(folder), *judge_frames(folder)]
    print("\n".join(troubles), end="\n" if troubles else "")
    return 1 if troubles else 0


if __name__ == "__main__":
    sys.exit(main())
