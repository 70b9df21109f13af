#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Each kind of site takes as many instructions as bench/data/baseline.json says; and
# this suite would notice if one did not.
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=tap.sh
. "$here/tap.sh"
kmark=$here/../kmark
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

check "instructions are those of bench/data/baseline.json" "$kmark" bench baseline
thunks=$here/../../bench/data/baseline-return-thunks.json
check "instructions on a CPU with return thunks are those of its baseline" "$kmark" bench baseline --json --file "$thunks"
check "that baseline records the mitigations" holds "$tap_output" "retbleed:Mitigation: untrained return thunk"

sed 's/\("empty disabled generic": \)[0-9.]*/\12/' "$here/../../bench/data/baseline.json" >"$work/planted.json"
"$kmark" bench baseline --file "$work/planted.json" >"$work/out" 2>/dev/null
check "a planted difference is status 1" same 1 $?
check "only the cell of the difference is named" same "empty disabled generic 2 3" \
	"$(sed -n '4,/^$/p' "$work/out" | xargs)"
"$kmark" bench baseline --file "$work/absent" 2>"$work/err"
check "a missing baseline is status 1" same 1 $?
check "the missing baseline is named" same "kmark: $work/absent: No such file or directory" "$(cat "$work/err")"

tap_done
