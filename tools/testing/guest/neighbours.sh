#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# markers.ko beside other code that patches text: kprobes, ftrace, livepatch.
. /lib.sh
F=/sys/kernel/tracing

load marker_test
load markers
load probe_count
place=$(awk -F '\t' '$4 ~ /^fire_nop5\+/ { print $4 }' $M/sites)
id=$(awk -F '\t' '$4 ~ /^fire_nop5\+/ { print $1 }' $M/sites)
offset=${place#*+}
offset=${offset%/*}

check "a kprobe on a site is refused, even a disabled one" same refused \
	"$(probe_at "fire_nop5+$offset" && echo set || echo refused)"
check "a kprobe beside a site is accepted" probe_at fire_nop5+0
echo 1 >$F/events/kprobes/enable
check "the marker connects beside a kprobe" accepted "connect subsys_mark1 count"
fire 3
check "its sites count beside a kprobe" same 42 "$(hits count)"
check "verify reports no mismatch beside a kprobe" verified
echo 0 >$F/events/kprobes/enable
echo >$F/kprobe_events
accepted "disconnect *" >/dev/null

load marker_foreign
address=$(address_of "$place")
bytes=$(peek "$address" | cut -c 1-${#nop})
poke "$address" "$foreign"
log_mark
check "a site whose bytes are foreign is refused" refused EBUSY "connect site:$id count"
check "the log names the site" logged "fire_nop5+$offset"
check "the log has the bytes found and expected" logged "found $(echo "$foreign" | sed 's/../& /g; s/ $//'), expected $(echo "$bytes" | sed 's/../& /g; s/ $//')"
check "nothing is connected" same "" "$(cat $M/control)"
fire 3
poke "$address" "$bytes"
check "verify reports no mismatch when the bytes are back" verified
check "the marker connects when the bytes are back" accepted "connect subsys_mark1 count"
fire 3
check "its sites count when the bytes are back" same 42 "$(hits count)"

echo 'fire_*' >$F/set_ftrace_filter
echo function >$F/current_tracer
fire 3
check "ftrace sees the functions" test "$(grep -c 'fire_nop5 <-' $F/trace)" -ge 3
accepted "disconnect *; connect subsys_mark1 count" >/dev/null
fire 3
check "sites count while ftrace traces their functions" same 42 "$(hits count)"
echo nop >$F/current_tracer
echo >$F/set_ftrace_filter
check "verify reports no mismatch" verified
accepted "disconnect *" >/dev/null

if [ ! -e /marker_livepatch.ko ]; then
	skip "livepatch: sites in old and new functions" "$(uname -m) has no CONFIG_LIVEPATCH"
	tap_done
fi
accepted "connect subsys_mark1 count; arm livepatched count" >/dev/null
load marker_livepatch
fire 3
check "livepatch: the site in the new function counts instead of the old one" same 42 "$(hits count)"
check "livepatch: the site of the new module is open" same open "$(state livepatched)"
check "verify reports no mismatch" verified
echo 0 >/sys/kernel/livepatch/marker_livepatch/enabled
tries=10
while [ -e /sys/kernel/livepatch/marker_livepatch ] && [ $((tries -= 1)) -gt 0 ]; do
	sleep 1
done
check "livepatch: the module can be unloaded" unload marker_livepatch
fire 3
check "livepatch: the site in the old function counts again" same 84 "$(hits count)"
accepted "disconnect *" >/dev/null
check "verify reports no mismatch" verified
tap_done
