# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# A probe runs for eight seconds on CPU 1, while what it is connected to is
# disconnected: who has to wait for it, for how long, and what is freed.
. /lib.sh

# clock: milliseconds.
clock() {
	awk '{ print $1 * 1000 }' /proc/uptime
}

# within MS COMMAND...: it succeeds, and takes no longer.
within() {
	limit=$1
	shift
	start=$(clock)
	"$@" || return
	took=$(($(clock) - start))
	[ $took -le "$limit" ] || { echo "took $took ms, not $limit"; return 1; }
}

is_in_probe() {
	kill -0 "$busy" 2>/dev/null || { echo "the probe has returned"; return 1; }
}

# begin ARGUMENTS: the probe runs on CPU 1; its disconnect has begun. Not called by check,
# whose subshell would lose the variables.
begin() {
	accepted "connect test_five slow $1" || return
	taskset 2 sh -c "echo 1 >$T/fire" &
	busy=$!
	tries=600
	until [ "$(hits slow)" = 1 ] || [ $((tries -= 1)) = 0 ]; do
		sleep 0.1
	done
	log_mark
	rm -f /tmp/errno
	(
		control "disconnect *"
		echo "$errno" >/tmp/errno
	) &
	sleep 0.3
	is_in_probe
}

# until_gone: the probe returns, and the connection is removed.
until_gone() {
	wait "$busy"
	tries=600
	while [ "$(cat $M/control)" ] && [ $((tries -= 1)) -gt 0 ]; do
		sleep 0.1
	done
	same "" "$(cat $M/control)"
}

# ends LOG: the disconnect ends before the probe does, and the log says LOG.
ends() {
	tries=600
	until [ -s /tmp/errno ] || [ $((tries -= 1)) = 0 ]; do
		sleep 0.1
	done
	same ETIMEDOUT "$(cat /tmp/errno)" && is_in_probe && logged "$1"
}

# waits_for_no_lock_of_ours: insmod of a module without markers has ended, or waits in
# functions of the kernel: for RCU, where a CPU is held.
waits_for_no_lock_of_ours() {
	insmod /marker_unmarked.ko >/dev/null 2>&1 &
	insmod=$!
	tries=5
	while [ $((tries -= 1)) -ge 0 ]; do
		sleep 0.1
		! grep '\[markers\]' "/proc/$insmod/stack" 2>/dev/null || return 1
	done
	is_in_probe
}

load markers wait=1
load marker_test
load probe_count
load probe_slow

begin 8000
check "the disconnect of a running probe waits" same 0 $?
check "a module without markers loads within a second" within 1000 load marker_unmarked
check "a module with markers loads within three seconds" within 3000 load marker_many_00
check "stats can be read within a second" within 1000 stat_of sites
check "a module without markers is unloaded within a second" within 1000 unload marker_unmarked
check "the disconnect times out, and the log names the task" \
	ends "task sh ($busy) on CPU 1 has not slept"
check "the gates are closed" same closed "$(state test_five)"
check "control shows the connection as a comment" holds "$(cat $M/control)" "# disconnected, its probe still runs: "
check "the probe's module is in use" test "$(cat /sys/module/probe_slow/refcnt)" -gt 0
check "further commands are EAGAIN" refused EAGAIN "connect test_five count"
check "the probe is still running" is_in_probe
check "the connection is removed when the probe returns" until_gone

begin "8000 held"
check "the disconnect of a probe that holds its CPU waits" same 0 $?
check "a module without markers does not wait for the disconnect" waits_for_no_lock_of_ours
check "the disconnect times out, and the log names the CPU" \
	ends "CPU 1 has not scheduled"
check "the connection is removed when that probe returns" until_gone
wait

check "the probe's module can be unloaded" unload probe_slow
check "verify reports no mismatch" verified
check "other commands succeed" accepted "connect test_five count; connect many_site count"
fire 3
check "events are counted again" same 3 "$(hits count)"
check "disconnect succeeds" accepted "disconnect *"
check "verify reports no mismatch" verified
tap_done
