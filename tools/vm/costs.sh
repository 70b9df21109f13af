#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Runs in the guest, under icount: what takes more than an event. Prints a line for each: its name, a tab, the
# figure, a tab and the unit.
#
#	costs.sh		of recordings and of many markers
#	costs.sh memory		of an exposed marker
#	costs.sh kept		of 200,000 events of four CPUs, one after the other, those that are lost; not under icount
set -e
debugfs=/sys/kernel/debug
control=$debugfs/markers/control
recorder=$debugfs/markers/ctf/control
bench=$debugfs/marker_bench
packets=$debugfs/markers/ctf/packets
unit=instructions

# per NAME NUMBER TICKS BY: a line, of so many ticks for so many.
per() {
	awk -v name="$1" -v number="$2" -v ticks="$3" -v unit="$unit" \
		'BEGIN { printf "%s\t%.5g\t%s\n", name, ticks / number, unit }'
}

slab() {
	awk '/^Slab:/ { print $2 * 1024 }' /proc/meminfo
}

# fire SCALE: the loop of one marker.
fire() {
	echo "enabled rounds=1 scale=$1 shape=event only=sink" >$bench/run
}

# of COLUMN: a sum of the recorder: 2, events that were read; 3, lost events.
of() {
	awk -v column="$1" '/^[0-9]/ { sum += $column } END { print sum }' $debugfs/markers/ctf/cpus
}

if [ "$1" = memory ]; then
	insmod /markers.ko expose=
	insmod /probe_event.ko
	insmod /marker_thousand.ko
	unit=bytes
	before=$(slab)
	echo "expose *" >$control
	per "memory of an exposed marker" 1000 $(($(slab) - before))
	exit
fi

for module in markers probe_empty probe_ctf marker_gates marker_bench; do
	insmod /$module.ko
done
echo "connect subsys_mark1 empty" >$control

if [ "$1" = kept ]; then
	echo "size=1M" >$recorder
	echo "connect bench_event ctf" >$control
	for cpu in 1 2 4 8; do
		taskset $cpu sh -c "echo 'enabled rounds=1 scale=1.25 shape=event only=sink' >$bench/run"
	done
	echo "disconnect bench_event" >$control
	cat $packets >/dev/null
	[ $(($(of 2) + $(of 3))) -ge 200000 ]
	unit=events
	per "lost of 200,000 events, four CPUs in turn, 1 MiB each" 1 "$(of 3)"
	exit
fi

echo "size=16M clock=tsc" >$recorder
echo "connect bench_event ctf" >$control
fire 10
read -r ticks bytes <<END
$(/ticks read $packets)
END
events=$(of 2)
per "reader, addresses hashed, per event" "$events" "$ticks"
unit=bytes
per "event with 12 bytes of values" "$events" "$bytes"
unit=instructions
echo "disconnect *" >$control
rmmod marker_bench

insmod /marker_bulk.ko
/ticks read $debugfs/markers/sites >/dev/null
read -r ticks bytes <<END
$(/ticks read $debugfs/markers/sites)
END
per "cat sites, 10,000 sites, per line" 10001 "$ticks"
rmmod marker_bulk

# connect NAME N: all markers, N.
connect() {
	read -r ticks _ <<-END
		$(/ticks write $control "connect * ctf")
	END
	echo "disconnect *" >$control
	per "$1" "$2" "$ticks"
}
echo "size=64K clock=tsc" >$recorder
/ticks load /marker_thousand.ko 1 10 >/dev/null
connect "connect '*' ctf, 10,000 names, per site" 10000
/ticks load /marker_thousand.ko 11 99 >/dev/null
read -r ticks _ <<END
$(/ticks load /marker_thousand.ko 100 100)
END
per "insmod, the last 1,000 of 100,000 sites, per site" 1000 "$ticks"
connect "connect '*' ctf, 100,000 names, per site" 100000
