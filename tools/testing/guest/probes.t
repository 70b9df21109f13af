#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Probes that aggregate in the kernel, conditions, limits; and typed trace events,
# seen through tracefs.
# guest: cpus=2
# shellcheck source=lib.sh
. "${0%/*}/lib.sh"
F=/sys/kernel/tracing
E=$F/events/marker_types
types=/sys/kernel/debug/marker_types

# The events here are those that connect makes; expose.sh has the others.
load markers expose=
for module in marker_types marker_test probe_count probe_hist probe_latency \
	      probe_stack probe_trace probe_event; do
	load $module
done

fire_types() {
	echo "$1" >$types/fire
}

# found PROBE WHAT [KEY]: values of these rows of the results, one line.
found() {
	awk -F '\t' -v probe="$1" -v what="$2" -v key="${3:--}" '
		{ split($3, words, " ") }
		words[1] == probe && $4 == what && $5 == key { print $6 }' $M/results | xargs
}

# explained ERRNO COMMANDS TEXT: refused so, and the log says TEXT.
explained() {
	log_mark
	refused "$1" "$2" && logged "$3"
}

# Conditions.
check "a condition" accepted "connect types_ints count if arg5>=3 && arg5<8"
check "control shows the condition" same "connect types_ints count if arg5>=3 && arg5<8" "$(connections)"
fire_types 10
check "only matching events are counted" same 5 "$(found count events)"
accepted "disconnect *" >/dev/null
for case in "arg0<-3:125" "arg0>=-3:131" "arg1==255:1" "arg4!=0:255" "arg6<=-0x100000001:255" \
	    "arg7>0x8000000000000000:128" "arg5&0x80:128" "arg5&1&&arg5&2:64" "arg0==-128:1" \
	    "arg5==1||arg5==3:2" "(arg5==1||arg5==3)&&arg0!=3:1" "\$pid==$$:256" "\$tid!=$$:0" \
	    '$irq==0&&$preempt==0&&$prio==120&&arg5<9:9' '$comm~?*&&$cpu<64:256'; do
	accepted "connect types_ints count if ${case%:*}" >/dev/null
	fire_types 256
	check "if ${case%:*}" same "${case##*:}" "$(found count events)"
	accepted "disconnect *" >/dev/null
done
for case in "arg1==four:2" "arg1!=four:6" 'arg1=="":2' 'arg2=="(null)" && arg0>4:2' "arg3>0xffff800000000000:7" \
	"arg1~f*r:2" "arg1 ~ \"a*\" && arg0 > 1:3" "arg1 ~ \"a *\" || arg0 == 0:3" "!(arg1~a*):4"; do
	accepted "connect types_texts count if ${case%:*}" >/dev/null
	fire_types 8
	check "if ${case%:*}" same "${case##*:}" "$(found count events)"
	accepted "disconnect *" >/dev/null
done
accepted "connect types_ints count" >/dev/null
for cpu in 0 1; do
	taskset $((1 << cpu)) sh -c "echo $((cpu + 3)) >$types/fire"
done
echo 0 >/sys/devices/system/cpu/cpu1/online
check "events of a CPU that has gone offline have their row" same "3 4" "$(found count cpu 0) $(found count cpu 1)"
echo 1 >/sys/devices/system/cpu/cpu1/online
accepted "disconnect *" >/dev/null
check "two conditions are two connections" accepted \
	"connect types_ints count if arg5==1; connect types_ints count if arg5<3"
check "the same condition again is refused" refused EEXIST "connect types_ints count if arg5<3"
fire_types 10
check "each connection counts its own events" same "1 3" "$(found count events)"
id=$(awk -F '\t' '$4 == "events" && $6 == 3 { print $1 }' $M/results)
check "one of them is disconnected by its number" accepted "disconnect id:$id count"
check "the other one stays" same "connect types_ints count if arg5==1" "$(connections)"
check "disconnecting that number again is refused" refused ENOENT "disconnect id:$id"
accepted "disconnect *" >/dev/null
# Wrong words, the part that the log points to, and its message.
while IFS=: read -r text at problem; do
	[ -z "$at" ] && at="its end" || at="\"$at\""
	check "$text" explained EINVAL "connect types_ints count $text" "at $at: $problem"
