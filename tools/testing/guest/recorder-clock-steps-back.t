#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The clocks of a recorder.
# An unstable TSC, and a clock that steps back.
# guest: host_root=yes append=tsc=unstable arch=x86_64
# shellcheck source=lib.sh
. "${0%/*}/lib.sh"
top=$1
home=$2
# shellcheck source=recorder.sh
. "/host$top/tools/testing/guest/recorder.sh"

log_mark
run record --clock tsc -o /mnt/tsc types_ints -- true
check "an unstable TSC is refused" same 1 $status
check "kmark says what to do" holds "$said" "the TSC is not stable here, or its frequency is not known; use --clock mono"
check "the log says that the TSC is not stable" logged "ctf: clock=tsc: it is not stable here"
check "no session is left" nothing_left
check "no folder is left" test ! -e /host/mnt/tsc

# The speed of the clock goes up and down by 10 %.
(while :; do
	adjtimex -q -t 9000
	adjtimex -q -t 11000
done) &
adjusting=$!
run record --clock mono --size 32M -o /mnt/mono types_ints -- sh -c "
	taskset 1 sh -c 'echo 300000 >$F/fire' & taskset 2 sh -c 'echo 300000 >$F/fire'; wait"
kill $adjusting
check "no event is lost while the clock is adjusted" holds "$status $said" "600000 events recorded, none lost"
check "times never go down" check_trace packets /mnt/mono
check "babeltrace2 reads it" babeltrace /mnt/mono -c sink.utils.counter
check "babeltrace2 counts all events" holds "$(cat /tmp/text)" "600000 Event messages"
tap_done
