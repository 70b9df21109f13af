# SPDX-License-Identifier: GPL-2.0-only
"""Files appear whole or not at all; tables and controls of markers.ko."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from kmark import cache
from kmark.errors import Failure
from kmark.guest.output import Output
from kmark.live import control
from kmark.progress import Progress, parse_progress


class InFolder(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)


class Results(InFolder):
    def test_latest_follows(self) -> None:
        for stamp in ("one", "two"):
            cache.write_results({"report.txt": stamp}, self.folder, stamp)
        self.assertEqual((self.folder / "latest/report.txt").read_text(), "two")
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["latest", "one", "two"])
        self.assertEqual((self.folder / "two").stat().st_mode & 0o777, 0o755)

    def test_an_interruption_leaves_nothing(self) -> None:
        cache.write_results({"report.txt": "old"}, self.folder, "old")
        for broken in ("write_text", "symlink_to"):
            with (
                mock.patch.object(Path, broken, side_effect=KeyboardInterrupt),
                self.assertRaises(KeyboardInterrupt),
            ):
                cache.write_results({"report.txt": "new"}, self.folder, f"new-{broken}")
            self.assertEqual((self.folder / "latest/report.txt").read_text(), "old")
        self.assertFalse((self.folder / "new-write_text").exists())
        self.assertFalse(list(self.folder.glob(".new.*")))

    def test_runs_of_one_second_have_a_folder_each(self) -> None:
        for number, name in enumerate(("same", "same-2", "same-3")):
            folder = cache.write_results({"report.txt": str(number)}, self.folder, "same")
            self.assertEqual(folder, self.folder / name)
            self.assertEqual((self.folder / "latest/report.txt").read_text(), str(number))
        self.assertEqual((self.folder / "same/report.txt").read_text(), "0")

    def test_a_disk_that_refuses_is_named(self) -> None:
        with self.assertRaisesRegex(Failure, "/proc/none: "):
            cache.write_results({"report.txt": "new"}, Path("/proc/none"), "same")

    def test_what_was_measured_before_an_error_stays(self) -> None:
        for error in (Failure("no such guest"), SystemExit(130)):
            with (
                mock.patch("sys.stderr") as stderr,
                self.assertRaises(type(error)),
                cache.unfinished(self.folder) as path,
            ):
                path.write_text("samples")
                raise error
            self.assertEqual(path.read_text(), "samples")
            said = "".join(call.args[0] for call in stderr.write.call_args_list)
            self.assertIn(str(path), said)
            path.unlink()
        with cache.unfinished(self.folder) as path:
            path.write_text("samples")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_write_whole(self) -> None:
        path = self.folder / "deep/file"
        cache.write_whole(path, b"old")
        with mock.patch("os.replace", side_effect=KeyboardInterrupt), self.assertRaises(KeyboardInterrupt):
            cache.write_whole(path, b"new")
        self.assertEqual([one.name for one in path.parent.iterdir()], ["file"])
        self.assertEqual(path.read_bytes(), b"old")

    def test_write_whole_keeps_what_is_there(self) -> None:
        path, link, pipe = (self.folder / name for name in ("file", "link", "pipe"))
        path.touch(mode=0o600)
        link.symlink_to("file")
        cache.write_whole(link, b"new")
        self.assertTrue(link.is_symlink())
        self.assertEqual((path.read_bytes(), path.stat().st_mode & 0o777), (b"new", 0o600))
        os.mkfifo(pipe)
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        self.addCleanup(os.close, reader)
        cache.write_whole(pipe, b"piped")
        self.assertEqual(os.read(reader, 9), b"piped")
        self.assertTrue(pipe.is_fifo())
        with self.assertRaisesRegex(IsADirectoryError, str(self.folder)):
            cache.write_whole(self.folder, b"")
        umask = os.umask(0o027)
        self.addCleanup(os.umask, umask)
        cache.write_whole(self.folder / "fresh", b"")
        self.assertEqual((self.folder / "fresh").stat().st_mode & 0o777, 0o640)
        self.assertEqual(os.umask(umask), 0o027)
        with self.assertRaises(FileNotFoundError) as missing:
            cache.write_whole(Path("/proc/none/file"), b"")
        self.assertEqual(missing.exception.filename, "/proc/none/file")

    def test_an_own_folder_is_for_its_user(self) -> None:
        cache.own_folder(self.folder / "new/own")
        self.assertEqual((self.folder / "new/own").stat().st_mode & 0o777, 0o700)
        for mode in (0o720, 0o702):
            (self.folder / "new/own").chmod(mode)
            with self.assertRaisesRegex(
                Failure, "own: other users can write there: give a folder of your own"
            ):
                cache.own_folder(self.folder / "new/own")


class GuestOutput(unittest.TestCase):
    def test_progress_is_taken_out(self) -> None:
        shown = io.StringIO()
        with (
            contextlib.redirect_stderr(shown),
            mock.patch("kmark.progress.QUIET_S", 0),
            Progress("test") as progress,
        ):
            output = Output(progress)
            for part in (b"#kmark", b"-raw/1\n1/", b"2\nca", b"se\t1/2\n", b"2/2\nend"):
                output.write(part)
        self.assertEqual(output.text(), "#kmark-raw/1\ncase\t1/2\nend")
        self.assertEqual(shown.getvalue().splitlines()[1:-1], ["test: 50 %", "test: 100 %"])

    def test_what_is_no_progress(self) -> None:
        self.assertEqual(parse_progress("12/40\n"), (12, 40))
        for line in ("", "1", "1/", "/2", "-1/2", "1/2/3", "\N{SUPERSCRIPT TWO}/3"):
            self.assertIsNone(parse_progress(line), line)

    def test_progress_ends_with_the_time(self) -> None:
        shown = io.StringIO()
        with contextlib.redirect_stderr(shown), mock.patch("time.monotonic", side_effect=(5, 7.25, 5, 6)):
            with Progress("whole"):
                pass
            with contextlib.suppress(KeyError), Progress("part"):
                raise KeyError
        self.assertEqual(
            shown.getvalue().splitlines()[1::2], ["whole: done after 2.2 s", "part: stopped after 1.0 s"]
        )

    def test_a_bar_has_one_line_of_a_terminal_of_any_width(self) -> None:
        for columns, line in (
            (80, "\rsome work: [" + "#" * 15 + "." * 15 + "] 1/2"), (30, "\rsome work: [######......] 1/2"),
            (10, "\rsome work"), (0, "\rsome work: [" + "#" * 15 + "." * 15 + "] 1/2"),
        ):  # fmt: skip
            shown = mock.Mock(wraps=io.StringIO(), isatty=lambda: True, fileno=lambda: 2)
            size = os.terminal_size((columns, 1))
            with mock.patch("sys.stderr", shown), mock.patch("os.get_terminal_size", return_value=size):
                Progress("some work").show(1, 2)
            self.assertEqual(shown.write.call_args_list[0], mock.call(line), columns)

    def test_progress_of_guests_side_by_side(self) -> None:
        shown = io.StringIO()
        with (
            contextlib.redirect_stderr(shown),
            mock.patch("kmark.progress.QUIET_S", 0),
            Progress("test") as progress,
        ):
            for part, line in ((1, b"1/2\n"), (0, b"1/4\n"), (1, b"2/2\n"), (0, b"4/4\n")):
                Output(progress, part, 2).write(line)
        self.assertEqual(
            shown.getvalue().splitlines()[1:-1], ["test: 25 %", "test: 38 %", "test: 62 %", "test: 100 %"]
        )


class Control(InFolder):
    def table(self, name: str, text: str) -> control.Table:
        (self.folder / name).write_text(text)
        return control.read(self.folder, name)

    def test_tables(self) -> None:
        table = self.table("markers", "#marker\tsites\nsubsys_mark1\t12\nx\t\n")
        self.assertEqual(
            table.records(), [{"marker": "subsys_mark1", "sites": "12"}, {"marker": "x", "sites": ""}]
        )
        self.assertEqual(
            table.typed(), [{"marker": "subsys_mark1", "sites": 12}, {"marker": "x", "sites": None}]
        )
        self.assertEqual(table.aligned(), "marker        sites\nsubsys_mark1  12\nx\n")

    def test_a_note_is_no_row(self) -> None:
        with mock.patch("sys.stderr", io.StringIO()) as notes:
            table = self.table("debug_sites", "#site\tstate\nx\tclosed\n#not all are listed\n")
        self.assertEqual(table.records(), [{"site": "x", "state": "closed"}])
        self.assertRegex(notes.getvalue(), "debug_sites: not all are listed")

    def test_what_is_malformed_is_named(self) -> None:
        for text, words in (
            ("", "no header"),
            ("a\tb\n", "no header"),
        ):
            with self.assertRaisesRegex(Failure, words):
                self.table("sites", text)
        (self.folder / "sites").write_text("#a\tb\n1\t2\n3\t4x\n")
        with self.assertRaisesRegex(Failure, "sites:1: no column c"):
            control.read(self.folder, "sites", ("a", "c"))
        with self.assertRaisesRegex(Failure, "sites:3: b: '4x' is no number"):
            control.read(self.folder, "sites", (), ("a", "b"), every=True)
        with self.assertRaisesRegex(Failure, "probes: No such file.*is markers.ko loaded"):
            control.read(self.folder, "probes")

    def test_a_malformed_row_costs_that_row(self) -> None:
        with mock.patch("sys.stderr", io.StringIO()) as said:
            table = self.table("sites", "#a\tb\n1\n1\t2\n3\t4\t\x1b[2J\n")
            (self.folder / "sites").write_text("#a\tb\n1\t\x1b[2J\n3\t4\n")
            numbers = control.read(self.folder, "sites", (), ("b",))
        self.assertEqual((table.rows, numbers.rows), ([["1", "2"]], [["3", "4"]]))
        reasons = ("2: left out: 1 columns instead of 2", "4: left out: 3 columns instead of 2",
                   r"2: left out: b: '\x1b[2J' is no number")  # fmt: skip
        notes = [f"kmark: {self.folder}/sites:{reason}\n" for reason in reasons]
        self.assertEqual(said.getvalue(), "".join(notes))

    def test_cells_are_unescaped_and_shown_without_control_characters(self) -> None:
        lines = "#marker\tformat\none\tx=%d\\n\\011\\033[2J\\\\n\ntwo\tC:\\dir \r\x0b\x0c\x1c\x85\u2028\n"
        (self.folder / "markers").write_bytes(lines.encode())
        table = control.read(self.folder, "markers")
        formats = [row["format"] for row in table.records()]
        self.assertEqual(formats, ["x=%d\n\t\x1b[2J\\n", "C:\\dir \r\x0b\x0c\x1c\x85\u2028"])
        self.assertEqual(table.aligned().split("\n")[1:], [
            r"one     x=%d\n\t\x1b[2J\n", r"two     C:\dir \r\x0b\x0c\x1c\x85\u2028", ""
        ])  # fmt: skip

    def test_commands_are_one_write(self) -> None:
        (self.folder / "control").write_text("")
        before = os.listdir("/proc/self/fd")
        with mock.patch.object(control, "KMSG", Path("/dev/null")):
            control.command(self.folder, "connect subsys_mark1 empty")
        self.assertEqual(os.listdir("/proc/self/fd"), before)
        self.assertEqual((self.folder / "control").read_text(), "connect subsys_mark1 empty\n")

    def test_the_log_is_read_from_where_it_was(self) -> None:
        path = self.folder / "kmsg"
        path.write_text("4,1,1,-;markers: before\n")
        with mock.patch.object(control, "KMSG", path):
            log = control.Log()
            with path.open("a") as file:
                file.write('3,2,2,-;markers: "if a": at its end: want one of ==\n')
            self.assertEqual(log.close(), ['"if a": at its end: want one of =='])
        with mock.patch.object(control, "KMSG", self.folder / "none"):
            self.assertEqual(control.Log().close(), [])

    def test_a_refusal_is_reported(self) -> None:
        (self.folder / "control").symlink_to("/dev/full")
        with self.assertRaisesRegex(Failure, "'connect a b' is refused: No space left on device"):
            control.command(self.folder, "connect a b")
        with self.assertRaisesRegex(Failure, "control: No such file.*is markers.ko loaded"):
            control.command(self.folder / "none", "connect a b")

    def test_a_missing_file_says_what_to_do(self) -> None:
        (self.folder / "ctf").mkdir()
        for path, in_tree, command in (
            ("markers", True, "insmod markers/markers.ko"), ("markers", False, "modprobe markers"),
            ("ctf/sessions", True, "insmod probes/probe_ctf.ko"),
        ):  # fmt: skip
            said = self.assertRaisesRegex(Failure, f"loaded[?] As root: {command}$")
            with mock.patch.object(control, "IN_TREE", in_tree), said:
                control.read_lines(self.folder / path)
        with mock.patch("os.geteuid", return_value=1000):
            denied = control.access_failure(self.folder, PermissionError(errno.EACCES, "Permission denied"))
        self.assertRegex(str(denied), "only root .*: use sudo$")

    def test_verify_reads_the_verdict(self) -> None:
        for text, well in (
            ("ok: 3 sites, 0 mismatches\n", True),
            ("site 1 x\nbad: 3 sites, 1 mismatches\n", False),
        ):
            (self.folder / "verify").write_text(text)
            self.assertEqual(control.verify(self.folder), (well, text.splitlines()))
        for text in ("", "site 1 x\n"):
            (self.folder / "verify").write_text(text)
            with self.assertRaisesRegex(Failure, "no verdict"):
                control.verify(self.folder)
