#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A kernel with the patches applied: its own markers, through their files. Booted with
# markers=initcall_level:count. With an argument: the kernel has lockdep.
. /lib.sh

load_event() {
	true & wait
	ls /proc >/dev/null 2>&1
}

check "the core is built in" same yes "$built_in"
check "the KUnit suite has passed" test "$(dmesg | grep -cE '(^|\] )ok [0-9]+ (- )?markers$')" = 1
check "all sites are verified" verified
check "the command line has armed a marker" same "connect initcall_level count" "$(cat $M/control)"
check "the armed marker has seen the init levels after the core's" same 5 "$(hits count)"
check "the text of the armed marker is gone" same gone "$(state initcall_level)"
check "disconnect" accepted "disconnect initcall_level"

check "the core kernel has markers" test "$(grep -c . $M/markers)" -gt 18
check "each gate of the kernel is nop5" same nop5 \
	"$(awk -F '\t' '$3 == "kernel" && $6 !~ /gone|refused/ && $5 != "switch" && $2 !~ /generic/ { print $5 }' $M/sites | sort -u | xargs)"
check "a site of a kind that the kernel does not know is refused alone" same "kunit_event_refused unknown" \
	"$(awk -F '\t' '$6 == "refused" { print $2, $5 }' $M/sites)"
check "the log names it" test "$(dmesg | grep -c 'markers: kernel: kunit_event_refused (.*) is not used: expected a registered kind of gate, found 13: ')" -ge 1
for marker in sched_switch sys_enter page_fault; do
	check "$marker: connect" accepted "connect $marker count"
	check "$marker: open" same open "$(state $marker)"
	check "$marker: verified" verified
	for _ in 1 2 3 4 5 6 7 8 9; do
		load_event
	done
	check "$marker: counted" test "$(hits count)" -ge 9
	check "$marker: disconnect" accepted "disconnect $marker"
	check "$marker: closed" same closed "$(state $marker)"
done

# All of them, several times, while they run.
accepted "connect module:kernel count" >/dev/null
check "all sites of the kernel open at once" same open "$(awk -F '\t' '$3 == "kernel" { print $6 }' $M/sites | grep -vE 'gone|refused' | sort -u | xargs)"
while :; do load_event; done &
for _ in 1 2 3 4 5 6 7 8 9 10; do
	accepted "disconnect module:kernel" >/dev/null
	accepted "connect module:kernel count" >/dev/null
done
kill $!
check "verify reports no mismatch after ten more times" verified
for marker in sys_exit sched_wakeup process_fork process_exec process_exit softirq_entry irq_entry; do
	check "$marker is open" same open "$(state $marker)"
done
check "all sites are disconnected" accepted "disconnect *"
check "verify reports no mismatch" verified

# Their arguments, by name: what others have caused as well has a bound from below only.
seen_if() {
	accepted "connect $1 count if $2" || return
	load_event
	check "$1 if $2" test "$(hits count)" -ge 1
	accepted "disconnect $1"
}
seen_if page_fault "user == 1 && address > 0"
seen_if sched_switch "prev_comm == sh && prev_prio == 120"
seen_if sched_switch "next_comm == sh && next_pid > 1"
seen_if sched_wakeup_new "prio == 120 && target_cpu < 64"
check "a condition on an argument that there is not is refused" refused EINVAL "connect trap_entry count if vector == 3"

# The kernel's own test, as its selftests run it.
sh /markers.sh >/tmp/selftest
status=$?
sed 's/^/# /' /tmp/selftest
check "tools/testing/selftests/markers passes" same 0 "$status"
check "it leaves nothing connected" same "" "$(cat $M/control)"

