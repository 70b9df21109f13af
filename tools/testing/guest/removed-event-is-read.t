#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The type number of an event is not given to another while a buffer may have its records; and
# records, also those of others, stay in the buffers as long as probe_event.ko does.
# Records of a removed event stay in the buffer, and are read.
# guest: debug=useful arch=x86_64
# shellcheck source=lib.sh
. "${0%/*}/lib.sh"
F=/sys/kernel/tracing
E=$F/events/marker_types
types=/sys/kernel/debug/marker_types

# lines TEXT: of the buffer.
lines() {
	grep -c "$1" $F/trace
}

# written MARKER: its event is added, writes five records and is removed; its number
# is in /tmp/id.
written() {
	accepted "connect $1 event" >/dev/null
	echo 1 >"$E/$1/enable"
	echo 5 >$types/fire
	cat "$E/$1/id" >/tmp/id
	echo 0 >"$E/$1/enable"
	accepted "disconnect *" >/dev/null
	test ! -d "$E/$1"
}

load markers expose=
echo others >$F/trace_marker
load probe_event
check "without an event that was enabled, a buffer stays when probe_event leaves" same 1 \
	"$(unload probe_event; lines others)"
for module in marker_types marker_formats probe_event; do
	load $module
done
check "the kernel begins to give numbers again" load marker_numbers
accepted "connect test_nothing count" 2>/dev/null
check "an event is added, written and removed" written types_ints
first=$(cat /tmp/id)
check "records of a removed event are printed" same "5 0" "$(lines '/types_ints: ') $(lines 'Unknown type')"
check "records of a removed event keep their values" holds "$(cat $F/trace)" ": marker_types/types_ints: 4 12 -4 20 -262148 4 -17179869188 "
check "other events are added, with texts instead of numbers" accepted "connect types_texts event; connect format_text_* event"
check "no other event gets the number" same "" "$(grep -x "$first" $F/events/marker_*/*/id)"
check "the records still belong to the removed event" same "5 0 0" \
	"$(lines '/types_ints: ') $(lines 'Unknown type') $(lines '/format_text')"
accepted "disconnect *" >/dev/null
check "the event is added again" written types_ints
check "the event gets its number again" same "$first" "$(cat /tmp/id)"
check "old and new records of the event are printed" same 10 "$(lines '/types_ints: ')"
i=0
while [ $((i += 1)) -le 5 ]; do
	written types_ints && written types_texts
done
check "adding it five more times uses no more numbers" same "$first" \
	"$(accepted 'connect types_ints event'; cat $E/types_ints/id; accepted 'disconnect *')"
accepted "connect types_ints event" >/dev/null
accepted "disconnect *" >/dev/null
before=$(lines '/types_ints: ')

# Drivers come and go: what is in the buffers of two instances stays.
mkdir $F/instances/other
echo others >$F/instances/other/trace_marker
for round in 1 2 3; do
	accepted "connect types_ints event" >/dev/null
	for instance in $F $F/instances/other; do
		echo 1 >"$instance/events/marker_types/types_ints/enable"
		echo 5 >$types/fire
		echo 0 >"$instance/events/marker_types/types_ints/enable"
	done
	accepted "disconnect *" >/dev/null
	unload marker_formats
	load marker_formats
	check "modules are unloaded after an event, $round: all records stay" same "$((before + 5 * round)) 1 $((5 * round)) 1" \
		"$(lines '/types_ints: ') $(lines others) $(grep -c '/types_ints: ' $F/instances/other/trace) $(
			grep -c others $F/instances/other/trace)"
done
check "probe_event can be unloaded" unload probe_event
check "the buffer of the other instance is emptied, too" same "0 0" \
	"$(grep -c '/types_ints: ' $F/instances/other/trace) $(grep -c 'Unknown type' $F/instances/other/trace)"
rmdir $F/instances/other
check "its records are gone with the module" same "0 0 0" \
	"$(lines '/types_ints: ') $(lines '/types_texts: ') $(lines 'Unknown type')"
check "probe_event can be loaded again" load probe_event
check "it writes an event" written types_texts
check "the new records are read" same 5 "$(lines '/types_texts: ')"
check "verify reports no mismatch" verified
tap_done
