#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The context recorded by ctf is the same as the one of trace-cmd and perf at the same time; and only events
# that match a condition are recorded.
# guest: host_root=yes

on_host() {
	make -s -C "$top" "$native/deep" >&2 || exit 1
	boot "$top/$native/deep"
}

# shellcheck source=lib.sh
. "${0%/*}/lib.sh"
top=$1
home=$2
# shellcheck source=recorder.sh
. "/host$top/tools/testing/guest/recorder.sh"
load probe_event
load probe_count
G=/host/sys/fs/cgroup
P=$F/packets
deep=$3
items=tid,pid,comm,prio,cpu,irq,preempt,cgroup

mount -t cgroup2 none $G
mkdir $G/group

# One event each of: a program, its second thread on the other CPU, a program at nice 5,
# and one in the cgroup.
cat >/host/mnt/fire <<END
#!/bin/sh
taskset 1 $deep $P
taskset 2 $deep $P thread
nice -n 5 taskset 1 $deep $P
echo \$\$ >/sys/fs/cgroup/group/cgroup.procs
taskset 2 $deep $P
END

accepted "connect packet_sent event" >/dev/null
run record --raw-addresses --context $items,kstack,ustack -o /mnt/all packet_sent -- \
	trace-cmd record -q -o /mnt/trace.dat -e marker_types:packet_sent \
	perf record -q -a -o /mnt/perf.data -e marker_types:packet_sent -- sh /mnt/fire
check "record, trace-cmd and perf record the same events" holds "$status $said" "0 "
check "four events are recorded" holds "$said" "4 events recorded, none lost"
accepted "disconnect *" >/dev/null
check "babeltrace2 reads them" babeltrace /mnt/all
cp /tmp/text /tmp/all

# field NAME: of each event.
field() {
	sed "s/.*[{,] $1 = \"\{0,1\}\([^,\"}]*[^,\"} ]\).*/\1/" /tmp/all
}

# together NAME...: these fields, an event a line.
together() {
	for name; do
		field "$name" >"/tmp/field.$name"
		set -- "$@" "/tmp/field.$name"
		shift
	done
	paste -d ' ' "$@"
}
host trace-cmd report -q -i /mnt/trace.dat >/tmp/trace-cmd.txt 2>/tmp/err
host perf script -i /mnt/perf.data -F comm,pid,tid,cpu >/tmp/perf.txt 2>/tmp/err
check "thread, name and CPU are those of trace-cmd" same \
	"$(sed -n 's/^ *\(.*\)-\([0-9]*\) *\[00\([0-9]\)\].*/\1 \2 \3/p' /tmp/trace-cmd.txt)" \
	"$(together comm tid cpu)"
check "process, thread, name and CPU are those of perf" same \
	"$(sed -n 's/^ *\(.*[^ ]\)  *\([0-9]*\)\/\([0-9]*\)  *\[00\([0-9]\)\].*/\1 \2 \3 \4/p' /tmp/perf.txt)" \
	"$(together comm pid tid cpu)"
check "the second thread is another one of its process" test "$(field pid | sed -n 2p)" != "$(field tid | sed -n 2p)"
# Events of numbers with these two items alone are stored by functions of their own; a later thread has a larger number.
run record --raw-addresses --context pid,tid -o /mnt/pair packet_queued -- sh -c "$deep $P && $deep $P thread"
babeltrace /mnt/pair
check "thread and process stand before the numbers, each in its place" same "1 0 7 1 0 7" \
	"$(sed -n 's/.*{ tid = \([0-9]*\), pid = \([0-9]*\) }, { len = \([0-9]*\), queue = \([0-9]*\) }.*/\1 \2 \3 \4/p' /tmp/text |
		awk '{ print (NR == 1 ? $1 == $2 : $1 > $2), $3, $4 }' | xargs)"
check "the names of the threads" same "deep deep thread deep deep" "$(field comm | xargs)"
check "the CPUs" same "0 1 0 1" "$(field cpu | xargs)"
check "the priorities" same "120 120 125 120" "$(field prio | xargs)"
check "no interrupt, preemption is not disabled" same 4 "$(grep -c 'irq = ( "task" : .*, preempt = 0,' /tmp/all)"
check "the cgroup is the inode of its folder" same "$(stat -c %i $G) $(stat -c %i $G/group)" \
	"$(field cgroup | sed -n '3,4p' | xargs)"

