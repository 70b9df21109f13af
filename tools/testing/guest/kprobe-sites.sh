#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Sites without code: nothing there, a kprobe while it is connected. With the
# argument "refused", a kernel without kprobes.
. /lib.sh
G=/sys/kernel/debug/marker_kprobe_sites

fire_sites() {
	echo "$1" >$G/fire
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
check "a site without code has its kind" same kprobe "$(awk -F '\t' '$2 == "kprobe_jump" { print $5 }' $M/sites)"

if [ "$1" = refused ]; then
	log_mark
	check "there are no kprobes here: refused" refused EOPNOTSUPP "connect kprobe_jump count"
	check "with its place" logged "kprobe_jump"
	fire_sites 2
	check "nothing was counted" same 0 "$(hits count)"
	check "verify" verified
	tap_done
fi

# Arguments, wherever they are.
log_mark
probe=args
check "connect" accepted "$(selectors registers members constants globals stack none)"
check "all of those are open" same open "$(state kprobe_registers)"
check "verify" verified
fire_sites 4
check "registers, of all widths" logged \
	"args: kprobe_registers (s8,u8,s16,u16,s32,u32): -1 255 -2 65535 -3 4294967295"
check "members, in memory" logged \
	"args: kprobe_members (s8,u8,s16,u16,s32,u32,s64,str): -1 255 -2 65535 -3 4294967295 -4 member"
check "constants" logged \
	"args: kprobe_constants (s32,u32,s64,u64,str,str): -1 4294967295 -1234567890123 12345678901234567890 text (null)"
for value in 10 -11 12 -13; do
	check "globals, one with an index: $value" logged "args: kprobe_globals (s32,s32,str): -3 $value member"
done
check "more than there are registers" logged \
	"args: kprobe_stack (s64,s64,s64,s64,s64,s64,s32,s8): 1 -2 3 -4 5 -6 -7 -8"
check "none" logged "args: kprobe_none (): nothing"
check "disconnect" accepted "disconnect *"
check "all are closed" same "closed closed" "$(state kprobe_registers) $(state kprobe_none)"
check "no kprobe is left" same "0 0" "$(stat_of kprobes) $(wc -l </sys/kernel/debug/kprobes/list)"

# Counting; copies; several probes.
probe=count
accepted "$(selectors copies)" >/dev/null
check "a copied site has several kprobes" test "$(stat_of kprobes)" -ge 4
fire_sites 11
check "each run is seen once" same 11 "$(hits count)"
accepted "disconnect *" >/dev/null
fire_sites 3
accepted "$(selectors jump)" >/dev/null
fire_sites 5
check "what was closed is not seen" same 5 "$(hits count)"
tries=50
until [ "$(stat_of kprobes.optimised)" = 1 ] || [ $((tries -= 1)) = 0 ]; do
	sleep 0.1
done
check "where there is room, the kernel makes it a jump" same "1 e9" \
	"$(stat_of kprobes.optimised) $(awk -F '\t' '$2 == "kprobe_jump" { print $7 }' $M/sites)"
check "verify" verified
fire_sites 5
check "the jump counts, too" same 10 "$(hits count)"
check "none was missed" same 0 "$(stat_of kprobes.missed)"
check "kprobes switched off show" same "bad: " \
	"$(echo 0 >/sys/kernel/debug/kprobes/enabled; tail -n 1 $M/verify | cut -c 1-5)"
echo 1 >/sys/kernel/debug/kprobes/enabled
check "and on again" verified
accepted "connect kprobe_jump order a; connect kprobe_jump order b" >/dev/null
fire_sites 1
check "three probes are all called, in order" same "11 ab" \
	"$(hits count) $(cat /sys/module/probe_args/parameters/trail)"
accepted "disconnect kprobe_jump order" >/dev/null
fire_sites 1
check "one again" same 12 "$(hits count)"
accepted "disconnect *" >/dev/null

# Two CPUs at once, while others come and go.
accepted "$(selectors jump registers)" >/dev/null
fire_sites 20000 &
fire_sites 20000 &
for i in 1 2 3; do
	accepted "connect kprobe_members order $i; connect kprobe_jump order $i" >/dev/null || echo "not accepted: $errno"
	accepted "disconnect kprobe_* order" >/dev/null || echo "not accepted: $errno"
done
wait
check "two CPUs: each call is counted" same 80000 "$(hits count)"
check "verify" verified
accepted "disconnect *" >/dev/null

# Refusals leave nothing half done.
log_mark
check "where no kprobe may sit" refused EINVAL "connect kprobe_forbidden count"
check "the log says where" logged "no kprobe at fire_forbidden"
check "one good and one bad site of a marker" refused EINVAL "connect kprobe_mixed count"
check "one good and one bad marker" refused EINVAL "connect kprobe_jump count; connect kprobe_forbidden count"
check "no kprobe is left" same "0 0" "$(stat_of kprobes) $(wc -l </sys/kernel/debug/kprobes/list)"
id=$(awk -F '\t' '$2 == "kprobe_mixed" && $5 == "kprobe" && $4 ~ /^fire_mixed\+/ { print $1 }' $M/sites)
gate=$(awk -F '\t' '$2 == "kprobe_mixed" && $5 == "pun" { print $1 }' $M/sites)
address=$(awk -F '\t' '$2 == "kprobe_mixed" && $5 == "pun" { print $4 }' $M/sites)
load marker_foreign
address=$(address_of "$address" marker_kprobe_sites)
bytes=$(peek "$address" | cut -c 1-10)
poke "$address" 6666666690
check "a gate that cannot be patched beside a site without code that can" refused EBUSY \
	"connect site:$id count; connect site:$gate count"
check "the site without code is closed again" same 0 "$(stat_of kprobes)"
accepted "connect site:$id count" >/dev/null
check "also when it was to be closed" refused EBUSY "disconnect site:$id; connect site:$gate count"
fire_sites 3
check "it is open still, and counts" same "3 1" "$(hits count) $(stat_of kprobes)"
poke "$address" "$bytes"
check "now it can be closed" accepted "disconnect site:$id; connect site:$gate count"
fire_sites 3
check "and the gate counts" same "3 0" "$(hits count) $(stat_of kprobes)"
unload marker_foreign
accepted "disconnect *" >/dev/null

# Modules that come and go.
accepted "$(selectors jump copies)" >/dev/null
check "its module can go while it is open" unload marker_kprobe_sites
check "no kprobe is left" same "0 0" "$(stat_of kprobes) $(wc -l </sys/kernel/debug/kprobes/list)"
accepted "arm kprobe_init count" >/dev/null
load marker_kprobe_sites
check "back again, it is open" same "open open" "$(state kprobe_jump) $(state kprobe_copies)"
check "and its init was seen" same 1 "$(hits count)"
check "which is gone" same gone "$(state kprobe_init)"
fire_sites 2
check "it counts" same 5 "$(hits count)"
check "verify" verified
accepted "disconnect *" >/dev/null
unload probe_count probe_args markers
load markers patch=0
load probe_count
check "where text is not to be patched, sites without code are refused" refused EOPNOTSUPP "connect kprobe_jump count"
tap_done
