#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Sites without code: no instruction, and a kprobe while connected. With the
# argument "refused", a kernel without kprobes.
# guest: cpus=2
# shellcheck source=lib.sh
. "${0%/*}/lib.sh"
G=/sys/kernel/debug/marker_kprobe_sites
F=/sys/kernel/tracing

fire_sites() {
	echo "$1" >$G/fire
}

# own_is_jump: so is the kernel's own kprobe at kprobe_jump. Linux 6.1 with return thunks makes
# none there.
own_is_jump() {
	[ -e $F/kprobe_events ] || return 0
	place=$(rows kprobe_jump sites | awk -F '\t' '{ print $4 }')
	echo "p:own marker_kprobe_sites:${place%%/*}" >$F/kprobe_events
	echo 1 >$F/events/kprobes/own/enable
	tries=50 own=1
	until [ $own = 0 ] || [ $((tries -= 1)) = 0 ]; do
		sleep 0.1
		grep "${place%%/*}" /sys/kernel/debug/kprobes/list | grep -q 'OPTIMIZED' && own=0
	done
	echo 0 >$F/events/kprobes/own/enable
	echo >$F/kprobe_events
	return $own
}

# selectors NAME...: the selectors that connect them to $probe.
selectors() {
	for name; do
		echo "connect kprobe_$name $probe"
	done
}

load marker_kprobe_sites
load markers
load probe_count
load probe_args
check "sites without code are listed, closed" same "closed closed" "$(state kprobe_jump) $(state kprobe_copies)"
check "a site without code has its kind" same kprobe "$(rows kprobe_jump sites | awk -F '\t' '{ print $5 }')"

if [ "$1" = refused ]; then
	log_mark
	check "there are no kprobes here: refused" refused EOPNOTSUPP "connect kprobe_jump count"
	check "the log names the place" logged "kprobe_jump"
	fire_sites 2
	check "nothing was counted" same 0 "$(hits count)"
	check "verify reports no mismatch" verified
	tap_done
fi

# Arguments, wherever they are.
log_mark
probe=args
check "connect" accepted "$(selectors registers members constants globals stack four five none)"
check "all these sites are open" same open "$(state kprobe_registers)"
check "verify reports no mismatch" verified
fire_sites 4
check "registers, of all widths" logged \
	"args: marker_kprobe_sites/kprobe_registers (s8,u8,s16,u16,s32,u32): -1 255 -2 65535 -3 4294967295"
check "members, in memory" logged \
	"args: marker_kprobe_sites/kprobe_members (s8,u8,s16,u16,s32,u32,s64,str): -1 255 -2 65535 -3 4294967295 -4 member"
check "constants" logged \
	"args: marker_kprobe_sites/kprobe_constants (s32,u32,s64,u64,str,str): -1 4294967295 -1234567890123 12345678901234567890 text (null)"
for value in 10 -11 12 -13; do
	check "globals, one with an index: $value" logged "args: marker_kprobe_sites/kprobe_globals (s32,s32,str): -3 $value member"
done
check "more than there are registers" logged \
	"args: marker_kprobe_sites/kprobe_stack (s64,s64,s64,s64,s64,s64,s32,s8): 1 -2 3 -4 5 -6 -7 -8"
check "four" logged "args: marker_kprobe_sites/kprobe_four (s64,s64,s64,s64): 1 -2 3 -4"
check "five" logged "args: marker_kprobe_sites/kprobe_five (s64,s64,s64,s64,s64): 1 -2 3 -4 5"
check "no arguments" logged "args: marker_kprobe_sites/kprobe_none (): nothing"
check "disconnect" accepted "disconnect *"
check "these sites are closed" same "closed closed" "$(state kprobe_registers) $(state kprobe_none)"
check "no kprobe is left" same "0 0" "$(stat_of kprobes) $(wc -l </sys/kernel/debug/kprobes/list)"

# Counting; copies; several probes.
probe=count
accepted "$(selectors copies)" >/dev/null
check "a copied site has several kprobes" test "$(stat_of kprobes)" -ge 4
fire_sites 11
check "each run is seen once" same 11 "$(hits count)"
accepted "disconnect *" >/dev/null
check "connect the copy of a site in one function" accepted "connect kprobe_shared@fire_left count"
check "one kprobe is set" same 1 "$(stat_of kprobes)"
fire_sites 4
check "events of one function are counted" same 4 "$(hits count)"
check "with a copy left closed verify reports no mismatch" verified
accepted "disconnect *" >/dev/null
fire_sites 3
jump="0 cc"
own_is_jump && jump="1 e9"
echo "# the kernel's own kprobe at a site with room for a jump: $jump"
accepted "$(selectors jump)" >/dev/null
fire_sites 5
check "a closed site is not seen" same 5 "$(hits count)"
if [ -e /proc/sys/debug/kprobes-optimization ]; then
	tries=50
	until [ "$(stat_of kprobes.optimised)" = "${jump% *}" ] || [ $((tries -= 1)) = 0 ]; do
		sleep 0.1
	done
	check "the kernel makes the kprobe a jump where there is room, as its own" same "$jump" \
		"$(stat_of kprobes.optimised) $(rows kprobe_jump sites | awk -F '\t' '{ print $7 }')"
