#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Memory for the recorder: refused when there is too little, and given to a CPU that
# comes up later.
# The recorder asks for more memory than there is.
# guest: host_root=yes append=maxcpus=1 arch=x86_64
# shellcheck source=lib.sh
. "${0%/*}/lib.sh"
top=$1
home=$2
# shellcheck source=recorder.sh
. "/host$top/tools/testing/guest/recorder.sh"

log_mark
run record --size 1G -o /mnt/big types_ints -- true
check "1G a CPU in this guest is refused" same 1 $status
check "kmark says how much memory it needs" holds "$said" "is refused: ctf: session default: size=1073741824 needs 10"
check "the log says how much it needs" logged "size=1073741824 needs 10"
check "the log says how much memory there is" logged "at most half of the available"
check "no process was killed for it" sh -c '! dmesg | grep -q oom-killer'
check "nothing is left connected" nothing_left
check "the folder is removed" test ! -e /host/mnt/big
run record -o /mnt/big types_ints -- taskset 1 sh -c "echo 100 >$F/fire"
check "a smaller buffer is accepted" holds "$status $said" "100 events recorded, none lost"

check "the second CPU is off" same 0 "$(cat /sys/devices/system/cpu/online)"
run record -o /mnt/later types_ints -- sh -c "
	taskset 1 sh -c 'echo 100 >$F/fire'
	echo 1 >/sys/devices/system/cpu/cpu1/online
	taskset 2 sh -c 'echo 200 >$F/fire'"
check "a CPU that comes up later has a buffer" holds "$status $said" "300 events recorded, none lost"
check "it has a file in the trace" test -s /host/mnt/later/cpu1

# A CPU that comes up when memory is short.
echo 0 >/sys/devices/system/cpu/cpu1/online
unload probe_ctf
load probe_ctf
half=$(awk '/^MemAvailable/ { size = 4096; while (size * 2 < $2 * 0.45) size *= 2; print size }' /proc/meminfo)
free=$(awk -v half="$half" '/^MemAvailable/ { print $2 - half - half / 2 }' /proc/meminfo)
mkdir /tmp/full
mount -t tmpfs -o size=100% full /tmp/full
echo "size=${half}K" >$C/control
check "a buffer of almost half of the memory" accepted "connect types_ints ctf"
dd if=/dev/zero of=/tmp/full/memory bs=1k count="${free%.*}" 2>/dev/null
log_mark
echo 1 >/sys/devices/system/cpu/cpu1/online
check "a CPU that comes up then has none" logged "the events of CPU 1 are lost"
taskset 2 sh -c "echo 200 >$F/fire"
check "its events are counted as lost" same 200 "$(sum lost)"
check "no process was killed for it" sh -c '! dmesg | grep -q oom-killer'
tap_done
