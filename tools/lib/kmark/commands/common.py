# SPDX-License-Identifier: GPL-2.0-only
"""Functions that several verbs use, and the types of their options."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from kmark.errors import Usage, say
from kmark.foreign import shown
from kmark.live import control

# Neither typing nor importlib is imported here, nor shutil by argparse: each takes some 5 % of the time of
# `kmark list`.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn, TypeAlias

    from kmark.report.draw import Plot
    from kmark.report.page import Page


def sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def formatter(prog: str) -> argparse.HelpFormatter:
    """Return argparse's usual formatter, as wide as the terminal less two columns."""
    columns = os.environ.get("COLUMNS", "")
    width = int(columns) if columns.isascii() and columns.isdecimal() else 0
    if not width and os.isatty(1):
        width = os.get_terminal_size(1).columns
    return argparse.HelpFormatter(prog, width=(width or 80) - 2)


class Parser(argparse.ArgumentParser):
    """Parser whose error messages end with an example, instead of all options."""

    def short_usage(self) -> str:
        """Return the lines below an error message: needed arguments, an example, how to see the rest."""
        needed = [action for action in self._actions if action.required or not action.option_strings]
        formatter = self._get_formatter()
        formatter.add_usage(None, needed, [])
        _, _, words = self.prog.partition(" ")
        return f"{formatter.format_help().rstrip()}\n{self.epilog}\nkmark help {words} shows all options\n"

    def error(self, message: str) -> NoReturn:
        say(f"{self.prog.partition(' ')[2]}: {message}")
        sys.stderr.write(self.short_usage())
        raise SystemExit(Usage.status)


class Verb:
    """A verb: `module`, in kmark.commands, has a function add_NAME that fills its parser. Or a verb with
    verbs of its own, of which `usual` is the one without a name. `packages`: see cli.py."""

    def __init__(
        self, module: str, about: str, packages: str | None = None, verbs: dict[str, Verb] | None = None,
        usual: str = "",
    ) -> None:  # fmt: skip
        self.module, self.about, self.packages = module, about, packages
        self.verbs, self.usual = verbs or {}, usual

    def parser(self, name: str, below: str = "") -> Parser:
        """The parser of the verb with that name, or of its verb `below`. Only its module is imported: to
        import all of them takes longer than most verbs do."""
        verb = self.verbs[below] if below else self
        program = f"kmark {name} {below}" if below != self.usual else f"kmark {name}"
        parser = Parser(program, allow_abbrev=False, formatter_class=formatter)
        parser.description = sentence(verb.about)
        function = f"add_{below or name}".replace("-", "_")
        getattr(__import__(f"kmark.commands.{verb.module}", fromlist=[function]), function)(parser)
        return parser

    def parsers(self, name: str) -> Iterator[tuple[str, Parser]]:
        """Yield the parser of the verb with its name, or the parsers of its verbs with both names."""
        for below in self.verbs or [""]:
            yield f"{name} {below}".strip(), self.parser(name, below)


Groups: TypeAlias = dict[str, dict[str, Verb]]

# The files of markers.ko that have the names of the running kernel.
MARKER_NAMES, PROBE_NAMES = "markers", "probes"
LONGEST_S = 500 * 3600  # poll() takes no more than 596 hours


def complete(argument: argparse.Action, names: str) -> None:
    """Have the shell complete an argument with MARKER_NAMES or PROBE_NAMES."""
    setattr(argument, "completes", names)  # noqa: B010


def describe(parser: argparse.ArgumentParser, description: str, example: str) -> None:
    """Set the description of a verb, unless the table has enough, and the example of its --help."""
    parser.description = description or parser.description
    parser.epilog = f"example: {example}"


def root_option(parser: argparse.ArgumentParser) -> None:
    """--root of a verb that uses the running kernel."""
    parser.add_argument(
        "--root", type=Path, default=control.ROOT, metavar="DIR", help="the debugfs folder of markers.ko"
    )


def json_option(parser: argparse._ActionsContainer, what: str = "print JSON, for programs") -> None:
    parser.add_argument("--json", action="store_true", help=what)


def installed_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--installed", action="store_true", help="only of the verbs that an installed kmark has"
    )


def duration_option(parser: argparse.ArgumentParser) -> None:
    """--duration of a verb that ends otherwise when its command ends, or at Ctrl-C."""
    parser.add_argument("--duration", type=duration, metavar="TIME", help="end after that time, as in 10s")


