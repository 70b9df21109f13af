#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# tools/kmark, from the host's root, against a real markers.ko.
. /lib.sh
kmark=$1
home=$2

load markers
load marker_test
load probe_count

run() {
	output=$(chroot /host env HOME="$home" "$kmark" "$@" 2>/tmp/err)
	status=$?
}

run list --json
check "list --json has the markers" holds "$output" '"subsys_mark1"'
run connect 'test_t*' count
check "connect" same "0 open open" "$status $(state test_types) $(state test_three)"
fire 4
run list probes
check "the counter rises" same 8 "$(echo "$output" | awk '$1 == "count" { print $5 }')"
run list sites --json
check "sites say what they are" holds "$output" '"pun"'
run verify
check "verify" same "0 ok: 21 sites, 0 mismatches" "$status $output"
run connect no_such count
check "an unknown marker is status 1" same 1 "$status"
check "and a line that names it" holds "$(cat /tmp/err)" "'connect no_such count' is refused: No such file"
run disconnect 'test_t*'
check "disconnect" same "0 closed" "$status $(state test_types)"
run arm not_yet count
check "arm" same "0 arm not_yet count	# pending" "$status $(cat $M/control)"
tap_done
