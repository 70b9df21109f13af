#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck source=../guest.sh
. "$(dirname "$(readlink -f "$0")")/../guest.sh"
# The modules are loaded a thousand times, so they are without debug information.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for module in markers.ko selftest/marker_bulk.ko selftest/marker_hundred.ko ../probes/probe_count.ko; do
	strip -g -o "$work/${module##*/}" "$top/markers/$module"
done
modules=$(echo "$work"/*.ko)
memory=2048
# The clock counts instructions, so that other work of the host does not matter.
icount=yes
# Its name is in struct module, behind an int and a list_head.
section=$(readelf -SW "$work/marker_hundred.ko" |
	sed -n 's/.*\.gnu\.linkonce\.this_module  *PROGBITS  *[0-9a-f]* \([0-9a-f]*\) .*/\1/p')
guest defect-12 1 $((0x$section + 24))
