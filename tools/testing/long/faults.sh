#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Each allocation of a command, of a module that comes and of a file that is read fails in turn.
# shellcheck source=../guest/lib.sh
. /lib.sh
K=/sys/kernel/debug

if [ ! -e /proc/self/fail-nth ]; then
	echo "1..0 # SKIP the kernel has no fault injection: make check-long"
	exit
fi
for kind in failslab fail_page_alloc; do
	echo N >$K/$kind/ignore-gfp-wait
	echo 0 >$K/$kind/verbose
done
echo N >$K/fail_page_alloc/ignore-gfp-highmem
echo 0 >$K/fail_page_alloc/min-order
# The kernel says where memory for vmalloc() is missing, as a warning; those of others are looked
# for at the end.
dmesg -n 4

# each WHAT STEP ARGUMENT...: the fault that is found is what the test is called.
each() {
	what=$1
	shift
	found=$(/each_nth "$@" 2>&1)
	check "$what: $found" test $? = 0
}

# write COMMANDS UNDO: to control. Where memory is short, a call may stay at the dispatcher, which
# is slower: that is no other state for verify.
write() {
	# shellcheck disable=SC2046 # a word a file
	each "$1" write $M/control "$1" "$2" $M/control $M/markers $M/verify $M $E/markers $E/marker_test \
		$E/marker_types $E/marker_kprobe_sites $(ctf_state)
}

# State of the loaded recorder: its sessions, with their memory, and the names of their files.
ctf_state() {
	find $M/ctf/sessions $M/ctf/instances -type f -name sessions -o -type d 2>/dev/null
}

# write_ctf FILE TEXT UNDO: to a file of ctf/.
write_ctf() {
	# shellcheck disable=SC2046
	each "ctf/$1: $2" write "$M/ctf/$1" "$2" "$3" $M/control $(ctf_state)
}

E=/sys/kernel/tracing/events
each "load markers" load /markers.ko markers /proc/modules $M /sys/module/markers/parameters
load markers
# probe_event makes an event of each marker, and ctf has one: more of them fail no other way.
each "load probe_ctf" load /probe_ctf.ko probe_ctf $M/control /proc/modules $M
load probe_ctf
each "load probe_event" load /probe_event.ko probe_event $M/control /proc/modules $M
load marker_gates
each "load marker_types" load /marker_types.ko marker_types $M/sites /proc/modules
load marker_test
load marker_types
load marker_kprobe_sites
for probe in count hist latency stack trace; do
	each "load probe_$probe" load /probe_$probe.ko probe_$probe $M/control /proc/modules $M
	load probe_$probe
done
load probe_event

write "connect subsys_mark1 count" "disconnect subsys_mark1"
write "connect subsys_mark1 count first=3 if arg0==1" "disconnect subsys_mark1"
write "connect subsys_mark1 hist arg=0" "disconnect subsys_mark1"
write "connect types_texts trace" "disconnect types_texts"
write "connect types_texts stack" "disconnect types_texts"
write "connect types_texts event" "disconnect types_texts"
write "connect types_* ctf" "disconnect types_*"
write "connect types_texts latency from=types_ints key=5,0" "disconnect types_texts"
write "connect kprobe_jump count" "disconnect kprobe_jump"
check "expose" accepted "expose *"
write "expose test_*" "expose *"
write_ctf sessions "create a" "remove a"
echo "create a" >$M/ctf/sessions
write_ctf sessions "remove a" "create a"
write_ctf instances/a/control "size=64K mode=overwrite" "size=1M mode=discard"
# With buffers of its own each time.
write "connect types_* ctf session=a" "$M/control disconnect types_*
$M/ctf/sessions remove a
$M/ctf/sessions create a"
echo "remove a" >$M/ctf/sessions
write "connect subsys_mark1 count; connect types_* trace; connect module:marker_test stack" "disconnect *"
write "arm not_there_yet count" "disconnect not_there_yet"
each "a module that has an armed site" load /marker_many_00.ko marker_many_00 $M/sites /proc/modules
check "connect" accepted "connect types_texts count; connect subsys_mark1 count"
write "connect subsys_mark1 stack" "disconnect subsys_mark1 stack"
write "disconnect subsys_mark1 count" "connect subsys_mark1 count"
# The file of a session shows the clock if the session was opened once.
echo "create closed" >$M/ctf/sessions
for file in control sites markers probes results stats verify ctf/sessions ctf/instances/closed/session \
	ctf/cpus ctf/events ctf/snapshot; do
	each "read $file" read $M/$file $M/control
done
check "events are counted" accepted "disconnect types_texts"
fire 3
check "by each site" same 42 "$(hits count)"
check "disconnect" accepted "disconnect *"
check "verify reports no mismatch" verified
check "all modules can be unloaded" unload probe_ctf probe_event probe_trace probe_stack probe_latency \
	probe_hist probe_count marker_kprobe_sites marker_types marker_test markers
# The kernel itself warns where a field of an event finds no memory, and, as an event is disabled,
# where the names of tasks found none when it was enabled.
check "nothing else was complained of" same "" "$(dmesg | awk '
	/BUG:|WARNING:|Oops/ {
		ours = !/vmalloc error|page allocation failure|event_define_fields|tracepoint_probe_unregister/
	}
	ours
	/end trace/ { ours = 0 }')"
tap_done
