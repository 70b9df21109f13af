#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# 10,000 sites on this machine's silicon, opened together and one by one while
# another thread runs them.
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=../tap.sh
. "$here/../tap.sh"
bulk=${BULK:-$here/../../../build/native/bulk}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$bulk" --repeat 5 >"$work/raw" 2>"$work/err"
status=$?
check "bulk ends with status 0" same "0 " "$status $(cat "$work/err")"

# values COLUMN WHAT STATE: of each repetition, in its order.
values() {
	awk -F '\t' -v column="$1" -v what="$2" -v state="$3" '
		$1 == "toggle" && $2 == "round" { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$1 == "toggle" && $at["what"] == what && $at["state"] == state { print $at[column] }' "$work/raw"
}

each() {
	echo "$1 $1 $1 $1 $1"
}

check "one transaction opens all" same "$(each 1)" "$(values transactions together open | xargs)"
check "opening takes 3 rounds, since the gates are NOPs of 5 bytes" same "$(each 3)" "$(values rounds together open | xargs)"
check "each of 10,000 open sites is seen once" same "$(each 10000)" "$(values seen together open | xargs)"
check "one transaction closes all" same "$(each 1)" "$(values transactions together closed | xargs)"
check "closing takes 4 rounds, one of them for the calls" same "$(each 4)" "$(values rounds together closed | xargs)"
check "no closed site is seen" same "$(each 0)" "$(values seen together closed | xargs)"
check "10,000 transactions open them one by one" same "$(each 10000)" "$(values transactions single open | xargs)"
check "each site opened by its own transaction is seen once" same "$(each 10000)" "$(values seen single open | xargs)"

"$bulk" --repeat 1 --gate pun >"$work/raw" || check "--gate pun ends well" false
check "opening pun gates takes 2 rounds, since one byte changes" same 2 "$(values rounds together open)"

"$bulk" --help >"$work/out"
check "--help shows an example" holds "$(cat "$work/out")" "example:"
for wrong in "--repeat 0" "--repeat x" "--gate imm" "--moon" "moon"; do
	# shellcheck disable=SC2086
	"$bulk" $wrong >"$work/out" 2>"$work/err"
	check "\"$wrong\" is status 2" same "2 " "$? $(cat "$work/out")"
	check "\"$wrong\" is named" holds "$(cat "$work/err")" "${wrong##* }"
done
tap_done
