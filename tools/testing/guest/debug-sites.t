#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# pr_debug() sites of the running kernel as markers: of a module of the tests, of usbcore as the
# distribution has it, and of the kernel itself.
# guest: append=no_hash_pointers

on_host() {
	[ "${KERNEL:-}${ARCH:-}" ] || drivers="usbcore udc-core dummy_hcd g_ether"
	boot
}

# shellcheck source=lib.sh
. "${0%/*}/lib.sh"
D=/sys/kernel/debug/dynamic_debug/control
P=/sys/module/marker_debug/parameters
E=/sys/kernel/tracing
# Calls are diverted on x86-64 alone; only there has the distribution's kernel CONFIG_KALLSYMS_ALL.
by=call
by_kprobe="hidden_1 hidden_2 hidden_3"
if [ "$(uname -m)" != x86_64 ]; then
	by=kprobe
	by_kprobe="bad_text devices_1 devices_2 devices_3 $by_kprobe many nested numbers_1 numbers_2 one_of_two tail texts_1 texts_2"
fi

# ddebug WORDS: a command of dynamic debug.
ddebug() {
	echo "$*" >$D
}

# states GLOB: of the debug sites whose names match, each once.
states() {
	awk -F '\t' -v glob="^debug_marker_debug/$1\$" '$1 ~ glob { print $2 }' $M/debug_sites | sort -u | xargs
}

# events SELECTOR: how many the probe `count` has seen.
events() {
	awk -F '\t' -v selector="$1" '$2 == selector && $4 == "events" { print $6 }' $M/results
}

# messages SYSTEM: what the trace events of a system say, one message a line, as printk() has it.
messages() {
	sed -n "s|.* $1/[^ ]*: ||p" $E/trace | sed 's/(0x\([0-9a-f]*\))/(\1)/g; s/ *$//'
}

# printed PATTERN: the log without times.
printed() {
	dmesg | sed 's/^\[[^]]*\] //' | grep -E "$1" | sed 's/ *$//'
}

load markers
if [ ! -e $D ]; then
	check "without dynamic debug, debug_sites says so" holds "$(cat $M/debug_sites)" "no debug sites here: they need"
	check "a debug site cannot be connected" refused ENOENT "connect debug_kobject/kobject_add_internal count"
	tap_done
fi
load probe_count
load probe_hist
load probe_latency
load probe_event
load marker_debug
log_mark

# The list of debug sites.
check "debug_sites lists a site by module, function and number, with its place and format" holds \
	"$(cat $M/debug_sites)" "$(printf 'debug_marker_debug/numbers_1\tclosed\t%s\t-\t' $by)"
check "it has the format" holds "$(grep marker_debug/tail $M/debug_sites)" 'tail %d\n'
of_kernel=$(cut -f 1 $M/debug_sites | grep debug_kobject/)
check "it lists the sites of the kernel, or says why not" holds "$of_kernel $(tail -n 1 $M/debug_sites)" \
	"$([ $by = call ] && echo debug_kobject/kobject_add_internal || echo "no CONFIG_KALLSYMS_ALL")"
check "a hex dump is refused, and the list names its function" same "refused: its function is not known: print_hex_dump()" \
	"$(states dump)"
check "a site whose call cannot be diverted is recorded by a kprobe" same "$by_kprobe" \
	"$(awk -F '\t' '$1 ~ /^debug_marker_debug/ && $2 == "closed" && $3 == "kprobe" { print substr($1, 20) }' $M/debug_sites | xargs)"
check "a site in init text is refused" same "refused: it is in init text" "$(states debug_init)"
check "listing makes no site known" same "" "$(grep debug_ $M/markers)"

# Names and queries.
check "connecting what is refused fails and names it" refused EOPNOTSUPP "connect debug_marker_debug/dump count"
check "the log has the reason" logged "debug_marker_debug/dump cannot be recorded: its function is not known: print_hex_dump()"
check "a name that is not there" refused ENOENT "connect debug_marker_debug/nothing count"
check "a query without a key" refused EINVAL "connect debug:tail count"
check "a query with a bad line" refused EINVAL "connect debug:line=x count"
check "a glob of names" accepted "connect debug_marker_debug/* count"
echo 3 >$P/fire
check "each call is an event: 14 of each round" same 42 "$(events 'debug_marker_debug/*')"
check "two copies of a site with one call have one gate" same 1 "$(grep -c debug_marker_debug/one_of_two $M/sites)"
check "nothing was printed" same "" "$(printed '^(tail|numbers|hidden): ')"
check "verified" verified
check "a second connection of some of them, by a query" accepted \
	"connect debug:module=marker_debug,func=n*,file=marker_debug.c,line=1-1000,format=status?%04x hist arg=status"
