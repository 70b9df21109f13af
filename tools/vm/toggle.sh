#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Runs in the guest, as toggle.sh sites: the cost to open and to close 10,000 sites in one
# transaction, and to open them in 10,000; as toggle.sh keys: that of as many static keys.
# Prints progress as DONE/TOTAL lines and records of raw data. The clock counts instructions.
set -e
markers=/sys/kernel/debug/markers
bulk=/sys/kernel/debug/marker_bulk
sites=10000

insmod /markers.ko
insmod /marker_bulk.ko

stat_of() {
	awk -F '\t' -v name="$1" '$1 == name { print $2 }' $markers/stats
}

# record WHAT STATE TRANSACTIONS ROUNDS TRAPS SEEN AMOUNT
record() {
	printf 'toggle\t0\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t-\t%s\n' "$1" "$2" $sites "$3" "$4" "$5" "$6" "$7"
}

# record_sites WHAT STATE TRANSACTIONS: the sites have changed, in transactions
# that were all like the last one. The wait for probes to return is not the
# work of this CPU, and is taken out.
record_sites() {
	amount=$(($(cat $bulk/control_ns) - $(stat_of wait.ns)))
	rounds=$(($(stat_of patch.rounds) + $(stat_of tidy.rounds)))
	traps=$(($(stat_of patch.int3) + $(stat_of tidy.int3)))
	record "$1" "$2" "$3" $(($3 * rounds)) $(($3 * traps)) "$(cat $bulk/events)" $amount
}

toggle_sites() {
	awk -F '\t' -v OFS='\t' '
		BEGIN { print "memory", "name", "bytes" }
		$1 ~ /^(site|marker).*\.bytes$/ { print "memory", $1, $2 }' $markers/stats

	echo "connect bulk_site tally" >$bulk/control
	record_sites together open 1
	printf '#toggle\tone CPU; further rounds of each transaction, for the emulator: %s\n' \
		"$(stat_of patch.settles)"
	echo "disconnect bulk_site" >$bulk/control
	record_sites together closed 1
	echo 1/2

	site=$(awk -F '\t' '$2 == "bulk_site" { print $1; exit }' $markers/sites)
	end=$((site + sites))
	while [ "$site" -lt $end ]; do
		echo "connect site:$site tally" >$bulk/control
		site=$((site + 1))
	done
	record_sites single open $sites
	echo 2/2
	echo "disconnect site:*" >$markers/control
}

# The kernel does not count how often CPUs were synchronised for a key.
toggle_keys() {
	for on in 1 0; do
		echo $on >$bulk/keys
		echo 1 >$bulk/fire
		state=closed
		[ $on = 0 ] || state=open
		record keys $state $sites - - "$(cat $bulk/fire)" "$(cat $bulk/keys_ns)"
		echo $((2 - on))/2
	done
}

printf 'toggle\tround\twhat\tstate\tsites\ttransactions\trounds\ttraps\tseen\tpeer\tamount\n'
"toggle_$1"
rmmod marker_bulk
