#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# All CPUs are synchronised under cpu_hotplug_lock, so that none starts up meanwhile. The
# argument says whether a program with stand-ins found the order of the model.
# The order of a transaction: in a program, compared with the model of the protocol; then
# in a kernel, as the function tracer sees it.
# guest: timeout=120 arch=x86_64

on_host() {
	replay=$("$here/../native/model/run" --replay) && good=yes || good=no
	printf '%s\n' "$replay" | sed 's/^/# /'
	boot "$good"
}

# shellcheck source=lib.sh
. "${0%/*}/lib.sh"
F=/sys/kernel/tracing

check "a program with stand-ins finds the order right" same yes "$1"
load marker_test
load markers
load probe_count
mount | grep -q tracefs || mount -t tracefs trace $F
echo cpus_read_lock cpus_read_unlock on_each_cpu_cond_mask >$F/set_ftrace_filter
printf '%s\n' "$$" >$F/set_ftrace_pid

# order COMMANDS: $letters are the locks and rounds of a transaction.
order() {
	echo function >$F/current_tracer
	echo "$1" >$M/control
	letters=$(sed -n 's/.*: cpus_read_lock <.*/(/p; s/.*: cpus_read_unlock <.*/)/p
		s/.*: on_each_cpu_cond_mask <-marker_text_sync.*/s/p' $F/trace | tr -d '\n')
	echo nop >$F/current_tracer
}

# At least two rounds while the lock is held, and none without it. (Other code synchronises
# CPUs, too.)
rounds() {
	holds "$letters" "(ss" && ! echo "$letters" | sed 's/(s*)//g' | grep s
}

order "connect subsys_mark1 count"
check "connect: rounds only under the lock" rounds
order "disconnect *"
check "disconnect: rounds only under the lock" rounds
check "verify reports no mismatch" verified

# A CPU goes offline and online meanwhile.
cpu=/sys/devices/system/cpu/cpu1/online
(while :; do
	echo 0 >$cpu
	echo 1 >$cpu
done) &
i=0
while [ $((i += 1)) -le 30 ]; do
	accepted "connect subsys_mark1 count" >/dev/null || echo "not accepted: $errno"
	fire 1
	accepted "disconnect *" >/dev/null || echo "not accepted: $errno"
done
kill $!
wait $! 2>/dev/null
echo 1 >$cpu
check "verify reports no mismatch while a CPU goes offline and online" verified
tap_done
