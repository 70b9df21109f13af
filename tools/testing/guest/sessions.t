#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Sessions of the recorder beside each other, and snapshots that are taken by events.
# sessions.sh TOP HOME
# Several sessions of the recorder at once; snapshots that events take.
# guest: host_root=yes accel=parallel append=tsc=reliable
# shellcheck source=lib.sh
. "${0%/*}/lib.sh"
top=$1
home=$2
# shellcheck source=recorder.sh
. "/host$top/tools/testing/guest/recorder.sh"

# row SESSION COLUMN...: of ctf/sessions.
row() {
	awk -F '\t' -v name="$1" -v columns="$2" 'BEGIN { n = split(columns, wanted, " ") }
		$1 == name { for (i = 1; i <= n; i++) printf "%s%s", $wanted[i], i < n ? " " : "" }' "$C/sessions"
}

# in_session SESSION COMMAND...: with $C its folder.
in_session() {
	all=$C
	C=$all/instances/$1
	shift
	"$@"
	in_session_status=$?
	C=$all
	return $in_session_status
}

# counted DIR: events of its trace.
counted() {
	check_trace order "$1" && cut -d ' ' -f 1 /tmp/counts
}

check "one session is always there" same "default closed - 1048576 discard - 0 0" "$(row default '1 2 3 4 5 6 7 8')"
state_after() {
	accepted "connect types_ints ctf" && "$@" && accepted "disconnect types_ints" >/dev/null
	row default 2
}
check "without an event a session is closed with its last connection" same closed "$(state_after true)"
check "with one it stays" same recording "$(state_after sh -c "echo 1 >$F/fire")"
echo close >$C/control
run record --flight --session black-box --size 256K types_ints
check "a flight recorder of its own session" same "0 recording overwrite 1" "$status $(row black-box '2 5 7')"
run record --flight --session black-box --size 256K types_ints
check "a second one of that session is refused" holds "$status $said" "is refused: the session black-box is in use"
check "a flight recorder takes the memory twice" test "$(row black-box 8)" -gt $((4 * 262144))
become "$top/tools/kmark" record --session live --clock mono -o /mnt/live types_ints >/tmp/out 2>/tmp/err &
recorder=$!
until in_session live key connections 2>/dev/null | grep -q 1; do sleep 0.1; done
check "a recorder beside it says who owns it" same "recording $recorder discard mono" \
	"$(row live '2 3 5 6' | sed 's/ kmark\| python3//')"
taskset 1 sh -c "echo 300 >$F/fire"
run record -o /mnt/third types_ints -- taskset 2 sh -c "echo 200 >$F/fire"
check "the default session is a third one" holds "$status $said" "0 kmark: /mnt/third: 200 events recorded, none lost"
run record sessions
check "kmark record sessions lists them" holds "$said" "black-box  recording"
run record --session live -o /mnt/other types_ints -- true
check "a session with an owner is refused by its name" holds "$status $said" "1 kmark: the session live is in use"
kill -INT $recorder
wait $recorder
check "the recorder has the events of both" holds "$(cat /tmp/err)" "/mnt/live: 500 events recorded, none lost"
check "its session is removed" test ! -e $C/instances/live
run record snapshot --session black-box -o /mnt/first
check "the flight recorder has them, too" holds "$status $said" "0 kmark: /mnt/first: 500 events recorded, none lost"
run record snapshot --session black-box -o /mnt/first
check "a snapshot without a place is not taken" same "1 kmark: /mnt/first: is there already; a trace needs a folder of its own none" \
	"$status $said $(in_session black-box key snapshot)"
run record --flight --session lost no_such
check "a flight recorder that is refused leaves no session" same "1 absent" \
	"$status $([ -e $C/instances/lost ] || echo absent)"
check "babeltrace2 reads the trace of a session" babeltrace /mnt/live
check "babeltrace2 prints all its events" same 500 "$(wc -l </tmp/text)"

