# SPDX-License-Identifier: GPL-2.0-only
"""Makes the folder that Sphinx reads: the pages of the tree at their own places, README.md as the
first, and beside them pages of what is not Markdown: kernel-doc, the ABI, the examples.

    pages.py [--tree DIR] OUT

README.md decides the navigation: its tables of pages, in their order."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

TOOLS = Path(__file__).resolve().parents[1]
# Licence of the pages that are made; split, because tools search files for the whole text.
LICENSE = "License-Identifier: GPL-2.0-only"
SPDX = f"<!-- SPDX-{LICENSE} -->\n"
AT_TOP = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")
ABI = "Documentation/ABI/debugfs-markers"
EXAMPLES = "Documentation/examples"
API = "Documentation/api"
# Headers that code outside of this tree includes, by user.
HEADERS = {
    "Markers: for instrumented code": ("markers/marker.h",),
    "Probes": ("markers/marker_probe.h", "markers/marker_args.h", "markers/plan.h",
               "markers/symbol.h", "markers/fetch.h", "markers/nofault.h", "markers/context.h"),
    "Section tables and gates": ("markers/marker_abi.h", "markers/gate.h", "markers/registry.h",
                                 "markers/writer.h"),
}  # fmt: skip
LINK = re.compile(r"\[([^\]]*)\]\(([^)\s#]+)(#[^)\s]*)?\)")
LANGUAGES = {".c": "c", ".h": "c", "": "make"}


class Unusable(Exception):
    """A page that cannot be made; says which and why."""


def title(rst: str, underline: str) -> str:
    return f"{rst}\n{underline * len(rst)}\n"


def kernel_doc(tree: Path, header: str) -> str:
    """The descriptions of a header as reST. Unusable if there are none."""
    release = subprocess.check_output([TOOLS / "vm/kernel-version"], text=True).strip()
    done = subprocess.run(
        [f"/lib/modules/{release}/build/scripts/kernel-doc", "-rst", "-sphinx-version", "9.0", header],
        cwd=tree, check=False, capture_output=True, text=True,
    )  # fmt: skip
    if done.returncode or ".. c:" not in done.stdout:
        raise Unusable(f"{header}: kernel-doc finds no description: {done.stderr.strip()[-300:]}")
    return done.stdout


def api(tree: Path) -> str:
    """The page of all that kernel-doc has of HEADERS."""
    parts = [f".. SPDX-{LICENSE}\n", title("Functions and macros", "=")]
    parts.append("What the headers offer to instrumented code and to probes.\n")
    for group, headers in HEADERS.items():
        parts.append(title(group, "-"))
        for header in headers:
            parts += [title(header, "~"), kernel_doc(tree, header)]
    return "\n".join(parts)


def fenced(text: str, language: str) -> str:
    fence = "`" * max(3, *(len(run) + 1 for run in re.findall("`+", text)), 3)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}\n"


def example(folder: Path) -> str:
    """The page of an example: its files."""
    parts = [SPDX, f"# The example {folder.name}\n"]
    for path in sorted(folder.iterdir()):
        if path.suffix in LANGUAGES and not path.name.startswith(".") and not path.stem.endswith(".mod"):
            parts += [f"## {path.name}\n", fenced(path.read_text(), LANGUAGES[path.suffix])]
    return "\n".join(parts)


def abi(tree: Path) -> str:
    text = (tree / ABI).read_text()
    return f"{SPDX}# The files in debugfs\n\n{fenced(text.partition(chr(10) * 2)[2], 'none')}"


def staged_name(page: str) -> str:
    return "index.md" if page == "README.md" else page


def made_pages(tree: Path) -> dict[str, str]:
    """Pages that are no Markdown in the tree, by their staged names."""
    examples = {f"{EXAMPLES}/{path.name}.md": example(path)
                for path in sorted((tree / EXAMPLES).iterdir()) if path.is_dir()}  # fmt: skip
    return {f"{API}.rst": api(tree), f"{ABI}.md": abi(tree), **examples}


def target_of(page: str, target: str) -> str:
    """Where a link of a page leads, from the top of the tree."""
    return os.path.normpath(os.path.join(os.path.dirname(page), target))


class Stage:
    """Rewrites the links of the pages, and copies the files that they lead to."""

    def __init__(self, tree: Path, out: Path) -> None:
        self.tree = tree
        self.out = out
        listed = [*AT_TOP, *(str(path.relative_to(tree)) for path in tree.glob("Documentation/**/*.md"))]
        self.pages = {name: (tree / name).read_text() for name in sorted(listed)}
        self.made = made_pages(tree)

    def rewritten(self, page: str, found: re.Match[str]) -> str:
        text, target, anchor = found.groups()
        if "://" in target:
            return found[0]
        to = target_of(page, target)
        if f"{to}.md" in self.made:
            to = f"{to}.md"
        elif to not in self.pages and (self.tree / to).is_file():
            copy = self.out / to
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(self.tree / to, copy)
        place = os.path.relpath(staged_name(to), os.path.dirname(page) or ".")
        return f"[{text}]({place}{anchor or ''})"

    def text(self, page: str) -> str:
        text = LINK.sub(lambda found: self.rewritten(page, found), self.pages[page])
        return text + self.navigation() if page == "README.md" else text

    def navigation(self) -> str:
        """Table by table what README.md links to below "## Pages"; pages that are made and that
        no table names come last."""
        named: set[str] = set()
        parts = []
        for caption, part in re.findall(
            r"^### (.*)\n((?:(?!#).*\n)*)", self.pages["README.md"].partition("## Pages")[2], re.MULTILINE
        ):
            linked = dict.fromkeys(target_of("README.md", found[2]) for found in LINK.finditer(part))
            names = [name for to in linked for name in (to, f"{to}.md", f"{to}.rst") if self.has(name)]
            named.update(names)
            parts.append(toctree(caption, names))
        rest = [name for name in self.made if name not in named]
        return "".join([*parts, toctree("Headers and examples", rest)])

    def has(self, name: str) -> bool:
        return name in self.pages or name in self.made

    def write(self) -> None:
        for page in self.pages:
            self.write_page(staged_name(page), self.text(page))
        for name, text in self.made.items():
            self.write_page(name, text)

    def write_page(self, name: str, text: str) -> None:
        path = self.out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def toctree(caption: str, names: list[str]) -> str:
    entries = "\n".join(os.path.splitext(name)[0] for name in names)
    return f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{entries}\n```\n" if names else ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--tree", type=Path, default=TOOLS.parent, metavar="DIR",
                        help="whose pages (this one's)")  # fmt: skip
    parser.add_argument("out", type=Path, metavar="OUT", help="a folder; what was in it is removed")
    args = parser.parse_args()
    shutil.rmtree(args.out, ignore_errors=True)
    try:
        Stage(args.tree, args.out).write()
    except (Unusable, OSError) as problem:
        print(f"docs: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
