#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The recorder in a program (recorder/recorder.c): every byte of its packets, limits, each refused request; and
# the memory that it leaves in a panic, read by kmark record vmcore.
top=$(readlink -f "$(dirname "$0")/../../..")
# shellcheck source=../tap.sh
. "$top/tools/testing/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tests_of recorder 116

listings=$top/tools/testing/native/recorder/listings.txt
{ head -n 1 "$listings" && "$top/build/native/recorder" listings; } >"$work/listings"
check "the files and their whole texts" diff -u "$listings" "$work/listings"

# After a panic. Of the session "closed" there are only packets.
"$top/build/native/recorder" "$work/image" >/dev/null
check "the image has a session whose description takes several pages" test \
	"$(grep -aob 'marker-ctf-dump' "$work/image" | awk -F : '$1 % 4096 == 0' | wc -l)" -ge 5
"$top/tools/kmark" record vmcore "$work/image" -o "$work/traces" >"$work/said" 2>&1
check "nothing of it is damaged" same "0 " "$? $(grep damaged "$work/said")"
check "each open session is a trace" same "$work/traces/default $work/traces/empty $work/traces/many" \
	"$(echo "$work/traces/"*)"

# numbers SESSION: of its events, on each CPU in the order of the trace.
numbers() {
	babeltrace2 "$work/traces/$1" | sed -n 's/.*cpu_id = \([0-9]\).*[{ ]n = \([0-9]*\),.*/\1 \2/p'
}
check "events of two buffers with alternating times are in order" same 350 "$(numbers default |
	awk '$2 == next_of[$1] + ($1 ? 2 : 0) { good++ }
		{ next_of[$1] = $1 ? $2 + 1 : $2 + 1 + ($2 % 3 == 1) }
		END { print good }')"
check "each class of many pages has its event" same 255 "$(numbers many | sort -u | wc -l)"
check "a session with one marker has its events, and none after the panic" same 350 \
	"$(babeltrace2 "$work/traces/empty" | wc -l)"

# A panic that interrupts an event for good: that packet is left out, those behind it are read.
for n in 0 10 1000; do
	"$top/build/native/recorder" "$work/image" $n >/dev/null
	said=$("$top/tools/kmark" record vmcore "$work/image" -o "$work/interrupted-$n" 2>&1)
	check "interrupted, then $n events: the packet is left out" holds "$? $said" \
		"packets, 1 left out that were being written"
done
check "events of other packets are read" same "0 7 782" "$(for n in 0 10 1000; do
	babeltrace2 "$work/interrupted-$n" 2>/dev/null | wc -l
done | xargs)"
tap_done
