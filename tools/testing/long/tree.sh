#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A kernel with the patches applied: its own markers as trace events, and those of modules.
# tree.sh TOP HOME KERNEL [debug]: TOP is that of the project and KERNEL the folder of the kernel
# below the host's root, if that is at /host; HOME is for its programs; debug: the kernel has
# lockdep. Booted with trace_event=markers:initcall_level.
# shellcheck source=../guest/lib.sh
. /lib.sh
home=$2
kernel=$3
debug=${4-}
F=/sys/kernel/tracing
E=$F/events/markers

# A fork, an exec, and what they make happen: the shell executes what it has itself only by path.
load_event() {
	true & wait
	/bin/sh -c true
}

# recorded EVENT: print the number of its events in the buffer.
recorded() {
	grep -c ": $1: " $F/trace
}

# set EVENT FILE TEXT: whether the kernel has taken it.
set_file() {
	echo "$3" 2>/dev/null >"$E/$1/$2"
}

# field EVENT NAME: as its format has it, without the offset.
field() {
	sed -n "s/^\tfield:\(.*[ ]$2\(\[[0-9]*\]\)\{0,1\}\);\toffset:[0-9]*;\t\(.*\)$/\1; \3/p" "$E/$1/format" |
		tr '\t' ' '
}

print_fmt() {
	sed -n 's/^print fmt: //p' "$E/$1/format"
}

# refused_lines PATTERN: print what the log says of markers that were refused.
refused_lines() {
	dmesg | sed -n 's/.*markers: \(.* is refused: .*\)$/\1/p' | grep "$1"
}

# As it was booted.
for suite in markers static_batch; do
	check "the KUnit suite $suite has passed" test "$(dmesg | grep -cE "(^|\] )ok [0-9]+ (- )?$suite\$")" = 1
done
check "no marker of the kernel is refused" same "" "$(refused_lines .)"
dmesg | sed -n 's/.*\(# test_smp: .*\)$/\1/p'
echo 0 >$F/tracing_on
check "the command line has enabled an event" same 1 "$(cat $E/initcall_level/enable)"
check "it has seen each level of init calls" same "pure core postcore arch subsys fs device late" \
	"$(sed -n 's/.*: initcall_level: level=//p' $F/trace | xargs)"
echo 0 >$E/initcall_level/enable
echo 1 >$F/tracing_on
check "the kernel's markers are events" test "$(grep -c '^markers:' $F/available_events)" -gt 18
check "of which none is enabled" same 0 "$(cat $E/enable)"
check "there are no files in debugfs" test ! -e $M
# Fields.
check "a number has the type of its argument" same "int prev_prio; size:4; signed:1;" "$(field sched_switch prev_prio)"
check "an unsigned one, too" same "unsigned long long address; size:8; signed:0;" "$(field page_fault address)"
check "the address of the marker is a field" same "unsigned long __ip; size:8; signed:0;" "$(field page_fault __ip)"
check "an address is a pointer" same "void * ip; size:8; signed:0;" "$(field page_fault ip)"
check "a text has its length" same "__data_loc char[] next_comm; size:4; signed:1;" "$(field sched_switch next_comm)"
check "the format is that of the marker" same '"comm=%s pid=%d prio=%d target_cpu=%d", __get_str(comm), REC->pid, REC->prio, REC->target_cpu' "$(print_fmt sched_wakeup)"
insmod /marked_fields.ko
check "BTF has the fields of an event where its records have them" same "$(sed 1d /marked_fields.layout)" \
	"$(sed -nE 's/^\tfield:.*[ *](\w+)(\[[0-9]+\])?;\toffset:([0-9]+);\tsize:([0-9]+);.*/\1 \3 \4/p' \
		$E/marked_fields/format | grep -v '^common_\|^__ip ')"
rmmod marked_fields

for event in sched_switch sys_enter sys_exit page_fault process_fork softirq_entry; do
	echo >$F/trace
	load_event
	check "$event: disabled, none is recorded" same 0 "$(recorded $event)"
	set_file $event enable 1
	for _ in 1 2 3 4 5 6 7 8 9; do
		load_event
	done
	set_file $event enable 0
	check "$event: enabled, some are" test "$(recorded $event)" -ge 9
	echo >$F/trace
	load_event
	check "$event: disabled again, none is" same 0 "$(recorded $event)"
done

