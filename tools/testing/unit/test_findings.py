# SPDX-License-Identifier: GPL-2.0-only
"""Results of probes, events of trace_pipe, and the manual page."""

from __future__ import annotations

import errno
import io
import json
import os
import signal
import tempfile
import time
import unittest
from collections.abc import Callable
from pathlib import Path
from unittest import mock

from kmark import cli
from kmark.commands import dev_manual as manual
from kmark.commands import watch
from kmark.errors import Failure
from kmark.live import control, findings, trace_pipe
from kmark.live.ending import Ending

HEADER = "#id\tselector\tprobe\twhat\tkey\tvalue\n"
RESULTS = f"""\
{HEADER}\
3\tio_done\thist arg=1 if arg0>2\tsites\t-\t1
3\tio_done\thist arg=1 if arg0>2\tevents\t-\t12
3\tio_done\thist arg=1 if arg0>2\tbucket\t-3..-2\t2
3\tio_done\thist arg=1 if arg0>2\tbucket\t128..255\t10
4\tio_done\tlatency from=io_start key=0\tevents\t-\t4
4\tio_done\tlatency from=io_start key=0\tsum_ns\t-\t600
4\tio_done\tlatency from=io_start key=0\tbucket\t128..255\t4
5\tio_done\tcount\tevents\t-\t7
"""


NAMES = ["disk/open", "net/open", "net/opened", "open", "debug_net/open_1"]


class Names(unittest.TestCase):
    """As the cases of check_systems() in tools/testing/native/boundaries/tables.c."""

    def test_a_glob_without_a_system_is_compared_with_the_names(self) -> None:
        self.assertEqual(control.matching(NAMES, "open"), ["disk/open", "net/open", "open"])
        self.assertEqual(control.matching(NAMES, "*d"), ["net/opened"])
        self.assertEqual(control.matching(NAMES, "net*"), [])

    def test_a_glob_with_a_system_is_compared_with_all(self) -> None:
        self.assertEqual(control.matching(NAMES, "net/*"), ["net/open", "net/opened"])
        self.assertEqual(control.matching(NAMES, "*/open"), ["disk/open", "net/open"])

    def test_all(self) -> None:
        self.assertEqual(control.matching(NAMES, "*"), NAMES)

    def test_debug_sites_by_their_prefix(self) -> None:
        self.assertEqual(control.matching(NAMES, "debug_*"), ["debug_net/open_1"])
        self.assertEqual(control.matching(NAMES, "open_1"), [])

    def test_the_name_that_was_meant_has_a_system_if_the_word_has_one(self) -> None:
        self.assertEqual(control.nearest_marker("opne", ["net/open"]), "; did you mean 'open'?")
        self.assertEqual(control.nearest_marker("net/opne", ["net/open"]), "; did you mean 'net/open'?")


