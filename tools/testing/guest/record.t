#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The probe ctf, kmark record and kmark record snapshot, read back by the host's
# babeltrace2 and by check_trace.py.
# Recording into a trace, and reading it with babeltrace2. Two CPUs write at full
# rate for MS milliseconds: 200 here, 10000 in the long form.
# guest: host_root=yes accel=parallel

on_host() {
	boot "${MS:-200}"
}

# shellcheck source=lib.sh
. "${0%/*}/lib.sh"
top=$1
home=$2
ms=$3

# shellcheck source=recorder.sh
. "/host$top/tools/testing/guest/recorder.sh"

# Both CPUs for $ms milliseconds.
storm="taskset 1 sh -c 'echo $ms >$F/fire_ms' & taskset 2 sh -c 'echo $ms >$F/fire_ms'; wait"

# All events that were fired arrive.
run record --raw-addresses -o /mnt/all 'types_*' -- sh -c "echo 5000 >$F/fire"
check "record ends with its command" same 0 $status
check "record prints the number of events" holds "$said" "10000 events recorded, none lost"
check "babeltrace2 reads it" babeltrace /mnt/all
check "10,000 events, with all their arguments" check_trace text 5000 </tmp/text
check "the raw trace has 5,000 events of each marker" check_trace raw /mnt/all 5000
check "nothing is left connected" nothing_left

# At full rate, with a timer interrupt that also fires, events that do not fit are counted.
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
run record snapshot -o /mnt/flight
produced=$((($(cat $F/fired) - fired) / 2))
echo "# overwrite: $produced events: $(sum recorded) recorded, $(sum lost) lost, $(sum overwritten) overwritten"
check "overwrite: produced is recorded, lost and overwritten" same "0 $produced" \
	"$status $(($(sum recorded) + $(sum lost) + $(sum overwritten)))"
check "overwrite: some events are overwritten" test "$(sum overwritten)" -gt 0
check "overwrite: no event is torn" check_trace packets /mnt/flight
check "overwrite: the snapshot has all recorded events" same "$(sum recorded)" "$(cut -d ' ' -f 1 /tmp/counts)"
check "babeltrace2 reads the snapshot" babeltrace /mnt/flight -c sink.utils.counter
check "babeltrace2 counts all events of the snapshot" holds "$(cat /tmp/text)" "$(sum recorded) Event messages"
echo 0 >/sys/module/marker_types/parameters/timer_us
run record -o /mnt/other types_ints -- true
check "a recorder is refused while a flight recorder is connected" same 1 $status
check "record says that a flight recorder is connected" holds "$said" "a flight recorder is connected"
before=$(sum recorded)
taskset 1 sh -c "echo 100 >$F/fire"
run record snapshot -o /mnt/second
check "a second snapshot has the events since the first" same "0 100" "$status $(($(sum recorded) - before))"
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
check "probe_ctf cannot be unloaded while it records" sh -c '! rmmod probe_ctf 2>/dev/null'
run record -o /mnt/other types_ints
check "a second recorder is refused" holds "$status $said" "1 kmark: the session default is in use: another recorder runs"
kill -INT $recorder
wait $recorder
check "Ctrl-C ends the recording with all events" same "0 40" "$? $(sed -n 's/.* \([0-9]*\) events recorded.*/\1/p' /tmp/err)"
check "babeltrace2 reads events of modules that were loaded later" babeltrace /mnt/comes
check "babeltrace2 prints all these events" same 40 "$(wc -l </tmp/text)"
check "nothing is left connected" nothing_left

# A full disk, a killed recorder: what is there can be read.
mkdir /host/mnt/small
mount -t tmpfs -o size=256k small /host/mnt/small
run record -o /mnt/small/trace types_ints -- taskset 1 sh -c "echo 20000 >$F/fire"
check "a full disk is status 1" same 1 $status
check "what the disk did not take is counted" test "$(echo "$said" | sed -n 's/.* \([0-9]*\) not written$/\1/p')" -gt 0
check "the full disk is named" holds "$said" "/mnt/small/trace/cpu0: No space left on device; the trace ends here"
check "the trace on the full disk has whole packets" check_trace packets /mnt/small/trace
check "babeltrace2 reads it" babeltrace /mnt/small/trace -c sink.utils.counter
check "babeltrace2 counts all events on the full disk" holds "$(cat /tmp/text)" "$(cut -d ' ' -f 1 /tmp/counts) Event messages"
check "they are those that kmark says are recorded" holds "$said" "/mnt/small/trace: $(cut -d ' ' -f 1 /tmp/counts) events recorded"
check "nothing is left connected" nothing_left

become "$top/tools/kmark" record --size 256K -o /mnt/killed types_ints >/dev/null 2>&1 &
recorder=$!
until grep -q ctf $M/control; do sleep 0.1; done
taskset 1 sh -c "echo 3000 >$F/fire_ms" &
until [ -s /host/mnt/killed/cpu0 ]; do sleep 0.1; done
kill -KILL $recorder
wait $recorder
check "a killed recorder leaves nothing connected" nothing_left
check "a killed recorder leaves whole packets" check_trace packets /mnt/killed
check "babeltrace2 reads it" babeltrace /mnt/killed -c sink.utils.counter
check "babeltrace2 counts all events of the killed recorder" holds "$(cat /tmp/text)" "$(cut -d ' ' -f 1 /tmp/counts) Event messages"
wait

# Wrong commands.
log_mark
check "words that ctf does not know are refused" refused EINVAL "connect types_ints ctf frob"
check "the log names these words" logged "want context=NAME"
check "a bad value in ctf/control is refused" sh -c "! echo size=frob >$C/control 2>/dev/null"
check "the log lists the values of ctf/control" logged 'ctf/control: "size=frob": want size=16K..1G, mode=discard|overwrite'
run record -o /mnt/none types_ints -- no-such-command
check "a command that cannot start is named" same "2 kmark: no-such-command: No such file or directory" "$status $(echo "$said" | head -n 1)"
check "it leaves no folder" test ! -e /host/mnt/none
run record --duration 100ms -o /mnt/short types_ints -- sleep 5
check "a command that still runs is named" holds "$status $said" "kmark: sleep still runs, as process "
run record snapshot --session nosuch -o /mnt/none
check "a session that is not there is named" same "1 kmark: there is no session nosuch; kmark record sessions lists them" "$status $said"
run record -o /mnt/all types_ints -- true
check "an existing folder is refused" holds "$status $said" "1 kmark: /mnt/all: is there already"
check "an existing folder leaves nothing connected" nothing_left
run record -o /mnt/none no_such -- true
check "an unknown marker is refused" holds "$status $said" "1 kmark: 'connect no_such ctf' is refused"
check "an unknown marker leaves nothing connected" nothing_left
run record snapshot -o /mnt/none
check "a snapshot without a recording is status 2" holds "$status $said" "2 kmark: record snapshot: nothing has been recorded"
run record -o /mnt/none2 types_ints -- /no/such
check "record with a missing command is status 2" holds "$status $said" "2 kmark: /no/such: No such file"
check "a missing command leaves nothing connected" nothing_left
run record -o /mnt/three types_ints -- sh -c 'exit 3'
check "the command's status is returned" same 3 $status

check "verify reports no mismatch" verified
check "all modules can be unloaded" unload probe_ctf marker_types markers
tap_done
