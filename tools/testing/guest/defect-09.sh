# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# A module with an open MARK_BEHIND() leaves: its switch is called with false.
. /lib.sh

# switched: what the switch was called with, since log_mark.
switched() {
	dmesg | sed -n 's/.*marker_behind: //p' | xargs
}

load markers
load probe_count
check "arm" accepted "arm behind_event count"
log_mark
load marker_behind
check "the switch is on" same opened "$(switched)"
check "its init was seen" same 1 "$(hits count)"
check "the module goes" unload marker_behind
check "the switch is off again" same "opened closed" "$(switched)"
check "its exit was seen" same 2 "$(hits count)"
log_mark
check "where init fails" sh -c "! insmod /marker_behind.ko fail=1 2>/dev/null"
# busybox tries it in two ways.
check "the switch is off again, too" same "" "$(switched | sed 's/opened closed *//g')"
check "having been on" holds "$(switched)" opened
log_mark
load marker_behind
check "one that is closed when the module goes" accepted "disconnect *"
unload marker_behind
check "is not switched again" same "opened closed" "$(switched)"
check "verify" verified
tap_done
