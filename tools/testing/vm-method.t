#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The methods of timing in a guest that counts instructions.
# shellcheck disable=SC2317 # called through check
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=tap.sh
. "$here/tap.sh"
[ "${ARCH:-x86_64}" = x86_64 ] || { echo "1..0 # SKIP the fences are those of x86"; exit; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

output=$("$here/../kmark" lab method --env vm --output "$work/results" 2>"$work/err")
status=$?
check "method runs in a guest" same 0 $status || cat "$work/err" >&2
check "one more store is exactly 3 instructions with every fence" same 6 \
	"$(echo "$output" | grep -c 'resolves 3 instructions with .* (1 store')"
check "the guest measures with cr0" holds "$output" "with cr0"
check "the minima do not vary, nor do the variances" same "" "$(echo "$output" |
	awk '$8 ~ /[/]64$/ && ($3 != 0 || $4 != 0 || $5 != 0 || $6 != 0 || $7 != "yes")')"
check "the unit is called instructions" holds "$output" "counts instructions here"
check "ten figures need a guest and the program" same "figure-01 figure-10" \
	"$(cd "$work/results/latest" && find . -name 'figure-*-vm.svg' | sort | sed -n 's/^..\(figure-..\).*/\1/; 1p; $p' | xargs)"
tap_done
