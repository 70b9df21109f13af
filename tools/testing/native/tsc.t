#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The TSC library: built for each platform that has an ASI, and run there; arm64
# under qemu-user.
# shellcheck disable=SC2317 # called through check
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=../tap.sh
. "$here/../tap.sh"
top=$(readlink -f "$here/../../..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$top/tools/setup" cross

# build PLATFORM COMPILER FLAGS
build() {
	make -C "$top" -f bench/timing/tsc/tsc.mk tsc "TSC_BUILD=$work/$1" "TSC_CC=$2" \
		"TSC_AR=${2%gcc}ar" "TSC_CFLAGS=$3 -O2 -Werror" || return 1
	# shellcheck disable=SC2086 # several flags
	"$2" $3 -O2 -std=gnu11 -Wall -Wextra -Werror -pthread -I"$top/bench/timing/tsc" \
		-o "$work/$1/unit" "$here/tsc/unit.c" "$work/$1/libtsc.a"
}

# conversions COMMAND: the program's lines.
conversions() {
	"$@" conversions >"$work/conversions" && "$here/tsc/conversions.py" <"$work/conversions"
}

# refuses COMMAND...: exit status 2 and a usage line.
refuses() {
	output=$(timeout 5 "$@" 2>&1)
	same "2 usage:" "$? ${output%% *}"
}

# try PLATFORM [EMULATOR]: all the tests of a build.
try() {
	platform=$1 bin=$work/$1
	shift
	check "$platform: conversions, against integers of any size" conversions "$@" "$bin/unit"
	for name in strings threads monotonic speed arguments; do
		check "$platform: $name" "$@" "$bin/unit" $name
	done
	"$@" "$bin/test_overhead" >"$work/overhead" 2>&1
	check "$platform: test_overhead" holds "$(cat "$work/overhead")" tsc_readNsec_D
	check "$platform: cycles are ticks by the ticks of a cycle" same "" "$(awk '
		/ticks a core cycle/ { per = $(NF - 4) }
		/^tsc_/ && ($6 / per > $2 + 0.01 + $2 / 100 || $6 / per < $2 - 0.01 - $2 / 100)' "$work/overhead")"
	for name in time gettimeofday dup2 close; do
		check "$platform: test_syscall $name" holds \
			"$("$@" "$bin/test_syscall" $name 1 3 2>&1)" "average of 3: "
	done
	check "$platform: test_cpuspeed" holds "$("$@" "$bin/test_cpuspeed" 1 2>&1)" "average of 1: "
}

check "x86-64: it builds" build x86-64 gcc ""
# The kernel's headers are the same for both.
check "i386: it builds" build i386 gcc "-m32 -idirafter /usr/include/x86_64-linux-gnu"
check "arm64: it builds" build arm64 aarch64-linux-gnu-gcc -static
try x86-64
try i386
try arm64 qemu-aarch64-static

bin=$work/x86-64
check "refused: test_overhead 1" refuses "$bin/test_overhead" 1
for arguments in "" "time" "time 1" "time 1 1 1" "read 1 1" "time x 1" "time 1 x" "time -1 1" \
	"time 1 0" "time 60001 1" "time 1 1000001" "time 1 1x" "time 1 99999999999999999999999"; do
	# shellcheck disable=SC2086 # several words
	check "refused: test_syscall $arguments" refuses "$bin/test_syscall" $arguments
done
for arguments in "" 0 x 1.5 10001 "1 1"; do
	# shellcheck disable=SC2086 # several words
	check "refused: test_cpuspeed $arguments" refuses "$bin/test_cpuspeed" $arguments
done

install_library() {
	make -C "$top" tsc-install "TSC_BUILD=$work/x86-64" PREFIX=/opt/tsc DESTDIR="$work/root"
}

# The example of the manual, against what was installed.
use_installed() {
	sed -n '/^#include/,/^}/p' "$work/root/opt/tsc/share/man/man3/tsc.3" |
		sed 's/\\e/\\/g; s/\\-/-/g' >"$work/example.c"
	# shellcheck disable=SC2046 # several flags
	gcc -Wall -Wextra -Werror -O2 -o "$work/example" "$work/example.c" \
		$(PKG_CONFIG_PATH=$work/root/opt/tsc/lib/pkgconfig \
			pkg-config --define-prefix --cflags --libs tsc) &&
		holds "$("$work/example")" " ns"
}

in_cplusplus() {
	printf '#include "tsc.h"\nint main() { return tsc_readNsec_CI() > 0; }\n' >"$work/test.cc"
	g++ -Wall -Wextra -Werror -I"$top/bench/timing/tsc" -o "$work/test" "$work/test.cc" \
		"$work/x86-64/libtsc.a" && "$work/test"
}

if command -v g++ >/dev/null; then
	check "C++ programs can use it" in_cplusplus
fi
check "the library is installed" install_library
check "the manual's example works with the installed library" use_installed
check "the manual has no mistakes" same "" \
	"$(groff -man -ww -z "$top/bench/timing/tsc/tsc.3" 2>&1)"
tap_done
