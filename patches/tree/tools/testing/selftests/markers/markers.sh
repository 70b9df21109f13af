#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Connects the probe `count' to markers of the kernel, counts, disconnects, and looks
# whether all text is as it should be.  What others have connected stays.
# shellcheck disable=SC2317 # check() calls functions by their names

dir=/sys/kernel/debug/markers
ksft_skip=4
number=0
failed=0

skip() {
	echo "1..0 # SKIP $1"
	exit $ksft_skip
}

# check DESCRIPTION COMMAND...
check() {
	number=$((number + 1))
	what=$1
	shift
	if "$@"; then
		echo "ok $number $what"
	else
		echo "not ok $number $what"
		failed=1
	fi
}

control() {
	echo "$1" 2>/dev/null >"$dir/control"
}

refused() {
	! control "$1"
}

# state MARKER: of all its gates, each once.
state() {
	awk -F '\t' -v marker="$1" '$2 == marker { print $6 }' "$dir/sites" | sort -u | xargs
}

is() {
	[ "$1" = "$2" ]
}

verified() {
	tail -n 1 "$dir/verify" | grep -q '^ok: '
}

# events MARKER: that the probe connected to it has counted.
events() {
	awk -F '\t' -v marker="$1" '
		$2 == marker && $3 == "count" && $4 == "events" { print $6 }' "$dir/results"
}

make_processes() {
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		(:) &
		wait
	done
}

[ "$(id -u)" = 0 ] || skip "must be run as root"
[ -e "$dir" ] || mount -t debugfs none /sys/kernel/debug 2>/dev/null
[ -e "$dir/control" ] || skip "the kernel has no markers"
! grep -q ' process_fork ' "$dir/control" || skip "process_fork is connected already"

check "all text is as it should be" verified
check "the marker is closed" is "$(state process_fork)" closed
check "it is connected" control "connect process_fork count"
check "it is open" is "$(state process_fork)" open
make_processes
check "its events are counted" test "$(events process_fork)" -ge 10
check "the same again is refused" refused "connect process_fork count"
check "all text is still as it should be" verified
check "it is disconnected" control "disconnect process_fork count"
check "it is closed again" is "$(state process_fork)" closed
check "nothing is counted" is "$(events process_fork)" ""
check "a marker that there is not is refused" refused "connect no_such_marker count"
check "a probe that there is not is refused" refused "connect process_fork no_such_probe"
check "nothing of a write is done if a part is refused" refused \
	"connect process_fork count; connect no_such_marker count"
check "the marker has stayed closed" is "$(state process_fork)" closed
check "all text is as it was" verified
echo "1..$number"
exit $failed
