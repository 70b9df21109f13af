#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# events_many.ko: 2,000 trace events that are enabled and disabled together, so that their static
# calls and keys are patched in batches.
# shellcheck source=../guest/lib.sh
. /lib.sh

T=/sys/kernel/tracing
mount -t tracefs tracefs $T 2>/dev/null

# function_calls: interrupts by which a CPU has asked others to do something.
function_calls() {
	awk '$1 == "CAL:" { for (i = 2; $i ~ /^[0-9]+$/; i++) n += $i; print n }' /proc/interrupts
}

# during COMMAND...: how many more there are after the command.
during() {
	before=$(function_calls)
	"$@"
	echo $(($(function_calls) - before))
}

set_all() { echo "$1" >$T/events/many/enable; }
set_each() { for event in "$T"/events/many/many_*/enable; do echo "$1" >"$event"; done; }

# recorded: events that one pass of all sites leaves behind.
recorded() {
	echo >$T/trace
	echo 1 >/sys/module/events_many/parameters/run
	grep -c ': many_[12][0-9]*: word=1$' $T/trace
}

check "2,000 events come" insmod /events_many.ko
echo 65536 >$T/buffer_size_kb
check "disabled, none is recorded" same 0 "$(recorded)"
together=$(during set_all 1)
check "enabled together, each is recorded" same 2000 "$(recorded)"
closing=$(during set_all 0)
check "disabled together, none is recorded" same 0 "$(recorded)"
set_all 1
clearing=$(during sh -c "echo >$T/set_event")
check "disabled by set_event, none is recorded" same 0 "$(recorded)"
each=$(during set_each 1)
check "enabled one by one, each is recorded" same 2000 "$(recorded)"
echo 0 >$T/events/many/many_1000/enable
echo 0 >$T/events/many/many_2999/enable
check "but two that are disabled one by one" same 1998 "$(recorded)"
set_all 0
check "disabled, some of them already, none is recorded" same 0 "$(recorded)"
echo "# function call interrupts for 2,000 events: $together to enable together, $closing to disable together, $clearing by set_event, $each to enable one by one"
check "together takes less than a tenth of the interrupts of one by one" test $((together * 10)) -lt "$each"
check "as does disabling" test $((closing * 10)) -lt "$each"
check "as does set_event" test $((clearing * 10)) -lt "$each"

# Others who change a tracepoint that is in a batch, and modules that go.
while :; do set_all 1; set_all 0; done &
batches=$!
for n in 0 1 2 3 4 5 6 7 8 9; do
	echo 1 >$T/events/many/many_100$n/enable
	echo 0 >$T/events/many/many_100$n/enable
done
mkdir $T/instances/other
echo 1 >$T/instances/other/events/many/enable
kill $batches
wait $batches
set_all 0
check "no event is recorded that only another instance has enabled" same 0 "$(recorded)"
check "the other instance has recorded each" same 2000 "$(grep -c ': many_[12][0-9]*: word=1$' $T/instances/other/trace)"
set_all 1
check "an event of two instances is recorded in both" same 2000 "$(recorded)"
echo 0 >$T/instances/other/events/many/enable
check "and in one when the other has disabled it" same 2000 "$(recorded)"
rmdir $T/instances/other
check "the module goes with its events enabled" rmmod events_many
check "and comes again" insmod /events_many.ko
check "with none enabled" same 0 "$(recorded)"
tap_done
