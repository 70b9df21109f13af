#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# An armed site without code in an __init function, whose text is freed when init is over.
# guest: debug=useful arch=x86_64
# shellcheck source=lib.sh
. "${0%/*}/lib.sh"

kprobes() {
	wc -l </sys/kernel/debug/kprobes/list
}

load markers
load probe_count
check "arm before the module is loaded" accepted "arm kprobe_init count"
for round in 1 2; do
	load marker_kprobe_sites
	check "round $round: init was seen" same $round "$(hits count)"
	check "round $round: the kprobe is removed with the text" same "0 0" "$(stat_of kprobes) $(kprobes)"
	check "the bytes there are not read" same "0 0" "$(stat_of kprobes.optimised) $(stat_of kprobes.missed)"
	check "the site is shown as gone" same gone "$(state kprobe_init)"
	check "verify reports no mismatch" verified
	check "another site without code of the module opens" accepted "connect kprobe_jump count"
	check "it has the only kprobe" same "1 1" "$(stat_of kprobes) $(kprobes)"
	check "that site closes" accepted "disconnect kprobe_jump"
	check "the module can be unloaded" unload marker_kprobe_sites
	check "no kprobe is left" same "0 0" "$(stat_of kprobes) $(kprobes)"
done
load marker_kprobe_sites
check "what was armed can be disconnected" accepted "disconnect *"
unload marker_kprobe_sites
check "arm a copy in an __init function" accepted "arm kprobe_init@kprobe_sites_init count"
load marker_kprobe_sites
check "it was seen" same 1 "$(hits count)"
check "the copy is gone" same gone "$(state kprobe_init)"
check "it can be disconnected alone" accepted "disconnect kprobe_init@kprobe_sites_init"
check "nothing is connected" same "" "$(cat $M/control)"
check "another module loads" load marker_test
check "verify reports no mismatch" verified
tap_done
