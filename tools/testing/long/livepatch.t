#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A function of a module goes into a livepatch although it has a marker: klp-diff of the newest Linux
# (or $K) warns that the marker is disabled there, as it does for a tracepoint. Builds a kernel the first
# time: minutes.
top=$(readlink -f "$(dirname "$0")/../../..")
# shellcheck source=../tap.sh
. "$top/tools/testing/tap.sh"
version=${K:-$(awk '!/^#/ && $1 ~ /^[0-9.]+$/ { print $1 }' "$top/tools/kernels.tsv" | tail -n 1)}
"$top/tools/setup" kernel && kernel=$("$top/tools/kmark" dev kernel "$version") || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A kernel that was built where libxxhash-dev was missing has no such part of objtool.
objtool=$kernel/tools/objtool/objtool
"$objtool" klp 2>&1 | grep -q checksum || { echo "Bail out! $objtool has no klp: remove $kernel"; exit 1; }

# object NAME VALUE: a module whose function has a marker and returns VALUE, as klp-build has it built.
# shellcheck disable=SC2317 # called through check
object() {
	mkdir "$work/$1"
	cp "$top/tools/testing/long/tree/marked_own_a.c" "$work/$1"
	sed "s/return 0/return $2/" "$top/tools/testing/long/tree/marked_own.h" >"$work/$1/marked_own.h"
	echo 'obj-m := marked_own_a.o' >"$work/$1/Kbuild"
	make -s -C "$kernel" M="$work/$1" KCFLAGS="-ffunction-sections -fdata-sections" modules &&
		"$objtool" klp checksum "$work/$1/marked_own_a.o"
}
check "a module with a marker is built" object original 0
check "and one with another function" object patched 1
cd "$kernel" || exit 1
"$objtool" klp diff "$work/original/marked_own_a.o" "$work/patched/marked_own_a.o" \
	"$work/difference.o" >"$work/said" 2>&1
status=$?
sed 's/^/# /' "$work/said"
check "klp-diff takes its function" same 0 "$status"
check "and says that the marker is disabled there" same "fire: disabling unsupported tracepoint mark_open" \
	"$(sed -n 's/.*objtool: \(.*\)\.[0-9]*$/\1/p' "$work/said")"
tap_done
