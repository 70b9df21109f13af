#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Runs in the guest, under icount: the instructions that one event adds to a loop, by the way in
# which it is recorded.  Prints a line for each way: its name, a tab and the instructions.
set -e
debugfs=/sys/kernel/debug
control=$debugfs/markers/control
recorder=$debugfs/markers/ctf/control
bench=$debugfs/marker_bench
events=/sys/kernel/tracing/events

for module in markers probe_empty probe_count probe_event probe_ctf marker_gates marker_bench; do
	insmod /$module.ko
done

# added WAY VARIANT: measures the loops of VARIANT as they are now; prints the least of their places.
added() {
	echo clear >$bench/run
	echo "enabled rounds=1 scale=0.01 shape=event only=$2" >$bench/run
	awk -F '\t' -v way="$1" -v variant="$(echo "$2" | tr _ -)" '
		$3 != "event" { next }
		$4 == "none" && (none == "" || $9 / $7 < none) { none = $9 / $7 }
		$4 == variant && (least == "" || $9 / $7 < least) { least = $9 / $7 }
		END { if (least == "") exit 1; printf "%s\t%.0f\n", way, least - none }' $bench/raw
}

# connected WAY WORDS: the same for the marker of the loop, connected by WORDS.
connected() {
	echo "connect subsys_mark1 empty; connect bench_event $2" >$control
	added "$1" sink
	echo "disconnect *" >$control
}

# traced WAY EVENT VARIANT FILTER: the same, enabled in tracefs, with a filter if there is one.
traced() {
	[ -z "$4" ] || echo "$4" >"$events/$2/filter"
	[ "$3" != sink ] || echo 1 >"$events/$2/enable"
	added "$1" "$3"
	[ "$3" != sink ] || echo 0 >"$events/$2/enable"
	echo 0 >"$events/$2/filter"
}

# Without a reader, the oldest events are overwritten.
for clock in tsc mono; do
	echo "size=1M mode=overwrite clock=$clock" >$recorder
	connected "recorder, clock=$clock" ctf
done
echo "size=1M mode=overwrite clock=tsc" >$recorder
connected "recorder, context=pid,tid" "ctf context=pid,tid"
connected "recorder, a condition that holds" "ctf if arg0 == 1"
connected "recorder, a condition that does not hold" "ctf if arg0 == 0"
echo "connect bench_event count" >$control
connected "recorder and count" ctf

echo "connect subsys_mark1 empty" >$control
traced "trace event" markers/bench_event sink ""
traced "trace event, a filter that matches" markers/bench_event sink "arg0 == 1"
traced "trace event, a filter that does not match" markers/bench_event sink "arg0 == 0"
echo "connect bench_event empty" >$control
traced "TRACE_EVENT()" marker_bench/bench_event trace_event ""
traced "TRACE_EVENT(), a filter that matches" marker_bench/bench_event trace_event "count == 1"
traced "TRACE_EVENT(), a filter that does not match" marker_bench/bench_event trace_event "count == 0"
for peer in trace_printk ring_buffer relay; do
	added $peer $peer
done
