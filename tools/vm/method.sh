#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Runs in the guest: method.sh SERIES...
# Takes each series ("fence=cr0 test=stores ensembles=100 ...", see series.h) in
# ten parts, prints progress as DONE/TOTAL lines, then the raw data. $parameters
# are those of marker_bench.ko. Where that is loaded already, its raw data is not
# printed: the records go to the end of another document.
set -e
method=/sys/kernel/debug/marker_bench/method
head=
if [ ! -e $method ]; then
	insmod /markers.ko
	# shellcheck disable=SC2086 # several they are
	insmod /marker_bench.ko $parameters
	head=/sys/kernel/debug/marker_bench/raw
fi

total=0
for series; do
	eval "$(echo "$series" | tr ' ' '\n' | grep '^ensembles=')"
	total=$((total + ensembles))
done
done=0
for series; do
	eval "$(echo "$series" | tr ' ' '\n' | grep '^ensembles=')"
	part=$(((ensembles + 9) / 10))
	from=0
	while [ $from -lt "$ensembles" ]; do
		[ $((from + part)) -le "$ensembles" ] || part=$((ensembles - from))
		echo "$series from=$from ensembles=$part" >$method
		from=$((from + part))
		done=$((done + part))
		echo "$done/$total"
	done
done
cat $head $method
echo clear >$method