# Wrong words.
log_mark
check "a session that exists is refused" sh -c "! echo create black-box >$C/sessions 2>/dev/null"
check "the log names it" logged 'ctf/sessions: the session "black-box" exists'
check "what is no name is refused" sh -c "! echo create a/b >$C/sessions 2>/dev/null"
check "the log says what is one" logged '"a/b": want a name of up to 31 letters'
check "a session that records is not removed" sh -c "! echo remove black-box >$C/sessions 2>/dev/null"
check "the log says why" logged 'the session "black-box" has connections'
# No name, to others the default session.
check "no session is removed without a name" same "sh: write error: Invalid argument" \
	"$({ echo remove >$C/sessions; } 2>&1)"
printf 'create caf\351\n' >/tmp/cafe
check "none is made of letters that are not ASCII" same "cat: write error: Invalid argument" \
	"$({ cat /tmp/cafe >$C/sessions; } 2>&1)"
check "the default session is not removed" sh -c "! echo remove default >$C/sessions 2>/dev/null"
check "a session with connections has no other owner" sh -c "! true <$C/instances/black-box/own" 2>/dev/null
exec 3<$C/packets
check "a second reader is refused" sh -c "! true <$C/packets" 2>/dev/null
check "the log says that there is one" logged "session default: another reader has the packets"
check "buffers that are read are not set up" sh -c "! echo size=64K >$C/control 2>/dev/null"
check "a read of less than a packet is refused" sh -c "! dd bs=100 count=1 <&3 >/dev/null 2>&1"
exec 3<&-
for words in size=8K size=2G "start stop" frob; do
	check "\"$words\" is refused" sh -c "! echo $words >$C/control 2>/dev/null"
done
check "an unknown session is refused" refused ENOENT "connect types_ints ctf session=none"
check "the log names the unknown one" logged 'there is no session "none"'
# The least power of two of which two CPUs need more than half of the memory.
half=$(($(awk '/^MemAvailable/ { print $2 }' /proc/meminfo) / 2))
size=16
while [ $((2 * size)) -le $half ]; do
	size=$((2 * size))
done
check "too much memory for a session is refused" sh -c \
	"echo create big >$C/sessions; echo size=${size}K >$C/instances/big/control
	! echo connect types_ints ctf session=big >$M/control 2>/dev/null"
check "the log names the session, and how much" logged "ctf: session big: size=$((size * 1024)) needs "
check "it is removed" sh -c "echo remove big >$C/sessions"
check "a snapshot of a session that discards is refused" refused EINVAL "connect types_ints snapshot"
check "the log says what a snapshot wants" logged "the session default is mode=discard; want mode=overwrite"

# On a condition: what was there when the event came, although more follows than the buffers hold.
accepted "connect types_ints snapshot session=black-box if arg5 == 700"
fired=$(cat $F/fired)
before=$(in_session black-box sum recorded)
taskset 1 sh -c "echo 30000 >$F/fire"
check "an event takes a snapshot" same "taken marker_types/types_ints" "$(in_session black-box key snapshot) $(in_session black-box key snapshot.by)"
run record snapshot --session black-box --wait -o /mnt/event
check "kmark says what has taken it" holds "$status $said" "0 kmark: /mnt/event: taken by marker_types/types_ints, 701 events recorded"
check "the snapshot has the events up to that one" same 701 "$(counted /mnt/event)"
host babeltrace2 /mnt/event | tail -n 1 >/tmp/last
check "the last one is that event" holds "$(cat /tmp/last)" "arg5 = 700"
run record snapshot --session black-box -o /mnt/after
produced=$((($(cat $F/fired) - fired) / 2))
sums="$(in_session black-box sum recorded) $(in_session black-box sum lost) $(in_session black-box sum overwritten)"
echo "# $produced events: recorded, lost, overwritten in all $sums"
# shellcheck disable=SC2086
set -- $sums
check "produced is recorded, lost and overwritten" same 30000 $(($1 - before + $2 + $3))
check "the next snapshot is whole and in order" same $(($1 - before - 701)) "$(counted /mnt/after)"

# A second event while one is there; a reader that is killed.
echo snapshot >$C/instances/black-box/control
taskset 1 sh -c "echo 701 >$F/fire"
check "an event does not replace a snapshot" same "taken control 1" \
	"$(in_session black-box key snapshot) $(in_session black-box key snapshot.by) $(in_session black-box key snapshot.missed)"
