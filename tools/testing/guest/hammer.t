#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Each GATE opened and closed TOGGLES times while another CPU runs it; PAGES=0
# leaves out those across the end of a page. Split NOPs wait for all tasks each
# time, and do a hundredth.
# The hammer on two emulated CPUs. TOGGLES of each gate: 2000 here, 20000 in the
# long form. Not across a page: QEMU's emulation with a thread for each CPU can
# stop for ever at an instruction there that another CPU has changed; that is for
# hammer-single.t and, on silicon, tools/testing/native/hammer.t.
# guest: cpus=2

on_host() {
	accel=parallel timeout=$((600 + ${TOGGLES:-2000} / 50))
	# Gates that are code on this architecture, and generic for all others.
	case ${ARCH-} in
	arm64) gates="generic nop5" ;;
	*) gates="generic imm nop5 flip pun $(awk -F '\t' 'NF > 1 && $1 != "gate" { print $1 }' "$top/bench/gates/gates.tsv")" ;;
	esac
	# shellcheck disable=SC2086 # a word a gate
	boot "${TOGGLES:-2000}" 0 $gates
}

# shellcheck source=lib.sh
. "${0%/*}/lib.sh"
H=/sys/kernel/debug/marker_hammer
toggles=$1
pages=$2
shift 2

load markers
load marker_hammer "pages=$pages"
for gate; do
	case $gate in
	nop14 | nop23) n=$(((toggles + 99) / 100)) ;;
	*) n=$toggles ;;
	esac
	echo "$gate $n" >$H/run
	grep ok $H/result >/tmp/result
	while read -r line; do
		check "${line#* - }" same ok "${line%% *}"
	done </tmp/result
done
# On x86 bytes are written twice where the hypervisor names itself an emulator.
if [ "$(uname -m)" = x86_64 ] && ! grep -q hypervisor /proc/cpuinfo; then
	check "each byte is written once" same 0 "$(dmesg | grep -c 'bytes are written twice')"
fi
check "verify reports no mismatch" verified
tap_done
