#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Runs in the guest, under icount: the instructions that one event adds to a loop, by the way in
# which it is recorded.  Prints a line for each way: its name, a tab and the instructions.
#
#	paths.sh		the recorder, and the kernel's own ways
#	paths.sh FOLDER		LTTng-modules; FOLDER, of the host, whose root is at /host, has lib/modules with them
set -e
debugfs=/sys/kernel/debug
control=$debugfs/markers/control
recorder=$debugfs/markers/ctf/control
bench=$debugfs/marker_bench
events=/sys/kernel/tracing/events

for module in markers probe_empty probe_count probe_event probe_ctf marker_gates marker_bench; do
	insmod /$module.ko
done

# added WAY VARIANT [SHAPE STATE]: measures the loops of VARIANT as they are now; prints the least of their
# places.
added() {
	echo clear >$bench/run
	echo "${4:-enabled} rounds=1 scale=0.01 shape=${3:-event} only=$2" >$bench/run
	awk -F '\t' -v way="$1" -v variant="$(echo "$2" | tr _ -)" -v shape="${3:-event}" '
		$3 != shape { next }
		$4 == "none" && (none == "" || $9 / $7 < none) { none = $9 / $7 }
		$4 == variant && (least == "" || $9 / $7 < least) { least = $9 / $7 }
		END { if (least == "") exit 1; printf "%s\t%.0f\n", way, least - none }' $bench/raw
}

host() {
	chroot /host env HOME=/tmp PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"
}

# recorded WAY CONTEXT...: the same through LTTng-modules in snapshot mode, with such a context. The buffers are
# overwritten, and no daemon reads them meanwhile.
recorded() {
	way=$1
	shift
	host lttng --quiet create --snapshot paths --output=/tmp/lttng
	host lttng --quiet enable-channel --kernel --subbuf-size=256k --num-subbuf=4 channel
	host lttng --quiet enable-event --kernel --channel=channel bench_event
	for context; do
		host lttng --quiet add-context --kernel --channel=channel --type="$context"
	done
	host lttng --quiet start
	added "$way" trace_event empty disabled
	host lttng --quiet stop
	host lttng --quiet snapshot record
	[ "$(find /host/tmp/lttng -name 'channel_0*' -size +100k)" ] || {
		echo "LTTng has recorded nothing" >&2
		exit 1
	}
	host lttng --quiet destroy
	rm -r /host/tmp/lttng
}

if [ $# = 1 ]; then
	mkdir -p /dev/shm
	for folder in /host/run /host/tmp /dev/shm; do
		mount -t tmpfs none $folder
	done
	mount -o bind "/host$1/lib/modules" /host/lib/modules
	host lttng-sessiond --quiet --daemonize --kmod-probes=marker-bench 2>/tmp/log || { cat /tmp/log; exit 1; }
	recorded "LTTng-modules"
	recorded "LTTng-modules, context=pid,tid" pid tid
	exit
fi

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
traced "trace event" marker_bench/bench_event sink ""
traced "trace event, a filter that matches" marker_bench/bench_event sink "arg0 == 1"
traced "trace event, a filter that does not match" marker_bench/bench_event sink "arg0 == 0"
echo "connect bench_event empty" >$control
traced "TRACE_EVENT()" bench_peers/bench_event trace_event ""
traced "TRACE_EVENT(), a filter that matches" bench_peers/bench_event trace_event "count == 1"
traced "TRACE_EVENT(), a filter that does not match" bench_peers/bench_event trace_event "count == 0"
# A way that this kernel does not have has no line.
for peer in trace_printk ring_buffer relay; do
	added $peer $peer 2>/dev/null || :
done

# held WAY VARIANT SHAPE STATE PROGRAM...: the same while a program holds what stores the events, if this kernel
# lets it. Disabled, a peer does not enable its event in ftrace.
held() {
	way=$1 variant=$2 shape=$3 state=$4
	shift 4
	holder=$("$@") || return 0
	added "$way" "$variant" "$shape" "$state"
	kill "$holder"
}
echo "disconnect *; connect subsys_mark1 empty" >$control
held "trace event, perf" sink event enabled /attach_perf marker_bench/bench_event
echo "connect bench_event empty" >$control
held "BPF, ring buffer" bpf empty enabled /attach_bpf bench_bpf 0x4000000

ddebug=$debugfs/dynamic_debug/control
echo "module marker_bench func pr_debug +p" >$ddebug
added "pr_debug()" pr_debug
echo "module marker_bench func pr_debug -p" >$ddebug
echo "connect debug_marker_bench/debug_site ctf" >$control
added "recorder, pr_debug()" debug_site
echo "disconnect *" >$control
held "TRACE_EVENT(), perf" trace_event empty disabled /attach_perf bench_peers/bench_event

# probed WAY LINE: the same of an event that LINE makes at the entry of a function.
probed() {
	tracing=/sys/kernel/tracing
	(echo "$2 marker_bench_ftrace_target count=\$arg1:s32 pointer=\$arg2:x64" >>$tracing/dynamic_events) 2>/dev/null ||
		return 0
	echo 1 >$tracing/events/kmark_paths/enable
	added "$1" ftrace empty disabled
	echo 0 >$tracing/events/kmark_paths/enable
	echo >$tracing/dynamic_events
}
probed "kprobe event" p:kmark_paths/event
probed "fprobe event" f:kmark_paths/event

# seen WAY EVENT [TRACEPOINT]: the same through ftrace, perf, and BPF, of an event of that function, if this
# kernel has it.
seen() {
	[ -d "$events/$2" ] || return 0
	echo 1 >"$events/$2/enable"
	added "$1" ftrace empty disabled
	echo 0 >"$events/$2/enable"
	held "$1, perf" ftrace empty disabled /attach_perf "$2"
	[ ! "$3" ] || held "$1, BPF, ring buffer" ftrace empty disabled /attach_bpf "$3" 0x4000000
}
seen "marker of the series" bench_series/event bench_series:event
if (echo "module marker_bench func marker_bench_ftrace_target +e" >$ddebug) 2>/dev/null; then
	for event in "$events"/debug_marker_bench/*/; do
		seen "debug message of the series" "debug_marker_bench/$(basename "$event")"
	done
fi
