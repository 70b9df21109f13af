#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# In a kernel with kCFI: every probe behind every gate, behind the dispatcher and
# behind a guard. A call of another type than the function's is an oops.
# shellcheck source=../guest/lib.sh
. /lib.sh
F=/sys/kernel/tracing

for module in marker_test marker_kprobe_sites markers probe_empty probe_copy probe_copy_stack probe_parse \
	      probe_kprobed probe_count probe_hist probe_latency probe_stack probe_trace probe_event \
	      probe_ctf probe_args; do
	load $module
done

# goes COMMANDS: they are accepted, the events cause no oops, and all can be disconnected.
goes() {
	accepted "$1" || return
	fire 2
	echo 2 >/sys/kernel/debug/marker_kprobe_sites/fire
	accepted "disconnect *" && verified
}

for probe in empty copy copy-stack parse kprobed count "hist arg=0" "latency from=test_three key=0" ctf \
	     stack trace event args; do
	case $probe in
	event) marker=test_three ;;
	*) marker=subsys_mark1 ;;
	esac
	check "$probe" goes "connect $marker $probe"
	check "$probe and another" goes "connect $marker count label=other; connect $marker $probe"
	check "$probe behind a condition" goes "connect $marker $probe if arg0>=0"
	check "$probe with a limit" \
		goes "connect $marker ${probe%% *} first=100${probe#"${probe%% *}"}"
done
echo 1 >$F/events/markers/marker/enable
check "a trace event that is written" goes "connect subsys_mark1 trace"
echo 0 >$F/events/markers/marker/enable
check "the trace event was written" test "$(grep -c 'subsys_mark1' $F/trace)" -gt 0
check "args and a condition on eight arguments" goes "connect test_types args; connect test_types count if arg3==65535 && arg6==-4"
log_mark
accepted "connect test_types args; connect test_five args" >/dev/null
fire 1
check "args prints eight arguments" logged \
	"args: marker_test/test_types (s8,u8,s16,u16,s32,u32,s64,str): -1 255 -2 65535 -3 4294967295 -4 text"
check "args prints five arguments" logged "args: marker_test/test_five (s8,u8,s16,u16,s32): -1 255 -2 65535 -3"
accepted "disconnect *" >/dev/null
check "connect a marker with a switch" goes "connect test_behind count"
check "a site without code and eight arguments" goes "connect kprobe_stack args; connect kprobe_stack count"
check "the log has no CFI failure" same "" "$(dmesg | grep 'CFI failure')"
tap_done