def output_option(parser: argparse.ArgumentParser, default: Path | None, what: str) -> None:
    """-o of a verb that measures: the folder of its results."""
    parser.add_argument("-o", "--output", type=Path, default=default, metavar="DIR", help=what)


def show(lines: Iterable[str]) -> None:
    """Print lines on stdout, without control characters that a foreign text in them may have."""
    sys.stdout.write("".join(f"{shown(part)}\n" for line in lines for part in line.split("\n")))


def write_page(args: argparse.Namespace, made: Page, drawn: list[Plot]) -> None:
    """Write the page and the plots of --html and --svg, and print what they contain."""
    from kmark import cache
    from kmark.report import page

    if args.svg:
        for plot in drawn:
            cache.write_whole(args.svg / f"{plot.name}.svg", plot.svg.encode())
        say(f"{len(drawn)} plots in {args.svg}")
    if args.html:
        content = page.render(made)
        cache.write_whole(args.html, content.encode())
        say(f"page in {args.html}: {page.size_note(content)}")


Number = TypeVar("Number", int, float)


def number(text: str, kind: Callable[[str], Number], what: str, fits: Callable[[Number], bool]) -> Number:
    """Return the number in a text, for argparse, which says WHAT is wanted if there is no such number."""
    with suppress(ValueError):
        if fits(found := kind(text)):
            return found
    raise argparse.ArgumentTypeError(f"{text!r}: want {what}")


def positive(text: str) -> int:
    """Return a whole number of 1 or more, for argparse."""
    return number(text, int, "a whole number, 1 or more", lambda found: found > 0)


def nonempty(text: str) -> str:
    """Return a name, which is not empty, for argparse."""
    if not text:
        raise argparse.ArgumentTypeError("'': want a name")
    return text


def size(text: str) -> int:
    """A number of bytes, as in 64K or 4M, for argparse."""
    match = re.fullmatch(r"([0-9]+)([KMG]?)", text)
    if not match or not int(match[1]):
        raise argparse.ArgumentTypeError(f"{text!r}: want a number of bytes, as in 64K, 4M or 1G")
    return int(match[1]) << {"": 0, "K": 10, "M": 20, "G": 30}[match[2]]


def duration(text: str) -> float:
    """Seconds of a duration with its unit, as in 200ms or 10s, for argparse."""
    match = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)(ms|s|m|h)", text)
    found = float(match[1]) * {"ms": 0.001, "s": 1, "m": 60, "h": 3600}[match[2]] if match else 0
    if not 0 < found <= LONGEST_S:
        raise argparse.ArgumentTypeError(
            f"{text!r}: want a duration with its unit, as in 200ms, 10s, 5m or 2h, of at most 500h"
        )
    return found


def name_or_folder(text: str, names: Iterable[str], what: str) -> str | Path:
    """Return one of NAMES, or a folder, for argparse."""
    if text in names:
        return text
    if not Path(text).is_dir():
        known = " ".join(names)
        raise argparse.ArgumentTypeError(f"{text!r}: neither a folder nor {what} (there are: {known})")
    return Path(text)


def kernel(text: str) -> str | Path:
    """A version that there is a series for, or a folder, for argparse."""
    from kmark.kernel import patchset

    return name_or_folder(text, patchset.versions(), "a version")


def stock_kernel(text: str) -> str | Path:
    """The name of a kernel of the distribution, such as 6.12 or 6.1-rt, or a folder, for argparse."""
    from kmark.kernel import version

    return name_or_folder(text, version.stock(), "a kernel of the distribution")


def pair_of_kernels(verb: str, args: argparse.Namespace) -> tuple[Path, Path] | None:
    """The folders of --vanilla and --kernel, or None if --kernel is a version, of which both are built.
    Usage if one of them is missing."""
    if isinstance(args.kernel, str) and args.vanilla is None:
        return None
    if not isinstance(args.kernel, Path) or args.vanilla is None or not args.vanilla.is_dir():
        raise Usage(
            f"{verb}: --vanilla and --kernel are either both folders, or only --kernel is a version"
        )
    return args.vanilla, args.kernel


def percentage(text: str) -> float:
    """Return a number of percent, for argparse."""
    return number(text, float, "a number from 0 to 100", lambda found: 0 <= found <= 100)


def whole(text: str) -> int:
    """Return a whole number of 0 or more, for argparse."""
    return number(text, int, "a whole number, 0 or more", lambda found: found >= 0)


def not_negative(text: str) -> float:
    """Return a number of 0 or more, for argparse."""
    return number(text, float, "a number, 0 or more", lambda found: 0 <= found < float("inf"))
