#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# clang builds programs without a warning; every call through a pointer is of
# the function's exact type; and markers.ko does not compile for a kernel that lacks what
# it needs. WITH=clang: the same of a kernel with kCFI and of the modules, with W=1. Builds
# that kernel the first time, which takes minutes.
# shellcheck disable=SC2317 # called through check
# shellcheck source=../guest/guest.sh
. "$(dirname "$(readlink -f "$0")")/../guest/guest.sh"
# shellcheck source=../tap.sh
. "$here/../tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
llvm=-19

"$top/tools/setup" build vm check kernel || exit 1

# hot OBJECT: the instructions of my_open() up to its first return, but for what a kernel
# has at the beginning of every function.
hot() {
	objdump -d --no-show-raw-insn --disassemble=my_open "$1" |
		awk -F '\t' '/^ / { split($2, word, " "); print word[1]
			if (word[1] ~ /^(ret|jmp)/) exit }' | grep -vE '^(endbr64|call)$' | xargs
}

# closed_gate OBJECT: a NOP, the result, the return; so the call is behind that.
closed_gate() {
	holds "$(hot "$1")" "nopl mov "
	same 3 "$(hot "$1" | wc -w)"
}

# A program.
build_native() {
	make -C "$top" "-j$(nproc)" NATIVE="$work/native" NATIVE_CC="clang$llvm -Werror -fsanitize=kcfi" \
		"$work/native/calls" "$work/native/hammer" "$work/native/obj/bench/site_code/my_open_MARK.o"
}
check "clang builds programs without a warning" build_native
check "each way to a probe is a call of the function's type" "$work/native/calls"
"$work/native/calls" | sed 's/^\(not \)*ok [0-9]*/#/; /^1\.\./d'
check "gates open and close" "$work/native/hammer" --toggles 500
check "a closed MARK() is a NOP, and its call out of line" \
	closed_gate "$work/native/obj/bench/site_code/my_open_MARK.o"

# Modules.
git -C "$top" ls-files -z --cached --others --exclude-standard Kbuild VERSION markers probes bench |
	(cd "$top" && xargs -0 cp --parents -t "$work")

# Kernels that lack what it needs. The option is undefined behind the configuration.
headers=/lib/modules/$("$top/tools/vm/kernel-version")/build
# refuses_kernel OPTION OBJECT TEXT
refuses_kernel() {
	echo "#undef $1" >"$work/without.h"
	rm -f "$work/markers/$2"
	make -C "$headers" M="$work/markers" KCFLAGS="-include $work/without.h" "$2" >"$work/log" 2>&1 &&
		{ echo "it compiles"; return 1; }
	holds "$(grep '#error' "$work/log")" "$3"
}
check "preemption without CONFIG_TASKS_RCU is refused" refuses_kernel CONFIG_TASKS_RCU quiesce.o \
	"found CONFIG_PREEMPTION without CONFIG_TASKS_RCU"

# refuses_load: built as for a kernel without CONFIG_KALLSYMS_ALL, it says so in the guest.
refuses_load() {
	echo "#undef CONFIG_KALLSYMS_ALL" >"$work/without.h"
	rm -f "$work/markers/"*.o "$work/markers/"arch/*/*.o
	make -C "$headers" "-j$(nproc)" M="$work" SELFTEST=n KCFLAGS="-include $work/without.h" \
		markers/markers.ko >"$work/log" 2>&1 || { cat "$work/log"; return 1; }
	printf '%s\n' '#!/bin/sh' 'insmod /markers.ko 2>/dev/null && echo loaded' \
		'dmesg | grep markers:' >"$work/load.sh"
	chmod +x "$work/load.sh"
	"$top/tools/kmark" dev vm --add "$work/markers/markers.ko" -- "$work/load.sh" >"$work/said"
	same "" "$(grep -x loaded "$work/said")"
	holds "$(cat "$work/said")" "without CONFIG_KALLSYMS_ALL"
}
check "without CONFIG_KALLSYMS_ALL markers.ko refuses to load" refuses_load
if [ "${WITH:-}" != clang ]; then
	echo "# without a kernel that clang has built; WITH=clang is with it"
	tap_done
fi

kernel=$("$top/tools/kmark" dev kernel --vanilla --with clang 6.1)
check "clang builds Linux 6.1 with kCFI" grep -x CONFIG_CFI_CLANG=y "$kernel/.config"
make -C "$headers" M="$work" clean >&2
# Ten thousand sites take a minute, and show no more than five hundred.
sed -i 's/ marker_bulk.o//' "$work/markers/selftest/Kbuild"
build_modules() {
	make -C "$kernel" "-j$(nproc)" "LLVM=$llvm" M="$work" W=1 KCFLAGS=-Werror modules >"$work/log" 2>&1 ||
		{ grep -E 'rror|warning' "$work/log" | head -n 20; return 1; }
}
check "clang builds the modules, with W=1" build_modules
check "the modules build without a warning of clang or objtool" same "" "$(grep -i warning "$work/log")"
check "a closed MARK() in modules is a NOP, and its call out of line" \
	closed_gate "$work/bench/site_code/my_open_MARK.o"
test_object=$work/markers/selftest/marker_test.o
# sealed FUNCTION: prints its address if objtool found no pointer to it.
sealed() {
	objdump -r -j .ibt_endbr_seal "$test_object" |
		grep -o "$(nm "$test_object" | sed -n "s/ t $1\$//p")"
}
check "objtool seals functions that are not called through a pointer" test -n "$(sealed marker_unconnected)"
check "objtool does not seal a switch" same "" "$(sealed set_behind)"

# Boot that kernel, with its modules.
modules=$(find "$work/markers" "$work/probes" "$work/bench/gates" "$work/bench/probes" -name '*.ko' | sort)
(guest "$here/kcfi.sh" 2) >"$work/guest"
check "a kernel with kCFI runs every probe behind every gate" same 0 $?
sed 's/^/    /' "$work/guest"
tap_done
