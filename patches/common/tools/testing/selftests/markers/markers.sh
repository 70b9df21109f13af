#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Markers as trace events: listed without anybody having asked for them, with typed fields,
# enabled, filtered, in triggers and histograms, and those of a module (SAMPLE_MARKERS).
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

put() {
	echo "$1" 2>/dev/null >"$events/$2"
}

refused() {
	! put "$@"
}

make_processes() {
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		(:) &
		wait
	done
}

# recorded EVENT: how many are in the buffer.
recorded() {
	grep -c ": $1: " $dir/trace
}

# field EVENT NAME: as the format has it, without its offset.
field() {
	sed -n "s/^\tfield:\(.*[ ]$2\(\[[0-9]*\]\)\{0,1\}\);\toffset:[0-9]*;\t\(.*\)$/\1; \3/p" \
		"$dir/events/markers/$1/format"
}

[ "$(id -u)" = 0 ] || skip "must be run as root"
[ -e $dir/trace ] || mount -t tracefs none $dir 2>/dev/null
events=$dir/events/markers/process_fork
[ -e "$events" ] || skip "the kernel has no markers"
is "$(cat "$events/enable")" 0 || skip "process_fork is enabled already"

tab=$(printf '\t')
check "the event is listed" grep -qx markers:process_fork $dir/available_events
check "a number has the type of its argument" is "$(field process_fork pid)" \
	"int pid; size:4;${tab}signed:1;"
check "a string has its length" is "$(field process_exec filename)" \
	"__data_loc char[] filename; size:4;${tab}signed:1;"
check "the format is that of the marker" is \
	"$(sed -n 's/^print fmt: //p' "$events/format")" \
	'"pid=%d child_pid=%d", REC->pid, REC->child_pid'

echo >$dir/trace
make_processes
check "nothing is recorded" is "$(recorded process_fork)" 0
check "it is enabled" put 1 enable
make_processes
check "it is disabled" put 0 enable
n=$(recorded process_fork)
check "its events are recorded" test "$n" -ge 10
make_processes
check "and no others" is "$(recorded process_fork)" "$n"
check "the text has the values" test "$(grep -cE ': process_fork: pid=[0-9]+ child_pid=[0-9]+$' \
	$dir/trace)" = "$n"

check "a filter is set" put "pid == 0 && child_pid > 0" filter
check "a field that there is not is refused" refused "pod == 0" filter
echo 0 >"$events/filter"
put "pid == 0" filter
echo >$dir/trace
put 1 enable
make_processes
put 0 enable
check "the filter lets none pass" is "$(recorded process_fork)" 0
put 0 filter

if [ -e "$events/hist" ]; then
	check "a histogram is made" put "hist:keys=pid:vals=child_pid" trigger
	make_processes
	check "it has hits" test "$(sed -n 's/.*Hits: //p' "$events/hist" | head -n 1)" -ge 10
	put "!hist:keys=pid:vals=child_pid" trigger
else
	skip_check "a histogram is made" "no CONFIG_HIST_TRIGGERS"
fi
put traceoff:1 trigger
echo 1 >$dir/tracing_on
make_processes
check "a trigger fires" is "$(cat $dir/tracing_on)" 0
echo 1 >$dir/tracing_on
put '!traceoff' trigger

if modprobe markers-sample 2>/dev/null || insmod /markers-sample.ko 2>/dev/null; then
	events=$dir/events/markers/sample_fields
	check "the events of a module come with it" put 1 enable
	echo >$dir/trace
	printf 258 >/sys/module/markers_sample/parameters/number
	fields="number=258 size=SAMPLE_LARGE bytes=02 01 00 00 text=258 param="
	check "each field is printed" grep -q ": sample_fields: $fields" $dir/trace
	check "an array has its length" is "$(field sample_fields bytes)" \
		"unsigned char bytes[4]; size:4;${tab}signed:0;"
	check "the module goes with its event enabled" rmmod markers_sample
	check "and so does the event" test ! -e "$events"
else
	skip_check "the events of a module come with it" "no module markers-sample"
fi
echo "1..$number"
exit $failed
