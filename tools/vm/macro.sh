#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Runs in a guest: macro.sh ENV FIRST ROUNDS WORKLOAD=OPERATIONS... In each round, of which
# FIRST is the number of the first, the workloads run with nothing enabled (closed) and with
# all markers of the kernel enabled (open). A kernel without markers does the same without
# them, so these two runs do not differ, and runs a third time with the tracepoints beside
# the markers enabled (traced). They take turns at being first. Prints progress as DONE/TOTAL
# lines beside the raw data.
env=$1
round=$2
rounds=$3
shift 3
macro=/macro
events=/sys/kernel/tracing/events
markers=$events/markers/enable
# The tracepoints where the series has its markers; the kernel need not have all of them.
beside="sched/sched_switch sched/sched_wakeup sched/sched_wakeup_new irq/irq_handler_entry
	irq/irq_handler_exit irq/softirq_entry irq/softirq_exit sched/sched_process_fork
	sched/sched_process_exec sched/sched_process_exit block/block_rq_issue
	block/block_rq_complete net/net_dev_start_xmit net/netif_receive_skb raw_syscalls/sys_enter
	raw_syscalls/sys_exit exceptions/page_fault_user exceptions/page_fault_kernel"

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
		fi
		[ "$1" != flood ] || wait_for_clock ;;
	metadata)
		mkdir -p /tmp/storm ;;
	esac
}

# wait_for_clock: ping takes a time without a whole second for none, and then does not wait for replies.
wait_for_clock() {
	while [ "$(cut -d . -f 1 /proc/uptime)" -lt 2 ]; do
		sleep 0.1
	done
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
			grep -q " $2 received, 0% packet loss" /tmp/flood || {
			cat /tmp/flood >&2
			false
		} ;;
	metadata)
		(cd /tmp/storm && exec $macro "$@") ;;
	*)
		$macro "$@" ;;
	esac || die "$1 failed"
}

# files STATE: what enables its events.
files() {
	case $1 in
	open)
		[ ! -e $markers ] || echo $markers ;;
	traced)
		for event in $beside; do
			[ ! -e "$events/$event" ] || echo "$events/$event/enable"
		done ;;
	esac
}

# set_events STATE 0|1
set_events() {
	for file in $(files "$1"); do
		echo "$2" >"$file" || die "$file cannot be written"
	done
}

# pass STATE ROUND: all workloads.
pass() {
	state=$1
	round=$2
	shift 2
	set_events "$state" 1
	for workload; do
		run "${workload%%=*}" "${workload#*=}" "$state" "$round"
		done=$((done + 1))
		echo "$done/$total"
	done
	set_events "$state" 0
}

for workload; do
	prepare "${workload%%=*}"
done
$macro head "$env"
if [ -e $markers ]; then
	states='closed open'
	printf '#markers\t%s\n' "$(find ${markers%/*} -mindepth 1 -type d | wc -l)"
else
	states='closed open traced'
	printf '#tracepoints\t%s\n' "$(files traced | wc -l)"
fi
done=0
total=$((rounds * $# * $(echo "$states" | wc -w)))
last=$((round + rounds))
turned=0
while [ "$round" -lt $last ]; do
	# The first of the states becomes the last, once for each round before this one.
	while [ $turned -lt "$round" ]; do
		states="${states#* } ${states%% *}"
		turned=$((turned + 1))
	done
	for state in $states; do
		pass "$state" "$round" "$@"
	done
	round=$((round + 1))
done
