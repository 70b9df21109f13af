#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Events of pr_debug() sites in the recorder, trace-cmd, perf and bpftrace at once, compared with what
# dynamic debug prints; and all debug sites of the kernel connected while it works.
# guest: arch=x86_64 host_root=yes append=no_hash_pointers timeout=400

# shellcheck source=lib.sh
. "${0%/*}/lib.sh"
top=$1
home=$2
D=/sys/kernel/debug/dynamic_debug/control
fire=/sys/module/marker_debug/parameters/fire
ROUNDS=100

load markers
if [ ! -e $D ]; then
	skip "debug sites in tools" "this kernel has no dynamic debug"
	tap_done
fi
for module in probe_event probe_ctf probe_count probe_stack marker_debug; do
	load $module
done
mount -t tmpfs run /host/run

# bpftrace -c splits at blanks, and knows no quotes.
cat >/host/run/fire <<END
#!/bin/sh
echo $ROUNDS >$fire
END
cat >/host/run/print.bt <<'END'
tracepoint:debug_marker_debug:numbers_1 {
	printf("numbers: port %d status %04x, len=%lu char %c\n", args->port, args->status, args->len, args->arg4);
}
tracepoint:debug_marker_debug:tail { printf("%s: tail %d\n", str(args->arg0), args->tail); }
END

# printed PATTERN: the log without times.
printed() {
	dmesg | sed 's/^\[[^]]*\] //' | grep -E "$1"
}

dmesg -n 1
accepted "connect debug_marker_debug/* event" >/dev/null
echo "module marker_debug +p" >$D
log_mark
host "$top/tools/kmark" record --raw-addresses -o /run/ctf 'debug_marker_debug/*' -- \
	trace-cmd record -q -b 8192 -o /run/trace.dat -e debug_marker_debug \
	perf record -q -m 4M -a -o /run/perf.data -e 'debug_marker_debug:*' -- \
	bpftrace -o /run/bpftrace.txt -c "/bin/sh /run/fire" /run/print.bt >/host/run/said 2>&1
check "kmark record trace-cmd record perf record bpftrace" same 0 $?
cat /host/run/said >&2
echo "module marker_debug -p" >$D
printed '^numbers: port' >/tmp/numbers
printed '^tail: tail' >/tmp/tail
check "dynamic debug prints while all record" same "$ROUNDS $ROUNDS" "$(wc -l </tmp/numbers) $(wc -l </tmp/tail)"

# messages FILE: what the events of the function `tail` say, in a text of trace-cmd or perf.
messages() {
	sed -n 's/.* \(tail: tail [0-9]*\) *$/\1/p' "$1"
}
host trace-cmd report -q -i /run/trace.dat >/tmp/trace-cmd
host perf script -i /run/perf.data -F event,trace >/tmp/perf 2>/dev/null
messages /tmp/trace-cmd >/tmp/found
check "trace-cmd has each message" diff /tmp/tail /tmp/found
messages /tmp/perf >/tmp/found
check "perf has each message" diff /tmp/tail /tmp/found
grep '^numbers' /host/run/bpftrace.txt >/tmp/found
check "bpftrace has each number" diff /tmp/numbers /tmp/found
grep '^tail' /host/run/bpftrace.txt >/tmp/found
texts_in_bpftrace "bpftrace has each text" diff /tmp/tail /tmp/found
host babeltrace2 /run/ctf >/tmp/babeltrace2 2>&1
sed -n 's/.* debug_marker_debug\/tail: .*arg0 = "tail", tail = \(-*[0-9]*\) }$/tail: tail \1/p' /tmp/babeltrace2 >/tmp/found
check "babeltrace2 has each message" diff /tmp/tail /tmp/found
check "the recorder has all 14 events of each round" same $((14 * ROUNDS)) "$(grep -c debug_marker_debug/ /tmp/babeltrace2)"
check "disconnect" accepted "disconnect *"

# Snapshots and stacks.
check "a stack begins at the debug site's function" accepted "connect debug_marker_debug/tail stack"
echo 1 >$fire
check "the first frame is the function of the site" holds "$(cat $M/results)" ";fire [marker_debug];tail [marker_debug]"
accepted "disconnect *" >/dev/null
check "a flight recorder takes debug sites" host "$top/tools/kmark" record --flight debug_marker_debug/tail
echo 7 >$fire
check "a snapshot of it is written" host "$top/tools/kmark" record snapshot -o /run/shot
check "its snapshot has the events" same 7 "$(host babeltrace2 /run/shot | grep -c debug_marker_debug/tail)"

# All sites that the kernel and its modules have.
check "all debug sites are connected" accepted "connect debug:module=* count"
echo 5 >$fire
for module in marker_debug probe_stack; do
	unload $module
	load $module
done
ls -R /sys >/dev/null
check "they count while modules come and go" test "$(awk -F '\t' '$2 == "debug:module=*" && $4 == "events" { print $6 }' $M/results)" -gt 100
check "verified" verified
check "and can be disconnected" accepted "disconnect *"
check "verified after that" verified
tap_done
