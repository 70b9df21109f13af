#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The tools that kernel developers have, against a real markers.ko: the same
# 10,000 events in all of them at once, compared argument by argument; and what
# happens when the probe goes away under a tracer.
# trace-cmd, perf, bpftrace and babeltrace2, as the distribution has them, from
# the host's root.
# guest: host_root=yes
# shellcheck source=lib.sh
. "${0%/*}/lib.sh"
top=$1
home=$2
types=/sys/kernel/debug/marker_types
E=/sys/kernel/tracing/events/marker_types
EVENTS=5000

load markers expose=
for module in marker_types probe_trace probe_event probe_ctf; do
	load $module
done
mount -t tmpfs run /host/run

# bpftrace -c splits at blanks, and knows no quotes.
cat >/host/run/fire <<END
#!/bin/sh
echo $EVENTS >$types/fire
END
cat >/host/run/print.bt <<'END'
tracepoint:marker_types:types_ints {
	printf("types_ints: %d %u %d %u %d %u %ld %lu\n", args->arg0, args->arg1, args->arg2,
	       args->arg3, args->arg4, args->arg5, args->arg6, args->arg7);
}
tracepoint:marker_types:types_texts {
	printf("types_texts: %u %s %s 0x%lx\n", args->arg0, str(args->arg1), str(args->arg2),
	       args->arg3);
}
END

# Tools start one another when they are ready, and the last one fires.
check "connect" accepted "connect types_* event; connect types_* trace"
host "$top/tools/kmark" record --raw-addresses -o /run/ctf 'types_*' -- \
	trace-cmd record -q -b 8192 -o /run/trace.dat -e markers -e marker_types \
	perf record -q -m 16M -a -o /run/perf.data -e 'markers:*' -e 'marker_types:*' -- \
	bpftrace -o /run/bpftrace.txt -c "/bin/sh /run/fire" /run/print.bt >/host/run/said 2>&1
check "kmark record trace-cmd record perf record bpftrace" same "0" "$?"
cat /host/run/said >&2
check "disconnect" accepted "disconnect *"
host trace-cmd report -q -i /run/trace.dat >/host/run/trace-cmd.txt
host perf script -i /run/perf.data -F event,trace >/host/run/perf.txt 2>/dev/null

# compared TOOL: each event once, in order, each argument as it was fired.
compared() {
	host /usr/bin/python3 "$top/tools/testing/guest/types_compared.py" "/run/$1.txt" $EVENTS
}
host babeltrace2 /run/ctf >/host/run/babeltrace2.txt
for tool in trace-cmd perf bpftrace babeltrace2; do
	check=check
	[ $tool != bpftrace ] || check=texts_in_bpftrace
	$check "$tool has all 10,000 events with their arguments" compared $tool
done
check "trace-cmd has 10,000 events of markers:marker" same 10000 "$(grep -c ' marker: ' /host/run/trace-cmd.txt)"
check "perf has 10,000 events of markers:marker" same 10000 "$(grep -c 'markers:marker: ' /host/run/perf.txt)"

# The probe goes away under a tracer: it is refused, or what was recorded stays.
# tracer COMMAND...: starts it, and waits until what it runs says that it does.
tracer() {
	host "$@" >/host/run/said 2>&1 &
	pid=$!
	tries=200
	while [ ! -e /host/run/started ] && [ $((tries -= 1)) -gt 0 ]; do
		sleep 0.1
	done
	test $tries -gt 0
}

# gone DIRECTORY MODULE: soon DIRECTORY is removed, and MODULE can be unloaded.
gone() {
	tries=50
	while [ -d "$1" ] && [ $((tries -= 1)) -gt 0 ]; do
		sleep 0.1
	done
	test ! -d "$1" && unload "$2"
}

accepted "connect types_ints event; connect types_texts trace" >/dev/null
tracer trace-cmd record -q -o /run/trace.dat -e markers -e marker_types \
	/bin/sh -c 'touch /run/started; until [ -e /run/stop ]; do sleep 0.1; done'
check "trace-cmd has started" same 0 $?
echo 100 >$types/fire
for name in event trace; do
	check "probe_$name cannot be removed while it is connected" same 1 \
		"$(rmmod probe_$name 2>/dev/null; echo $?)"
done
check "disconnect while trace-cmd records" accepted "disconnect *"
for name in event trace; do
	check "probe_$name cannot be unloaded while trace-cmd records" same 1 "$(rmmod probe_$name 2>/dev/null; echo $?)"
done
echo 100 >$types/fire
check "nothing is connected" same "" "$(connections)"
touch /host/run/stop
wait $pid
host trace-cmd report -q -i /run/trace.dat >/host/run/trace-cmd.txt 2>/dev/null
check "trace-cmd reports all recorded events" same "100 100" \
	"$(grep -c ' types_ints: ' /host/run/trace-cmd.txt) $(grep -c ' marker: .*/types_texts ' /host/run/trace-cmd.txt)"
check "trace-cmd reports their arguments" holds "$(cat /host/run/trace-cmd.txt)" " 99 41 -99 495 -6488163 99 -425201762403"
check "probe_event can be unloaded when trace-cmd ends" gone $E/types_ints probe_event
check "probe_trace can be unloaded when trace-cmd ends" unload probe_trace
load probe_event

accepted "connect types_texts event" >/dev/null
host perf record -q -a -o /run/perf.data -e marker_types:types_texts -- \
	/bin/sh -c "echo 50 >$types/fire; echo 'disconnect *' >$M/control; echo 50 >$types/fire"
check "perf: disconnected while it records" same "50 " \
	"$(host perf script -i /run/perf.data -F event,trace 2>/dev/null | grep -c types_texts:) $(connections)"
check "probe_event can be unloaded when perf ends" gone $E/types_texts probe_event
check "verify reports no mismatch" verified
tap_done