# All tracepoints of system calls share one work flag and one counter, which one lock protects.
echo 'p:set_work_flag syscall_regfunc owner=@tracepoints_mutex:x64' >>$F/kprobe_events
echo 1 >$F/events/kprobes/enable
echo >$F/trace
set_file sys_enter enable 1
set_file sys_enter enable 0
echo 0 >$F/events/kprobes/enable
check "the work flag of system calls is set under tracepoints_mutex" grep -q 'set_work_flag: .*owner=0x.*[1-9a-f]' $F/trace
echo >$F/kprobe_events

# All of them, several times, while they run.
while :; do load_event; done &
for _ in 1 2 3 4 5 6 7 8 9 10; do
	echo 1 >$E/enable
	echo 0 >$E/enable
done
kill $!
wait
# Not for a time: a guest may have little of its CPUs.
echo >$F/trace
echo 1 >$E/enable
for _ in 1 2 3 4 5 6 7 8 9; do
	load_event
done
echo 0 >$E/enable
for event in sys_enter sys_exit sched_switch sched_wakeup sched_wakeup_new process_fork process_exec process_exit softirq_entry softirq_exit page_fault; do
	check "$event is among them" test "$(recorded $event)" -ge 1
done
grep -m 3 sched_switch $F/trace | sed 's/^/# /'
check "their text is whole" same 0 "$(grep -E ': (sched_switch|sched_wakeup|process_fork): ' $F/trace |
	grep -cvE ': (sched_switch: prev_comm=.* prev_pid=[0-9]+ prev_prio=[0-9]+ prev_state=[0-9]+ next_comm=.* next_pid=[0-9]+ next_prio=[0-9]+|sched_wakeup: comm=.* pid=[0-9]+ prio=[0-9]+ target_cpu=[0-9]+|process_fork: pid=[0-9]+ child_pid=[0-9]+)$')"

# Filters on the fields of events.
seen_if() {
	echo >$F/trace
	check "$1 if $2: taken" set_file "$1" filter "$2"
	set_file "$1" enable 1
	load_event
	set_file "$1" enable 0
	check "$1 if $2" test "$(recorded "$1")" -ge 1
	check "and none but those" same 0 "$(grep ": $1: " $F/trace | grep -cv "$3")"
	set_file "$1" filter 0
}
seen_if page_fault "user == 1 && address > 0" 'user=1$'
seen_if sched_switch 'prev_comm == "sh" && prev_prio == 120' 'prev_comm=sh .*prev_prio=120'
seen_if sched_switch 'next_comm ~ "s*" && next_pid > 1' 'next_comm=s'
seen_if sched_wakeup_new "prio == 120 && target_cpu < 64" 'prio=120'
check "a filter on a field that there is not is refused" test ! "$(set_file trap_entry filter "vector == 3" && echo taken)"

# A trigger has the event for itself.  This one needs no record.
echo >$F/trace
check "a trigger is set" set_file process_exit trigger enable_event:markers:process_fork
load_event
load_event
check "it fires, though the event is disabled" test "$(recorded process_fork)" -ge 1
check "and the event is not recorded" same 0 "$(recorded process_exit)"
set_file process_exit trigger '!enable_event:markers:process_fork'
set_file process_fork enable 0

# An instance has its own.
mkdir $F/instances/other
echo >$F/trace
echo 1 >$F/instances/other/events/markers/process_fork/enable
load_event
check "an event of an instance is in that" test "$(grep -c ': process_fork: ' $F/instances/other/trace)" -ge 1
check "and in no other" same 0 "$(recorded process_fork)"
echo 0 >$F/instances/other/events/markers/process_fork/enable
rmdir $F/instances/other

# BPF: raw tracepoints.
seven="for i in 1 2 3 4 5 6 7; do true & wait; done"
sums=$(/raw_bpf markers:process_fork "$seven")
check "a BPF program is run by a marker as a raw tracepoint" test "${sums% *}" -ge 7
check "and has its arguments" test "${sums#* }" -ge 7
sums=$(/raw_bpf markers:sched_wakeup "$seven")
check "all markers of an event run it" test "${sums% *}" -ge 1
check "a tracepoint of the same name is another one" test "$(/raw_bpf sched_wakeup "true & wait" | grep -c .)" = 1
insmod /marked_args.ko
# argument N OF: what a program has there.
argument() {
	/raw_bpf "markers:marked_args_$2" "printf x >/sys/module/marked_args/parameters/fire" "$1"
}
for n in 1 2 3 4 5 6 7 8 9 10 11 12; do
	check "a program has the last of $n arguments" same "1 $n" "$(argument $n $n)"
	check "and of twelve the one with that number" same "1 $n" "$(argument $n 12)"
