#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The stack of an event is that of its site.
# Stacks of an event begin at the marked function, in ftrace, perf and bpftrace.
# guest: host_root=yes arch=x86_64
# shellcheck source=lib.sh
. "${0%/*}/lib.sh"
F=/sys/kernel/tracing
formats=/sys/kernel/debug/marker_formats

# The first two frames of a stack, one a line: the compiler may set the cold block of
# a function apart.
frames() {
	sed 's/[ +].*//; s/\.cold$//' | grep . | head -n 2 | xargs
}

# begins TEXT: the stack begins at the marked function, which write_fire() has called.
begins() {
	same "fire_$format write_fire" "$(echo "$1" | frames)"
}

# named: addresses become functions of these modules, which perf has no files of.
named() {
	while read -r address; do
		awk -v address="x$address" '"x" $1 <= address && "x" $1 > best { best = "x" $1; name = $3 }
			END { print name }' /tmp/symbols
	done
}

for module in markers marker_formats probe_count probe_event; do
	load $module
done
grep -E '\[(markers|marker_formats|probe_event)\]$' /proc/kallsyms >/tmp/symbols
mount -t tmpfs run /host/run
cat >/host/run/fire <<END
#!/bin/sh
echo 1 >$formats/fire
END

# stacks HOW: by every tool; the event is connected.
stacks() {
	E=$F/events/marker_formats/format_$format
	echo 1 >$E/enable
	echo 1 >$F/options/stacktrace
	echo >$F/trace
	echo 1 >$formats/fire
	check "ftrace, option stacktrace, $1" begins "$(sed -n '/<stack trace>/,$s/^ => //p' $F/trace)"
	echo 0 >$F/options/stacktrace
	echo stacktrace >$E/trigger
	echo >$F/trace
	echo 1 >$formats/fire
	# Linux leaves out one frame too few: TRACE_EVENT()'s begin with trace_event_raw_event_NAME.
	check "ftrace, trigger stacktrace, $1" begins \
		"$(sed -n '/<stack trace>/,$s/^ => //p' $F/trace | sed '1{/^marker_site_triggers_post_call/d}')"
	echo '!stacktrace' >$E/trigger
	for key in common_stacktrace stacktrace; do
		! echo "hist:keys=$key" >$E/trigger || break
	done 2>/dev/null
	echo 1 >$formats/fire
	check "ftrace, histogram by stack, $1" begins \
		"$(sed -n '/stacktrace:/,/hitcount/s/^{ [a-z_]*stacktrace: *//p; /stacktrace:/,/hitcount/s/^ *\([a-z_.]*+\)/\1/p' $E/hist)"
	echo "!hist:keys=$key" >$E/trigger
	echo 0 >$E/enable
	host perf record -q -g -a -o /run/perf.data -e "marker_formats:format_$format" -- sh /run/fire 2>/dev/null
	check "perf record -g, $1" begins \
		"$(host perf script -i /run/perf.data -F ip 2>/dev/null | awk 'NF { print $1 }' | head -n 2 | named)"
	check "perf script, address of the event, $1" same "fire_$format" \
		"$(host perf script -i /run/perf.data -G -F ip 2>/dev/null | awk 'NF { print $1 }' | named | sed 's/\.cold$//')"
	host bpftrace -c "/bin/sh /run/fire" \
		-e "tracepoint:marker_formats:format_$format { printf(\"%s\n\", kstack) }" >/host/run/bpftrace.txt 2>&1
	check "bpftrace kstack, $1" begins "$(sed -n 's/^ *\([a-z_.]*+\)/\1/p' /host/run/bpftrace.txt)"
}

# Events of the usual arguments are written by functions of their own.
format=hash_p
accepted "connect format_$format event" >/dev/null
stacks "a number, directly"
format=text_s
accepted "connect format_text_s event" >/dev/null
stacks "directly"
accepted "connect format_text_s count; connect format_text_s count if arg0==plain" >/dev/null
stacks "beside others"
accepted "disconnect *; connect format_text_s event if arg0==plain" >/dev/null
stacks "behind a condition"
accepted "disconnect *" >/dev/null
check "verify reports no mismatch" verified
tap_done
