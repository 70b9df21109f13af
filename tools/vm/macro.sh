#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Runs in a guest: macro.sh ENV FIRST ROUNDS PROBE WORKLOAD=OPERATIONS... In each
# round, of which FIRST is the number of the first, the workloads run twice: with
# nothing connected (closed), and with PROBE on all markers of the kernel (open); the two
# take turns at being first. A kernel without markers does the same without them, so its
# two runs do not differ because of markers. Prints progress as DONE/TOTAL lines beside
# the raw data.
env=$1
round=$2
rounds=$3
probe=$4
shift 4
macro=/macro
control=/sys/kernel/debug/markers/control

die() {
	echo "macro.sh: $*" >&2
	exit 1
}

# Addresses and their hashes, the same in each run.
echo 0 >/proc/sys/kernel/randomize_va_space
ip link set lo up 2>/dev/null || ifconfig lo 127.0.0.1 up || die "no loopback"

prepare() {
	case $1 in
	compile | kernel)
		[ -e /disk/linux ] && return
		for disk in /dev/vda /dev/ubda ''; do
			[ -b "$disk" ] && break
		done
		mkdir -p /disk
		mount -t ext4 -o ro,noatime "$disk" /disk || die "the disk cannot be mounted"
		mount -t tmpfs tmp /disk/tmp || die "the disk has no /tmp" ;;
	syscall | flood)
		if [ "$env" = uml ] && [ ! -e /host/usr ]; then
			mkdir -p /host
			mount -t hostfs -o / none /host || die "the host's root cannot be mounted"
			mount -o rbind /proc /host/proc || die "the host's root has no /proc"
		fi ;;
	metadata)
		mkdir -p /tmp/storm ;;
	esac
}

# run WORKLOAD OPERATIONS STATE ROUND
run() {
	case $1 in
	compile | kernel)
		$macro "$@" -- chroot /disk /bin/sh "/$1.sh" "$4" ;;
	syscall)
		$macro "$@" -- chroot /host /usr/bin/perf bench syscall basic -l "$2" ;;
	flood)
		$macro "$@" -- chroot /host /usr/bin/ping -f -q -c "$2" 127.0.0.1 2>/tmp/flood &&
			grep -q " $2 received, 0% packet loss" /tmp/flood ;;
	metadata)
		(cd /tmp/storm && exec $macro "$@") ;;
	*)
		$macro "$@" ;;
	esac || die "$1 failed"
}

# pass STATE ROUND: all workloads.
pass() {
	state=$1
	round=$2
	shift 2
	if [ "$state" = open ] && [ -e $control ]; then
		echo "connect module:kernel $probe" >$control || die "$probe cannot be connected"
	fi
	for workload; do
		run "${workload%%=*}" "${workload#*=}" "$state" "$round"
		done=$((done + 1))
		echo "$done/$total"
	done
	if [ "$state" = open ] && [ -e $control ]; then
		echo "disconnect module:kernel $probe" >$control || die "$probe cannot be disconnected"
	fi
}

for workload; do
	prepare "${workload%%=*}"
done
$macro head "$env"
if [ -e $control ]; then
	printf '#markers\t%s\n' "$(tail -n +2 /sys/kernel/debug/markers/markers | wc -l)"
	printf '#sites\t%s\n' "$(tail -n +2 /sys/kernel/debug/markers/sites | grep -cw kernel)"
fi
done=0
total=$((2 * rounds * $#))
last=$((round + rounds))
while [ "$round" -lt $last ]; do
	states='closed open'
	[ $((round % 2)) = 0 ] || states='open closed'
	for state in $states; do
		pass "$state" "$round" "$@"
	done
	round=$((round + 1))
done
