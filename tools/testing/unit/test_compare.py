# SPDX-License-Identifier: GPL-2.0-only
"""Comparing two reports: verdicts at their limits, and what has none."""

from __future__ import annotations

import tempfile
import unittest
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from kmark.analysis import raw
from kmark.analysis.cases import Estimate
from kmark.errors import Incomparable
from kmark.report import compare, model, report
from synthetic import Plan, changed, native, vm

NATIVE = {"generic": 3.0, "flip": 0.5, "key": 0.5}
GUEST = {"generic": 3, "flip": 1}


def made(
    shifts: Mapping[str, float] = NATIVE, guest: Mapping[str, int] = GUEST, seed: int = 1
) -> model.Report:
    documents = raw.parse(native(Plan(shifts=shifts), seed) + vm(guest), "here")
    return report.build(documents, {"cpu": "one"}, f"2026-01-02T03:04:0{seed}+0000")


def verdicts(found: compare.Comparison) -> dict[str, str]:
    return {case.name: case.verdict for case in found.cases}


def entry(lo: float, hi: float) -> Estimate:
    return Estimate((lo + hi) / 2, lo, hi)


class Verdicts(unittest.TestCase):
    def test_two_runs_of_the_same_do_not_differ(self) -> None:
        found = compare.compare(made(), made(seed=2))
        self.assertEqual({case.verdict for case in found.cases}, {compare.SAME})
        self.assertEqual(len(found.cases), 3 + 2 * 2 * 3)
        self.assertEqual(found.warnings, [])

    def test_planted_changes_are_found_and_nothing_else(self) -> None:
        now = made({"generic": 2.0, "flip": 0.8, "key": 0.5}, seed=2)
        found = compare.compare(made(), now)
        self.assertEqual(
            [case.name for case in found.with_verdict(compare.SLOWER)], ["native empty disabled flip"]
        )
        self.assertEqual(
            [case.name for case in found.with_verdict(compare.FASTER)], ["native empty disabled generic"]
        )
        (slower,) = found.with_verdict(compare.SLOWER)
        assert slower.difference and slower.margin
        self.assertAlmostEqual(slower.difference, 0.3, delta=0.01)
        self.assertAlmostEqual(slower.margin, 0.105, delta=0.001)  # 1 % of 10.5 cycles

    def test_a_wider_margin_lets_them_pass(self) -> None:
        now = made({"generic": 2.0, "flip": 0.8, "key": 0.5}, seed=2)
        found = compare.compare(made(), now, margin_pct=10, most=2)
        self.assertEqual(found.with_verdict(compare.SLOWER) + found.with_verdict(compare.FASTER), [])

    def test_whole_intervals_are_compared_beyond_the_margin(self) -> None:
        for b, verdict in (
            (entry(3.01, 5.0), compare.SLOWER),
            (entry(3.0, 5.0), compare.SAME),
            (entry(-0.5, -0.01), compare.FASTER),
            (entry(-0.5, 0.0), compare.SAME),
        ):
            self.assertEqual(compare.judge(entry(1.0, 2.0), b, 1.0), verdict)

    def test_the_margin_is_never_less_than_what_either_run_resolves(self) -> None:
        for coarse in (0, 1):
            both = made(), made({**NATIVE, "flip": 0.8}, seed=2)
            null = both[coarse].null
            place = next(number for number, one in enumerate(null) if one.env == "native")
            null[place] = replace(null[place], resolution=0.7)
            found = {case.name: case for case in compare.compare(*both).cases}["native empty disabled flip"]
            self.assertEqual((found.margin, found.verdict), (0.7, compare.SAME))

    def test_instructions_are_compared_exactly_whatever_the_margin(self) -> None:
        found = compare.compare(made(), made(guest={"generic": 3, "flip": 2}), margin_pct=50)
        slower = found.with_verdict(compare.SLOWER)
        self.assertEqual({case.variant for case in slower}, {"flip"})
        self.assertEqual(len(slower), 6)
        self.assertEqual({case.margin for case in slower}, {compare.EXACT})


