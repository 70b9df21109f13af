#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Events that are counted while something else changes the same code, for SECONDS each: none is
# lost, none counted twice. A second probe comes and goes at the same sites all the time.
# Markers beside what else changes code at the same time, SECONDS_OF_RACE (default: 8) each.
# guest: cpus=4

on_host() {
	seconds=${SECONDS_OF_RACE:-8}
	timeout=$((seconds * 20 + 600))
	boot "$seconds"
}

# shellcheck source=lib.sh
. "${0%/*}/lib.sh"
seconds=$1
F=/sys/kernel/tracing
R=/sys/module/marker_races/parameters
P=/sys/power
D=/sys/kernel/debug/dynamic_debug/control

load markers expose=
load probe_count
load probe_copy
load probe_hist
load marker_test
load marker_races
load probe_nested

# One turn of what each race is with; it counts if all of it was done.
connecting() {
	echo "connect subsys_mark1 copy; connect race_* copy; arm fields_ints hist arg=0" >$M/control
	echo "disconnect * copy; disconnect * hist" >$M/control
}

loading() {
	insmod /marker_many_00.ko
	rmmod marker_many_00
}

hotplug() {
	echo 0 >/sys/devices/system/cpu/cpu1/online &&
		echo 1 >/sys/devices/system/cpu/cpu1/online
}

kprobes() {
	echo "p:race marker_test:fire_nop5+0" >$F/kprobe_events || return
	echo 1 >$F/events/kprobes/enable || return
	# Long enough to be optimised.
	usleep 300000
	echo 0 >$F/events/kprobes/enable
	echo >$F/kprobe_events
}

ftrace() {
	echo 'fire_*' >$F/set_ftrace_filter || return
	echo function >$F/current_tracer || return
	echo nop >$F/current_tracer
	echo >$F/set_ftrace_filter
}

livepatch() {
	insmod /marker_livepatch.ko
	echo 0 >/sys/kernel/livepatch/marker_livepatch/enabled
	while [ -e /sys/kernel/livepatch/marker_livepatch ]; do
		usleep 10000
	done
	rmmod marker_livepatch
}

keys() {
	echo 1 >$R/key
	echo 0 >$R/key
}

freeze() {
	echo freeze >$P/state
}

reading() {
	cat $M/sites $M/verify $M/stats $M/probes
}

# again TURN: until the time is over; says how often.
again() {
	n=0
	while [ ! -e /tmp/over ]; do
		"$1" && n=$((n + 1))
	done >/dev/null 2>&1
	echo "$n" >"/tmp/$1.times"
}

# sum: what the probe count has seen in all its connections.
sum() {
	hits count | awk '{ n += $1 } END { print n + 0 }'
}

# counted EVENTS FOUND: there were some, and as many were found.
counted() {
	test "$1" -gt 0 && same "$1" "$2"
}

# firing NUMBER FIRE EVENTS: until the time is over; says how many events that were, or that it
# failed.
firing() {
	fired=0
	while [ ! -e /tmp/over ]; do
		if ! "$2"; then
			echo "$2, after $fired events" >"/tmp/$1.failed"
			break
		fi
		fired=$((fired + $3))
	done
	echo $fired >"/tmp/$1.fired"
}

