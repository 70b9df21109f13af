# SPDX-License-Identifier: GPL-2.0-only
"""kmark pack: the benchmark for machines without the repository."""

from __future__ import annotations

import argparse
from pathlib import Path

from kmark import cache
from kmark.commands.common import Verbs
from kmark.errors import say


def execute(args: argparse.Namespace) -> int:
    from kmark.bench import pack

    archive: Path = args.archive or cache.TOP / pack.ARCHIVE
    size = pack.build(archive)
    say(f"{archive}: {size / 1e6:.1f} MB; there: tar -xf {archive.name}; {pack.FOLDER}/measure")
    return 0


def add(verbs: Verbs) -> None:
    pack = verbs.add_parser(
        "pack",
        help="make one archive that measures on a machine without the repository",
        description="Builds the programs of `kmark bench --env native` without shared libraries and packs "
        "them with what runs them. The machine needs python3 (3.10 or newer) and tar with xz, no package "
        "and no root. It is of this architecture, and the peer lttng is not in it.",
        epilog="example: tools/kmark pack /tmp/kmark-bench.tar.xz",
    )
    pack.add_argument(
        "archive", type=Path, nargs="?", metavar="FILE",
        help="the archive (default build/kmark-bench.tar.xz)",
    )  # fmt: skip
    pack.set_defaults(run=execute)