done
# The longest text of an event has 255 characters; the third argument has more.
echo >$F/trace
set_file marked_texts enable 1
printf x >/sys/module/marked_args/parameters/fire
check "long texts are whole, up to the longest" same "first $(printf '%200s' '' | tr ' ' a) $(printf '%255s' '' | tr ' ' b) fourt (null)" \
	"$(sed -n 's/.*: marked_texts: //p' $F/trace)"
rmmod marked_args

# The kernel's own test, as its selftests run it.
sh /markers.sh >/tmp/selftest
status=$?
sed 's/^/# /' /tmp/selftest
check "tools/testing/selftests/markers passes" same 0 "$status"
check "and skips nothing that this kernel has" same 0 "$(grep SKIP /tmp/selftest | grep -cv 'no :mod:')"

# Two modules that go at once: neither removes the other's events.
for _ in 1 2 3 4 5 6 7 8 9 10; do
	insmod /marked_args.ko
	insmod /marked_b.ko
	rmmod marked_args &
	rmmod marked_b
	wait
done
check "modules that go at once leave no events" same 0 "$(grep -c '^markers:marked' $F/available_events)"

# Modules that have an event in common, and wrong markers among good ones.
dmesg -c >/dev/null
insmod /marked_a.ko
insmod /marked_b.ko
check "the good markers of modules are events" same "marked_a marked_b marked_common marked_decoded marked_names marked_width" \
	"$(sed -n 's/^markers:\(marked_.*\)/\1/p' $F/available_events | sort | xargs)"
check "the wrong ones are refused: another format in each, and a value of another name" same \
	"2 markers:marked_common 1 markers:marked_names" \
	"$(refused_lines . | cut -d ' ' -f 1 | sort | uniq -c | xargs)"
check "the log has the format, and that of the first marker" same \
	'markers:marked_common (marked.h) is refused: expected "text=%s" with types 9, as at marked.h, found "number=%d" with types 5' \
	"$(refused_lines ':marked_common ' | sed 's|[^ (]*marked\.h:[0-9]*|marked.h|g' | sort -u)"
check "the log says where it has the other" same "markers:marked_names (marked.h) is refused: its values have other names than at marked.h" \
	"$(refused_lines ':marked_names ' | sed 's|[^ (]*marked\.h:[0-9]*|marked.h|g')"
check "a raw tracepoint that is refused as a marker is no program's" test "$(/raw_bpf markers:marked_common true 2>/dev/null)"
fire_both() {
	printf abcdef >/sys/module/marked_a/parameters/fire
	printf abcdef >/sys/module/marked_b/parameters/fire
}
echo >$F/trace
set_file marked_a enable 1
set_file marked_common enable 1
fire_both
check "one event of two modules is recorded for both" same 2 "$(recorded marked_common)"
check "the text of an event is that of its format" same \
	"s8=-8 u16=65535 text=abc bad=(efault) null=(null) ip=1.2.3.4 long=-9 char=x percent=100%" \
	"$(sed -n 's/.*: marked_a: //p' $F/trace)"
rmmod marked_a
check "the first module goes with its events enabled" test ! -e /sys/module/marked_a
check "with its own event" test ! -e $E/marked_a
check "but not with the other's" same 1 "$(cat $E/marked_common/enable)"
echo >$F/trace
printf abcdef >/sys/module/marked_b/parameters/fire
check "which is still recorded" same 1 "$(recorded marked_common)"
insmod /marked_a.ko
echo >$F/trace
fire_both
check "what comes to an enabled event is enabled" same 2 "$(recorded marked_common)"
rmmod marked_b
rmmod marked_a
check "with the last module the event goes" test ! -e $E/marked_common
for _ in 1 2 3 4 5 6 7 8 9 10; do
	insmod /marked_a.ko
	echo 1 >$E/enable
	rmmod marked_a
	echo 0 >$E/enable
done
check "a module comes and goes ten times, enabled" test ! -e $E/marked_a

