# SPDX-License-Identifier: GPL-2.0-only
"""Macro-benchmarks: from raw lines to what markers add, and the report."""

from __future__ import annotations

import io
import json
import subprocess
import tempfile
import unittest
from contextlib import nullcontext
from pathlib import Path
from unittest import mock

from kmark.analysis import raw
from kmark.commands import macro as verb
from kmark.errors import Failure
from kmark.guest import vm
from kmark.guest.output import Output
from kmark.macro import disk, figures, runner, workloads
from kmark.macro import report as macro_report

COLUMNS = "macro\tworkload\tstate\tround\tops\tticks\tns\tidle_ns\tevents"
BOOTS, ROUNDS, OPS = 2, 4, 10
EVENTS, TRACED_EVENTS = 30, 20


def line(workload: str, state: str, number: int, ticks: int, idle: int = 0, events: int = 0) -> str:
    cells = ["macro", workload, state, number, OPS, ticks, ticks, idle, events]
    return "\t".join(map(str, cells))


def document(kernel: str, boot: int, lines: list[str], env: str = "vm") -> str:
    head = ["#kmark-raw/1", f"#env\t{env}", "#kernel\t6.1.0", COLUMNS]
    return "\n".join([*head, *lines, f"#condition\t{kernel}", f"#boot\t{boot}"]) + "\n"


def text(
    marked: int = 100, enabled: int = 500, null: int = 0, env: str = "vm", workload: str = "pipe"
) -> str:
    """Vanilla takes 100,000 for each run of 10 operations, and a round adds its number."""
    found = []
    for boot in range(BOOTS):
        rounds = range(ROUNDS)
        vanilla = [line(workload, "closed", n, 100000 + n) for n in rounds]
        vanilla += [line(workload, "open", n, 100000 + n + null) for n in rounds]
        vanilla += [
            line(workload, "traced", n, 100000 + n + null + 700, events=TRACED_EVENTS) for n in rounds
        ]
        with_markers = [line(workload, "closed", n, 100000 + n + marked) for n in rounds]
        with_markers += [
            line(workload, "open", n, 100000 + n + null + enabled, events=EVENTS) for n in rounds
        ]
        found += [document("vanilla", boot, vanilla, env), document("marked", boot, with_markers, env)]
    return "".join(found)


def analyse(text_: str) -> list[figures.Figure]:
    return figures.analyse(raw.parse(text_, "test"))


class Arithmetic(unittest.TestCase):
    def test_added_to_an_operation(self) -> None:
        (one,) = analyse(text())
        self.assertEqual((one.unit, one.ops, one.runs), ("instructions", OPS, BOOTS * ROUNDS))
        self.assertAlmostEqual(one.vanilla.median, 10000.15)
        self.assertAlmostEqual(one.marked.added.median, 10)
        self.assertAlmostEqual(one.marked.percent.median, 0.1, places=4)
        self.assertAlmostEqual(one.enabled.added.median, 50)
        self.assertAlmostEqual(one.traced.added.median, 70)
        self.assertAlmostEqual(one.events["enabled"].median, EVENTS / OPS)
        self.assertAlmostEqual(one.events["traced"].median, TRACED_EVENTS / OPS)
        self.assertTrue(one.marked.resolved)

    def test_enabled_is_compared_with_the_other_run_of_vanilla(self) -> None:
        (one,) = analyse(text(null=70))
        self.assertAlmostEqual(one.enabled.added.median, 50)
        self.assertAlmostEqual(one.traced.added.median, 70)
        self.assertAlmostEqual(one.null.median, 7)
        self.assertAlmostEqual(one.null_percent.median, 0.07, places=4)

    def test_not_resolved_below_what_vanilla_differs_by(self) -> None:
        (one,) = analyse(text(marked=60, null=70))
        self.assertFalse(one.marked.resolved)
        self.assertGreater(one.marked.added.lo, 0)

    def test_not_resolved_when_the_interval_holds_nothing(self) -> None:
        (one,) = analyse(text(marked=0))
        self.assertFalse(one.marked.resolved)

    def test_not_resolved_with_fewer_rounds_than_an_interval_takes(self) -> None:
        documents = text().replace("#kmark-raw", "\0#kmark-raw").split("\0")[1:]
        (one,) = analyse("".join(documents[:2]))
        self.assertEqual((one.runs, one.marked.resolved), (ROUNDS, False))
        self.assertEqual(one.target, "undecided")

    def test_idle_time_is_no_instruction(self) -> None:
        cells = ["compile", "2", "2000", "1000", "400", "0"]
        row = dict(zip(("workload", "ops", "ticks", "ns", "idle_ns", "events"), cells, strict=True))
        self.assertEqual(figures.amount("vm", row).amount, 600)
        self.assertEqual(figures.amount("vm", row).idle, 400)
        self.assertEqual(figures.amount("uml", row).amount, 500)

    def test_more_idle_than_time(self) -> None:
        row = {"workload": "pipe", "ops": "1", "ticks": "9", "ns": "10", "idle_ns": "10", "events": "0"}
        self.assertEqual(figures.amount("vm", row).idle, 9)
        for name, value in (
            ("ops", "0"),
            ("ticks", "0"),
            ("ns", "0"),
            ("idle_ns", "-1"),
            ("idle_ns", "11"),
        ):
            impossible = {**row, "idle_ns": "0", name: value}
            with self.assertRaisesRegex(Failure, "more idle than time"):
                figures.amount("vm", impossible)

    def test_a_condition_is_missing(self) -> None:
        only = "".join(document("vanilla", boot, [line("pipe", "closed", 0, 9)]) for boot in range(2))
        with self.assertRaisesRegex(Failure, "pipe: no round that every condition has"):
            analyse(only)

    def test_a_round_twice(self) -> None:
        with self.assertRaisesRegex(Failure, "boot 0 has a round twice"):
            analyse(document("vanilla", 0, [line("pipe", "closed", 0, 9)] * 2))

    def test_unknown_kernel(self) -> None:
        with self.assertRaisesRegex(Failure, "no kernel 'other'"):
            analyse(document("other", 0, [line("pipe", "closed", 0, 9)]))

    def test_the_target_is_for_all_of_the_interval(self) -> None:
        for spread, word in ((0, "met"), (150, "undecided")):
            late = text(marked=90)
            for value in (100092, 100093):
                late = late.replace(str(value), str(value + spread))
            self.assertEqual(analyse(late)[0].target, word)
        self.assertEqual(analyse(text(marked=110))[0].target, "missed")

    def test_the_target_is_undecided_where_vanilla_differs_from_itself_by_more(self) -> None:
        for marked in (90, 110):
            self.assertEqual(analyse(text(marked=marked, null=-120))[0].target, "undecided")
        self.assertEqual(analyse(text(marked=130, null=-120))[0].target, "missed")