done <<'END'
if::want a field, argN, $comm, ( or !
if arg0::want one of == != < <= > >= & ~
if arg9==1:arg9==1:want arg0 to arg7
if arg10==1:arg10==1:want arg0 to arg7
if 5==arg0:5==arg0:want a field, argN, $comm, ( or !
if arg0==1 arg1==1:arg1==1:want && or || between conditions
if arg0==1&&::want a field, argN, $comm, ( or !
if (arg0==1::want &&, || or )
if arg0==1):):want && or || between conditions
if arg0=1:=1:want one of == != < <= > >= & ~
if arg0>abc:abc:a text has ==, != and ~ only
if arg0=="1:"1:want a value
if $uid==1:$uid==1:want one of $tid pid comm prio cpu irq preempt cgroup
if $cpu==one:one:the field is a number
END
check "an argument that does not exist" explained EINVAL "connect test_three count if arg3==0" \
	'at "arg3==0": marker_test/test_three ('
check "a field that does not exist" explained EINVAL "connect test_three count if size==0" 'there is no field "size", but'
check "a text for a number is refused" explained EINVAL "connect types_ints count if arg0==abc" "is a number"
check "a number beyond the type is refused" explained EINVAL "connect types_ints count if arg0==128" "no such value"
check "a negative number for an unsigned argument is refused" explained EINVAL "connect types_ints count if arg1==-1" "no such value"
check "an order of strings is refused" explained EINVAL "connect types_texts count if arg1>5" "==, != and ~ only"
check "a condition that does not fit one of many sites is refused" refused EINVAL "connect test_* count if arg1==1"

# Limits.
check "first=N" accepted "connect types_ints count first=3 if arg5>1"
fire_types 10
tries=50
while ! grep -q '# done' $M/control && [ $((tries -= 1)) -gt 0 ]; do
	sleep 0.1
done
check "first=N closes the gate after N events" same "closed 3 0" \
	"$(state types_ints) $(found count events) $(found count left)"
check "control shows the connection as done" same "connect types_ints count first=3 if arg5>1	# done" "$(connections)"
fire_types 10
check "after N events no more are counted" same 3 "$(found count events)"
check "a connection that is done can be connected again" accepted "connect types_ints count first=3 if arg5>1"
accepted "disconnect *" >/dev/null
check "verify reports no mismatch" verified
check "first=0" explained EINVAL "connect types_ints count first=0" "want a number of events"
check "a limit where it fires at full rate on two CPUs" accepted "connect types_ints count first=50000"
echo 2000 >$types/fire_ms &
taskset 2 sh -c "echo 2000 >$types/fire_ms"
wait
check "the limit is kept exactly" same "50000 0 closed" \
	"$(found count events) $(found count left) $(state types_ints)"
accepted "disconnect *" >/dev/null

# Histograms, latency, stacks.
check "hist" accepted "connect types_ints hist arg=0; connect types_ints hist arg=7 if arg5==1"
fire_types 256
check "hist counts by powers of two, in their order" same "-255..-128 1 -127..-64 64 -63..-32 32 -31..-16 16 -15..-8 8 -7..-4 4 -3..-2 2 -1..-1 1 0..0 1 1..1 1 2..3 2 4..7 4 8..15 8 16..31 16 32..63 32 64..127 64" \
	"$(awk -F '\t' '$3 == "hist arg=0" && $4 == "bucket" { print $5, $6 }' $M/results | xargs)"
check "hist counts values of 64 bits" same "1" "$(found hist bucket 9223372036854775808..18446744073709551615)"
check "hist counts each event once" same "256 1" "$(found hist events)"
accepted "disconnect *" >/dev/null
check "hist of a string" explained EINVAL "connect types_texts hist arg=1" "is no number"
check "hist of a pointer" explained EINVAL "connect types_texts hist arg=3" "is no number"
check "hist of no argument" explained EINVAL "connect types_texts hist arg=4" "has no arg4"
check "hist without one" explained EINVAL "connect types_texts hist" "hist wants arg=N"
check "hist of arg8" explained EINVAL "connect types_texts hist arg=8" "hist wants arg=N"

check "latency" accepted "connect types_texts latency from=types_ints key=5,0"
check "latency opens both markers" same "open open" "$(state types_ints) $(state types_texts)"
fire_types 500
fire_types 500
check "latency pairs the events" same "1000 0 0 0" "$(found latency events) $(found latency unpaired) $(
	found latency restarted) $(found latency dropped)"
