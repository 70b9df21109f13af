# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# For tests of the recorder: $top is the repository and $home the home directory, on
# the host, whose root has to be there. Loads the modules; traces go to /mnt.
# shellcheck disable=SC2034,SC2154
C=$M/ctf
F=/sys/kernel/debug/marker_types

load markers
load marker_types
load probe_ctf
# The host's root is read-only; what is written lies in the guest's memory.
mount -t tmpfs out /host/mnt

host() {
	chroot /host env HOME="$home" "$@"
}
case $(uname -m) in
aarch64) native=build/arm64/native ;;
*) native=build/native ;;
esac
python=$(host "$top/tools/setup" --path python)/bin/python

# run ARGUMENT...: kmark; leaves $status and $said.
run() {
	host "$top/tools/kmark" "$@" >/tmp/out 2>/tmp/err
	status=$?
	said=$(cat /tmp/out /tmp/err)
}

# Run a program in the place of this (sub)shell, so that its process is that of $!.
become() {
	exec chroot /host env HOME="$home" "$@"
}

# check_trace text|raw|packets|order ARGUMENT...: what it prints is in /tmp/counts. Packets are read by
# a program, because Python takes seconds to start where a guest is emulated.
check_trace() {
	case $1 in
	packets | order) host "$top/$native/check_packets" "$@" ;;
	*) host /usr/bin/python3 -S -B "$top/tools/testing/guest/check_trace.py" "$@" ;;
	esac >/tmp/counts
}

babeltrace() {
	host babeltrace2 "$@" >/tmp/text 2>/tmp/err || { head -n 3 /tmp/err; return 1; }
}

# sum COLUMN: of ctf/cpus.
sum() {
	awk -F '\t' -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i }
		NR > 1 { sum += $at } END { print sum + 0 }' "$C/cpus"
}

key() {
	awk -F '\t' -v name="$1" '$1 == name { print $2 }' "$C/session"
}

# Nothing connected, no memory held, the recorder's place free.
nothing_left() {
	same " closed closed 0 0" "$(cat "$M/control") $(state types_ints) $(key state) $(key owned) $(key connections)"
}

