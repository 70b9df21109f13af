#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Debug messages as trace events: the kernel's selftest, messages of USB drivers, and the same events in
# perf, trace-cmd and bpftrace. debug_events.sh TOP HOME: both are in the host's root.
# shellcheck source=../guest/lib.sh
. /lib.sh
home=$2
F=/sys/kernel/tracing
control=/proc/dynamic_debug/control
parameters=/sys/module/test_dynamic_debug_events/parameters
mount -t tracefs tracefs $F 2>/dev/null

# Memory that the kernel takes for an event of the module, after the first ones have come. Before all else,
# because slabs that were freed are taken again.
slabs() { awk '$1 == "Slab:" { print $2 * 1024 }' /proc/meminfo; }
events() { grep -c '^debug_test_dynamic_debug_events:' $F/available_events; }
insmod /test_dynamic_debug_events.ko
echo "module test_dynamic_debug_events func test_dev_dbg +e" >$control
first=$(events)
before=$(slabs)
echo "module test_dynamic_debug_events +e" >$control
bytes=$((($(slabs) - before) / ($(events) - first)))
echo "# $bytes bytes of slabs for each of $(($(events) - first)) events"
check "an event takes memory, and less than a page" test "$bytes" -gt 0 -a "$bytes" -lt 4096
rmmod test_dynamic_debug_events

sh /events.sh /test_dynamic_debug_events.ko >/tmp/selftest
status=$?
sed 's/^/# /' /tmp/selftest
check "tools/testing/selftests/dynamic_debug passes" same 0 "$status"

# Print the texts of the events in the buffer.
recorded() {
	sed -nE 's/^.{16}-[0-9]+ +\[[0-9]+\] +[^ ]+ +[0-9.]+: [A-Za-z0-9_]+: //p' $F/trace
}

# Messages with the level of debug messages, without times.
printed() {
	dmesg -r | sed -nE '/^<7>/s/^<7>(\[ *[0-9.]+\] )?//p'
}

if [ -e /dummy_hcd.ko ]; then
	usb="usb-common usbcore udc-core dummy_hcd configfs libcomposite usb_f_ss_lb g_zero"
	echo 8192 >$F/buffer_size_kb
	echo >$F/trace
	dmesg -c >/dev/null
	for module in $usb; do
		insmod "/$module.ko" dyndbg=+ep
	done
	sleep 3
	echo "-p" >$control
	printed | sort >/tmp/printed
	recorded | sort >/tmp/recorded
	diff /tmp/printed /tmp/recorded | sed 's/^/# /' | head -n 40
	sites=$(grep -cE '\[(usb|udc|dummy|libcomp|g_zero)[a-z_]*\].* =[a-z]*e' $control)
	places=$(sed -nE 's/^.{16}-[0-9]+ +\[[0-9]+\] +[^ ]+ +[0-9.]+: ([A-Za-z0-9_]+): .*/\1/p' $F/trace | sort -u | wc -l)
	echo "# USB: $sites sites with events, $(wc -l </tmp/recorded) messages of $places sites"
	check "USB drivers have at least 100 sites with events" test "$sites" -ge 100
	check "their messages are events of the same text" eval "test -s /tmp/printed && cmp /tmp/printed /tmp/recorded"
	for module in g_zero usb_f_ss_lb libcomposite configfs dummy_hcd udc_core usbcore usb_common; do
		rmmod $module
	done
	check "all their events are gone" same "" "$(grep -E '^debug_(usb|udc|dummy|g_zero)' $F/available_events)"
else
	skip "their messages are events of the same text" "no USB drivers"
fi

if [ -x /host/usr/bin/perf ] && chroot /host /bin/true 2>/dev/null; then
	insmod /test_dynamic_debug_events.ko
	echo "module test_dynamic_debug_events +e" >$control
	system=debug_test_dynamic_debug_events
	mount -t tmpfs tmpfs /host/run
	mount --bind /sys /host/sys
	mount --bind /proc /host/proc
	mount --bind /dev /host/dev
	mount -t tracefs tracefs /host/sys/kernel/tracing 2>/dev/null
	event=$(cd $F/events/$system && grep -l '"%snumber=%d"' ./*_test_pr_*/format | head -n 1 | sed 's|^\./||; s|/.*||')
	echo "echo 1 >$parameters/run" >/host/run/run
	host perf record -q -a -o /run/data -e "$system:$event" sh /run/run >/tmp/perf 2>&1
	sed 's/^/# /' /tmp/perf
	check "perf records and prints an event" eval \
		"host perf script -i /run/data -F event,trace 2>/dev/null | grep -q ': .*number=-42'"
	check "a module whose event perf uses stays" eval \
		"host perf stat -e '$system:$event' sleep 2 2>/dev/null & sleep 1; ! rmmod test_dynamic_debug_events 2>/dev/null"
	wait
	host trace-cmd record -q -o /run/trace.dat -e "$system:$event" sh /run/run >/tmp/trace-cmd 2>&1
	check "trace-cmd records and prints an event" eval \
		"host trace-cmd report -q -i /run/trace.dat 2>/dev/null | grep -q ': .*number=-42'"
	cat >/host/run/print.bt <<END
tracepoint:$system:$event { printf("bpf %d\n", args->number); }
END
	host bpftrace -c "/bin/sh /run/run" /run/print.bt >/tmp/bpftrace 2>&1
	sed 's/^/# /' /tmp/bpftrace
	check "a BPF program has the fields" grep -qx 'bpf -42' /tmp/bpftrace
	rmmod test_dynamic_debug_events
else
	skip "perf, trace-cmd and BPF" "no programs of the host"
fi
tap_done