check "the latency has these rows" same "sites events sum_ns max_ns unpaired restarted dropped" \
	"$(awk -F '\t' '$3 ~ /^latency/ && $4 != "bucket" { print $4 }' $M/results | xargs)"
sum=$(found latency sum_ns) max=$(found latency max_ns)
check "latencies are more than 0, the longest more than the mean" test "$sum" -gt 1000 -a "$max" -lt "$sum" \
	-a $((max * 1000)) -gt "$sum"
accepted "disconnect *" >/dev/null
check "disconnecting a latency closes both markers" same "closed closed" "$(state types_ints) $(state types_texts)"
check "connect a latency with keys that hardly match" accepted "connect types_texts latency from=types_ints key=arg4,arg0"
fire_types 100
check "unpaired events are counted" same "1 99" "$(found latency events) $(found latency unpaired)"
# The beginning has the number as s8, and so the keys of 128 to 255 again from 384 on.
accepted "disconnect *; connect types_texts latency from=types_ints key=arg0" >/dev/null
fire_types 512
check "beginnings without an end between are counted" same "128 384 128 0" "$(found latency events) $(
	found latency unpaired) $(found latency restarted) $(found latency dropped)"
accepted "disconnect *; connect types_ints latency from=types_texts key=3,7" >/dev/null
fire_types 10000
check "a full table is counted" test "$(found latency dropped)" -gt 1000
accepted "disconnect *" >/dev/null
check "latency from an unknown marker is refused" explained ENOENT "connect types_texts latency from=no_such key=0" \
	'no site matches "no_such"'
check "latency without a key" explained EINVAL "connect types_texts latency from=types_ints" "latency wants"
check "latency by a string" explained EINVAL "connect types_texts latency from=types_ints key=0,1" "is no number"

# Sites that come together, of which some have another argument of the name, or a text.
load marker_odd
load probe_ctf
escaped=$(printf '%s\303\251 number=%%d' 'a\tb\nc\rd\\e\001f\177g')
check "control-characters-are-escaped: in markers" same "$escaped" \
	"$(rows odd_format markers | awk -F '\t' '{ print $5 }')"
check "connect words with a carriage return" accepted \
	"connect odd_format ctf; connect odd_format count label=$(printf 'a\rb')"
check "in the events of a session" same "$escaped" "$(rows odd_format ctf/events | awk -F '\t' '{ print $4 }')"
check "in results" same 'count label=a\rb' "$(awk -F '\t' '$3 ~ /^count/ { print $3; exit }' $M/results)"
check "control has them as they were written" same "$(printf 'a\rb')" "$(sed -n 's/.*label=//p' $M/control)"
accepted "disconnect *" >/dev/null
unload probe_ctf
check "a site that is refused" refused EINVAL "connect odd_* hist arg=number"
check "the argument of a name may be another at each site" accepted "connect odd_format hist arg=number; connect odd_number hist arg=number; connect odd_number latency from=odd_format key=number"
echo 4 >/sys/module/marker_odd/parameters/fire
check "each site has its own" same "4 4 4" "$(found hist events) $(found latency events)"
unload marker_odd
accepted "disconnect *; arm odd_text hist arg=number; arm odd_* hist arg=number" >/dev/null
load marker_odd
echo 4 >/sys/module/marker_odd/parameters/fire
check "refused-site-leaves-nothing: the others are connected" same "0 8" "$(found hist events)"
accepted "disconnect *" >/dev/null