else
	skip "the kernel makes the kprobe a jump where there is room, as its own" "no optimised kprobes here"
fi
check "verify reports no mismatch" verified
fire_sites 5
check "a site whose kprobe is a jump counts" same 10 "$(hits count)"
check "no event was missed" same 0 "$(stat_of kprobes.missed)"
check "verify reports kprobes that are switched off" same "bad: " \
	"$(echo 0 >/sys/kernel/debug/kprobes/enabled; tail -n 1 $M/verify | cut -c 1-5)"
echo 1 >/sys/kernel/debug/kprobes/enabled
check "verify reports no mismatch when kprobes are on again" verified
accepted "connect kprobe_jump order a; connect kprobe_jump order b" >/dev/null
fire_sites 1
check "three probes are all called, in order" same "11 ab" \
	"$(hits count) $(cat /sys/module/probe_args/parameters/trail)"
accepted "disconnect kprobe_jump order" >/dev/null
fire_sites 1
check "one probe is called again" same 12 "$(hits count)"
accepted "disconnect *" >/dev/null

# Two CPUs at once, while other connections change.
accepted "$(selectors jump registers)" >/dev/null
fire_sites 20000 &
fire_sites 20000 &
for i in 1 2 3; do
	accepted "connect kprobe_members order $i; connect kprobe_jump order $i" >/dev/null || echo "not accepted: $errno"
	accepted "disconnect kprobe_* order" >/dev/null || echo "not accepted: $errno"
done
wait
check "two CPUs: each call is counted" same 80000 "$(hits count)"
check "verify reports no mismatch" verified
accepted "disconnect *" >/dev/null

# Refusals leave nothing half done.
log_mark
check "a site where no kprobe is allowed is refused" refused EINVAL "connect kprobe_forbidden count"
check "the log says where" logged "no kprobe at fire_forbidden"
check "a marker with one refused site is refused" refused EINVAL "connect kprobe_mixed count"
check "a write with one refused marker is refused" refused EINVAL "connect kprobe_jump count; connect kprobe_forbidden count"
check "refusals leave no kprobe" same "0 0" "$(stat_of kprobes) $(wc -l </sys/kernel/debug/kprobes/list)"
id=$(rows kprobe_mixed sites | awk -F '\t' '$5 == "kprobe" && $4 ~ /^fire_mixed\+/ { print $1 }')
gate=$(rows kprobe_mixed sites | awk -F '\t' '$5 == "nop5" { print $1 }')
address=$(rows kprobe_mixed sites | awk -F '\t' '$5 == "nop5" { print $4 }')
load marker_foreign
address=$(address_of "$address" marker_kprobe_sites)
bytes=$(peek "$address" | cut -c "1-${#nop}")
poke "$address" "$foreign"
check "a site without code and a gate that cannot be patched are refused together" refused EBUSY \
	"connect site:$id count; connect site:$gate count"
check "the site without code is closed again" same 0 "$(stat_of kprobes)"
accepted "connect site:$id count" >/dev/null
check "closing the site without code is refused together with that gate" refused EBUSY "disconnect site:$id; connect site:$gate count"
fire_sites 3
check "the site without code is still open, and counts" same "3 1" "$(hits count) $(stat_of kprobes)"
poke "$address" "$bytes"
check "the site without code can be closed when the gate can be patched" accepted "disconnect site:$id; connect site:$gate count"
fire_sites 3
check "only the gate counts" same "3 0" "$(hits count) $(stat_of kprobes)"
unload marker_foreign
accepted "disconnect *" >/dev/null

# Modules that come and go.
accepted "$(selectors jump copies)" >/dev/null
check "its module can be unloaded while the site is open" unload marker_kprobe_sites
check "unloading the module leaves no kprobe" same "0 0" "$(stat_of kprobes) $(wc -l </sys/kernel/debug/kprobes/list)"
accepted "arm kprobe_init count" >/dev/null
load marker_kprobe_sites
check "sites are open when the module is loaded again" same "open open" "$(state kprobe_jump) $(state kprobe_copies)"
check "the site in its init was seen" same 1 "$(hits count)"
check "the site in its init is gone" same gone "$(state kprobe_init)"
fire_sites 2
check "the reopened sites count" same 5 "$(hits count)"
check "verify reports no mismatch" verified
accepted "disconnect *" >/dev/null
unload probe_count probe_args markers
load markers patch=0
load probe_count
check "with patch=0 sites without code are refused" refused EOPNOTSUPP "connect kprobe_jump count"
tap_done