# symbols FILE STACK N: names of the first N frames of the last event; FILE is as of nm.
symbols() {
	sed -n "\$s/.* $2 = \[ //p" /tmp/all | sed 's/ \].*//' | tr , '\n' |
		sed 's/.*= 0x//' | head -n "$3" | tr A-F a-f | while read -r address; do
		awk -v address="x$(printf '%16s' "$address" | tr ' ' 0)" \
			'"x" $1 <= address && "x" $1 > best { best = "x" $1; name = $3 } END { print name }' "$1"
	done | xargs
}
host nm "$deep" | grep -i ' t ' >/tmp/deep
check "the kernel's stack begins at the site" same "fire_packets write_packets" "$(symbols /proc/kallsyms kstack 2)"
check "the user's stack leads to it" same "deep_write deep_middle deep_outer" "$(symbols /tmp/deep ustack 3)"

check "fields have the names of the format" same 4 "$(grep -c ', len = 0, dev = "eth0" }$' /tmp/all)"

# Interrupts: as many as trace-cmd's flags say.
echo 200 >/sys/module/marker_types/parameters/timer_us
accepted "connect types_ints event" >/dev/null
run record --size 16M --context irq,preempt -o /mnt/irq types_ints -- \
	trace-cmd record -q -b 16384 -o /mnt/irq.dat -e marker_types:types_ints taskset 1 sh -c "echo 30 >$F/fire_ms"
accepted "disconnect *" >/dev/null
echo 0 >/sys/module/marker_types/parameters/timer_us
host trace-cmd report -q -l -i /mnt/irq.dat 2>/tmp/err | grep types_ints >/tmp/flags
check "babeltrace2 reads events of interrupts" babeltrace /mnt/irq
interrupted=$(grep -c 'irq = ( "hardirq"' /tmp/text)
head -n 2 /tmp/flags | sed 's/^/# /'
echo "# $(grep -c types_ints /tmp/text) events, $interrupted in a hard interrupt"
check "some events are of a hard interrupt" test "$interrupted" -gt 0
check "trace-cmd has as many in a hard interrupt" same "$interrupted" "$(grep -cE -- '-[0-9]+ +[0-9][^ ]*[hH][^ ]* ' /tmp/flags)"
check "all others are of the task" same "$(wc -l </tmp/flags)" "$((interrupted + $(grep -c 'irq = ( "task"' /tmp/text)))"

# Texts, hashed addresses and context in one event; a packet that is still open.
run record --context comm,tid -o /mnt/texts types_texts -- sh -c "echo 500 >$F/fire"
check "babeltrace2 reads texts behind the context" babeltrace /mnt/texts
check "all have the context" same 500 "$(grep -c '{ tid = [0-9]*, comm = "sh" }, { arg0 = ' /tmp/text)"
check "addresses are hashed behind the context" same "1 0" \
	"$(sed 's/.*arg3 = \([^ ]*\) .*/\1/' /tmp/text | grep -c '^0x0\{0,8\}[0-9A-F]\{1,8\}$' | sed 's/^500$/1/') $(
	grep -c 'arg3 = 0xFFFF8' /tmp/text)"