class Report(unittest.TestCase):
    def build(self, text_: str) -> macro_report.Report:
        return macro_report.build(raw.parse(text_, "test"), {"cpu": "one"}, "2026-11-20T12:00:00+0000")

    def test_record(self) -> None:
        both = text(marked=110) + text(env="uml")
        found = json.loads(macro_report.dump(self.build(both)))
        self.assertEqual(found["schema"], "kmark-macro/2")
        self.assertEqual([one["target"] for one in found["figures"]], ["missed", None])
        self.assertEqual([row["row"] for row in found["rows"]], ["A15", "A16"])

    def test_words(self) -> None:
        output = macro_report.render(
            self.build(text(marked=90) + text(marked=0, env="uml", workload="ping"))
        )
        self.assertIn("+0.090 % [+0.090, +0.090]\n", output)
        self.assertIn("+0.000 % [+0.000, +0.000], not resolved\n", output)
        self.assertIn("3.00 per operation, enabled", output)
        self.assertIn("2.00 per operation, traced", output)
        self.assertIn("2006: 12601, 12596 packets/s", output)
        self.assertIn("wall clock: 99999, 99999 packets/s", output)
        self.assertIn("  met: pipe\n", output)

    def test_no_such_workload(self) -> None:
        with self.assertRaisesRegex(Failure, "no workload other"):
            self.build(text(workload="other"))

    def test_schema_refuses(self) -> None:
        report = self.build(text())
        report["figures"][0]["unit"] = "seconds"
        with self.assertRaisesRegex(Failure, "unit"):
            macro_report.check(report, "test")


class Plan(unittest.TestCase):
    def plan(self, rounds: int | None, short: bool = False) -> runner.Plan:
        return runner.Plan("6.1", workloads.WORKLOADS, rounds, short)

    def test_boots_share_the_rounds(self) -> None:
        for rounds in (1, 2, 6, 7):
            plan = self.plan(rounds)
            self.assertEqual(sum(plan.share("vm", boot) for boot in range(plan.boots("vm"))), rounds)
        self.assertEqual(self.plan(2).boots("vm"), 2)

    def test_each_file_of_a_kernel_is_a_round(self) -> None:
        kernel = tuple(one for one in workloads.WORKLOADS if one.rounds)
        plan = runner.Plan("6.1", kernel)
        seen: list[int] = []
        for boot in range(plan.boots("uml")):
            _script, _env, first, count, *_rest = plan.words("uml", boot)
            seen += range(int(first), int(first) + int(count))
        self.assertEqual(seen, list(range(disk.FILES_OF_KERNEL)))

    def test_the_verb_offers_them_all(self) -> None:
        self.assertEqual(verb.WORKLOADS, tuple(one.name for one in workloads.WORKLOADS))
        self.assertEqual(set(verb.ENVS), set(runner.RUNNERS))

    def test_short(self) -> None:
        words = self.plan(1, short=True).words("vm", 0)
        self.assertIn("compile=1", words)
        self.assertIn("ping=500", words)

    def test_labelled(self) -> None:
        kept = runner.labelled("marked", 3, "#kmark-raw/1\n#env\tvm\n" + COLUMNS + "\n")
        (found,) = raw.parse(kept + line("pipe", "open", 0, 9) + "\n", "test")
        self.assertEqual((found.environment["condition"], found.number("boot")), ("marked", 3))

    def test_what_is_compiled_is_named(self) -> None:
        for part in disk.PARTS:
            self.assertIn(part.removeprefix("lib/").removesuffix(".c"), disk.PARTS_TEXT)


