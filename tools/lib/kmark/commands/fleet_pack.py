# SPDX-License-Identifier: GPL-2.0-only
"""kmark fleet pack: the benchmark for machines without the repository."""

from __future__ import annotations

import argparse
from pathlib import Path

from kmark import cache
from kmark.commands.common import describe
from kmark.errors import say


def execute(args: argparse.Namespace) -> None:
    from kmark.bench import pack

    archive: Path = args.output or cache.TOP / pack.ARCHIVE
    size = pack.build(archive)
    say(f"{archive}: {size / 1e6:.1f} MB; there: tar -xf {archive.name}; {pack.FOLDER}/measure")


def add_pack(pack: argparse.ArgumentParser) -> None:
    describe(
        pack,
        "Builds the programs of `kmark bench --env native` without shared libraries and packs "
        "them with what runs them. The machine needs python3 (3.10 or newer) and tar with xz, no package "
        "and no root. It is of this architecture, and the peer lttng is not in it.",
        "kmark fleet pack -o /tmp/kmark-bench.tar.xz",
    )
    pack.add_argument(
        "-o", "--output", type=Path, metavar="FILE",
        help="the archive (default build/kmark-bench.tar.xz)",
    )  # fmt: skip
    pack.set_defaults(run=execute)
