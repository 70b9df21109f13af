#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Two stored full runs on the same quiet machine agree within their intervals;
# see Documentation/results/README.md. Nothing is measured here.
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=../tap.sh
. "$here/../tap.sh"
kmark=$here/../../kmark
stored=$here/../../../Documentation/results
venv=$("$here/../../setup" --path python) || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

check "the two stored runs differ" sh -c '! cmp -s "$1" "$2"' sh "$stored/one.json.xz" "$stored/two.json.xz"
"$kmark" compare --agree 95 "$stored/one.json.xz" "$stored/two.json.xz" >"$work/out"
check "95 % of their cells agree" same 0 $?
check "compare says that enough cells agree" holds "$(cat "$work/out")" "enough"
check "they are of one machine and one build" same "" "$(grep '^warning' "$work/out")"

# A tenth of the second run's cells, and their loops, are moved by ten times their intervals.
"$venv/bin/python" -P - "$stored/two.json.xz" "$work/moved.json" <<'END'
import json, lzma, sys
from pathlib import Path
made = json.loads(lzma.open(sys.argv[1]).read())
made["environment"]["host"]["cpu"] = "another"
for case in [case for case in made["cases"] if case["variant"] != "none"][::10]:
    added = case["added"]
    by = 10 * (added["hi"] - added["lo"]) + case["per_loop"]["median"]
    for figure in added, case["per_loop"]:
        for name in figure:
            figure[name] += by
Path(sys.argv[2]).write_text(json.dumps(made))
END
"$kmark" compare --agree 95 "$stored/one.json.xz" "$work/moved.json" >"$work/out"
check "runs that do not agree are status 1" same 1 $?
check "compare says that too few cells agree" holds "$(cat "$work/out")" "too few"
check "compare warns that the machines differ" grep -q '^warning .*host: cpu' "$work/out"

tap_done
