#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The methods of timing in User-Mode Linux; beside other tests, so they may resolve nothing.
# shellcheck disable=SC2317 # called through check
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=tap.sh
. "$here/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

run() {
	output=$("$here/../kmark" lab method --env uml --output "$work/results" "$@" 2>"$work/err")
	status=$?
}
resolves() {
	echo "$output" | tr -s '\n ' ' ' |
		grep -qE "this machine resolves [^(]* with $1 |$1: not resolved: " || { echo "$output"; return 1; }
}
run --fence lfence --duration 200ms
check "method runs in User-Mode Linux" same 0 $status || cat "$work/err" >&2
check "it says what User-Mode Linux resolves with lfence" resolves lfence
run --fence cr0
check "cr0 in User-Mode Linux is status 1" same 1 $status
tap_done
