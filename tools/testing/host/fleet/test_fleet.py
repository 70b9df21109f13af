# SPDX-License-Identifier: GPL-2.0-only
"""The verify, the store, the questions and the exports of kmark fleet."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import tempfile
import unittest
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import made_up
from kcidb_io.schema import V5_3
from kmark import cache
from kmark.errors import Failure, Usage
from kmark.fleet import export, inventories, query, results, store, verify
from kmark.report import report
from prometheus_client.openmetrics.parser import text_string_to_metric_families

STORED = cache.TOP / "Documentation/results/one.json.xz"
HOSTS = 8  # two reports each
NOW = datetime(2026, 12, 1, tzinfo=UTC)
DAMAGED = 1000
PIECES = (
    b"", b":", b"\t", b"\0", b"- ", b"{", b"[" * 2000, b"&a ", b"*a", b"!!python/name:os.system ",
    b"'", b"\xff", b"? ", b"|", b"%", b"@", b"---\n", b"...\n", b"null", b"1", b"\xef\xbb\xbf",
    b"\xc2\x85", b"<<: *a", b"\n",
)  # fmt: skip
# As Documentation/fleet.md has it.
CLICKHOUSE = """SELECT variant, count() AS rows, round(median(cost), 3) AS cost
FROM file('{store}/add-*/kernel=*/cpu=*/sites.parquet', Parquet)
WHERE state = 'enabled' AND variant IN ('mark', 'key')
GROUP BY variant ORDER BY variant"""


class Fleet(unittest.TestCase):
    """Made-up results in a folder of each test's own."""

    top: Path
    shared: tempfile.TemporaryDirectory[str]

    @classmethod
    def setUpClass(cls) -> None:
        cls.shared = tempfile.TemporaryDirectory()
        cls.top = Path(cls.shared.name, "results")
        made_up.write(report.load(STORED), cls.top, 2 * HOSTS)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.shared.cleanup()

    def setUp(self) -> None:
        self.work = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.work)
        self.folder = self.work / "one"
        shutil.copytree(self.top / "host0000/20261130", self.folder)
        self.store = self.work / "store"

    def change(self, name: str, make: Callable[[str], str]) -> None:
        path = self.folder / name
        text = make(path.read_text())
        self.assertNotEqual(text, path.read_text())
        path.write_text(text)

    def change_report(self, make: Callable[[Any], Any]) -> None:
        found = json.loads((self.folder / "report.json").read_text())
        make(found)
        self.change("report.json", lambda _: json.dumps(found, indent=1) + "\n")

    def refused(self) -> str:
        """Why the changed folder is refused; another is not."""
        other = results.find(self.top / "host0001", results.REPORT)
        found = list(verify.judge_all([*results.find(self.folder, results.REPORT), *other], 1))
        self.assertEqual([type(one) for one in found[1:]], [verify.Accepted] * 2)
        assert isinstance(found[0], verify.Refused)
        return found[0].reason

    def filled(self) -> Path:
        found = verify.without_twins(verify.judge_all(results.find(self.top, results.REPORT), 2), {})
        accepted = [one for one in found if isinstance(one, verify.Accepted)]
        with store.locked(self.store):
            store.add(self.store, accepted)
        return self.store

    def ask(self, asked: str) -> list[tuple[Any, ...]]:
        return query.ask(self.store, asked, NOW).rows


