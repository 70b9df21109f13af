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

# begin ARGUMENTS: the probe runs on CPU 1; its disconnect has begun. Not in check, for
# which it would set variables in vain.
begin() {
	accepted "connect test_five slow $1" || return
	taskset 2 sh -c "echo 1 >$T/fire" &
	busy=$!
	tries=50
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

# until_gone: the probe returns, and the connection is no more.
until_gone() {
	wait "$busy"
	tries=50
	while [ "$(cat $M/control)" ] && [ $((tries -= 1)) -gt 0 ]; do
		sleep 0.1
	done
	same "" "$(cat $M/control)"
}

# ends LOG: the disconnect, before the probe does.
ends() {
	tries=50
	until [ -s /tmp/errno ] || [ $((tries -= 1)) = 0 ]; do
		sleep 0.1
	done
	same ETIMEDOUT "$(cat /tmp/errno)" && is_in_probe && logged "$1"
}

# waits_for_nobody_of_ours: insmod of a module without markers has ended, or waits in
# functions of the kernel: for RCU, where a CPU is held.
waits_for_nobody_of_ours() {
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
check "a probe runs, and its disconnect waits" same 0 $?
check "a module without markers loads meanwhile, at once" within 1000 load marker_unmarked
check "one with markers, too" within 3000 load marker_many_00
check "stats are read" within 1000 stat_of sites
check "a module without markers goes, at once" within 1000 unload marker_unmarked
check "the disconnect ends before the probe does, and says who was waited for" \
	ends "task sh ($busy) on CPU 1 has not slept"
check "the gates are closed" same closed "$(state test_five)"
check "the connection is shown, as a comment" holds "$(cat $M/control)" "# disconnected, its probe still runs: "
check "its probe cannot go" test "$(cat /sys/module/probe_slow/refcnt)" -gt 0
check "nothing else is begun" refused EAGAIN "connect test_five count"
check "the probe ran all the while" is_in_probe
check "then the connection goes by itself" until_gone

begin "8000 held"
check "a probe holds its CPU, and its disconnect waits" same 0 $?
check "a module without markers does not wait for the disconnect" waits_for_nobody_of_ours
check "the disconnect ends before the probe does, and says who was waited for" \
	ends "CPU 1 has not scheduled"
check "then the connection goes by itself" until_gone
wait

check "the probe can go" unload probe_slow
check "verify" verified
check "other commands succeed" accepted "connect test_five count; connect many_site count"
fire 3
check "events are seen" same 3 "$(hits count)"
check "and disconnected without a word" accepted "disconnect *"
check "verify" verified
tap_done
