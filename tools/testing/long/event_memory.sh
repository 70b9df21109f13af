#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Memory that a kernel with the patches allocates for an event: of 100, less that for a module without.
# Counted by the events of kmem: allocated by insmod, and freed by no task.
# shellcheck source=../guest/lib.sh
. /lib.sh
F=/sys/kernel/tracing

kmem_events() {
	for event in kmalloc kmalloc_node kmem_cache_alloc kmem_cache_alloc_node kfree kmem_cache_free; do
		[ ! -e $F/events/kmem/$event ] || echo "$1" >$F/events/kmem/$event/enable
	done
}
allocated() {
	echo >$F/trace
	kmem_events 1
	insmod "/size_$1.ko"
	sleep 1		# RCU frees, too
	kmem_events 0
	rmmod "size_$1"
	awk '
		!match($0, / ptr=[^ ]+/) { next }
		{ ptr = substr($0, RSTART, RLENGTH) }
		/^ *insmod-/ && match($0, / bytes_alloc=[0-9]+/) { bytes[ptr] = substr($0, RSTART + 13, RLENGTH - 13) }
		/: (kfree|kmem_cache_free): / { delete bytes[ptr] }
		END { for (ptr in bytes) sum += bytes[ptr]; print sum + 0 }' $F/trace
}
echo 0 >$F/options/hash-ptr
echo 8192 >$F/buffer_size_kb
none=$(allocated none)
for kind in marker declare_trace trace_event; do
	echo "# $kind: $((($(allocated $kind) - none) / 100)) bytes of slabs for each of 100"
done
check "all allocations were seen" same 0 "$(sed -n 's/^overrun: //p' $F/per_cpu/cpu*/stats | awk '{ sum += $1 } END { print sum }')"
check "a hundred markers come and go" test ! -e $F/events/markers/size_11
tap_done
