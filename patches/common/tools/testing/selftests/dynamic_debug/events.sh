#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Debug messages as trace events: the text of each event is the text that printk() prints.
#
# events.sh [MODULE]: MODULE is the path of test_dynamic_debug_events.ko, for insmod.  It clears the
# log and the trace, and disables all events.
# shellcheck disable=SC2086,SC2317 # no path here has blanks; check() calls functions by their names

skip() {
	echo "1..0 # SKIP $1"
	exit 4
}

name=test_dynamic_debug_events
tracing=/sys/kernel/tracing
control=/proc/dynamic_debug/control
parameters=/sys/module/$name/parameters
events=$tracing/events/debug_$name
number=0
failed=0

# check WORDS COMMAND...: one line of TAP.
check() {
	words=$1
	shift
	number=$((number + 1))
	if "$@"; then
		echo "ok $number - $words"
	else
		echo "not ok $number - $words"
		failed=1
	fi
}

load() {
	if [ -n "$module" ]; then
		insmod "$module" "$@"
	else
		modprobe $name "$@"
	fi
}

# Print the texts of the events in the buffer.
recorded() {
	sed -nE 's/^.{16}-[0-9]+ +\[[0-9]+\] +[^ ]+ +[0-9.]+: [A-Za-z0-9_]+: //p' $tracing/trace
}

# Print the messages since the last dmesg -c, without times.
printed() {
	dmesg | sed -E 's/^(<[0-9]+>)?\[ *[0-9.]+\] //' |
		grep -E "^($name: \[| test_dynamic_debug[ :]|testdd0 |\(NULL )"
}

forget() {
	dmesg -c >/dev/null
	echo >$tracing/trace
}

sites() {
	grep -c "\[$name\][^ ]* =[a-z]*$1" $control
}

same() {
	[ "$1" = "$2" ] && return
	echo "# expected: $1"
	echo "# found:    $2"
	return 1
}

# field EVENT NAME: type, size and sign of a field.
field() {
	sed -nE "s/^\tfield:(.*[ ])$2;\toffset:[0-9]+;\t(.*)$/\1$2; \2/p" "$1/format" | tr '\t' ' '
}

# event FUNCTION [BEGIN]: folder of the event of its message that begins so, or is "number=%d".
event() {
	line=$(sed -n "s/^[^:]*:\([0-9]*\) \[$name\]$1 .*\"${2:-number=%d.n\"}.*/\1/p" $control)
	echo "$events/test_dynamic_debug_events_$1_$line"
}

same_text() {
	printed >/tmp/printed.$$
	recorded >/tmp/recorded.$$
	echo "# $(wc -l </tmp/printed.$$) messages"
	test -s /tmp/printed.$$ && diff /tmp/printed.$$ /tmp/recorded.$$ | sed 's/^/# /'
	cmp -s /tmp/printed.$$ /tmp/recorded.$$ && test -s /tmp/printed.$$
	result=$?
	rm -f /tmp/printed.$$ /tmp/recorded.$$
	return "$result"
}

[ "$(id -u)" = 0 ] || skip "needs root"
[ -w $control ] || skip "no $control"
[ -d $tracing/events ] || mount -t tracefs none $tracing || skip "no tracefs"
module=${1-}
lsmod | grep -q "^$name " && rmmod $name
load || skip "no module $name"
echo 0 >$tracing/events/enable
size=$(sed 's/ .*//' $tracing/buffer_size_kb)
trap 'echo "$size" >$tracing/buffer_size_kb' EXIT
echo 4096 >$tracing/buffer_size_kb

echo "module $name +e" >$control
all=$(grep -c "\[$name\]" $control)
check "all sites but one get an event" \
	same $((all - 1)) "$(find $events -mindepth 1 -maxdepth 1 -type d | wc -l)"
check "these are at least 100" test "$all" -gt 100
echo "# $all sites"
check "the control file shows which" same $((all - 1)) "$(sites e)"
check "the log names the site that has none" \
	grep -q "\[$name\]test_hex_dump has no event" <<END
$(dmesg)
END
check "a query of that site alone fails" eval \
	"! echo 'module $name func test_hex_dump +e' 2>/dev/null >$control"
check "with another flag it succeeds, and has that" eval \
	"echo 'module $name func test_hex_dump +pe' >$control && same 1 \$(sites p)"
echo "module $name -p" >$control
check "nothing is recorded while the events are disabled" eval \
	"forget; echo 1 >$parameters/run; same 0 \$(recorded | wc -l)"
check "nor is anything printed" eval "same 0 \$(printed | wc -l)"

echo 1 >$events/enable
forget
echo 1 >$parameters/run
check "events are recorded without being printed" eval "same 0 \$(printed | wc -l)"
check "one for each site" eval "same $((all - 5)) \$(recorded | wc -l)"
if echo "module $name +d" 2>/dev/null >$control; then
	forget
	echo 1 >$parameters/run
	check "without p, d dumps no stack" eval "! dmesg | grep 'Call [Tt]race'"
	echo "module $name -d" >$control