# race NAME TURN TASKS FIRE EVENTS: beside one TURN after the other, in each of so many tasks the
# command FIRE makes so many events.
race() {
	name=$1 turn=$2 tasks=$3
	shift 3
	rm -f /tmp/over /tmp/*.fired /tmp/*.failed
	before=$(sum)
	again "$turn" &
	[ "$turn" = connecting ] || again connecting &
	for task in $(seq "$tasks"); do
		firing "$task" "$@" &
	done
	sleep "$seconds"
	touch /tmp/over
	wait
	fired=$(cat /tmp/*.fired | awk '{ n += $1 } END { print n }')
	check "$name: $(cat "/tmp/$turn.times") times, $(cat /tmp/connecting.times) times another probe" \
		test "$(cat "/tmp/$turn.times")" -gt 0 -a "$(cat /tmp/connecting.times)" -gt 0
	check "$name: each of $fired events is counted once" counted "$fired" $(($(sum) - before))
	check "$name: each task has made some" same "$tasks" "$(cat /tmp/*.fired | grep -vxc 0)"
	check "$name: none has failed" same "" "$(cat /tmp/*.failed 2>/dev/null)"
	check "$name: verify reports no mismatch" verified
}

fire_test() {
	fire 20
}

# nested: the events that the probe of that name was not called for.
nested() {
	awk '$4 == "nested" { n += $NF } END { print n + 0 }' FS='\t' $M/results
}

# hits_at SELECTOR: how often "nested" was called there.
hits_at() {
	awk -v selector="$1" '$2 == selector && $3 == "nested" && $4 == "events" { print $NF }' FS='\t' $M/results
}

fire_races() {
	echo 200 >$R/fire
}

# The module comes, runs its sites and goes.
fire_loaded() {
	insmod /marker_fields.ko && echo 10 >/sys/module/marker_fields/parameters/fire && rmmod marker_fields
}

# Debug sites: most record by their calls, some by kprobes.
fire_debug() {
	echo 3 >/sys/module/marker_debug/parameters/fire
}

fire_debug_loaded() {
	insmod /marker_debug.ko && echo 2 >/sys/module/marker_debug/parameters/fire && rmmod marker_debug
}

connecting_debug() {
	echo "connect debug:func=tail hist arg=tail; connect debug_marker_debug/hidden_2 hist arg=address" >$M/control
	echo "disconnect debug* hist" >$M/control
}

# Dynamic debug enables and disables the keys of the same sites.
printing() {
	echo "module marker_debug func tail +p; module marker_debug func hidden +p" >$D
	echo "module marker_debug -p" >$D
}

kprobes_debug() {
	echo "p:race marker_debug:tail+0" >$F/kprobe_events || return
	echo "p:many marker_debug:many+0" >>$F/kprobe_events || return
	echo 1 >$F/events/kprobes/enable || return
	usleep 100000
	echo 0 >$F/events/kprobes/enable
	echo >$F/kprobe_events
}

fire_nmi() {
	echo 20 >$R/nmi
}

echo 0 >/sys/module/suspend/parameters/pm_test_delay 2>/dev/null
check "connect" accepted "connect subsys_mark1 count; connect race_site count; arm livepatched count; arm race_nmi count; arm fields_* count"
log_mark
fire 1
of_one=$(sum)
check "each site is passed" test "$of_one" -ge 7

race connecting connecting 2 fire_test $((20 * of_one))
race reading reading 2 fire_test $((20 * of_one))
race loading loading 2 fire_test $((20 * of_one))
race "in a module that comes and goes" connecting 1 fire_loaded 20
race hotplug hotplug 2 fire_test $((20 * of_one))
race kprobes kprobes 2 fire_test $((20 * of_one))
race ftrace ftrace 2 fire_test $((20 * of_one))
race keys keys 2 fire_races 400
if [ -e /marker_livepatch.ko ]; then
	race livepatch livepatch 2 fire_test $((20 * of_one))
else
	skip "livepatch" "$(uname -m) has no CONFIG_LIVEPATCH"
fi
if echo freezer 2>/dev/null >$P/pm_test; then
	race freeze freeze 2 fire_test $((20 * of_one))
	echo none >$P/pm_test
else
	skip "freeze" "this kernel cannot test it"
fi
if [ -e $R/nmi ]; then
	race NMIs connecting 2 fire_nmi 20
else
	skip "NMIs" "only on x86"
fi
if [ -e $D ] && echo "arm debug_marker_debug/* count" >$M/control && load marker_debug; then
	race "debug sites" connecting_debug 2 fire_debug 42
	race "debug sites that are printed now and then" printing 2 fire_debug 42
	race "debug sites and kprobes" kprobes_debug 2 fire_debug 42
	unload marker_debug
	race "debug sites of a module that comes and goes" connecting 1 fire_debug_loaded 28
	check "disconnect the debug sites" accepted "disconnect debug*"
else
	skip "debug sites" "no dynamic debug here"
fi
# Each event makes two more, within the probe and in an interrupt there; and that makes a third.
check "connect a probe that has markers" \
	accepted "connect subsys_mark1 nested; connect nested_inside nested; connect nested_interrupt nested; connect nested_inside count"
before_all=$(sum)
race "probes in probes" connecting 1 fire_test $((20 * of_one * 3))
check "each event within such a probe is refused, and counted" same $(($(sum) - before_all)) \
	$(($(nested) * 3 / 2))
check "in an interrupt it is an event" same "$(hits_at subsys_mark1)" "$(hits_at nested_interrupt)"
check "disconnect" accepted "disconnect *"
check "nothing else was refused" same "" \
	"$(dmesg | grep 'markers:' | grep -v 'no site matches\|nothing is connected\|has probe\|cannot be recorded' | head -n 3)"
check "all modules can be unloaded" unload marker_races marker_test probe_nested probe_count probe_hist probe_copy markers
tap_done
