#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Records EVENTS events of each marker of marker_types.ko on each CPU, and prints the trace, as
# base64 of a tar file.
# One recording, made in a guest, in four tools: babeltrace2, trace-cmd, the library of
# KernelShark, and the definitions of Perfetto. The same events, compared value by value.
# guest: host_root=yes timeout=300

on_host() {
	# shellcheck source=../tap.sh
	. "$top/tools/testing/tap.sh"
	not_on arm64 "the tools of this machine do not run on arm64"
	make -s -C "$top" build/native/kshark >&2 || exit 1
	"$top/tools/setup" export || exit 1
	python=$("$top/tools/setup" --path export)/bin/python
	events=500
	total=$((4 * events))
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	# run ARGUMENT...: kmark; leaves $status and $said.
	run() {
		said=$("$top/tools/kmark" "$@" 2>&1)
		status=$?
	}
	# table TOOL FILE: into $work/TOOL.table; the columns of the marker begin at the fifth word.
	table() {
		"$python" "$here/export/table.py" "$1" "$2" >"$work/$1.table"
	}
	# shellcheck disable=SC2317 # called through check
	fired() {
		cut -d ' ' -f 5- "$work/$1.table" | cmp - "$work/expected"
	}
	modules="$top/markers/markers.ko $top/markers/selftest/marker_types.ko $top/probes/probe_ctf.ko"
	in_guest "$0" 2 "$top" "$HOME" $events >"$work/guest"
	check "the guest ends well" same 0 $?
	check "$total events are recorded" same \
		"@said 0 kmark: /mnt/trace: $total events recorded, none lost" "$(grep '^@said' "$work/guest")"
	sed -n '/^@begin/,/^@end/{/^@/!p}' "$work/guest" | base64 -d | tar -xz -C "$work"
	run record export "$work/trace" --format trace-cmd -o "$work/trace.dat"
	check "export --format trace-cmd" same "0 kmark: $work/trace.dat: $total events" "$status $said"
	run record export "$work/trace" --format perfetto -o "$work/trace.pftrace"
	check "export --format perfetto" same "0 kmark: $work/trace.pftrace: $total events" "$status $said"
	babeltrace2 --clock-seconds "$work/trace" >"$work/babeltrace2.txt"
	trace-cmd report -t -i "$work/trace.dat" >"$work/trace-cmd.txt"
	"$top/build/native/kshark" "$work/trace.dat" >"$work/kshark.txt"
	table expected $events
	cat "$work/expected.table" "$work/expected.table" >"$work/expected"
	table babeltrace2 "$work/babeltrace2.txt"
	table trace-cmd "$work/trace-cmd.txt"
	table kshark "$work/kshark.txt"
	table perfetto "$work/trace.pftrace"
	for tool in babeltrace2 trace-cmd kshark perfetto; do
		check "$tool has all events, with the arguments that were fired" fired $tool
	done
	for tool in trace-cmd kshark perfetto; do
		check "$tool has the times, CPUs and threads of babeltrace2" cmp "$work/babeltrace2.table" "$work/$tool.table"
	done
	# Wrong use, and a recording that is none.
	run record export "$work/trace" --format perfetto -o "$work/trace.dat"
	check "an existing file is refused" holds "$status $said" "1 kmark: $work/trace.dat: is there already"
	run record export "$work/nothing" --format perfetto -o "$work/other"
	check "no recording is refused" holds "$status $said" "1 kmark: $work/nothing: No such file"
	mkdir "$work/broken"
	echo nonsense >"$work/broken/metadata"
	run record export "$work/broken" --format trace-cmd -o "$work/other"
	check "a broken recording is named" holds "$status $said" "1 kmark: $work/broken/metadata: babeltrace2 cannot read it: "
	mkdir "$work/two"
	printf '\036{"type": "preamble", "version": 2}\n' >"$work/two/metadata"
	run record export "$work/two" --format trace-cmd -o "$work/other"
	check "a recording in CTF 2 is refused" holds "$status $said" "1 kmark: $work/two: is in CTF 2, "
	check "nothing is left of these" test ! -e "$work/other"
	cp -r "$work/trace" "$work/cut"
	truncate -s 5000 "$work/cut/cpu0"
	run record export "$work/cut" --format trace-cmd -o "$work/other"
	check "half a packet is named" holds "$status $said" "1 kmark: $work/cut/cpu0: at 4096: babeltrace2 cannot read it: "
	check "the events of the other CPU are there" holds "$(trace-cmd report -i "$work/other" | grep -c '\[001\]')" "$((total / 2))"
	rm -f "$work/other"
	# In a process that may write files of 64 KiB at most, which a disk does not need to be full for.
	said=$( (ulimit -f 128; trap '' XFSZ; "$top/tools/kmark" record export "$work/trace" --format trace-cmd -o "$work/other") 2>&1)
	check "a file that cannot be written is named" holds "$? $said" "1 kmark: $work/other: "
	check "nothing is left of it" test ! -e "$work/other"
	tap_done
}

# shellcheck source=lib.sh
. "${0%/*}/lib.sh"
top=$1
home=$2
# shellcheck source=recorder.sh
. "/host$top/tools/testing/guest/recorder.sh"

# More than 0.134 s in between, which ftrace has to say apart from an event.
run record --raw-addresses --context tid,pid,comm,irq,preempt -o /mnt/trace 'types_*' -- \
	sh -c "taskset 1 sh -c 'echo $3 >$F/fire'; sleep 0.5; taskset 2 sh -c 'echo $3 >$F/fire'"
echo "@said $status $said"
echo @begin
tar -cz -C /host/mnt trace | base64
echo @end