fi

echo "module $name +p" >$control
forget
echo 1 >$parameters/run
check "each event has the text that is printed" same_text
echo "module $name func test_dev_dbg -p" >$control
forget
echo 1 >$parameters/run
check "-p stops the printing alone" eval "test \$(printed | wc -l) -lt \$(recorded | wc -l)"
echo "module $name +p" >$control
echo "module $name -e" >$control
forget
echo 1 >$parameters/run
check "-e stops the recording alone" eval \
	"same 0 \$(recorded | wc -l) && test \$(printed | wc -l) -gt 100"
echo "module $name +e" >$control
echo 0 >$events/enable
forget
echo 1 >$parameters/run
check "and so does the file enable" eval \
	"same 0 \$(recorded | wc -l) && test \$(printed | wc -l) -gt 100"
echo "module $name -p" >$control
forget
echo 1 >$parameters/run
check "a site that is neither printed nor recorded does nothing" eval \
	"same 0 \$(recorded | wc -l) && same 0 \$(printed | wc -l)"

echo "module $name =p" >$control
echo "module $name =e" >$control
echo 1 >$events/enable
forget
echo 1 >$parameters/bad
check "invalid pointers are recorded" \
	same "bad=(efault)|bad.=(efau number=1|bad mac=(efault) number=2|" \
	"$(recorded | sed 's/.*\] //' | tr '\n' '|')"
check "an argument has its type" same "int number; size:4; signed:1;" \
	"$(field "$(event test_pr)" number)"
check "a word that is not ASCII is no name" \
	same "int arg0; size:4; signed:1; int arg1; size:4; signed:1; " \
	"$(arguments=$(event test_pr common_)
field "$arguments" arg0 | tr '\n' ' '
field "$arguments" arg1 | tr '\n' ' ')"
check "a device has its name" grep -q 'device="test_dynamic_debug"' <<END
$(forget
echo 'hist:keys=device' >"$(event test_dev_dbg)/trigger"
echo 1 >$parameters/run
sed 's/device: /device="/; s/ *} hit.*/"/' "$(event test_dev_dbg)/hist")
END
# The kernel does not free triggers with the events of a module.
echo '!hist:keys=device' >"$(event test_dev_dbg)/trigger"
filtered=$(event test_netdev_dbg)
echo 'number == -42 && interface == "testdd0" && device == "test_dynamic_debug"' >"$filtered/filter"
forget
echo 1 >$parameters/run
check "a filter passes its values" eval "same 1 \$(recorded | grep -c 'testdd0.*: number=-42')"
echo 'number == 42' >"$filtered/filter"
forget
echo 1 >$parameters/run
check "and no others" eval "same 0 \$(recorded | grep -c 'testdd0.*: number=-42')"
check "two sites of a line have different names" eval "ls -d $events/*x2 >/dev/null"

echo 1 >$events/enable
rmmod $name
check "the events go with their module" test ! -d $events
check "the trace can be read then" eval "cat $tracing/trace >/dev/null"
forget
load dyndbg=+e
check "a module that is loaded with dyndbg=+e is recorded from its start" eval \
	"recorded | grep -q 'loaded=1'"
names=$(ls $events)
rmmod $name
load dyndbg=+e
check "and has the same names again" same "$names" "$(ls $events)"

# Sites come, go and are passed at the same time.
run_on() {
	(while [ -e $control ] && [ ! -e /tmp/stop.$$ ]; do
		echo 1 >$parameters/run
	done) 2>/dev/null &
}

stop() {
	: >/tmp/stop.$$
	wait
	rm /tmp/stop.$$
}

echo "module $name =_" >$control
echo 1 >$events/enable
forget
run_on
i=0
while [ $i -lt 20 ]; do
	echo "module $name +e" >$control
	echo "module $name -e" >$control
	i=$((i + 1))
done
stop
check "while e comes and goes, nothing is printed" eval "same 0 \$(printed | wc -l)"
check "and something is recorded" eval "test \$(recorded | wc -l) -gt 0"

run_on
i=0
while [ $i -lt 20 ]; do
	echo "module $name +ep" >$control
	echo 0 >$events/enable
	echo "module $name -e" >$control
	echo 1 >$events/enable
	echo "module $name -p" >$control
	i=$((i + 1))
done
stop
echo 0 >$events/enable
echo "module $name +e" >$control
forget
echo 1 >$parameters/run
check "after many changes a site has the state that was set" eval \
	"same 0 \$(recorded | wc -l) && same 0 \$(printed | wc -l)"
rmmod $name
check "the kernel has not complained" eval \
	"! dmesg | grep -E 'BUG|WARNING|Oops|general protection'"
echo "1..$number"
exit $failed
