#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The end of a recording whose markers are disconnected already.
# Another user disconnects the recorder's markers, or it does so twice.
# guest: host_root=yes arch=x86_64
# shellcheck source=lib.sh
. "${0%/*}/lib.sh"
top=$1
home=$2
# shellcheck source=recorder.sh
. "/host$top/tools/testing/guest/recorder.sh"

run record -o /mnt/foreign types_ints -- sh -c "echo 1000 >$F/fire; echo 'disconnect *' >$M/control; echo 50 >$F/fire"
check "the recording ends well when another user disconnects everything" same 0 $status
check "all events before the disconnect are recorded" holds "$said" "1000 events recorded, none lost"
check "babeltrace2 reads them" babeltrace /mnt/foreign
check "babeltrace2 prints 1000 events" same 1000 "$(wc -l </tmp/text)"
check "nothing is left connected" nothing_left

# The first of the selectors also is a glob that matches the second.
run record --arm -o /mnt/twice 'types_*' 'no_*' 'no_such_*' -- sh -c "echo 500 >$F/fire"
check "overlapping selectors with --arm are accepted" same 0 $status
check "all events are recorded" holds "$said" "1000 events recorded, none lost"
check "babeltrace2 reads them" babeltrace /mnt/twice
check "babeltrace2 prints 1000 events of overlapping selectors" same 1000 "$(wc -l </tmp/text)"
check "nothing is left connected" nothing_left
run record -o /mnt/none 'types_*' types_ints -- true
check "without --arm a site that is selected twice is refused" holds "$status $said" "is refused: a site is selected twice"
check "nothing is left connected" nothing_left
tap_done
