#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Tens of thousands of rules and sites: twice as many take at most three times as
# long.  The clock counts instructions: a millisecond is a million of them.
# $1: where marker_hundred.ko holds its name.
# guest: cpus=1 memory=2048 icount=yes arch=x86_64

on_host() {
	# The modules are loaded a thousand times, so they are without debug information.
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	for module in markers.ko selftest/marker_bulk.ko selftest/marker_hundred.ko ../probes/probe_count.ko; do
		strip -g -o "$work/${module##*/}" "$top/markers/$module"
	done
	modules=$(echo "$work"/*.ko)
	# The module's name is in struct module, behind an int and a list_head.
	section=$(readelf -SW "$work/marker_hundred.ko" |
		sed -n 's/.*\.gnu\.linkonce\.this_module  *PROGBITS  *[0-9a-f]* \([0-9a-f]*\) .*/\1/p')
	boot $((0x$section + 24))
}

# shellcheck source=lib.sh
. "${0%/*}/lib.sh"

# clock: milliseconds.
clock() {
	awk '{ print $1 * 1000 }' /proc/uptime
}

# timed WHAT COMMAND...: leaves its milliseconds in $ms, at least 10, and prints them.
timed() {
	what=$1
	shift
	start=$(clock)
	"$@"
	ms=$(($(clock) - start))
	[ $ms -gt 10 ] || ms=10
	echo "# ms, $what: $ms"
}

# linear MS MS: of the half and of the whole.
linear() {
	[ "$2" -le $((3 * $1 + 100)) ] || { echo "$1 ms, and $2 ms for twice as many"; return 1; }
}

# rules VERB N: one line for each.
rules() {
	awk -v verb="$1" -v n="$2" 'BEGIN { for (i = 1; i <= n; i++) print verb, "name_" i, "count" }' >/tmp/rules
}

write() {
	dd if=/tmp/rules of=$M/control bs=1M 2>/dev/null
}

list_sites() {
	cat $M/sites >/tmp/sites
}

load markers
load probe_count
rules arm 8000
timed "8,000 arm lines in one write" write
half=$ms
timed "insmod of 10,000 sites with 8,000 rules" load marker_bulk
with=$ms
unload marker_bulk
rules disconnect 8000
timed "8,000 disconnect lines" write
check "all rules are disconnected" same "" "$(cat $M/control)"
rules arm 16000
timed "16,000 arm lines" write
check "the time of 16,000 rules is linear" linear "$half" "$ms"
check "control lists all rules" same 16000 "$(wc -l <$M/control)"
timed "disconnect *" accepted "disconnect *"
timed "insmod of 10,000 sites without rules" load marker_bulk
check "rules for other markers do not slow a module down" linear "$ms" "$with"
timed "10,000 sites listed" list_sites
check "sites prints addresses as %pS does" grep -q '	run_10[^+]*+0x[0-9a-f]*/0x[0-9a-f]* \[marker_bulk\]	' /tmp/sites
unload marker_bulk

# as_many FROM TO: modules of 100 sites, one file under other names of 14 letters.
place=$1
as_many() {
	for i in $(seq "$1" "$2"); do
		printf 'marker_h_%05d' "$i" | dd of=/marker_hundred.ko bs=1 seek="$place" conv=notrunc 2>/dev/null
		insmod /marker_hundred.ko || return
	done
}

# toggle_all: three times; the least milliseconds in $connected and $disconnected.
toggle_all() {
	connected=1000000
	disconnected=1000000
	for _ in 1 2 3; do
		timed "connected in one transaction" accepted "connect hundred_site count"
		[ $ms -gt $connected ] || connected=$ms
		timed "disconnected" accepted "disconnect *"
		[ $ms -gt $disconnected ] || disconnected=$ms
	done
}

timed "500 modules of 100 sites loaded" as_many 1 500
check "50,000 sites" same 50000 "$(rows hundred_site markers | awk -F '\t' '{ n += $2 } END { print n }')"
timed "listed" list_sites
half=$ms
toggle_all
half_connected=$connected
half_disconnected=$disconnected
timed "500 more" as_many 501 1000
check "100,000 sites" same 100000 "$(rows hundred_site markers | awk -F '\t' '{ n += $2 } END { print n }')"
timed "listed" list_sites
check "the time of listing sites is linear" linear "$half" "$ms"
check "sites lists each site" same 100001 "$(wc -l </tmp/sites)"
toggle_all
check "the time of connecting is linear" linear "$half_connected" "$connected"
check "the time of disconnecting is linear" linear "$half_disconnected" "$disconnected"
check "verify reports no mismatch" verified
check "connect" accepted "connect hundred_site count"
echo 1 >/sys/module/marker_h_00001/parameters/fire
echo 2 >/sys/module/marker_h_01000/parameters/fire
check "sites of the first and of the last module are seen" same 300 "$(hits count)"
check "verify reports no mismatch" verified
tap_done
