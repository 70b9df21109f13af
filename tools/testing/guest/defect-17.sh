#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Snapshots of a flight recorder that does not stop.  defect-17.sh TOP HOME
. /lib.sh
top=$1
home=$2
# shellcheck source=recorder.sh
. "/host$top/tools/testing/guest/recorder.sh"

# hold DIR: begins a snapshot, and stops its process $held when it has begun to write.
hold() {
	become "$top/tools/kmark" record snapshot -o "$1" >/tmp/held 2>&1 &
	held=$!
	until [ -e "/host$1/cpu0" ] || ! kill -0 $held 2>/dev/null; do :; done
	kill -STOP $held
}

# recorded DIR...: events in those traces.
recorded() {
	total=0
	for folder; do
		check_trace order "$folder" || return
		total=$((total + $(cut -d ' ' -f 1 /tmp/counts)))
	done
	echo $total
}

run record --flight --size 32M types_ints
check "the flight recorder is on" same "0 recording" "$status $(key state)"
taskset 1 sh -c "echo 500000 >$F/fire"
hold /mnt/killed
check "it records while a snapshot is taken" same recording "$(key state)"
kill -KILL $held
wait $held
check "it records after the snapshot is killed" same recording "$(key state)"
taskset 1 sh -c "echo 100000 >$F/fire"
check "no event is lost" same 0 "$(sum lost)"

hold /mnt/first
run record snapshot -o /mnt/second
check "a second snapshot at the same time is refused" holds "$status $said" "1 kmark: the session default is in use"
check "the refused snapshot makes no folder" test ! -e /host/mnt/second
taskset 2 sh -c "echo 100 >$F/fire"
kill -CONT $held
wait $held
check "the first snapshot ends well" same 0 $?
run record snapshot -o /mnt/rest
check "the next snapshot has the events since the killed one" holds "$status $said" "100100 events recorded, none lost"
check "the first trace has what the killed one has left, and as many events as it says" holds "$(cat /tmp/held)" "$(recorded /mnt/first) events recorded, none lost"
check "all produced events are recorded" same "600100 0 0" "$(sum recorded) $(sum lost) $(sum overwritten)"
rm -r /host/mnt/*
run disconnect '*' ctf

# At full rate on one CPU, in bursts on the one that reads, and in timer interrupts.
echo 1000 >/sys/module/marker_types/parameters/timer_us
run record --flight --size 256K types_ints
fired=$(cat $F/fired)
taskset 1 sh -c "while sleep 0.1; do echo 3000 >$F/fire; done" &
first=$!
taskset 2 sh -c "echo 600000 >$F/fire_ms" &
second=$!
for number in 1 2; do
	run record snapshot -o /mnt/$number
	check "snapshot $number of a running recorder" same 0 $status
done
check "events were produced during both snapshots" kill -KILL $first $second
wait
run record snapshot -o /mnt/3
for number in 1 2 3; do
	check "$number: packets are whole and in order" check_trace order /mnt/$number
	babeltrace /mnt/$number -c sink.utils.counter
	check "$number: babeltrace2 reads it" holds "$(cat /tmp/text)" "$(cut -d ' ' -f 1 /tmp/counts) Event messages"
done
produced=$((($(cat $F/fired) - fired) / 2))
echo "# $produced events: $(sum recorded) recorded, $(sum lost) lost, $(sum overwritten) overwritten"
check "produced events are recorded + lost + overwritten" same $produced \
	"$(($(sum recorded) + $(sum lost) + $(sum overwritten)))"
check "the recorded events are in the traces" same "$(sum recorded)" "$(recorded /mnt/1 /mnt/2 /mnt/3)"
tap_done
