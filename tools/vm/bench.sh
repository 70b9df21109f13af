#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Runs in the guest: bench.sh ROUNDS [SCALE [PARAMETER... [-- SERIES...]]]
# ROUNDS rounds of every case, disabled and then enabled, the loops SCALE times as
# many. Prints progress as DONE/TOTAL lines, then the raw data. The parameters are those
# of marker_bench.ko; the series are taken first, by method.sh.
set -e
rounds=$1
scale=${2:-1}
shift $(($# < 2 ? $# : 2))
debugfs=/sys/kernel/debug

for module in markers probe_empty probe_copy probe_ctf marker_gates; do
	insmod /$module.ko
done
parameters=
while [ $# -gt 0 ] && [ "$1" != -- ]; do
	parameters="$parameters $1"
	shift
done
# shellcheck disable=SC2086 # several words
insmod /marker_bench.ko $parameters
if [ $# -gt 1 ]; then
	shift
	sh /method.sh "$@" >/tmp/method
fi

# measure STATE UNTIL: rounds of that state until so many are done in all.
done=0
measure() {
	until [ $done = "$2" ]; do
		echo "$1 rounds=1 scale=$scale" >$debugfs/marker_bench/run
		done=$((done + 1))
		echo "$done/$((2 * rounds))"
	done
}

measure disabled "$rounds"
# Without a reader the oldest events have to be overwritten.
sink_clock=tsc
if ! echo "size=1M mode=overwrite clock=tsc" >$debugfs/markers/ctf/control; then
	sink_clock=mono
	echo "size=1M mode=overwrite clock=mono" >$debugfs/markers/ctf/control
fi
echo "connect subsys_mark1 empty; connect bench_event ctf" >$debugfs/markers/control
# Peers that cannot be enabled on this kernel are not measured; the raw data names them.
missing=
# Two peers are messages of dynamic debug: one is printed, one recorded.
ddebug=$debugfs/dynamic_debug/control
if [ -e $ddebug ]; then
	echo "module marker_bench func pr_debug +p" >$ddebug
	(echo "connect debug_marker_bench/debug_site ctf" >$debugfs/markers/control) 2>/dev/null ||
		missing="$missing debug_site"
fi
# The peer bpf is a program that another program attaches.
holder=
[ ! -e /attach_bpf ] || holder=$(/attach_bpf bench_bpf) || missing="$missing bpf"
measure enabled $((2 * rounds))
[ -z "$holder" ] || kill "$holder"
# Kprobes that stay breakpoints, in runs of their own. Where the kernel never makes jumps
# of them, there is nothing to switch.
optimize=/proc/sys/debug/kprobes-optimization
[ -e $optimize ] || optimize=/dev/null
if grep -q kprobe-int3 $debugfs/marker_bench/cases; then
	echo 0 >$optimize
	done=0
	until [ $done = "$rounds" ]; do
		for only in kprobe_int3 kprobe_emulated; do
			echo "enabled rounds=1 scale=$scale shape=empty only=$only" >$debugfs/marker_bench/run
		done
		done=$((done + 1))
	done
	echo 1 >$optimize
fi
cat $debugfs/marker_bench/raw
mitigations=$(grep -vx 'Not affected' /sys/devices/system/cpu/vulnerabilities/* 2>/dev/null |
	sed 's,^/[^:]*/,,' | paste -s -d ';')
printf '#mitigations\t%s\n' "${mitigations:-none}"
# The flag is there if the kernel uses the feature.
printf '#ibt\t%s\n' "$(grep -qw ibt /proc/cpuinfo && echo yes || echo no)"
[ -z "$missing" ] || printf '#missing_peers\t%s\n' "${missing# }"
printf '#sink_clock\t%s\n' $sink_clock
[ ! -e /tmp/method ] || grep -v '^[0-9]*/[0-9]*$' /tmp/method
