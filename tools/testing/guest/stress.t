#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# All at once, for SECONDS: connections change, modules come and go, sites run,
# the files are read.
# guest: cpus=2

on_host() {
	boot "${SECONDS_OF_STRESS:-15}"
}

# shellcheck source=lib.sh
. "${0%/*}/lib.sh"
seconds=$1

load markers
load probe_count
load probe_copy
load marker_test
load marker_many_00
sed "s/marker_many_00/marker_many_01/g" /marker_many_00.ko >/tmp/many_01.ko

# again COMMAND: until the time is over; says how often its last step was done.
again() {
	n=0
	while [ ! -e /tmp/over ]; do
		"$1" >/dev/null 2>&1 && n=$((n + 1))
	done
	echo "$n" >"/tmp/$1.times"
}

connecting() {
	echo "connect many_site count; arm subsys_mark1 copy" >$M/control
	echo "connect test_* count; connect subsys_mark1 count" >$M/control
	echo "disconnect subsys_mark1 copy" >$M/control
	echo "disconnect *" >$M/control
}

loading() {
	rmmod marker_test
	insmod /tmp/many_01.ko
	load marker_test
	rmmod marker_many_01
}

running() {
	echo 20 >/sys/module/marker_many_00/parameters/fire
	echo 20 >$T/fire
}

reading() {
	cat $M/sites $M/verify $M/markers $M/probes $M/control $M/stats
}

log_mark
for job in connecting loading running reading; do
	again $job &
done
sleep "$seconds"
touch /tmp/over
wait
for job in connecting loading running reading; do
	check "$job ran meanwhile ($(cat /tmp/$job.times) times)" test "$(cat /tmp/$job.times)" -gt 2
done
check "only names of unloaded modules were refused" same "" \
	"$(dmesg | grep 'markers:' | grep -v 'no site matches\|nothing is connected\|has probe' | head -n 3)"
echo "disconnect *" >$M/control 2>/dev/null
check "all is closed" same 0 "$(grep -c '	open	' $M/sites)"
check "verify reports no mismatch" verified
check "all modules can be unloaded" unload marker_many_00 probe_count probe_copy markers
tap_done
