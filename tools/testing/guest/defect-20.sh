#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# What is invalid is refused, by its name.
. /lib.sh

for module in markers marker_types marker_formats marker_test probe_latency probe_event; do
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
check "by a glob" explained EINVAL "connect types_i* latency from=types_ints key=5" "is types_ints itself"
id=$(awk -F '\t' '$2 == "types_ints" { print $1 }' $M/sites)
check "by its site" explained EINVAL "connect site:$id latency from=types_ints key=5" "is types_ints itself"
check "a glob that has another one, too" accepted "connect types_* latency from=types_ints key=5,0"
accepted "disconnect *" >/dev/null
check "two markers" accepted "connect types_texts latency from=types_ints key=5,0"
accepted "disconnect *" >/dev/null
for name in enable filter; do
	check "an event called $name" explained EINVAL "connect $name event" "no event can be called \"$name\""
	check "one of several" explained EINVAL "connect test_one event; connect $name event" "events/markers/$name"
done
check "no event is left of it" same "" "$(ls -d /sys/kernel/tracing/events/markers/*/ 2>/dev/null)"
check "the others are events" accepted "connect types_* event"
accepted "disconnect *" >/dev/null
check "nothing in the log but that" same "" "$(dmesg | grep -v markers:)"
check "verify" verified
tap_done
