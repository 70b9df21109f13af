#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# fields.sh TOP HOME PYTHON: fields of MARK_FIELDS() in what reads them: the kernel's own
# text, trace-cmd, perf, bpftrace, babeltrace2, Perfetto's definitions, conditions, and the
# probes that compute.
# MARK_FIELDS(): the same events in trace-cmd, perf, bpftrace and babeltrace2, as the
# distribution has them, from the host's root, and as a trace of Perfetto, value by value.
# guest: cpus=1 host_root=yes

on_host() {
	"$top/tools/setup" export || exit 1
	boot "$("$top/tools/setup" --path export)/bin/python"
}

# shellcheck source=lib.sh
. "${0%/*}/lib.sh"
top=$1
home=$2
python=$3
fire=/sys/module/marker_fields/parameters/fire
F=/sys/kernel/tracing/events
E=$F/marker_fields
EVENTS=1000

load markers
for module in marker_fields probe_trace probe_event probe_ctf probe_count probe_hist probe_latency; do
	load $module
done
mount -t tmpfs run /host/run

# has EVENT FIELD...: they are in its format, one line each.
has() {
	text=$(tr -s '\t' ' ' <"$E/$1/format")
	shift
	for field; do
		holds "$text" "$field" || return 1
	done
}

check "the fields of the event are those of the source" has fields_kinds \
	"field:unsigned short port; offset:10; size:2; signed:0;" "field:__data_loc char[] path;" \
	"field:u8 mac[6];" "field:int state;" "field:unsigned char up;" "field:void * owner;" \
	"field:long balance;" "field:u8 bad[3];" "size:3; signed:0;"
check "names of values and bytes are printed by tools" has fields_kinds \
	'__print_symbolic(REC->state, { 0x0, "FIELDS_IDLE" }, { 0x7, "FIELDS_BUSY" }, { 0xffffffff, "FIELDS_GONE" }, { 0x10000, "FIELDS_MACRO" })' \
	'__print_hex(REC->mac, 6)'
check "kmark list shows them" holds "$(host "$top/tools/kmark" list)" \
	"port=%hu path=%s mac=%6y state=%{ FIELDS_IDLE=00000000"

# bpftrace -c splits at blanks, and knows no quotes.
cat >/host/run/fire <<END
#!/bin/sh
echo $EVENTS >$fire
END
cat >/host/run/print.bt <<'END'
tracepoint:marker_fields:fields_kinds {
	printf("fields_kinds: port=%u path=%s mac=%02x %02x %02x %02x %02x %02x ", args->port, str(args->path),
	       args->mac[0], args->mac[1], args->mac[2], args->mac[3], args->mac[4], args->mac[5]);
	printf("number=%d up=%u owner=0x%lx balance=%ld ", args->state, args->up, args->owner, args->balance);
	printf("bad=%02x %02x %02x\n", args->bad[0], args->bad[1], args->bad[2]);
}
tracepoint:marker_fields:fields_ints {
	printf("fields_ints: a=%d b=%u c=%d d=%u e=%d f=%u g=%ld h=%lu\n", args->a, args->b,
	       args->c, args->d, args->e, args->f, args->g, args->h);
}
END

# Tools start one another when they are ready, and the last one fires.
check "connect" accepted "connect fields_* trace"
host "$top/tools/kmark" record --raw-addresses -o /run/ctf 'fields_*' -- \
	trace-cmd record -q -b 8192 -o /run/trace.dat -e marker_fields:fields_kinds -e marker_fields:fields_ints \
	perf record -q -m 16M -a -o /run/perf.data -e marker_fields:fields_kinds -e marker_fields:fields_ints -- \
	bpftrace -o /run/bpftrace.txt -c "/bin/sh /run/fire" /run/print.bt >/host/run/said 2>&1
check "kmark record trace-cmd record perf record bpftrace" same "0" "$?"
cat /host/run/said >&2
check "disconnect" accepted "disconnect *"
host trace-cmd report -q -i /run/trace.dat >/host/run/trace-cmd.txt
host perf script -i /run/perf.data -F event,trace >/host/run/perf.txt 2>/dev/null
host babeltrace2 /run/ctf >/host/run/babeltrace2.txt

host env TMPDIR=/run "$top/tools/kmark" record export /run/ctf --format perfetto -o /run/perfetto.pftrace

