#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Runs in the guest: toggle.sh WHAT..., each of which is one of
#   sites       the cost to open and to close 10,000 sites in one transaction, and to open them in
#               10,000, each by a line of text or by a call
#   keys        that of as many branches, with a static key for each or one for all
#   interrupts  with two CPUs: how often each of these interrupts the other CPU
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

done=0
total=$((2 * $#))
step() {
	done=$((done + 1))
	echo "$done/$total"
}

# first_site: its number.
first_site() {
	awk -F '\t' '$2 ~ /\/bulk_site$/ { print $1; exit }' $markers/sites
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
	step

	site=$(first_site)
	end=$((site + sites))
	while [ "$site" -lt $end ]; do
		echo "connect site:$site tally" >$bulk/control
		site=$((site + 1))
	done
	record_sites single open $sites
	echo "disconnect site:*" >$markers/control
	first_site >$bulk/connect
	record_sites calls open $sites
	step
	echo "disconnect site:*" >$markers/control
}

# The kernel does not count how often CPUs were synchronised for a key.
toggle_keys() {
	for what in keys key; do
		transactions=1
		[ $what = key ] || transactions=$sites
		for state in open closed; do
			on=1
			[ $state = open ] || on=0
			echo $on >$bulk/$what
			echo 1 >$bulk/fire
			record $what $state $transactions - - "$(cat $bulk/fire)" "$(cat $bulk/keys_ns)"
		done
		step
	done
}

interrupts_so_far() {
	awk '/unction call interrupts/ {
		for (i = 2; i <= 3; i++)
			n += $i
	} END { print n }' /proc/interrupts
}

# interrupts WHAT STATE TEXT FILE [TRANSACTIONS]: of the other CPU, when TEXT is written to FILE, without
# those of the further round of each transaction that only an emulator needs.
interrupts() {
	before=$(interrupts_so_far)
	echo "$3" >"$4"
	count=$(($(interrupts_so_far) - before))
	[ ! "${5-}" ] || count=$((count - $5 * ($(stat_of patch.settles) + $(stat_of tidy.settles))))
	printf 'interrupts\t%s\t%s\t%s\t%s\n' "$1" "$2" $sites $count
}

toggle_interrupts() {
	printf 'interrupts\twhat\tstate\tsites\tcount\n'
	interrupts together open "connect bulk_site tally" $markers/control 1
	interrupts together closed "disconnect bulk_site" $markers/control 1
	interrupts calls open "$(first_site)" $bulk/connect $sites
	echo "disconnect site:*" >$markers/control
	for what in keys key; do
		interrupts $what open 1 $bulk/$what
		interrupts $what closed 0 $bulk/$what
	done
}

printf 'toggle\tround\twhat\tstate\tsites\ttransactions\trounds\ttraps\tseen\tpeer\tamount\n'
for part; do
	"toggle_$part"
done
rmmod marker_bulk