class Verify(Fleet):
    def test_good(self) -> None:
        found = verify.accept(results.find(self.folder, results.REPORT)[0])
        self.assertEqual(len(found.digest), 64)

    def test_tampered(self) -> None:
        """Return the numbers of a case by their names, and the line of each."""
        number = 7
        line = 0
        for key in ("added", "per_loop", "resolution", "samples", "places"):
            with self.subTest(key):

                def less(found: Any, key: str = key) -> None:
                    case = found["cases"][number]
                    if key in ("added", "per_loop"):
                        case[key] = {name: value * 0.999 for name, value in case[key].items()}
                    elif key == "places":
                        case[key]["worst"] -= 0.001
                    else:
                        case[key] *= 2

                self.change_report(less)
                reason = self.refused()
                self.assertIn("report.json:", reason)
                self.assertIn(f"$.cases[{number}].{key}", reason)
                self.assertIn("where raw.tsv gives", reason)
                line = int(reason.split("report.json:")[1].split(":")[0])
                self.assertIn(key if key not in ("added", "per_loop", "places") else ":",
                              (self.folder / "report.json").read_text().splitlines()[line - 1])  # fmt: skip
                shutil.copy(self.top / "host0000/20261130/report.json", self.folder)

    def test_unit_swapped(self) -> None:
        def swap(found: Any) -> None:
            for name in ("cases", "null", "site", "versus", "breakeven"):
                for entry in found[name]:
                    if entry["env"] == "native":
                        entry["unit"] = "instructions"

        self.change_report(swap)
        self.assertIn(".unit: 'instructions', where raw.tsv gives 'cycles'", self.refused())

    def test_left_out(self) -> None:
        self.change_report(lambda found: found["site"].pop())
        self.assertIn("$.site: 33 entries, where raw.tsv gives 34", self.refused())

    def test_list_left_out(self) -> None:
        self.change_report(lambda found: found.pop("versus"))
        self.assertIn("$.versus", self.refused())

    def test_another_kernel(self) -> None:
        self.change_report(lambda found: found["environment"]["runs"][0].update(kernel="Linux 9.9"))
        self.assertIn("$.environment.runs[0].kernel: 'Linux 9.9'", self.refused())

    def test_no_report(self) -> None:
        self.change("report.json", lambda _: "[]\n")
        self.assertIn("report.json:1: not a kmark-report/2", self.refused())
        self.change("report.json", lambda _: "{\n\n")
        self.assertIn("report.json:3: not JSON", self.refused())

    def test_schema(self) -> None:
        self.change_report(lambda found: found.update(size=[{"env": "native"}]))
        self.assertIn("$.size[0]: 'variant' is a required property", self.refused())
        self.change_report(lambda found: (found.pop("size"), found.update(created="2026-13-01T00:00:00")))
        self.assertIn("$.created: month must be in 1..12", self.refused())

    def test_raw(self) -> None:
        self.change("raw.tsv", lambda text: text.replace("\tdisabled\t", "\tshut\t", 1))
        self.assertRegex(self.refused(), r"raw.tsv:\d+: neither disabled nor enabled")
        (self.folder / "raw.tsv").unlink()
        self.assertIn("one: no raw.tsv", self.refused())

    def test_host(self) -> None:
        about = {"schema": "kmark-host/1", "created": "2026-11-30T00:00:00+00:00",
                 "host": {"name": "another"}}  # fmt: skip
        (self.folder / "host.json").write_text(json.dumps(about))
        self.assertIn("$.environment.host: host.json says another", self.refused())
        (self.folder / "host.json").write_text('{\n "schema": "kmark-host/1",\n "created": 5, "host": {}}')
        self.assertIn("host.json:3: not a kmark-host/1", self.refused())

    def test_twins(self) -> None:
        """The same records in another order, and with another header."""

        def turned(text: str) -> str:
            head = [line for line in text.splitlines() if line.startswith(("#", "case\tround"))]
            rest = [line for line in text.splitlines() if line not in head]
            return "\n".join([*head, "#compiler\tgcc 13", *reversed(rest)]) + "\n"

        shutil.copytree(self.folder, self.work / "two")
        self.change("raw.tsv", turned)
        self.assertEqual(
            verify.digest((self.folder / "raw.tsv").read_text()),
            verify.digest((self.work / "two/raw.tsv").read_text()),
        )
        shutil.copy(self.work / "two/raw.tsv", self.folder)
        judged = list(
            verify.without_twins(verify.judge_all(results.find(self.work, results.REPORT), 1), {})
        )
        self.assertIsInstance(judged[0], verify.Accepted)
        assert isinstance(judged[1], verify.Refused)
        self.assertIn(f"two: the same raw data as {self.folder}", judged[1].reason)
        known = store.known(self.filled())
        judged = list(verify.without_twins(iter(judged[:1]), known))
        assert isinstance(judged[0], verify.Refused)
        self.assertIn(
            "the same raw data as that of host0000 of 2026-11-30, which is stored", judged[0].reason
        )

    def test_made(self) -> None:
        """A report made of raw.tsv and host.json alone is accepted."""
        about = {"schema": "kmark-host/1", "created": "2026-11-30T00:00:00+0000", "host": {"name": "x"}}
        (self.folder / "report.json").unlink()
        self.assertRaisesRegex(Failure, "no folder with report.json", results.find, self.folder,
                               results.REPORT)  # fmt: skip
        folder = results.find(self.folder, results.RAW)[0]
        self.assertRaisesRegex(Failure, "no host.json", results.make_report, folder)
        (self.folder / "host.json").write_text(json.dumps(about))
        results.make_report(results.find(self.folder, results.RAW)[0])
        self.assertEqual(verify.accept(results.find(self.folder, results.REPORT)[0]).report.created,
                         about["created"])  # fmt: skip


