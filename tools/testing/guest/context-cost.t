#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Instructions that each item of the context adds to an event: from one event of a loop to the next, with
# the item less without any.  The counter ticks once an instruction here (QEMU's icount).
# guest: cpus=1 icount=yes

on_host() {
	not_on arm64 "the counter of arm64 ticks every 16 instructions under icount"
	boot
}

# shellcheck source=lib.sh
. "${0%/*}/lib.sh"
C=$M/ctf
P=/sys/kernel/debug/marker_types/packets
EVENTS=10

for module in markers marker_types probe_ctf; do
	load $module
done
echo "size=16K clock=tsc addresses=raw" >$C/control

# word OFFSET: of the packet.
word() {
	od -v -A n -t u8 -j "$1" -N 8 /tmp/packet | tr -d ' '
}

# ticks OFFSET: the 27 bits of the time in the compact header of an event.
ticks() {
	echo $(($(od -v -A n -t u4 -j "$1" -N 4 /tmp/packet) >> 5))
}

# once WORDS: connects ctf with them, fires, and prints what one event takes.
once() {
	control "connect packet_queued ctf $1"
	[ "$errno" = 0 ] || return
	echo $EVENTS >$P
	echo stop >$C/control
	dd if=$C/packets of=/tmp/packet bs=4096 count=1 2>/dev/null
	control "disconnect *"
	echo start >$C/control
	echo close >$C/control
	length=$((($(word 24) / 8 - 64) / EVENTS))
	echo $((($(ticks $((64 + (EVENTS - 1) * length))) - $(ticks $((64 + length))) & 0x7ffffff) / (EVENTS - 2)))
}

# cost WORDS: the least of two, since the timer may interrupt one.
cost() {
	for _ in 1 2; do
		once "$1"
	done | sort -n | head -n 1
}

plain=$(cost "")
check "an event has been timed" test "$plain" -gt 0
echo "# of the loop and an event of two arguments: $plain instructions"
# Items, and the most instructions that each may add.
while read -r items most; do
	with=$(cost "context=$items")
	check "context=$items adds at most $most instructions" test "$((with - plain))" -le "$most"
	echo "# context=$items: $((with - plain)) instructions"
done <<'END'
tid 200
pid 200
tid,pid 20
comm 200
prio 200
cpu 200
irq 200
preempt 200
cgroup 200
tid,pid,comm,prio,cpu,irq,preempt,cgroup 500
kstack 10000
ustack 1000
END
check "all modules can be unloaded" unload probe_ctf marker_types markers
tap_done
