#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# markers.ko beside others that patch text: kprobes, ftrace, livepatch.
. /lib.sh
F=/sys/kernel/tracing

load marker_test
load markers
load probe_count
address=$(awk -F '\t' '$4 ~ /^fire_flip\+/ { print $4 }' $M/sites)
offset=${address#*+}
offset=${offset%/*}

echo "p:at_site marker_test:fire_flip+$offset" >$F/kprobe_events
echo 1 >$F/events/kprobes/at_site/enable
log_mark
check "a site where a kprobe sits is refused, and all with it" \
	same "EBUSY closed" "$(control 'connect subsys_mark1 count'; echo "$errno" "$(state subsys_mark1 'nop5|pun')")"
check "is named" logged "fire_flip+$offset"
check "and why" logged "a kprobe or breakpoint sits there"
check "nothing is connected" same "" "$(cat $M/control)"
fire 3
echo 0 >$F/events/kprobes/at_site/enable
echo >$F/kprobe_events
check "the kprobe has gone, and all is well" verified
check "now it connects" accepted "connect subsys_mark1 count"
fire 3
check "and counts" same 42 "$(hits count)"

echo 'fire_*' >$F/set_ftrace_filter
echo function >$F/current_tracer
fire 3
check "ftrace sees the functions" test "$(grep -c 'fire_flip <-' $F/trace)" -ge 3
accepted "disconnect *; connect subsys_mark1 count" >/dev/null
fire 3
check "and markers the sites" same 42 "$(hits count)"
echo nop >$F/current_tracer
echo >$F/set_ftrace_filter
check "verify" verified
accepted "disconnect *" >/dev/null

accepted "connect subsys_mark1 count; arm livepatched count" >/dev/null
load marker_livepatch
fire 3
check "livepatch: the new function counts instead of the old" same 42 "$(hits count)"
check "its site is open" same open "$(state livepatched)"
check "verify" verified
echo 0 >/sys/kernel/livepatch/marker_livepatch/enabled
tries=10
while [ -e /sys/kernel/livepatch/marker_livepatch ] && [ $((tries -= 1)) -gt 0 ]; do
	sleep 1
done
check "livepatch leaves" unload marker_livepatch
fire 3
check "the old function counts again" same 84 "$(hits count)"
accepted "disconnect *" >/dev/null
check "verify" verified
tap_done
