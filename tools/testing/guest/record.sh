#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The probe ctf, kmark record and kmark snapshot, read back by the host's
# babeltrace2 and by check_trace.py.  record.sh TOP HOME MS
. /lib.sh
top=$1
home=$2
ms=$3

# shellcheck source=recorder.sh
. "/host$top/tools/testing/guest/recorder.sh"

# Both CPUs for $ms milliseconds.
storm="taskset 1 sh -c 'echo $ms >$F/fire_ms' & taskset 2 sh -c 'echo $ms >$F/fire_ms'; wait"

# What arrives is what was fired.
run record --raw-addresses -o /mnt/all 'types_*' -- sh -c "echo 5000 >$F/fire"
check "record ends with its command" same 0 $status
check "it says how many" holds "$said" "10000 events recorded, none lost"
check "babeltrace2 reads it" babeltrace /mnt/all
check "10,000 events, with all their arguments" check_trace text 5000 </tmp/text
check "as it is in the file" check_trace raw /mnt/all 5000
check "nothing is left connected" nothing_left

# At full rate, with a timer interrupt that fires, too, what does not fit is counted.
echo 200 >/sys/module/marker_types/parameters/timer_us
fired=$(cat $F/fired)
run record --size 256K -o /mnt/full types_ints -- sh -c "$storm"
produced=$((($(cat $F/fired) - fired) / 2))
recorded=$(echo "$said" | sed -n 's/.* \([0-9]*\) events recorded.*/\1/p')
lost=$(echo "$said" | sed -n 's/.* \([0-9]*\) lost.*/\1/p')
echo "# discard: $produced events in $ms ms: $recorded recorded, ${lost:-0} lost"
check "discard: produced is recorded and lost" same "0 $produced" "$status $((recorded + ${lost:-0}))"
check "discard: no event is torn" check_trace packets /mnt/full
check "discard: the trace has them and says what is lost" same "$recorded ${lost:-0}" "$(cat /tmp/counts)"
rm -r /host/mnt/full

run record --flight --size 256K types_ints
check "the flight recorder is on" same "0 recording overwrite" "$status $(key state) $(key mode)"
fired=$(cat $F/fired)
eval "$storm"
run snapshot -o /mnt/flight
produced=$((($(cat $F/fired) - fired) / 2))
echo "# overwrite: $produced events: $(sum recorded) recorded, $(sum lost) lost, $(sum overwritten) overwritten"
check "overwrite: produced is recorded, lost and overwritten" same "0 $produced" \
	"$status $(($(sum recorded) + $(sum lost) + $(sum overwritten)))"
check "overwrite: something is" test "$(sum overwritten)" -gt 0
check "overwrite: no event is torn" check_trace packets /mnt/flight
check "overwrite: the newest are there" same "$(sum recorded)" "$(cut -d ' ' -f 1 /tmp/counts)"
check "babeltrace2 counts them" babeltrace /mnt/flight -c sink.utils.counter
check "all" holds "$(cat /tmp/text)" "$(sum recorded) Event messages"
echo 0 >/sys/module/marker_types/parameters/timer_us
run record -o /mnt/other types_ints -- true
check "a recorder does not take it over" same 1 $status
check "and says why" holds "$said" "a flight recorder is connected"
before=$(sum recorded)
taskset 1 sh -c "echo 100 >$F/fire"
run snapshot -o /mnt/second
check "a second snapshot has what came since" same "0 100" "$status $(($(sum recorded) - before))"
run disconnect '*' ctf
echo close >$C/control
check "the flight recorder is off" nothing_left

# Modules come and go while it records; Ctrl-C ends it well.
unload marker_types
become "$top/tools/kmark" record --arm -o /mnt/comes 'types_*' >/tmp/out 2>/tmp/err &
recorder=$!
until grep -q ctf $M/control; do sleep 0.1; done
load marker_types
echo 10 >$F/fire
unload marker_types
load marker_types
echo 10 >$F/fire
check "the probe's module stays while it records" sh -c '! rmmod probe_ctf 2>/dev/null'
run record -o /mnt/other types_ints
check "one recorder at a time" holds "$status $said" "1 kmark: the sink is in use: another recorder runs"
kill -INT $recorder
wait $recorder
check "Ctrl-C ends it well" same "0 40" "$? $(sed -n 's/.* \([0-9]*\) events recorded.*/\1/p' /tmp/err)"
check "babeltrace2 reads what came later" babeltrace /mnt/comes
check "all of it" same 40 "$(wc -l </tmp/text)"
check "nothing is left connected" nothing_left

# A full disk, a killed recorder: what is there can be read.
mkdir /host/mnt/small
mount -t tmpfs -o size=256k small /host/mnt/small
run record -o /mnt/small/trace types_ints -- taskset 1 sh -c "echo 20000 >$F/fire"
check "a full disk is status 1" same 1 $status
check "and is named" holds "$said" "/mnt/small/trace/cpu0: No space left on device; the trace ends here"
check "what fits is whole" check_trace packets /mnt/small/trace
check "babeltrace2 reads it" babeltrace /mnt/small/trace -c sink.utils.counter
check "all of it" holds "$(cat /tmp/text)" "$(cut -d ' ' -f 1 /tmp/counts) Event messages"
check "nothing is left connected" nothing_left

become "$top/tools/kmark" record --size 256K -o /mnt/killed types_ints >/dev/null 2>&1 &
recorder=$!
until grep -q ctf $M/control; do sleep 0.1; done
taskset 1 sh -c "echo 3000 >$F/fire_ms" &
until [ -s /host/mnt/killed/cpu0 ]; do sleep 0.1; done
kill -KILL $recorder
wait $recorder
check "a killed recorder leaves nothing connected" nothing_left
check "what it wrote is whole" check_trace packets /mnt/killed
check "babeltrace2 reads it" babeltrace /mnt/killed -c sink.utils.counter
check "all of it" holds "$(cat /tmp/text)" "$(cut -d ' ' -f 1 /tmp/counts) Event messages"
wait

# What is asked wrongly.
log_mark
check "words that ctf does not know" refused EINVAL "connect types_ints ctf frob"
check "are named" logged "ctf takes no words"
check "so in ctf/control" sh -c "! echo size=frob >$C/control 2>/dev/null"
check "with what it knows" logged 'ctf/control: "size=frob": want size=16K..1G, mode=discard|overwrite'
run record -o /mnt/all types_ints -- true
check "a folder that is there" holds "$status $said" "1 kmark: /mnt/all: is there already"
check "leaves nothing connected" nothing_left
run record -o /mnt/none no_such -- true
check "an unknown marker" holds "$status $said" "1 kmark: 'connect no_such ctf' is refused"
check "leaves nothing connected" nothing_left
run snapshot -o /mnt/none
check "a snapshot of nothing" holds "$status $said" "2 kmark: snapshot: nothing has been recorded"
run record -o /mnt/none2 types_ints -- /no/such
check "a command that is not there" holds "$status $said" "2 kmark: /no/such: No such file"
check "leaves nothing connected" nothing_left
run record -o /mnt/three types_ints -- sh -c 'exit 3'
check "the command's status is returned" same 3 $status

check "all is verified" verified
check "unload" unload probe_ctf marker_types markers
tap_done
