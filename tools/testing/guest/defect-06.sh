# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# A probe holds CPU 1 for eight seconds, while what it is connected to is
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

is_held() {
	kill -0 $held 2>/dev/null || { echo "CPU 1 is free again"; return 1; }
}

# until_gone: CPU 1 is free, and the connection is no more.
until_gone() {
	wait $held
	tries=50
	while [ -s $M/control ] && [ "$(cat $M/control)" ] && [ $((tries -= 1)) -gt 0 ]; do
		sleep 0.1
	done
	same "" "$(cat $M/control)"
}

load markers wait=1
load marker_test
load probe_count
load probe_slow
check "a probe that holds its CPU for the first event" accepted "connect test_five slow 8000"
taskset 2 sh -c "echo 1 >$T/fire" &
held=$!
tries=50
until [ "$(hits slow)" = 1 ] || [ $((tries -= 1)) = 0 ]; do
	sleep 0.1
done
check "it holds CPU 1" is_held
log_mark
(
	control "disconnect *"
	echo "$errno" >/tmp/errno
) &
disconnect=$!
sleep 0.3
check "a module without markers loads meanwhile, at once" within 1000 load marker_unmarked
check "one with markers, too" within 3000 load marker_many_00
check "stats are read" within 1000 stat_of sites
wait $disconnect
check "the disconnect ends before the probe does" same ETIMEDOUT "$(cat /tmp/errno)"
check "CPU 1 is still held" is_held
check "the log says by whom it was waited" logged "CPU 1 has not scheduled"
check "the gates are closed" same closed "$(state test_five)"
check "the connection is shown, as a comment" holds "$(cat $M/control)" "# disconnected, its probe still runs: "
check "its probe cannot go" test "$(cat /sys/module/probe_slow/refcnt)" -gt 0
check "nothing else is begun" refused EAGAIN "connect test_five count"
check "CPU 1 was held all the while" is_held
check "then the connection goes by itself" until_gone
check "and the probe can go" unload probe_slow
check "verify" verified
check "all goes on" accepted "connect test_five count; connect many_site count"
fire 3
check "events are seen" same 3 "$(hits count)"
check "and disconnected without a word" accepted "disconnect *"
check "verify" verified
tap_done
