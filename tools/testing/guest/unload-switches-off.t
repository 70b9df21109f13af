#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A module with an open MARK_BEHIND() leaves: its switch is called with false.
# guest: arch=x86_64
# shellcheck source=lib.sh
. "${0%/*}/lib.sh"

# switched: what the switch was called with, since log_mark.
switched() {
	dmesg | sed -n 's/.*marker_behind: //p' | xargs
}

load markers
load probe_count
check "arm a marker with a switch" accepted "arm behind_event count"
log_mark
load marker_behind
check "the switch is on" same opened "$(switched)"
check "the marker in its init was seen" same 1 "$(hits count)"
check "the module is unloaded while connected" unload marker_behind
check "the switch is off again" same "opened closed" "$(switched)"
check "the marker in its exit was seen" same 2 "$(hits count)"
log_mark
check "a module whose init fails is not loaded" sh -c "! insmod /marker_behind.ko fail=1 2>/dev/null"
# busybox tries it in two ways.
check "a failed init leaves the switch off" same "" "$(switched | sed 's/opened closed *//g')"
check "the switch was on during the failed init" holds "$(switched)" opened
log_mark
load marker_behind
check "disconnect before the module is unloaded" accepted "disconnect *"
unload marker_behind
check "unloading does not call a closed switch" same "opened closed" "$(switched)"
check "verify reports no mismatch" verified
tap_done
