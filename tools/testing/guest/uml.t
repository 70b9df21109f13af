#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# User-Mode Linux: the suite of markers.ko there, and a short bench. Kernel and
# modules are built once, which takes minutes.
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=../tap.sh
. "$here/../tap.sh"
top=$(readlink -f "$here/../../..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$top/tools/setup" uml || exit 1
venv=$("$top/tools/setup" --path python)

# core.sh as in the other guests, and sites without code refused; prints the TAP of each, then a
# line STATUS TROUBLE.
PYTHONPATH="$top/tools/lib" "$venv/bin/python" -P - "$here" >"$work/core" <<'END'
import sys
from pathlib import Path
from kmark.guest import uml
here = Path(sys.argv[1])
suite = (here.parent / "tap.sh", here / "lib.sh", here / "core.t", here / "kprobe-sites.t")
modules = uml.build_modules().glob("*/**/*.ko")
files = tuple((path, f"/{path.name}") for path in (*suite, *modules))
for script in ("core.t", "kprobe-sites.t refused"):
    outcome = uml.run(f"sh /{script}", files, sys.stdout.buffer, 120)
    print(outcome.status, outcome.trouble, flush=True)
END
check "the suite of markers.ko passes in User-Mode Linux" same "0 0" "$(sed -n 's/^\([0-9]*\) $/\1/p' "$work/core" | xargs)"
check "sites without code are refused there" grep -q 'no kprobes here: refused' "$work/core"
check "at least 90 tests passed there" test "$(grep -c '^ok ' "$work/core")" -ge 90
check "no test failed there" same "" "$(grep '^not ok' "$work/core")"

"$top/tools/kmark" bench --env uml --rounds 1 --output "$work/results" >"$work/report" 2>"$work/err"
status=$?
raw=$work/results/latest/raw.tsv
check "a bench of one round" same 0 $status || cat "$work/err" >&2
check "it says where the results are" grep -qxF "kmark: results in ${raw%/latest/*}/$(readlink "${raw%/*}")" "$work/err"
check "the raw data has the environment" grep -qx '#env	uml' "$raw"
check "the raw data has the kernel" grep -q '^#kernel	Linux 6.1.*-uml$' "$raw"
check "the raw data says that there are no jump labels" grep -q '^#static_key	no jump labels' "$raw"
check "every sample has its chains" same "" \
	"$(awk -F '\t' '$1 == "case" && $2 != "round" && !($10 && $11 && $12 && $13)' "$raw")"
for state in disabled enabled; do
	for variant in none null generic imm nop5 flip key mark pun; do
		check "$variant, $state, has samples of every layout" same "0 1 2 3" "$(awk -F '\t' -v v=$variant \
			-v s=$state '$1 == "case" && $3 == "empty" && $4 == v && $5 == s { print $6 }' "$raw" | sort -u | xargs)"
	done
done
check "the report has its section, in cycles" \
	grep -qx '\* User-Mode Linux: real modules in a kernel, in core cycles' "$work/results/latest/report.txt"
check "no process of User-Mode Linux is left" same "" "$(pgrep -f 'kmark-uml[.]')"
tap_done
