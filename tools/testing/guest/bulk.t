#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# 10,000 sites: in one module, together and one by one, beside static keys; in
# twenty modules; and what they need in memory. Figures are printed as notes.
# guest: cpus=2
# shellcheck source=lib.sh
. "${0%/*}/lib.sh"
B=/sys/kernel/debug/marker_bulk

load markers
load probe_count
load probe_copy
load marker_bulk
load marker_test
check "marker_bulk has 10,000 sites" same 10000 "$(rows bulk_site markers | awk -F '\t' '{ print $2 }')"
note() {
	echo "# $1: $2"
}

check "one transaction opens all" accepted "connect bulk_site count"
together=$(stat_of patch.ns)
check "opening takes $rounds rounds, since the gates are NOPs" same "$rounds" "$(stat_of patch.rounds)"
echo 1 >$B/fire
check "each of 10,000 open sites is seen once" same 10000 "$(hits count)"
check "verify reports no mismatch" verified
check "one transaction closes all" accepted "disconnect bulk_site"
check "closing takes $rounds rounds" same "$rounds" "$(stat_of patch.rounds)"
echo 1 >$B/fire
check "no closed site is seen" same 0 "$(hits count)"

check "a transaction over three modules is as short" accepted \
	"connect bulk_site count; connect subsys_mark1 copy; connect test_five count"
if has_gate flip; then
	check "it takes 6 rounds, 3 of them for NOPs of several instructions" same 6 "$(stat_of patch.rounds)"
else
	skip "it takes 6 rounds, 3 of them for NOPs of several instructions" "there are no such gates here"
fi
accepted "disconnect *" >/dev/null
accepted "connect bulk_site count; connect test_five count" >/dev/null
check "without these NOPs it takes $rounds rounds" same "$rounds" "$(stat_of patch.rounds)"
accepted "disconnect *" >/dev/null

# One write for all sites, and then one for each. `make bench` compares their times on
# silicon; times under emulation say nothing about that.
clock() {
	awk '{ print $1 * 1000 }' /proc/uptime
}
first=$(rows bulk_site sites | awk -F '\t' '{ print $1; exit }')
start=$(clock)
echo "connect bulk_site count" >$M/control
together=$(($(clock) - start))
accepted "disconnect *" >/dev/null
start=$(clock)
i=0
while [ $i -lt 10000 ]; do
	echo "connect site:$((first + i)) count" >$M/control || break
	i=$((i + 1))
done
single=$(($(clock) - start))
check "10,000 transactions open all sites" same "10000 open" \
	"$(rows bulk_site markers | awk -F '\t' '{ print $3 }') $(state bulk_site)"
note "ms (emulated: no measure of silicon), 10,000 sites by one write" "$together"
note "ms (emulated), 10,000 sites by 10,000 writes, each of $rounds rounds" "$single"
echo 1 >$B/fire
check "each site opened by its own transaction is seen once" same 10000 "$(hits count)"
check "one transaction closes all sites again" accepted "disconnect *"
check "this takes $rounds rounds" same "$rounds" "$(stat_of patch.rounds)"

for i in 1 0; do
	echo $i >$B/keys
	note "ns (emulated), 10,000 static keys set to $i, one by one" "$(cat $B/keys_ns)"
done
accepted "connect bulk_site count" >/dev/null
note "ns (emulated), 10,000 sites in one transaction, again" "$(stat_of patch.ns)"
accepted "disconnect *" >/dev/null

for what in site.bytes site.gate.bytes site.call.bytes site.runtime.bytes marker.runtime.bytes; do
	note "$what" "$(stat_of $what)"
done
check "a static entry has at most 48 bytes" test "$(stat_of site.bytes)" -le 48
unload marker_bulk marker_test
check "pads are freed with their modules" same 0 "$(stat_of pads)"

# Twenty modules: one file, with another name written into it. Their gates are pun, of
# which one byte is changed, where there are such gates.
unload probe_copy probe_count markers
if has_gate flip; then
	load markers gate=pun
	rounds=2
else
	load markers
fi
load probe_count
for i in $(seq 10 29); do
	sed "s/marker_many_00/marker_many_$i/g" /marker_many_00.ko >/tmp/many.ko
	insmod /tmp/many.ko || break
done
check "twenty modules of 500 sites" same 10000 "$(rows many_site markers | awk -F '\t' '{ n += $2 } END { print n }')"
if ! has_gate flip; then
	skip "each site has a pad or is flip" "there are no pads here"
	skip "there are as many pads as pun gates" "there are no pads here"
else
	pun=$(grep -c '	pun	' $M/sites)
	flip=$(grep -c '	flip	' $M/sites)
	note "sites with a pad, and fallen back to flip" "$pun, $flip"
	check "each site has a pad or is flip" same 10000 $((pun + flip))
	check "there are as many pads as pun gates" same "$pun" "$(stat_of pads)"
fi
check "one transaction opens the sites of twenty modules" accepted "connect many_site count"
check "this takes $rounds rounds" same "$rounds" "$(stat_of patch.rounds)"
for i in $(seq 10 29); do
	echo 3 >"/sys/module/marker_many_$i/parameters/fire"
done
check "each site is seen each time" same 30000 "$(hits count)"
check "verify reports no mismatch" verified
unload marker_many_13 marker_many_29
check "two modules are unloaded while connected" same 9000 "$(rows many_site markers | awk -F '\t' '{ n += $3 } END { print n }')"
check "verify reports no mismatch" verified
accepted "disconnect *" >/dev/null
check "verify reports no mismatch" verified
tap_done
