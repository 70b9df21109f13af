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

check "a kprobe keeps off a site, also a disabled one" same refused \
	"$(probe_at "fire_flip+$offset" && echo set || echo refused)"
check "and sits beside it" probe_at fire_flip+0
echo 1 >$F/events/kprobes/enable
check "the site connects" accepted "connect subsys_mark1 count"
fire 3
check "and counts" same 42 "$(hits count)"
check "all is well" verified
echo 0 >$F/events/kprobes/enable
echo >$F/kprobe_events
accepted "disconnect *" >/dev/null

load marker_foreign
place=$(site_field subsys_mark1 flip 4)
address=$(address_of "$place")
bytes=$(peek "$address" | cut -c 1-10)
poke "$address" 6666666690
log_mark
id=$(site_field subsys_mark1 flip 1)
check "a site whose bytes are foreign is refused" refused EBUSY "connect site:$id count"
check "is named" logged "fire_flip+$offset"
check "with the bytes" logged "found 66 66 66 66 90, expected $(echo "$bytes" | sed 's/../& /g; s/ $//')"
check "nothing is connected" same "" "$(cat $M/control)"
fire 3
poke "$address" "$bytes"
check "the bytes are back, and all is well" verified
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
