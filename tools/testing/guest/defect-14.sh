#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The number of an event's records is not another's while a buffer may have them.
. /lib.sh
F=/sys/kernel/tracing
E=$F/events/markers
types=/sys/kernel/debug/marker_types

# lines TEXT: of the buffer.
lines() {
	grep -c "$1" $F/trace
}

# written MARKER: an event of it, which writes five records, comes and goes; its number
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

for module in markers marker_types marker_formats probe_event; do
	load $module
done
check "the kernel begins to give numbers again" load marker_numbers
accepted "connect test_nothing count" 2>/dev/null
check "an event comes, is written, and goes" written types_ints
first=$(cat /tmp/id)
check "its records are printed all the same" same "5 0" "$(lines ' types_ints: ') $(lines 'Unknown type')"
check "as they were" holds "$(cat $F/trace)" ": types_ints: 4 12 -4 20 -262148 4 -17179869188 "
check "others come, with texts where it had numbers" accepted "connect types_texts event; connect format_text_* event"
check "none has its number" same "" "$(grep -x "$first" $E/*/id)"
check "the records are still its own" same "5 0 0" \
	"$(lines ' types_ints: ') $(lines 'Unknown type') $(lines ' format_text')"
accepted "disconnect *" >/dev/null
check "the same marker comes again" written types_ints
check "and has its number again" same "$first" "$(cat /tmp/id)"
check "all records are there" same 10 "$(lines ' types_ints: ')"
i=0
while [ $((i += 1)) -le 5 ]; do
	written types_ints && written types_texts
done
check "five times more, it takes no more numbers" same "$first" \
	"$(accepted 'connect types_ints event'; cat $E/types_ints/id; accepted 'disconnect *')"
accepted "connect types_ints event" >/dev/null
accepted "disconnect *" >/dev/null
check "the module leaves" unload probe_event
check "and its records with it" same "0 0 0" \
	"$(lines ' types_ints: ') $(lines ' types_texts: ') $(lines 'Unknown type')"
check "it comes back" load probe_event
check "and writes" written types_texts
check "what is read" same 5 "$(lines ' types_texts: ')"
check "verify" verified
tap_done
