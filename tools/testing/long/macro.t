#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The macro-benchmarks on kernels with and without the patches, all workloads in
# short, in a guest and in User-Mode Linux: every condition is measured, and what
# counts sees events. Builds four kernels the first time, so run by name:
# prove tools/testing/long/macro.t
# shellcheck disable=SC2317 # called through check
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=../tap.sh
. "$here/../tap.sh"
top=$(readlink -f "$here/../../..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$top/tools/setup" macro vm || exit 1
"$top/tools/kmark" macro --short --rounds 2 --json --output "$work/results" >"$work/report"
check "kmark macro" same 0 $?
# value EXPRESSION: what it is for the report r
value() {
	"$("$top/tools/setup" --path python)/bin/python" -P -c "import json, sys
r = json.load(open(sys.argv[1])); print($1)" "$work/report"
}
check "twelve figures" same 12 "$(value 'len(r["figures"])')"
check "of both environments" same "['uml', 'vm']" "$(value 'sorted({f["env"] for f in r["figures"]})')"
check "markers store events in each" same True "$(value 'all(f["events"]["enabled"]["lo"] > 0.5 for f in r["figures"])')"
check "a system call is two events at least" same True \
	"$(value 'all(f["events"]["enabled"]["lo"] >= 2 for f in r["figures"] if f["workload"] == "syscall")')"
check "so it is with the tracepoints, in a guest" same True \
	"$(value 'all(f["events"]["traced"]["lo"] >= 2 for f in r["figures"] if (f["env"], f["workload"]) == ("vm", "syscall"))')"
check "storing takes instructions" same True "$(value 'all(f["enabled"]["added"]["lo"] > 0
	for f in r["figures"] if (f["env"], f["workload"]) in {("vm", "pipe"), ("vm", "syscall")})')"
check "vm: closed gates take less than 2 % of each" same True \
	"$(value 'all(f["marked"]["percent"]["median"] < 2 for f in r["figures"] if f["env"] == "vm")')"
check "the marked kernel has markers, the vanilla none" same "[('marked', True), ('vanilla', False)]" \
	"$(value 'sorted({(one["condition"], "markers" in one) for one in r["runs"]})')"
check "the report names what is compiled" holds "$(cat "$work/results/latest/report.txt")" "lib/{ctype,sort"
check "and the rows of the thread" same "1 1" \
	"$(grep -c '^A15 ' "$work/results/latest/report.txt") $(grep -c '^A16 ' "$work/results/latest/report.txt")"
tap_done