echo 2 >$P/fire
check "only the site with that format" same 2 "$(awk -F '\t' '$3 ~ /^hist/ && $4 == "events" { print $6 }' $M/results)"
check "a glob of markers has no debug sites" refused ENOENT "connect *tail* count"
control "disconnect debug:*; disconnect debug_marker_debug/*"
check "closed when nothing is connected" same "closed" "$(states 'tail')"
check "and the text is as before" verified
echo 1 >$P/fire
check "and nothing is printed or counted" same "" "$(printed '^tail: ')"

# Fields, conditions, latency.
check "a field is called by the word before it" accepted \
	"connect debug_marker_debug/numbers_1 count if status == 0x11 && port == -1"
check "the prefix of pr_fmt() is an argument" accepted \
	"connect debug_marker_debug/tail count if arg0 == \"tail\""
check "device and driver are fields of dev_dbg()" accepted \
	"connect debug_marker_debug/devices_1 count if device == \"marker_debug.3\" && address > 1"
check "interface is a field of netdev_dbg()" accepted \
	"connect debug_marker_debug/devices_3 count if interface == \"lo\""
check "latency between two debug sites" accepted \
	"connect debug_marker_debug/numbers_2 latency from=debug_marker_debug/numbers_1 key=port,arg2"
echo 4 >$P/fire
check "the condition on numbers" same 1 "$(events debug_marker_debug/numbers_1)"
check "the condition on pr_fmt()'s argument" same 4 "$(events debug_marker_debug/tail)"
check "the condition on the device" same 2 "$(events debug_marker_debug/devices_1)"
check "the condition on the interface" same 4 "$(events debug_marker_debug/devices_3)"
check "the latency has a pair for each round" same 4 "$(awk -F '\t' '$3 ~ /^latency/ && $4 == "events" { print $6 }' $M/results)"
check "a bad pointer is no fault" accepted "connect debug_marker_debug/bad_text count if good == 1"
echo 1 >$P/fire_bad
check "and its event is counted" same 1 "$(events debug_marker_debug/bad_text)"
control "disconnect debug*"

# Dynamic debug.
control "connect debug_marker_debug/tail count"
log_mark
ddebug module marker_debug func tail +p
echo 2 >$P/fire
check "a site with +p prints and is counted" same "2 2" "$(events debug_marker_debug/tail) $(printed '^tail: tail' | wc -l)"
check "and the list shows that" holds "$(grep marker_debug/tail $M/debug_sites)" "$(printf 'open\t%s\tp\t' $by)"
log_mark
ddebug module marker_debug func tail -p
echo 3 >$P/fire
check "-p ends the printing, and no event is lost" same "5 0" "$(events debug_marker_debug/tail) $(printed '^tail: tail' | wc -l)"
check "verified after -p" verified
ddebug module marker_debug func tail +p
control "disconnect debug_marker_debug/tail"
echo 1 >$P/fire
check "after the disconnect a site with +p prints" same 1 "$(printed '^tail: tail' | wc -l)"
ddebug module marker_debug -p

# A site with a kprobe.
control "connect debug_marker_debug/hidden_1 count if many >= 3"
log_mark
ddebug module marker_debug func hidden +p
echo 6 >$P/fire
check "a site with a kprobe prints and is counted" same "3 6" \
	"$(events debug_marker_debug/hidden_1) $(printed '^hidden: ' | wc -l)"
ddebug module marker_debug -p
log_mark
echo 6 >$P/fire
check "after -p it is counted and prints nothing" same "6 0" \
	"$(events debug_marker_debug/hidden_1) $(printed '^hidden: ' | wc -l)"
check "the kernel lists one kprobe for it" same 1 "$(grep -c __dynamic_pr_debug /sys/kernel/debug/kprobes/list)"
check "verified" verified
control "disconnect debug_marker_debug/hidden_1"

# Trace events, and all values against what is printed.
check "trace events" accepted "connect debug_marker_debug/* event"
check "are in a system of their module" test -d $E/events/debug_marker_debug/devices_2
check "with typed fields" holds "$(cat $E/events/debug_marker_debug/numbers_2/format)" "field:unsigned long size;"
echo 1 >$E/events/debug_marker_debug/enable
ddebug module marker_debug +p
log_mark
echo 20 >$P/fire
echo 0 >$E/events/debug_marker_debug/enable
messages debug_marker_debug >/tmp/events
# dev_dbg() of no device; the device of a loopback interface; what pr_fmt() puts in front of a format
# that is found in no block.
printed '^(numbers|texts|many|nested|tail|one_of_two|hidden): |^platform marker_debug|^\(NULL|^lo: ' | sed 's/^(NULL device \*):/ &/; s/^hidden: //' >/tmp/log
check "280 events" same 280 "$(wc -l </tmp/events)"
check "280 messages" same 280 "$(wc -l </tmp/log)"
check "the events say what was printed, value by value" diff /tmp/events /tmp/log
ddebug module marker_debug -p
control "disconnect debug*"

