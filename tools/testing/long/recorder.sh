#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The recorder without kmark, whose Python a kernel with KASAN is too slow for: sessions, snapshots and readers
# that end early, with every item of the context, while interrupts store events, too. lib.sh looks for memory
# that is lost.
# shellcheck source=../guest/lib.sh
. /lib.sh
C=$M/ctf
F=/sys/kernel/debug/marker_types
all=tid,pid,comm,prio,cpu,irq,preempt,cgroup,kstack,ustack

# sum SESSION COLUMN...: of its file cpus.
sum() {
	folder=$C
	[ "$1" = default ] || folder=$C/instances/$1
	shift
	awk -F '\t' -v names="$*" 'NR == 1 { for (i = 1; i <= NF; i++) if (index(" " names " ", " " $i " ")) wanted[i] }
		NR > 1 { for (i in wanted) sum += $i } END { print sum + 0 }' "$folder/cpus"
}

# fire_both N: on both CPUs, while timer interrupts do, too.
fire_both() {
	echo 1000 >/sys/module/marker_types/parameters/timer_us
	taskset 1 sh -c "echo $1 >$F/fire" &
	taskset 2 sh -c "echo $1 >$F/fire"
	wait
	echo 0 >/sys/module/marker_types/parameters/timer_us
}

# accounted SESSION: produced events of both markers are recorded, lost and overwritten.
accounted() {
	same $(($(cat $F/fired) - fired)) "$(sum "$1" recorded lost overwritten)"
}

for round in 1 2 3; do
	for module in markers marker_types probe_ctf; do
		check "$round: $module is loaded" load $module
	done
	echo "create black-box" >$C/sessions
	echo "size=64K mode=overwrite addresses=raw" >$C/instances/black-box/control
	check "$round: with each item of the context" accepted \
		"connect types_* ctf session=black-box context=$all; connect types_ints snapshot session=black-box if arg5 == 700"
	fired=$(cat $F/fired)
	fire_both 3000
	check "$round: a reader ends early" test 8192 = "$(dd if=$C/instances/black-box/snapshot bs=4096 count=2 2>/dev/null | wc -c)"
	for number in 1 2 3; do
		fire_both 500
		cat $C/instances/black-box/snapshot >/tmp/packets
		check "$round: snapshot $number has packets" test -s /tmp/packets
	done
	accepted "disconnect types_*" >/dev/null
	check "$round: its events are accounted for" accounted black-box
	check "$round: no event is lost" same 0 "$(sum black-box lost)"

	# A recorder beside another one, which is not read in time, and ends.
	exec 5<$C/own
	echo "size=16K mode=discard addresses=hashed" >$C/control
	check "$round: a recorder" accepted "connect types_* ctf context=tid,comm"
	fired=$(cat $F/fired)
	exec 6<$C/packets
	fire_both 1000
	cat <&6 >/tmp/packets
	fire_both 1000
	echo flush >$C/control
	cat <&6 >/tmp/packets
	check "$round: events that do not fit are lost" test "$(sum default lost)" -gt 0
	accepted "disconnect types_*" >/dev/null
	check "$round: all are accounted for" accounted default
	accepted "connect types_* ctf" >/dev/null
	unload marker_types
	check "$round: a module comes back" load marker_types
	echo 10 >$F/fire
	exec 5<&-
	cat <&6 >/tmp/packets
	exec 6<&-
	check "$round: with its end everything is disconnected" same "" "$(connections)"
	check "$round: a session is removed" sh -c "echo remove black-box >$C/sessions"
	check "$round: verify reports no mismatch" verified
	check "$round: all modules can be unloaded" unload probe_ctf marker_types markers
done
tap_done
