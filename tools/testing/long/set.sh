#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A kernel with some sets of the patches alone: the KUnit suites and the selftests that they have:
# set.sh SET... Booted with kunit.autorun=1.
# shellcheck source=../guest/lib.sh
. /lib.sh
mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null

# selftest SCRIPT [ARGUMENT...]
selftest() {
	sh "$@" >/tmp/selftest
	status=$?
	sed 's/^/# /' /tmp/selftest
	check "the selftest ${1#/} passes" same 0 "$status"
}

case "$*" in
*batching* | *markers*)
	check "KUnit suites have run" test "$(dmesg | grep -cE '(^|\] )ok [0-9]+ (- )?[a-z_]+$')" -ge 1
	check "none has failed" same "" "$(dmesg | grep -E '(^|\] ) *not ok ')"
	;;
esac
case "$*" in
*markers*)
	selftest /markers.sh
	check "no marker is refused" same "" "$(dmesg | grep 'is refused')"
	;;
esac
case "$*" in
*debug-events*) selftest /events.sh /test_dynamic_debug_events.ko ;;
esac
tap_done
