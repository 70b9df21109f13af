#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The kernel's own tests of ftrace and kprobes, with the programs of the host's
# root, which busybox does not replace: ftracetest.sh KERNEL [CASE...], where KERNEL
# is the folder of the kernel on the host and CASE as ftracetest takes it (default:
# all). Prints what ftracetest prints, what the tests at boot have said, and for a
# kernel with markers, how often they were passed meanwhile.
kernel=$1
shift

mount -t tmpfs run /host/run
mkdir /host/run/ftrace
mount -o bind "/host$kernel/tools/testing/selftests/ftrace" /host/run/ftrace
[ ! -d "/host$kernel/installed" ] || mount -o bind "/host$kernel/installed/lib/modules" /host/lib/modules
# Last, since the kernel may be below it.
mount -t tmpfs tmp /host/tmp
# Some tests make events with ping.
ip link set lo up

dmesg | sed 's/^\[[^]]*\] *//' | awk '
	/Testing .*: [A-Z]+$/ { sub(/.*Testing/, "boot: Testing"); print }
	/# Subtest: / { suite = $NF }
	suite == "kprobes_test" && /^ *(not )?ok [0-9]/ {
		print "boot: KUnit " suite " " $NF ": " ($1 == "ok" ? "ok" : "not ok")
	}'

# perf keeps all events enabled while it counts them, whatever a test does with tracefs.
counted=
[ ! -e /sys/kernel/tracing/events/markers ] ||
	counted="perf stat -x, -a -o /run/counted -e markers:*"

# dumb: no colours.
# shellcheck disable=SC2086
chroot /host env TERM=dumb PATH=/usr/sbin:/usr/bin:/sbin:/bin \
	$counted sh -c 'cd /run/ftrace && exec ./ftracetest -l /run/logs "$@"' ftracetest "$@"
status=$?
for log in /host/run/logs/*-log.*; do
	[ ! -e "$log" ] || { echo "# ${log##*/}:"; tail -n 25 "$log" | sed 's/^/#   /'; }
done

if [ "$counted" ]; then
	awk -F , '$3 ~ /^markers:/ { n++; hits += $1; seen += $1 > 0 }
		END { print "markers: events: " seen " of " n; print "markers: hits: " hits }' /host/run/counted
	dmesg | sed -n 's/.*markers: \([^ ]* .* is refused\): .*/markers: refused: \1/p'
fi
echo "ftracetest ends with $status"
