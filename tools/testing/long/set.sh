#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A kernel with some sets of the patches alone: the KUnit suites and the selftests that they have.
# Booted with kunit.autorun=1.
# shellcheck source=../guest/lib.sh
. /lib.sh
mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null

check "KUnit suites have run" test "$(dmesg | grep -cE '(^|\] )ok [0-9]+ (- )?[a-z_]+$')" -ge 1
check "none has failed" same "" "$(dmesg | grep -E '(^|\] ) *not ok ')"
if [ -e /markers.sh ]; then
	sh /markers.sh >/tmp/selftest
	status=$?
	sed 's/^/# /' /tmp/selftest
	check "tools/testing/selftests/markers passes" same 0 "$status"
	check "no marker is refused" same "" "$(dmesg | grep 'is refused')"
else
	skip "tools/testing/selftests/markers passes" "not among the sets"
fi
tap_done