class Results(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        (self.root / "results").write_text(RESULTS)
        (self.root / "control").touch()

    def test_by_connection(self) -> None:
        found = findings.read(self.root)
        self.assertEqual([entry.number for entry in found], [3, 4, 5])
        self.assertEqual(found[2].one("events"), 7)
        self.assertEqual(found[2].one("sum_ns"), 0)

    def test_histogram(self) -> None:
        hist, latency, count = map(findings.histogram, findings.read(self.root))
        self.assertIn("    -3..-2   2  ########\n", hist)
        self.assertIn("  128..255  10  " + "#" * 40 + "\n", hist)
        self.assertIn("  mean_ns 150\n", latency)
        self.assertEqual(count, "")

    def test_without_an_event_there_is_no_mean(self) -> None:
        rows = ("#id\tselector\tprobe\twhat\tkey\tvalue", "6\tio_done\tlatency\tevents\t-\t0",
                "6\tio_done\tlatency\tsum_ns\t-\t0", "6\tio_done\tlatency\tbucket\t0\t1")  # fmt: skip
        (self.root / "results").write_text("\n".join(rows) + "\n")
        (latency,) = findings.read(self.root)
        self.assertNotIn("mean", findings.histogram(latency))

    def test_only_the_own_connections_leave(self) -> None:
        with findings.connected(self.root, ["io_done count label=x"]) as numbers:
            self.assertEqual(numbers, set())
        self.assertEqual((self.root / "control").read_text(), "connect io_done count label=x\n")


class Kernel:
    """The files `control` and `results` of a kernel that carries out connect and disconnect. `before` is
    called with each line before that."""

    def __init__(self, case: unittest.TestCase) -> None:
        folder = tempfile.TemporaryDirectory()
        case.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.rows: dict[int, str] = {}
        self.last = 0
        self.before: Callable[[str], None] = lambda _: None
        patched = mock.patch.object(control, "write", self.write)
        patched.start()
        case.addCleanup(patched.stop)
        self.show()

    def show(self) -> None:
        lines = [f"{number}\t{row}\tsites\t-\t1\n" for number, row in self.rows.items()]
        (self.root / "results").write_text(HEADER + "".join(lines))

    def write(self, _path: Path, line: str, _reasons: object = None) -> None:
        self.before(line)
        made = dict(self.rows)
        for one in line.split("; "):
            verb, selector, *words = one.split()
            if verb == "connect":
                self.last += 1
                first = sorted(words[1:], key=lambda word: not word.startswith("first="))
                made[self.last] = f"{selector}\t{' '.join([words[0], *first])}"
            elif made.pop(int(selector.removeprefix("id:")), None) is None:
                raise control.Refused(f"{line!r} is refused: nothing is connected so", errno.ENOENT)
        self.rows = made
        self.show()


class Connected(unittest.TestCase):
    """Connections that end with the verb."""

    def setUp(self) -> None:
        self.kernel = Kernel(self)
        self.root = self.kernel.root

    def test_they_are_gone_at_the_end(self) -> None:
        with findings.connected(self.root, ["a  hist arg=1 first=3", "b count"]) as numbers:
            self.assertEqual(numbers, {1, 2})
        self.assertEqual(self.kernel.rows, {})

    def test_one_that_another_program_has_disconnected_does_not_keep_the_others(self) -> None:
        with findings.connected(self.root, ["a count", "b count"]):
            self.kernel.write(self.root, "disconnect id:1")
        self.assertEqual(self.kernel.rows, {})

    def test_nor_does_one_that_goes_in_the_moment_of_the_end(self) -> None:
        def other(line: str) -> None:
            if line == "disconnect id:1; disconnect id:2":
                del self.kernel.rows[1]
                self.kernel.show()

        with findings.connected(self.root, ["a count", "b count"]):
            self.kernel.before = other
        self.assertEqual((self.kernel.rows, self.kernel.last), ({}, 2))

    def test_a_refusal_for_another_reason_is_an_error(self) -> None:
        def refuse(_line: str) -> None:
            raise control.Refused("busy", errno.EBUSY)

        with (
            self.assertRaisesRegex(control.Refused, "busy"),
            findings.connected(self.root, ["a count", "b count"]),
        ):
            self.kernel.before = refuse

    def test_a_connection_that_another_kmark_makes_at_the_same_time_stays(self) -> None:
        def other(line: str) -> None:
            self.kernel.before = lambda _: None
            self.kernel.write(self.root, line.replace("arg=1", "arg=2"))

        self.kernel.before = other
        with findings.connected(self.root, ["a hist arg=1"]) as numbers:
            self.assertEqual(numbers, {2})
        self.assertEqual(list(self.kernel.rows.values()), ["a\thist arg=2"])

    def test_a_signal_while_it_connects_leaves_nothing_connected(self) -> None:
        write = self.kernel.write

        def interrupted(path: Path, line: str, reasons: object = None) -> None:
            write(path, line, reasons)
            if line.startswith("connect"):
                raise SystemExit(130)

        with (
            mock.patch.object(control, "write", interrupted),
            self.assertRaises(SystemExit),
            findings.connected(self.root, ["a count"]),
        ):
            self.fail("the context was entered")
        self.assertEqual(self.kernel.rows, {})

    def test_results_that_cannot_be_read_after_connecting_leave_nothing_connected(self) -> None:
        read, calls = findings.read, []

        def failing(root: Path) -> list[findings.Finding]:
            calls.append(root)
            if len(calls) == 2:
                raise OSError(errno.ENOMEM, "no memory")
            return read(root)

        with (
            mock.patch.object(findings, "read", failing),
            self.assertRaisesRegex(OSError, "no memory"),
            findings.connected(self.root, ["a count"]),
        ):
            self.fail("the context was entered")
        self.assertEqual(self.kernel.rows, {})


class Refusals(unittest.TestCase):
    """Connections of which the kernel refuses some."""

    def connect(self, refused: set[str], lines: list[str]) -> tuple[list[str], str]:
        """The commands that were carried out, and what was said."""
        done: list[str] = []

        def command(_root: Path, line: str) -> None:
            if refused & set(line.split()):
                raise control.Refused(f"{line!r} is refused: its text is gone", errno.ENOENT)
            done.append(line)

        with (
            mock.patch.object(control, "command", command),
            mock.patch("sys.stderr", io.StringIO()) as said,
        ):
            findings.connect_possible(Path("/nowhere"), lines)
        return done, said.getvalue()

    def test_what_can_be_connected_is_one_transaction(self) -> None:
        self.assertEqual(
            self.connect(set(), ["a count", "b count"])[0], ["connect a count; connect b count"]
        )

    def test_one_that_is_refused_costs_that_one(self) -> None:
        done, said = self.connect({"b"}, ["a count", "b count", "c count"])
        self.assertEqual(done, ["connect a count", "connect c count"])
        self.assertEqual(said, "kmark: left out: 'connect b count' is refused: its text is gone\n")

    def test_if_all_are_refused_it_fails(self) -> None:
        for lines in (["a count"], ["a count", "b count"]):
            with self.assertRaisesRegex(control.Refused, "connect a count' is refused"):
                self.connect({"a", "b"}, lines)


class Pipe(unittest.TestCase):
    def test_event(self) -> None:
        line = "  my-sh-87      [001] .N...     4.593867: marker: net_rx drivers/net/a.c:80 1 two 0x3"
        expected = trace_pipe.Event(4.593867, 1, "my-sh", 87, "net_rx", "drivers/net/a.c", 80, "1 two 0x3")
        self.assertEqual(trace_pipe.parse(line), expected)

    def test_a_text_is_not_taken_for_an_event(self) -> None:
        line = (
            "  sh-87  [001] .N... 4.5: marker: real a.c:80 x-1 [000] ..... 9.9: marker: forged b.c:1 text\r"
        )
        event = trace_pipe.parse(line)
        assert event
        self.assertEqual((event.marker, event.pid), ("real", 87))
        self.assertEqual(event.text, "x-1 [000] ..... 9.9: marker: forged b.c:1 text\r")

    def test_events_are_printed_without_control_characters(self) -> None:
        line = "  s\x1bh-87  [001] .N... 4.5: marker: real a.c:80 a\r\x9b2J\u202eb\x7f \\n"
        with mock.patch("sys.stdout", io.StringIO()) as shown:
            watch.show([line], False, None)
            watch.show([line], True, None)
        text, made = shown.getvalue().split("\n")[:2]
        self.assertTrue(text.endswith(r"s\x1bh-87 real a.c:80 a\r\x9b2J\u202eb\x7f \n"), text)
        self.assertEqual(json.loads(made)["text"], "a\r\x9b2J\u202eb\x7f \\n")

    def test_a_note_is_printed_without_control_characters(self) -> None:
        with mock.patch("sys.stderr", io.StringIO()) as said:
            watch.show(["CPU:0 [LOST \x1b]0;x\x07]"], False, None)
        self.assertEqual(said.getvalue(), "kmark: CPU:0 [LOST \\x1b]0;x\\x07]\n")

    def test_a_character_that_comes_in_parts_is_whole(self) -> None:
        reader, writer = os.pipe()
        rest = bytearray()
        for part in ("é".encode()[:1], "é".encode()[1:] + b"\n"):
            os.write(writer, part)
            found = trace_pipe.lines(reader, rest, 1)
        self.assertEqual(found, ["é"])
        os.close(reader)
        os.close(writer)

    def test_lost_events_are_none(self) -> None:
        self.assertIsNone(trace_pipe.parse("CPU:0 [LOST 12 EVENTS]"))

    def test_a_missing_module_is_named(self) -> None:
        for root, module in ((Path("/nonexistent"), "markers/markers"), (Path("/"), "probes/probe_trace")):
            said = self.assertRaisesRegex(
                Failure, f"^/x/events/markers/marker: no such event; is .*{module}.ko$"
            )
            with mock.patch.object(control, "ROOT", root), said, trace_pipe.opened(Path("/x")):
                self.fail("there is no such folder")

    def test_lines_in_parts(self) -> None:
        reader, writer = os.pipe()
        rest = bytearray()
        os.write(writer, b"one\ntw")
        self.assertEqual(trace_pipe.lines(reader, rest, 1), ["one"])
        os.write(writer, b"o\n")
        self.assertEqual(trace_pipe.lines(reader, rest, 1), ["two"])
        self.assertEqual(trace_pipe.lines(reader, rest, 0), [])
        os.close(reader)
        os.close(writer)


class Watching(unittest.TestCase):
    """Events that come faster than they are printed."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tracefs = Path(folder.name)
        self.enabled = trace_pipe.instance(self.tracefs) / trace_pipe.EVENT / "enable"
        self.enabled.parent.mkdir(parents=True)
        trace_pipe.enable(self.tracefs, 1)
        self.left = 3  # batches in the buffer when the event is disabled

    def lines(self, _descriptor: int, _rest: bytearray, _timeout_s: float) -> list[str]:
        self.left -= self.enabled.read_text() == "0"
        return ["CPU:0 [LOST 1 EVENTS]"] if self.left >= 0 else []

    def test_the_end_comes_when_the_buffer_is_empty(self) -> None:
        with mock.patch.object(trace_pipe, "lines", self.lines):
            found = list(watch.batches(0, self.tracefs, Ending([], 0.0)))
        self.assertEqual(len(found), 3)

    def test_a_second_signal_leaves_the_rest(self) -> None:
        ending = Ending([], 0.0)
        with mock.patch.object(trace_pipe, "lines", self.lines):
            for _ in watch.batches(0, self.tracefs, ending):
                ending.asked = True
        self.assertEqual(self.left, 2)


class End(unittest.TestCase):
    def test_nohup_holds_and_other_signals_end(self) -> None:
        for number, nohup, asked in (
            (signal.SIGHUP, True, False), (signal.SIGHUP, False, True),
            (signal.SIGINT, True, True), (signal.SIGTERM, True, True),
        ):  # fmt: skip
            with self.subTest(number=number, nohup=nohup):
                signal.signal(number, signal.SIG_IGN if nohup else signal.SIG_DFL)
                self.addCleanup(signal.signal, number, signal.SIG_DFL)
                ending = Ending([])
                signal.raise_signal(number)
                self.assertEqual(ending.goes_on(), not asked)

    def test_with_the_command(self) -> None:
        ending = Ending(["/bin/sh", "-c", "exit 3"])
        self.assertFalse(ending.wait(30))
        self.assertEqual(ending.status(), 3)

    def test_with_its_signal(self) -> None:
        ending = Ending(["/bin/sh", "-c", "kill -TERM $$"])
        self.assertFalse(ending.wait(30))
        self.assertEqual(ending.status(), 128 + 15)

    def test_before_the_command(self) -> None:
        ending = Ending(["/bin/sleep", "30"], 0.01)
        assert ending.command
        self.addCleanup(ending.command.wait)
        self.addCleanup(ending.command.kill)
        self.assertFalse(ending.wait(30))
        with mock.patch("sys.stderr", io.StringIO()) as said:
            self.assertEqual(ending.status(), 0)
        self.assertEqual(
            said.getvalue(), f"kmark: /bin/sleep still runs, as process {ending.command.pid}\n"
        )

    def test_waiting_takes_no_cpu(self) -> None:
        before = time.process_time()
        Ending([], 0.2).wait()
        self.assertLess(time.process_time() - before, 0.1)

    def test_after_its_time(self) -> None:
        ending = Ending([], 0.01)
        self.assertFalse(ending.wait(30))
        self.assertEqual(ending.status(), 0)


class Manual(unittest.TestCase):
    def test_verbs_and_options(self) -> None:
        page = manual.page(cli.GROUPS)
        self.assertIn("\n.TP\n\\fBkmark\\-kernel\\-cost\\fR(1)\n", page)
        page = manual.page_of("record", cli.GROUPS["recordings"]["record"])
        self.assertIn('\n.SS "kmark record snapshot"\n', page)
        shown = "begin another trace after that time, such as 60s"
        self.assertIn(f"\n\\fB\\-\\-rotate\\-time TIME\\fR\n{shown}\n", page)
        self.assertIn("\nkmark record snapshot \\-o /tmp/trace\n", page)

    def test_text_is_no_request(self) -> None:
        self.assertEqual(manual.roff(".PP \\x"), "\\&.PP \\ex")
