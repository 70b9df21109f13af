#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# One gate that markers.ko does not know does not lose a whole module, and what
# another markers.ko has left behind is known.
. /lib.sh
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
check "the gate is named" logged "fire_auto+"
check "and is busy" same "busy closed" "$(state subsys_mark1)"
check "the others connect" accepted "connect subsys_mark1 count"
fire 3
check "and count" same 39 "$(hits count)"
poke "$address" "$built"
check "the gate opens when it is ours" same open "$(state subsys_mark1)"
fire 1
check "and counts" same 53 "$(hits count)"
check "it has become pun" same pun "$(awk -F '\t' '$4 ~ /^fire_auto/ { print $5 }' $M/sites)"
accepted "disconnect *" >/dev/null
unload probe_count
check "nothing holds markers.ko" unload markers

for left in "flip $flip" "open_flip $jump" "pun $pun" "nop5 $built"; do
	poke "$address" "${left#* }"
	load markers
	load probe_count
	check "left as ${left% *}: known" same "closed pun" \
		"$(awk -F '\t' '$4 ~ /^fire_auto/ { print $6, $5 }' $M/sites)"
	check "verified" verified
	accepted "connect subsys_mark1 count" >/dev/null
	fire 1
	check "counted" same 14 "$(hits count)"
	accepted "disconnect *" >/dev/null
	unload probe_count markers
done

poke "$address" "$pad"
load markers
check "a jump to a pad that is gone is not known" same busy \
	"$(awk -F '\t' '$4 ~ /^fire_auto/ { print $6 }' $M/sites)"
poke "$address" "$built"
check "until it is as built" verified
unload markers marker_foreign marker_test

# A kprobe for a module that is not there yet is armed before markers.ko sees it.
echo "p:at_site marker_test:${auto%%/*}" >$F/kprobe_events
echo 1 >$F/events/kprobes/at_site/enable
load markers
load probe_count
load marker_test
check "a kprobe that waited for the module is not set" same "closed" "$(state subsys_mark1)"
accepted "connect subsys_mark1 count" >/dev/null
fire 2
check "all sites count" same 28 "$(hits count)"
check "verify" verified
tap_done
