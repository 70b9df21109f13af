# SPDX-License-Identifier: GPL-2.0-only
"""The reader of raw data takes what is well-formed and names what is not."""

from __future__ import annotations

import unittest

from kmark import foreign
from kmark.analysis import raw
from kmark.errors import Failure
from synthetic import MEMORY, TOGGLE_COLUMNS, Plan, header, native, native_rows, toggle_row, vm

ROW = "case\t0\tempty\tnone\tdisabled\t0\t100\t1\t200\t0\t0\t0\t0\n"


class Reading(unittest.TestCase):
    def test_documents_one_after_the_other(self) -> None:
        found = raw.parse(native(Plan(rounds=3)) + vm({"nop5": 1}), "here")
        self.assertEqual([one.env for one in found], ["native", "vm"])
        self.assertEqual(len(found[0].samples), len(native_rows(Plan(rounds=3))))
        self.assertEqual(found[0].number("imul_latency"), 3)

    def test_columns_may_come_in_any_order_and_more_may_follow(self) -> None:
        text = "#kmark-raw/1\n#env\tvm\ncase\tticks\tround\tshape\tvariant\tstate\tlayout\tloops\tsites"
        text += (
            "\tadd0\timul0\tadd1\timul1\tnew\ncase\t9\t1\tempty\tnone\tdisabled\t2\t3\t1\t0\t0\t0\t0\tx\n"
        )
        (sample,) = raw.parse(text, "here")[0].samples
        self.assertEqual((sample.ticks, sample.layout, sample.loops), (9, 2, 3))

    def test_runs_joined_keep_their_layouts_apart(self) -> None:
        one = native(Plan(rounds=2))
        joined = raw.parse(raw.join_runs([one, one, one]), "here")
        self.assertEqual(len(joined), 1)
        self.assertEqual(joined[0].number("processes"), 3)
        samples = raw.parse(one, "here")[0].samples
        layouts = raw.parse(one, "here")[0].number("layouts")
        self.assertEqual(len(joined[0].samples), 3 * len(samples))
        for part in range(3):
            for found, sample in zip(joined[0].samples[part * len(samples) :], samples, strict=False):
                self.assertEqual(found.layout, sample.layout + part * layouts)
                self.assertEqual(found.ticks, sample.ticks)

    def test_other_kinds_of_records_are_left_alone(self) -> None:
        text = header("vm") + "size\tname\tbytes\n" + ROW + "size\tflip\t5\n"
        self.assertEqual(len(raw.parse(text, "here")[0].samples), 1)

    def test_toggles_and_memory(self) -> None:
        text = header("vm") + ROW + MEMORY + TOGGLE_COLUMNS
        text += toggle_row("keys", "closed", 5, 3, rounds="-", traps="-", peer="-")
        (found,) = raw.parse(text, "here")
        self.assertEqual(found.memory, {"site.bytes": 40, "marker.runtime.bytes": 48})
        self.assertEqual(
            found.toggles, [raw.Toggle("keys", "closed", 3, 10000, 10000, None, None, None, 5)]
        )

    def test_a_second_program_names_the_same_columns_again(self) -> None:
        text = header("vm") + ROW + TOGGLE_COLUMNS + toggle_row("together", "open", 5)
        (found,) = raw.parse(text + TOGGLE_COLUMNS + toggle_row("keys", "open", 6), "here")
        self.assertEqual([toggle.what for toggle in found.toggles], ["together", "keys"])
        other = TOGGLE_COLUMNS.replace("round\twhat", "what\tround")
        self.refused(text + other, f"here:{text.count(chr(10)) + 1}:", "no state")

    def refused(self, text: str, *parts: str) -> None:
        with self.assertRaises(Failure) as caught:
            raw.parse(text, "here")
        for words in parts:
            self.assertIn(words, str(caught.exception))

    def test_what_is_malformed_is_named_with_its_line(self) -> None:
        lines = header("vm").count("\n")
        self.refused(header("vm") + ROW[:-4] + "\n", f"here:{lines + 1}:", "12 columns instead of 13")
        self.refused(header("vm") + ROW.replace("200", "2oo"), f"here:{lines + 1}:", "2oo")
        self.refused(header("vm") + ROW.replace("100", "0"), f"here:{lines + 1}:", "0 is not from 1")
        self.refused(header("vm") + ROW.replace("200", "-1"), f"here:{lines + 1}:", "-1 is not from 0")
        self.refused(header("vm") + ROW.replace("200", str(1 << 63)), f"here:{lines + 1}:", "is not from 0")
        self.refused(
            header("vm") + ROW.replace("none", "no ne"), f"here:{lines + 1}:", "'no ne' is no name"
        )
        self.refused(header("vm") + ROW.replace("disabled", "ajar"), "neither disabled nor enabled")
        self.refused(header("vm").replace("\tticks", "") + ROW, "no column ticks")

    def test_toggles_that_did_not_work_are_refused(self) -> None:
        text = header("native") + ROW + TOGGLE_COLUMNS
        missed = toggle_row("together", "open", 5, seen="9999")
        self.refused(text + missed, "9999 of 10000 sites were seen, being open")
        self.refused(text + toggle_row("single", "closed", 5, seen="1"), "1 of 10000 sites were seen")
        self.refused(text + toggle_row("together", "ajar", 5), "no state ajar")
        self.refused(text + toggle_row("together", "open", 0), "no amount")
        self.refused(text + toggle_row("together", "open", 5, rounds="two"), "two")
        self.refused(text.replace("\tseen", "") + missed, "no column seen")

    def test_a_text_that_was_cut_is_refused(self) -> None:
        text = header("vm") + ROW
        for end in range(1, len(text)):
            self.refused(text[:-end], "here:")
        self.refused(text + ROW[:-1], f"here: ends in the middle of a line: {text.count(chr(10)) + 1}")

    def test_a_document_that_says_its_length_is_refused_without_any_line(self) -> None:
        one = raw.counted(native(Plan(rounds=1)) + "#caches\tL1\n")
        other = raw.counted(vm({"nop5": 1}))
        lines = one.count("\n")
        self.assertEqual([len(found.samples) > 0 for found in raw.parse(one + other, "here")], [True, True])
        for at in range(2, lines):
            cut = "".join(line + "\n" for number, line in enumerate(one.split("\n")[:-1]) if number != at)
            if "case\tround" in cut:
                for text in (cut, cut + other):
                    self.refused(text, f"here:1: not whole: {lines - 1} lines, and #lines says {lines}")
                self.refused(other + cut, f"here:{other.count(chr(10)) + 1}: not whole")
            else:
                self.refused(cut, "here:")
        self.refused(
            one + "".join(foreign.whole_lines(one)[-2:-1]), f"{lines + 1} lines, and #lines says {lines}"
        )
        self.refused(one.replace("#lines\t", "#lines\tx"), "here:2:")

    def test_lengths_do_not_stay_where_runs_are_joined(self) -> None:
        one = native(Plan(rounds=2))
        self.assertEqual(raw.join_runs([raw.counted(one)] * 3), raw.join_runs([one] * 3))

    def test_a_process_that_is_missing_is_named(self) -> None:
        joined = raw.join_runs([native(Plan(rounds=1))] * 3)
        kept = [line for line in joined.split("\n") if "\tdisabled\t8\t" not in line]
        self.assertEqual(len(raw.parse("\n".join(kept), "here")), 1)
        kept = [line for line in kept if not any(f"\tdisabled\t{at}\t" in line for at in (9, 10, 11))]
        self.refused("\n".join(kept), "samples of 2 processes, and #processes says 3")

    def test_what_is_missing_is_named(self) -> None:
        self.refused("", "empty")
        self.refused("hello\n", "here:1:", "expected #kmark-raw/1")
        self.refused(header("vm"), "no samples for vm")
        self.refused(header("vm").replace("#env", "#was") + ROW, "#env")
        self.refused(header("vm", chain_adds="many") + ROW, "here:", "#chain_adds", "many")
        document = raw.parse(header("vm", boot="many") + ROW, "here")[0]
        with self.assertRaisesRegex(Failure, "boot must be a number, found many"):
            document.number("boot")