class Measure(unittest.TestCase):
    def measure(self, status: int = 0) -> tuple[str, list[tuple[str, int]]]:
        """Return the raw lines, and the kernels in the order of their boots."""
        booted = []

        def boot(_: runner.Plan, kernel: Path, number: int, output: Output) -> vm.Outcome:
            booted.append((kernel.name, number))
            output.write(f"macro {kernel.name}\n".encode())
            return vm.Outcome(status, "tcg")

        kernels = {"vanilla": Path("/v"), "marked": Path("/m")}
        plan = runner.Plan("6.1", workloads.WORKLOADS[4:5], rounds=5, own=kernels)
        with (
            mock.patch.dict(runner.RUNNERS, uml=boot),
            mock.patch.object(runner, "make"),
            mock.patch("kmark.lock.measuring", return_value=nullcontext()),
            mock.patch("sys.stderr", io.StringIO()),
        ):
            return runner.measure("uml", plan), booted

    def test_kernels_take_turns_at_being_first(self) -> None:
        lines, booted = self.measure()
        self.assertEqual("".join(f"{name}{number} " for name, number in booted),
                         "v0 m0 v1 m1 m2 v2 m3 v3 v4 m4 ")  # fmt: skip
        wanted = [runner.labelled("vanilla" if name == "v" else "marked", number, f"macro {name}\n")
                  for name, number in booted]  # fmt: skip
        self.assertEqual(lines, "".join(wanted))

    def test_a_guest_that_fails_is_named(self) -> None:
        with self.assertRaisesRegex(Failure, "^uml, vanilla: macro.sh ended with 3:\nmacro v\n$"):
            self.measure(3)


class Disk(unittest.TestCase):
    def first(self, wanted: int) -> list[str]:
        paths = [Path(f"/{number:02}.c") for number in range(40)]
        with mock.patch.object(disk, "compiles", lambda path: int(path.stem) % 2 == 1):
            return [path.stem for path in disk.first_that_compile(paths, wanted)]

    def test_the_first_that_compile(self) -> None:
        self.assertEqual(self.first(3), ["01", "03", "05"])
        self.assertEqual(len(self.first(20)), 20)

    def test_the_source_is_unpacked_once(self) -> None:
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        (folder / "cache").mkdir()
        source = folder / f"linux-source-{disk.VERSION}"
        source.mkdir()
        for name in ("a", "b"):
            (source / name).write_text(name)
        archive = folder / "source.tar"
        subprocess.run(["tar", "-cf", archive, "-C", folder, source.name], check=True)
        places = {"cache": folder / "cache", source.name: archive}
        with mock.patch("kmark.cache.place", places.get):
            for _ in range(2):
                found = disk.unpacked(("a",), "some")
                self.assertEqual([path.name for path in found.iterdir()], ["a"])
                self.assertEqual(found, folder / f"cache/macro/some-{disk.VERSION}")
                archive.write_text("")
            with self.assertRaisesRegex(Failure, f"^{archive}: a c cannot be unpacked$"):
                disk.unpacked(("a", "c"), "some")
        self.assertEqual([path.name for path in (folder / "cache/macro").iterdir()], [found.name])

    def test_libraries_of_a_program(self) -> None:
        printed = "\tlinux-vdso.so.1 (0x1)\n\tlibc.so.6 => /lib/libc.so.6 (0x2)\n\t/lib64/ld.so (0x3)\n"
        with mock.patch("subprocess.check_output", return_value=printed):
            found = disk.libraries(Path("/bin/x"))
        self.assertEqual(found, [Path("/lib/libc.so.6"), Path("/lib64/ld.so")])

    def test_too_few(self) -> None:
        with self.assertRaisesRegex(Failure, "only 20 of 40"):
            self.first(21)


class Workloads(unittest.TestCase):
    def test_long_ones_are_named_by_the_user(self) -> None:
        self.assertNotIn("kernel", verb.USUAL)
        self.assertIn("kernel", verb.WORKLOADS)
        self.assertEqual(set(disk.SCRIPTS), {one for one in verb.WORKLOADS if one in disk.SCRIPTS})