run record --flight --raw-addresses --context tid,kstack packet_queued
echo 10 >$P
run record snapshot -o /mnt/flight
check "a snapshot has the stacks" holds "$status $said" "0 kmark: /mnt/flight: 10 events recorded"
check "babeltrace2 reads stacks of a packet that is open" babeltrace /mnt/flight
check "all of them" same 10 "$(grep -c "{ tid = $$ }, { kstack_frames = " /tmp/text)"
run disconnect '*' ctf
echo close >$C/control

# The same event with another context, in one session.
run record --flight --context tid packet_queued
echo 2 >$P
accepted "disconnect packet_queued ctf" >/dev/null
check "connected again with another context" accepted "connect packet_queued ctf context=comm"
echo 3 >$P
run record snapshot -o /mnt/two
check "babeltrace2 reads both" babeltrace /mnt/two
check "each event has the context of its connection" same "2 3" \
	"$(grep -c "{ tid = $$ }, { " /tmp/text) $(grep -c '{ comm = "sh" }, { ' /tmp/text)"
run disconnect '*' ctf
echo close >$C/control

# Two CPUs record as fast as they can, with tid, comm and kstack as context.
fired=$(cat $F/fired)
run record --raw-addresses --size 64K --context tid,comm,kstack -o /mnt/full types_ints -- \
	sh -c "taskset 1 sh -c 'echo 50 >$F/fire_ms' & taskset 2 sh -c 'echo 50 >$F/fire_ms'; wait"
produced=$((($(cat $F/fired) - fired) / 2))
recorded=$(echo "$said" | sed -n 's/.* \([0-9]*\) events recorded.*/\1/p')
lost=$(echo "$said" | sed -n 's/.* \([0-9]*\) lost.*/\1/p')
echo "# $produced events: $recorded recorded, ${lost:-0} lost"
check "with context, produced is recorded and lost" same "0 $produced" "$status $((recorded + ${lost:-0}))"
check "babeltrace2 reads it" babeltrace /mnt/full -c sink.utils.counter
check "babeltrace2 counts all of them" holds "$(cat /tmp/text)" "$recorded Event messages"

# Conditions.  recorded OPTION...: print how many events kmark record --if takes of 100 events of packet_sent and one of deep.
recorded() {
	rm -rf /host/mnt/if
	run record "$@" -o /mnt/if packet_sent -- sh -c "echo 100 >$P; $deep $P thread"
	echo "$status $(echo "$said" | sed -n 's/.* \([0-9]*\) events recorded.*/\1/p')"
}
check "fields by name, && before ||" same "0 6" "$(recorded --if 'len >= 90 && dev == "eth0" || len == 1')"
check "a glob, and a negation" same "0 2" "$(recorded --if 'dev ~ "e?h*" && !(len < 98) || dev ~ l* && len == 1')"
check "--comm, twice, and --if" same "0 2" "$(recorded --comm 'deep*' --comm sh --if 'len == 99 || $comm ~ "deep thread"')"

# of_another OPTION...: as recorded, while one process in the background fires 7 events and another fires 5.
of_another() {
	rm -rf /host/mnt/if
	run record "$@" -o /mnt/if packet_sent -- sh -c "echo 5 >$P; touch /mnt/go; until [ -e /mnt/gone ]; do sleep 0.1; done"
	echo "$status $(echo "$said" | sed -n 's/.* \([0-9]*\) events recorded.*/\1/p')"
	rm /host/mnt/go /host/mnt/gone
}
another() {
	sh -c "until [ -e /host/mnt/go ]; do sleep 0.1; done; echo 7 >$P; touch /host/mnt/gone" &
}
another
check "--pid and --tid" same "0 7" "$(of_another --pid "1,$!" --tid $!)"
another
echo $! >$G/group/cgroup.procs
check "--cgroup" same "0 7" "$(of_another --cgroup group)"
wait
run stat --if 'len < 10 || dev == eth0' --comm sh packet_sent -- sh -c "echo 100 >$P; $deep $P"
check "stat takes the same conditions" holds "$status $said" " 55 marker_types/packet_sent"
run connect packet_sent count if 'len<10||dev==eth0'
check "connect, too" holds "$(cat $M/control)" "connect packet_sent count if len<10||dev==eth0"
run disconnect '*'

# Wrong conditions are refused with the place of the error.
while IFS='|' read -r condition expected; do
	run record --if "$condition" -o /mnt/none packet_sent -- true
	check "--if '$condition' is refused" holds "$status $said" "$expected"
	check "and leaves nothing" sh -c '! [ -e /host/mnt/none ]'
done <<'END'
len > 5 && size == 1|at "size == 1": marker_types/packet_sent (
len >|at its end: want a value
END
run record --context uid -o /mnt/none packet_sent -- true
check "an unknown context is status 2" holds "$status $said" "argument --context: 'uid': want names of tid pid "
run record --context kstack -o /mnt/none packet_sent -- true
check "addresses that cannot be hashed need --raw-addresses" holds "$status $said" "2 kmark: record: --context kstack"
check "the kernel says so, too" refused "Operation not permitted" "connect packet_sent ctf context=kstack"
log_mark
check "a field that is not there is named" refused EINVAL "connect packet_sent ctf if len > 5 && size == 1"
check "with those that are" logged 'there is no field "size", but len dev'
check "an unknown context is refused" refused EINVAL "connect packet_sent ctf context=tid,uid"
check "the log lists them" logged '"context=tid,uid": want context=NAME[,NAME]... of tid pid comm'
check "an empty one is refused" refused EINVAL "connect packet_sent ctf context="
check "nothing is left connected" same "" "$(cat $M/control)"
check "verify reports no mismatch" verified
check "all modules can be unloaded" unload probe_ctf probe_event probe_count marker_types markers
tap_done