class Doubts(unittest.TestCase):
    def reason(self, a: model.Report, b: model.Report, variant: str) -> str:
        return {case.name: case for case in compare.compare(a, b).cases}[
            f"native empty disabled {variant}"
        ].reason

    def test_what_is_missing_in_one_has_no_verdict(self) -> None:
        a, b = made({"generic": 3.0, "flip": 0.5}), made({"generic": 3.0, "pun": 0.5})
        self.assertEqual(self.reason(a, b, "flip"), "only in A")
        self.assertEqual(self.reason(a, b, "pun"), "only in B")

    def test_nor_have_other_units_and_other_sites(self) -> None:
        a = made()
        for key, value, reason in (
            ("unit", "instructions", "A in cycles, B in instructions"),
            ("sites", 8, "A has 1 sites per loop, B 8"),
        ):
            b = changed(a, lambda case: case.variant == "flip", **{key: value})
            self.assertEqual(self.reason(a, b, "flip"), reason)

    def test_noise_is_marked_and_judged_by_its_intervals(self) -> None:
        a, b = made(), made({"generic": 3.0, "flip": 5.5, "key": 0.5}, seed=2)
        a, b = (changed(one, lambda case: case.variant == "flip", status="noisy") for one in (a, b))
        found = {case.name: case for case in compare.compare(a, b).cases}
        case = found["native empty disabled flip"]
        self.assertEqual((case.verdict, case.noisy, case.words), (compare.SLOWER, ("A", "B"), "slower~"))
        self.assertEqual(found["native empty disabled generic"].noisy, ())

    def test_nothing_to_compare_is_status_3(self) -> None:
        a, b = made({"flip": 1.0}, {"flip": 1}), made({"pun": 1.0}, {"pun": 1})
        with self.assertRaisesRegex(Incomparable, "no case can be compared") as caught:
            compare.compare(a, b)
        self.assertEqual(caught.exception.status, 3)

    def test_other_machines_and_compilers_are_named(self) -> None:
        a, b = made(), made()
        host = ("cpu", "microcode", "mitigations")
        run = ("cpu", "kernel", "fence", "compiler", "memcpy", "layouts", "addresses")
        b.environment.host.update(dict.fromkeys((*host, "distribution"), "other"))
        b.environment.runs[1].update(dict.fromkeys((*run, "created"), "other"))
        found = compare.compare(a, b).warnings
        self.assertEqual(
            [line.partition(": A has ")[0] for line in found],
            [*(f"vm: {name}" for name in run), *(f"host: {name}" for name in host)],
        )
        self.assertEqual(found[3], "vm: compiler: A has gcc 12.2.0, B has other")
        self.assertEqual(found[-1], "host: mitigations: A has none, B has other")
        guest = compare.compare(a.of_env("vm"), b.of_env("vm")).warnings
        self.assertEqual(guest, [line for line in found if line.startswith("vm")])


class Architectures(unittest.TestCase):
    """Only cases of the guest differ in architecture; cases in cycles have their verdicts."""

    def setUp(self) -> None:
        self.a, self.b = made(), made(guest={"generic": 9, "flip": 1, "nop5": 1})
        self.b.environment.runs[1]["arch"] = "aarch64"
        self.found = compare.compare(self.a, self.b)
        self.guest = {case.name: case for case in self.found.cases if case.env == "vm"}

    def test_cases_of_two_have_figures_and_no_verdict(self) -> None:
        case = self.guest["vm empty disabled generic"]
        self.assertEqual((case.verdict, case.reason), (compare.UNKNOWN, compare.OTHER_ARCH))
        self.assertEqual((case.difference, case.margin), (6, None))
        self.assertEqual({case.verdict for case in self.guest.values()}, {compare.UNKNOWN})
        self.assertEqual(self.guest["vm empty disabled nop5"].reason, "only in B")
        native = {case.verdict for case in self.found.cases if case.env == "native"}
        self.assertEqual(native, {compare.SAME})

    def test_they_are_named_first_and_stand_side_by_side(self) -> None:
        self.assertRegex(self.found.warnings[0], "^vm: A is of x86_64, B of aarch64: an instruction")
        output = compare.render(self.found, self.a, self.b).splitlines()
        self.assertLessEqual(max(len(line) for line in output), 72)
        first = next(n for n, line in enumerate(output) if line.endswith(compare.OTHER_ARCH))
        self.assertRegex(output[first], r"^\S+ +A +\+\S+ ")
        self.assertRegex(output[first + 1], r"^ +B +\+\S+ .* -$")

    def test_those_of_one_are_judged(self) -> None:
        self.a.environment.runs[1]["arch"] = "aarch64"
        found = compare.compare(self.a, self.b)
        self.assertIn(
            "vm empty disabled generic", [case.name for case in found.with_verdict(compare.SLOWER)]
        )
        self.assertEqual([warning for warning in found.warnings if " is of " in warning], [])


class Output(unittest.TestCase):
    def setUp(self) -> None:
        self.a, self.b = made(), made({"generic": 9999.0, "a-very-long-name": 0.8, "key": 0.5}, seed=2)
        self.b.environment.host["cpu"] = "long " * 30
        self.found = compare.compare(self.a, self.b)

    def test_text_fits_a_mail_and_has_the_evidence(self) -> None:
        output = compare.render(self.found, self.a, self.b).splitlines()
        self.assertLessEqual(max(len(line) for line in output), 72)
        self.assertTrue(all(line == line.rstrip() for line in output))
        (first,) = [n for n, line in enumerate(output) if line.startswith("generic") and "slower" in line]
        self.assertRegex(output[first], r"^generic +A +\+[23]\.\d+ +\[\+\S+, \+\S+\]  slower, p \S+$")
        self.assertRegex(
            output[first + 1], r"^ +B +\+9999\.\d\d? +\[\+\S+, \+\S+\] +\+9996\.\d+ +0\.13\d\d$"
        )
        self.assertIn("    1 slower: native empty disabled generic", output)
        self.assertTrue(any(line.startswith("warning       host: cpu: A has one") for line in output))

    def test_a_folder_stands_for_its_report(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "report.json"
            path.write_text(report.dump(self.a))
            self.assertEqual([report.load(path), report.load(Path(folder))], [self.a, self.a])
