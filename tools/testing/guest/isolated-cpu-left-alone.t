#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Interrupts of an isolated CPU while a recorder runs.
# A recorder leaves an isolated CPU alone.
# guest: host_root=yes append=isolcpus=1 arch=x86_64
# shellcheck source=lib.sh
. "${0%/*}/lib.sh"
top=$1
home=$2
# shellcheck source=recorder.sh
. "/host$top/tools/testing/guest/recorder.sh"

# calls: function call interrupts that CPU 1 has had.
calls() {
	awk '$1 == "CAL:" { print $3 }' /proc/interrupts
}

# calls_in_5s COMMAND: those that come in 5 seconds, from its beginning on.
calls_in_5s() {
	before=$(calls)
	"$@"
	sleep 5
	echo $(($(calls) - before))
}

fire_10() {
	taskset 2 sh -c "echo 10 >$F/fire"
}

idle=$(calls_in_5s true)
busy=$(calls_in_5s fire_10)
become "$top/tools/kmark" record -o /mnt/trace types_ints >/tmp/out 2>/tmp/err &
recorder=$!
until grep -q ctf $M/control; do sleep 0.1; done
sleep 2
check "an idle recorder sends no interrupts" same "$idle" "$(calls_in_5s true)"

# A new process there can take one or two to begin; a flush each second takes five.
now=$(calls_in_5s fire_10)
echo "# 10 events on that CPU: $busy function call interrupts without a recorder, $now with it"
check "a reading recorder sends no more interrupts than a new process" test "$now" -lt $((busy + 3))
check "events are written while their packet is open" test -s /host/mnt/trace/cpu1
taskset 2 sh -c "echo 20 >$F/fire"
kill -INT $recorder
wait $recorder
check "all events are recorded when the recorder ends" same "0 30" "$? $(sed -n 's/.* \([0-9]*\) events recorded.*/\1/p' /tmp/err)"
check "packets are whole and in order" check_trace packets /mnt/trace
check "babeltrace2 reads it" babeltrace /mnt/trace
check "babeltrace2 prints all events" same 30 "$(wc -l </tmp/text)"
tap_done
