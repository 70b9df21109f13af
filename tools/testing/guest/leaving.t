#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Modules and sessions go only after running work has ended: marker_held.ko delays work items. DEBUG=1: in a
# kernel with KASAN, lockdep and the like.
# guest: debug=useful
# shellcheck source=lib.sh
. "${0%/*}/lib.sh"
H=/sys/module/marker_held/parameters

load markers expose=
load probe_count
load marker_test
load marker_held late_ms=2500
echo 1 >/sys/module/markers/parameters/wait

# Two end one session at once.  While the first one waits for the last calls of the snapshot's
# probe, another connection of the session is there, and then comes the second one.
C=$M/ctf
disconnecting() {
	status=1
	if echo disconnect >$C/control; then status=0; fi
	echo $status >"/tmp/$1"
}
load probe_ctf
echo mode=overwrite >$C/control
# On a slow machine the first one may have ended too early: then again, and longer.
for wait in 1 4 15; do
	ms=$((wait * 1300))
	echo $wait >/sys/module/markers/parameters/wait
	check "connect a session, wait=$wait" accepted "connect subsys_mark1 ctf; connect subsys_mark1 snapshot"
	rm -f /tmp/first
	echo $ms >$H/ms
	disconnecting first &
	sleep 0.3
	# Refused while the first one has the lock; it gets it when that takes it the second time.
	until control "connect test_five ctf"; [ "$errno" = 0 ]; do
		sleep 0.01
	done &
	other=$!
	echo $((wait * 900)) >$H/ms
	wait $other
	[ -e /tmp/first ] || break
	echo 0 >$H/ms
	wait
	accepted "disconnect *" >/dev/null
done
check "the first one has not ended" test ! -e /tmp/first
disconnecting second &
wait
check "two-enders-leave-nothing: both say that it is done" same "0 0" "$(cat /tmp/first /tmp/second | xargs)"
check "nothing is connected" same "" "$(connections)"
echo 0 >$H/ms
rmmod probe_ctf

# Only the disconnect is to time out, on a slow machine, too.
echo 10 >/sys/module/markers/parameters/wait
check "connect" accepted "connect subsys_mark1 count"
echo 1 >/sys/module/markers/parameters/wait
echo 1300 >$H/ms
control "disconnect subsys_mark1"
check "the disconnect does not wait for work items that are held" same ETIMEDOUT "$errno"
# The wait is over, which its last work item is about to report: by another work item.
until rmmod probe_count 2>/dev/null; do
	control ";"
done
check "its last work item is still under way" test "$(dmesg | grep -c 'has not scheduled')" -gt 0
check "all modules can be unloaded" unload marker_test marker_gates markers
check "rmmod-drains-work: no work item is left" same 0 "$(cat $H/held)"
check "none was on a workqueue of the kernel" same 0 "$(cat $H/others)"
check "markers.ko can be loaded again" load markers
check "and be unloaded" unload markers marker_held
tap_done
