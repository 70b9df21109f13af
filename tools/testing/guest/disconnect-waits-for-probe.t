#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A probe runs on CPU 1 until the test ends it, while what it is connected to is
# disconnected: who has to wait for it, for how long, and what is freed.
# A probe holds one CPU while the other works.
# guest: accel=parallel debug=useful arch=x86_64

# shellcheck source=lib.sh
. "${0%/*}/lib.sh"
OVER=/sys/module/probe_slow/parameters/over

# CPU 1, which does not schedule meanwhile, is left to the probe.
taskset -p 1 $$ >/dev/null

is_in_probe() {
	kill -0 "$busy" 2>/dev/null || { echo "the probe has returned"; return 1; }
}

# during_wait COMMAND...: it succeeds while the disconnect waits for the probe.
during_wait() {
	"$@" && is_in_probe && { [ ! -e /tmp/errno ] || { echo "the disconnect has ended"; return 1; }; }
}

# begin SECONDS [held]: the probe runs on CPU 1, for a minute if nothing ends it; its
# disconnect, which waits for it so many seconds, has begun. Not called by check, whose
# subshell would lose the variables.
begin() {
	echo "$1" >/sys/module/markers/parameters/wait
	echo 0 >$OVER
	accepted "connect test_five slow 60000${2:+ $2}" || return
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

# disconnected: the disconnect has ended without an error.
disconnected() {
	tries=600
	until [ -e /tmp/errno ] || [ $((tries -= 1)) = 0 ]; do
		sleep 0.1
	done
	same 0 "$(cat /tmp/errno)"
}

# until_gone: the probe returns, and the connection is removed.
until_gone() {
	echo 1 >$OVER
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

load markers
load marker_test
load probe_count
load probe_slow

begin 60
check "the disconnect of a running probe waits" same 0 $?
check "a module without markers loads meanwhile" during_wait load marker_unmarked
check "a module with markers loads meanwhile" during_wait load marker_many_00
check "stats can be read meanwhile" during_wait stat_of sites
check "a module without markers is unloaded meanwhile" during_wait unload marker_unmarked
check "the connection is removed when the probe returns" until_gone
check "the disconnect has no error" disconnected

begin 1
check "the disconnect of another running probe waits" same 0 $?
check "the disconnect times out, and the log names the task" \
	ends "task sh ($busy) on CPU 1 has not slept"
check "the gates are closed" same closed "$(state test_five)"
check "control shows the connection as a comment" holds "$(cat $M/control)" "# disconnected, its probe still runs: "
check "the probe's module is in use" test "$(cat /sys/module/probe_slow/refcnt)" -gt 0
check "further commands are EAGAIN" refused EAGAIN "connect test_five count"
check "the probe is still running" is_in_probe
check "the connection is removed when that probe returns" until_gone

begin 1 held
check "the disconnect of a probe that holds its CPU waits" same 0 $?
check "a module without markers does not wait for the disconnect" waits_for_no_lock_of_ours
check "the disconnect times out, and the log names the CPU" \
	ends "CPU 1 has not scheduled"
check "the connection is removed when that probe returns, too" until_gone
wait

check "the probe's module can be unloaded" unload probe_slow
check "verify reports no mismatch" verified
check "other commands succeed" accepted "connect test_five count; connect many_site count"
fire 3
check "events are counted again" same 3 "$(hits count)"
check "disconnect succeeds" accepted "disconnect *"
check "verify reports no mismatch" verified
tap_done
