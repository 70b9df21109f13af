#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Invalid commands are refused, and the log names what is invalid.
# A latency of a marker to itself, and markers with names of tracefs files.
# guest: arch=x86_64
# shellcheck source=lib.sh
. "${0%/*}/lib.sh"

load markers expose=
for module in marker_types marker_formats marker_test probe_latency probe_event; do
	load $module
done

# explained ERRNO COMMANDS TEXT: refused so, and the log says TEXT.
explained() {
	log_mark
	refused "$1" "$2" && logged "$3"
}

for verb in connect arm; do
	check "$verb latency from a marker to itself" explained EINVAL \
		"$verb types_ints latency from=types_ints key=5" "is types_ints itself"
done
check "a glob that matches only the same marker is refused" explained EINVAL "connect types_i* latency from=types_ints key=5" "is types_ints itself"
id=$(awk -F '\t' '$2 == "types_ints" { print $1 }' $M/sites)
check "a selector of the same marker's site is refused" explained EINVAL "connect site:$id latency from=types_ints key=5" "is types_ints itself"
check "a glob that also matches another marker is accepted" accepted "connect types_* latency from=types_ints key=5,0"
accepted "disconnect *" >/dev/null
check "a latency between two markers is accepted" accepted "connect types_texts latency from=types_ints key=5,0"
accepted "disconnect *" >/dev/null
for name in enable filter; do
	check "an event called $name is refused" explained EINVAL "connect $name event" "no event can be called \"$name\""
	check "an event called $name among others is refused" explained EINVAL "connect test_one event; connect $name event" "events/markers/$name"
done
check "a marker is called by the name of a macro as it is written" same current \
	"$(awk -F '\t' '$2 ~ /current/ { print $2 }' $M/sites)"
check "no event is left" same "" "$(ls -d /sys/kernel/tracing/events/markers/*/ 2>/dev/null)"
check "events with other names are accepted" accepted "connect types_* event"
accepted "disconnect *" >/dev/null
check "the log has nothing but the refusals" same "" "$(dmesg | grep -v markers:)"
check "verify reports no mismatch" verified
tap_done