# compared FILE: each event once, in order, each value as it was fired.
compared() {
	host "$python" "$top/tools/testing/guest/fields_compared.py" "/run/$1" $EVENTS >/tmp/compared || cat /tmp/compared
	grep -q ' events .* values' /tmp/compared
}
for file in trace-cmd.txt perf.txt bpftrace.txt babeltrace2.txt perfetto.pftrace; do
	check=check
	[ $file != bpftrace.txt ] || check=texts_in_bpftrace
	$check "${file%.*} has all 2,000 events, value by value" compared $file
	printf '# %-12s %s\n' "${file%.*}" "$(cat /tmp/compared)"
done
for tool in trace-cmd perf bpftrace babeltrace2; do
	grep -m 1 "fields_kinds: .*srv" "/host/run/$tool.txt" | sed "s/^ */# $tool: /"
done
check "the metadata names fields, values and bytes" holds "$(cat /host/run/ctf/metadata)" \
	'enum : integer { size = 32; align = 8; signed = true; } { "FIELDS_IDLE" = 0, "FIELDS_BUSY" = 7, "FIELDS_GONE" = -1, "FIELDS_MACRO" = 65536 } _state;'

# The kernel's own text, and that of the probe trace.
text=" path=/srv/a b mac=01 00 00 00 ab ff state=FIELDS_BUSY up=0 owner=0x1000 balance=-1 bad="
echo 1 >$E/fields_kinds/enable
echo 5 >$fire
check "tracefs prints names of values and bytes" holds "$(cat /sys/kernel/tracing/trace)" \
	"fields_kinds: port=3${text}00 00 00"
check "a value without a name is printed in hexadecimal" holds "$(cat /sys/kernel/tracing/trace)" " state=0x3 "
echo 0 >$E/fields_kinds/enable
echo >/sys/kernel/tracing/trace
accepted "connect fields_kinds trace" >/dev/null
echo 1 >$F/markers/marker/enable
echo 2 >$fire
check "the probe trace prints them" holds "$(cat /sys/kernel/tracing/trace)" \
	"port=3 path=/srv/a b mac=01 00 00 00 ab ff state=FIELDS_BUSY up=0 "
check "what cannot be read is said there" holds "$(cat /sys/kernel/tracing/trace)" " bad=(efault)"
echo 0 >$F/markers/marker/enable
accepted "disconnect *" >/dev/null

# counted N CONDITION: so many of 20 events of fields_kinds match.
counted() {
	accepted "connect fields_kinds count if $2" || return 1
	echo 20 >$fire
	hits=$(awk -F '\t' '$1 == "count" { print $5 }' $M/probes)
	accepted "disconnect fields_kinds" && same "$1" "$hits"
}
check "a condition on a text and a number" counted 1 'path=="/srv/a b" && port==27'
check "a condition on bytes" counted 1 'mac=="07 00 00 00 ab ff"'
check "a condition on the name of a value" counted 4 'state==FIELDS_BUSY'
check "a condition on the value" counted 4 'state==-1'
check "a condition on a glob of names" counted 8 'state~FIELDS_[BG]*'
# result WORDS: the rows of 20 events, with one blank in place of each tab.
result() {
	accepted "connect $1" || return 1
	echo 20 >$fire
	tr '\t' ' ' <$M/results
	accepted "disconnect fields_*"
}
check "hist takes the name of a field" holds "$(result 'fields_kinds hist arg=port')" " 32..63 "
check "latency takes the names of two fields" holds \
	"$(result 'fields_ints latency from=fields_kinds key=balance,g')" "unpaired - 19"
log_mark
check "hist refuses a field that is not there" refused EINVAL 'connect fields_kinds hist arg=ports'
check "the log names it" logged 'has no field "ports": "port=%hu path=%s'
check "hist refuses bytes" refused EINVAL 'connect fields_kinds hist arg=mac'
check "hist refuses a field that is another argument elsewhere" refused EINVAL 'connect fields_* hist arg=g'
check "tracefs filters by text and value" sh -c \
	"echo 'state == 7 && path == \"/srv/a b\"' >$E/fields_kinds/filter"
! { echo 'mac == 1' >$E/fields_kinds/filter; } 2>/dev/null || echo 0 >$E/fields_kinds/filter
check "tracefs finds bytes by their name, as those of the kernel's events" same 0 \
	"$(tail -n 4 /sys/kernel/tracing/error_log | grep -c 'Field not found')"
check "a field that is not there is refused" refused EINVAL 'connect fields_kinds count if ports==1'
check "the log names the fields" holds "$(dmesg | tail -n 3)" \
	'there is no field "ports", but port path mac state up owner balance bad'
check "verify reports no mismatch" verified
tap_done
