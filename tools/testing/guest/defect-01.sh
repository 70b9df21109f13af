# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# An armed ghost in an __init function, whose text is freed when init is over.
. /lib.sh

kprobes() {
	wc -l </sys/kernel/debug/kprobes/list
}

load markers
load probe_count
check "armed before the module is there" accepted "arm ghost_init count"
for round in 1 2; do
	load marker_ghost
	check "round $round: init was seen" same $round "$(hits count)"
	check "its kprobe has gone with the text" same "0 0" "$(stat_of ghosts) $(kprobes)"
	check "nobody looks at the bytes there" same "0 0" "$(stat_of ghosts.optimised) $(stat_of ghosts.missed)"
	check "the site is shown as gone" same gone "$(state ghost_init)"
	check "verify" verified
	check "another ghost of the module opens" accepted "connect ghost_jump count"
	check "and is the only one" same "1 1" "$(stat_of ghosts) $(kprobes)"
	check "it closes" accepted "disconnect ghost_jump"
	check "the module goes" unload marker_ghost
	check "no kprobe is left" same "0 0" "$(stat_of ghosts) $(kprobes)"
done
load marker_ghost
check "what was armed can be disconnected" accepted "disconnect *"
check "another module loads" load marker_test
check "verify" verified
tap_done
