#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Each registration and mapping that a module asks the kernel for is refused in turn (marker_refuse.ko): a
# step that needs it fails and leaves all as it was.
# guest: cpus=2
# shellcheck source=lib.sh
. "${0%/*}/lib.sh"
R=/sys/module/marker_refuse/parameters

# Print the whole state that a step may change.
everything() {
	cut -d ' ' -f 1 /proc/modules | grep -v marker_refuse | sort
	ls -d /sys/kernel/tracing/events/marker*/* $M/* $M/ctf/* 2>/dev/null
	[ ! -e $M/control ] || connected
	[ ! -e $M/stats ] || stat_of kprobes
}

# each FUNCTION CALLER RESULT WHICH DO UNDO: DO with its first call refused, then its second, until
# it makes no more.  It fails and changes nothing, or is done and taken back; WHICH says of how many
# calls it fails: all, some, none.  Of a module that is loaded, all later calls are refused, too:
# insmod tries again what has failed.
each() {
	function=$1 caller=$2 result=$3 which=$4 do=$5 undo=$6 n=0 failed=0 wrong=
	case $do in load*) many=1000 ;; *) many=0 ;; esac
	before=$(everything)
	while :; do
		n=$((n + 1))
		insmod /marker_refuse.ko "function=$function" "caller=$caller" "result=$result" \
			at=$n last=$((n + many)) || {
			wrong="$function cannot be probed"
			break
		}
		if $do >/dev/null 2>&1; then
			done=yes
		else
			done=
			failed=$((failed + 1))
		fi
		calls=$(cat $R/calls)
		rmmod marker_refuse
		[ ! "$done" ] || $undo >/dev/null 2>&1 || wrong="$wrong call $n: not taken back;"
		[ "$(everything)" = "$before" ] || wrong="$wrong call $n: something else is there;"
		[ "$calls" -ge $n ] || break
	done
	[ "$done" ] || wrong="$wrong fails unrefused;"
	check "$function for $caller: $((n - 1)) calls refused, $failed times what they are for fails" \
		same "" "$wrong"
	check "there are such calls" test $n -gt 1
	case $which in
	all) check "each is needed" same $((n - 1)) $failed ;;
	some) check "one is needed" test $failed -gt 0 ;;
	none) check "it does without" same 0 $failed ;;
	esac
}

# write FUNCTION CALLER RESULT WHICH COMMANDS UNDO: these, by control.
write() {
	commands=$5 back=$6
	each "$1" "$2" "$3" "$4" do_commands undo_commands
}
do_commands() {
	accepted "$commands"
}
undo_commands() {
	accepted "$back"
}

file=debugfs_create_file
grep -q " ${file}_full$" /proc/kallsyms && file=${file}_full
for function in register_module_notifier debugfs_create_dir $file; do
	each "$function" markers -12 all "load markers" "unload markers"
done
if [ "$optimizes" ]; then
	each register_die_notifier markers -12 all "load markers" "unload markers"
	# The refused kprobe looks up symbols, and the log says which is missing.
	each register_kprobe markers -12 none "load markers" "unload markers"
fi
check "markers.ko is loaded" load markers
for function in debugfs_create_dir $file __cpuhp_setup_state register_die_notifier \
	atomic_notifier_chain_register; do
	each "$function" probe_ctf -12 all "load probe_ctf" "unload probe_ctf"
done
for module in marker_gates marker_test marker_kprobe_sites probe_count; do
	check "$module is loaded" load $module
done
# Each site gets an event, or there is a message.
each trace_add_event_call probe_event -12 none "load probe_event" "unload probe_event"
each register_trace_event probe_event 0 none "load probe_event" "unload probe_event"
check "probe_event is loaded" load probe_event
# The lock of the kernel cannot be had for a while: another one uses the event that lends it.
E=/sys/kernel/tracing/events/marker_kprobe_sites/kprobe_registers
check "no marker is to be an event" accepted expose
insmod /marker_refuse.ko function=trace_set_clr_event caller=probe_event at=1 last=1000
check "one is, without that lock" accepted "expose kprobe_registers"
check "it is not there yet" test ! -e $E
rmmod marker_refuse
tries=50
until [ -e $E ] || [ $((tries -= 1)) = 0 ]; do
	sleep 0.1
done
check "settling-is-tried-again: the event comes" test -e $E
# Without the second a call stays at the dispatcher.
write vmap markers 0 some "connect subsys_mark1 count" "disconnect subsys_mark1"
write register_kprobe markers -12 all "connect kprobe_registers count" "disconnect kprobe_registers"
# When one copy is refused, the copies that are open already are closed again.
write register_kprobe markers -12 all "connect kprobe_shared count" "disconnect kprobe_shared"
check "then all is done" accepted "connect subsys_mark1 count; connect kprobe_registers event"
check "and undone" accepted "disconnect *"
check "verify reports no mismatch" verified
check "all modules can be unloaded" unload probe_event probe_count marker_kprobe_sites marker_test \
	marker_gates markers
tap_done
