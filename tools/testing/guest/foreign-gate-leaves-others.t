#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# With unknown bytes at one gate, the other sites of its module are still known; and
# bytes that another markers.ko has left behind are known.
# guest: timeout=120 arch=x86_64
# shellcheck source=lib.sh
. "${0%/*}/lib.sh"
F=/sys/kernel/tracing

# bytes_of KIND STATE: of the gate of fire_auto under gate=KIND.
bytes_of() {
	load markers gate="$1"
	load probe_count
	[ "$2" = closed ] || control "connect subsys_mark1 count"
	peek "$address" | cut -c 1-10
	control "disconnect *"
	unload probe_count markers
}

load marker_test
load marker_foreign
load markers
auto=$(awk -F '\t' '$4 ~ /^fire_auto[+]/ { print $4 }' $M/sites)
address=$(address_of "$auto")
unload markers
flip=$(bytes_of flip closed)
jump=$(bytes_of flip open)
pun=$(bytes_of pun closed)
pad=e91f7c7f7f
built=$(peek "$address" | cut -c 1-10)

poke "$address" 6666666690
log_mark
load markers
load probe_count
check "one foreign gate: its module is known" test "$(grep -c subsys_mark1 $M/sites)" -ge 14
check "the log names the foreign gate" logged "fire_auto+"
check "the foreign gate is busy, the others are closed" same "busy closed" "$(state subsys_mark1)"
check "a marker with a foreign gate connects" accepted "connect subsys_mark1 count"
fire 3
check "the other gates count" same 39 "$(hits count)"
poke "$address" "$built"
check "the gate opens when its bytes are back" same open "$(state subsys_mark1)"
fire 1
check "the reopened gate counts" same 53 "$(hits count)"
check "the reopened gate is nop5" same nop5 "$(awk -F '\t' '$4 ~ /^fire_auto/ { print $5 }' $M/sites)"
accepted "disconnect *" >/dev/null
unload probe_count
check "markers.ko can be unloaded" unload markers

for left in "flip $flip" "open_flip $jump" "pun $pun" "nop5 $built"; do
	poke "$address" "${left#* }"
	load markers
	load probe_count
	check "bytes left as ${left% *} are known" same "closed nop5" \
		"$(awk -F '\t' '$4 ~ /^fire_auto/ { print $6, $5 }' $M/sites)"
	check "verify accepts a gate left as ${left% *}" verified
	accepted "connect subsys_mark1 count" >/dev/null
	fire 1
	check "a gate left as ${left% *} counts" same 14 "$(hits count)"
	accepted "disconnect *" >/dev/null
	unload probe_count markers
done

poke "$address" "$pad"
load markers
check "a jump to a freed pad is not known" same busy \
	"$(awk -F '\t' '$4 ~ /^fire_auto/ { print $6 }' $M/sites)"
poke "$address" "$built"
check "verify reports no mismatch with the bytes of the compiler" verified
unload markers marker_foreign marker_test

# A kprobe on a module that is not loaded yet is armed before markers.ko sees the module.
echo "p:at_site marker_test:${auto%%/*}" >$F/kprobe_events
echo 1 >$F/events/kprobes/at_site/enable
load markers
load probe_count
load marker_test
check "a kprobe that waited for the module is not set" same "closed" "$(state subsys_mark1)"
accepted "connect subsys_mark1 count" >/dev/null
fire 2
check "all sites count" same 28 "$(hits count)"
check "verify reports no mismatch" verified
tap_done
