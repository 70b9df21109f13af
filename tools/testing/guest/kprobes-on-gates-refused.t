#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Kprobes on gates and calls are refused, also disabled ones, and are optimised beside
# them. A transaction leaves out only the gate whose bytes are foreign.
# guest: timeout=120 arch=x86_64
# shellcheck source=lib.sh
. "${0%/*}/lib.sh"
F=/sys/kernel/tracing

load marker_test
load marker_foreign
load markers
load probe_count
mount | grep -q tracefs || mount -t tracefs trace $F

# gates: the places of all gates of code.
gates() {
	awk -F '\t' '$3 == "marker_test" && $6 != "gone" && $5 !~ /generic|key|switch/ {
		sub(/\/.*/, "", $4); print $4 }' $M/sites
}

accepting() {
	for place in $(gates); do
		probe_at "$place" && echo "$place"
	done
}

check "no kprobe is defined on a closed gate" same "" "$(accepting)"
accepted "connect subsys_mark1 count" >/dev/null
check "no kprobe is defined on an open gate" same "" "$(accepting)"
check "no kprobe is defined on the second half of a split NOP" same "refused refused" "$(
	for half in nop14+1 nop23+3; do
		place=$(awk -F '\t' -v name="^fire_${half%+*}[+]" '$4 ~ name { print $4 }' $M/sites)
		offset=${place#*+}
		probe_at "fire_${half%+*}+$((${offset%/*} + ${half#*+}))" && echo set || echo refused
	done | xargs)"
echo >$F/kprobe_events

# At which offsets of a function a kprobe can be set, and which byte is there.
place=$(site_field test_types ".*" 4)
function=${place%+*}
size=${place#*/}
size=$((${size%% *}))
start=$(address_of "$function+0")
offset=5
calls=0
taken=0
while [ $offset -lt $size ]; do
	if probe_at "$function+$offset"; then
		taken=$((taken + 1))
		byte=$(peek "$(printf '%x' $((0x$start + offset)))" | cut -c 1-2)
		[ "$byte" != e8 ] || calls=$((calls + 1))
	fi
	offset=$((offset + 1))
done
check "kprobes can be set beside gates" test $taken -ge 20
check "no kprobe is set on a call" same 0 $calls
echo 1 >$F/events/kprobes/enable
fire 3
sleep 2
check "kprobes beside gates are optimised" test "$(grep -c 'OPTIMIZED' /sys/kernel/debug/kprobes/list)" -ge 3
fire 3
check "verify reports no mismatch beside kprobes" verified
accepted "disconnect *; connect test_types count; connect subsys_mark1 count" >/dev/null
fire 3
check "sites count beside kprobes" same 45 "$(hits count | awk '{ n += $1 } END { print n }')"
echo 0 >$F/events/kprobes/enable
echo >$F/kprobe_events
accepted "disconnect *" >/dev/null

# The kernel decodes gates when a kprobe is set; it must never find an int3 of ours.
(while :; do
	echo "connect module:marker_test count" >$M/control
	echo "disconnect *" >$M/control
done) 2>/dev/null &
i=0
while [ $i -lt 300 ]; do
	probe_at "$function+$((size - 5))"
	probe_at "fire_copies+0"
	i=$((i + 1))
	[ $((i % 50)) != 0 ] || echo >$F/kprobe_events
done
kill $!
wait $! 2>/dev/null
echo >$F/kprobe_events
control "disconnect *"
check "kprobes and transactions run at the same time" verified

# Foreign bytes, a NOP of another form. One gate of fourteen.
place=$(site_field subsys_mark1 pun 4)
address=$(address_of "$place")
closed=$(peek "$address" | cut -c 1-10)
poke "$address" 6666666690
log_mark
check "connect a marker with one foreign gate" accepted "connect subsys_mark1 count"
check "the log names the foreign gate" logged "${place%%/*}"
check "the log has the bytes found" logged "found 66 66 66 66 90"
check "the foreign gate is busy, the others are open" same "busy open" "$(state subsys_mark1)"
fire 3
check "the other gates count" same 39 "$(hits count)"
check "stats counts the busy gate" same 1 "$(stat_of busy)"
poke "$address" "$closed"
check "the gate opens when sites is read after its bytes are back" same open "$(state subsys_mark1)"
fire 3
check "the reopened gate counts" same 81 "$(hits count)"
check "verify reports no mismatch" verified

# Foreign while open: the connection is removed nevertheless.
open=$(peek "$address" | cut -c 1-10)
poke "$address" 6666666690
check "disconnect a marker with one foreign gate" accepted "disconnect *"
check "nothing is connected" same "" "$(cat $M/control)"
check "the other gates are closed" same "busy closed" "$(state subsys_mark1)"
poke "$address" "$open"
fire 3
check "a gate that was left open calls an empty function, and is closed" verified
check "all are closed" same closed "$(state subsys_mark1)"
accepted "connect subsys_mark1 count" >/dev/null
poke "$address" "$closed"
check "disconnect accepts a gate that is closed already" accepted "disconnect *"
check "verify reports no mismatch" verified

# A call gate is the call itself, so the connection has to stay.
accepted "connect subsys_mark1 count" >/dev/null
call=$(address_of "$(site_field subsys_mark1 call 4)")
open=$(peek "$call" | cut -c 1-10)
poke "$call" 6666666690
log_mark
control "disconnect *"
check "disconnect of a foreign call gate is EBUSY" same EBUSY "$errno"
check "the log says why" logged "stays until the busy gates and calls of 1 sites can be changed"
check "the connection is shown as leaving" same "connect subsys_mark1 count	# leaving" "$(cat $M/control)"
check "its probe cannot be unloaded" same 1 "$(rmmod probe_count 2>/dev/null; echo $?)"
check "the other gates of that marker are closed" same "busy closed" "$(state subsys_mark1)"
poke "$call" "$open"
check "the connection is removed when the bytes are back" verified
check "nothing is connected" same "" "$(cat $M/control)"

# No site at all.
one=$(address_of "$(site_field test_one ".*" 4)")
closed=$(peek "$one" | cut -c 1-10)
poke "$one" 6666666690
check "connect is refused if all gates are foreign" refused EBUSY "connect test_none count; connect test_one count"
check "arm is accepted if all gates are foreign" accepted "arm test_one count"
poke "$one" "$closed"
check "the armed gate opens when its bytes are back" same open "$(state test_one)"
fire 2
check "the armed gate counts" same 2 "$(hits count)"
accepted "disconnect *" >/dev/null
check "verify reports no mismatch" verified
unload marker_foreign probe_count
check "markers.ko can be unloaded" unload markers
tap_done