class Store(Fleet):
    def test_partitions(self) -> None:
        self.filled()
        places = {path.parts[-3:-1] for path in self.store.glob("add-*/*/*/cases.parquet")}
        self.assertEqual(places, {("kernel=6.0.0", f"cpu=Model-{cpu}") for cpu in range(HOSTS)})
        self.assertEqual(self.ask("SELECT count(*), count(DISTINCT digest) FROM cases")[0][1], 2 * HOSTS)
        rows = sum(len(report.load(path).cases) for path in self.top.rglob("report.json"))
        self.assertEqual(self.ask("SELECT count(*) FROM cases"), [(rows,)])

    def test_all_or_nothing(self) -> None:
        """A report that cannot be written leaves nothing."""
        good = verify.accept(results.find(self.folder, results.REPORT)[0])
        wrong: Any = {"loops": "x"}
        case = replace(good.report.cases[0], **wrong)
        bad = verify.Accepted(good.folder, "0" * 64, replace(good.report, cases=[case]))
        with store.locked(self.store), self.assertRaises(Exception):  # noqa: B017
            store.add(self.store, [good, bad])
        self.assertEqual([path.name for path in self.store.iterdir()], [".lock"])

    def test_questions(self) -> None:
        """Planted findings, and nothing else, are found by each question."""
        self.filled()
        dearer = self.ask("dearer-than-key")
        self.assertEqual({row[0] for row in dearer}, {"Model 0", "Model 4"})
        for row in dearer:
            self.assertEqual(row[3:5], (1, 1))
            self.assertGreater(row[5], made_up.DEARER)
        changed = self.ask("changed")
        self.assertEqual({(row[2], row[5], row[6]) for row in changed if row[4] == HOSTS},
                         {("enabled", HOSTS, 0)})  # fmt: skip
        known = {row[3] for row in changed if row[5] == HOSTS}
        self.assertLessEqual({"mark", "key", "tracepoint", "generic"} & {c[0] for c in self.ask(
            "SELECT DISTINCT variant FROM cases")}, known)  # fmt: skip
        self.assertEqual(len(self.ask("sites")), 2 * HOSTS)
        self.assertEqual({row[:2] for row in self.ask("hosts")}, {(f"host{n:04}", 2) for n in range(HOSTS)})

    def test_nothing_changed(self) -> None:
        """Asked when the newest reports were made long ago, nothing has changed since last month."""
        self.filled()
        self.assertEqual(query.ask(self.store, "changed", datetime(2027, 6, 1, tzinfo=UTC)).rows, [])

    def test_wrong(self) -> None:
        self.assertRaisesRegex(Failure, "nothing is stored", query.ask, self.work / "none", "hosts", NOW)
        self.filled()
        self.assertRaisesRegex(
            Failure, "^fleet: Parser Error: ", query.ask, self.store, "SELECT FROM nothing at", NOW
        )
        self.assertRaisesRegex(Usage, "no ready question 'host': there are changed", query.ask,
                               self.store, "host", NOW)  # fmt: skip

        self.assertRaisesRegex(
            Usage, "^fleet: the SQL has no statement$", query.ask, self.store, "-- a comment", NOW
        )

    def test_numbers_of_a_table_are_at_the_right(self) -> None:
        rows = [("a", 1, 0.123456, None, NOW, "x"), ("bbbbb", 2000000, None, None, NOW, "y" * 70)]
        answer = query.Answer(["name", "n", "cost", "none", "time", "text"], rows)
        text = f"""\
name         n    cost  none  time              text
a            1  0.1235     -  2026-12-01 00:00  x
bbbbb  2000000       -     -  2026-12-01 00:00  {"y" * 60}"""
        self.assertEqual("\n".join(query.lines(answer)), text)

    def test_an_answer_of_any_type_is_json(self) -> None:
        self.filled()
        sql = ("SELECT 1.5 AS number, DATE '2026-01-02' AS day, INTERVAL 3 DAY AS time, 1e999 AS most, "
               "'nan'::DOUBLE AS none, {'at': TIMESTAMP '2026-01-02 03:04:05', 'of': [0.5]} AS many, "
               "count(*) > 0 AS there FROM reports")  # fmt: skip
        found = query.records(query.ask(self.store, sql, NOW))
        self.assertEqual(json.loads(json.dumps(found, allow_nan=False)), [{
            "number": 1.5, "day": "2026-01-02", "time": "3 days, 0:00:00", "most": None, "none": None,
            "many": {"at": "2026-01-02T03:04:05", "of": [0.5]}, "there": True,
        }])  # fmt: skip

    def test_clickhouse(self) -> None:
        """ClickHouse reads the same files, and finds the same."""
        self.filled()
        place = subprocess.run([cache.TOOLS / "setup", "--path", "clickhouse"], check=True,
                               capture_output=True, text=True).stdout.strip()  # fmt: skip
        asked = [f"{place}/bin/python", "-I", "-m", "chdb", CLICKHOUSE.format(store=self.store)]
        asked.append("JSONCompact")
        done = subprocess.run(asked, check=True, capture_output=True, text=True)
        found = [[row[0], int(row[1]), row[2]] for row in json.loads(done.stdout)["data"]]
        wanted = self.ask(
            "SELECT variant, count(*), round(median(cost), 3) FROM sites WHERE state = 'enabled' "
            "AND variant IN ('mark', 'key') GROUP BY variant ORDER BY variant"
        )
        self.assertEqual(len(wanted), 2)
        self.assertEqual(found, [list(row) for row in wanted])
        page = (cache.TOP / "Documentation/fleet.md").read_text()
        for line in CLICKHOUSE.replace("{store}", "/srv/kmark").splitlines():
            self.assertIn(line, page)