# Conversions that need another argument are recorded as the text that printk() prints.
echo >$F/trace
insmod /marked_a.ko
set_file marked_width enable 1
set_file marked_decoded enable 1
printf x >/sys/module/marked_a/parameters/fire
check "a width that is an argument" same "width=   1" "$(sed -n 's/.*: marked_width: //p' $F/trace)"
check "a length that is an argument" same "rate=01 02 03" "$(sed -n 's/.*: marked_decoded: //p' $F/trace)"
rmmod marked_a

# The formats that markers.ko is tested with have the texts of printk() here, too.
insmod /marked_formats.ko
formats=/sys/kernel/debug/marked_formats
check "no format is refused" same "" "$(refused_lines marked_formats:)"
check "there are at least 90 formats to compare" test "$(wc -l <$formats/expected)" -ge 90
echo >$F/trace
echo 1 >$F/events/marked_formats/enable
echo 1 >$formats/fire
sed -n 's/.*: \(format_[a-z0-9_]*\): \(.*\)/\1\t\2/p' $F/trace | sort >/tmp/found
sort $formats/expected >/tmp/expected
check "each has the text of printk()" diff /tmp/expected /tmp/found
rmmod marked_formats

# The systems of two modules that have the same name for an event.
insmod /marked_own_a.ko
insmod /marked_own_b.ko
echo >$F/trace
echo 1 >$F/events/marked_own_a/open/enable
echo 1 >$F/events/marked_own_b/open/enable
printf x >/sys/module/marked_own_a/parameters/fire
printf x >/sys/module/marked_own_b/parameters/fire
check "two modules have an event of the same name" same "number=1 path=b" \
	"$(sed -n 's/.*: open: //p' $F/trace | xargs)"
rmmod marked_own_a
check "an event goes with its module, not with the other" test -e $F/events/marked_own_b/open
rmmod marked_own_b

# Events that are asked for before their module is loaded; Linux 6.1 and 6.12 do not know that.
if echo ':mod:marked_own_a' 2>/dev/null >>$F/set_event; then
	insmod /marked_own_a.ko
	check "an event of a module that was asked for is enabled" same 1 "$(cat $F/events/marked_own_a/open/enable)"
	rmmod marked_own_a
else
	skip "an event of a module that was asked for is enabled" "no :mod: in set_event"
fi

# Stack traces begin at the marker: of the option, of a trigger, of perf.
insmod /marked_args.ko
pass_here() {
	printf x >/sys/module/marked_args/parameters/fire
}
# frames EVENT: print the first two functions of the stack trace behind an event.
frames() {
	sed -n "/: $1: /,\$p" $F/trace | sed -n 's/^ *=> \([a-z_]*\).*/\1/p' | head -n 2 | xargs
}
echo >$F/trace
echo 1 >$F/options/stacktrace
set_file marked_here enable 1
echo 1 >$F/events/module/module_put/enable
pass_here
insmod /marked_own_a.ko
rmmod marked_own_a
echo 0 >$F/events/module/module_put/enable
set_file marked_here enable 0
echo 0 >$F/options/stacktrace
# With some compilers that of a trace event has the function that records it.
case $(frames module_put) in
trace_event_raw_event_*) begins="marker_call fire" ;;
*) begins="fire param_attr_store" ;;
esac
check "a stack trace begins where that of a trace event does" same "$begins" "$(frames marked_here)"
echo >$F/trace
set_file marked_here trigger stacktrace
pass_here
set_file marked_here trigger '!stacktrace'
check "as that of a trigger does" same "$begins" "$(sed -n 's/^ *=> \([a-z_]*\).*/\1/p' $F/trace | head -n 2 | xargs)"
set_file marked_here trigger "hist:keys=__ip.sym"
pass_here
check "a histogram has the function of the marker" test "$(grep -c '\] fire ' $E/marked_here/hist)" = 1
set_file marked_here trigger "!hist:keys=__ip.sym"
check "a call chain of perf begins at the marker" same "fire param_attr_store" "$(/call_chain markers/marked_here \
	/sys/module/marked_args/parameters/fire | uniq | head -n 2 | xargs)"
rmmod marked_args

# Where an event is not recorded: on a CPU that is offline, and where RCU is not watching.
dmesg -c >/dev/null
insmod /marked_where.ko
check "a marker with the name of a trace event is refused" same 1 \
	"$(refused_lines 'sched:sched_switch .*: there is another event of this name' | grep -c .)"
