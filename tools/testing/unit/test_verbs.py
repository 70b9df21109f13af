# SPDX-License-Identifier: GPL-2.0-only
"""Verbs that build, boot or measure, with stand-ins for that: what they ask for, print and return."""

from __future__ import annotations

import contextlib
import io
import json
import tempfile
import time
import unittest
from collections import Counter
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any
from unittest import mock

import test_macro
import test_padding
import test_summary
import test_whole_texts
import timed
from kmark import cache, cli
from kmark.analysis import raw
from kmark.bench import baseline, padding, paths
from kmark.binary import vmlinux
from kmark.commands import macro
from kmark.convert import target
from kmark.guest import vm
from kmark.kernel import mailing, patchset, tree
from kmark.kernel_cost import report as cost
from kmark.report import report, summary
from kmark.timing import kbest

MAIL = """\
.: branch kmark-a; to see the mails, and without -o to send them:
	cd .
	b4 prep --enroll HEAD~2
	EDITOR='cp cover' b4 prep --edit-cover
	b4 prep --set-prefixes RFC
	b4 send --no-sign -o /tmp/mails
"""


class Out(io.StringIO):
    """A standard output with the file that takes bytes."""

    buffer = io.BytesIO()


def said(line: str) -> tuple[int, str, str]:
    """Return the exit status of a command line, and what it prints on stdout and on stderr."""
    with (
        mock.patch("sys.argv", ["kmark", *line.split()]),
        contextlib.redirect_stdout(Out()) as out,
        contextlib.redirect_stderr(io.StringIO()) as err,
    ):
        status = cli.main()
    return status, out.getvalue(), err.getvalue()


