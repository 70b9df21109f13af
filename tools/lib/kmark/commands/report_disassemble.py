# SPDX-License-Identifier: GPL-2.0-only
"""kmark report disassemble: the marked function and the probe of the 2006 thread."""

from __future__ import annotations

import argparse
import json

from kmark.commands.common import describe, json_option


def execute(args: argparse.Namespace) -> None:
    from kmark.binary import disassemble, size

    envs = [args.env] if args.env else list(size.ENVS)
    found = [one for env in envs for one in disassemble.load(env, args.gates)]
    if args.json:
        print(json.dumps(disassemble.record(found), indent=1))
    else:
        print("\n".join(disassemble.lines(found)))


def add_disassemble(disassemble: argparse.ArgumentParser) -> None:
    describe(
        disassemble,
        "Builds the marked function of the 2006 thread with every kind of gate, and shows what "
        "objdump makes of it and of the probe, beside the listings of the mails.",
        "kmark report disassemble --env kernel imm generic pun",
    )
    disassemble.add_argument("gates", nargs="*", metavar="GATE", help="only these (default: all)")
    disassemble.add_argument("--env", choices=("native", "kernel"), help="whose objects (default: both)")
    json_option(disassemble)
    disassemble.set_defaults(run=execute)
