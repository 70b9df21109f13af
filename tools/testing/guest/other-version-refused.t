#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Modules with tables of another version, of other entries, of no version: each is
# refused with what was found and what was expected, and loads all the same.
# $1: the gates that a site with 70,000 has, counted by a program on the host.
# guest: arch=x86_64

on_host() {
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
			-O2 -Wall -no-pie -o "$work/gates" tools/testing/guest/many-gates.c "$markers/table.o" "$markers/no_debug_site.o" "$markers/table_check.o" "$markers/gate.o" \
			"$markers/nofault.o" "$markers/env/user/nofault.o" "$markers/arch/x86/gates.o" "$markers/arch/x86/pad.o" "$markers/arch/x86/pads.o")
	boot "$("$work/gates")"
}

# shellcheck source=lib.sh
. "${0%/*}/lib.sh"

log_mark
load markers
load probe_count
sizes="$(stat_of site.gate.bytes) and $(stat_of site.call.bytes) bytes"
site=$(stat_of site.bytes)
for name in version entries without; do
	check "marker_$name loads" load marker_$name
	check "its sites are not known" same "" "$(grep "	marker_$name	" $M/sites)"
done
check "another version is refused, with both numbers" logged \
	"marker_version: invalid marker tables: expected version 1, entries of $site, $sizes; found version 77,"
check "other entries are refused, with both sizes" logged "found version 1, entries of 88, $sizes"
check "tables without a version are refused" logged \
	"marker_without: invalid marker tables: expected version 1, found none"
check "the unchanged module is loaded" load marker_hundred
check "the unchanged module has its sites" same 100 "$(grep -c '	marker_hundred	' $M/sites)"
check "the sites of the unchanged module connect" accepted "connect hundred_site count"
for name in version entries without hundred; do
	echo 1 >/sys/module/marker_$name/parameters/fire
done
check "only the sites of the unchanged module are seen" same 100 "$(hits count)"
check "all four modules can be unloaded" unload marker_version marker_entries marker_without marker_hundred
check "verify reports no mismatch" verified
check "a site may have more gates than 16 bits count" same 70000 "$1"
tap_done