# Sites that the compiler has dropped.
check "sites without code are connected" accepted "connect odd_gone* count"
check "each has a line" same 5 "$(grep -c odd_gone $M/sites)"
check "they are shown without an address, those with a probe as open" same "- open - - open 01" \
	"$(awk -F '\t' '$2 ~ /odd_gone/ { print $4, $6, $7 }' $M/sites | sort -u | xargs)"
check "verify has nothing to say of them" verified
accepted "disconnect *" >/dev/null

# Where RCU does not watch there are no symbols, but no addresses either.
check "connect where RCU does not watch" accepted "connect odd_unwatched count if arg0 ~ \"0x*\"; connect odd_unwatched count if arg0 ~ \"?*\""
echo 4 >/sys/module/marker_odd/parameters/fire
check "unwatched-address-is-hashed" same "0 4" "$(found count events)"
accepted "disconnect *" >/dev/null
unload marker_odd

check "stack" accepted "connect types_ints stack; connect test_one stack"
fire_types 100
fire 7
check "stack has two stacks" same "2 100 7" "$(awk -F "\t" "\$4 == \"stack\"" $M/results | wc -l) $(found stack events)"
check "stack prints the outermost function first" holds "$(cat $M/results)" "ksys_write;vfs_write;"
accepted "disconnect *" >/dev/null
# With two probes a site leads to the dispatcher, which is in markers.ko.
check "stack beside another probe" accepted "connect test_* stack; connect test_* count"
fire 7
check "a stack for each place, which have all the events" same "1 $(found stack events)" \
	"$(awk -F '\t' '$4 == "stack" { n++; sum += $6 } END { print (n > 1), sum }' $M/results)"
check "stack leaves our own functions out" same 0 "$(grep -c '\[markers\]' $M/results)"
accepted "disconnect *" >/dev/null

# Typed events.
check "event and trace" accepted "connect types_* event; connect types_* trace"
check "event makes trace events" same "types_ints types_texts" "$(marker_events)"
check "fields have the types of the marker" same "unsigned short line,signed char arg0,unsigned char arg1,short arg2,unsigned short arg3,int arg4,unsigned int arg5,long arg6,unsigned long arg7" \
	"$(sed -n 's/^\tfield:\([^;]*\);.*/\1/p' $E/types_ints/format | grep -v common_ | xargs | sed 's/ \(signed\|unsigned\|short\|int\|long\)/,\1/g; s/,unsigned,\(char\|short\|int\|long\)/,unsigned \1/g; s/unsigned,/unsigned /g; s/,signed,/,signed /g')"
echo 'arg0 < 0 && arg5 < 200' >$E/types_ints/filter
echo 'arg1 == "four"' >$E/types_texts/filter
echo 'name == "marker_types/types_ints" && arg5 == 1' >$F/events/markers/marker/filter
echo 'hist:keys=arg2:vals=arg0' >$E/types_texts/trigger
echo 1 >$E/enable
echo 1 >$F/events/markers/enable
fire_types 256
check "filters of tracefs work" same "72 64 1" "$(grep -c '/types_ints: ' $F/trace) $(grep -c '/types_texts: ' $F/trace) $(
	grep -c ' marker: ' $F/trace)"
check "the printed form is the marker's" holds "$(cat $F/trace)" \
	": marker_types/types_ints: -128 128 -128 640 -8388736 128 -549755814016 1998715050314828416"
check "strings and pointers are printed as the marker says" holds "$(cat $F/trace)" \
	": marker_types/types_texts: 2 four even 0xffff800000002000"
