#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# An argument that sleeps is reported by CONFIG_DEBUG_ATOMIC_SLEEP.  The reports
# are expected, so they are kept from the console, where a splat is a failure.
# $1: debug, in a kernel that has it.
# guest: debug=useful arch=x86_64

on_host() {
	boot ${DEBUG:+debug}
}

# shellcheck source=lib.sh
. "${0%/*}/lib.sh"

# reports: of one run of each site.  The kernel prints one a second at most.
reports() {
	sleep 1.2
	log_mark
	dmesg -n 1
	echo 1 >/sys/module/marker_asleep/parameters/fire
	dmesg | grep -c 'BUG: sleeping function called from invalid context'
	log_mark
	dmesg -n 5
}

load markers
load probe_count
load marker_asleep
check "a closed site does not evaluate its arguments" same 0 "$(reports)"
check "connect" accepted "connect asleep_not count"
check "an argument that does not sleep is not reported" same 0 "$(reports)"
for marker in asleep_mark asleep_generic; do
	if [ "${1:-}" != debug ]; then
		skip "$marker: an argument that sleeps is reported" "without CONFIG_DEBUG_ATOMIC_SLEEP"
		continue
	fi
	accepted "disconnect *; connect $marker count" >/dev/null
	check "$marker: an argument that sleeps is reported" same 1 "$(reports)"
done
check "disconnect" accepted "disconnect *"
check "nothing is reported after the disconnect" same 0 "$(reports)"
check "verify reports no mismatch" verified
tap_done
