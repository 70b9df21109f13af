# SPDX-License-Identifier: GPL-2.0-only
"""Options that exclude each other or need one another: each message, with the words that it is about."""

from __future__ import annotations

import contextlib
import os
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from kmark.kernel import patchset, version
from test_words import complaint

REFUSED = {
    "bench: no guest of moon: want x86_64 or arm64": ["bench --env vm --arch moon"],
    "bench: --arch is of the guest with the distribution's kernel: use it with --env vm alone, without "
    "--all and --fence": [
        "bench --arch arm64", "bench --arch arm64 --env vm --env uml", "bench --arch arm64 --env vm --all",
        "bench --arch arm64 --env vm --kernel .", "bench --arch arm64 --env vm --fence lfence",
    ],
    "bench: --cpu is of the guest: use it with --env vm": ["bench --env native --env uml --cpu max"],
    "bench: --kernel is the guest's: use it with --env vm": ["bench --env native --kernel ."],
    "bench baseline: --native has no baseline: leave --write, --cpu and --file out": [
        "bench baseline --native --write", "bench baseline --native --cpu max",
        "bench baseline --native --file a",
    ],
    "bench baseline: the CPU is that of the file; --cpu is for --write": ["bench baseline --cpu max"],
    "bench baseline: --write prints no JSON": ["bench baseline --write --json"],
    "bench paths: --write prints no JSON": ["bench paths --write --json"],
    "bench paths: the file has ways of the usual kernel, without LTTng: --write alone": [
        "bench paths --write --lttng", "bench paths --write --kernel .",
    ],
    "bench paths: --lttng is for the usual kernel, without --kernel": ["bench paths --lttng --kernel ."],
    "compare: --rates and --agree draw nothing: leave --html and --svg out": [
        "compare --rates 5 a --html b", "compare --agree 90 a b --svg c",
    ],
    "compare: the second report is missing": ["compare a", "compare --agree 90 a"],
    "compare: --agree is of two reports": ["compare --agree 90 a b c"],
    "compare: --rates is of one run": ["compare --rates 5 a b"],
    "dev kernel: --stock is a kernel that the distribution has built, for x86_64": [
        f"dev kernel 6.1 --stock {words}"
        for words in ("--vanilla", "--debug", "--set a", "--config a", "--distribution", "--arch arm64")
    ],
    f"dev kernel: there is no --stock 2.6 (there are: {' '.join(version.stock())})": [
        "dev kernel 2.6 --stock",
    ],
    "dev kernel: --config is a whole configuration; --with and --debug add to the small one": [
        "dev kernel 6.1 --config . --with rt",
    ],
    "dev kernel: a: no such file": ["dev kernel 6.1 --config a"],
    "dev kernel: --distribution is a whole configuration, for x86_64, with all sets": [
        f"dev kernel 6.1 --distribution {words}"
        for words in ("--config .", "--debug", "--set a", "--arch arm64")
    ],
    "dev kernel: --vanilla is a kernel without patches, and --set names some": [
        "dev kernel 6.1 --vanilla --set a",
    ],
    "dev patches: --mail SET --tree DIR makes the branch of one version": [
        "dev patches --mail a", "dev patches --mail a --tree . 6.1 6.12",
    ],
    "dev patches: --mail prints no JSON": ["dev patches --mail a --tree . --json"],
    "dev patches: --tree and --assisted-by belong to --mail": [
        "dev patches --tree .", "dev patches --assisted-by a",
    ],
    "dev vm: nothing to run in the guest: give a script or a command after --": ["dev vm"],
    "dev vm: no guest of moon: want x86_64 or arm64": ["dev vm --arch moon -- true"],
    "dev vm: --memory 67107840: want at least 64M; M stands for MiB, G for GiB": [
        "dev vm --memory 65535K -- true",
    ],
    "dev vm: --kernel 6.12 is for x86_64; with --arch give a folder": [
        "dev vm --kernel 6.12 --arch arm64 -- true",
    ],
    "help: there is no verb 'recrod'; did you mean 'record'?": ["help recrod"],
    "help: record has no verb 'lisetn'; did you mean 'listen'?": ["help record lisetn"],
    "hist: 'word' is not understood: give -c 'SELECTOR PROBE WORDS', or -- COMMAND": ["hist word"],
    "hist: -c cannot have ';', which ends a command: 'a;b'": ["hist -c a;b"],
    "kernel-cost: want two kernels, a commit or a range of commits": ["kernel-cost"],
    "kernel-cost: --base has no effect on a range of commits": ["kernel-cost a..b --base 6.1"],
    "kernel-cost: --bisect wants a range of commits, A..B": [
        "kernel-cost a --bisect null", "kernel-cost ../a --bisect null", "kernel-cost a b --bisect null",
    ],
    "kernel-cost: want two kernels to compare, or one and --each": [
        "kernel-cost a b c", "kernel-cost a b --each c",
    ],
    "lab kbest: -K 4 is more than -N 3": ["lab kbest cache -N 3 -K 4"],
    "lab method: --all measures everything, as text; leave --fence, --env, --json and --intel out": [
        f"lab method --all {words}" for words in ("--fence lfence", "--env vm", "--json", "--intel")
    ],
    "lab time: -K 4 is more than -N 3": ["lab time -N 3 -K 4 -- true"],
    "lab time: nothing to time: give a command after --": ["lab time"],
    "list: --debug or sites, not both": ["list --debug sites"],
    "list: --verify is about all sites": ["list --verify sites", "list --verify --debug"],
    "macro: kernel has rounds of its own, and runs alone": ["macro --workload kernel --workload pipe"],
    "macro: --vanilla and --kernel are either both folders, or only --kernel is a version": [
        f"macro --env vm {words}" for words in ("--vanilla .", "--kernel .", "--kernel . --vanilla none")
    ],
    "macro: folders of kernels are for one environment; name it with --env": [
        "macro --kernel . --vanilla .",
    ],
    "macro: kernels in folders are built already; --distribution says how to build them": [
        "macro --kernel . --vanilla . --env vm --distribution",
    ],
    f"macro: argument --kernel: 'moon': neither a folder nor a version (there are: "
    f"{' '.join(patchset.versions())})": ["macro --kernel moon"],
    f"dev vm: argument --kernel: 'moon': neither a folder nor a kernel of the distribution (there are: "
    f"{' '.join(version.stock())})": ["dev vm --kernel moon -- true"],
    "macro: --distribution and --cpu are for --env vm": [
        "macro --distribution", "macro --cpu max --env uml",
    ],
    "record: no command after --": ["record -o a --"],
    "record: no place for the trace: give -o DIR, --stream HOST, or --flight": ["record"],
    "record: --stream excludes -o and limits of parts, as kmark record listen has the folder": [
        "record --stream localhost -o a", "record --stream localhost --rotate-size 1M",
    ],
    "record: --max-disk has to be at least twice --rotate-size": [
        "record -o a --rotate-size 2M --max-disk 4095K",
    ],
    "record: --context kstack stores addresses as they are: give --raw-addresses, too": [
        "record -o a --context pid,kstack",
    ],
    "record: argument --context: 'moon': want names of tid pid prio comm cpu irq preempt cgroup kstack "
    "ustack": ["record -o a --context pid,moon"],
    "record: a flight recorder runs on by itself; kmark record snapshot -o DIR writes what it has": [
        f"record --flight {words}"
        for words in ("-o a", "--stream localhost", "--duration 1s", "--max-disk 1M", "--ctf 2", "-- true")
    ],
    "record listen: --max-size of 2097152 is more than the 1048576 bytes of --max-disk": [
        "record listen -o listened --max-size 2M --max-disk 1M",
    ],
    "record listen: argument --port: '65536': want the number of a port, up to 65535": [
        "record listen -o listened --port 65536",
    ],
    "report: --json prints the report alone: leave --html and --svg out": [
        "report a --json --html b", "report a --json --svg b",
    ],
    "report lkml-2006: --json prints the figures of 2006 alone, so name no RESULTS": [
        "report lkml-2006 --json a",
    ],
    "report size: --vanilla and --kernel are either both folders, or only --kernel is a version": [
        "report size --kernel .", "report size --vanilla .",
    ],
    "report size: --kernel is about vmlinux, and --env about the objects of a function": [
        "report size --env native --kernel .",
    ],
    "watch: no command after --": ["watch --"],
}  # fmt: skip


class Refusals(unittest.TestCase):
    def test_each_says_why_and_how_to_go_on(self) -> None:
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.enterContext(contextlib.chdir(folder))
        started = AssertionError("it is carried out")
        for name in ("subprocess.Popen", "socket.create_server"):
            self.enterContext(mock.patch(name, side_effect=started))
        for message, lines in REFUSED.items():
            for words in lines:
                with self.subTest(words):
                    said, usage, *_, rest, end = complaint(*words.split()).split("\n")
                    self.assertEqual(said, f"kmark: {message}")
                    self.assertRegex(usage, "^usage: kmark ")
                    self.assertRegex(rest, "^kmark help .* shows all options$")
                    self.assertEqual(end, "")
        self.assertEqual(os.listdir(), ["listened"])