class Exports(Fleet):
    def test_kcidb(self) -> None:
        rows = export.newest(self.filled(), NOW)
        made = json.loads(export.kcidb(rows))
        self.assertTrue(V5_3.is_valid(made))
        self.assertEqual(made["version"], {"major": 5, "minor": 3})
        self.assertEqual(len(made["tests"]), len(rows))
        self.assertEqual({test["start_time"][:7] for test in made["tests"]}, {"2026-11"})
        first = made["tests"][0]
        self.assertEqual(first["number"]["value"], rows[0]["added"])
        self.assertEqual(first["number"]["unit"], "cycles per loop")
        self.assertTrue(first["misc"]["lower_is_better"])

    def test_not_kcidb(self) -> None:
        rows = export.newest(self.filled(), NOW)
        rows[0]["shape"] = "no path"
        self.assertRaisesRegex(Failure, "not valid KCIDB: 'kmark.native.no path", export.kcidb, rows)

    def test_openmetrics(self) -> None:
        rows = export.newest(self.filled(), NOW)
        text = export.openmetrics(rows)
        families = {family.name: family for family in text_string_to_metric_families(text)}
        added = families["kmark_added_cycles"]
        self.assertEqual((added.type, added.unit), ("gauge", "cycles"))
        self.assertEqual(len(added.samples), len(rows))
        self.assertEqual({sample.labels["lower_is_better"] for sample in added.samples}, {"true"})
        limits = {tuple(s.labels[name] for name in export.LABELS): s.value
                  for s in families["kmark_threshold_cycles"].samples}  # fmt: skip
        for row in rows:
            self.assertEqual(limits[tuple(row[name] for name in export.LABELS)], export.threshold(row))
        self.assertTrue(text.endswith("# EOF\n"))

    def test_foreign_texts_are_labels_without_control_characters(self) -> None:
        rows = export.newest(self.filled(), NOW)
        rows[0]["host"] = 'a\n\r\x1b[2J\x9b\u202e"\\\udcff # EOF'
        text = export.openmetrics(rows)
        self.assertRegex(text.replace("\n", ""), r"^[^\x00-\x1f\x7f-\x9f\u202e\udcff]*$")
        families = {family.name: family for family in text_string_to_metric_families(text)}
        hosts = {sample.labels["host"] for sample in families["kmark_added_cycles"].samples}
        self.assertIn('a\\n\\r\\x1b[2J\\x9b\\u202e"\\\\xff # EOF', hosts)
        json.loads(export.kcidb(rows))
        answer = query.Answer(["host"], [("a\n\x1b[2J",)])
        self.assertEqual(list(query.lines(answer)), ["host", "a\\n\\x1b[2J"])