class Verbs(unittest.TestCase):
    maxDiff = None

    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.enterContext(contextlib.chdir(self.folder))

    def instead(self, name: str, *results: Any) -> mock.Mock:
        """Have a function return these, one at each call, or always the only one."""
        stand_in = self.enterContext(mock.patch(f"kmark.{name}"))
        if len(results) == 1:
            stand_in.return_value = results[0]
        elif results:
            stand_in.side_effect = results
        return stand_in

    def forms(self, line: str, text: str, made: object, status: int = 0, error: str = "") -> None:
        """Compare what a verb prints, and with --json."""
        self.assertEqual(said(line), (status, text, error), line)
        self.assertEqual(said(f"{line} --json"), (status, json.dumps(made, indent=1) + "\n", error), line)

    def test_bench(self) -> None:
        made = test_summary.full_report()
        bench = self.instead("bench.runner.bench", (Path("results/x"), made))
        self.instead("kernel.tree.build", Path("built"))
        text = "\n".join(summary.lines(made, "results/x/report.txt, report.html")) + "\n"
        self.forms("bench", text, json.loads(report.dump(made)), 0, "kmark: results in results/x\n")
        for words in (
            "--all --rounds 3 --fence lfence", "--env uml --env vm --cpu max -o out", "--env vm --kernel .",
            "--env vm --kernel 6.1", "--env vm --arch arm64",
        ):  # fmt: skip
            said(f"bench {words}")
        place, usual = cache.TOP / "results", ["native", "vm"]
        self.assertEqual([tuple(call.args) for call in bench.call_args_list[1:]], [
            (usual, None, place, "", False, "", None, "x86_64"),
            ([*usual, "uml"], 3, place, "lfence", True, "", None, "x86_64"),
            (["vm", "uml"], None, Path("out"), "", False, "max", None, "x86_64"),
            (["vm"], None, place, "", False, "", Path(), "x86_64"),
            (["vm"], None, place, "", False, "", Path("built"), "x86_64"),
            (["vm"], None, place, "", False, "", None, "arm64"),
        ])  # fmt: skip

    def test_bench_baseline(self) -> None:
        one = baseline.Baseline("gcc", {"empty disabled flip": 1.0, "empty enabled flip": 2.0}, "EPYC")
        other = replace(one, added={"empty disabled flip": 1.0})
        measure = self.instead("bench.baseline.measure", one, one, one, other, other)
        written = said("bench baseline --write --cpu EPYC --file a")
        self.assertEqual(written, (0, "", "kmark: 2 cells written to a\n"))
        for now, status in ((one, 0), (other, 1)):
            text = "\n".join(baseline.lines(one, now, "a")) + "\n"
            self.forms("bench baseline --file a", text, baseline.record(one, now), status)
        self.assertEqual(measure.call_args_list, [mock.call("EPYC")] * 5)
        for crossing, status in ((0.2, 0), (1.2, 1)):
            found = test_padding.found(crossing)
            self.instead("bench.padding.measure", found)
            text = "\n".join(padding.lines(found)) + "\n"
            self.forms("bench baseline --native", text, padding.record(found), status)

    def test_bench_paths(self) -> None:
        figures, costs = {"TRACE_EVENT()": 500, "recorder, clock=tsc": 40}, [paths.Cost("memory", 9, "MB")]
        measure = self.instead("bench.paths.measure", figures)
        measure_costs = self.instead("bench.paths.measure_costs", costs)
        self.instead("bench.paths.measure_lttng", {"LTTng": 300})
        written = said("bench paths --write --file a")
        self.assertEqual(written, (0, "", "kmark: 2 ways and other costs written to a\n"))
        text = "\n".join(paths.lines(figures)) + "\n"
        made = {"instructions": figures, "costs": [], "changes": []}
        self.forms("bench paths --file a", text, made)
        costly = text + "\n".join(paths.cost_lines(costs)) + "\n"
        of_costs = [{"name": "memory", "figure": 9, "unit": "MB", "gated": True}]
        self.forms("bench paths --all --file a", costly, {**made, "costs": of_costs})
        self.assertEqual(said("bench paths --kernel . --file b"), (0, text, ""))
        self.assertEqual([call.args[0] for call in measure.call_args_list], [None] * 5 + [Path()])
        self.assertEqual(measure_costs.call_args_list, [mock.call(None)] * 3)
        with_lttng = "\n".join(paths.lines({**figures, "LTTng": 300})) + "\n"
        self.assertEqual(said("bench paths --lttng --file a"), (0, with_lttng, ""))
        self.instead("bench.paths.measure_costs", [paths.Cost("memory", 12, "MB")])
        status, _, error = said("bench paths --all --file a")
        self.assertEqual((status, error), (1, "memory: 9.0 in a, 12 now\n"))
        self.instead("bench.paths.measure", {**figures, "recorder, clock=tsc": 41})
        both = [{"way": "recorder, clock=tsc", "before": 40, "now": 41},
                {"way": "memory", "before": 9, "now": 12}]  # fmt: skip
        self.assertEqual(json.loads(said("bench paths --all --json --file a")[1])["changes"], both)

    def test_kernel_cost(self) -> None:
        found = test_whole_texts.of_kernel_cost()
        same = replace(found, rows=found.rows[1:2], functions={}, size=None, changed=None)
        rows = [cost.Comparison("one", same), cost.Comparison("two", found)]
        failed = [*rows, cost.Comparison("three", None, "no")]
        session = self.instead("commands.kernel_cost.session").return_value
        for pair, most, status in ((same, "", 0), (found, "", 3), (found, "--max-added 5", 3)):
            session.pair.return_value = pair
            self.forms(f"kernel-cost a b {most}", cost.render(pair), cost.entry(pair), status)
        self.assertEqual(session.pair.call_args, mock.call("a", "b"))
        self.assertEqual(said("kernel-cost a --markdown"), (3, cost.markdown(found), ""))
        self.assertEqual(session.pair.call_args, mock.call("a"))
        junit = cost.junit([cost.Comparison("new", found)], 5)
        self.assertEqual(said("kernel-cost a b --junit --max-added 5"), (3, junit, ""))
        for words, asked, args in (
            ("a..b", session.commits, ("a..b",)), ("a --each b c", session.each, ("a", "b", "c")),
        ):  # fmt: skip
            for made, status in ((rows[:1], 0), (rows, 3), (failed, 1)):
                asked.return_value = made
                text = "".join(cost.table([row]) for row in made)
                self.forms(f"kernel-cost {words}", text, cost.table_entry(made), status)
                markdown, junit = cost.markdown_table(made), cost.junit(made, None)
                self.assertEqual(said(f"kernel-cost --markdown {words}"), (status, markdown, ""))
                self.assertEqual(said(f"kernel-cost --junit {words}"), (status, junit, ""))
            self.assertEqual(asked.call_args.args, args)
        session.bisect.return_value = rows[1]
        self.assertEqual(said("kernel-cost a..b --bisect open"), (3, cost.table(rows[1:]), ""))
        self.assertEqual(session.bisect.call_args, mock.call("a..b", "open"))

    def test_lab_kbest(self) -> None:
        (document,) = raw.parse("#kmark-raw/1\n#env\tnative\n" + timed.KBEST["cache"], "cache")
        run = self.instead("timing.kbest.run", document)
        text = "\n".join(kbest.cache_lines(document)) + "\n"
        self.forms("lab kbest cache -N 5 -K 4 --cmin 7 --rounds 9", text, document.tables)
        words = ("-N", "5", "-K", "4", "--epsilon", "0.001", "--cmin", "7.0", "--rounds", "9")
        self.assertEqual(run.call_args, mock.call("cache", *words))
        points = [kbest.Point(load, 500, 0.02, 0.01, True) for load in kbest.LOADS]
        validate = self.instead("timing.kbest.validate", points)
        filed = self.instead("timing.kbest.file_validation", Path("filed"))
        text, made = "\n".join(kbest.validation_lines(points)) + "\n", [asdict(one) for one in points]
        self.forms("lab kbest validate -o out", text, made, 0, "kmark: results in filed\n")
        said("lab kbest validate --full -N 6")
        calls = [mock.call(kbest.SHORT_US, 20)] * 2 + [mock.call(kbest.FULL_US, 6)]
        self.assertEqual(
            (validate.call_args_list, filed.call_args_list[0].args), (calls, (points, Path("out")))
        )

    def test_lab_time(self) -> None:
        timed = kbest.Timed("CPU time", "interval counting", 1.5, "20 %", 1, 1.25, 0.25, 7, "long", 1.6)
        run = self.instead("timing.kbest.time_command", timed)
        text = "\n".join(kbest.timed_lines(timed)) + "\n"
        self.assertEqual(said("lab time --limit 2s -N 5 -K 2 -- a b"), (7, "", text))
        status, out, error = said("lab time --once --json -- a")
        self.assertEqual((status, out, json.loads(error)["seconds"]), (7, "", 1.5))
        words = ["-N", "5", "-K", "2", "--epsilon", "0.001"]
        once = ["-N", "1", "-K", "1"]
        calls = [mock.call(["a", "b"], words, 2), mock.call(["a"], once, 1)]
        self.assertEqual(run.call_args_list, calls)

    def test_macro(self) -> None:
        self.instead("host.host", {"cpu": "EPYC"})
        versions = self.enterContext(mock.patch("subprocess.check_output", return_value="version\nmore"))
        measure = self.instead("macro.runner.measure", test_macro.text(env="uml"), test_macro.text())
        with mock.patch("time.localtime", return_value=time.gmtime(0)):
            status, out, error = said("macro -o out --rounds 4 --short --workload pipe")
        folder = self.folder / "out/19700101-000000"
        text = (folder / "report.txt").read_text()
        self.assertEqual(
            (status, out, error), (0, text, f"kmark: results in {Path('out') / folder.name}\n")
        )
        raw = test_macro.text(env="uml") + test_macro.text()
        self.assertEqual((folder / "raw.tsv").read_text(), raw)
        self.assertEqual({path.name for path in (self.folder / "out").iterdir()}, {"latest", folder.name})
        asked = [call.args[0] for call in versions.call_args_list]
        self.assertEqual(asked, [["gcc", "--version"], [vm.QEMU, "--version"]])
        emulator = f"version, TCG, icount shift=0, 1 CPU: {vm.COUNTED_CPU}"
        self.assertEqual(json.loads((folder / "report.json").read_text())["environment"], {
            "patches": "build/series/linux-6.1", "compiler": "version", "emulator": emulator,
            "config vm": "allnoconfig and patches/config/small",
            "config uml": "allnoconfig and tools/vm/uml.config, patches/config/uml", "cpu": "EPYC",
        })  # fmt: skip
        (env, plan), (other, _) = (call.args for call in measure.call_args_list)
        self.assertEqual((env, other), macro.ENVS)
        self.assertEqual((plan.version, [one.name for one in plan.workloads]), ("6.1", ["pipe"]))
        self.assertEqual((plan.rounds, plan.short, plan.own), (4, True, None))
        for name in ("a", "b"):
            Path(name).mkdir()
        measure = self.instead("macro.runner.measure", test_macro.text())
        status, out, _ = said("macro -o out --env vm --vanilla a --kernel b --json --cpu max")
        self.assertIn('"patches": "kernels a and b"', out)
        self.assertIn('1 CPU: max"', out)
        self.assertEqual(
            (status, json.loads(out)), (0, json.loads(Path("out/latest/report.json").read_text()))
        )
        own = {"vanilla": Path("a"), "marked": Path("b")}
        self.assertEqual(measure.call_args.args[1].own, own)

    def test_dev_kernel(self) -> None:
        build = self.instead("kernel.tree.build", Path("built"))
        modules = self.instead("guest.uml.build_modules_for", Path("modules"))
        place = self.instead("cache.place", Path("stock"))
        Path("config").touch()
        self.assertEqual(said("dev kernel 6.1 --stock"), (0, "stock\n", ""))
        self.assertEqual(place.call_args, mock.call("stock-6.1"))
        self.assertEqual(said("dev kernel 6.1 --stock --modules"), (0, "modules\n", ""))
        self.assertEqual(modules.call_args, mock.call(Path("stock")))
        small = tree.Recipe("6.1")
        arm64 = replace(small, fragments=tree.fragments("arm64", "small", "debug", "rt"), arch="arm64")
        for words, recipe in (
            ("", small), ("--vanilla", replace(small, patched=False)),
            ("--set a --set b", replace(small, sets=("a", "b"))),
            ("--config config", replace(small, config=Path("config"))),
            ("--arch arm64 --debug --with rt", arm64),
        ):  # fmt: skip
            self.assertEqual(said(f"dev kernel 6.1 {words}"), (0, "built\n", ""))
            self.assertEqual(build.call_args, mock.call(recipe))
        self.assertEqual(said("dev kernel 6.1 --arch arm64 --modules"), (0, "modules\n", ""))
        self.assertEqual(modules.call_args, mock.call(Path("built"), "arm64"))
        with mock.patch.object(tree.Recipe, "distribution", return_value=arm64) as distribution:
            said("dev kernel 6.1 --distribution --vanilla")
        self.assertEqual(
            (distribution.call_args, build.call_args), (mock.call("6.1", False), mock.call(arm64))
        )

    def test_dev_convert(self) -> None:
        convert, write = self.instead("convert.tree.convert"), self.instead("convert.tree.write")
        event = mock.Mock()
        event.name = "x"
        found = mock.Mock(markers=[mock.Mock(code="code")], refused=[(event, "why")])
        select = self.instead("convert.tree.select", found)
        self.instead("convert.tree.as_text", "text")
        as_json = self.instead("convert.tree.as_json", {"a": 1})
        self.forms("dev convert t", "text\n", {"a": 1})
        self.assertEqual(as_json.call_args, mock.call(convert.return_value, Path("t")))
        self.assertEqual(said("dev convert t x y"), (1, "code\nx: refused: why\n", ""))
        self.assertEqual(select.call_args, mock.call(convert.return_value, ["x", "y"]))
        write.assert_not_called()
        self.assertEqual(said("dev convert --module -o o t x"), (1, "text\n", ""))
        self.assertEqual(write.call_args, mock.call(found, Path("o")))
        targets = [call.args[1] for call in convert.call_args_list]
        self.assertEqual(targets, [target.TREE] * 3 + [target.MODULE])
        found.refused = []
        self.assertEqual(said("dev convert t x"), (0, "code\n", ""))

    def test_dev_conversions(self) -> None:
        place = self.instead("cache.place", Path("source"))
        sources = self.instead("kernel.conversions.sources")
        self.instead("kernel.conversions.count", (1234, Counter({"%d": 5000, "%pM": 1})))
        text = (
            "Linux 6.1: 1,234 formats, 5,001 conversions\n"
            "conversion        count  series    markers.ko\n"
            "%d                5,000  number    number\n"
            "%pM                   1  bytes     decoded\n"
        )
        rows = [
            {"name": "%d", "count": 5000, "series": "number", "markers_ko": "number"},
            {"name": "%pM", "count": 1, "series": "bytes", "markers_ko": "decoded"},
        ]
        self.forms("dev conversions 6.1", text, {"formats": 1234, "conversions": rows})
        self.assertEqual(
            (place.call_args, sources.call_args), (mock.call("linux-source-6.1"), mock.call(Path("source")))
        )

    def test_dev_patches(self) -> None:
        paths_ = [self.folder / name for name in ("a/1.patch", "a/2.patch", "b/1.patch")]
        for path in paths_:
            path.parent.mkdir(exist_ok=True)
            path.write_text(path.name)
        write = self.instead("kernel.patchset.write")
        patches = self.instead("kernel.patchset.patches", paths_)
        self.instead("kernel.patchset.sets", [patchset.Set("a", "")])
        self.instead("kernel.patchset.unlisted_files", [])
        with mock.patch.object(
            patchset, "lines", lambda texts: patchset.Lines(1000 * len("".join(texts)), 2, 34)
        ):
            entry = {"patches": 2, "lines": 14036, "code": 14000, "tests": 2, "documentation": 34}
            self.forms(
                "dev patches 6.1",
                "build/series/linux-6.1/a: 2 patches, 14,036 lines: 14,000 of code, 2 of tests and "
                "samples, 34 of documentation\n",
                [{"folder": "build/series/linux-6.1/a", **entry}],
            )
            said("dev patches")
        self.assertEqual(patches.call_args_list[0], mock.call("6.1", ["a"]))
        versions = ["6.1", "6.1", *patchset.versions()]
        self.assertEqual(write.call_args_list, [mock.call(version) for version in versions])
        step = patchset.Step("a", "one", "", "")
        self.instead(
            "kernel.patchset.files", [(step, [patchset.PATCHES / name for name in ("x.c", "y.c")])]
        )
        of_version = {version: ["x.c", "y.c"] for version in ("6.1", "6.12")}
        text = "a/one\n  6.1   x.c y.c\n  6.12  x.c y.c\n"
        self.forms("dev patches --files 6.1 6.12", text, {"a/one": of_version})
        branch = mock.Mock(patches=[1, 2])
        branch.name = "kmark-a"
        make = self.instead("kernel.mailing.write", (branch, Path("cover")))
        status, text, _ = said("dev patches --mail a --tree . --assisted-by b 6.1")
        self.assertEqual((status, text), (0, MAIL))
        self.assertEqual(make.call_args, mock.call(mailing.Order("a", "6.1", Path(), ("b",))))
        said("dev patches --mail a --tree .")
        self.assertEqual(make.call_args, mock.call(mailing.Order("a", patchset.versions()[-1], Path())))
        self.instead("kernel.patchset.unlisted_files", ["x", "y"])
        error = "kmark: patches/steps.toml: not listed, or listed without a file: x y\n"
        self.assertEqual(said("dev patches 6.1"), (1, "", error))

    def test_dev_vm(self) -> None:
        run = self.instead(
            "guest.vm.run", vm.Outcome(0, "kvm"), vm.Outcome(125, "tcg", "a splat", "BUG: x")
        )
        self.instead("guest.vm.choose_accel", ("tcg-single", "no kvm"))
        stock = self.instead("kernel.package.stock")
        self.assertEqual(said("dev vm -- true"), (0, "", "kmark: no kvm\n"))
        line = (
            "dev vm --accel tcg --smp 3 --memory 1G --timeout 5s --append a --cpu b --host-root --log c "
            "--icount --add d --add e:/f/ --add g:/h --kernel 6.12 --modules i j -- k 'l"
        )
        self.assertEqual(said(line), (125, "", "BUG: x\nkmark: dev vm: a splat\n"))
        first = mock.call(vm.Guest("true"), stock.return_value, Out.buffer)
        self.assertEqual(run.call_args_list[0], first)
        self.assertEqual(stock.call_args_list, [mock.call("kernel"), mock.call("stock-6.12")])
        files = tuple((Path(here), inside) for here, inside in (("d", "/d"), ("e", "/f/e"), ("g", "/h")))
        self.assertEqual(run.call_args.args[0], vm.Guest(
            """k ''"'"'l'""", files, ("i", "j"), True, True, cpus=3, memory_mib=1024, accel="tcg",
            timeout_s=5, append="a", log=Path("c"), cpu="b",
        ))  # fmt: skip

    def test_report_of_objects(self) -> None:
        for verb, name, usual in (
            ("size", "size", [mock.call(["native", "kernel"])]),
            ("disassemble", "disassemble", [mock.call("native", []), mock.call("kernel", [])]),
        ):
            load = self.instead(f"binary.{name}.load", ["found"])
            self.instead(f"binary.{name}.lines", ["text", "more"])
            self.instead(f"binary.{name}.record", {"a": 1})
            self.forms(f"report {verb}", "text\nmore\n", {"a": 1})
            self.assertEqual(load.call_args_list, usual * 2)
            said(f"report {verb} --env native")
            self.assertIn("native", load.call_args.args[0])
            self.assertNotIn("kernel", load.call_args.args[0])

    def test_report_size(self) -> None:
        growth = vmlinux.Growth({"text": (100, 150), "data": (10, 10)}, 20, [])
        compare = self.instead("binary.vmlinux.compare", growth)
        build = self.instead("kernel.tree.build", Path("a"), Path("b"), Path("a"), Path("b"))
        conditions = f"Linux 6.1, patches/config/small, gcc {tree.gcc_version()}, x86-64"
        text, made = "\n".join(vmlinux.lines(growth, conditions)) + "\n", vmlinux.record(growth, conditions)
        self.forms("report size --kernel 6.1", text, json.loads(json.dumps(made)))
        self.assertEqual(compare.call_args, mock.call(Path("a/vmlinux"), Path("b/vmlinux")))
        recipes = [mock.call(tree.Recipe("6.1", patched)) for patched in (False, True)]
        self.assertEqual(build.call_args_list, recipes * 2)
        for name in ("old", "new"):
            Path(name).mkdir()
        text = "\n".join(vmlinux.lines(growth, "kernels old and new")) + "\n"
        self.assertEqual(said("report size --vanilla old --kernel new"), (0, text, ""))
        self.assertEqual(compare.call_args, mock.call(Path("old/vmlinux"), Path("new/vmlinux")))