check "the event of all markers has the source line" holds "$(cat $F/trace)" "selftest/types.c:"
check "triggers of tracefs work" holds "$(cat $E/types_texts/hist)" "{ arg2: (null)"
check "the trigger counts both texts" same 2 "$(grep -c 'hitcount: *128' $E/types_texts/hist)"
check "a marker is one event at a time" refused EEXIST "connect types_ints event if arg5>1"
check "event connects to another marker" accepted "connect test_one event"
check "the other marker has an event" same "test_one types_ints types_texts" "$(marker_events)"
check "probe_event cannot be unloaded while it is connected" same 1 "$(rmmod probe_event 2>/dev/null; echo $?)"

# Disconnected while tracers have events enabled.
check "disconnect while it is traced" accepted "disconnect *"
check "only enabled events stay after the disconnect" same "types_ints types_texts" "$(marker_events)"
lines=$(grep -vc '^#' $F/trace)
fire_types 5
check "events that stay write no records" same "$lines" "$(grep -vc '^#' $F/trace)"
check "probe_event cannot be unloaded while an event is enabled" same 1 "$(rmmod probe_event 2>/dev/null; echo $?)"
check "connecting again uses the event that stayed" accepted "connect types_ints event"
: >$F/trace
echo 0 >$E/types_ints/filter
fire_types 5
check "the reconnected event is written" same 5 "$(grep -c '/types_ints: ' $F/trace)"
accepted "disconnect *" >/dev/null
echo 0 >$E/enable
echo 0 >$F/events/markers/enable
echo '!hist:keys=arg2:vals=arg0' >$E/types_texts/trigger
gone() {
	tries=50
	while [ -n "$(marker_events)" ] && [ $((tries -= 1)) -gt 0 ]; do
		sleep 0.1
	done
	same "" "$(marker_events)"
}
check "events are removed when they are disabled" gone
mkdir $F/instances/other
# The records of the previous event stay readable.
echo >$F/trace
accepted "connect types_ints event" >/dev/null
check "a new event is in each instance" test -d $F/instances/other/events/marker_types/types_ints
echo 1 >$F/instances/other/events/marker_types/types_ints/enable
fire_types 3
check "each instance has its own records" same "3 0" "$(grep -c types_ints: $F/instances/other/trace) $(grep -c types_ints: $F/trace)"
echo 0 >$F/instances/other/events/marker_types/types_ints/enable

# A file of an event that is to go is open, in either instance. stays_or_says TEXT: the event is
# there, or TEXT is what the file says.
stays_or_says() {
	[ "$(marker_events)" ] || same "No such device" "$1"
}
exec 3>>$E/types_ints/trigger
accepted "disconnect *" >/dev/null
check "a trigger is written when the event is to go" stays_or_says "$(sleep 1; { echo traceoff >&3; } 2>&1 | sed 's/.*: //')"
[ ! -e $E/types_ints ] || echo '!traceoff' >&3
exec 3>&-
check "when that is closed the event goes" gone
accepted "connect types_ints event" >/dev/null
exec 3<$F/instances/other/events/marker_types/types_ints/format
accepted "disconnect *" >/dev/null
check "a format is read when the event is to go" stays_or_says "$(sleep 1; cat <&3 2>&1 >/dev/null | sed 's/.*: //')"
exec 3<&-
check "when this is closed the event goes" gone
rmdir $F/instances/other
echo 1 >$F/events/markers_internal/mutex/enable
check "the event that lends the lock is enabled" accepted "connect types_ints event"
accepted "disconnect *" >/dev/null
check "no event is left with that event enabled" same "" "$(marker_events)"
check "all probes can be unloaded" unload probe_event probe_trace probe_stack probe_latency probe_hist probe_count
check "unloaded probes leave no events" same "" "$(find $F/events -name 'marker*')"
check "verify reports no mismatch" verified
tap_done
