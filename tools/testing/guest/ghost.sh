#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The ghost gate: nothing at the site, a kprobe while it is connected. With the
# argument "refused", a kernel without kprobes.
. /lib.sh
G=/sys/kernel/debug/marker_ghost

fire_ghosts() {
	echo "$1" >$G/fire
}

# ghosts NAME...: the selectors that connect them to $probe.
ghosts() {
	for name; do
		echo "connect ghost_$name $probe"
	done
}

load marker_ghost
load markers
load probe_count
load probe_args
check "ghosts are listed, closed" same "closed closed" "$(state ghost_jump) $(state ghost_copies)"
check "a ghost has its kind" same ghost "$(awk -F '\t' '$2 == "ghost_jump" { print $5 }' $M/sites)"

if [ "$1" = refused ]; then
	log_mark
	check "there are no kprobes here: refused" refused EOPNOTSUPP "connect ghost_jump count"
	check "with its place" logged "ghost_jump"
	fire_ghosts 2
	check "nothing was counted" same 0 "$(hits count)"
	check "verify" verified
	tap_done
fi

# Arguments, wherever they are.
log_mark
probe=args
check "connect" accepted "$(ghosts registers members constants globals stack none)"
check "all of those are open" same open "$(state ghost_registers)"
check "verify" verified
fire_ghosts 4
check "registers, of all widths" logged \
	"args: ghost_registers (s8,u8,s16,u16,s32,u32): -1 255 -2 65535 -3 4294967295"
check "members, in memory" logged \
	"args: ghost_members (s8,u8,s16,u16,s32,u32,s64,str): -1 255 -2 65535 -3 4294967295 -4 member"
check "constants" logged \
	"args: ghost_constants (s32,u32,s64,u64,str,str): -1 4294967295 -1234567890123 12345678901234567890 text (null)"
for value in 10 -11 12 -13; do
	check "globals, one with an index: $value" logged "args: ghost_globals (s32,s32,str): -3 $value member"
done
check "more than there are registers" logged \
	"args: ghost_stack (s64,s64,s64,s64,s64,s64,s32,s8): 1 -2 3 -4 5 -6 -7 -8"
check "none" logged "args: ghost_none (): nothing"
check "disconnect" accepted "disconnect *"
check "all are closed" same "closed closed" "$(state ghost_registers) $(state ghost_none)"
check "no kprobe is left" same "0 0" "$(stat_of ghosts) $(wc -l </sys/kernel/debug/kprobes/list)"

# Counting; copies; several probes.
probe=count
accepted "$(ghosts copies)" >/dev/null
check "a copied site has several ghosts" test "$(stat_of ghosts)" -ge 4
fire_ghosts 11
check "each run is seen once" same 11 "$(hits count)"
accepted "disconnect *" >/dev/null
fire_ghosts 3
accepted "$(ghosts jump)" >/dev/null
fire_ghosts 5
check "what was closed is not seen" same 5 "$(hits count)"
tries=50
until [ "$(stat_of ghosts.optimised)" = 1 ] || [ $((tries -= 1)) = 0 ]; do
	sleep 0.1
done
check "where there is room, the kernel makes it a jump" same "1 e9" \
	"$(stat_of ghosts.optimised) $(awk -F '\t' '$2 == "ghost_jump" { print $7 }' $M/sites)"
check "verify" verified
fire_ghosts 5
check "the jump counts, too" same 10 "$(hits count)"
check "none was missed" same 0 "$(stat_of ghosts.missed)"
check "kprobes switched off show" same "bad: " \
	"$(echo 0 >/sys/kernel/debug/kprobes/enabled; tail -n 1 $M/verify | cut -c 1-5)"
echo 1 >/sys/kernel/debug/kprobes/enabled
check "and on again" verified
accepted "connect ghost_jump order a; connect ghost_jump order b" >/dev/null
fire_ghosts 1
check "three probes are all called, in order" same "11 ab" \
	"$(hits count) $(cat /sys/module/probe_args/parameters/trail)"
accepted "disconnect ghost_jump order" >/dev/null
fire_ghosts 1
check "one again" same 12 "$(hits count)"
accepted "disconnect *" >/dev/null

# Two CPUs at once, while others come and go.
accepted "$(ghosts jump registers)" >/dev/null
fire_ghosts 20000 &
fire_ghosts 20000 &
for i in 1 2 3; do
	accepted "connect ghost_members order $i; connect ghost_jump order $i" >/dev/null || echo "not accepted: $errno"
	accepted "disconnect ghost_* order" >/dev/null || echo "not accepted: $errno"
done
wait
check "two CPUs: each call is counted" same 80000 "$(hits count)"
check "verify" verified
accepted "disconnect *" >/dev/null

# Refusals leave nothing half done.
log_mark
check "where no kprobe may sit" refused EINVAL "connect ghost_forbidden count"
check "the log says where" logged "no kprobe at fire_forbidden"
check "one good and one bad site of a marker" refused EINVAL "connect ghost_mixed count"
check "one good and one bad marker" refused EINVAL "connect ghost_jump count; connect ghost_forbidden count"
check "no kprobe is left" same "0 0" "$(stat_of ghosts) $(wc -l </sys/kernel/debug/kprobes/list)"
id=$(awk -F '\t' '$2 == "ghost_mixed" && $5 == "ghost" && $4 ~ /^fire_mixed\+/ { print $1 }' $M/sites)
gate=$(awk -F '\t' '$2 == "ghost_mixed" && $5 == "pun" { print $1 }' $M/sites)
address=$(awk -F '\t' '$2 == "ghost_mixed" && $5 == "pun" { print $4 }' $M/sites)
load marker_foreign
address=$(address_of "$address" marker_ghost)
bytes=$(peek "$address" | cut -c 1-10)
poke "$address" 6666666690
check "a gate that cannot be patched beside a ghost that can" refused EBUSY \
	"connect site:$id count; connect site:$gate count"
check "the ghost is closed again" same 0 "$(stat_of ghosts)"
accepted "connect site:$id count" >/dev/null
check "also when it was to be closed" refused EBUSY "disconnect site:$id; connect site:$gate count"
fire_ghosts 3
check "it is open still, and counts" same "3 1" "$(hits count) $(stat_of ghosts)"
poke "$address" "$bytes"
check "now it can be closed" accepted "disconnect site:$id; connect site:$gate count"
fire_ghosts 3
check "and the gate counts" same "3 0" "$(hits count) $(stat_of ghosts)"
unload marker_foreign
accepted "disconnect *" >/dev/null

# Modules that come and go.
accepted "$(ghosts jump copies)" >/dev/null
check "its module can go while it is open" unload marker_ghost
check "no kprobe is left" same "0 0" "$(stat_of ghosts) $(wc -l </sys/kernel/debug/kprobes/list)"
accepted "arm ghost_init count" >/dev/null
load marker_ghost
check "back again, it is open" same "open open" "$(state ghost_jump) $(state ghost_copies)"
check "and its init was seen" same 1 "$(hits count)"
check "which is gone" same gone "$(state ghost_init)"
fire_ghosts 2
check "it counts" same 5 "$(hits count)"
check "verify" verified
accepted "disconnect *" >/dev/null
unload probe_count probe_args markers
load markers patch=0
load probe_count
check "where text is not to be patched, ghosts are refused" refused EOPNOTSUPP "connect ghost_jump count"
tap_done