class Inventory(Fleet):
    def test_inventories(self) -> None:
        path = self.work / "hosts.yml"
        for line, text, reason in (
            (1, "", "it has no hosts"),
            (1, "all:\n hosts:\n", "it has no hosts"),
            (1, "all:\n hosts:\n  localhost:\n", "it has no hosts"),
            (2, "all:\n host:\n  one:\n", "group 'all' has 'host', no one of hosts, children, vars"),
            (3, "all:\n hosts:\n  one: 5\n", "host 'one' has to be a mapping"),
            (4, "all:\n hosts:\n  one:\n  one:\n", "'one' is there twice in hosts of 'all'"),
            (2, "all:\n- one\n", "group 'all' has to be a mapping"),
            (5, "all:\n children:\n  a:\n   hosts:\n    - x\n", "hosts of 'a' has to be a mapping"),
            (3, "all:\n hosts:\n  ? [one]\n  : 1\n", "a name in hosts of 'all' has to be a text"),
            (3, "all:\n hosts:\n  '': 1\n", "a name in hosts of 'all' has to be a text"),
            (1, "[" * 5000, "it is nested too deeply"),
        ):
            with self.subTest(text):
                path.write_text(text)
                wanted = f"^{path}:{line}: not an inventory: {reason}$"
                self.assertRaisesRegex(Failure, wanted, inventories.check, path)
        for line, text in ((4, "all:\n hosts:\n  one: {\n"), (1, "\0")):
            path.write_text(text)
            self.assertRaisesRegex(Failure, f"^{path}:{line}: not YAML: ", inventories.check, path)
        inventories.check(cache.TOOLS / "fleet/inventory.example.yml")

    def test_damaged(self) -> None:
        """Pieces of an inventory become others: only a Failure with the line may come, and the file
        stays as it is."""
        path = self.work / "hosts.yml"
        good = (cache.TOOLS / "fleet/inventory.example.yml").read_bytes()
        chance = random.Random(1)
        refused = 0
        for _ in range(DAMAGED):
            data = good
            for _ in range(chance.randint(1, 3)):
                start = chance.randrange(len(data) + 1)
                end = start + chance.choice((0, 1, 5, 20))
                data = data[:start] + chance.choice(PIECES) + data[end:]
            path.write_bytes(data)
            try:
                inventories.check(path)
            except Failure as failure:
                refused += 1
                self.assertRegex(str(failure), rf"^{path}:\d+: not ")
            self.assertEqual(path.read_bytes(), data)
        self.assertGreater(refused, DAMAGED // 3)
