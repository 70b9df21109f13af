#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Runs in a guest: method.sh SERIES...
# Takes each series ("fence=cr0 test=stores ensembles=100 ...", see series.h) in
# ten parts, prints progress as DONE/TOTAL lines, then the raw data. A series whose
# fence is not there is left out. Where marker_bench.ko is loaded already, no head
# is printed: the records go to the end of another document.
#
# Also on a host, as root: $modules is where the modules are, $parameters are those
# of marker_bench.ko, and with $unload the modules are unloaded at the end.
set -e
method=/sys/kernel/debug/marker_bench/method
head=
if [ ! -e $method ]; then
	insmod "${modules:-}/markers.ko"
	insmod "${modules:-}/marker_gates.ko"
	# shellcheck disable=SC2086 # several words
	insmod "${modules:-}/marker_bench.ko" ${parameters:-}
	head=/sys/kernel/debug/marker_bench/raw
fi

# ensembles SERIES: their number; nothing if its fence is not there.
ensembles() {
	fence=$(echo "$1" | tr ' ' '\n' | sed -n 's/^fence=//p')
	[ -z "$fence" ] || grep -q "^fence	$fence	.*	1\$" /tmp/method.fences || return 0
	echo "$1" | tr ' ' '\n' | sed -n 's/^ensembles=//p'
}

grep '^fence' $method >/tmp/method.fences
total=0
for series; do
	count=$(ensembles "$series")
	total=$((total + ${count:-0}))
done
done=0
for series; do
	count=$(ensembles "$series")
	part=$(((${count:-0} + 9) / 10))
	from=0
	while [ $from -lt "${count:-0}" ]; do
		[ $((from + part)) -le "$count" ] || part=$((count - from))
		echo "$series from=$from ensembles=$part" >$method
		from=$((from + part))
		done=$((done + part))
		echo "$done/$total"
	done
done
# shellcheck disable=SC2086 # nothing, or one
cat $head $method
echo clear >$method
[ -z "${unload:-}" ] || rmmod marker_bench marker_gates markers
