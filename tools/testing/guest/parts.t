#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# kmark record in parts: --rotate-size, --rotate-time, --max-disk.
# Recording in parts, and below a limit of the disk.
# guest: host_root=yes
# shellcheck source=lib.sh
. "${0%/*}/lib.sh"
top=$1
home=$2
# shellcheck source=recorder.sh
. "/host$top/tools/testing/guest/recorder.sh"
N=25000
fire="taskset 1 sh -c 'echo $N >$F/fire'"

# figure WORD: the number before it in what kmark has said; 0 if there is none.
figure() {
	found=$(echo "$said" | sed -nE "s/.*[ :]([0-9]+) (events )?$1.*/\1/p")
	echo "${found:-0}"
}

parts() {
	find "/host/mnt/$1" -mindepth 1 -maxdepth 1 -type d | wc -l
}

# Whole packets in each part; the events of all of them are in /tmp/counted.
whole() {
	counted=0
	for part in /host/mnt/"$1"/*/; do
		check_trace packets "${part#/host}" || return
		counted=$((counted + $(cut -d ' ' -f 1 /tmp/counts)))
	done
	echo $counted >/tmp/counted
}

# largest FOLDER: bytes of the packets of its largest part, without the metadata.
largest() {
	for part in /host/mnt/"$1"/*/; do
		cat "$part"/cpu* | wc -c
	done | sort -n | tail -n 1
}

run record --rotate-size 256K -o /mnt/size types_ints -- sh -c "$fire"
check "--rotate-size: all events are recorded" holds "$status $said" "0 kmark: /mnt/size: $N events recorded, none lost"
check "--rotate-size: there are at least 4 parts" test "$(parts size)" -ge 4
check "--rotate-size: none is larger" test "$(largest size)" -le 262144
check "--rotate-size: whole packets in each" whole size
check "--rotate-size: the parts have all events" same $N "$(cat /tmp/counted)"
check "babeltrace2 reads all parts at once" babeltrace /mnt/size -c sink.utils.counter
check "babeltrace2 counts all events" holds "$(cat /tmp/text)" "$N Event messages"

run record --rotate-time 1s -o /mnt/time types_ints -- sh -c "for i in 1 2 3; do $fire; sleep 1.5; done"
check "--rotate-time: all events are recorded" holds "$status $said" "0 kmark: /mnt/time: $((3 * N)) events recorded"
check "--rotate-time: there are at least 2 parts" test "$(parts time)" -ge 2

run record --rotate-size 128K --max-disk 512K -o /mnt/disk types_ints -- sh -c "$fire"
echo "# --max-disk: $said"
check "--max-disk: produced is recorded, lost and removed" same "0 $N" \
	"$status $(($(figure recorded) + $(figure lost) + $(figure removed)))"
check "--max-disk: some events are removed" test "$(figure removed)" -gt 0
check "--max-disk: there is no more than that on the disk" \
	test "$(find /host/mnt/disk -type f -exec cat {} + | wc -c)" -le 524288
check "--max-disk: whole packets in each" whole disk
check "--max-disk: the parts that are left have the others" same "$(figure recorded)" "$(cat /tmp/counted)"
check "--max-disk: the newest are left" test -e "/host/mnt/disk/$(printf %06d $(($(parts disk) + 2)))"

run record --max-disk 256K -o /mnt/one types_ints -- sh -c "$fire"
check "--max-disk without parts ends the trace" holds "$status $said" \
	"kmark: /mnt/one: --max-disk of 262144 bytes is reached; the trace ends here"
check "produced is recorded, lost and not written" same "1 $N" \
	"$status $(($(figure recorded) + $(figure lost) + $(figure "not written")))"
check "what was written is whole" check_trace packets /mnt/one
run record --rotate-size 1M --max-disk 1M -o /mnt/none types_ints -- true
check "a limit of the disk below two parts is status 2" holds "$status $said" "2 kmark: record: --max-disk has to be"

check "nothing is left connected" nothing_left
check "verify reports no mismatch" verified
tap_done
