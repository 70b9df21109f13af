#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# MARK_SYSTEM: two modules have a marker of the same name, in different systems.
# guest: cpus=2
# shellcheck source=lib.sh
. "${0%/*}/lib.sh"
F=/sys/kernel/tracing

for module in markers marker_types marker_systems probe_event; do
	load $module
done
check "both markers are there" same "selftest/types_ints types_ints" \
	"$(sed 1d $M/sites | awk '$2 ~ /types_ints$/ { print $2 }' | sort -u | xargs)"
check "both become events" accepted "connect types_ints event; connect selftest/* event"
check "each in its system" test -d $F/events/markers/types_ints -a -d $F/events/selftest/types_ints
check "so does a marker with fields" grep -q 'field:unsigned short port' $F/events/selftest/named/format
echo 1 >$F/events/selftest/enable
echo >$F/trace
printf x >/sys/module/marker_systems/parameters/fire
check "the events are recorded" same "types_ints: text=of selftest named: port=80" \
	"$(sed -n 's|.*: selftest/||p' $F/trace | xargs)"
echo 0 >$F/events/selftest/enable
check "the markers of a system are disconnected" accepted "disconnect selftest/*"
check "and those without a system" accepted "disconnect types_ints"
check "all modules can be unloaded" unload probe_event marker_types marker_systems markers
tap_done