insmod /marked_taken.ko
check "as is one with the name of a trace event of its own module" same 1 \
	"$(refused_lines 'sizes:whole_10 .*: there is another event of this name' | grep -c .)"
check "that event is there once" same 1 "$(grep -c '^sizes:whole_10$' $F/available_events)"
rmmod marked_taken
echo >$F/trace
echo 1 >$F/events/sched/marked_offline/enable
echo 1 >$F/events/sched/marked_idle/enable
if echo 0 2>/dev/null >/sys/devices/system/cpu/cpu1/online; then
	check "a CPU that is offline passes a marker" same 1 "$(cat /sys/module/marked_where/parameters/passed)"
	check "whose event is not recorded, as that of a tracepoint" same 0 "$(recorded marked_offline)"
	echo 1 >/sys/devices/system/cpu/cpu1/online
else
	skip "a CPU that is offline" "CPU 1 stays online"
fi
levels=$(cat /proc/sys/kernel/printk)
echo 1 >/proc/sys/kernel/printk		# no warning on the console
printf x >/sys/module/marked_where/parameters/idle
echo "$levels" >/proc/sys/kernel/printk
check "where RCU is not watching no event is recorded" same 1 "$(recorded marked_idle)"
check "and with lockdep the log says so, once" same "${debug:+1}" \
	"$(dmesg | grep -c 'RCU not watching for marker sched:marked_idle' | grep -v '^0$')"
rmmod marked_where
dmesg -c >/dev/null

# Each change of text is reported to perf, which Intel PT's decoder needs.
if [ "$optimizes" ]; then
	pokes=$(/text_poke "/raw_bpf markers:process_fork 'true & wait' >/dev/null")
	gate=$(echo "$pokes" | cut -d ' ' -f 1 | head -n 1)
	check "perf sees a gate open and close, and nothing else change" same "$gate 0f e9, $gate e9 0f" \
		"$(echo "$pokes" | sed 's/ \(..\)[^ ]* \(..\).*/ \1 \2/; s/66/0f/g; s/eb/e9/g' | paste -sd , | sed 's/,/, /')"
	check "a kprobe on a gate is refused" same refused \
		"$(echo "p:on_gate 0x$gate" 2>/dev/null >>$F/kprobe_events && echo set || echo refused)"
else
	for what in "perf sees a gate open and close, and nothing else change" "a kprobe on a gate is refused"; do
		skip "$what" "$(uname -m) has no text-poke events"
	done
fi

# In marked functions kprobes become jumps where they do without markers. Not in all
# functions: some have exception table entries of their own.
for function in do_exit kernel_clone wake_up_new_task try_to_wake_up blk_mq_start_request blk_update_request __handle_irq_event_percpu __netif_receive_skb_core syscall_exit_work __schedule; do
	# With IBT there is an instruction more before the call of ftrace.
	for offset in $past_entry $((past_entry + 4)); do
		{ echo "p:in_$function $function+$offset" >>$F/kprobe_events; } 2>/dev/null && break
	done
done
echo 1 >$F/events/kprobes/enable
[ ! "$optimizes" ] || sleep 3
sed 's/^/# /' /sys/kernel/debug/kprobes/list
if [ "$optimizes" ]; then
	check "kprobes in do_exit() and kernel_clone() are optimised" same "do_exit kernel_clone" \
		"$(sed -n 's/.* \(do_exit\|kernel_clone\)+0x[59] .*\[OPTIMIZED\].*/\1/p' /sys/kernel/debug/kprobes/list | sort | xargs)"
	check "kprobes in most other marked functions are optimised" test "$(grep -c 'OPTIMIZED' /sys/kernel/debug/kprobes/list)" -ge 5
else
	for what in "do_exit() and kernel_clone()" "most other marked functions"; do
		skip "kprobes in $what are optimised" "$(uname -m) has no optimised kprobes"
	done
fi
set_file process_fork enable 1
echo >$F/trace
load_event
check "a marker beside a kprobe is recorded" test "$(recorded process_fork)" -ge 1
echo 0 >$F/events/kprobes/enable
echo >$F/kprobe_events
set_file process_fork enable 0
echo function >$F/current_tracer
echo >$F/trace
echo 1 >$E/enable
load_event
echo 0 >$E/enable
echo nop >$F/current_tracer
load_event
check "markers open and close under the function tracer" same 0 "$(cat $E/enable)"