# In an NMI, in a livepatch, in a probe.
load marker_test
load marker_races
load probe_nested
check "where else messages are" accepted "arm debug_marker_races/* count; arm debug_marker_livepatch/* count; connect debug_probe_nested/* count; connect debug_probe_nested/* nested; connect subsys_mark1 nested"
if [ -e /sys/module/marker_races/parameters/nmi ]; then
	echo 20 >/sys/module/marker_races/parameters/nmi
	check "in an NMI" same 20 "$(events 'debug_marker_races/*')"
fi
fire 3
# shellcheck disable=SC2046 # two numbers: of count, of nested
set -- $(events 'debug_probe_nested/*')
check "in a probe, which does not run within itself" test "$1" -gt 0 -a "$2" = 0
if [ -e /marker_livepatch.ko ]; then
	load marker_livepatch
	sleep 2
	before=$(events 'debug_marker_livepatch/*')
	fire 5
	check "in a livepatch" same 5 $(($(events 'debug_marker_livepatch/*') - before))
	echo 0 >/sys/kernel/livepatch/marker_livepatch/enabled
	while [ -e /sys/kernel/livepatch/marker_livepatch ]; do
		usleep 10000
	done
	unload marker_livepatch
fi
check "verified" verified
control "disconnect debug*; disconnect subsys_mark1"
unload probe_nested marker_races marker_test

# The module goes and comes.
control "arm debug_marker_debug/tail count"
unload marker_debug
check "the sites go with their module" same "" "$(grep debug_marker_debug $M/sites)"
check "and their kprobes" same "" "$(grep __dynamic_ /sys/kernel/debug/kprobes/list)"
load marker_debug
check "an armed debug site opens when its module comes" same open "$(states tail)"
echo 1 >$P/fire
check "and is counted" same 1 "$(events debug_marker_debug/tail)"
if [ $by = call ]; then
	place=$(site_field debug_marker_debug/tail 'debug.*' 4)
	probe_on_call() {
		echo "p:on_call 0x$(address_of "$place" marker_debug)" >>$E/kprobe_events && echo 1 >$E/events/kprobes/on_call/enable
	}
	check "a kprobe may sit on the call" probe_on_call
	echo 1 >$P/fire
	check "then the site still is counted" same 2 "$(events debug_marker_debug/tail)"
	control "disconnect debug_marker_debug/tail"
	echo 0 >$E/events/kprobes/on_call/enable
	echo >$E/kprobe_events
	check "when the kprobe is gone the bytes are put back" same 1 "$(
		cat $M/verify >/dev/null
		grep -c '^ok:' $M/verify
	)"
fi

# The kernel's own.
if [ "$of_kernel" ]; then
	check "a site of the kernel" accepted "connect debug_kobject/* count"
	unload marker_debug
	load marker_debug
	check "is counted" test "$(events 'debug_kobject/*')" -gt 5
fi
control "disconnect debug*"

# A damaged descriptor.
unload marker_debug
load marker_debug
echo 1 >$P/damage
log_mark
check "a module with a damaged descriptor is not listed" same "" "$(grep debug_marker_debug $M/debug_sites)"
check "and the log names the module and the descriptor" logged \
	"marker_debug: damaged table of debug sites: expected texts of a file and a format, found others at "
check "nor can its sites be connected" refused ENOENT "connect debug_marker_debug/tail count"
load probe_nested
check "those of others can" accepted "connect debug_*/nested count"
control "disconnect debug*"
unload marker_debug
load marker_debug

# A driver of the distribution.
if [ -e "/lib/modules/$(uname -r)" ] && modprobe usbcore; then
	modprobe udc-core
	control "arm debug:module=usbcore event"
	sites=$(awk -F '\t' '$1 ~ /^debug_usbcore\// && $2 !~ /^refused/ { n++ } END { print n + 0 }' $M/debug_sites)
	check "usbcore has sites of which hardly any is refused" test "$sites" -ge 160
	check "all sites of usbcore are trace events" same "$sites" "$(find $E/events/debug_usbcore -mindepth 1 -type d | wc -l)"
	echo >$E/trace
	echo 1 >$E/events/debug_usbcore/enable
	ddebug module usbcore +p
	log_mark
	modprobe dummy_hcd
	modprobe g_ether
	sleep 3
	rmmod g_ether
	rmmod dummy_hcd
	echo 0 >$E/events/debug_usbcore/enable
	ddebug module usbcore -p
	messages debug_usbcore >/tmp/events
	printed '^(usb|hub|dummy_hcd|usbcore|ep_) ' >/tmp/all
	# Messages that usbcore prints without pr_debug() are no events.
	grep -Fxf /tmp/events /tmp/all >/tmp/log
	check "usbcore has events" test "$(wc -l </tmp/events)" -gt 15
	check "they say what was printed, value by value" diff /tmp/events /tmp/log
	control "disconnect debug*"
fi
check "verified" verified
unload probe_nested marker_debug probe_event probe_latency probe_hist probe_count
check "markers.ko goes" unload markers
tap_done
