#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The hammer with clang's thread sanitizer: what the patcher and the handler of breakpoints
# share is ordered by the language's rules, too, and not by x86 alone. TOGGLES of each gate.
top=$(readlink -f "$(dirname "$(readlink -f "$0")")/../../..")
# shellcheck source=../tap.sh
. "$top/tools/testing/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
check "the program builds" make -s -C "$top" tsan-hammer
"$top/build/tsan/hammer" --toggles "${TOGGLES:-1000}" >"$work/out" 2>"$work/err"
status=$?
while read -r line; do
	case $line in
	*'ok '*' - '*) check "${line#*ok * - }" same ok "${line%% *}" ;;
	esac
done <"$work/out"
cat "$work/err" >&2
check "breakpoints are met" test "$(sed -n 's/.* \([1-9][0-9]*\) traps.*/\1/p' "$work/out" | wc -l)" -gt 9
check "no race is found" same "0 0" "$status $(grep -c 'WARNING: ThreadSanitizer' "$work/err")"
awk '/^ok/ { for (i = 2; i <= NF; i++) sums[$i] += $(i - 1) }
	END { print "# " sums["toggles,"], "toggles,", sums["runs,"], "runs,", sums["traps,"], "breakpoints" }' "$work/out"
tap_done
