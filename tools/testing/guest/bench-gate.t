#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Each kind of site takes as many instructions as bench/data/baseline.json says, and an event as many
# as bench/data/paths.tsv says; and this suite would notice if one did not.
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=../tap.sh
. "$here/../tap.sh"
kmark=$here/../../kmark
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

check "instructions are those of bench/data/baseline.json" "$kmark" bench baseline
thunks=$here/../../../bench/data/baseline-return-thunks.json
check "instructions on a CPU with return thunks are those of its baseline" "$kmark" bench baseline --json --file "$thunks"
check "that baseline records the mitigations" holds "$tap_output" "retbleed:Mitigation: untrained return thunk"

sed 's/\("empty disabled generic": \)[0-9.]*/\12/' "$here/../../../bench/data/baseline.json" >"$work/planted.json"
"$kmark" bench baseline --file "$work/planted.json" >"$work/out" 2>/dev/null
check "a planted difference is status 1" same 1 $?
check "only the cell of the difference is named" same "empty disabled generic 2 3" \
	"$(sed -n '4,/^$/p' "$work/out" | xargs)"
"$kmark" bench baseline --file "$work/absent" 2>"$work/err"
check "a missing baseline is status 1" same 1 $?
check "the missing baseline is named" same "kmark: $work/absent: No such file or directory" "$(cat "$work/err")"

sed 's/^\(recorder and count\t\).*/\15/; s/^\(TRACE_EVENT()\t\).*/\1600/' "$here/../../../bench/data/paths.tsv" >"$work/paths.tsv"
"$kmark" bench paths --file "$work/paths.tsv" >"$work/out" 2>"$work/err"
check "another figure of an event is status 1" same 1 $?
check "only the events of this project are compared, those of ftrace less TRACE_EVENT()" same \
	"recorder and count trace event" "$(sed -n 's/: .* in paths.tsv, .* now$//p' "$work/err" | paste -s -d ' ')"
check "the table has the ways of the kernel" holds "$(cat "$work/out")" "trace_printk"
sed 's/^\(reader.*\t\)[0-9.]*\(\t.*\)/\110\2/' "$here/../../../bench/data/paths.tsv" >"$work/paths.tsv"
"$kmark" bench paths --all --file "$work/paths.tsv" >"$work/out" 2>"$work/err"
check "events take the instructions of bench/data/paths.tsv, and a planted cost is found" same \
	"1 reader, addresses hashed, per event" "$? $(sed -n 's/: .* in paths.tsv, .* now$//p' "$work/err" | paste -s -d ' ')"
check "no event of four CPUs is lost" holds "$(cat "$work/out")" "lost of 200,000 events, four CPUs in turn, 1 MiB each              0 events"
tap_done