# Each change of text is reported to perf, which Intel PT's decoder needs: of the gate and of the
# call behind it, when they open and when they close.
F=/sys/kernel/tracing
# pokes COMMANDS ADDRESS: old and new first byte of the instruction there, for each change.
pokes() {
	/text_poke "echo '$1' >$M/control" | sed -n "s/^0*$2 \(..\)[^ ]* \(..\).*/\1 \2/p" | xargs
}
accepted "disconnect *" >/dev/null
site=$(site_field process_fork nop5 4)
gate=$(address_of "$site" "")
if [ "$optimizes" ]; then
	check "perf sees a gate open" same "0f e9" "$(pokes "connect process_fork count" "$gate")"
	check "opening it took $rounds rounds" same "$rounds" "$(stat_of patch.rounds)"
	load_event
	check "the marker counts" test "$(hits count)" -ge 1
	check "perf sees the gate close" same "e9 0f" "$(pokes "disconnect process_fork" "$gate")"
	check "perf sees the gate and the call, when they open and when they close" same 4 \
		"$(/text_poke "echo 'connect process_fork count' >$M/control
			echo 'disconnect process_fork' >$M/control" | grep -c .)"
else
	skip "perf sees gates open and close" "$(uname -m) has no text-poke events"
fi

# Other code that patches text.
address=${site%/*}
check "a kprobe on a site is refused" same refused \
	"$(echo "p:onsite $address" 2>/dev/null >>/sys/kernel/tracing/kprobe_events && echo set || echo refused)"
check "a kprobe beside a site is accepted" same set \
	"$(echo "p:beside ${address%+*}" 2>/dev/null >>/sys/kernel/tracing/kprobe_events && echo set || echo refused)"
echo 1 >/sys/kernel/tracing/events/kprobes/beside/enable
check "a marker opens beside a kprobe" accepted "connect process_fork count"
load_event
check "a marker beside a kprobe counts" test "$(hits count)" -ge 1
echo 0 >/sys/kernel/tracing/events/kprobes/beside/enable
echo >/sys/kernel/tracing/kprobe_events
accepted "disconnect *" >/dev/null
# In marked functions kprobes become jumps where they do without markers. Not in all
# functions: some have exception table entries of their own.
awk -F '\t' '$3 == "kernel" && $5 == "nop5" && $6 == "closed" { sub(/\+.*/, "", $4); print $4 }' $M/sites |
	sort -u | while read -r function; do
	{ echo "p:in_$function $function+$past_entry" >>/sys/kernel/tracing/kprobe_events; } 2>/dev/null
done
echo 1 >/sys/kernel/tracing/events/kprobes/enable
[ ! "$optimizes" ] || sleep 3
grep -v '^\S*r' /sys/kernel/debug/kprobes/list | sed 's/^/# /'
if [ "$optimizes" ]; then
	check "kprobes in do_exit() and kernel_clone() are optimised" same "do_exit kernel_clone" \
		"$(sed -n 's/.* \(do_exit\|kernel_clone\)+0x5 .*\[OPTIMIZED\].*/\1/p' /sys/kernel/debug/kprobes/list | sort | xargs)"
	check "kprobes in most other marked functions are optimised" test "$(grep -c 'OPTIMIZED' /sys/kernel/debug/kprobes/list)" -ge 5
else
	for what in "do_exit() and kernel_clone()" "most other marked functions"; do
		skip "kprobes in $what are optimised" "$(uname -m) has no optimised kprobes"
	done
	check "kprobes in most marked functions are set" test "$(grep -c '' /sys/kernel/debug/kprobes/list)" -ge 7
fi
load_event
check "verify reports no mismatch beside kprobes" verified
echo 0 >/sys/kernel/tracing/events/kprobes/enable
echo >/sys/kernel/tracing/kprobe_events
echo function >$F/current_tracer
check "markers connect under the function tracer" accepted "connect module:kernel count"
load_event
check "verify reports no mismatch" verified
accepted "disconnect *" >/dev/null
echo nop >$F/current_tracer

# The sample.
insmod /markers-sample.ko
check "the marker of the sample module connects" accepted "connect sample_number largest"
echo 7 >/sys/module/markers_sample/parameters/number
echo 3 >/sys/module/markers_sample/parameters/number
check "the probe of the sample module sees the largest number" same 7 "$(cat /sys/module/markers_sample/parameters/largest)"
accepted "disconnect *" >/dev/null
rmmod markers_sample
check "the sample module can be unloaded" same 0 "$(grep -c sample_number $M/markers)"

# lockdep turns itself off when it has found something.
[ $# = 0 ] || check "lockdep is still on at the end" same "debug_locks: 1" \
	"$(grep debug_locks: /proc/lockdep_stats | xargs)"
tap_done