# Tools of kernel developers.
if [ -x /host/usr/bin/trace-cmd ] && chroot /host /bin/true 2>/dev/null; then
	mount -t tmpfs run /host/run
	host() {
		chroot /host env HOME="$home" PERF_BUILDID_DIR=/run PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"
	}
	insmod /markers-sample.ko
	insmod /marked_a.ko
	cat >/host/run/fire <<-'END'
		#!/bin/sh
		for n in 1 258 -3 70000; do
			printf %s $n >/sys/module/markers_sample/parameters/number
			printf %s $n >/sys/module/marked_a/parameters/fire
		done
	END
	printf '#!/bin/sh\nfor n in 1 2 3 4; do /bin/true; done\n' >/host/run/fork
	# The text of each event, without pointers, which the kernel hashes.
	texts() {
		sed -n 's/.*[: ]\(number\|fields\|marked_a\|marked_common\): */\1: /p' | sed 's/ param=.*//'
	}
	echo >$F/trace
	echo 1 >$F/events/markers_sample/number/enable
	echo 1 >$F/events/markers_sample/fields/enable
	set_file marked_a enable 1
	set_file marked_common enable 1
	host sh /run/fire
	texts <$F/trace >/tmp/kernel
	echo 0 >$F/events/markers_sample/enable
	echo 0 >$E/enable
	host trace-cmd record -q -o /run/trace.dat -e markers_sample:number -e markers_sample:fields -e 'markers:marked_*' sh /run/fire >/host/run/said 2>&1
	host trace-cmd report -q -i /run/trace.dat 2>/dev/null | texts >/tmp/trace-cmd
	host perf record -q -a -o /run/perf.data -e markers_sample:number -e markers_sample:fields -e 'markers:marked_*' sh /run/fire >>/host/run/said 2>&1
	host perf script -i /run/perf.data -F event,trace 2>/dev/null | texts >/tmp/perf
	check "16 events are recorded" same 16 "$(grep -c . /tmp/kernel)"
	sed 's/^/# /' /tmp/kernel
	check "trace-cmd prints the same" same "$(sort /tmp/kernel)" "$(sort /tmp/trace-cmd | sed 's/char=120/char=x/')"
	check "perf prints the same" same "$(sort /tmp/kernel)" "$(sort /tmp/perf | sed 's/char=120/char=x/')"
	host perf record -q -a -o /run/fork.data -e markers:process_fork sh /run/fork >>/host/run/said 2>&1
	check "perf says which function it was in" test \
		"$(host perf script -i /run/fork.data -F event,ip,sym 2>/dev/null | grep -c 'process_fork: .* kernel_clone')" -ge 4
	host perf stat -x, -o /run/stat -e markers_sample:number -e markers:process_fork sh /run/fire
	check "perf counts" same 4 "$(sed -n 's/^\([0-9]*\),.*markers_sample:number.*/\1/p' /host/run/stat)"
	cat >/host/run/print.bt <<-'END'
		tracepoint:markers_sample:number { printf("bpf %d %s\n", args->number, str(args->comm)); }
	END
	host bpftrace -c "/bin/sh /run/fire" /run/print.bt >/host/run/bpftrace 2>&1
	sed 's/^/# /' /host/run/bpftrace
	check "a BPF program has the fields" same "bpf 1 sh bpf 258 sh bpf -3 sh bpf 70000 sh" "$(grep '^bpf ' /host/run/bpftrace | xargs)"
	rmmod markers_sample
	rmmod marked_a
	# Older kernels do not have it.
	opt_types=/host$kernel/tools/testing/selftests/ftrace/test.d/kprobe/kprobe_opt_types.tc
	if [ "$optimizes" ] && [ -e "$opt_types" ]; then
		mkdir /host/run/ftrace
		mount -o bind "${opt_types%/test.d/*}" /host/run/ftrace
		host env TERM=dumb sh -c 'cd /run/ftrace && ./ftracetest -l /run/logs test.d/kprobe/kprobe_opt_types.tc' >/tmp/ftracetest
		sed 's/^/# /' /tmp/ftracetest
		check "the kernel's test of optimised kprobes passes" grep -q '# of passed: *1$' /tmp/ftracetest
	fi
else
	echo "# without the host's programs"
fi

# lockdep turns itself off when it has found something.
if [ "$debug" ]; then
	check "lockdep is still on at the end" same "debug_locks: 1" "$(grep debug_locks: /proc/lockdep_stats | xargs)"
fi
tap_done