check "nor does a command" sh -c "! echo snapshot >$C/instances/black-box/control 2>/dev/null"
dd if=$C/instances/black-box/snapshot of=/dev/null bs=4096 count=0 2>/dev/null
run record snapshot --session black-box -o /mnt/empty
check "a reader that ends at once takes nothing of it" holds "$said" "taken by control, 0 events"
mkdir /host/mnt/small
mount -t tmpfs -o size=16k small /host/mnt/small
run record snapshot --session black-box -o /mnt/small/trace
check "a snapshot on a full disk is status 1" holds "$status $said" "1 kmark: /mnt/small/trace/cpu0: No space left on device"
check "it is there again" same "taken reader" "$(in_session black-box key snapshot) $(in_session black-box key snapshot.by)"
run record snapshot --session black-box -o /mnt/kept
check "no event of it is lost" same 701 "$(counted /mnt/kept)"

# Several at full rate on one CPU, in bursts on the one that reads, and in timer interrupts.
# all_of COLUMN...: their sum in that session.
all_of() {
	sum=0
	for column; do
		sum=$((sum + $(in_session black-box sum "$column")))
	done
	echo $sum
}
echo 1000 >/sys/module/marker_types/parameters/timer_us
control "disconnect types_ints snapshot"
before=$(all_of recorded lost overwritten)
recorded=$(all_of recorded)
fired=$(cat $F/fired)
taskset 1 sh -c "while sleep 0.1; do echo 3000 >$F/fire; done" &
first=$!
taskset 2 sh -c "echo 600000 >$F/fire_ms" &
second=$!
for number in 1 2; do
	run record snapshot --session black-box -o /mnt/s$number
	check "snapshot $number at full rate" same 0 $status
done
check "events were produced during both" kill -KILL $first $second
wait
echo 0 >/sys/module/marker_types/parameters/timer_us
run record snapshot --session black-box -o /mnt/s3
total=0
for number in 1 2 3; do
	n=$(counted /mnt/s$number)
	check "snapshot $number is whole and in order" test "$n" -gt 0
	total=$((total + n))
done
produced=$((($(cat $F/fired) - fired) / 2))
echo "# $produced events, $total in 3 snapshots, in all $(all_of lost) lost, $(all_of overwritten) overwritten"
check "produced events are recorded + lost + overwritten" same $produced $(($(all_of recorded lost overwritten) - before))
check "the recorded events are in the snapshots" same $(($(all_of recorded) - recorded)) $total

run record sessions --remove black-box
check "a session is removed" same "0 " "$status $(row black-box 1)"
check "the default session, which is closed, has no events" same "closed 0" "$(key state) $(key events)"
check "it is opened again" accepted "connect types_ints ctf"
echo 5 >$F/fire
cat $C/snapshot >/tmp/packets
check "it counts from 0" same "5 0 1" "$(sum recorded) $(sum lost) $(key events)"
accepted "disconnect *" >/dev/null
echo close >$C/control

# A recorder goes while a snapshot of its session is read, and another one opens the session.
read_three() {
	dd bs=4096 count=3 <&6 2>/dev/null | wc -c
}
outlive() {
	exec 5<$C/own
	accepted "connect types_ints ctf" >/dev/null
	taskset 1 sh -c "echo 1000 >$F/fire"
	exec 6<$C/snapshot
	check "packets of a snapshot are read" same 12288 "$(read_three)"
	exec 5<&-
	check "its session is closed with its recorder" same "closed -" "$(row default '2 3')"
	check "it is opened by another one" accepted "connect types_ints ctf"
}
echo mode=overwrite >$C/control
outlive
exec 6<&-
taskset 1 sh -c "echo 5 >$F/fire"
cat $C/snapshot >/tmp/packets
check "its reader leaves the session as it is now" same "5 0 1" "$(sum recorded) $(sum lost) $(key events)"
accepted "disconnect *" >/dev/null
outlive
echo snapshot >$C/control
check "there are no more packets of it" same 0 "$(read_three)"
check "a snapshot of the session as it is now waits for its reader" same "taken control" "$(key snapshot) $(key snapshot.by)"
exec 6<&-
accepted "disconnect *" >/dev/null
echo close >$C/control
echo mode=discard >$C/control
check "nothing is left" nothing_left
check "verify reports no mismatch" verified
check "all modules can be unloaded" unload probe_ctf marker_types markers
tap_done
