#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Markers as trace events: the events of kobjects, and of a module (SAMPLE_MARKERS) are listed,
# have typed fields, are enabled and filtered, and are in triggers and histograms.
# shellcheck disable=SC2317 # check() calls functions by their names

dir=/sys/kernel/tracing
ksft_skip=4
number=0
failed=0

skip() {
	echo "1..0 # SKIP $1"
	exit $ksft_skip
}

# check DESCRIPTION COMMAND...
check() {
	number=$((number + 1))
	what=$1
	shift
	if "$@"; then
		echo "ok $number $what"
	else
		echo "not ok $number $what"
		failed=1
	fi
}

skip_check() {
	number=$((number + 1))
	echo "ok $number $1 # SKIP $2"
}

is() {
	[ "$1" = "$2" ] || { echo "# expected: $2"; echo "# found:    $1"; false; }
}

# put VALUE FILE: write to a file of the event.
put() {
	echo "$1" 2>/dev/null >"$events/$2"
}

refused() {
	! put "$@"
}

# Have ten uevents made.
make_uevents() {
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		echo change >/sys/devices/system/cpu/cpu0/uevent
	done
}

# recorded EVENT: print the number of its events in the buffer.
recorded() {
	grep -c ": $1: " $dir/trace
}

# field EVENT NAME: print the field as the format has it, without its offset.
field() {
	sed -n "s/^\tfield:\(.*[ ]$2\(\[[0-9]*\]\)\{0,1\}\);\toffset:[0-9]*;\t\(.*\)$/\1; \3/p" \
		"$dir/events/$1/format"
}

[ "$(id -u)" = 0 ] || skip "must be run as root"
[ -e $dir/trace ] || mount -t tracefs none $dir 2>/dev/null
events=$dir/events/kobject/uevent
[ -e "$events" ] || skip "the kernel has no markers"
is "$(cat "$events/enable")" 0 || skip "kobject:uevent is enabled already"

tab=$(printf '\t')
check "the event is listed" grep -qx kobject:uevent $dir/available_events
check "an address is a pointer" is "$(field kobject/uevent kobj)" \
	"void * kobj; size:8;${tab}signed:0;"
check "a string has its length" is "$(field kobject/uevent name)" \
	"__data_loc char[] name; size:4;${tab}signed:1;"
check "the address of the marker is a field" is "$(field kobject/uevent __ip)" \
	"unsigned long __ip; size:8;${tab}signed:0;"
check "the format is that of the marker" is \
	"$(sed -n 's/^print fmt: //p' "$events/format")" \
	'"kobj=%p name=%s action=%s", REC->kobj, __get_str(name), __get_str(action)'

echo >$dir/trace
make_uevents
check "nothing is recorded" is "$(recorded uevent)" 0
check "it is enabled" put 1 enable
make_uevents
check "it is disabled" put 0 enable
n=$(recorded uevent)
check "its events are recorded" test "$n" -ge 10
make_uevents
check "and no others" is "$(recorded uevent)" "$n"
# A young kernel has no random numbers yet, with which addresses are hashed.
text=': uevent: kobj=([0-9a-f]+|\(_*ptrval_*\)) name=cpu0 action=change$'
check "the text has the values" test "$(grep -cE "$text" $dir/trace)" -ge 10

check "a filter is set" put 'name == "cpu0" && action != "add"' filter
check "a field that there is not is refused" refused "nome == 0" filter
echo 0 >"$events/filter"
put 'name == "cpu1"' filter
echo >$dir/trace
put 1 enable
make_uevents
put 0 enable
check "the filter lets none pass" is "$(recorded uevent)" 0
put 0 filter

if [ -e "$events/hist" ]; then
	check "a histogram is made" put "hist:keys=name,__ip.sym" trigger
	make_uevents
	check "it has hits" test "$(sed -n 's/.*Hits: //p' "$events/hist" | head -n 1)" -ge 10
	check "they are at the marker" grep -q ' kobject_uevent_env ' "$events/hist"
	put "!hist:keys=name,__ip.sym" trigger
else
	skip_check "a histogram is made" "no CONFIG_HIST_TRIGGERS"
fi
put traceoff:1 trigger
echo 1 >$dir/tracing_on
make_uevents
check "a trigger fires" is "$(cat $dir/tracing_on)" 0
echo 1 >$dir/tracing_on
put '!traceoff' trigger

# A stack trace begins at the marker.
echo >$dir/trace
echo 1 >$dir/options/stacktrace
put 1 enable
make_uevents
put 0 enable
echo 0 >$dir/options/stacktrace
check "a stack trace begins at the marker" is "$(sed -n 's/^ => \([a-z_]*\).*/\1/p' $dir/trace |
	grep -v '^marker_call$' | head -n 1)" kobject_uevent_env

if modprobe markers-sample 2>/dev/null || insmod /markers-sample.ko 2>/dev/null; then
	events=$dir/events/markers_sample/number
	check "the events of a module come with it" put 1 enable
	echo 1 >$dir/events/markers_sample/text/enable
#//+ fields
	echo 1 >$dir/events/markers_sample/fields/enable
#//.
	echo >$dir/trace
	printf 258 >/sys/module/markers_sample/parameters/number
	check "a number is printed" grep -q ": number: number=258 comm=" $dir/trace
	check "a text without an end and a function are printed" \
		grep -q ": text: 258 param=set_number" $dir/trace
#//+ fields
	fields="number=258 size=SAMPLE_LARGE bytes=02 01 00 00 text=258 param="
	check "each field is printed" grep -q ": fields: $fields" $dir/trace
	check "an array has its length" is "$(field markers_sample/fields bytes)" \
		"unsigned char bytes[4]; size:4;${tab}signed:0;"
#//.
	check "the module goes with its events enabled" rmmod markers_sample
	check "and so do the events" test ! -e "$events"
else
	skip_check "the events of a module come with it" "no module markers-sample"
fi

# Events that are asked for before their module is loaded.
if [ -e $dir/set_event ] && echo ':mod:markers_sample' 2>/dev/null >>$dir/set_event; then
	modprobe markers-sample 2>/dev/null || insmod /markers-sample.ko 2>/dev/null
	check "the events of a module are enabled if that was asked for" is \
		"$(cat $dir/events/markers_sample/number/enable 2>/dev/null)" 1
	rmmod markers_sample
else
	skip_check "the events of a module are enabled if that was asked for" "no :mod:"
fi
echo "1..$number"
exit $failed
