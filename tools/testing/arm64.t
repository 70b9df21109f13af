#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# What is built for arm64: its gates of code; and, as on an architecture without any, every
# module that is not about code, where every site is generic, and nothing patches.
# shellcheck disable=SC2317 # called through check
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=tap.sh
. "$here/tap.sh"
top=$(readlink -f "$here/../..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$top/tools/setup" cross
headers=$("$top/tools/setup" --path headers-arm64)
# copy_sources FOLDER: what modules are made of. Ten thousand sites take gcc a minute, and
# show no more than five hundred.
copy_sources() {
	mkdir "$1"
	git -C "$top" ls-files -z --cached --others --exclude-standard Kbuild markers probes bench |
		(cd "$top" && xargs -0 cp --parents -t "$1")
	sed -i 's/marker_bulk.o//' "$1/markers/selftest/Kbuild"
}

# build FOLDER [VARIABLE=VALUE...]
build() {
	folder=$1
	shift
	make -C "$headers" ARCH=arm64 CROSS_COMPILE=aarch64-linux-gnu- "M=$folder" "$@" modules \
		>"$folder/log" 2>&1 || { cat "$folder/log"; return 1; }
}

# entries TABLE: bytes of a table of marker_test.ko in $folder.
entries() {
	value() {
		readelf -sW "$folder/markers/selftest/marker_test.ko" |
			awk -v name="$1" '$8 == name { print $2 }'
	}
	echo $((0x$(value "__marker_$1_end") - 0x$(value "__marker_$1")))
}

# until_return FUNCTION: its instructions up to the first return.
until_return() {
	aarch64-linux-gnu-objdump -d --no-show-raw-insn "$folder/markers/selftest/marker_test.ko" |
		awk -v name="<$1>:" '$2 == name { on = 1; next } on && NF { print $2 } on && $2 == "ret" { exit }' | xargs
}

# here NAME COUNT: the test arm64/NAME.c of files that depend on their arguments only.
here() {
	check "the program of $1 builds" make -s -C "$top" "build/native/arm64_$1"
	"$top/build/native/arm64_$1" >"$work/$1.out"
	while read -r line; do
		case $line in
		*'ok '*) check "${line#* - }" same ok "${line%% *}" ;;
		esac
	done <"$work/$1.out"
	check "all checks of $1 were made" same "$2" "$(grep -c '^ok' "$work/$1.out")"
}
here gates 16
here operands 19

folder=$work/code
copy_sources "$folder"
echo 'obj-m := markers/ bench/gates/' >"$folder/Kbuild"
check "the modules with gates of code build" build "$folder"
check "that build has no warning" same "" "$(grep -i warning "$folder/log")"
check "a closed site is one nop, behind the two of ftrace" same "nop nop nop ret" "$(until_return fire_auto)"
check "each call is recorded: two words" same 0 $(($(entries calls) % 8))
check "marker_test.ko has calls that can be patched" test "$(entries calls)" -ge $((8 * 10))
check "its bounds are in text, since the kernel keeps no symbols of data" same AX \
	"$(readelf -SW "$folder/markers/selftest/marker_test.ko" | sed 's/\[ */[/' | awk '$2 == ".text.marker_bounds" { print $8 }')"

folder=$work/generic
copy_sources "$folder"
check "the modules build without gates of code" build "$folder" marker-arch=generic
check "that build has no warning either" same "" "$(grep -i warning "$folder/log")"
for module in markers/markers probes/probe_count markers/selftest/marker_test; do
	check "$module.ko is there" test -e "$folder/$module.ko"
done
check "marker_test.ko has sites" test "$(entries sites)" -gt 0
check "two gates, a key and a switch, and no call that could be patched" same "24 0" \
	"$(entries gates) $(entries calls)"
tap_done
