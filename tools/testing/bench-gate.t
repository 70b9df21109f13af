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

check "instructions are those of bench/data/baseline.json" "$kmark" baseline

sed 's/\("empty disabled generic": \)[0-9.]*/\12/' "$here/../../bench/data/baseline.json" >"$work/planted.json"
"$kmark" baseline --file "$work/planted.json" >"$work/out" 2>/dev/null
check "a planted change is status 1" same 1 $?
check "its cell is named, and no other" same "empty disabled generic 2 3" \
	"$(sed -n '4,/^$/p' "$work/out" | xargs)"
"$kmark" baseline --file "$work/absent" 2>"$work/err"
check "no baseline is status 1" same 1 $?
check "it is named" same "kmark: $work/absent: No such file or directory" "$(cat "$work/err")"

tap_done
