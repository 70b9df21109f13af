#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# In the guest: the formats of the events of converted markers, and the kernel's own of the
# same names.
set -e
insmod /markers.ko
insmod /converted.ko
insmod /probe_event.ko
cd /sys/kernel/tracing/events
for event in markers/*/; do
	name=$(basename "$event")
	echo "@ marker $name"
	cat "$event/format"
	for own in */"$name"/format; do
		case $own in
		markers/* | '*'*) ;;
		*) echo "@ kernel $name"; cat "$own" ;;
		esac
	done
done
