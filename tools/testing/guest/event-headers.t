#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Events with compact, wide and extended headers: 100 classes, of which 30 have an id for a compact header;
# gaps below and above 2^27 ticks, in one packet and between packets, and where a part of a packet is read.
# Ids and times of events with compact, wide and extended headers.
# guest: host_root=yes append=tsc=reliable
# shellcheck source=lib.sh
. "${0%/*}/lib.sh"
top=$1
home=$2
# shellcheck source=recorder.sh
. "/host$top/tools/testing/guest/recorder.sh"
load marker_thousand
THOUSAND=/sys/module/marker_thousand/parameters/fire

# The recorder reads what is in an open packet each second.
gaps="0 0 0.3 0.3 1.2 0 0.2 1.2"
for _ in $(seq 40); do gaps="$gaps 0.04"; done
fires=$(echo "$gaps" | wc -w)

# Each fire is a line: the time before and behind it.
fire_with_gaps='for gap in '$gaps'; do sleep $gap; before=$(/bin/date +%s.%N); echo 1 >'$THOUSAND'
	echo "$before $(/bin/date +%s.%N)"; done >/mnt/fired'

# in_time: each line of /tmp/text is of a time between those of its fire. A compact time that is completed
# wrongly is 2^27 ticks off, which are 0.04 s or more. Times of day are on a line through two readings.
in_time() {
	awk -F '[][ ]+' -v slack=0.01 '
		FILENAME != "/tmp/text" { before[NR - 1] = $1; behind[NR - 1] = $2; next }
		{ fire = int((FNR - 1) / 100) }
		$2 < before[fire] - slack || $2 > behind[fire] + slack {
			printf "event %d: %s, fired from %s to %s\n", FNR, $2, before[fire], behind[fire]
			exit 1
		}' /host/mnt/fired /tmp/text
}

# named: the lines of /tmp/text have the markers in the order in which they were fired.
named() {
	awk '{ for (i = 1; i <= NF; i++) if ($i ~ /\/thousand_/) name = $i }
		name != "marker_thousand/thousand_" 1000 + (NR - 1) % 100 ":" { print NR ": " $0; exit 1 }' /tmp/text
}

# With raw addresses, the kernel does not look at each event of a packet when it is read.
for options in "--clock tsc --raw-addresses" "--clock mono"; do
	name=$(echo "$options" | cut -d ' ' -f 2)
	# shellcheck disable=SC2086
	run record $options -o "/mnt/$name" 'thousand_10??' -- taskset 1 sh -c "$fire_with_gaps"
	check "$name: events are recorded" same "0 kmark: /mnt/$name: $((100 * fires)) events recorded, none lost" \
		"$status $said"
	check "$name: babeltrace2 reads them" babeltrace --clock-seconds "/mnt/$name"
	check "$name: all are there" same $((100 * fires)) "$(wc -l </tmp/text)"
	check "$name: each has its name" named
	check "$name: each has its time" in_time
done

# A snapshot of a flight recorder, with the same gaps.
run record --flight --clock mono 'thousand_10??'
host taskset 1 sh -c "$fire_with_gaps"
run record snapshot -o /mnt/snapshot
check "a snapshot" same "0 kmark: /mnt/snapshot: $((100 * fires)) events recorded, none lost" "$status $said"
check "babeltrace2 reads it" babeltrace --clock-seconds /mnt/snapshot
check "all events are there" same $((100 * fires)) "$(wc -l </tmp/text)"
check "each has its name" named
check "each has its time" in_time
run disconnect '*' ctf

# word OFFSET FILE: a word of 64 bits in the header of the first packet.
word() {
	od -v -A n -t u8 -j "$1" -N 8 "$2" | tr -d ' '
}

# rest_follows ADDRESSES: a packet is read while it is open, and its rest when it is full. The rest begins
# with an event that is stored less than 2^27 ticks after the last one before, if the guest is not too slow.
rest_follows() {
	echo "size=64K clock=mono addresses=$1" >$C/control
	control "connect thousand_10?? ctf"
	echo 1 >$THOUSAND
	echo flush >$C/control
	dd if=$C/packets of=/tmp/part bs=4096 2>/dev/null
	echo 10 >$THOUSAND
	dd if=$C/packets of=/tmp/rest bs=4096 2>/dev/null
	control "disconnect *"
	between=$(($(word 8 /tmp/rest) - $(word 16 /tmp/part)))
	echo "# $1: $between ns between a part of a packet and its rest"
	test $between -ge 0 -a $between -lt 5000000000
}
for addresses in hashed raw; do
	check "the rest of a packet has its time: $addresses" rest_follows $addresses
done
echo close >$C/control
check "verify reports no mismatch" verified
tap_done
