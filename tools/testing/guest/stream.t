#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# kmark record --stream and kmark record listen.
# Recordings that are sent to kmark record listen, over the guest's own network.
# guest: host_root=yes
# shellcheck source=lib.sh
. "${0%/*}/lib.sh"
top=$1
home=$2
# shellcheck source=recorder.sh
. "/host$top/tools/testing/guest/recorder.sh"
N=20000
fire="taskset 1 sh -c 'echo $N >$F/fire'"
ip link set lo up
hostname box
here=127.0.0.1:7706

# listen FOLDER ARGUMENT...: waits until it does; what it says is in /tmp/listener.
listen() {
	folder=$1
	shift
	: >/tmp/listener
	become "$top/tools/kmark" record listen -o "$folder" --max-disk 1G "$@" 2>/tmp/listener &
	listener=$!
	until grep -q listening /tmp/listener; do sleep 0.1; done
}

# ends SIGNAL: of the listener; its exit status.
ends() {
	kill "-$1" $listener
	wait $listener
	listener_status=$?
}

# come FOLDER: until packets are there, of either CPU.
come() {
	until [ -s "/host$1/cpu0" ] || [ -s "/host$1/cpu1" ]; do sleep 0.1; done
}

# Fires until /mnt/enough is there.
long="until [ -e /mnt/enough ]; do echo 500 >$F/fire; sleep 0.05; done"
# More than the buffers of a connection and of the session have room for.
much="echo 500 >$F/fire; until [ -e /mnt/stopped ]; do sleep 0.05; done; echo 200000 >$F/fire"

listen /mnt/all --count 3
run record --stream 127.0.0.1 types_ints -- sh -c "$fire"
check "all events are recorded" same "0 kmark: $here: $N events recorded, none lost" "$status $said"
check "the folder is called like the machine" check_trace packets /mnt/all/box-1
check "the trace has all events" same "$N 0" "$(cat /tmp/counts)"
check "only its owner can read it" same "700 600" "$(stat -c %a /host/mnt/all/box-1 /host/mnt/all/box-1/cpu0 | xargs)"
check "babeltrace2 reads it" babeltrace /mnt/all/box-1 -c sink.utils.counter
check "babeltrace2 counts all events" holds "$(cat /tmp/text)" "$N Event messages"

# Two recorders at the same time, of one marker each.
become "$top/tools/kmark" record --session a --stream "$here" types_ints >/tmp/a 2>&1 &
first=$!
become "$top/tools/kmark" record --session b --stream "$here" types_texts >/tmp/b 2>&1 &
second=$!
until [ "$(grep -c ctf $M/control)" = 2 ]; do sleep 0.1; done
eval "$fire"
kill -INT $first $second
wait $first
status=$?
wait $second
check "two recorders at a time: all events of both" same "0 0 $N $N" \
	"$status $? $(sed -n 's/.*: \([0-9]*\) events recorded, none lost/\1/p' /tmp/a /tmp/b | xargs)"
wait $listener
check "--count ends the listener, with status 0" same "0 3" "$? $(grep -c whole /tmp/listener)"
check "each in a folder of its own" same "marker_types/types_ints marker_types/types_texts" \
	"$(cat /host/mnt/all/box-[23]/metadata | sed -n 's/.*name = "\(marker_types\/types_[a-z]*\)".*/\1/p' | sort | xargs)"
check "nothing is left connected" nothing_left

# A receiver that takes nothing for a while.
listen /mnt/slow
fired=$(cat $F/fired)
become "$top/tools/kmark" record --size 256K --stream "$here" types_ints -- sh -c "$much" >/tmp/out 2>&1 &
recorder=$!
come /mnt/slow/box-1
kill -STOP $listener
touch /host/mnt/stopped
until [ $((($(cat $F/fired) - fired) / 2)) = 200500 ]; do sleep 0.1; done
kill -CONT $listener
wait $recorder
status=$?
produced=$((($(cat $F/fired) - fired) / 2))
recorded=$(sed -n 's/.*: \([0-9]*\) events recorded.*/\1/p' /tmp/out)
lost=$(sed -n 's/.* \([0-9]*\) lost.*/\1/p' /tmp/out)
echo "# a receiver that stops: $produced events, $recorded recorded, ${lost:-0} lost"
check "a slow receiver: produced is recorded and lost" same "0 $produced" "$status $((recorded + lost))"
check "a slow receiver: the trace is whole" check_trace packets /mnt/slow/box-1
check "a slow receiver: it has all that was recorded" same "$recorded" "$(cut -d ' ' -f 1 /tmp/counts)"

# The receiver is killed.
become "$top/tools/kmark" record --stream "$here" types_ints -- sh -c "$long" >/tmp/out 2>&1 &
recorder=$!
come /mnt/slow/box-2
ends KILL
wait $recorder
check "the receiver is killed: status 1, and why" holds "$? $(sed '/ still runs, /d' /tmp/out)" "1 kmark: $here: "
check "that the command still runs is said" grep -q '^kmark: sh still runs, as process [0-9]*$' /tmp/out
check "what came is whole" check_trace packets /mnt/slow/box-2
check "something came" test "$(cut -d ' ' -f 1 /tmp/counts)" -gt 0
check "the receiver is killed: nothing is left connected" nothing_left
touch /host/mnt/enough
run record --stream "$here" types_ints -- true
check "no receiver is there: status 1, and what has to run" same \
	"1 kmark: $here: Connection refused: kmark record listen has to run there" "$status $said"
check "no receiver is there: nothing is left connected" nothing_left

# The recorder is killed; the listener continues.
rm /host/mnt/enough
listen /mnt/killed
become "$top/tools/kmark" record --stream "$here" types_ints -- sh -c "$long" >/tmp/out 2>&1 &
recorder=$!
come /mnt/killed/box-1
kill -KILL $recorder
wait $recorder
until grep -q 'not whole' /tmp/listener; do sleep 0.1; done
touch /host/mnt/enough
check "the recorder is killed: what came is whole" check_trace packets /mnt/killed/box-1
printf 'GET / HTTP/1.0\r\n\r\n' | nc 127.0.0.1 7706 >/dev/null
run record --stream "$here" types_ints -- sh -c "$fire"
check "the next recording arrives" same "0 $N events recorded, none lost" "$status ${said#*7706: }"
ends INT
check "the listener's status is 1 for one that is not whole" same 1 $listener_status
check "it says of which" holds "$(cat /tmp/listener)" "/mnt/killed/box-1: not whole, "
check "it says that something else has connected" holds "$(cat /tmp/listener)" "is no kmark record"
check "that is no folder" same "box-1 box-2" "$(cd /host/mnt/killed && echo *)"

# The receiver's disk is full.
mkdir /host/mnt/small
mount -t tmpfs -o size=256k,mode=700 small /host/mnt/small
listen /mnt/small
run record --stream "$here" types_ints -- sh -c "$fire"
check "the receiver's disk is full: status 1, and which" same \
	"1 kmark: $here: /mnt/small/box-1/cpu0: No space left on device; the trace ends here" "$status $said"
check "what fitted is whole" check_trace packets /mnt/small/box-1
check "the receiver's disk is full: nothing is left connected" nothing_left
ends INT

check "verify reports no mismatch" verified
tap_done
