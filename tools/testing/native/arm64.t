#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Build for arm64 with its gates of code, and as an architecture without any: there every module that is not
# about code builds, every site is generic, and nothing patches. The programs are run under user emulation,
# and a guest counts instructions.
# shellcheck disable=SC2317 # called through check
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=../tap.sh
. "$here/../tap.sh"
top=$(readlink -f "$here/../../..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$top/tools/setup" vm-arm64
headers=$("$top/tools/setup" --path headers-arm64)
# copy_sources FOLDER: what modules are made of. Ten thousand sites take gcc a minute, and
# show no more than five hundred.
copy_sources() {
	mkdir "$1"
	git -C "$top" ls-files -z --cached --others --exclude-standard Kbuild VERSION markers probes bench |
		(cd "$top" && xargs -0 cp --parents -t "$1")
	sed -i 's/marker_bulk.o//' "$1/markers/selftest/Kbuild"
	# These few loops are enough.
	sed -i '/^[a-z]/{/^\(empty\|memcpy4096\|unrolled4\|event\)\t/!d}' "$1/bench/loops/shapes.list"
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

# Functions that depend on their arguments only.
tests_of arm64_gates 16

folder=$work/code
copy_sources "$folder"
echo 'obj-m := markers/ probes/ bench/' >"$folder/Kbuild"
check "the modules with gates of code build" build "$folder"
check "that build has no warning" same "" "$(grep -i warning "$folder/log")"
check "a closed site is one nop, behind the two of ftrace" same "nop nop nop ret" "$(until_return fire_auto)"
check "each call is recorded: two words" same 0 $(($(entries calls) % 8))
check "marker_test.ko has calls that can be patched" test "$(entries calls)" -ge $((8 * 10))
check "its bounds are in text, since the kernel keeps no symbols of data" same AX \
	"$(readelf -SW "$folder/markers/selftest/marker_test.ko" | sed 's/\[ */[/' | awk '$2 == ".text.marker_bounds" { print $8 }')"

for module in markers/markers bench/probes/probe_empty bench/probes/probe_copy probes/probe_ctf \
	bench/gates/marker_gates bench/marker_bench; do
	add="$add --add $folder/$module.ko"
done
# shellcheck disable=SC2086 # several words
"$top/tools/kmark" dev vm --arch arm64 --icount --timeout 300s $add -- "$top/tools/vm/bench.sh" 1 0.01 \
	>"$work/raw" 2>"$work/err"
check "the guest counts the instructions of all loops" same "0 " "$? $(cat "$work/err")"
sed '/^[0-9]*\/[0-9]*$/d' "$work/raw" |
	PYTHONPATH="$top/tools/lib" "$("$top/tools/setup" --path python)/bin/python" \
		"$here/arm64/added.py" >"$work/added" 2>"$work/err"
check "a loop with a gate has the same instructions at all places" same "0 " "$? $(tail -n 1 "$work/err")"
# added SHAPE STATE VARIANT: without the fraction, which is of calling a function once.
added() {
	awk -v name="$*" '$1 " " $2 " " $3 == name { printf "%.0f\n", $4 }' "$work/added"
}
check "the counter is exact: none and null do not differ" same "7 0" \
	"$(awk '$3 == "null" { n++; far += $4 } END { print n, far }' "$work/added")"
check "it is the cycle counter" grep -q '^#fence.*pmccntr_el0' "$work/raw"
check "the raw data names the architecture" grep -qx '#arch	aarch64' "$work/raw"
check "no peer is missing" same "" "$(grep '^#missing_peers' "$work/raw")"
check "and what it has no variants of" grep -q '^#left_out.* flip ' "$work/raw"
for case in "nop5 1" "mark 1" "key 1" "generic 3" "tracepoint 1" "kprobe-int3 1" "trace-event 1"; do
	check "disabled, a site of ${case% *} adds ${case#* } to the loop" same "${case#* }" \
		"$(added empty disabled "${case% *}")"
done
check "four sites add four times as much" same 4 "$(added unrolled4 disabled nop5)"
check "enabled, MARK() is a direct call and two branches" same 2 \
	"$(($(added empty enabled mark) - $(added empty enabled direct)))"
for variant in tracepoint static-call ftrace kprobe-int3 kprobe-emulated trace-event; do
	check "enabled, $variant adds some" test "$(added empty enabled $variant)" -gt 3
done
for variant in sink ring relay ring-buffer trace-event debug-site; do
	check "an event by $variant adds some" test "$(added event enabled $variant)" -gt 3
done

# The programs. What they print of time says nothing here.
native=build/arm64/native
emulated() {
	program=$1
	shift
	timeout 300 qemu-aarch64-static -L /usr/aarch64-linux-gnu "$folder/$native/$program" "$@"
}
git -C "$top" ls-files -z --cached --others --exclude-standard Makefile VERSION modules.list tools/install.mk tools/docs tools/native tools/vm \
	tools/testing | (cd "$top" && xargs -0 cp --parents -t "$folder")
check "the programs build, without a warning" same "" "$(make -s -C "$folder" ARCH=arm64 \
	$native/bench $native/method $native/hammer $native/calls 2>&1)"
check "every way from a site to a probe works" same "17 0" \
	"$(emulated calls | awk '/^ok/ { good++ } /^not/ { bad++ } END { print good, bad + 0 }')"
emulated hammer --toggles 200 >"$work/hammer"
check "the hammer ends well" same 0 $?
check "no run of the NOP took the wrong way" grep -q '^ok .* nop5, .* 200 toggles, .* 0 wrong' "$work/hammer"
check "gates of x86 are skipped by name" same "call flip flip8 imm jcc jcc8 nop14 nop2 nop23 pun" \
	"$(sed -n 's/^ok [0-9]* - \(.*\) # SKIP .*/\1/p' "$work/hammer" | sort | xargs)"
emulated bench --rounds 1 --scale 0.001 >"$work/native" 2>"$work/err"
check "the loops run, closed and open" same "0 " "$? $(cat "$work/err")"
check "all of them have samples with chains around" same "4 0" \
	"$(awk '/^case/ && $3 != "shape" { shapes[$3]; bad += !$10 || !$11 || !$12 || !$13 }
		END { for (shape in shapes) n++; print n, bad + 0 }' "$work/native")"
check "the program names the machine that it was built for" grep -qx '#arch	aarch64' "$work/native"
check "the methods of timing run" same 3 "$(emulated method --records 'test=stores ensembles=3 samples=10' |
	grep -c '^ensemble	0')"

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
