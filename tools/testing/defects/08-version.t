#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck source=../guest.sh
. "$(dirname "$(readlink -f "$0")")/../guest.sh"
# Modules as other headers would have built them: with another version or size in
# their tables, and without any.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
module=$top/markers/selftest/marker_hundred.ko

# changed NAME FIELD NUMBER: a copy in which this field, counted from 0, of its struct
# marker_abi is another.
changed() {
	sed "s/marker_hundred/$1/g" "$module" >"$work/$1.ko"
	section=$(readelf -SW "$module" | sed -n 's/^ *\[ *[0-9]*\] \.discard_markers  *PROGBITS  *[0-9a-f]* \([0-9a-f]*\) .*/\1/p')
	symbol=$(nm "$module" | sed -n 's/ [a-zA-Z] __marker_abi$//p')
	[ "$section" ] && [ "$symbol" ] || return
	# shellcheck disable=SC2059
	printf "\\$(printf %o "$3")\\000" |
		dd of="$work/$1.ko" bs=1 seek=$((0x$section + 0x$symbol + 2 * $2)) conv=notrunc 2>/dev/null
}

changed marker_version 0 77
changed marker_entries 1 88
sed "s/marker_hundred/marker_without/g" "$module" >"$work/marker_without.ko"
objcopy --strip-symbol=__marker_abi --strip-symbol=__marker_abi_end "$work/marker_without.ko"
modules="$top/markers/markers.ko $top/probes/probe_count.ko $module $(echo "$work"/*.ko)"

# The tables as a program: 16 bits are too few for the gates of a site.
markers=$top/build/native/obj/markers
make -s -C "$top" native >&2 &&
	(cd "$top" && gcc -D_GNU_SOURCE -Imarkers/env/user -Imarkers -Imarkers/arch/x86 \
		-O2 -Wall -no-pie -o "$work/gates" tools/testing/defects/08-gates.c "$markers/table.o" "$markers/table_check.o" "$markers/gate.o" \
		"$markers/nofault.o" "$markers/env/user/nofault.o" "$markers/arch/x86/gates.o" "$markers/arch/x86/pad.o" "$markers/arch/x86/pads.o")
found=$("$work/gates")
guest defect-08 2 "$found"
