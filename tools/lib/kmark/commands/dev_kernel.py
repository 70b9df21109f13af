# SPDX-License-Identifier: GPL-2.0-only
"""kmark dev kernel: a kernel with the patches applied, built from source; or one of the distribution."""

from __future__ import annotations

import argparse
from pathlib import Path

from kmark.commands.common import describe
from kmark.errors import Usage


def stock(args: argparse.Namespace) -> Path:
    """A kernel of the distribution, or the folder of the modules that are built for it."""
    from kmark import cache
    from kmark.guest import uml
    from kmark.kernel import version

    if args.config or args.adds or args.sets or args.vanilla or args.distribution or args.arch != "x86_64":
        raise Usage("dev kernel: --stock is a kernel that the distribution has built, for x86_64")
    if args.version not in version.stock():
        raise Usage(
            f"dev kernel: there is no --stock {args.version} (there are: {' '.join(version.stock())})"
        )
    place = cache.place(f"stock-{args.version}")
    return uml.build_modules_for(place) if args.modules else place


def built(args: argparse.Namespace) -> Path:
    """A kernel that is built here, or the folder of the modules that are built for it."""
    from kmark.guest import uml
    from kmark.kernel import patchset, tree

    patchset.check(args.version)
    if args.config and args.adds:
        raise Usage(
            "dev kernel: --config is a whole configuration; --with and --debug add to the small one"
        )
    if args.config and not args.config.exists():
        raise Usage(f"dev kernel: {args.config}: no such file")
    if args.distribution and (args.config or args.adds or args.sets or args.arch != "x86_64"):
        raise Usage("dev kernel: --distribution is a whole configuration, for x86_64, with all sets")
    if args.sets and args.vanilla:
        raise Usage("dev kernel: --vanilla is a kernel without patches, and --set names some")
    arch = tree.ARM64 if args.arch == "arm64" else tree.X86
    fragments = tree.fragments(arch, "small", *args.adds)
    sets = tuple(args.sets) if args.sets else None
    recipe = tree.Recipe(args.version, not args.vanilla, fragments, args.config, arch, sets=sets)
    if args.distribution:
        recipe = tree.Recipe.distribution(args.version, not args.vanilla)
    place = tree.build(recipe)
    return uml.build_modules_for(place, arch) if args.modules else place


def execute(args: argparse.Namespace) -> None:
    print(stock(args) if args.stock else built(args))


def add_kernel(kernel: argparse.ArgumentParser) -> None:
    describe(
        kernel,
        "Fetches the distribution's source, applies the series for that version with git am, "
        "configures, builds, and prints the folder: boot/ is what to boot, and modules are built "
        "against the folder itself. What has been built is kept in the cache. "
        "The first time takes minutes.",
        "kmark dev vm --kernel $(kmark dev kernel 6.1) -- uname -r",
    )
    kernel.add_argument("version", metavar="VERSION", help="a version that has patches, such as 6.1")
    kernel.add_argument(
        "--arch", default="x86_64", choices=("x86_64", "arm64"), help="the architecture (default: x86_64)"
    )
    kernel.add_argument(
        "--stock", action="store_true",
        help="fetch the distribution's kernel, do not build it; VERSION is such as 6.1 or 6.1-rt",
    )  # fmt: skip
    kernel.add_argument(
        "--set", action="append", default=[], dest="sets", metavar="SET",
        help="with this set of patches only, and those that it needs (default: all)",
    )  # fmt: skip
    kernel.add_argument("--vanilla", action="store_true", help="without the patches")
    kernel.add_argument(
        "--with", action="append", default=[], dest="adds",
        choices=("clang", "debug", "debug-events", "ftrace", "kcsan", "rt"),
        help="add patches/config/NAME to the small configuration",
    )  # fmt: skip
    kernel.add_argument(
        "--debug", action="append_const", dest="adds", const="debug",
        help="the same as --with debug: KASAN, lockdep and the like",
    )  # fmt: skip
    kernel.add_argument(
        "--modules", action="store_true", help="also build the project's modules for it; print their folder"
    )
    kernel.add_argument(
        "--distribution", action="store_true",
        help="as the distribution configures it, less its modules, but for what a guest boots with",
    )  # fmt: skip
    kernel.add_argument("--config", type=Path, metavar="FILE", help="a whole .config (default: small)")
    kernel.set_defaults(run=execute)
