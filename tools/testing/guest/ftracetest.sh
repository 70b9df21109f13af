#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The kernel's own tests of ftrace and kprobes, with the programs of the host's
# root, which busybox does not replace: ftracetest.sh KERNEL [CASE...], where KERNEL
# is the folder of the kernel on the host and CASE as ftracetest takes it (default:
# all). Prints what ftracetest prints, what the tests at boot have said, and for a
# kernel with markers, whether all stayed open.
M=/sys/kernel/debug/markers
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

# The kernel's sites: how many are open, and how many are not.
markers() {
	awk -F '\t' -v when="$1" '$3 == "kernel" && $6 != "gone" { n[$6]++ }
		END { for (state in n) print "markers: " when ": " n[state] " " state }' $M/sites
}
[ ! -e $M/sites ] || markers before

# dumb: no colours.
chroot /host env TERM=dumb PATH=/usr/sbin:/usr/bin:/sbin:/bin \
	sh -c 'cd /run/ftrace && exec ./ftracetest -l /run/logs "$@"' ftracetest "$@"
status=$?
for log in /host/run/logs/*-log.*; do
	[ ! -e "$log" ] || { echo "# ${log##*/}:"; tail -n 25 "$log" | sed 's/^/#   /'; }
done

if [ -e $M/sites ]; then
	markers behind
	echo "markers: hits: $(awk -F '\t' '$1 == "count" { print $5 }' $M/probes)"
	echo "markers: verify: $(tail -n 1 $M/verify)"
	echo 'disconnect *' >$M/control
	echo "markers: disconnected: $(tail -n 1 $M/verify)"
fi
echo "ftracetest ends with $status"
