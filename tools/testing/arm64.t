#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# An architecture without gates of its own: every module that is not about code
# builds for arm64, every site in it is generic, and nothing in it patches.
# shellcheck disable=SC2317 # called through check
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=tap.sh
. "$here/tap.sh"
top=$(readlink -f "$here/../..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$top/tools/setup" cross
headers=$("$top/tools/setup" --path headers-arm64)
git -C "$top" ls-files -z --cached --others --exclude-standard Kbuild markers probes bench |
	(cd "$top" && xargs -0 cp --parents -t "$work")
# Ten thousand sites take gcc a minute, and show no more than five hundred.
sed -i 's/marker_bulk.o//' "$work/markers/selftest/Kbuild"
build() {
	make -C "$headers" ARCH=arm64 CROSS_COMPILE=aarch64-linux-gnu- "M=$work" modules \
		>"$work/log" 2>&1 || { cat "$work/log"; return 1; }
}
check "the modules build for arm64" build
check "the arm64 build has no warning" same "" "$(grep -i warning "$work/log")"
for module in markers/markers probes/probe_count markers/selftest/marker_test; do
	check "$module.ko is there" test -e "$work/$module.ko"
done
readelf -sW "$work/markers/selftest/marker_test.ko" >"$work/symbols"
value() {
	awk -v name="$1" '$8 == name { print $2 }' "$work/symbols"
}
check "marker_test.ko has sites" test "$(value __marker_sites)" != "$(value __marker_sites_end)"
check "two gates, a key and a switch, and no call that could be patched" same "24 0" \
	"$((0x$(value __marker_gates_end) - 0x$(value __marker_gates))) $((0x$(value __marker_calls_end) - 0x$(value __marker_calls)))"
tap_done
